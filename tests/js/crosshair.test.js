// The crosshair: what keys do with it ends in the same edits as the mouse's.

import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";
import { Axes } from "../../stage/js/axes.js";
import { Crosshair } from "../../stage/js/crosshair.js";
import { EditLog } from "../../stage/js/edits.js";
import { Hand } from "../../stage/js/hand.js";
import { Pointer } from "../../stage/js/pointer.js";
import { ERASE } from "../../stage/js/strokes.js";
import { threePoints } from "./views.js";

const LARGE = 300; // pixels a side: ten for each unit
/** @type {Extent} */
const EXTENT = [-14, 16, -5, 25];
/** @type {Place} */
const CENTRE = { x: 150, y: 150 };

// As much of a stage as hands need: three points at (0, 0), (1, 10), (2, 20) in a square
// of 30 x 30 around (1, 10).
function makeStage(more = {}) {
  /** @type {string[]} */
  const said = [];
  const area = {
    matches: () => true,
    addEventListener: () => {},
    focus: () => {},
    setPointerCapture: () => {},
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
  };
  const axes = new Axes();
  axes.setExtent(EXTENT);
  axes.box = { left: 0, top: 0, width: LARGE, height: LARGE };
  const log = new EditLog(
    () => {},
    () => {},
  );
  const view = threePoints({
    tools: ["label", "erase", "lasso", "add", "drag"],
    max_number: null,
    extent: EXTENT,
    ...more,
  });
  log.reconcile(view);
  const stage = /** @type {any} */ ({
    ...{ area, axes, log, view, said },
    ui: { brush: 1, mode: "label", focus: -1, hover: -1, lasso: null, here: null, offered: false },
    type: 1,
    player: { frame: 0 },
    field: { outputsAt: () => null },
    say: (/** @type {string} */ words) => said.push(words),
    tell: (/** @type {string} */ words) => said.push(words),
    setHover: () => {},
    setFocus: (/** @type {number} */ i) => {
      stage.ui.focus = i;
    },
    showHere: () => {},
    invalidate: () => {},
    resize: () => {},
    get model() {
      return log.model;
    },
  });
  stage.hand = new Hand(stage);
  stage.pointer = new Pointer(stage, /** @type {any} */ (area));
  stage.crosshair = new Crosshair(stage);
  return stage;
}

/** @param {any} stage @param {...string} keys as "Shift+ArrowUp"; "5 ArrowUp" is pressed five times */
function press(stage, ...keys) {
  for (const spoken of keys) {
    const [count, name] = spoken.includes(" ") ? spoken.split(" ") : ["1", spoken],
      parts = name.split("+"),
      key = parts.at(-1);
    const e = {
      key,
      ...{ shiftKey: parts.includes("Shift"), ctrlKey: parts.includes("Ctrl"), altKey: false, metaKey: false },
      composedPath: () => [stage.area],
      preventDefault: () => {},
      stopPropagation: () => {},
    };
    for (let i = 0; i < Number(count); i++) assert.ok(stage.crosshair.handleKey(e), name);
  }
}

// A mouse that is pressed at the first place, moved over the others and let go at the last.
/** @param {any} stage @param {...Place} way */
function drag(stage, ...way) {
  const e = (/** @type {Place} */ { x, y }) => ({
    clientX: x,
    clientY: y,
    pointerId: 1,
    pointerType: "mouse",
    button: 0,
  });
  stage.pointer.down(e(way[0]));
  for (const at of way) stage.pointer.move(e(at));
  stage.pointer.up(e(/** @type {Place} */ (way.at(-1))));
}

/** @param {any} stage */
function edits({ log, model }) {
  const { given, number, x, y, next } = model;
  return { done: log.done, model: { given, number, x, y, next } };
}

describe("the crosshair", () => {
  beforeEach(() => {
    mock.reset();
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout"] });
  });

  /** @param {string} mode @param {string[]} keys @param {Place[]} way */
  function alike(mode, keys, way, brush = 1) {
    const [byKeys, byMouse] = [makeStage(), makeStage()];
    for (const { ui } of [byKeys, byMouse]) Object.assign(ui, { mode, brush });
    byKeys.crosshair.open();
    press(byKeys, ...keys);
    drag(byMouse, ...way);
    assert.deepEqual(edits(byKeys), edits(byMouse));
    assert.equal(byKeys.log.done.length, 1);
    byKeys.hand.undo();
    assert.deepEqual(edits(byKeys).model, { ...edits(makeStage()).model, next: byKeys.model.next });
    return byKeys;
  }

  it("labels the point that it is at", () => alike("label", ["Enter"], [CENTRE]));

  it("erases a label, and while adding a point", () => {
    const there = { x: 140, y: 250 }; // of point 0
    alike("label", ["ArrowLeft", "10 ArrowDown", "Enter"], [there], ERASE);
    alike("add", ["ArrowLeft", "10 ArrowDown", "Enter"], [there], ERASE);
  });

  it("adds a point with the brush, of the next number", () => {
    const stage = alike("add", ["3 ArrowRight", "2 Ctrl+ArrowUp", "Enter"], [{ x: 180, y: 148 }]);
    assert.equal(stage.model.next, 4);
  });

  it("carries a point to another place in one edit", () => {
    alike("drag", ["Enter", "4 ArrowLeft", "2 ArrowUp", "Enter"], [CENTRE, { x: 130, y: 140 }, { x: 110, y: 130 }]);
  });

  it("labels the points of a box as a lasso around them does", () => {
    const way = [
      { x: 100, y: 280 },
      { x: 200, y: 280 },
      { x: 200, y: 140 },
      { x: 100, y: 140 },
    ];
    const corner = ["5 ArrowLeft", "13 ArrowDown"];
    alike("lasso", [...corner, "Enter", "10 ArrowRight", "14 ArrowUp", "Enter"], way);
  });

  it("spans a box with Shift in any mode", () => {
    const stage = makeStage();
    stage.crosshair.open();
    press(stage, "5 ArrowLeft", "13 ArrowDown", "10 Shift+ArrowRight", "14 Shift+ArrowUp", "Enter");
    assert.deepEqual(stage.model.given, [1, 1, -1]);
    assert.equal(stage.said.at(-1), "2 points: Blue.");
  });

  it("puts a point back, gives a box up and ends, as often as Escape is pressed", () => {
    const stage = makeStage();
    stage.ui.mode = "drag";
    stage.crosshair.open();
    press(stage, "Enter", "3 ArrowRight", "Escape");
    assert.deepEqual(edits(stage).model, edits(makeStage()).model);
    assert.equal(stage.log.undone.length, 1); // and can be done again
    press(stage, "Shift+ArrowRight", "Escape");
    assert.deepEqual(stage.crosshair.box(), []);
    assert.ok(stage.crosshair.at);
    press(stage, "Escape");
    assert.equal(stage.crosshair.at, null);
    assert.equal(stage.log.done.length, 0);
  });

  it("drops what it carries where the pointer takes over", () => {
    const stage = makeStage();
    stage.ui.mode = "drag";
    stage.crosshair.open();
    press(stage, "Enter", "3 ArrowRight");
    drag(stage, { x: 20, y: 20 });
    assert.equal(stage.crosshair.at, null);
    assert.equal(stage.log.done.length, 1);
    assert.equal(stage.model.x[1], 4);
  });

  it("stays in the frame, and takes a zoomed picture along", () => {
    const stage = makeStage();
    stage.crosshair.open();
    press(stage, "40 ArrowLeft");
    assert.equal(stage.crosshair.at.x, -14);
    stage.axes.zoomAt(10, 150, 150);
    press(stage, "40 ArrowRight");
    const { x } = stage.crosshair.pixel();
    assert.ok(x >= 0 && x <= LARGE);
    assert.ok(stage.crosshair.at.x < -9); // 40 steps, each a tenth as far
  });

  it("says where it is when the keys rest", () => {
    const stage = makeStage();
    stage.crosshair.open();
    stage.said.length = 0;
    press(stage, "5 ArrowRight");
    assert.deepEqual(stage.said, []);
    mock.timers.tick(400);
    assert.deepEqual(stage.said, ["No point at 6, 10."]);
    press(stage, "5 ArrowLeft");
    mock.timers.tick(400);
    assert.equal(stage.said.at(-1), "Point 1 at 1, 10: given unlabelled.");
  });

  it("changes nothing where nothing may be edited", () => {
    const stage = makeStage({ locked: true });
    stage.crosshair.open();
    for (const mode of ["label", "add", "drag", "lasso"]) {
      stage.ui.mode = mode;
      press(stage, "Enter", "Shift+ArrowLeft", "Enter");
    }
    assert.equal(stage.log.done.length, 0);
  });
});
