// Present mode: the stage alone, in type that is read from the back of a room.
//
// The bar of the page (shell/assets/bar.js) turns it on and off. Canvases are drawn as on
// a smaller screen and shown larger, so that text, lines and points all grow alike.

import { one } from "./dom.js";

const LARGE = 1.6,
  LARGER = 1.25, // 13 px, the smallest text on a canvas, becomes 21; on a phone 16
  ROW = 52; // pixels of a row of tools, as in present.css

export function presenting() {
  return document.documentElement.dataset.hmPresent === "1";
}

// How much larger everything is drawn on a stage of this width.
/** @param {number} width */
export function typeSize(width) {
  if (!presenting()) return 1;
  return width >= 900 ? LARGE : LARGER;
}

// A second row of tools stands over the picture; what is beside that keeps its place.
/** @param {Stage} stage */
export function measureTools(stage) {
  const { offsetHeight } = one(stage.root, ".hm-tools");
  stage.root.style.setProperty("--hm-tools-more", `${Math.max(0, offsetHeight - ROW)}px`);
}

// The picture that stands beside the stage; the others wait to be called. Among curves those
// of errors come first.
/** @param {Stage} stage @param {number} step */
export function chooseCurve(stage, step) {
  const { panels, ui } = stage,
    beside = panels.filter((panel) => !panel.isBelow),
    n = beside.length;
  const ofCurves = beside[0]?.percent !== undefined,
    begin = Math.max(0, ofCurves ? beside.findIndex((panel) => panel.percent) : 0);
  ui.curve = n ? ((ui.curve ?? begin) + step) % n : undefined;
  panels.forEach((panel, i) => panel.box.classList.toggle("hm-chosen", i === ui.curve));
}

/** @param {Stage} stage */
export function nextCurve(stage) {
  chooseCurve(stage, 1);
  stage.resize();
}

// Begin and leave with the page; the stage that is first on it takes the keys.
/** @param {Stage} stage */
export function followPage(stage) {
  const follow = () => {
    stage.root.classList.toggle("hm-present", presenting());
    stage.size = { width: 0, height: 0 };
    stage.top = undefined;
    if (!stage.view) return;
    stage.retheme();
    takeKeys(stage);
  };
  follow();
  document.addEventListener("halfmoon-present", follow);
  return () => document.removeEventListener("halfmoon-present", follow);
}

/** @param {Stage} stage */
export function takeKeys(stage) {
  const [first] = window.halfmoonStages ?? [];
  if (stage === first) stage.area.focus({ preventScroll: true });
}
