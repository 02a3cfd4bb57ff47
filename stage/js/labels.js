// Words in a picture, where nothing is written yet.

/** @typedef {{ x: number, y: number, w: number, h: number }} Spot */

const FAR = [22, 42, 62], // pixels from a place to its words
  EDGE = 4;

/** @param {number} x @param {number} y @param {number} w @param {number} h @returns {Spot} */
export const box = (x, y, w, h) => ({ x, y, w, h });

/** @param {Spot} a @param {Spot} b */
export const overlap = (a, b) => Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2;

// Where words of a size stand beside a place inside a plot; the place is taken from now on.
/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {Box} plot
 * @param {Spot[]} taken
 */
export function placeWords(x, y, width, height, plot, taken) {
  const half = width / 2,
    end = plot.left + plot.width;
  const keep = (/** @type {number} */ v) => Math.min(end - half - EDGE, Math.max(plot.left + half + EDGE, v));
  const tries = FAR.flatMap((far) => [
    [0, -far],
    [0, far],
    [half + far - 8, 0],
    [-half - far + 8, 0],
    [half, -far],
    [-half, far],
  ]);
  const boxes = tries.map(([dx, dy]) => box(keep(x + dx), y + dy, width, height));
  const inside = boxes.filter((b) => b.y - height / 2 > plot.top + 2 && b.y + height / 2 < plot.top + plot.height - 2);
  const spot = inside.find((b) => !taken.some((other) => overlap(b, other))) ?? inside[0] ?? boxes[0];
  taken.push(spot);
  return spot;
}

/**
 * @param {Ctx} ctx
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 * @param {string} background
 * @param {number} width
 */
export function halo(ctx, words, x, y, colour, background, width) {
  ctx.lineJoin = "round";
  ctx.strokeStyle = background;
  ctx.lineWidth = width;
  ctx.strokeText(words, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(words, x, y);
}
