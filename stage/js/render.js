// When and what to draw: dirty layers, one animation frame at a time, and a stopwatch.

import { fitCanvas, showCursor, showMoment } from "./controls.js";
import { ring } from "./points.js";

const FEW = 800; // points that are quicker to draw than to copy as a whole picture
const MEMORY = 90; // frames over which the rate is averaged

export class Renderer {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.dirty = new Set();
    /** @type {number | null} */
    this.request = null;
    this.stats = { draws: 0, drawMs: 0, fps: 0 };
    /** @type {number[]} */
    this.stamps = [];
    /** @type {number[]} */
    this.times = [];
    // Many points are drawn apart and copied in, because they change less often than the
    // field; on the page itself a second canvas would cost a layer to blend.
    this.marks = document.createElement("canvas");
  }

  // Layers: field, points, overlay, moment (curves, figures, caption), status; cursor is
  // the part of the moment that moves between frames.
  /** @param {Layer[]} layers */
  invalidate(layers) {
    for (const layer of layers) this.dirty.add(layer);
    this.request ??= requestAnimationFrame((now) => this.draw(now));
  }

  stop() {
    cancelAnimationFrame(this.request ?? 0);
  }

  restartClock() {
    this.stamps = [];
    this.lastTick = undefined;
  }

  /** @param {number} now */
  draw(now) {
    this.request = null;
    const { stage, dirty } = this,
      { player } = stage;
    if (!stage.view || !stage.root.isConnected) return;
    if (player.playing) this.advance(now);
    else this.lastTick = undefined;
    if (stage.time.led) this.stamp(now);
    const start = performance.now();
    const { width, height } = stage.size;
    const apart = stage.model.n > FEW;
    if (apart && dirty.has("points"))
      this.drawPoints(fitCanvas(this.marks, width, height, stage.scale), player.frame, stage.scale);
    if (dirty.has("field") || dirty.has("points")) {
      const ctx = fitCanvas(stage.parts.scene, width, height, stage.scale);
      this.drawBackdrop(ctx, this.shownPosition);
      if (apart) ctx.drawImage(this.marks, 0, 0, width, height);
      else this.drawPoints(ctx, player.frame, stage.scale);
    }
    if (dirty.has("overlay")) this.drawOverlay();
    if (stage.ui.here || dirty.has("overlay")) stage.tellHere();
    if (dirty.has("moment")) showMoment(stage);
    else if (dirty.has("cursor")) showCursor(stage);
    if (dirty.has("status")) stage.showStatus();
    dirty.clear();
    if (!this.drawn) performance.mark("halfmoon-first-frame");
    this.drawn = true;
    if (stage.time.led) this.measure(performance.now() - start);
    if (player.playing) {
      this.measure(performance.now() - start);
      this.invalidate([]);
    } else if (stage.root.dataset.playing === "1") stage.time.stopped();
  }

  /** @param {number} now */
  advance(now) {
    const { player } = this.stage,
      before = player.frame;
    player.tick(Math.min(0.1, (now - (this.lastTick ?? now)) / 1000));
    this.lastTick = now;
    this.stage.time.moved(before);
    this.stamp(now);
  }

  /** @param {number} now */
  stamp(now) {
    this.stamps.push(now);
    if (this.stamps.length > MEMORY) this.stamps.shift();
  }

  // Between frames the field is blended; readers who want less motion see whole steps.
  get shownPosition() {
    return this.stage.calm.matches ? this.stage.player.frame : this.stage.player.position;
  }

  /** @param {Ctx} ctx @param {number} position */
  drawBackdrop(ctx, position) {
    const { field, axes, theme, view, ui } = this.stage;
    field.prepare(position);
    field.draw(ctx, axes, ui.ghost);
    axes.draw(ctx, theme, view.axis_names);
  }

  // Stage without overlay at any resolution, for the exports.
  /** @param {Ctx} ctx @param {number} position @param {number} scale */
  drawScene(ctx, position, scale) {
    this.drawBackdrop(ctx, position);
    this.drawPoints(ctx, Math.round(position), scale);
    this.invalidate(["field"]);
  }

  /** @param {Ctx} ctx @param {number} frame @param {number} scale */
  drawPoints(ctx, frame, scale) {
    const { points, axes, view, model, ui } = this.stage;
    points.draw(ctx, axes, view, model, frame, ui, scale);
  }

  drawOverlay() {
    const { ui, model, axes, theme, size, scale, parts } = this.stage;
    const { crosshair } = this.stage,
      box = crosshair.box(),
      lasso = box.length ? box : ui.lasso;
    parts.overlay.hidden = ui.hover < 0 && ui.focus < 0 && !lasso && !ui.aim && !crosshair.seen;
    if (parts.overlay.hidden) return;
    const ctx = fitCanvas(parts.overlay, size.width, size.height, scale);
    for (const [i, width] of [
      [ui.hover, 2.5],
      [ui.focus, 4],
    ]) {
      if (i >= 0 && i < model.n) ring(ctx, axes.px(model.x[i]), axes.py(model.y[i]), 14, theme.accent, width);
    }
    if (ui.aim) ring(ctx, ui.aim.x, ui.aim.y, ui.aim.reach, theme.accent, 1.5);
    if (crosshair.seen) crosshair.draw(ctx, theme);
    if (!lasso) return;
    ctx.beginPath();
    lasso.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
    ctx.closePath();
    ctx.globalAlpha = 0.12;
    ctx.fillStyle = theme.accent;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 2;
    ctx.setLineDash([6, 5]);
    ctx.stroke();
    ctx.setLineDash([]);
  }

  // Frames a second as seen, and the median time of our own drawing, which does not
  // depend on what else the machine is doing.
  /** @param {number} ms */
  measure(ms) {
    const { stats, stamps, times } = this,
      { dataset } = this.stage.root;
    stats.draws += 1;
    times.push(ms);
    if (times.length > MEMORY) times.shift();
    if (stats.draws % 20 || stamps.length < 2) return;
    stats.drawMs = [...times].sort((a, b) => a - b)[times.length >> 1];
    stats.fps = (1000 * (stamps.length - 1)) / (stamps[stamps.length - 1] - stamps[0]);
    dataset.fps = stats.fps.toFixed(1);
    dataset.drawMs = stats.drawMs.toFixed(2);
  }
}
