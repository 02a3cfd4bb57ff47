// The keyboard path to everything; active only while something in the stage has focus.

import { all } from "./dom.js";
import { nextCurve, presenting } from "./present.js";
import { ERASE, UNLABELLED } from "./strokes.js";

const KEY_HELP = [
  ["Space", "play or pause"],
  ["← →", "one step; with Shift ten"],
  ["Home End", "first, last"],
  ["e, Shift+e", "next, previous event"],
  ["n, Shift+n", "walk from point to point"],
  ["Enter", "label the chosen point"],
  ["k", "crosshair: arrows move it, with Ctrl finely"],
  ["Shift+← ↑ → ↓", "span a box from the crosshair"],
  ["Enter", "at the crosshair: add, drag, label"],
  ["Escape", "give up what was begun"],
  ["a, d, o", "Add, Drag, Lasso"],
  ["Delete", "remove the chosen point"],
  ["z, Shift+z", "undo, redo"],
  ["g", "graph"],
  ["p", "colour by prediction"],
  ["m", "mark mistakes"],
  ["b", "previous run"],
  ["l", "loop"],
  ["c", "next curve, while presenting"],
  ["+ − f", "zoom in, out, fit"],
  ["Ctrl+wheel", "zoom"],
];

// The key of each brush. A class that is called by a digit has that digit; where none is,
// classes are counted from 1.
/** @param {string[]} classes */
export function brushKeys(classes) {
  const digit = (/** @type {string} */ name) => /^[0-9]$/.test(name),
    named = classes.some(digit);
  const keys = new Map();
  classes.forEach((name, c) => {
    if (named ? digit(name) : c < 9) keys.set(c, named ? name : String(c + 1));
  });
  keys.set(UNLABELLED, "u");
  keys.set(ERASE, classes.includes("0") ? "x" : "0");
  return keys;
}

// What the keys do, for the reader of the help.
/** @param {string[]} classes */
export function keyHelp(classes) {
  const keys = brushKeys(classes),
    own = [...keys].filter(([c]) => c >= 0).map(([, key]) => key);
  const ends = own.length > 2 ? `${own[0]} … ${own[own.length - 1]}` : own.join(" ");
  return [
    [ends, "class brush"],
    [keys.get(UNLABELLED), "unlabelled brush"],
    [keys.get(ERASE), "erase brush"],
    ...KEY_HELP,
  ].filter(([key]) => key);
}

/** @type {Record<string, number>} */
const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

// Arrows choose among the radio buttons of a group, which is one stop of the tab key.
/** @param {HTMLElement} target @param {KeyboardEvent} e */
export function moveRadio(target, e) {
  const group = target.closest("[role=radiogroup]"),
    step = ARROWS[e.key];
  if (!group || !step) return false;
  const radios = all(group, "[role=radio]").filter((radio) => !radio.hidden);
  const next = radios[(radios.indexOf(target) + step + radios.length) % radios.length];
  next.click();
  next.focus();
  e.preventDefault();
  e.stopPropagation();
  return true;
}

/** @param {Stage} stage @param {KeyboardEvent} e */
export function handleKey(stage, e) {
  const target = /** @type {HTMLElement} */ (e.composedPath()[0]),
    name = target.tagName;
  if (e.altKey || target.isContentEditable || name === "SELECT" || name === "TEXTAREA") return;
  if (name === "INPUT" && target.getAttribute("type") !== "range") return;
  if ((name === "BUTTON" || name === "SUMMARY") && (e.key === " " || e.key === "Enter")) return;
  if (moveRadio(target, e)) return;
  const undoChord = (e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z";
  if ((e.ctrlKey || e.metaKey) && !undoChord) return;
  const action = actionFor(stage, e);
  if (!action) return;
  action();
  e.preventDefault();
  e.stopPropagation(); // Streamlit has one-letter shortcuts of its own
}

// A switch that nobody has the focus on says itself how it stands.
/** @param {Stage} stage @param {Switch} what @param {string} name */
function flip(stage, what, name) {
  stage.toggle(what);
  stage.say(`${name} ${stage.ui[what] ? "on" : "off"}.`);
}

/** @param {Stage} stage @param {KeyboardEvent} e */
function actionFor(stage, e) {
  const { player } = stage,
    big = e.shiftKey ? 10 : 1;
  for (const [brush, key] of brushKeys(stage.view.classes)) if (e.key === key) return () => stage.hand.setBrush(brush);
  switch (e.key) {
    case " ":
      return () => stage.time.togglePlay();
    case "ArrowLeft":
      return () => stage.time.seek(player.frame - big);
    case "ArrowRight":
      return () => stage.time.seek(player.frame + big);
    case "Home":
      return () => stage.time.seek(0);
    case "End":
      return () => stage.time.seek(player.T - 1);
    case "Enter":
      return () => stage.hand.labelFocus();
    case "Delete":
    case "Backspace":
      return () => stage.hand.removeFocus();
    case "Escape":
      return stage.ui.focus >= 0 ? () => stage.setFocus(-1) : null; // else it leaves present mode
    case "+":
      return () => stage.zoomStep(1.5);
    case "-":
      return () => stage.zoomStep(1 / 1.5);
  }
  switch (e.key.toLowerCase()) {
    case "z":
      return () => (e.shiftKey ? stage.hand.redo() : stage.hand.undo());
    case "y":
      return () => stage.hand.redo();
    case "x":
      return () => stage.hand.setBrush(ERASE);
    case "k":
      return () => stage.crosshair.toggle();
    case "a":
      return () => stage.hand.takeTool("add");
    case "d":
      return () => stage.hand.takeTool("drag");
    case "o":
      return () => stage.hand.takeTool("lasso");
    case "g":
      return () => flip(stage, "graph", "Graph");
    case "p":
      return () => flip(stage, "predictions", "Predictions");
    case "m":
      return () => flip(stage, "mistakes", "Mistakes");
    case "b":
      return stage.view.ghost ? () => flip(stage, "ghost", "Previous run") : null;
    case "l":
      return () => stage.time.toggleLoop();
    case "n":
      return () => stage.walk(e.shiftKey ? -1 : 1);
    case "c":
      return presenting() ? () => nextCurve(stage) : null;
    case "e":
      return () => stage.time.seekEvent(e.shiftKey ? -1 : 1);
    case "f":
      return () => stage.zoomStep(0);
    default:
      return null;
  }
}
