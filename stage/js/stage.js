// The stage as a whole: one object for each mounted component, and its entry point.

import { Axes } from "./axes.js";
import {
  buildBrushes,
  buildEvidence,
  findParts,
  reserveCaption,
  showControls,
  showLegend,
  sizePanels,
  wireControls,
} from "./controls.js";
import { Crosshair } from "./crosshair.js";
import { mountDeck } from "./deck.js";
import { one } from "./dom.js";
import { EditLog } from "./edits.js";
import { embedded, followFrame, standsBeside } from "./embed.js";
import { canRecord, saveAs } from "./export.js";
import { Field } from "./field.js";
import { groupOf } from "./group.js";
import { FULL, Hand } from "./hand.js";
import { Hover, placeFacts, pointSentence } from "./hover.js";
import { handleKey } from "./keys.js";
import { Numbers } from "./numbers.js";
import { LATER } from "./panel.js";
import { makePanels } from "./panels.js";
import { inherit, leave, readerPlace, TOGGLES, tellPlace } from "./place.js";
import { Pointer } from "./pointer.js";
import { Points } from "./points.js";
import { followPage, measureTools, presenting, takeKeys, typeSize } from "./present.js";
import { Prompts } from "./prompts.js";
import { Renderer } from "./render.js";
import { standInFor } from "./standin.js";
import { ERASE, UNLABELLED } from "./strokes.js";
import { Terms } from "./terms.js";
import { readTheme } from "./theme.js";
import { Time } from "./time.js";
import { Track } from "./track.js";
import { Player, Scrubber } from "./transport.js";
import { sameBytes, unpack } from "./unpack.js";
import { veiled } from "./veil.js";

const ALONE_SHARE = 0.75; // of the window's height, at most, where no app is around
const STAGE_SHARE = 0.6; // of the window's height, at least, with the figures beside the stage
/** @type {Set<Stage>} */
const STAGES = window.halfmoonStages ?? new Set(); // all mounted ones; the code may come twice
window.halfmoonStages = STAGES; // for the link to what is on the screen

export class Stage {
  /** @type {View} */
  view = LATER;
  /** @type {View} */
  full = LATER;
  /** @type {Theme} */
  theme = LATER;
  /** @type {Field} */
  field = LATER;
  /** @type {Track} */
  track = LATER;
  /** @type {Panel[]} */
  panels = LATER;
  /** @type {{ box: HTMLElement, value: HTMLElement, change: HTMLElement, tile: Tile }[]} */
  tiles = [];
  /** @type {Group | undefined} */
  group;
  /** @type {Model | undefined} */
  mirror;
  /** @type {{ run_id: string, data_id: string, scene_id: string, untold: boolean } | undefined} */
  last;
  /** @type {Uint8Array | undefined} */
  block;
  /** @type {boolean | undefined} */
  bare;
  /** @type {number | undefined} */
  top;
  /** @type {Timer | undefined} */
  hoverTimer;

  cancelExport = false;
  captioned = true; // whether pictures say what they show
  /** @type {(message: Message) => void} */
  send = () => {};
  /** @type {(message: object) => void} */
  sendNumbers = () => {};
  /** @type {(what: string) => void} */
  ask = () => {};
  /** @type {Record<string, number>} */
  confirmed = {}; // edits of each browser that its view includes, where several edit
  /** @type {number | undefined} */
  seen; // edits that its view includes
  width = 0;
  scale = 1;
  notice = "";
  busy = "";
  telling = false;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.parts = findParts(root);
    this.area = this.parts.area;
    /** @type {Ui} */
    this.ui = {
      brush: 0,
      mode: "label",
      graph: false,
      predictions: false,
      mistakes: false,
      focus: -1,
      hover: -1,
      lasso: null,
      here: null,
      offered: false,
      ghost: true,
      flipped: false,
    };
    this.hand = new Hand(this);
    this.time = new Time(this);
    this.axes = new Axes();
    this.player = new Player();
    this.points = new Points();
    this.hover = new Hover(this.parts.card);
    this.terms = new Terms(this.parts);
    /** @type {EditLog} */
    this.log = new EditLog(
      (message) => this.send(message),
      () => this.hand.edited(),
    );
    this.numbers = new Numbers(
      (name) => this.time.numberMoved(name),
      (message) => this.sendNumbers(message),
    );
    this.scrubber = new Scrubber(
      this.parts,
      (lines, x, y) => this.tip(lines, x, y),
      (frame) => this.time.seek(frame),
    );
    this.size = { width: 0, height: 0 };
    this.type = 1;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.renderer = new Renderer(this);
    this.pointer = new Pointer(this, this.area);
    this.prompts = new Prompts(this, this.parts.prompts);
    this.crosshair = new Crosshair(this);
    wireControls(this);
    one(root, "[data-export=film]").hidden = !canRecord();
    root.addEventListener("keydown", (e) => {
      if (!this.crosshair.handleKey(e) && !this.group?.deck?.handleKey(e)) handleKey(this, e);
    });
    this.observer = new ResizeObserver(() => {
      if (root.clientWidth !== this.width) this.resize();
    });
    this.observer.observe(root);
    root.halfmoon = this; // for tests
    STAGES.add(this);
    this.unfollow = followPage(this);
    this.unframe = followFrame(this);
    document.dispatchEvent(new CustomEvent("halfmoon-stages"));
  }

  // -- data in -------------------------------------------------------------

  // Inflating takes a few milliseconds, in which a newer block may come and win.
  /**
   * @param {Uint8Array} block
   * @param {(message: Message) => void} send
   * @param {(message: object) => void} sendNumbers
   * @param {(what: string) => void} ask
   */
  async update(block, send, sendNumbers, ask) {
    this.send = send;
    this.sendNumbers = sendNumbers;
    this.ask = ask; // for what only the page can do
    const theme = readTheme(this.root);
    const sameTheme = this.theme && theme.dark === this.theme.dark && theme.background === this.theme.background;
    this.theme = theme;
    if (!sameBytes(block, this.block)) {
      this.block = block;
      const view = await unpack(block),
        standIn = standInFor(view.key, this);
      await standIn?.released();
      if (block !== this.block) return;
      if (!this.root.isConnected) {
        this.block = undefined; // to be shown when it comes back
        return;
      }
      if (standIn) standIn.giveWay(this, () => this.show(view));
      else this.show(view);
    } else if (!sameTheme && this.view) this.retheme();
  }

  /** @param {View} full */
  show(full) {
    const own = this.confirmed[this.log.client];
    if (own !== undefined) Object.assign(full, { client: this.log.client, seq_seen: own });
    this.notice = "";
    if (!this.view) {
      this.join(full);
      inherit(this, full.key);
    }
    this.full = full;
    const opened = this.numbers.open(full),
      view = this.numbers.get("hide") ? veiled(full) : full;
    const unveiled = Boolean(view.veiled) !== Boolean(this.view?.veiled);
    const { last } = this,
      newRun = view.run_id !== last?.run_id,
      newData = view.data_id !== last?.data_id;
    const newScene = newData || view.scene_id !== last.scene_id,
      untold = newData || last.untold;
    this.last = { run_id: view.run_id, data_id: view.data_id, scene_id: view.scene_id, untold: untold && view.pending };
    this.view = view;
    this.log.reconcile(view, this);
    this.field = new Field(view);
    this.track = new Track(view);
    this.panels = makePanels(view, this.track, this.numbers);
    this.showGhosts();
    if (newData) {
      this.say(""); // what was said was about other points
      this.pointer.drop();
      this.crosshair.hide();
      this.ui.focus = -1;
      this.setHover(-1);
      this.hand.chooseMode();
    }
    // Under a hand that draws the picture stays where it is.
    if (!this.log.stroke) this.axes.setExtent(view.extent);
    if (newScene) this.axes.reset();
    if (this.ui.brush >= view.k) this.ui.brush = 0;
    if (this.ui.brush === UNLABELLED && !this.hand.canEdit("add")) this.ui.brush = ERASE;
    this.hand.leaveEraser();
    // Without a field the points themselves must carry the prediction.
    const bare = view.arrays.f ? !view.arrays.field : Boolean(this.bare);
    if (bare !== this.bare) this.ui.predictions = bare;
    this.bare = bare;
    if (untold && view.toggles) for (const name of TOGGLES) this.ui[name] = view.toggles.includes(name);
    if (!this.hand.canEdit(this.ui.mode)) this.ui.mode = "label";
    if (newRun || opened) this.player.setLength(view.T, view.start_frame);
    if (newRun || opened || unveiled)
      this.player.seek(this.panels.map((panel) => panel.opens?.(this)).find(Number.isFinite) ?? this.player.frame);
    this.player.setTrack(this.track);
    this.root.dataset.frame = String(this.player.frame);
    if (newRun && view.autoplay) this.time.playOnce(view.run_id, this.root.dataset.standIn !== undefined);
    this.scrubber.setView(view, this.track);
    const { title, note } = this.parts;
    title.textContent = view.title;
    title.hidden = !view.title;
    note.textContent = view.note;
    note.hidden = !view.note;
    this.terms.setView(view);
    buildEvidence(this);
    this.retheme();
    this.prompts.show();
    this.refreshCard();
    this.group?.arrived(this);
    this.root.dataset.ready = view.pending ? "points" : (this.root.dataset.standIn ?? "1");
    if (!last && presenting()) takeKeys(this);
    this.root.dataset.views = String(Number(this.root.dataset.views || 0) + 1);
    tellPlace(this);
  }

  // Stages in step; side by side they also share what is edited.
  /** @param {View} view */
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
    const wide = this.width >= 900,
      narrow = this.width < 620;
    this.scale = Math.min(3, window.devicePixelRatio || 1) * this.type;
    const { main } = this.parts;
    const framed = embedded();
    const roomy = framed ? standsBeside(this.width) : wide && this.type === 1;
    const beside = roomy && !this.view.compact && !this.parts.evidence.hidden;
    this.arrange(beside);
    const width = this.area.clientWidth / this.type;
    this.top ??= Math.min(200, Math.max(0, this.root.getBoundingClientRect().top));
    showControls(this);
    reserveCaption(this);
    showLegend(this);
    const others = (main.offsetHeight - this.area.offsetHeight) / this.type;
    // Everything of the main column should fit on the screen at once; the picture comes first.
    const even = this.view.compact || this.parts.grid.classList.contains("hm-even");
    const large = wide && this.type === 1 && !even && !this.root.dataset.alone;
    const least = large ? STAGE_SHARE * window.innerHeight : 300;
    // Without an app around, what stands above and below may scroll and the picture stays.
    const left = this.root.dataset.alone
      ? ALONE_SHARE * window.innerHeight
      : (window.innerHeight - this.top) / this.type - others - 12;
    const room = Math.max(least, left);
    const filled = Math.min(room, width * 1.15, (width - 52) / this.axes.aspect + 36);
    let height = Math.ceil(large ? Math.max(least, filled) : filled);
    // Nothing moves under a clicking hand for a pixel or two, or while a run is on its way.
    const still = this.view.pending && this.size.height > 0;
    if (width === this.size.width && (still || this.log.stroke || Math.abs(height - this.size.height) <= 2))
      height = this.size.height;
    if (framed || (this.type > 1 && (wide || (this.view.compact && window.innerWidth >= 900)))) {
      measureTools(this);
      this.area.style.height = ""; // the style sheet gives it what the screen has left
      height = Math.floor(this.area.clientHeight / this.type);
    } else this.area.style.height = `${height * this.type}px`;
    this.size = { width, height };
    this.axes.layout(width, height, narrow);
    sizePanels(this, main.offsetHeight, wide);
    this.scrubber.draw(this.theme, this.scale / this.type, this.type);
    this.invalidate("field", "points", "overlay", "moment", "status");
  }

  // With room beside the stage, its headline and the switches of the picture stand there.
  /** @param {boolean} beside */
  arrange(beside) {
    const { title, switches, main, corner, evidence } = this.parts;
    const there = title.parentElement === evidence;
    if (beside === there) return;
    if (beside) evidence.prepend(title, switches);
    else {
      main.prepend(title);
      corner.append(switches);
    }
  }

  // -- what changed ----------------------------------------------------------

  /** @param {...Layer} layers */
  invalidate(...layers) {
    this.renderer.invalidate(layers);
  }

  showStatus() {
    const { log, parts, root, model } = this;
    parts.status.textContent =
      this.busy ||
      (log.waiting
        ? "New labels are being applied …"
        : this.notice || (this.hand.drawing && !this.hand.hasRoom() ? FULL : this.view.status));
    root.dataset.requests = String(log.requests);
    root.dataset.points = String(model.n);
    root.dataset.labels = String(model.given.filter((c) => c >= 0).length);
    root.dataset.waiting = log.waiting ? "1" : "0";
  }

  // -- switches ------------------------------------------------------------

  /** @param {Switch} what */
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
    this.showGhosts();
    this.invalidate("field", "points", "moment");
  }

  // The curves of the run before come and go with its boundary.
  showGhosts() {
    for (const panel of this.panels) panel.showGhost?.(this.ui.ghost);
  }

  // -- walking, hover, zoom -------------------------------------------------

  /** @param {number} step */
  walk(step) {
    const { model, ui } = this;
    if (!model.n) return;
    const { crosshair } = this,
      at = crosshair.at ? crosshair.near() : ui.focus;
    this.setFocus(at < 0 ? (step > 0 ? 0 : model.n - 1) : (at + step + model.n) % model.n);
  }

  /** @param {number} i */
  setFocus(i) {
    const { crosshair, model } = this;
    if (i >= 0 && crosshair.at) crosshair.goTo({ x: model.x[i], y: model.y[i] });
    this.ui.focus = i;
    this.invalidate("overlay");
    if (i >= 0) this.say(pointSentence(this.view, this.model, this.player.frame, i));
    this.setHover(i);
  }

  /** @param {number} i @param {number} [forMs] */
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
    const { hover: i } = this.ui,
      { model, axes } = this;
    if (i < 0 || i >= model.n) return this.hover.hide();
    const shift = this.offset(this.area);
    const x = axes.px(model.x[i]) * this.type + shift.x,
      y = axes.py(model.y[i]) * this.type + shift.y;
    this.hover.showPoint(this.view, model, this.player.frame, i, x, y, this.root.clientWidth);
  }

  /** @param {Place | null} at a pixel of the picture */
  showHere(at) {
    const { axes, crosshair, ui } = this,
      before = ui.here;
    ui.here = at ? { x: axes.dataX(at.x), y: axes.dataY(at.y) } : crosshair.seen ? crosshair.at : null;
    if (ui.here || before) this.invalidate("overlay");
  }

  // What the picture holds where the pointer or the crosshair is, in a corner away from it.
  tellHere() {
    const { axes, field, ui, view } = this,
      { left, top, width, height } = axes.box,
      { here } = this.parts;
    here.hidden = !ui.here;
    if (!ui.here) return;
    here.textContent = placeFacts(view, field, ui.here)
      .map((fact) => fact.join(" "))
      .join("   ");
    const low = axes.px(ui.here.x) < left + width / 2 && axes.py(ui.here.y) < top + height / 2;
    here.style.left = low ? "" : `${(left + 6) * this.type}px`;
    here.style.top = low ? "" : `${(top + 6) * this.type}px`;
    here.style.right = low ? `${(this.size.width - left - width + 6) * this.type}px` : "";
    here.style.bottom = low ? `${(this.size.height - top - height + 6) * this.type}px` : "";
  }

  /** @param {string[]} lines @param {number} clientX @param {number} clientY */
  tip(lines, clientX, clientY) {
    const box = this.root.getBoundingClientRect();
    this.hover.showText(lines, clientX - box.left, clientY - box.top, this.root.clientWidth);
  }

  /** @param {HTMLElement} element */
  offset(element) {
    const a = element.getBoundingClientRect(),
      b = this.root.getBoundingClientRect();
    return { x: a.left - b.left, y: a.top - b.top };
  }

  /** @param {number} factor */
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

  /** @param {string} sentence */
  tell(sentence) {
    this.notice = sentence;
    this.say(sentence);
    this.invalidate("status");
  }

  /** @param {string} sentence */
  say(sentence) {
    const { live } = this.parts;
    live.textContent = sentence && live.textContent === sentence ? `${sentence}\u00a0` : sentence; // said again
  }

  /** @param {ExportKind} kind */
  export(kind) {
    return saveAs(this, kind);
  }

  remove() {
    this.say("");
    this.log.leave();
    this.observer.disconnect();
    this.renderer.stop();
    STAGES.delete(this);
    this.unfollow();
    this.unframe();
    this.group?.leave(this);
    document.dispatchEvent(new CustomEvent("halfmoon-stages"));
    leave(this);
  }
}

// Streamlit calls this at mounting and whenever data or theme change.
/** @param {Component<Uint8Array | DeckData>} options */
export function mount({ parentElement, data, setStateValue, setTriggerValue }) {
  const root = one(parentElement, ".hm-stage");
  if (root.matches(".hm-deck")) return mountDeck(root, /** @type {DeckData} */ (data));
  const stage = root.halfmoon ?? new Stage(root);
  const tell = (/** @type {string} */ name) => (/** @type {object} */ message) => setStateValue(name, message);
  stage.update(/** @type {Uint8Array} */ (data), tell("edits"), tell("numbers"), (what) =>
    setTriggerValue("asked", what),
  );
  return () => stage.remove();
}
