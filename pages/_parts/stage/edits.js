// Edits: shown at once, sent in numbered batches, kept until the server has them.
// Every message repeats all edits not yet acknowledged, so none is lost when a rerun
// overtakes another; the payload's seq_seen says which ones the server's data include.

const WAIT = 150; // ms of quiet before a batch goes out

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
  }

  // New data from the server: forget what it has seen, redo the rest on top.
  reconcile(view) {
    const seen = view.client === this.client ? view.seq_seen : 0;
    if (this.dataId !== undefined && this.dataId !== view.data_id) {
      this.pending = [];
      this.forget();
    }
    this.dataId = view.data_id;
    this.pending = this.pending.filter((op) => op.seq > seen);
    const before = this.model ? this.model.n : null;
    this.view = view;
    this.model = baseModel(view);
    for (const op of this.pending) applyOp(this.model, op);
    // Someone else changed the number of points: old indices mean nothing any more.
    if (before !== null && before !== this.model.n) this.forget();
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
    this.send({ client: this.client, seq: this.seq, ops: this.pending });
    this.changed();
  }
}

// Displayed points; `source` is the row of the server's arrays, -1 for new points;
// `id` is the number the server knows the point by.
function baseModel(view) {
  const xy = view.arrays.points.data, index = view.arrays.index;
  const model = { n: view.n, x: [], y: [], given: Array.from(view.arrays.given.data), source: [] };
  for (let i = 0; i < view.n; i++) {
    model.x.push(xy[2 * i]);
    model.y.push(xy[2 * i + 1]);
    model.source.push(i);
  }
  model.ids = index ? index.data : null; // drawn part of many points: no adding there
  model.row = index ? new Map(Array.from(index.data, (id, i) => [id, i])) : null;
  return model;
}

export function idOf(model, i) {
  return model.ids ? model.ids[i] : i;
}

function rowOf(model, id) {
  return model.row ? model.row.get(id) : id;
}

export function applyOp(model, op) {
  const i = op.i === undefined ? undefined : rowOf(model, op.i);
  if (op.op === "label") model.given[i] = op.class;
  else if (op.op === "erase") model.given[i] = -1;
  else if (op.op === "move") {
    model.x[i] = op.x;
    model.y[i] = op.y;
  } else if (op.op === "label_many") {
    op.idx.forEach((id, j) => { model.given[rowOf(model, id)] = op.classes ? op.classes[j] : op.class; });
  } else if (op.op === "add") {
    const at = i === undefined ? model.n : i;
    model.x.splice(at, 0, op.x);
    model.y.splice(at, 0, op.y);
    model.given.splice(at, 0, op.class);
    model.source.splice(at, 0, -1);
    model.n += 1;
  } else if (op.op === "remove") {
    for (const list of [model.x, model.y, model.given, model.source]) list.splice(i, 1);
    model.n -= 1;
  }
}

// The edit that takes `op` back, or null when `op` would change nothing.
export function inverseOf(model, op) {
  const i = op.i === undefined ? undefined : rowOf(model, op.i);
  switch (op.op) {
    case "label":
    case "erase": {
      const next = op.op === "erase" ? -1 : op.class;
      return model.given[i] === next ? null : { op: "label", i: op.i, class: model.given[i] };
    }
    case "label_many": {
      const classes = op.idx.map((id) => model.given[rowOf(model, id)]);
      return classes.every((c) => c === op.class) ? null : { op: "label_many", idx: op.idx, classes };
    }
    case "move":
      return { op: "move", i: op.i, x: model.x[i], y: model.y[i] };
    case "add":
      return { op: "remove", i: op.i === undefined ? model.n : op.i };
    case "remove":
      return { op: "add", i: op.i, x: model.x[i], y: model.y[i], class: model.given[i] };
    default:
      return null;
  }
}
