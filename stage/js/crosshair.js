// The hand of the keyboard: a crosshair that arrow keys move. Enter does there what a click
// does, or picks a point up and drops it; Shift spans a box around points to label them.

import { placeSentence, pointSentence } from "./hover.js";
import { segment } from "./ink.js";
import { ADD_REACH, REACH } from "./pointer.js";
import { nearestPoint, pointsInside } from "./points.js";
import { Drag } from "./strokes.js";

const STEP = 10,
  FINE = 1; // pixels: the closer the zoom, the finer in the data
const REST = 350; // ms without a key before the place is said
const ARM = 16,
  GAP = 4; // pixels of the cross
/** @type {Record<string, Pair>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Crosshair {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {Place | null} */
    this.at = null; // in the data, so that it stays where it is under zoom
    /** @type {Place | null} */
    this.corner = null; // of a box that is spanned
    /** @type {Drag | null} */
    this.carried = null;
    /** @type {Timer | undefined} */
    this.rest = undefined;
    stage.area.addEventListener("focus", () => this.changed());
    stage.area.addEventListener("blur", () => {
      if (this.carried || this.corner) stage.hand.letGo();
      this.changed();
    });
  }

  get seen() {
    return this.at !== null && this.stage.area.matches(":focus");
  }

  // -- on and off ----------------------------------------------------------------

  toggle() {
    if (this.at) this.close();
    else this.open();
  }

  // At the chosen point, or in the middle of what is seen.
  open() {
    const { axes, model, ui } = this.stage,
      { left, top, width, height } = axes.box;
    if (ui.focus >= 0) this.at = { x: model.x[ui.focus], y: model.y[ui.focus] };
    else this.at ??= { x: axes.dataX(left + width / 2), y: axes.dataY(top + height / 2) };
    this.changed();
    this.stage.say(`Crosshair on. ${this.words()} Arrow keys move it, Enter acts, Escape ends.`);
  }

  close() {
    this.hide();
    this.stage.say("Crosshair off. Arrow keys step through the iterations.");
  }

  // The pointer takes over, or other data have come.
  hide() {
    if (!this.at) return;
    this.stage.hand.letGo();
    this.at = null;
    this.stage.ui.here = null;
    this.stage.setHover(-1);
    this.changed();
  }

  // It holds nothing any more; what was done stays.
  drop() {
    this.carried = this.corner = null;
  }

  // -- keys ------------------------------------------------------------------------

  /** @param {KeyboardEvent} e */
  handleKey(e) {
    const action = this.actionFor(e);
    if (!action) return false;
    clearTimeout(this.rest);
    action();
    e.preventDefault();
    e.stopPropagation();
    return true;
  }

  /** @param {KeyboardEvent} e */
  actionFor(e) {
    const way = WAYS[e.key];
    if (!this.at || e.composedPath()[0] !== this.stage.area || e.altKey || e.metaKey) return null;
    if (way) {
      const step = e.ctrlKey ? FINE : STEP;
      return () => this.move(way[0] * step, way[1] * step, e.shiftKey);
    }
    if (e.key === "Enter") return () => this.press();
    if (e.key === "Escape") return () => this.giveUp();
    if (e.key !== "Delete" && e.key !== "Backspace") return null;
    return () => {
      this.stage.ui.focus = this.near();
      this.stage.hand.removeFocus();
    };
  }

  /** @param {number} dx @param {number} dy @param {boolean} spanning */
  move(dx, dy, spanning) {
    const { axes, hand } = this.stage,
      from = this.at;
    if (!from) return;
    if (spanning && !this.carried && hand.canEdit("lasso")) this.corner ??= from;
    const beyond = this.within(axes.px(from.x) + dx, axes.py(from.y) + dy);
    if (axes.zoom > 1 && (beyond.overX || beyond.overY)) {
      axes.pan(-beyond.overX, -beyond.overY); // the picture follows
      this.stage.invalidate("field", "points");
    }
    const { x, y } = this.within(axes.px(from.x) + dx, axes.py(from.y) + dy);
    this.carried?.move({ x, y });
    this.goTo({ x: axes.dataX(x), y: axes.dataY(y) });
    this.rest = setTimeout(() => this.stage.say(this.words()), REST);
  }

  // The nearest pixel of the frame, and how far it is.
  /** @param {number} px @param {number} py */
  within(px, py) {
    const { left, top, width, height } = this.stage.axes.box,
      x = Math.min(left + width, Math.max(left, px)),
      y = Math.min(top + height, Math.max(top, py));
    return { x, y, overX: px - x, overY: py - y };
  }

  /** @param {Place} at */
  goTo(at) {
    this.at = at;
    this.stage.ui.focus = -1;
    this.changed();
  }

  // Enter: what a click does here, with the tool and the brush that are chosen.
  press() {
    const { stage } = this,
      { hand, ui } = stage;
    if (this.carried) return this.put();
    if (this.corner) return this.label();
    const near = this.near();
    if (ui.mode === "drag" && hand.canEdit("drag")) return this.pickUp(near);
    if (ui.mode === "lasso" && hand.canEdit("lasso")) {
      this.corner = this.at;
      stage.say("First corner. Arrow keys span a box, Enter labels the points in it.");
    } else if (near >= 0 || hand.drawing) hand.clicked(near, this.pixel(), ui.mode === "add" ? ADD_REACH : REACH.mouse);
    else stage.say(`No point here. ${hand.canEdit("add") ? "Press a to add points." : ""}`);
    this.changed();
  }

  /** @param {number} i */
  pickUp(i) {
    const { model } = this.stage;
    if (i < 0) return this.stage.say("No point here to pick up.");
    this.at = { x: model.x[i], y: model.y[i] };
    this.carried = new Drag(this.stage, i, this.pixel());
    this.carried.moved = true; // a key does not tremble
    this.stage.say(`Point ${this.carried.number} picked up. Enter drops it, Escape puts it back.`);
    this.changed();
  }

  put() {
    this.stage.hand.letGo();
    this.changed();
    this.stage.say(`Dropped. ${this.words()}`);
  }

  label() {
    const { stage } = this,
      count = stage.hand.labelInside(this.box());
    this.drop();
    this.changed();
    stage.say(count ? `${count} points: ${stage.hand.brushName}.` : "No points in the box.");
  }

  // Escape: the last thing begun, then the crosshair itself.
  giveUp() {
    const { carried, stage } = this;
    if (!carried && !this.corner) return this.close();
    this.drop();
    if (carried && stage.hand.finishStroke()) stage.hand.undo();
    this.changed();
    stage.say(carried ? "Put back." : "No box.");
  }

  // -- what is there ---------------------------------------------------------------

  /** @returns {Place} */
  pixel() {
    const { axes } = this.stage,
      { x, y } = this.at ?? { x: 0, y: 0 };
    return { x: axes.px(x), y: axes.py(y) };
  }

  near() {
    const { axes, model } = this.stage,
      { x, y } = this.pixel();
    return this.at ? nearestPoint(axes, model, x, y, REACH.mouse) : -1;
  }

  // The box from the corner to the crosshair as a lasso, or nothing.
  /** @returns {Pair[]} */
  box() {
    const { axes } = this.stage,
      { x, y } = this.pixel();
    if (!this.corner) return [];
    const left = axes.px(this.corner.x),
      top = axes.py(this.corner.y);
    return [
      [left, top],
      [x, top],
      [x, y],
      [left, y],
    ];
  }

  // What a screen reader is told of the place.
  words() {
    const { axes, field, model, player, view } = this.stage,
      near = this.near();
    if (!this.at) return "";
    if (this.corner) return `${pointsInside(axes, model, this.box()).length} points in the box.`;
    if (near >= 0) return pointSentence(view, model, player.frame, near);
    return placeSentence(view, field, this.at);
  }

  changed() {
    const { stage } = this;
    if (this.at) {
      stage.ui.here = this.seen ? this.at : null;
      stage.setHover(this.seen ? this.near() : -1);
    }
    stage.invalidate("overlay");
  }

  /** @param {Ctx} ctx @param {Theme} theme */
  draw(ctx, theme) {
    const { x, y } = this.pixel();
    for (const [colour, width] of /** @type {[string, number][]} */ ([
      [theme.background, 5],
      [theme.ink, 2],
    ])) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      for (const [dx, dy] of Object.values(WAYS)) segment(ctx, x + GAP * dx, y + GAP * dy, x + ARM * dx, y + ARM * dy);
    }
  }
}
