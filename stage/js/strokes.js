// Strokes: what grows while the pointer is down. Each is told where the pointer is, and
// tells the log the whole of what it has done; letting go and taking back are the log's.

import { numberOf, rowOf } from "./edits.js";

export const UNLABELLED = -1,
  ERASE = -2; // brushes beside those of the classes
const SPRAY = { every: 50, first: 3 }; // ms from point to point; how many at once
const RADIUS = { spray: 30, rub: 16 }; // pixels
const TREMBLE = 3; // pixels that a press may wander and drag nothing

// How far a spray or a rubber reaches, for the circle around the pointer; 0 for neither.
/** @param {Pick<Ui, "mode" | "brush">} options */
export function sprayReach({ mode, brush }) {
  return mode !== "spray" ? 0 : brush === ERASE ? RADIUS.rub : RADIUS.spray;
}

// One point goes where the pointer goes, as far as the frame.
export class Drag {
  /** @param {Stage} stage @param {number} near @param {Place} at */
  constructor(stage, near, at) {
    const { axes, model } = stage;
    this.stage = stage;
    this.number = numberOf(model, near);
    this.from = { x: model.x[near], y: model.y[near] };
    this.start = at;
    this.shift = { x: axes.px(this.from.x) - at.x, y: axes.py(this.from.y) - at.y };
    this.moved = false;
  }

  /** @param {Place} at */
  move(at) {
    const { axes, log, model } = this.stage,
      { left, top, width, height } = axes.box;
    this.moved ||= Math.hypot(at.x - this.start.x, at.y - this.start.y) > TREMBLE;
    if (!this.moved || rowOf(model, this.number) < 0) return;
    const px = Math.min(left + width, Math.max(left, at.x + this.shift.x));
    const py = Math.min(top + height, Math.max(top, at.y + this.shift.y));
    const i = this.number;
    log.extend({ op: "move", i, x: axes.dataX(px), y: axes.dataY(py) }, { op: "move", i, ...this.from });
  }

  stop() {}
}

// Points come, scattered around the pointer, for as long as it is down.
export class Spray {
  /** @param {Stage} stage @param {Place} at */
  constructor(stage, at) {
    this.stage = stage;
    this.at = at;
    /** @type {{ idx: number[], x: number[], y: number[] }} */
    this.sprayed = { idx: [], x: [], y: [] };
    this.class = Math.max(UNLABELLED, stage.ui.brush);
    this.add(SPRAY.first);
    this.timer = setInterval(() => this.add(1), SPRAY.every);
  }

  /** @param {Place} at */
  move(at) {
    this.at = at;
  }

  /** @param {number} count */
  add(count) {
    const { stage, sprayed } = this,
      { axes, model, log } = stage;
    const before = sprayed.idx.length;
    if (!stage.hand.hasRoom()) {
      this.stop();
      return stage.hand.tellFull();
    }
    for (let k = 0; k < count && stage.hand.hasRoom(sprayed.idx.length - before); k++) {
      const angle = 2 * Math.PI * Math.random(),
        far = RADIUS.spray * Math.sqrt(Math.random());
      const x = this.at.x + far * Math.cos(angle),
        y = this.at.y + far * Math.sin(angle);
      if (!axes.inside(x, y)) continue; // beyond the frame nothing sticks
      sprayed.idx.push(model.next + sprayed.idx.length - before);
      sprayed.x.push(axes.dataX(x));
      sprayed.y.push(axes.dataY(y));
    }
    if (sprayed.idx.length === before) return;
    const all = { idx: [...sprayed.idx], x: [...sprayed.x], y: [...sprayed.y] };
    log.extend({ op: "add_many", ...all, class: this.class }, { op: "remove_many", idx: all.idx });
  }

  stop() {
    clearInterval(this.timer);
  }
}

// The eraser as a spray: what it passes over is gone.
export class Rub {
  /** @param {Stage} stage @param {Place} at */
  constructor(stage, at) {
    this.stage = stage;
    /** @type {{ idx: number[], x: number[], y: number[], classes: number[] }} */
    this.gone = { idx: [], x: [], y: [], classes: [] };
    this.move(at);
  }

  /** @param {Place} at */
  move(at) {
    const { axes, model, log } = this.stage,
      { gone } = this,
      reach = RADIUS.rub;
    const before = gone.idx.length;
    for (let i = 0; i < model.n; i++) {
      if (Math.hypot(axes.px(model.x[i]) - at.x, axes.py(model.y[i]) - at.y) > reach) continue;
      gone.idx.push(numberOf(model, i));
      gone.x.push(model.x[i]);
      gone.y.push(model.y[i]);
      gone.classes.push(model.given[i]);
    }
    if (gone.idx.length === before) return;
    const all = { idx: [...gone.idx], x: [...gone.x], y: [...gone.y], classes: [...gone.classes] };
    log.extend({ op: "remove_many", idx: all.idx }, { op: "add_many", ...all });
  }

  stop() {}
}
