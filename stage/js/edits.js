// Edits: shown at once, sent in numbered batches, kept until the server has them.
// Every message repeats all edits not yet acknowledged, so none is lost when a rerun
// overtakes another; the payload's seq_seen says which ones the server's data include.
// A stroke is an edit under way, as while a point is dragged: each step says the whole of
// it again, so the last one is all that has to arrive, and it is one step for undo.

const WAIT = 150; // ms of quiet before a batch goes out, except after as much quiet
const LIVE = 250; // ms at least from one step of a stroke that goes out to the next
const UNANSWERED = 1500; // ms after which a step goes out although the last is unanswered
const AGAIN = 8000; // ms without an answer before it goes out again, then twice as many
const DOUBLINGS = 1; // times that this is doubled: nobody waits longer than 16 s

/** @typedef {{ op: Op, inverse: Op }} Step */
/** @typedef {Step & { seq: number }} Stroke */
/** @typedef {Pick<EditLog, "client" | "seq" | "pending" | "done" | "undone" | "requests" | "dataId">} Kept */

export class EditLog {
  /** @param {(message: Message) => void} send @param {() => void} changed */
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
    this.client = Math.random().toString(36).slice(2, 10);
    this.seq = 0;
    /** @type {SentOp[]} */
    this.pending = [];
    /** @type {Step[]} */
    this.undone = [];
    /** @type {Step[]} */
    this.done = [];
    this.requests = 0;
    /** @type {Timer | null} */
    this.timer = null;
    this.tries = 0;
    /** @type {Stroke | null} */
    this.stroke = null;
    /** @type {string | undefined} */
    this.dataId = undefined;
    /** @type {Model} */
    this.model = { n: 0, x: [], y: [], given: [], source: [], number: [], next: 0 };
    /** @type {Stage | null} */
    this.from = null; // the stage under the hand
    this.sent = { seq: 0, at: -Infinity, answered: true };
    this.pushed = -Infinity; // when the last edit was made
  }

  // New data from the server: forget what it has seen, redo the rest on top.
  /** @param {View} view @param {Stage} [_stage] */
  reconcile(view, _stage) {
    const seen = view.client === this.client ? view.seq_seen : 0;
    if (this.dataId !== undefined && this.dataId !== view.data_id) {
      this.pending = [];
      this.stroke = null;
      this.forget();
    }
    this.dataId = view.data_id;
    const before = this.pending.length;
    this.pending = this.pending.filter((op) => op.seq > seen);
    if (this.pending.length < before) this.tries = 0;
    this.model = baseModel(view);
    for (const op of this.pending) applyOp(this.model, op);
    if (seen >= this.sent.seq && !view.pending) this.sent.answered = true;
    if (this.stroke) this.pace();
  }

  // What a stage that goes off the page leaves to the one that comes back.
  /** @returns {Kept | null} */
  get kept() {
    const { client, seq, pending, done, undone, requests, dataId } = this;
    return { client, seq, pending, done, undone, requests, dataId };
  }

  /** @param {Kept | null} kept */
  inherit(kept) {
    Object.assign(this, kept);
    if (this.pending.length) this.timer = setTimeout(() => this.flush(), WAIT);
  }

  forget() {
    this.done = [];
    this.undone = [];
  }

  get waiting() {
    return this.pending.length > 0;
  }

  // One action of the user; its inverse goes on the undo stack.
  /** @param {Op} op */
  act(op) {
    this.finish();
    const inverse = inverseOf(this.model, op);
    if (inverse === null) return;
    this.done.push({ op, inverse });
    this.undone = [];
    this.push(op);
  }

  // What a stroke has done so far, and what takes all of it back.
  /** @param {Op} op @param {Op} inverse */
  extend(op, inverse) {
    this.drop(this.stroke);
    this.put(op);
    this.stroke = { op, inverse, seq: this.seq };
    this.pace();
    this.changed();
  }

  // The stroke is over; told once more, so that the server knows it as well.
  finish() {
    const { stroke } = this;
    if (!stroke) return false;
    this.drop(stroke);
    this.stroke = null;
    this.done.push({ op: stroke.op, inverse: stroke.inverse });
    this.undone = [];
    this.push(stroke.op);
    return true;
  }

  // A later step of a stroke holds all of the earlier ones.
  /** @param {Stroke | null} stroke */
  drop(stroke) {
    if (stroke) this.pending = this.pending.filter((op) => op.seq !== stroke.seq);
  }

  // The next step goes out when the last one is answered, or when that takes too long.
  pace() {
    clearTimeout(this.timer ?? undefined);
    const { at, answered } = this.sent,
      due = at + (answered ? LIVE : UNANSWERED);
    this.timer = setTimeout(() => this.flush(), Math.max(0, due - performance.now()));
  }

  undo() {
    this.finish();
    const step = this.done.pop();
    if (!step) return false;
    this.undone.push(step);
    this.push(step.inverse);
    return true;
  }

  redo() {
    if (this.finish()) return false; // something newer was done
    const step = this.undone.pop();
    if (!step) return false;
    this.done.push(step);
    this.push(step.op);
    return true;
  }

  /** @param {Op} op */
  put(op) {
    this.seq += 1;
    this.pending.push({ ...op, seq: this.seq, data_id: this.dataId });
    applyOp(this.model, op);
  }

  /** @param {Op} op */
  push(op) {
    // The first edit after a rest goes out at once, those that follow it in batches.
    const now = performance.now(),
      rested = this.sent.answered && now - this.pushed >= WAIT;
    this.pushed = now;
    this.put(op);
    clearTimeout(this.timer ?? undefined);
    this.timer = setTimeout(() => this.flush(), rested ? 0 : WAIT);
    this.changed();
  }

  flush() {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
    if (!this.pending.length) return;
    this.requests += 1;
    this.sent = { seq: this.seq, at: performance.now(), answered: false };
    const { client, seq, pending, tries, stroke } = this;
    this.send({ client, seq, ops: [...pending], tries, live: stroke !== null });
    this.changed();
    // A message can be lost, and a server can forget: ask again, ever more patiently.
    this.timer = setTimeout(() => this.flush(), AGAIN * 2 ** this.tries);
    this.tries = Math.min(this.tries + 1, DOUBLINGS);
  }

  leave() {
    this.finish();
    this.flush();
    clearTimeout(this.timer ?? undefined);
  }
}

// Displayed points, in the order of their numbers. A point keeps its number for good;
// `source` is its row in the server's arrays, -1 for new points.
/** @param {View} view */
export function baseModel(view) {
  const xy = view.arrays.points.data,
    { number, given } = view.arrays;
  /** @type {Model} */
  const model = {
    n: view.n,
    x: [],
    y: [],
    given: Array.from(given.data),
    source: [],
    number: Array.from(number.data),
    next: view.next_number,
  };
  for (let i = 0; i < view.n; i++) {
    model.x.push(xy[2 * i]);
    model.y.push(xy[2 * i + 1]);
    model.source.push(i);
  }
  return model;
}

/** @param {Model} model @param {number} i */
export function numberOf(model, i) {
  return model.number[i];
}

// Place of the first point whose number is at least `number`.
/** @param {Model} model @param {number} number */
function placeOf(model, number) {
  let low = 0,
    high = model.n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (model.number[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Place of the point called `number`, or -1 when it is not on the stage.
/** @param {Model} model @param {number} number */
export function rowOf(model, number) {
  const at = placeOf(model, number);
  return model.number[at] === number ? at : -1;
}

/** @param {{ class?: number, classes?: number[] }} op @param {number} j */
function classAt(op, j) {
  return op.classes?.[j] ?? op.class ?? -1;
}

/** @param {Model} model @param {Op} op */
export function applyOp(model, op) {
  if (op.op === "add") return insert(model, op);
  if (op.op === "add_many") {
    return op.idx.forEach((i, j) => insert(model, { i, x: op.x[j], y: op.y[j], class: classAt(op, j) }));
  }
  if (op.op === "remove_many") return op.idx.forEach((number) => remove(model, number));
  if (op.op === "label_many") {
    return op.idx.forEach((number, j) => setClass(model, number, classAt(op, j)));
  }
  if (op.op === "label") return setClass(model, op.i, op.class);
  if (op.op === "erase") return setClass(model, op.i, -1);
  if (op.op === "remove") return remove(model, op.i);
  if (op.op !== "move") return;
  const i = rowOf(model, op.i);
  if (i < 0) return;
  model.x[i] = op.x;
  model.y[i] = op.y;
}

/** @param {Model} model @param {number} number */
function remove(model, number) {
  const i = rowOf(model, number);
  if (i < 0) return;
  for (const list of [model.x, model.y, model.given, model.source, model.number]) list.splice(i, 1);
  model.n -= 1;
}

/** @param {Model} model @param {number} number @param {number} c */
function setClass(model, number, c) {
  const i = rowOf(model, number);
  if (i >= 0) model.given[i] = c;
}

/** @param {Model} model @param {{ i: number, x: number, y: number, class: number }} op */
function insert(model, op) {
  const at = placeOf(model, op.i),
    there = model.number[at] === op.i;
  const put = (/** @type {number[]} */ list, /** @type {number} */ value) => list.splice(at, there ? 1 : 0, value);
  put(model.x, op.x);
  put(model.y, op.y);
  put(model.given, op.class);
  if (there) return;
  put(model.source, -1);
  put(model.number, op.i);
  model.n += 1;
  model.next = Math.max(model.next, op.i + 1);
}

// The edit that takes `op` back, or null when `op` would change nothing.
/** @param {Model} model @param {Op} op @returns {Op | null} */
export function inverseOf(model, op) {
  if (op.op === "add") return { op: "remove", i: op.i };
  if (op.op === "label_many") {
    const idx = op.idx.filter((number) => rowOf(model, number) >= 0);
    const classes = idx.map((number) => model.given[rowOf(model, number)]);
    return classes.every((c) => c === op.class) ? null : { op: "label_many", idx, classes };
  }
  const i = "i" in op ? rowOf(model, op.i) : -1;
  if (i < 0) return null;
  switch (op.op) {
    case "label":
    case "erase": {
      const next = op.op === "erase" ? -1 : op.class;
      return model.given[i] === next ? null : { op: "label", i: op.i, class: model.given[i] };
    }
    case "move":
      return { op: "move", i: op.i, x: model.x[i], y: model.y[i] };
    case "remove":
      return { op: "add", i: op.i, x: model.x[i], y: model.y[i], class: model.given[i] };
    default:
      return null;
  }
}
