// A page that is one file, or a frame in a notebook: it holds the views it shows.

import { one } from "./dom.js";
import { frameOf } from "./host.js";
import { Sheet } from "./sheet.js";

const DATA = 'script[type="application/halfmoon+json"]';
const LEAST = 320; // pixels: no frame is lower

/** @typedef {{ views: string[], deck: DeckData | null }} Content */

/** @param {string} base64 */
export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

// Shows what the document holds, where it is one of ours.
/** @param {import("./sheet.js").Html} html @param {import("./sheet.js").Mount} mount @param {(element: Element) => void} wear */
export function openPage(html, mount, wear) {
  const data = document.querySelector(DATA);
  if (!data) return;
  /** @type {Content} */
  const content = JSON.parse(data.textContent ?? "");
  wear(data);
  const root = document.documentElement,
    sheet = new Sheet(one(document, "#halfmoon"), html, mount, root),
    button = one(document, "[data-role=colours]");
  sheet.show(content.views.map(bytesOf), content.deck);
  root.dataset.halfmoon = "open";
  button.hidden = false;
  button.addEventListener("click", () => sheet.choose(!sheet.dark));
  fitFrame();
}

// The frame in a notebook is as high as what it holds: nothing scrolls inside.
function fitFrame() {
  if (document.documentElement.dataset.framed === undefined) return;
  const frame = /** @type {HTMLElement | null} */ (frameOf(window));
  if (!frame) return; // a notebook that keeps it to itself
  const still = /** @type {HTMLElement | null} */ (frame.nextElementSibling);
  if (still) still.hidden = true; // the picture for where no script runs
  const fit = () => {
    frame.style.height = `${Math.max(LEAST, Math.ceil(document.body.getBoundingClientRect().height))}px`;
  };
  new ResizeObserver(fit).observe(document.body);
  fit();
}
