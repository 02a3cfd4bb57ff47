// Marks of charts, told apart by their shape.

/** @type {Record<string, number>} */
const CORNERS = { "triangle-up": 3, "triangle-down": 3, diamond: 4, pentagon: 5, hexagon: 6, star: 10 };

/** @param {Ctx} ctx @param {string} colour @param {number} width */
export function outline(ctx, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

/** @param {Ctx} ctx @param {string} mark @param {number} x @param {number} y @param {number} r */
export function markPath(ctx, mark, x, y, r) {
  ctx.beginPath();
  if (mark === "circle") ctx.arc(x, y, r, 0, 2 * Math.PI);
  else if (mark === "square") ctx.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
  else if (mark === "cross") {
    ctx.moveTo(x - r, y);
    ctx.lineTo(x + r, y);
    ctx.moveTo(x, y - r);
    ctx.lineTo(x, y + r);
  } else {
    const corners = CORNERS[mark],
      way = mark === "triangle-down" ? -1 : 1;
    for (let i = 0; i < corners; i++) {
      const angle = (2 * Math.PI * i) / corners,
        size = mark === "star" && i % 2 ? 0.42 * r : 1.15 * r;
      ctx[i ? "lineTo" : "moveTo"](x + size * Math.sin(angle), y - way * size * Math.cos(angle));
    }
    ctx.closePath();
  }
}
