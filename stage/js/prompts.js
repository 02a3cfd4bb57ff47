// What a new visitor may try, told on the stage in a corner where no point lies. A prompt
// goes when it is done, all go when they are dismissed, and none comes back.

import { element } from "./controls.js";
import { presenting } from "./present.js";

/** @type {Map<string, Set<string>>} */
const OVER = new Map(); // by key of a stage: prompts that are done or dismissed
const MARGIN = 8; // pixels between the box and the frame, and between the box and a point
/** @type {[width: number, alone: boolean][]} */
const FORMS = [
  [170, false],
  [108, false],
  [132, true],
  [92, true],
]; // width, and the next one alone
const DONE_BY = { label: ["label", "label_many"], drag: ["move"] }; // edits

export class Prompts {
  /** @param {Stage} stage @param {HTMLElement} box */
  constructor(stage, box) {
    this.stage = stage;
    this.box = box;
    for (const kind of ["pointerdown", "pointerup", "pointermove"])
      box.addEventListener(kind, (e) => e.stopPropagation());
  }

  get over() {
    const { key } = this.stage.view;
    const over = OVER.get(key) ?? new Set();
    OVER.set(key, over);
    return over;
  }

  get open() {
    return this.stage.view.prompts.filter(({ kind }) => !this.over.has(kind));
  }

  show() {
    const { view } = this.stage;
    if (view.T > 1 && view.prompts.length && !view.arrays.edges) this.over.add("graph"); // a run without it
    this.build(this.open);
    this.place();
  }

  /** @param {Prompt[]} prompts */
  build(prompts) {
    const rows = prompts.map(({ kind, text }) => {
      const button = element("button", "hm-prompt", text);
      button.type = "button";
      button.dataset.prompt = kind;
      button.onclick = () => this.take(kind);
      return button;
    });
    const close = element("button", "hm-dismiss", "Not now");
    close.type = "button";
    close.onclick = () => this.dismiss();
    this.box.replaceChildren(...rows, close);
  }

  // A prompt that is pressed makes ready what it speaks of.
  /** @param {string} kind */
  take(kind) {
    const { stage } = this;
    if (kind === "graph") return stage.ask(kind);
    stage.hand.setMode(kind);
    stage.tell(kind === "drag" ? "Now drag one of the large marks to another place." : "Now click any grey point.");
    stage.area.focus({ preventScroll: true });
  }

  dismiss() {
    for (const { kind } of this.stage.view.prompts) this.over.add(kind);
    this.show();
    this.stage.area.focus({ preventScroll: true });
  }

  // An edit may be what a prompt asked for, and it may have put a point under the box.
  edited() {
    const { log, view } = this.stage;
    if (!view?.prompts.length) return;
    const op = log.done.at(-1)?.op.op ?? "",
      before = this.open.length;
    for (const [kind, ops] of Object.entries(DONE_BY)) if (ops.includes(op)) this.over.add(kind);
    if (this.open.length !== before) this.show();
    else this.place();
  }

  // Beside the frame or into a corner of it, wherever no point is covered: all prompts, else
  // the next one alone, and where there is no room even for that, none.
  place() {
    const { stage, box } = this,
      prompts = stage.view?.prompts.length ? this.open : [];
    box.hidden = !prompts.length || presenting() || Boolean(stage.log.stroke);
    if (box.hidden) return;
    for (const [width, alone] of FORMS) {
      box.style.maxWidth = `${width}px`;
      box.classList.toggle("hm-next", alone);
      const spot = this.spots(box.offsetWidth, box.offsetHeight).find(
        ([x, y]) => !this.covers(x, y, box.offsetWidth, box.offsetHeight),
      );
      if (!spot) continue;
      [box.style.left, box.style.top] = spot.map((v) => `${Math.round(v)}px`);
      return;
    }
    box.hidden = true;
  }

  /** @param {number} w @param {number} h */
  spots(w, h) {
    const { left, top, width, height } = this.stage.axes.box,
      whole = this.stage.size.width;
    const low = left + MARGIN,
      high = left + width - w - MARGIN,
      above = top + MARGIN,
      below = top + height - h - MARGIN;
    const corners = [
      [low, below],
      [low, above],
      [high, below],
      [high, above],
    ];
    const beside = left + width + MARGIN + w <= whole ? [[left + width + MARGIN, below]] : [];
    return [...beside, ...corners].filter(([x, y]) => x >= 0 && y >= top && w < width && h < height);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  covers(x, y, w, h) {
    const { axes, model } = this.stage;
    for (let i = 0; i < model.n; i++) {
      const px = axes.px(model.x[i]),
        py = axes.py(model.y[i]);
      if (px > x - MARGIN && px < x + w + MARGIN && py > y - MARGIN && py < y + h + MARGIN) return true;
    }
    return false;
  }
}
