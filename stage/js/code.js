// The stage's code, style sheets and markup for all its homes. In the app it is a component
// of its own, which is sent only once; in notebooks a widget; a file of ours opens itself.

import card from "../css/card.css";
import deck from "../css/deck.css";
import embed from "../css/embed.css";
import present from "../css/present.css";
import settings from "../css/settings.css";
import sheet from "../css/sheet.css";
import stage from "../css/stage.css";
import stopping from "../css/stopping.css";
import terms from "../css/terms.css";
import deckHtml from "../html/deck.html";
import stageHtml from "../html/stage.html";
import { bytesOf, openPage } from "./page.js";
import { mount } from "./stage.js";
import { StandIn } from "./standin.js";
import { code } from "./waiting.js";
import { widget } from "./widget.js";

const STYLE = new CSSStyleSheet(),
  AROUND = new CSSStyleSheet(); // of what is around stages without an app
STYLE.replaceSync([stage, card, terms, stopping, present, deck, embed].join(""));
AROUND.replaceSync([sheet, settings].join(""));
const HTML = { stage: stageHtml, deck: deckHtml };

/** @param {Node} element @param {CSSStyleSheet} style */
function wear(element, style) {
  const home = /** @type {ShadowRoot | Document} */ (element.getRootNode());
  if (!home.adoptedStyleSheets.includes(style)) home.adoptedStyleSheets.push(style);
}

/** @param {Component<never>} component */
function mountWithStyle(component) {
  wear(component.parentElement, STYLE);
  return mount(component);
}

// Streamlit calls this with a component; a notebook asks for what shows a widget.
/** @param {Component<never>} [component] */
export default function tell(component) {
  code.resolve(mountWithStyle);
  return component ? undefined : { render: widget(HTML, mountWithStyle, (element) => wear(element, AROUND)) };
}

// For a page that brings the first view along (page.py).
/** @param {HTMLElement} host @param {string} base64 */
export function standIn(host, base64) {
  tell();
  new StandIn(host, bytesOf(base64), mountWithStyle);
}

openPage(HTML, mountWithStyle, (element) => wear(element, AROUND));
