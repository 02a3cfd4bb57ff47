// What a hand does on the stage: brushes, modes and edits. The stage itself is one of these.

import { showControls } from "./controls.js";
import { numberOf } from "./edits.js";
import { pointSentence } from "./hover.js";
import { nearestPoint } from "./points.js";
import { ERASE, UNLABELLED } from "./strokes.js";

export const FULL = "No more points can be added by hand, where removed ones count, too.";

export class Hand {
  canEdit(tool) {
    const { view } = this;
    if (view.locked) return false;
    const needs = { erase: ["label", tool], lasso: ["label", tool], spray: ["add"] }[tool] ?? [tool];
    return needs.every((name) => view.tools.includes(name));
  }

  edit(op) {
    this.letGo();
    this.log.from = this;
    this.log.act(op);
  }

  // Whatever the hand still holds ends here; what it has done stays.
  letGo() {
    this.pointer.drop();
    this.finishStroke();
  }

  // A stroke is over: what waited for its end can move now. Whether there was one.
  finishStroke() {
    if (!this.log.finish()) return false;
    this.axes.setExtent(this.view.extent);
    this.resize();
    return true;
  }

  get drawing() {
    return this.canEdit("add") && (this.ui.mode === "add" || this.ui.mode === "spray" || !this.model.n);
  }

  // Whether one more point can be added after `more` others.
  hasRoom(more = 0) {
    return this.view.max_number === null || this.model.next + more < this.view.max_number;
  }

  // An empty stage takes points at once; on points that are there one labels.
  chooseMode() {
    const { ui } = this;
    if (!this.view.n && this.canEdit("add")) {
      ui.offered = ui.mode !== "add";
      ui.mode = "add";
    } else if (ui.offered) ui.mode = "label";
    if (this.view.n) ui.offered = false;
  }

  edited() {
    showControls(this);
    this.prompts.edited();
    this.invalidate("points", "overlay", "status");
    this.refreshCard();
  }

  // A click at (x, y); `near` is the point under it within the usual reach, or -1.
  clicked(near, { x, y }, reach) {
    const { ui, model, axes } = this;
    if (this.drawing) {
      const hit = nearestPoint(axes, model, x, y, reach);
      if (hit < 0) return this.addPoint(axes.dataX(x), axes.dataY(y));
      if (ui.brush === ERASE) return this.edit({ op: "remove", i: numberOf(model, hit) });
      near = hit;
    }
    if (near >= 0 && ui.mode !== "drag") this.labelPoint(near);
  }

  addPoint(x, y) {
    const { ui, model } = this;
    if (ui.brush === ERASE) return this.tell("The eraser adds no points; choose another brush.");
    if (!this.hasRoom()) return this.tellFull();
    this.edit({ op: "add", i: model.next, x, y, class: ui.brush });
  }

  tellFull() {
    this.tell(FULL);
  }

  tell(sentence) {
    this.notice = sentence;
    this.say(sentence);
    this.invalidate("status");
  }

  labelPoint(i) {
    const { ui, model } = this;
    if (ui.brush < 0 ? !this.canEdit("erase") : !this.canEdit("label")) return;
    this.edit(ui.brush < 0 ? { op: "erase", i: numberOf(model, i) } : { op: "label", i: numberOf(model, i), class: ui.brush });
    this.say(pointSentence(this.view, model, this.player.frame, i));
  }

  undo() { this.turnBack("undo", "Undone."); }
  redo() { this.turnBack("redo", "Done again."); }

  turnBack(way, words) {
    this.letGo();
    if (this.log[way]()) this.say(words);
  }

  continueHere() {
    if (!this.canEdit("continue")) return;
    const frame = this.player.frame;
    this.letGo();
    this.log.push({ op: "continue", frame, t: this.view.frame_t[frame] });
    this.log.flush();
  }

  setBrush(c) {
    if (c >= this.view.k) return;
    if (c === UNLABELLED && !this.canEdit("add")) c = ERASE; // there they are the same
    this.ui.brush = c;
    showControls(this);
    this.say(c === ERASE ? "Erase brush." : `Brush ${c < 0 ? "unlabelled" : this.view.classes[c]}.`);
    this.group?.share(this, "brush");
  }

  // The brush before or after the chosen one, as arrows move through any radio group.
  moveBrush(step) {
    const brushes = [...this.parts.brushes.children].filter((button) => !button.hidden);
    const at = brushes.findIndex((button) => Number(button.dataset.brush) === this.ui.brush);
    const next = brushes[(at + step + brushes.length) % brushes.length];
    this.setBrush(Number(next.dataset.brush));
    next.focus();
  }

  setMode(mode) {
    this.letGo();
    this.ui.mode = mode;
    this.ui.offered = false;
    showControls(this);
    this.invalidate("overlay", "status");
  }

  labelFocus() {
    if (this.ui.focus >= 0) this.labelPoint(this.ui.focus);
  }

  removeFocus() {
    if (this.ui.focus < 0 || !this.canEdit("add")) return;
    this.edit({ op: "remove", i: numberOf(this.model, this.ui.focus) });
    this.setFocus(-1);
  }
}
