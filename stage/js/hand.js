// What a hand does on the stage: brushes, modes and edits.

import { showControls } from "./controls.js";
import { numberOf } from "./edits.js";
import { pointSentence } from "./hover.js";
import { nearestPoint, pointsInside } from "./points.js";
import { ERASE, UNLABELLED } from "./strokes.js";

/** @type {Record<string, string>} */
const TOOLS = {
  add: "Add: Enter adds a point.",
  spray: "Spray: Enter adds a point.",
  drag: "Drag: Enter picks a point up and drops it.",
  lasso: "Lasso: Enter begins a box and labels the points in it.",
};
export const FULL = "No more points can be added by hand; removed points count, too.";

export class Hand {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  /** @param {string} tool */
  canEdit(tool) {
    const { view } = this.stage;
    if (view.locked) return false;
    /** @type {Record<string, string[]>} */
    const several = { erase: ["label", tool], lasso: ["label", tool], spray: ["add"] };
    const needs = several[tool] ?? [tool];
    return needs.every((name) => view.tools.includes(name));
  }

  /** @param {Op} op */
  edit(op) {
    this.letGo();
    this.stage.log.from = this.stage;
    this.stage.log.act(op);
  }

  // Whatever the hand still holds ends here; what it has done stays.
  letGo() {
    this.stage.pointer.drop();
    this.stage.crosshair.drop();
    this.finishStroke();
  }

  // A stroke is over: what waited for its end can move now. Whether there was one.
  finishStroke() {
    if (!this.stage.log.finish()) return false;
    this.stage.axes.setExtent(this.stage.view.extent);
    this.stage.resize();
    return true;
  }

  get drawing() {
    return (
      this.canEdit("add") && (this.stage.ui.mode === "add" || this.stage.ui.mode === "spray" || !this.stage.model.n)
    );
  }

  // Whether one more point can be added after `more` others.
  /** @param {number} [more] */
  hasRoom(more = 0) {
    return this.stage.view.max_number === null || this.stage.model.next + more < this.stage.view.max_number;
  }

  // An empty stage takes points at once; on points that are there one labels.
  chooseMode() {
    const { ui } = this.stage;
    if (!this.stage.view.n && this.canEdit("add")) {
      ui.offered = ui.mode !== "add";
      ui.mode = "add";
    } else if (ui.offered) ui.mode = "label";
    if (this.stage.view.n) ui.offered = false;
  }

  // Where no point is left there is nothing to erase: the next click adds one.
  leaveEraser() {
    if (this.stage.ui.brush === ERASE && !this.stage.model.n) this.stage.ui.brush = 0;
  }

  edited() {
    this.leaveEraser();
    showControls(this.stage);
    this.stage.prompts.edited();
    this.stage.invalidate("points", "overlay", "status");
    this.stage.refreshCard();
  }

  // A click at (x, y); `near` is the point under it within the usual reach, or -1.
  /** @param {number} near @param {Place} options @param {number} reach */
  clicked(near, { x, y }, reach) {
    const { ui, model, axes } = this.stage;
    if (this.drawing) {
      const hit = nearestPoint(axes, model, x, y, reach);
      if (hit < 0) return this.addPoint(axes.dataX(x), axes.dataY(y));
      if (ui.brush === ERASE) return this.edit({ op: "remove", i: numberOf(model, hit) });
      near = hit;
    }
    if (near >= 0 && ui.mode !== "drag") this.labelPoint(near);
  }

  /** @param {number} x @param {number} y */
  addPoint(x, y) {
    const { ui, model } = this.stage;
    if (ui.brush === ERASE) return this.stage.tell("The eraser adds no points; choose another brush.");
    if (!this.hasRoom()) return this.tellFull();
    this.edit({ op: "add", i: model.next, x, y, class: ui.brush });
    this.stage.say(`Point added: ${this.brushName}.`);
  }

  tellFull() {
    this.stage.tell(FULL);
  }

  /** @param {number} i */
  labelPoint(i) {
    const { ui, model } = this.stage;
    if (ui.brush < 0 ? !this.canEdit("erase") : !this.canEdit("label")) return;
    this.edit(
      ui.brush < 0 ? { op: "erase", i: numberOf(model, i) } : { op: "label", i: numberOf(model, i), class: ui.brush },
    );
    this.stage.say(pointSentence(this.stage.view, model, this.stage.player.frame, i));
  }

  // All points inside of a line that is closed get the brush's label; how many there are.
  /** @param {Pair[]} polygon */
  labelInside(polygon) {
    const { axes, model, ui } = this.stage,
      inside = polygon.length > 2 ? pointsInside(axes, model, polygon) : [];
    const idx = inside.map((i) => numberOf(model, i));
    if (idx.length) this.edit({ op: "label_many", idx, class: Math.max(UNLABELLED, ui.brush) });
    return idx.length;
  }

  get brushName() {
    const { ui, view } = this.stage;
    return ui.brush < 0 ? "unlabelled" : view.classes[ui.brush];
  }

  undo() {
    this.turnBack("undo", "Undone.");
  }
  redo() {
    this.turnBack("redo", "Redone.");
  }

  /** @param {"undo" | "redo"} way @param {string} words */
  turnBack(way, words) {
    this.letGo();
    if (this.stage.log[way]()) this.stage.say(words);
  }

  continueHere() {
    if (!this.canEdit("continue")) return;
    const frame = this.stage.player.frame;
    this.letGo();
    this.stage.log.push({ op: "continue", frame, t: this.stage.view.frame_t[frame] });
    this.stage.log.flush();
  }

  /** @param {number} c */
  setBrush(c) {
    if (c >= this.stage.view.k) return;
    if (c === UNLABELLED && !this.canEdit("add")) c = ERASE; // there they are the same
    if (c === ERASE && !this.stage.model.n) return this.stage.tell("There are no points to erase.");
    this.stage.ui.brush = c;
    showControls(this.stage);
    this.stage.say(c === ERASE ? "Erase brush." : `Brush ${this.brushName}.`);
    this.stage.group?.share(this.stage, "brush");
  }

  /** @param {string} mode */
  setMode(mode) {
    this.letGo();
    this.stage.ui.mode = mode;
    this.stage.ui.offered = false;
    showControls(this.stage);
    this.stage.invalidate("overlay", "status");
  }

  // A tool chosen by a key is used by keys. Chosen again, it is put away.
  /** @param {string} mode */
  takeTool(mode) {
    const { stage } = this,
      on = stage.ui.mode !== mode;
    if (!this.canEdit(mode)) return;
    this.setMode(on ? mode : "label");
    if (on && !stage.crosshair.at) stage.crosshair.open();
    stage.say(on ? `${TOOLS[mode]} On the stage arrow keys move the crosshair.` : "Enter labels points.");
  }

  labelFocus() {
    if (this.stage.ui.focus >= 0) this.labelPoint(this.stage.ui.focus);
  }

  removeFocus() {
    if (this.stage.ui.focus < 0 || !this.canEdit("add")) return;
    this.edit({ op: "remove", i: numberOf(this.stage.model, this.stage.ui.focus) });
    this.stage.setFocus(-1);
  }
}
