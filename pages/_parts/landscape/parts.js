// Small parts of the landscape: what Python sends, marks, and places for words.

import { formatNumber } from "../../../stage/js/numerals.js";

/**
 * @typedef {object} Route
 * @property {string} name
 * @property {string} role
 * @property {string} mark
 * @property {string} stage
 * @property {number[]} t
 * @property {number[][]} places
 * @property {number[]} objective
 * @property {number[]} end
 * @property {boolean} retrained
 */
/**
 * @typedef {object} Solution
 * @property {string} name
 * @property {number[]} place
 * @property {number} objective
 * @property {number | null} retrained
 * @property {boolean} corner
 * @property {boolean} star
 */
/**
 * @typedef {object} SliceData
 * @property {Extent} extent
 * @property {[w: number, h: number]} shape
 * @property {number[]} values
 * @property {Solution[]} solutions
 * @property {Route[]} routes
 */
/** @typedef {Solution & Place} Drawn */
/** @typedef {ReturnType<typeof box>} Spot */

/** @type {Record<string, number>} */
const CORNERS = { "triangle-up": 3, diamond: 4, star: 10 };

export const heightText = (/** @type {number} */ off) => formatNumber(Number(off.toFixed(2)));

/** @param {Ctx} ctx @param {string} colour @param {number} width */
export function outline(ctx, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

// How many sorted values are smaller.
/** @param {Float32Array} sorted @param {number} value */
export function below(sorted, value) {
  let a = 0,
    b = sorted.length;
  while (a < b) {
    const middle = (a + b) >> 1;
    if (sorted[middle] < value) a = middle + 1;
    else b = middle;
  }
  return a;
}

export const box = (
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ w,
  /** @type {number} */ h,
) => ({
  x,
  y,
  w,
  h,
});
export const overlap = (/** @type {Spot} */ a, /** @type {Spot} */ b) =>
  Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2;

// Solutions at one place share a label.
/** @param {Drawn[]} solutions */
export function groups(solutions) {
  /** @type {(Place & { objective: number, names: string[] })[]} */
  const found = [];
  for (const one of solutions) {
    const twin = found.find(
      (g) =>
        Math.hypot(g.x - one.x, g.y - one.y) < 8 &&
        Math.abs(g.objective - one.objective) < 1e-3 * Math.abs(one.objective),
    );
    if (twin) twin.names.push(one.name);
    else found.push({ x: one.x, y: one.y, objective: one.objective, names: [one.name] });
  }
  return found;
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
    const corners = CORNERS[mark];
    for (let i = 0; i < corners; i++) {
      const angle = (2 * Math.PI * i) / corners,
        size = mark === "star" && i % 2 ? 0.42 * r : 1.15 * r;
      ctx[i ? "lineTo" : "moveTo"](x + size * Math.sin(angle), y - size * Math.cos(angle));
    }
    ctx.closePath();
  }
}
