// What a new visitor may try, beside the stage. A prompt goes when it is done, all go when
// they are dismissed, and none comes back.

import { element } from "./controls.js";

/** @type {Map<string, Set<string>>} */
const OVER = new Map(); // by key of a stage: prompts that are done or dismissed
const DONE_BY = { label: ["label", "label_many"], drag: ["move"] }; // edits

export class Prompts {
  /** @param {Stage} stage @param {HTMLElement} box */
  constructor(stage, box) {
    this.stage = stage;
    this.box = box;
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
    this.box.hidden = !rows.length;
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

  // An edit may be what a prompt asked for.
  edited() {
    const { log, view } = this.stage;
    if (!view?.prompts.length) return;
    const op = log.done.at(-1)?.op.op ?? "",
      before = this.open.length;
    for (const [kind, ops] of Object.entries(DONE_BY)) if (ops.includes(op)) this.over.add(kind);
    if (this.open.length !== before) this.show();
  }
}
