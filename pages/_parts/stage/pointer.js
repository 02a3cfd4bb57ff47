// Mouse, pen and touch on the stage: what a press, a drag and a release mean.

import { numberOf } from "./edits.js";
import { nearestPoint, pointsInside } from "./points.js";

const CLICK = 6; // pixels a press may wander and still be a click
const REACH = { mouse: 14, pen: 18, touch: 24 };
const ADD_REACH = 7; // while adding, only a press right on a point means that point

export class Pointer {
  constructor(stage, area) {
    this.stage = stage;
    this.area = area;
    this.press = null;
    this.touches = new Map();
    area.addEventListener("pointerdown", (e) => this.down(e));
    area.addEventListener("pointermove", (e) => this.move(e));
    area.addEventListener("pointerup", (e) => this.up(e));
    area.addEventListener("pointercancel", (e) => this.cancel(e));
    area.addEventListener("pointerleave", () => stage.setHover(-1));
    area.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
  }

  place(e) {
    const box = this.area.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  reach(e) {
    return REACH[e.pointerType] ?? REACH.mouse;
  }

  down(e) {
    if (e.button > 1) return;
    const { stage } = this, at = this.place(e);
    this.touches.set(e.pointerId, at);
    stage.area.focus({ preventScroll: true });
    if (this.touches.size === 2) return this.startPinch();
    if (!stage.axes.inside(at.x, at.y)) return;
    const near = nearestPoint(stage.axes, stage.model, at.x, at.y, this.reach(e));
    this.press = { ...at, lastX: at.x, lastY: at.y, near, id: e.pointerId, kind: "click" };
    if (stage.canEdit("drag") && stage.ui.mode === "drag" && near >= 0) {
      const { x, y } = stage.model;
      this.press = { ...this.press, kind: "drag", fromX: x[near], fromY: y[near], shiftX: stage.axes.px(x[near]) - at.x, shiftY: stage.axes.py(y[near]) - at.y };
    } else if (stage.canEdit("lasso") && stage.ui.mode === "lasso") {
      this.press.kind = "lasso";
      stage.ui.lasso = [[at.x, at.y]];
    }
    // Capture can fail for a pointer that has just gone; the press then ends by itself.
    if (this.area.hasPointerCapture && e.isTrusted) this.area.setPointerCapture(e.pointerId);
  }

  move(e) {
    const { stage, press } = this, at = this.place(e);
    if (this.touches.has(e.pointerId)) this.touches.set(e.pointerId, at);
    if (this.pinch) return this.movePinch();
    if (!press) {
      const near = stage.axes.inside(at.x, at.y) ? nearestPoint(stage.axes, stage.model, at.x, at.y, this.reach(e)) : -1;
      return stage.setHover(e.pointerType === "touch" ? -1 : near);
    }
    if (press.id !== e.pointerId) return;
    if (press.kind === "drag") {
      const { model, axes } = stage;
      const { left, top, width, height } = axes.box;
      const px = Math.min(left + width, Math.max(left, at.x + press.shiftX));
      const py = Math.min(top + height, Math.max(top, at.y + press.shiftY));
      model.x[press.near] = axes.dataX(px);
      model.y[press.near] = axes.dataY(py);
      press.moved = true;
      stage.setHover(-1);
      stage.invalidate("points", "overlay");
    } else if (press.kind === "lasso") {
      stage.ui.lasso.push([at.x, at.y]);
      stage.invalidate("overlay");
    } else {
      const wandered = Math.hypot(at.x - press.x, at.y - press.y) > CLICK;
      if (press.kind === "click" && wandered) press.kind = stage.axes.zoom > 1 ? "pan" : "none";
      if (press.kind === "pan") {
        stage.axes.pan(at.x - press.lastX, at.y - press.lastY);
        stage.invalidate("field", "points", "overlay");
      }
    }
    press.lastX = at.x;
    press.lastY = at.y;
  }

  up(e) {
    const { stage, press } = this, at = this.place(e);
    this.touches.delete(e.pointerId);
    if (this.pinch) {
      if (!this.touches.size) this.pinch = null;
      return;
    }
    if (!press || press.id !== e.pointerId) return;
    this.press = null;
    if (press.kind === "click") stage.clicked(press.near, press, stage.ui.mode === "add" ? ADD_REACH : this.reach(e));
    if (press.kind === "drag" && press.moved) {
      const { model } = stage, x = model.x[press.near], y = model.y[press.near];
      model.x[press.near] = press.fromX; // the edit itself moves it, so that undo knows from where
      model.y[press.near] = press.fromY;
      stage.edit({ op: "move", i: numberOf(model, press.near), x, y });
    }
    if (press.kind === "lasso") {
      const polygon = stage.ui.lasso;
      stage.ui.lasso = null;
      stage.invalidate("overlay");
      const inside = polygon.length > 2 ? pointsInside(stage.axes, stage.model, polygon) : [];
      if (inside.length) stage.edit({ op: "label_many", idx: inside.map((i) => numberOf(stage.model, i)), class: stage.ui.brush });
      else if (press.near >= 0 && Math.hypot(at.x - press.x, at.y - press.y) <= CLICK) stage.clicked(press.near, press, this.reach(e));
    }
    if (e.pointerType === "touch") stage.setHover(press.near, 2500);
  }

  cancel(e) {
    this.touches.delete(e.pointerId);
    if (this.press?.kind === "drag") {
      this.stage.model.x[this.press.near] = this.press.fromX;
      this.stage.model.y[this.press.near] = this.press.fromY;
    }
    this.press = null;
    this.pinch = null;
    this.stage.ui.lasso = null;
    this.stage.invalidate("points", "overlay");
  }

  startPinch() {
    if (this.press) this.cancel({ pointerId: -1 });
    this.pinch = this.spread();
  }

  movePinch() {
    if (this.touches.size < 2) return;
    const now = this.spread(), { axes } = this.stage;
    axes.zoomAt(now.size / this.pinch.size, now.x, now.y);
    if (axes.zoom > 1) axes.pan(now.x - this.pinch.x, now.y - this.pinch.y);
    this.pinch = now;
    this.stage.zoomed();
  }

  spread() {
    const [a, b] = [...this.touches.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, size: Math.hypot(a.x - b.x, a.y - b.y) || 1 };
  }

  // Only with ctrl (or a trackpad pinch): a plain wheel scrolls the page.
  wheel(e) {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    const at = this.place(e);
    this.stage.axes.zoomAt(Math.exp(-e.deltaY * 0.0025), at.x, at.y);
    this.stage.zoomed();
  }
}
