// Prose bound to the stage: some phrases move its cursor or its views, here in the
// browser; others put another setting on it, which the server is asked for.

import { all, one } from "../../../stage/js/dom.js";

/**
 * @typedef {object} Span
 * @property {string} text
 * @property {boolean} [strong]
 * @property {boolean} [em]
 * @property {string} [meaning]
 * @property {number} [t]
 * @property {Switch} [on]
 * @property {string} [set]
 */
/** @typedef {{ kind: "p" | "li", spans: Span[] }} Block */
/**
 * @typedef {object} Prose
 * @property {string} step
 * @property {string} stage
 * @property {string} title
 * @property {Block[]} text
 * @property {string} question
 * @property {{ list: { key: string, text: string }[], mine: string, right: string } | null} options
 * @property {Block[]} reaction
 * @property {Block[]} then
 */

const ICONS = { right: "M4 10.5 8.500 15 16 5", other: "M10 10h.01" };
const BAR = 90; // pixels at the top of the page that the navigation takes
const WRITTEN = new WeakMap(); // by element: the words that stand in it

/** @param {string} tag @param {string} className */
/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} className
 * @param {...(Node | string)} children
 */
function make(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** @param {"right" | "other"} name */
function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** @param {string} key */
function stageOf(key) {
  return [...(window.halfmoonStages ?? [])].find((stage) => stage.view?.key === key);
}

// What a phrase does: t moves the cursor, on switches a view on, set asks the server.
/** @param {Span} span @param {Prose} data @param {(scene: string) => void} ask */
function act(span, data, ask) {
  if (span.set !== undefined) return ask(span.set);
  const stage = stageOf(data.stage);
  if (!stage) return;
  if (span.t !== undefined) stage.time.seekIteration(span.t);
  else if (span.on) stage.toggle(span.on);
}

// A word of the glossary: a button in the line, and the card that it opens.
/** @param {Span} span */
function term(span) {
  const button = make("button", "hm-term", span.text),
    card = make("span", "hm-meaning", make("b", "", span.text), ` ${span.meaning}`);
  button.type = "button";
  card.popover = "auto";
  button.popoverTargetElement = card;
  button.popoverTargetAction = "show";
  /** @type {Timer | undefined} */
  let leaving;
  let pinned = false; // a card that was asked for by a click stays
  button.addEventListener("click", () => {
    pinned = true;
  });
  card.addEventListener("toggle", (e) => {
    pinned &&= e.newState === "open";
  });
  const over = (/** @type {PointerEvent} */ e) => {
    if (e.pointerType !== "mouse") return;
    clearTimeout(leaving);
    if (!card.matches(":popover-open")) card.showPopover({ source: button });
  };
  const out = (/** @type {PointerEvent} */ e) => {
    if (e.pointerType === "mouse") leaving = setTimeout(() => pinned || card.hidePopover(), 120);
  };
  for (const part of [button, card]) {
    part.addEventListener("pointerenter", over);
    part.addEventListener("pointerleave", out);
  }
  const word = make("span", "", button, card);
  return span.strong ? make("strong", "", word) : span.em ? make("em", "", word) : word;
}

/** @param {Span} span @param {Prose} data @param {(scene: string) => void} ask */
function inline(span, data, ask) {
  if (span.meaning) return term(span);
  if (span.strong) return make("strong", "", span.text);
  if (span.em) return make("em", "", span.text);
  const does = /** @type {const} */ (["t", "on", "set"]).find((name) => name in span);
  if (!does) return span.text;
  const button = make("button", "hm-phrase", span.text);
  button.type = "button";
  button.dataset.does = does;
  if (does !== "set") button.dataset[does] = String(span[does]);
  button.onclick = () => act(span, data, ask);
  return button;
}

/** @param {Block[]} list @param {Prose} data @param {(scene: string) => void} ask */
function blocks(list, data, ask) {
  /** @type {HTMLElement[]} */
  const made = [];
  for (const { kind, spans } of list) {
    const child = make(kind, "", ...spans.map((span) => inline(span, data, ask)));
    if (kind === "p") made.push(child);
    else if (made.at(-1)?.tagName === "UL") made.at(-1)?.append(child);
    else made.push(make("ul", "", child));
  }
  return made;
}

// The options once one is chosen: which was mine, which is right.
/** @param {NonNullable<Prose["options"]>} options */
function options({ list, mine, right }) {
  const rows = list.map(({ key, text }) => {
    const notes = [key === right ? "right" : "", key === mine ? "your answer" : ""].filter(Boolean);
    const words = notes.length ? `${text} (${notes.join(", ")})` : text;
    return make("li", key === mine ? "hm-mine" : "", icon(key === right ? "right" : "other"), make("span", "", words));
  });
  return make("ul", "hm-options", ...rows);
}

/** @param {Prose} data @param {(scene: string) => void} ask */
function build(data, ask) {
  /** @type {HTMLElement[]} */
  const made = [make("h2", "", data.title), ...blocks(data.text, data, ask)];
  if (data.question) made.push(make("p", "hm-question", data.question));
  if (data.options) made.push(options(data.options));
  if (data.reaction.length) made.push(make("div", "hm-reaction", ...blocks(data.reaction, data, ask)));
  return [...made, ...blocks(data.then, data, ask)];
}

// Streamlit calls this at mounting and whenever the words change.
/** @param {Component<Prose>} options */
export default function mount({ parentElement, data, setTriggerValue }) {
  const root = one(parentElement, ".hm-prose");
  const words = JSON.stringify(data);
  if (WRITTEN.get(root) !== words) {
    const turned = WRITTEN.has(root) && root.dataset.step !== data.step;
    WRITTEN.set(root, words);
    root.dataset.step = data.step;
    root.replaceChildren(...build(data, (scene) => setTriggerValue("scene", { step: data.step, scene })));
    // A longer step was read to its end: the next one begins above what is seen.
    if (turned && root.getBoundingClientRect().top < BAR) root.scrollIntoView({ block: "start" });
  }
  const mark = () => {
    const stage = stageOf(data.stage),
      t = stage?.time.moment;
    for (const phrase of all(root, "[data-on]"))
      phrase.setAttribute("aria-pressed", String(Boolean(stage?.ui[/** @type {Switch} */ (phrase.dataset.on)])));
    for (const phrase of all(root, "[data-t]")) {
      if (Number(phrase.dataset.t) === t) phrase.setAttribute("aria-current", "true");
      else phrase.removeAttribute("aria-current");
    }
  };
  mark();
  document.addEventListener("halfmoon-place", mark);
  return () => document.removeEventListener("halfmoon-place", mark);
}
