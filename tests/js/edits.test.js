// The edit log: what is done is seen at once, arrives once, and can be taken back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, it, mock } from "node:test";
import { applyOp, baseModel, EditLog, inverseOf, rowOf } from "../../stage/js/edits.js";
import { threePoints } from "./views.js";

const CASES = JSON.parse(readFileSync(new URL("../stage/edits.json", import.meta.url), "utf-8"));

/** @param {Model} model */
const state = ({ number, given, x, y, next }) => ({ number, given, x, y, next });

describe("an edit", () => {
  for (const [name, { ops, end }] of Object.entries(CASES)) {
    it(`does what Python says: ${name}`, () => {
      const model = baseModel(threePoints());
      for (const op of ops) applyOp(model, op);
      assert.deepEqual(state(model), end);
    });
  }

  it("that is taken back leaves no trace but the next number", () => {
    for (const { ops } of Object.values(CASES)) {
      const model = baseModel(threePoints());
      for (const op of ops) {
        const before = state(structuredClone(model)),
          inverse = inverseOf(model, op);
        if (!inverse) continue;
        applyOp(model, op);
        applyOp(model, inverse);
        assert.deepEqual({ ...state(model), next: before.next }, before, JSON.stringify(op));
        applyOp(model, op);
      }
    }
  });

  it("that would change nothing has no inverse", () => {
    const model = baseModel(threePoints());
    assert.equal(inverseOf(model, { op: "label", i: 0, class: 0 }), null);
    assert.equal(inverseOf(model, { op: "erase", i: 1 }), null);
    assert.equal(inverseOf(model, { op: "remove", i: 9 }), null);
    assert.equal(inverseOf(model, { op: "label_many", idx: [1, 2], class: -1 }), null);
    assert.equal(rowOf(model, 9), -1);
  });
});

describe("the log", () => {
  /** @type {Message[]} */
  let sent = [];
  /** @type {EditLog} */
  let log;
  let now = 0;

  const pass = (/** @type {number} */ ms) => {
    now += ms;
    mock.timers.tick(ms);
  };
  // What the server answers when it has applied all edits up to a number.
  const answer = (/** @type {number} */ seq, more = {}) =>
    log.reconcile(threePoints({ client: log.client, seq_seen: seq, ...more }));

  beforeEach(() => {
    mock.reset();
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout"] });
    now = 0;
    mock.method(performance, "now", () => now);
    sent = [];
    log = new EditLog(
      (message) => sent.push(structuredClone(message)),
      () => {},
    );
    log.reconcile(threePoints());
  });

  it("shows an edit at once and sends the first one at once, too", () => {
    log.act({ op: "label", i: 1, class: 1 });
    assert.deepEqual(log.model.given, [0, 1, -1]);
    pass(0);
    assert.equal(sent.length, 1);
  });

  it("sends what follows after 150 ms of quiet, with all that is not answered", () => {
    log.act({ op: "label", i: 1, class: 1 });
    pass(0);
    pass(100);
    log.act({ op: "label", i: 2, class: 0 });
    pass(100);
    log.act({ op: "label", i: 0, class: 1 });
    pass(149);
    assert.equal(sent.length, 1);
    pass(1);
    assert.equal(sent.length, 2);
    assert.deepEqual(
      sent[1].ops.map((op) => [op.seq, "i" in op && op.i, op.data_id]),
      [
        [1, 1, "data"],
        [2, 2, "data"],
        [3, 0, "data"],
      ],
    );
  });

  it("breaks no run off for an edit that comes before the answer or in a burst", () => {
    log.act({ op: "label", i: 1, class: 1 });
    pass(0);
    pass(1_000); // a long run
    log.act({ op: "label", i: 2, class: 0 });
    pass(149);
    assert.equal(sent.length, 1);
    pass(1);
    answer(2);
    pass(149);
    log.act({ op: "label", i: 1, class: 0 });
    pass(0);
    assert.equal(sent.length, 3);
    answer(3);
    log.act({ op: "label", i: 2, class: 1 });
    pass(149);
    assert.equal(sent.length, 3);
  });

  it("repeats what is not acknowledged, and nothing else", () => {
    log.act({ op: "label", i: 1, class: 1 });
    pass(150);
    log.act({ op: "label", i: 2, class: 1 });
    pass(150);
    assert.deepEqual(
      sent[1].ops.map((op) => op.seq),
      [1, 2],
    );
    answer(1);
    assert.ok(log.waiting);
    assert.deepEqual(log.model.given, [0, -1, 1]); // the server's data and the rest on top
    answer(2);
    assert.ok(!log.waiting);
    pass(60_000);
    assert.equal(sent.length, 2);
  });

  it("asks again after 8 s and then every 16 s", () => {
    log.act({ op: "label", i: 1, class: 1 });
    pass(0);
    pass(7_999);
    assert.equal(sent.length, 1);
    pass(1);
    assert.equal(sent.length, 2);
    pass(16_000);
    pass(16_000);
    assert.deepEqual(
      sent.map((message) => message.tries),
      [0, 1, 1, 1],
    );
  });

  it("takes no answer to another browser for its own", () => {
    log.act({ op: "label", i: 1, class: 1 });
    answer(5, { client: "another" });
    assert.ok(log.waiting);
    assert.deepEqual(log.model.given, [0, 1, -1]);
  });

  it("forgets edits and undo when other data come", () => {
    log.act({ op: "label", i: 1, class: 1 });
    answer(0, { data_id: "other" });
    assert.ok(!log.waiting);
    assert.equal(log.undo(), false);
  });

  it("undoes and redoes by edits that the server can apply", () => {
    log.act({ op: "label", i: 1, class: 1 });
    log.act({ op: "remove", i: 0 });
    assert.ok(log.undo());
    assert.deepEqual(log.model.number, [0, 1, 2]);
    assert.ok(log.undo());
    assert.deepEqual(log.model.given, [0, -1, -1]);
    assert.equal(log.undo(), false);
    assert.ok(log.redo());
    assert.deepEqual(log.model.given, [0, 1, -1]);
    pass(150);
    const model = baseModel(threePoints());
    for (const op of sent[0].ops) applyOp(model, op);
    assert.deepEqual(state(model), state(log.model));
  });

  it("has nothing to redo after something new", () => {
    log.act({ op: "label", i: 1, class: 1 });
    log.undo();
    log.act({ op: "label", i: 2, class: 1 });
    assert.equal(log.redo(), false);
  });

  it("does not act on what changes nothing", () => {
    log.act({ op: "erase", i: 1 });
    assert.ok(!log.waiting);
    assert.equal(log.undo(), false);
  });

  describe("while a stroke is under way", () => {
    const drag = (/** @type {number} */ x) =>
      log.extend({ op: "move", i: 2, x, y: 0 }, { op: "move", i: 2, x: 2, y: 20 });

    it("keeps its last step alone, and it is one step to undo", () => {
      for (const x of [3, 4, 5]) drag(x);
      assert.equal(log.pending.length, 1);
      assert.ok(log.finish());
      assert.equal(log.finish(), false);
      assert.deepEqual([log.model.x[2], log.model.y[2]], [5, 0]);
      log.undo();
      assert.deepEqual([log.model.x[2], log.model.y[2]], [2, 20]);
    });

    it("sends a step when the last is answered, at most every 250 ms", () => {
      drag(3);
      pass(0);
      assert.deepEqual([sent.length, sent[0].live], [1, true]);
      pass(100);
      drag(4);
      pass(100);
      assert.equal(sent.length, 1); // not answered yet
      answer(1);
      pass(49);
      assert.equal(sent.length, 1);
      pass(1);
      assert.equal(sent.length, 2);
      assert.equal(sent[1].ops.length, 1);
      assert.equal(log.model.x[2], 4);
    });

    it("waits no longer than 1.5 s for an answer", () => {
      drag(3);
      pass(0);
      drag(4);
      pass(1_499);
      assert.equal(sent.length, 1);
      pass(1);
      assert.equal(sent.length, 2);
    });

    it("ends with a message that is not live", () => {
      drag(3);
      pass(0);
      log.finish();
      pass(150);
      assert.equal(sent.at(-1)?.live, false);
      assert.equal(sent.at(-1)?.ops.length, 1);
    });

    it("is ended by any other edit, which comes after it", () => {
      drag(3);
      log.act({ op: "label", i: 2, class: 1 });
      assert.deepEqual(
        log.pending.map((op) => op.op),
        ["move", "label"],
      );
      assert.equal(log.stroke, null);
    });
  });

  it("leaves what it has not sent to the stage that comes back", () => {
    log.act({ op: "label", i: 1, class: 1 });
    const next = new EditLog(
      (message) => sent.push(message),
      () => {},
    );
    next.inherit(log.kept);
    clearTimeout(log.timer ?? undefined);
    next.reconcile(threePoints());
    pass(150);
    assert.equal(sent.length, 1);
    assert.equal(sent[0].client, log.client);
    assert.ok(next.undo());
  });
});
