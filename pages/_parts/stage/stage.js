// The stage as a whole: one object for each mounted component, and its entry point.

import { readTheme } from "./theme.js";
import { sameBytes, unpack } from "./unpack.js";
import { Track } from "./track.js";
import { Axes } from "./axes.js";
import { Field } from "./field.js";
import { Points } from "./points.js";
import { EditLog } from "./edits.js";
import { groupOf } from "./group.js";
import { Numbers } from "./numbers.js";
import { makePanels } from "./panels.js";
import { veiled } from "./veil.js";
import { Player, Scrubber } from "./transport.js";
import { Hover, pointSentence } from "./hover.js";
import { ERASE, UNLABELLED } from "./strokes.js";
import { Pointer } from "./pointer.js";
import { handleKey } from "./keys.js";
import { buildBrushes, buildEvidence, findParts, reserveCaption, showControls, showLegend, sizePanels, wireControls } from "./controls.js";
import { TOGGLES, inherit, leave, readerPlace, tellPlace } from "./place.js";
import { Terms } from "./terms.js";
import { followPage, presenting, takeKeys, typeSize } from "./present.js";
import { Renderer } from "./render.js";
import { Prompts } from "./prompts.js";
import { canRecord, saveAs } from "./export.js";
import { FULL } from "./hand.js";
import { Time } from "./time.js";
import { mountDeck } from "./deck.js";

const STAGES = new Set(); // all mounted ones
window.halfmoonStages = STAGES; // for the link to what is on the screen

class Stage extends Time {
  constructor(root) {
    super();
    this.root = root;
    this.parts = findParts(root);
    this.area = this.parts.area;
    this.ui = { brush: 0, mode: "label", graph: false, predictions: false, mistakes: false, focus: -1, hover: -1, lasso: null, offered: false, ghost: true, flipped: false };
    this.axes = new Axes();
    this.player = new Player();
    this.points = new Points();
    this.hover = new Hover(this.parts.card);
    this.terms = new Terms(this.parts);
    this.log = new EditLog((message) => this.send(message), () => this.edited());
    this.numbers = new Numbers((name) => this.numberMoved(name), (message) => this.sendNumbers(message));
    this.scrubber = new Scrubber(this.parts, (lines, x, y) => this.tip(lines, x, y), (frame) => this.seek(frame));
    this.size = { width: 0, height: 0 };
    this.type = 1;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.renderer = new Renderer(this);
    this.pointer = new Pointer(this, this.area);
    this.prompts = new Prompts(this, this.parts.prompts);
    wireControls(this);
    root.querySelector("[data-export=film]").hidden = !canRecord();
    root.addEventListener("keydown", (e) => this.group?.deck?.handleKey(e) || handleKey(this, e));
    this.observer = new ResizeObserver(() => { if (root.clientWidth !== this.width) this.resize(); });
    this.observer.observe(root);
    root.halfmoon = this; // for tests and the curious
    STAGES.add(this);
    this.unfollow = followPage(this);
    document.dispatchEvent(new CustomEvent("halfmoon-stages"));
  }

  // -- data in -------------------------------------------------------------

  // Inflating takes a few milliseconds, in which a newer block may come and win.
  async update(block, send, sendNumbers, ask) {
    this.send = send;
    this.sendNumbers = sendNumbers;
    this.ask = ask; // for what only the page can do
    const theme = readTheme(this.root);
    const sameTheme = this.theme && theme.dark === this.theme.dark && theme.background === this.theme.background;
    this.theme = theme;
    if (!sameBytes(block, this.block)) {
      this.block = block;
      const view = await unpack(block);
      if (block === this.block && this.root.isConnected) this.show(view);
    } else if (!sameTheme && this.view) this.retheme();
  }

  show(full) {
    this.notice = "";
    if (!this.view) {
      this.join(full);
      inherit(this, full.key);
    }
    this.full = full;
    const opened = this.numbers.open(full), view = this.numbers.get("hide") ? veiled(full) : full;
    const unveiled = Boolean(view.veiled) !== Boolean(this.view?.veiled);
    const { last } = this, newRun = view.run_id !== last?.run_id, newData = view.data_id !== last?.data_id;
    const newScene = newData || view.scene_id !== last.scene_id, untold = newData || last.untold;
    this.last = { run_id: view.run_id, data_id: view.data_id, scene_id: view.scene_id, untold: untold && view.pending };
    this.view = view;
    this.log.reconcile(view, this);
    this.field = new Field(view);
    this.track = new Track(view);
    this.panels = makePanels(view, this.track, this.numbers);
    this.haunt();
    if (newData) {
      this.pointer.drop();
      this.ui.focus = -1;
      this.setHover(-1);
      this.chooseMode();
    }
    // Under a hand that draws the picture stays where it is.
    if (!this.log.stroke) this.axes.setExtent(view.extent);
    if (newScene) this.axes.reset();
    if (this.ui.brush >= view.k) this.ui.brush = 0;
    if (this.ui.brush === UNLABELLED && !this.canEdit("add")) this.ui.brush = ERASE;
    // Without a field the points themselves must carry the prediction.
    const bare = view.arrays.f ? !view.arrays.field : Boolean(this.bare);
    if (bare !== this.bare) this.ui.predictions = bare;
    this.bare = bare;
    if (untold && view.toggles) for (const name of TOGGLES) this.ui[name] = view.toggles.includes(name);
    if (!this.canEdit(this.ui.mode)) this.ui.mode = "label";
    if (newRun || opened) this.player.setLength(view.T, view.start_frame);
    if (newRun || opened || unveiled) this.player.seek(this.panels.map((panel) => panel.opens?.(this)).find(Number.isFinite) ?? this.player.frame);
    this.player.setTrack(this.track);
    this.root.dataset.frame = String(this.player.frame);
    if (newRun && view.autoplay) this.playOnce(view.run_id);
    this.scrubber.setView(view, this.track);
    for (const [part, words] of [["title", view.title], ["note", view.note]]) {
      this.parts[part].textContent = words;
      this.parts[part].hidden = !words;
    }
    this.terms.setView(view);
    buildEvidence(this);
    this.retheme();
    this.prompts.show();
    this.refreshCard();
    this.group?.arrived(this);
    this.root.dataset.ready = view.pending ? "points" : "1";
    if (!last && presenting()) takeKeys(this);
    this.root.dataset.views = String(Number(this.root.dataset.views || 0) + 1);
    tellPlace(this);
  }

  // Stages in step; side by side they also share what is edited.
  join(view) {
    if (!view.sync) return;
    this.group = groupOf(view.sync);
    this.group.join(this);
    if (!view.compact) return;
    this.root.classList.add("hm-compact");
    this.log = this.group.log;
  }

  get place() {
    return readerPlace(this);
  }

  retheme() {
    this.field.setTheme(this.theme);
    this.points.setTheme(this.theme);
    for (const panel of this.panels) panel.forget?.();
    buildBrushes(this);
    this.resize();
  }

  get model() {
    return this.mirror ?? this.log.model;
  }

  // -- size ----------------------------------------------------------------

  resize() {
    if (!this.view || !this.root.clientWidth) return;
    this.width = this.root.clientWidth;
    this.type = typeSize(this.width);
    const wide = this.width >= 900, narrow = this.width < 620;
    this.scale = Math.min(3, window.devicePixelRatio || 1) * this.type;
    const width = this.area.clientWidth / this.type;
    // Everything of the main column should fit on the screen at once, if it can.
    const main = this.parts.grid.firstElementChild;
    this.top ??= Math.min(200, Math.max(0, this.root.getBoundingClientRect().top));
    showControls(this);
    reserveCaption(this);
    showLegend(this);
    const others = (main.offsetHeight - this.area.offsetHeight) / this.type;
    const room = Math.max(300, (window.innerHeight - this.top) / this.type - others - 12);
    let height = Math.round(Math.min(room, width * 1.15, (width - 52) / this.axes.aspect + 36));
    // Nothing moves under a clicking hand for a pixel or two, or while a run is on its way.
    const still = this.view.pending && this.size.height > 0;
    if (width === this.size.width && (still || this.log.stroke || Math.abs(height - this.size.height) <= 2)) height = this.size.height;
    if (this.type > 1 && wide) {
      this.area.style.height = ""; // the style sheet gives it what the screen has left
      height = Math.floor(this.area.clientHeight / this.type);
    } else this.area.style.height = `${height * this.type}px`;
    this.size = { width, height };
    this.axes.layout(width, height, narrow);
    sizePanels(this, main.offsetHeight, wide);
    this.prompts.place();
    this.scrubber.draw(this.theme, this.scale / this.type, this.type);
    this.invalidate("field", "points", "overlay", "moment", "status");
  }

  // -- what changed ----------------------------------------------------------

  invalidate(...layers) {
    this.renderer.invalidate(layers);
  }

  showStatus() {
    const { log, parts, root, model } = this;
    parts.status.textContent = this.busy || (log.waiting ? "New labels are on their way …" : this.notice || (this.drawing && !this.hasRoom() ? FULL : this.view.status));
    root.dataset.requests = String(log.requests);
    root.dataset.points = String(model.n);
    root.dataset.labels = String(model.given.reduce((sum, c) => sum + (c >= 0), 0));
    root.dataset.waiting = log.waiting ? "1" : "0";
  }

  // -- switches ------------------------------------------------------------

  toggle(what) {
    this.ui[what] = !this.ui[what];
    tellPlace(this);
    this.refresh();
    this.group?.share(this, what);
  }

  // What is switched on or chosen has changed.
  refresh() {
    if (!this.view) return;
    showControls(this);
    showLegend(this);
    this.haunt();
    this.invalidate("field", "points", "moment");
  }

  // The curves of the run before come and go with its boundary.
  haunt() {
    for (const panel of this.panels) panel.showGhost?.(this.ui.ghost);
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

  setHover(i, forMs) {
    clearTimeout(this.hoverTimer);
    if (forMs) this.hoverTimer = setTimeout(() => this.setHover(-1), forMs);
    if (i === this.ui.hover && !forMs) return;
    this.ui.hover = i;
    this.invalidate("overlay");
    this.showCard();
  }

  // The card of the point under a resting mouse tells what is true now.
  refreshCard() {
    if (this.ui.hover >= 0) this.showCard();
  }

  showCard() {
    const { hover: i } = this.ui, { model, axes } = this;
    if (i < 0 || i >= model.n) return this.hover.hide();
    const shift = this.offset(this.area);
    const x = axes.px(model.x[i]) * this.type + shift.x, y = axes.py(model.y[i]) * this.type + shift.y;
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
    this.prompts.place();
    showControls(this);
    this.setHover(-1);
    this.invalidate("field", "points", "overlay");
  }

  say(sentence) {
    this.parts.live.textContent = sentence;
  }

  export(kind) {
    return saveAs(this, kind);
  }

  remove() {
    this.log.leave();
    this.observer.disconnect();
    this.renderer.stop();
    STAGES.delete(this);
    this.unfollow();
    this.group?.leave(this);
    document.dispatchEvent(new CustomEvent("halfmoon-stages"));
    leave(this);
  }
}

// Streamlit calls this at mounting and whenever data or theme change.
export default function mount({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".hm-stage");
  if (root.matches(".hm-deck")) return mountDeck(root, data);
  const stage = root.halfmoon ?? new Stage(root);
  const tell = (name) => (message) => setStateValue(name, message);
  stage.update(data, tell("edits"), tell("numbers"), (what) => setTriggerValue("asked", what));
  return () => stage.remove();
}
