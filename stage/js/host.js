// The colours of what is around a stage: a notebook, a frame in one, a page of our own.

import { parseColour } from "./theme.js";

const SYSTEM = matchMedia("(prefers-color-scheme: dark)");

// The frame that a window is in, where this may be known.
/** @param {Window} window @returns {Element | null} */
export function frameOf(window) {
  try {
    return window.frameElement;
  } catch {
    return null; // another site's
  }
}

// The next element outwards, out of trees of their own and out of frames.
/** @param {Element} element @returns {Element | null} */
function outer(element) {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode(); // of another window's classes, where it is one
  if ("host" in root) return /** @type {ShadowRoot} */ (root).host;
  const view = element.ownerDocument.defaultView;
  return view && frameOf(view);
}

// Whether the first background behind an element is dark; where nothing has one, what the
// reader's system prefers in a page of our own, and light in another's.
/** @param {HTMLElement} home */
export function isDark(home) {
  for (let at = outer(home); at; at = outer(at)) {
    const colour = getComputedStyle(at).backgroundColor,
      parts = colour.match(/[\d.]+/g)?.map(Number) ?? [];
    if (parts.length < 3 || parts[3] === 0) continue;
    const [r, g, b] = parseColour(colour);
    return 0.3 * r + 0.59 * g + 0.11 * b < 128;
  }
  return document.documentElement.dataset.halfmoon !== undefined && SYSTEM.matches;
}

// Calls back when the colours around may have changed.
/** @param {HTMLElement} home @param {() => void} changed */
export function followHost(home, changed) {
  const documents = new Set([home.ownerDocument]),
    frame = frameOf(window);
  if (frame) documents.add(frame.ownerDocument);
  const observers = [...documents].map((document) => {
    const observer = new MutationObserver(() => setTimeout(changed)); // styles come first
    for (const element of [document.documentElement, document.body])
      observer.observe(element, {
        attributes: true,
        attributeFilter: [
          "class",
          "style",
          "data-theme",
          "data-jp-theme-light",
          "data-jp-theme-name",
          "data-vscode-theme-kind",
        ],
      });
    return observer;
  });
  SYSTEM.addEventListener("change", changed);
  return () => {
    for (const observer of observers) observer.disconnect();
    SYSTEM.removeEventListener("change", changed);
  };
}
