// Mouse, pen and touch on the stage: what a press, a drag and a release mean.

import { nearestPoint } from "./points.js";
import { Drag, ERASE, Rub, Spray, sprayReach } from "./strokes.js";

const CLICK = 6; // pixels a press may wander and still be a click
/** @type {Record<string, number>} */
export const REACH = { mouse: 14, pen: 18, touch: 24 };
export const ADD_REACH = 7; // while adding, only a press right on a point means that point

/**
 * @typedef {object} Press
 * @property {number} x
 * @property {number} y
 * @property {number} lastX
 * @property {number} lastY
 * @property {number} near
 * @property {number} id
 * @property {string} kind
 * @property {Drag | Spray | Rub} [stroke]
 */

export class Pointer {
  /** @param {Stage} stage @param {HTMLElement} area */
  constructor(stage, area) {
    this.stage = stage;
    this.area = area;
    /** @type {Press | null} */
    this.press = null;
    /** @type {(Place & { size: number }) | null} */
    this.pinch = null;
    /** @type {Map<number, Place>} */
    this.touches = new Map();
    area.addEventListener("pointerdown", (e) => this.down(e));
    area.addEventListener("pointermove", (e) => this.move(e));
    area.addEventListener("pointerup", (e) => this.up(e));
    area.addEventListener("pointercancel", (e) => this.cancel(e));
    area.addEventListener("pointerleave", () => {
      stage.setHover(-1);
      this.aim(null);
      stage.showHere(null);
    });
    area.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
  }

  /** @param {MouseEvent} e */
  place(e) {
    const box = this.area.getBoundingClientRect();
    const { type } = this.stage;
    return { x: (e.clientX - box.left) / type, y: (e.clientY - box.top) / type };
  }

  /** @param {PointerEvent} e */
  reach(e) {
    return REACH[e.pointerType] ?? REACH.mouse;
  }

  /** @param {PointerEvent} e */
  down(e) {
    if (e.button > 1) return;
    const { stage } = this,
      at = this.place(e);
    this.touches.set(e.pointerId, at);
    stage.crosshair.hide();
    stage.area.focus({ preventScroll: true });
    if (this.touches.size === 2) return this.startPinch();
    if (!stage.axes.inside(at.x, at.y)) return;
    const near = nearestPoint(stage.axes, stage.model, at.x, at.y, this.reach(e));
    this.press = { ...at, lastX: at.x, lastY: at.y, near, id: e.pointerId, kind: "click" };
    const { mode, brush } = stage.ui;
    if (mode === "drag" && stage.hand.canEdit("drag") && near >= 0) this.begin(new Drag(stage, near, at));
    else if (mode === "spray" && stage.hand.canEdit("spray"))
      this.begin(new (brush === ERASE ? Rub : Spray)(stage, at));
    else if (mode === "lasso" && stage.hand.canEdit("lasso")) {
      this.press.kind = "lasso";
      stage.ui.lasso = [[at.x, at.y]];
    }
    // Capture can fail for a pointer that has just gone; the press then ends by itself.
    if (e.isTrusted) this.area.setPointerCapture(e.pointerId);
  }

  // Where a spray would hit, shown around the pointer.
  /** @param {Place | null} at */
  aim(at) {
    const { stage } = this,
      reach = stage.view && at && stage.hand.canEdit("spray") ? sprayReach(stage.ui) : 0;
    if (!reach && !stage.ui.aim) return;
    stage.ui.aim = at && reach ? { ...at, reach } : null;
    stage.invalidate("overlay");
  }

  /** @param {Drag | Spray | Rub} stroke */
  begin(stroke) {
    Object.assign(this.press ?? {}, { kind: "stroke", stroke });
    this.stage.setHover(-1);
  }

  // The press is over, whatever the hand still does; what was done stays.
  drop() {
    this.press?.stroke?.stop();
    this.press = null;
    this.stage.ui.lasso = null;
  }

  /** @param {PointerEvent} e */
  move(e) {
    const { stage, press } = this,
      at = this.place(e);
    if (this.touches.has(e.pointerId)) this.touches.set(e.pointerId, at);
    if (this.pinch) return this.movePinch();
    this.aim(at);
    stage.showHere(e.pointerType !== "touch" && stage.axes.inside(at.x, at.y) ? at : null);
    if (!press) {
      const near = stage.axes.inside(at.x, at.y)
        ? nearestPoint(stage.axes, stage.model, at.x, at.y, this.reach(e))
        : -1;
      return stage.setHover(e.pointerType === "touch" ? -1 : near);
    }
    if (press.id !== e.pointerId) return;
    if (press.kind === "stroke") {
      press.stroke?.move(at);
    } else if (press.kind === "lasso") {
      stage.ui.lasso?.push([at.x, at.y]);
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

  /** @param {PointerEvent} e */
  up(e) {
    const { stage, press } = this,
      at = this.place(e);
    this.touches.delete(e.pointerId);
    if (this.pinch) {
      if (!this.touches.size) this.pinch = null;
      return;
    }
    if (!press || press.id !== e.pointerId) return;
    this.press = null;
    if (press.kind === "click")
      stage.hand.clicked(press.near, press, stage.ui.mode === "add" ? ADD_REACH : this.reach(e));
    if (press.kind === "stroke") {
      press.stroke?.stop();
      stage.hand.finishStroke();
    }
    if (press.kind === "lasso") {
      const polygon = stage.ui.lasso ?? [];
      stage.ui.lasso = null;
      stage.invalidate("overlay");
      if (!stage.hand.labelInside(polygon) && press.near >= 0 && Math.hypot(at.x - press.x, at.y - press.y) <= CLICK)
        stage.hand.clicked(press.near, press, this.reach(e));
    }
    if (e.pointerType === "touch") stage.setHover(press.near, 2500);
  }

  // A second finger, or the browser, takes the pointer away: what it did is taken back,
  // and can be done again.
  /** @param {{ pointerId: number }} e */
  cancel(e) {
    this.touches.delete(e.pointerId);
    const { press, stage } = this;
    this.drop();
    this.pinch = null;
    if (press?.kind === "stroke" && stage.hand.finishStroke()) stage.hand.undo();
    stage.invalidate("points", "overlay");
  }

  startPinch() {
    if (this.press) this.cancel({ pointerId: -1 });
    this.pinch = this.spread();
  }

  movePinch() {
    const { pinch } = this;
    if (this.touches.size < 2 || !pinch) return;
    const now = this.spread(),
      { axes } = this.stage;
    axes.zoomAt(now.size / pinch.size, now.x, now.y);
    if (axes.zoom > 1) axes.pan(now.x - pinch.x, now.y - pinch.y);
    this.pinch = now;
    this.stage.zoomed();
  }

  spread() {
    const [a, b] = [...this.touches.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, size: Math.hypot(a.x - b.x, a.y - b.y) || 1 };
  }

  // Only with ctrl (or a trackpad pinch): a plain wheel scrolls the page.
  /** @param {WheelEvent} e */
  wheel(e) {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    const at = this.place(e);
    this.stage.axes.zoomAt(Math.exp(-e.deltaY * 0.0025), at.x, at.y);
    this.stage.zoomed();
  }
}
