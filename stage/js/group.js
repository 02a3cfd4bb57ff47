// Stages of one page that belong together: they move in step and, side by side, they show
// one set of labels. The deck that leads them has tools and transport for all.

import { applyOp, baseModel, EditLog } from "./edits.js";

/** @type {Map<string, Group>} */
const GROUPS = new Map(); // by name, kept while stages come and go

/** @param {string} name */
export function groupOf(name) {
  const group = GROUPS.get(name) ?? new Group();
  GROUPS.set(name, group);
  return group;
}

export class Group {
  constructor() {
    /** @type {Set<Stage>} */
    this.stages = new Set();
    /** @type {Deck | null} */
    this.deck = null;
    this.log = new SharedLog(this);
  }

  /** @param {Stage} stage */
  join(stage) {
    this.stages.add(stage);
  }

  /** @param {Stage} stage */
  leave(stage) {
    this.stages.delete(stage);
    this.deck?.look();
  }

  // A stage shows something new, or its cursor was moved there.
  /** @param {Stage} stage */
  arrived(stage) {
    this.deck?.look();
    this.deck?.place(stage);
  }

  /** @param {Stage} stage */
  moved(stage) {
    const t = stage.track.iteration(stage.player.position);
    if (this.deck) return this.deck.goTo(this.deck.valueOf(stage), stage);
    for (const other of this.stages) if (other !== stage) other.time.follow(t);
  }

  // Brush and switches are the same on all stages that stand side by side.
  /** @param {Stage} stage @param {...(keyof Ui)} names */
  share(stage, ...names) {
    if (!stage.view.compact) return;
    for (const other of this.stages) {
      if (other === stage) continue;
      for (const name of names) Object.assign(other.ui, { [name]: stage.ui[name] });
      other.refresh();
    }
    this.deck?.refresh();
  }
}

// One log for all: edits have one order, whichever stage they were made on, and whichever
// of them sends a message, it repeats all that the server has not confirmed. So a late
// message brings nothing back, and a stage that goes leaves nothing behind.
class SharedLog extends EditLog {
  /** @param {Group} group */
  constructor(group) {
    super(
      (message) => this.pass(message),
      () => this.spread(),
    );
    this.group = group;
    /** @type {Map<number, SentOp>} */
    this.recent = new Map(); // by number: edits that some stage's view may lack yet
  }

  // What a later step of a stroke says again need not be said to any stage.
  /** @param {import("./edits.js").Stroke | null} stroke */
  drop(stroke) {
    super.drop(stroke);
    if (stroke) this.recent.delete(stroke.seq);
  }

  /** @param {Message} message */
  pass(message) {
    const { stages } = this.group,
      way = this.from && stages.has(this.from) ? this.from : [...stages][0];
    way?.send(message);
  }

  // Every stage has its own points, since views come one after the other.
  spread() {
    for (const op of this.pending) this.recent.set(op.seq, op);
    for (const stage of this.group.stages) {
      this.mirror(stage);
      stage.hand.edited();
    }
    this.group.deck?.refresh();
  }

  /** @param {Stage} stage */
  mirror(stage) {
    if (!stage.view) return;
    stage.mirror = baseModel(stage.view);
    for (const op of this.recent.values()) if (op.seq > (stage.seen ?? Infinity)) applyOp(stage.mirror, op);
  }

  /** @param {View} view @param {Stage} stage */
  reconcile(view, stage) {
    if (this.dataId !== undefined && this.dataId !== view.data_id) this.recent.clear();
    super.reconcile(view);
    stage.seen = view.client === this.client ? view.seq_seen : 0;
    const least = Math.min(...[...this.group.stages].map((s) => s.seen ?? Infinity));
    for (const seq of this.recent.keys()) if (seq <= least) this.recent.delete(seq);
    this.mirror(stage);
    if (this.pending.length && this.timer === null) this.flush(); // left by those before
  }

  // It outlives its stages.
  inherit() {}

  get kept() {
    return null;
  }

  leave() {
    if (this.group.stages.size > 1) return;
    super.leave();
    this.timer = null;
  }
}
