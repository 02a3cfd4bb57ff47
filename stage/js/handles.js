// Handles of lines that can be dragged: sliders of their own for mouse, touch and keys.

/** @typedef {{ min: number, max: number, step: number, big: number }} Limits */
/**
 * @typedef {object} Dragged
 * @property {() => number} get
 * @property {(value: number) => void} set
 * @property {() => void} drop
 * @property {() => void} later
 * @property {(x: number, y: number) => number} from
 */

// A slider at a line. `range` is { min, max, step, big }, `line` has get(), set(value),
// drop(), later() and from(x, y), the value at a place of the picture.
/**
 * @param {HTMLCanvasElement} canvas
 * @param {{ label: string; text: string; upright: boolean }} options
 * @param {Limits} range
 * @param {Dragged} line
 */
export function makeHandle(canvas, { label, text, upright }, range, line) {
  const handle = document.createElement("div");
  handle.className = "hm-handle";
  handle.tabIndex = 0;
  handle.textContent = text;
  handle.setAttribute("role", "slider");
  handle.setAttribute("aria-label", label);
  handle.setAttribute("aria-orientation", upright ? "vertical" : "horizontal");
  handle.setAttribute("aria-valuemin", String(range.min));
  handle.setAttribute("aria-valuemax", String(range.max));
  handle.title = label;
  const put = (/** @type {number} */ value) => line.set(Math.min(range.max, Math.max(range.min, value)));
  /** @type {number | null} */
  let held = null;
  const at = (/** @type {MouseEvent} */ e) => {
    const box = canvas.getBoundingClientRect();
    return line.from(e.clientX - box.left, e.clientY - box.top);
  };
  handle.addEventListener("pointerdown", (e) => {
    held = line.get() - at(e); // where it was taken hold of
    if (e.isTrusted) handle.setPointerCapture(e.pointerId);
    e.stopPropagation();
  });
  handle.addEventListener("pointermove", (e) => {
    if (held !== null) put(at(e) + held);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    handle.addEventListener(end, () => {
      if (held === null) return;
      held = null;
      line.drop();
    });
  }
  handle.addEventListener("keydown", (e) => {
    const step = stepOf(e, range);
    if (step === null || e.altKey || e.ctrlKey || e.metaKey) return;
    put(Number.isFinite(step) ? line.get() + step : step);
    line.later();
    e.preventDefault();
    e.stopPropagation(); // the stage's own arrows move the cursor
  });
  return handle;
}

/** @param {KeyboardEvent} e @param {Limits} options */
function stepOf(e, { step, big }) {
  switch (e.key) {
    case "ArrowUp":
    case "ArrowRight":
      return e.shiftKey ? big : step;
    case "ArrowDown":
    case "ArrowLeft":
      return e.shiftKey ? -big : -step;
    case "PageUp":
      return big;
    case "PageDown":
      return -big;
    case "Home":
      return -Infinity;
    case "End":
      return Infinity;
    default:
      return null;
  }
}

// Where it stands, for the eye and for screen readers.
/** @param {HTMLElement} handle @param {number} x @param {number} y @param {number} value @param {string} words */
export function showHandle(handle, x, y, value, words) {
  handle.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
  if (handle.ariaValueText === words) return;
  handle.setAttribute("aria-valuenow", String(value));
  handle.setAttribute("aria-valuetext", words);
}
