// Edits: shown at once, sent in numbered batches, kept until the server has them.
// Every message repeats all edits not yet acknowledged, so none is lost when a rerun
// overtakes another; the payload's seq_seen says which ones the server's data include.

const WAIT = 150; // ms of quiet before a batch goes out
const AGAIN = 8000; // ms without an answer before it goes out again, then twice as many
const DOUBLINGS = 1; // times that this is doubled: nobody waits longer than 16 s

export class EditLog {
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
    this.client = Math.random().toString(36).slice(2, 10);
    this.seq = 0;
    this.pending = [];
    this.undone = [];
    this.done = [];
    this.requests = 0;
    this.timer = null;
    this.tries = 0;
  }

  // New data from the server: forget what it has seen, redo the rest on top.
  reconcile(view) {
    const seen = view.client === this.client ? view.seq_seen : 0;
    if (this.dataId !== undefined && this.dataId !== view.data_id) {
      this.pending = [];
      this.forget();
    }
    this.dataId = view.data_id;
    const before = this.pending.length;
    this.pending = this.pending.filter((op) => op.seq > seen);
    if (this.pending.length < before) this.tries = 0;
    this.view = view;
    this.model = baseModel(view);
    for (const op of this.pending) applyOp(this.model, op);
  }

  // What a stage that goes off the page leaves to the one that comes back.
  get kept() {
    const { client, seq, pending, done, undone, requests, dataId } = this;
    return { client, seq, pending, done, undone, requests, dataId };
  }

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
  act(op) {
    const inverse = inverseOf(this.model, op);
    if (inverse === null) return;
    this.done.push({ op, inverse });
    this.undone = [];
    this.push(op);
  }

  undo() {
    const step = this.done.pop();
    if (!step) return false;
    this.undone.push(step);
    this.push(step.inverse);
    return true;
  }

  redo() {
    const step = this.undone.pop();
    if (!step) return false;
    this.done.push(step);
    this.push(step.op);
    return true;
  }

  push(op) {
    this.seq += 1;
    this.pending.push({ ...op, seq: this.seq, data_id: this.dataId });
    applyOp(this.model, op);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), WAIT);
    this.changed();
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (!this.pending.length) return;
    this.requests += 1;
    this.send({ client: this.client, seq: this.seq, ops: this.pending, tries: this.tries });
    this.changed();
    // A message can be lost, and a server can forget: ask again, ever more patiently.
    this.timer = setTimeout(() => this.flush(), AGAIN * 2 ** this.tries);
    this.tries = Math.min(this.tries + 1, DOUBLINGS);
  }

  leave() {
    this.flush();
    clearTimeout(this.timer);
  }
}

// Displayed points, in the order of their numbers. A point keeps its number for good;
// `source` is its row in the server's arrays, -1 for new points.
function baseModel(view) {
  const xy = view.arrays.points.data, { number, given } = view.arrays;
  const model = { n: view.n, x: [], y: [], given: Array.from(given.data), source: [] };
  for (let i = 0; i < view.n; i++) {
    model.x.push(xy[2 * i]);
    model.y.push(xy[2 * i + 1]);
    model.source.push(i);
  }
  model.number = Array.from(number.data);
  model.next = view.next_number; // what the next new point will be called
  return model;
}

export function numberOf(model, i) {
  return model.number[i];
}

// Place of the first point whose number is at least `number`.
function placeOf(model, number) {
  let low = 0, high = model.n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (model.number[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Place of the point called `number`, or -1 when it is not on the stage.
function rowOf(model, number) {
  const at = placeOf(model, number);
  return model.number[at] === number ? at : -1;
}

export function applyOp(model, op) {
  if (op.op === "add") return insert(model, op);
  if (op.op === "label_many") {
    return op.idx.forEach((number, j) => setClass(model, number, op.classes ? op.classes[j] : op.class));
  }
  if (op.op === "label") return setClass(model, op.i, op.class);
  if (op.op === "erase") return setClass(model, op.i, -1);
  const i = op.i === undefined ? -1 : rowOf(model, op.i);
  if (i < 0) return;
  if (op.op === "move") {
    model.x[i] = op.x;
    model.y[i] = op.y;
  } else if (op.op === "remove") {
    for (const list of [model.x, model.y, model.given, model.source, model.number]) list.splice(i, 1);
    model.n -= 1;
  }
}

function setClass(model, number, c) {
  const i = rowOf(model, number);
  if (i >= 0) model.given[i] = c;
}

function insert(model, op) {
  const at = placeOf(model, op.i), there = model.number[at] === op.i;
  const put = (list, value) => list.splice(at, there ? 1 : 0, value);
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
export function inverseOf(model, op) {
  if (op.op === "add") return { op: "remove", i: op.i };
  if (op.op === "label_many") {
    const idx = op.idx.filter((number) => rowOf(model, number) >= 0);
    const classes = idx.map((number) => model.given[rowOf(model, number)]);
    return classes.every((c) => c === op.class) ? null : { op: "label_many", idx, classes };
  }
  const i = rowOf(model, op.i);
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
