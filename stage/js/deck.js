// The deck that leads several stages: one transport by iteration or by solver seconds, and
// the tools that act on all of them.

import { buildBrushes, element, findParts, isIdle, paintLegend } from "./controls.js";
import { all, one } from "./dom.js";
import { embedded } from "./embed.js";
import { groupOf } from "./group.js";
import { moveRadio } from "./keys.js";
import { legendEntries } from "./legend.js";
import { formatCount, formatDuration } from "./numerals.js";
import { presenting, typeSize } from "./present.js";
import { readTheme } from "./theme.js";
import { LONGEST, SLOWEST } from "./transport.js";

const RACE = 10; // seconds in which the solver seconds of the slowest run are played
const GRAIN = 1000; // steps of the scrubber along the seconds
/** @type {Toggle[]} */
const SWITCHES = ["predictions", "mistakes"];

export class Deck {
  /** @type {Theme | undefined} */
  theme;
  /** @type {Group | undefined} */
  group;
  /** @type {string | undefined} */
  name;
  /** @type {string | undefined} */
  about;
  /** @type {string | null} */
  shown = null; // brushes: of which theme and classes
  /** @type {number | undefined} */
  last; // moment of the last tick
  /** @type {Unit} */
  unit = "iterations";
  end = 0;
  fine = 1; // steps of the scrubber in one unit
  request = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.parts = findParts(root);
    this.value = Infinity; // where all stand, in the unit; the end stays the end
    this.speed = 1;
    this.loop = false;
    this.playing = false;
    this.wire();
    this.observer = new ResizeObserver(() => this.refresh());
    this.observer.observe(root);
    this.follow = () => {
      root.classList.toggle("hm-present", presenting());
      this.refresh();
    };
    this.follow();
    root.classList.toggle("hm-embed", embedded());
    document.addEventListener("halfmoon-present", this.follow);
    root.halfmoonDeck = this; // for tests
  }

  wire() {
    const { parts, root } = this,
      leader = (/** @type {(stage: Stage) => void} */ act) => () => {
        if (this.leader) act(this.leader);
      };
    for (const button of all(root, "[data-step]")) {
      button.addEventListener("click", () => this.step(button.dataset.step ?? ""));
    }
    for (const button of all(root, "[data-toggle]")) {
      button.addEventListener(
        "click",
        leader((stage) => stage.toggle(/** @type {Switch} */ (button.dataset.toggle))),
      );
    }
    for (const button of all(parts.units, "[data-unit]"))
      button.addEventListener("click", () => this.setUnit(/** @type {Unit} */ (button.dataset.unit)));
    parts.undo.addEventListener(
      "click",
      leader((stage) => stage.hand.undo()),
    );
    parts.redo.addEventListener(
      "click",
      leader((stage) => stage.hand.redo()),
    );
    parts.play.addEventListener("click", () => this.toggle());
    parts.loop.addEventListener("click", () => this.toggleLoop());
    parts.speed.addEventListener("change", () => {
      this.speed = Number(parts.speed.value);
    });
    parts.range.addEventListener("input", () => this.seek(Number(parts.range.value) / this.fine));
    root.addEventListener("keydown", (e) => {
      const target = /** @type {HTMLElement} */ (e.composedPath()[0]),
        name = target.tagName;
      if (moveRadio(target, e)) return;
      if (["SELECT", "SUMMARY"].includes(name) || (name === "BUTTON" && [" ", "Enter"].includes(e.key))) return;
      this.handleKey(e);
    });
  }

  /** @param {DeckData} data */
  update(data) {
    this.theme = readTheme(this.root);
    if (data.sync !== this.name) {
      this.name = data.sync;
      this.group = groupOf(data.sync);
      this.group.deck = this;
    }
    if (data.about !== this.about) {
      // another screen: where its link says, else the end
      this.about = data.about;
      this.unit = data.unit;
      this.value = data.t ?? Infinity;
    }
    this.root.dataset.ready = "1";
    this.shown = null;
    this.look();
  }

  remove() {
    this.stop();
    this.observer.disconnect();
    document.removeEventListener("halfmoon-present", this.follow);
    if (this.group?.deck === this) this.group.deck = null;
  }

  // -- the stages ------------------------------------------------------------

  get stages() {
    const there = [...(this.group?.stages ?? [])].filter((stage) => stage.view);
    return there.sort((a, b) => a.view.key.localeCompare(b.view.key, undefined, { numeric: true }));
  }

  get leader() {
    return this.stages[0];
  }

  // A run's iterations, or the solver seconds after which each was reached.
  /** @param {Stage} stage */
  times(stage) {
    const { view } = stage;
    return this.unit === "seconds" ? (view.arrays.seconds?.data ?? [0]) : view.frame_t;
  }

  /** @param {Stage} stage */
  endOf(stage) {
    const times = this.times(stage);
    return times[times.length - 1];
  }

  /** @param {Stage} stage */
  valueOf(stage) {
    if (this.unit === "iterations") return stage.track.iteration(stage.player.position);
    return this.times(stage)[stage.player.frame] ?? 0;
  }

  // What has come or gone: the longest run is the length of all.
  look() {
    const { stages } = this;
    const end = Math.max(0, ...stages.map((stage) => this.endOf(stage)));
    if (this.value >= this.end) this.value = Infinity;
    this.end = end;
    this.fine = this.unit === "seconds" ? GRAIN / (end || 1) : 1;
    this.parts.range.max = String(Math.round(end * this.fine));
    this.root.classList.toggle("hm-still", !(end > 0));
    this.showEnds(stages);
    this.refresh();
    this.show();
  }

  // Between two iterations the pictures blend; after so many seconds a run has reached a
  // state, not a mixture of two.
  /** @param {Stage} stage @param {boolean} [playing] */
  place(stage, playing = false) {
    if (this.unit === "iterations") return stage.time.follow(this.at, undefined, playing);
    const times = this.times(stage);
    let frame = 0;
    while (frame + 1 < times.length && times[frame + 1] <= this.at) frame += 1;
    stage.time.follow(this.at, frame, playing);
  }

  get at() {
    return Math.min(this.value, this.end);
  }

  // -- time --------------------------------------------------------------------

  /** @param {number} value @param {Stage | null} [except] */
  goTo(value, except = null) {
    this.value = value;
    for (const stage of this.stages) if (stage !== except) this.place(stage, this.playing);
    this.show();
  }

  /** @param {number} value */
  seek(value) {
    this.stop();
    this.goTo(Math.min(this.end, Math.max(0, value)));
  }

  // The next moment at which any of the stages changes.
  /** @param {string} way @param {number} [count] */
  step(way, count = 1) {
    if (way === "first") return this.seek(0);
    if (way === "last") return this.seek(this.end);
    const sign = Math.sign(Number(way));
    let to = this.unit === "iterations" ? Math.round(this.at) + sign * count : this.at;
    if (this.unit === "seconds") for (let i = 0; i < count; i++) to = this.neighbour(to, sign);
    this.seek(to);
  }

  /** @param {number} value @param {number} sign */
  neighbour(value, sign) {
    const times = this.stages.flatMap((stage) => [...this.times(stage)]);
    const beyond = times.filter((time) => (time - value) * sign > 0);
    if (!beyond.length) return value;
    return sign > 0 ? Math.min(...beyond) : Math.max(...beyond);
  }

  /** @param {Unit} unit */
  setUnit(unit) {
    if (unit === this.unit) return;
    const share = this.end ? this.at / this.end : 1;
    this.stop();
    this.unit = unit;
    this.value = Infinity;
    this.end = 0;
    this.look();
    this.goTo(share < 1 ? share * this.end : Infinity);
  }

  toggle() {
    if (this.playing) return this.stop();
    if (!(this.end > 0)) return;
    if (this.at >= this.end) this.value = 0;
    this.playing = true;
    this.last = undefined;
    for (const stage of this.stages) stage.renderer.restartClock();
    this.request = requestAnimationFrame((now) => this.tick(now));
    this.show();
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.request);
    this.goTo(this.unit === "iterations" ? Math.round(this.at) : this.at);
  }

  get rate() {
    const pace = this.unit === "seconds" ? this.end / RACE : Math.max(SLOWEST, this.end / LONGEST);
    return pace * this.speed;
  }

  /** @param {number} now */
  tick(now) {
    const passed = Math.min(0.1, (now - (this.last ?? now)) / 1000);
    this.last = now;
    let value = this.at + passed * this.rate;
    if (value >= this.end) {
      if (!this.loop) {
        this.goTo(this.end);
        return this.stop();
      }
      value %= this.end;
    }
    this.goTo(value);
    this.request = requestAnimationFrame((next) => this.tick(next));
  }

  toggleLoop() {
    this.loop = !this.loop;
    this.show();
  }

  // Keys of the transport, pressed here or on any of the stages; true when it was one.
  /** @param {KeyboardEvent} e */
  handleKey(e) {
    if (e.altKey || e.ctrlKey || e.metaKey) return false;
    const name = /** @type {HTMLElement} */ (e.composedPath()[0]).tagName;
    if (["SELECT", "TEXTAREA"].includes(name) || (name === "BUTTON" && e.key === " ")) return false;
    const count = e.shiftKey ? 10 : 1;
    /** @type {Record<string, () => void>} */
    const actions = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step("-1", count),
      ArrowRight: () => this.step("1", count),
      Home: () => this.step("first"),
      End: () => this.step("last"),
      l: () => this.toggleLoop(),
    };
    const action = actions[e.key];
    if (!action) return false;
    action();
    e.preventDefault();
    e.stopPropagation();
    return true;
  }

  // -- what is seen --------------------------------------------------------------

  /** @param {number} value */
  words(value) {
    if (this.unit === "iterations") return `t = ${formatCount(value)} of ${formatCount(this.end)}`;
    return `${formatDuration(value)} of ${formatDuration(this.end)}`;
  }

  show() {
    const { parts, root } = this,
      words = this.words(this.at),
      share = this.end ? this.at / this.end : 0;
    parts.count.textContent = words;
    parts.range.value = String(Math.round(this.at * this.fine));
    parts.range.style.setProperty("--hm-share", `${100 * share}%`);
    parts.range.setAttribute("aria-valuetext", words);
    root.dataset.playing = this.playing ? "1" : "0";
    root.dataset.unit = this.unit;
    parts.play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    parts.loop.setAttribute("aria-pressed", String(this.loop));
  }

  // Where each run ended, above the scrubber.
  /** @param {Stage[]} stages */
  showEnds(stages) {
    const { ends, range, units } = this.parts;
    ends.replaceChildren(
      ...stages
        .filter((stage) => this.endOf(stage) > 0)
        .map((stage) => {
          const mark = element("span"),
            share = this.endOf(stage) / this.end;
          mark.style.left = `calc(9px + ${share} * (100% - 18px))`;
          mark.title = `${stage.view.name}: ended after ${this.unit === "seconds" ? formatDuration(this.endOf(stage)) : `${formatCount(this.endOf(stage))} iterations`}`;
          return mark;
        }),
    );
    range.setAttribute("aria-label", this.unit === "seconds" ? "Solver seconds" : "Iteration");
    for (const button of all(units, "[data-unit]")) {
      const chosen = button.dataset.unit === this.unit;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
  }

  // What the marks of all stages mean, each once.
  legend() {
    const entries = this.stages.flatMap((stage) =>
      legendEntries(stage, this.theme ?? stage.theme, !stage.hand.canEdit("label")),
    );
    return [...new Map(entries.map((entry) => [entry.text, entry])).values()];
  }

  // Brushes and switches as they stand on the stages.
  refresh() {
    const { leader, parts, root } = this;
    if (!leader || !this.theme) return;
    const classes = [this.theme.dark, ...leader.view.classes].join("|");
    if (classes !== this.shown) {
      this.shown = classes;
      buildBrushes({
        parts,
        view: leader.view,
        theme: this.theme,
        area: leader.area,
        hand: { setBrush: (c) => this.leader?.hand.setBrush(c) },
      });
    }
    one(root, ".hm-tools").hidden = !leader.hand.canEdit("label");
    for (const button of all(parts.brushes, "[data-brush]")) {
      const c = Number(button.dataset.brush);
      button.setAttribute("aria-checked", String(c === leader.ui.brush));
      button.tabIndex = c === leader.ui.brush ? 0 : -1;
      button.hidden = isIdle(leader, c);
    }
    parts.undo.disabled = !leader.log.done.length;
    parts.redo.disabled = !leader.log.undone.length;
    const type = typeSize(root.clientWidth),
      scale = ((leader.scale ?? 1) / (leader.type ?? 1)) * type;
    paintLegend({ parts, theme: this.theme, scale, type }, this.legend());
    for (const name of SWITCHES)
      one(root, `[data-toggle=${name}]`).setAttribute("aria-pressed", String(leader.ui[name]));
  }
}

/** @param {HTMLElement} root @param {DeckData} data */
export function mountDeck(root, data) {
  const deck = root.halfmoonDeck ?? new Deck(root);
  deck.update(data);
  return () => deck.remove();
}
