// Elements that must be there.

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement} */
export function one(root, selector) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`There is no ${selector}.`);
  return found;
}

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export function all(root, selector) {
  return [...root.querySelectorAll(selector)].filter((found) => found instanceof HTMLElement);
}

/** @param {HTMLCanvasElement} canvas */
export function penOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

// A canvas that is not on the page, and its pen.
/** @param {number} width @param {number} height */
export function offscreen(width, height) {
  const canvas = new OffscreenCanvas(width, height);
  return { canvas, pen: /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d")) };
}
