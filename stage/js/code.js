// The stage's code and style sheets as a component of its own, which is sent only once.

import card from "../css/card.css";
import deck from "../css/deck.css";
import present from "../css/present.css";
import stage from "../css/stage.css";
import stopping from "../css/stopping.css";
import terms from "../css/terms.css";
import { mount } from "./stage.js";
import { StandIn } from "./standin.js";
import { code } from "./waiting.js";

const STYLE = new CSSStyleSheet();
STYLE.replaceSync([stage, card, terms, stopping, present, deck].join(""));

/** @param {Component<never>} component */
function mountWithStyle(component) {
  const home = /** @type {ShadowRoot | Document} */ (component.parentElement.getRootNode());
  if (!home.adoptedStyleSheets.includes(STYLE)) home.adoptedStyleSheets.push(STYLE);
  return mount(component);
}

export default function tell() {
  code.resolve(mountWithStyle);
}

// For a page that brings the first view along (page.py).
/** @param {HTMLElement} host @param {string} base64 */
export function standIn(host, base64) {
  tell();
  const data = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  new StandIn(host, data, mountWithStyle);
}
