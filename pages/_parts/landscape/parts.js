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

export const heightText = (/** @type {number} */ off) => formatNumber(Number(off.toFixed(2)));

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
