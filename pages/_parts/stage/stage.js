// The stage as a whole: one object for each mounted component, and its entry point.

import { readTheme } from "./theme.js";
import { sameBytes, unpack } from "./unpack.js";
import { Axes } from "./axes.js";
import { Field } from "./field.js";
import { Points, nearestPoint, ring } from "./points.js";
import { EditLog, idOf } from "./edits.js";
import { curvePanels } from "./curves.js";
import { Player, Scrubber, positionOf } from "./transport.js";
import { Hover, pointSentence } from "./hover.js";
import { Pointer } from "./pointer.js";
import { handleKey } from "./keys.js";
import { buildBrushes, buildEvidence, findParts, fitCanvas, showControls, showLegend, showMoment, wireControls } from "./controls.js";
import { canRecord, exportAnimation, exportFilm, exportPicture } from "./export.js";

const STAGES = new Set(); // all mounted ones, for those that move in step

class Stage {
  constructor(root) {
    this.root = root;
    this.parts = findParts(root);
    this.area = this.parts.area;
    this.ui = { brush: 0, mode: "label", graph: false, predictions: false, mistakes: false, focus: -1, hover: -1, lasso: null };
    this.axes = new Axes();
    this.player = new Player();
    this.points = new Points();
    this.hover = new Hover(this.parts.card);
    this.log = new EditLog((message) => this.send(message), () => this.edited());
    this.scrubber = new Scrubber(this.parts.range, this.parts.ticks, (lines, x, y) => this.tip(lines, x, y), (frame) => this.seek(frame));
    this.stats = { draws: 0, drawMs: 0, fps: 0, stamps: [] };
    this.size = { width: 0, height: 0 };
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.dirty = new Set();
    this.pointer = new Pointer(this, this.area);
    wireControls(this);
    root.addEventListener("keydown", (e) => handleKey(this, e));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(root);
    root.halfmoon = this; // for tests and the curious
    STAGES.add(this);
  }

  // -- data in -------------------------------------------------------------

  update(block, send) {
    this.send = send;
    const theme = readTheme(this.root);
    const sameTheme = this.theme && theme.dark === this.theme.dark && theme.background === this.theme.background;
    this.theme = theme;
    if (!sameBytes(block, this.block)) {
      this.block = block;
      this.show(unpack(block));
    } else if (!sameTheme) this.retheme();
  }

  show(view) {
    const first = !this.view, newRun = first || view.run_id !== this.view.run_id;
    const newData = first || view.data_id !== this.view.data_id;
    this.view = view;
    this.log.reconcile(view);
    this.field = new Field(view);
    this.panels = curvePanels(view).map((data) => ({ data, cache: {} }));
    if (newData) {
      this.axes.reset();
      this.ui.focus = -1;
    }
    this.axes.setExtent(view.extent);
    if (newData) this.axes.reset();
    if (this.ui.brush >= view.k) this.ui.brush = 0;
    if (!this.canEdit(this.ui.mode)) this.ui.mode = "label";
    if (newRun) this.player.setLength(view.T, view.start_frame);
    if (newRun && view.autoplay && !this.calm.matches) this.player.play();
    this.scrubber.setView(view);
    for (const [part, words] of [["title", view.title], ["note", view.note]]) {
      this.parts[part].textContent = words;
      this.parts[part].hidden = !words;
    }
    buildEvidence(this);
    this.retheme();
    this.root.dataset.ready = "1";
    this.root.dataset.views = String(Number(this.root.dataset.views || 0) + 1);
  }

  retheme() {
    this.field.setTheme(this.theme);
    this.points.setTheme(this.theme);
    for (const panel of this.panels) panel.cache = {};
    buildBrushes(this);
    this.resize();
  }

  get model() {
    return this.log.model;
  }

  // -- size ----------------------------------------------------------------

  resize() {
    if (!this.view || !this.root.clientWidth) return;
    const wide = this.root.clientWidth >= 900, narrow = this.root.clientWidth < 620;
    this.scale = Math.min(3, window.devicePixelRatio || 1);
    const width = this.area.clientWidth;
    // Everything of the main column should fit on the screen at once, if it can.
    const main = this.parts.grid.firstElementChild;
    this.top ??= Math.min(200, Math.max(0, this.root.getBoundingClientRect().top));
    const others = main.offsetHeight - this.area.offsetHeight;
    const room = Math.max(wide ? 380 : 300, window.innerHeight - this.top - others - 12);
    const height = Math.round(Math.min(room, width * 1.15, (width - 52) / this.axes.aspect + 36));
    this.area.style.height = `${height}px`;
    this.size = { width, height };
    this.axes.layout(width, height, narrow);
    const count = this.panels.length + (this.searchCanvas ? 1 : 0);
    const spare = main.offsetHeight - this.parts.tiles.offsetHeight;
    const each = wide && count ? spare / count - 34 : 210;
    for (const panel of this.panels) panel.height = Math.round(Math.min(280, Math.max(165, each)));
    this.searchHeight = Math.round(Math.min(200, Math.max(135, each)));
    for (const panel of this.panels) panel.canvas.style.height = `${panel.height}px`;
    if (this.searchCanvas) this.searchCanvas.style.height = `${this.searchHeight}px`;
    this.scrubber.draw(this.theme, this.scale);
    showLegend(this);
    showControls(this);
    this.invalidate("field", "points", "overlay", "moment", "status");
  }

  // -- drawing -------------------------------------------------------------

  invalidate(...layers) {
    for (const layer of layers) this.dirty.add(layer);
    this.request ??= requestAnimationFrame((now) => this.draw(now));
  }

  draw(now) {
    this.request = null;
    if (!this.view || !this.root.isConnected) return;
    const { player, dirty, stats } = this, before = player.frame;
    if (player.playing) {
      player.tick(Math.min(0.1, (now - (this.lastTick ?? now)) / 1000));
      this.lastTick = now;
      this.moved(before);
      stats.stamps.push(now);
      if (stats.stamps.length > 90) stats.stamps.shift();
    } else this.lastTick = undefined;
    const start = performance.now();
    const { width, height } = this.size;
    if (dirty.has("field")) {
      const ctx = fitCanvas(this.parts.field, width, height, this.scale);
      this.drawBackdrop(ctx, this.shownPosition);
    }
    if (dirty.has("points")) {
      const ctx = fitCanvas(this.parts.points, width, height, this.scale);
      this.points.draw(ctx, this.axes, this.view, this.model, player.frame, this.ui, this.scale);
    }
    if (dirty.has("overlay")) this.drawOverlay(fitCanvas(this.parts.overlay, width, height, this.scale));
    if (dirty.has("moment")) showMoment(this);
    if (dirty.has("status")) this.showStatus();
    dirty.clear();
    if (player.playing) {
      this.measure(performance.now() - start);
      this.invalidate();
    } else if (this.root.dataset.playing === "1") this.stopped();
  }

  // Between frames the field is blended; readers who want less motion see whole steps.
  get shownPosition() {
    return this.calm.matches ? this.player.frame : this.player.position;
  }

  drawBackdrop(ctx, position) {
    this.field.prepare(position);
    this.field.draw(ctx, this.axes);
    this.axes.draw(ctx, this.theme, this.view.axis_names);
  }

  // Stage without overlay at any resolution, for the exports.
  drawScene(ctx, position, scale) {
    this.drawBackdrop(ctx, position);
    this.points.draw(ctx, this.axes, this.view, this.model, Math.round(position), this.ui, scale);
    this.invalidate("field");
  }

  drawOverlay(ctx) {
    const { ui, model, axes, theme } = this;
    for (const [i, colour, width] of [[ui.hover, theme.accent, 2.5], [ui.focus, theme.accent, 4]]) {
      if (i >= 0 && i < model.n) ring(ctx, axes.px(model.x[i]), axes.py(model.y[i]), 14, colour, width);
    }
    if (!ui.lasso) return;
    ctx.beginPath();
    ui.lasso.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
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

  measure(ms) {
    const { stats, root } = this;
    stats.draws += 1;
    stats.drawMs += (ms - stats.drawMs) / Math.min(stats.draws, 60);
    if (stats.draws % 20 || stats.stamps.length < 2) return;
    const span = stats.stamps[stats.stamps.length - 1] - stats.stamps[0];
    stats.fps = (1000 * (stats.stamps.length - 1)) / span;
    root.dataset.fps = stats.fps.toFixed(1);
    root.dataset.drawMs = stats.drawMs.toFixed(2);
  }

  showStatus() {
    const { log, parts, root, model } = this;
    parts.status.textContent = this.busy || (log.waiting ? "New labels are on their way …" : this.view.status);
    root.dataset.requests = String(log.requests);
    root.dataset.points = String(model.n);
    root.dataset.labels = String(model.given.reduce((sum, c) => sum + (c >= 0), 0));
    root.dataset.waiting = log.waiting ? "1" : "0";
  }

  iterationText(frame) {
    const { frame_t: t } = this.view;
    return `t = ${t[frame]} of ${t[t.length - 1]}`;
  }

  // -- time ----------------------------------------------------------------

  moved(before, follower = false) {
    this.invalidate("field");
    if (this.player.frame !== before) {
      this.invalidate("points", "moment");
      if (this.ui.hover >= 0) this.showCard();
    }
    if (!follower && this.view.sync) {
      for (const other of STAGES) if (other !== this && other.view?.sync === this.view.sync) other.follow(this.iteration);
    }
  }

  // Iteration number at the cursor, between frames as well.
  get iteration() {
    const { frame_t: t } = this.view, i = Math.floor(this.player.position), share = this.player.position - i;
    return share ? t[i] + share * (t[i + 1] - t[i]) : t[i];
  }

  follow(t) {
    const before = this.player.frame;
    this.player.playing = false;
    this.player.position = positionOf(this.view.frame_t, t);
    showControls(this);
    this.moved(before, true);
  }

  seek(frame) {
    const before = this.player.frame;
    this.player.pause();
    this.player.seek(frame);
    showControls(this);
    this.moved(before);
  }

  seekEvent(step) {
    const frame = this.scrubber.neighbour(this.player.frame, step);
    if (frame !== null) this.seek(frame);
  }

  togglePlay() {
    if (this.player.playing) {
      this.player.pause();
      this.invalidate("field");
    } else {
      this.player.play();
      this.stats.stamps = [];
      this.invalidate("field", "points", "moment");
    }
    showControls(this);
  }

  stopped() {
    showControls(this);
    this.invalidate("field", "moment");
  }

  toggleLoop() {
    this.player.loop = !this.player.loop;
    showControls(this);
  }

  // -- edits ---------------------------------------------------------------

  canEdit(tool) {
    const { view } = this;
    if (view.locked) return false;
    const needs = tool === "erase" || tool === "lasso" ? ["label", tool] : [tool];
    return needs.every((name) => view.tools.includes(name));
  }

  edit(op) {
    this.log.act(op);
  }

  edited() {
    showControls(this);
    this.invalidate("points", "overlay", "status");
  }

  // A click at (x, y); `near` is the point under it within the usual reach, or -1.
  clicked(near, { x, y }, reach) {
    const { ui, model, axes } = this;
    if (ui.mode === "add" && this.canEdit("add")) {
      const hit = nearestPoint(axes, model, x, y, reach);
      if (hit < 0) return this.edit({ op: "add", x: axes.dataX(x), y: axes.dataY(y), class: ui.brush });
      if (ui.brush < 0) return this.edit({ op: "remove", i: idOf(model, hit) });
      near = hit;
    }
    if (near >= 0 && ui.mode !== "drag") this.labelPoint(near);
  }

  labelPoint(i) {
    const { ui, model } = this;
    if (ui.brush < 0 ? !this.canEdit("erase") : !this.canEdit("label")) return;
    this.edit(ui.brush < 0 ? { op: "erase", i: idOf(model, i) } : { op: "label", i: idOf(model, i), class: ui.brush });
    this.say(pointSentence(this.view, model, this.player.frame, i));
  }

  undo() { if (this.log.undo()) this.say("Undone."); }
  redo() { if (this.log.redo()) this.say("Done again."); }

  continueHere() {
    if (!this.canEdit("continue")) return;
    const frame = this.player.frame;
    this.log.push({ op: "continue", frame, t: this.view.frame_t[frame] });
    this.log.flush();
  }

  setBrush(c) {
    if (c >= this.view.k) return;
    this.ui.brush = c;
    showControls(this);
    this.say(c < 0 ? "Erase brush." : `Brush ${this.view.classes[c]}.`);
  }

  setMode(mode) {
    this.ui.mode = mode;
    showControls(this);
  }

  toggle(what) {
    this.ui[what] = !this.ui[what];
    showControls(this);
    showLegend(this);
    this.invalidate("points");
  }

  // -- walking, hover, zoom -------------------------------------------------

  walk(step) {
    const { model, ui } = this;
    if (!model.n) return;
    this.setFocus(ui.focus < 0 ? (step > 0 ? 0 : model.n - 1) : (ui.focus + step + model.n) % model.n);
  }

  setFocus(i) {
    this.ui.focus = i;
    this.invalidate("overlay");
    if (i >= 0) this.say(pointSentence(this.view, this.model, this.player.frame, i));
    this.setHover(i);
  }

  labelFocus() {
    if (this.ui.focus >= 0) this.labelPoint(this.ui.focus);
  }

  removeFocus() {
    if (this.ui.focus < 0 || !this.canEdit("add")) return;
    this.edit({ op: "remove", i: idOf(this.model, this.ui.focus) });
    this.setFocus(-1);
  }

  setHover(i, forMs) {
    clearTimeout(this.hoverTimer);
    if (forMs) this.hoverTimer = setTimeout(() => this.setHover(-1), forMs);
    if (i === this.ui.hover && !forMs) return;
    this.ui.hover = i;
    this.invalidate("overlay");
    this.showCard();
  }

  showCard() {
    const { hover: i } = this.ui, { model, axes } = this;
    if (i < 0 || i >= model.n) return this.hover.hide();
    const shift = this.offset(this.area);
    const x = axes.px(model.x[i]) + shift.x, y = axes.py(model.y[i]) + shift.y;
    this.hover.showPoint(this.view, model, this.player.frame, i, x, y, this.root.clientWidth);
  }

  tip(lines, clientX, clientY) {
    const box = this.root.getBoundingClientRect();
    this.hover.showText(lines, clientX - box.left, clientY - box.top, this.root.clientWidth);
  }

  offset(element) {
    const a = element.getBoundingClientRect(), b = this.root.getBoundingClientRect();
    return { x: a.left - b.left, y: a.top - b.top };
  }

  zoomStep(factor) {
    const { left, top, width, height } = this.axes.box;
    if (factor === 0) this.axes.reset();
    else this.axes.zoomAt(factor, left + width / 2, top + height / 2);
    this.zoomed();
  }

  zoomed() {
    showControls(this);
    this.setHover(-1);
    this.invalidate("field", "points", "overlay");
  }

  say(sentence) {
    this.parts.live.textContent = sentence;
  }

  // -- exports -------------------------------------------------------------

  async export(kind) {
    if (this.busy) {
      this.cancelExport = true;
      return;
    }
    this.cancelExport = false;
    const progress = (done, all) => {
      this.busy = `Making the ${kind}: ${done} of ${all} …`;
      this.invalidate("status");
    };
    const film = kind === "film" && canRecord() ? exportFilm : exportAnimation;
    this.player.pause();
    showControls(this);
    try {
      if (kind === "picture") await exportPicture(this);
      else await film(this, progress, () => this.cancelExport || !this.root.isConnected);
      this.say(`The ${kind} is saved.`);
    } finally {
      this.busy = "";
      this.invalidate("field", "status");
    }
  }

  remove() {
    this.log.flush();
    this.observer.disconnect();
    cancelAnimationFrame(this.request);
    STAGES.delete(this);
  }
}

// Streamlit calls this at mounting and whenever data or theme change.
export default function mount({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".hm-stage");
  const stage = root.halfmoon ?? new Stage(root);
  stage.update(data, (message) => setStateValue("edits", message));
  return () => stage.remove();
}
