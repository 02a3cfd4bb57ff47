// Stages side by side: one log for all of them, and strokes that it keeps.

import assert from "node:assert/strict";
import { beforeEach, describe, it, mock } from "node:test";
import { Axes } from "../../stage/js/axes.js";
import { Group } from "../../stage/js/group.js";
import { Drag, Rub } from "../../stage/js/strokes.js";
import { threePoints } from "./views.js";

/** As much of a stage as a group and a stroke look at. @param {Group} group */
function stageIn(group) {
  const axes = new Axes();
  axes.setExtent([-1, 3, -5, 25]);
  axes.layout(500, 400, false);
  const stage = {
    view: threePoints(),
    axes,
    log: group.log,
    edits: 0,
    /** @type {Message[]} */
    sent: [],
    /** @type {Model | undefined} */
    mirror: undefined,
    get model() {
      return this.mirror ?? this.log.model;
    },
    send(/** @type {Message} */ message) {
      this.sent.push(structuredClone(message));
    },
    hand: { edited: () => {} },
  };
  const made = /** @type {Stage & typeof stage} */ (/** @type {unknown} */ (stage));
  group.join(made);
  group.log.reconcile(made.view, made);
  return made;
}

describe("two stages", () => {
  let group = new Group();
  let one = stageIn(group);
  let two = stageIn(group);

  beforeEach(() => {
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout"] });
    group = new Group();
    one = stageIn(group);
    two = stageIn(group);
  });

  it("show an edit at once, whichever of them it was made on", () => {
    group.log.from = two;
    group.log.act({ op: "label", i: 1, class: 1 });
    assert.deepEqual([one.model.given[1], two.model.given[1]], [1, 1]);
    mock.timers.tick(150);
    assert.deepEqual([one.sent.length, two.sent.length], [0, 1]); // it goes out by the stage under the hand
  });

  it("keep an edit until both have a view with it", () => {
    const { log } = group;
    log.act({ op: "label", i: 1, class: 1 });
    const answer = threePoints({ client: log.client, seq_seen: 1 });
    answer.arrays.given.data = Int8Array.of(0, 1, -1);
    one.view = answer;
    log.reconcile(answer, one);
    assert.equal(two.model.given[1], 1); // its own view is older
    assert.equal(one.model.given[1], 1);
    two.view = answer;
    log.reconcile(answer, two);
    assert.equal(log.waiting, false);
  });

  it("send by the one that is left when the other goes", () => {
    group.log.from = two;
    group.log.act({ op: "label", i: 1, class: 1 });
    group.leave(two);
    mock.timers.tick(150);
    assert.equal(one.sent.length, 1);
  });
});

describe("a stroke", () => {
  it("drags a point as far as the frame, once the press has moved", () => {
    const stage = stageIn(new Group()),
      { axes } = stage;
    const at = { x: axes.px(1), y: axes.py(10) },
      drag = new Drag(stage, 1, at);
    drag.move({ x: at.x + 1, y: at.y });
    assert.equal(stage.log.pending.length, 0); // a tremble
    drag.move({ x: at.x + 10_000, y: at.y });
    assert.ok(Math.abs(axes.px(stage.model.x[1]) - (axes.box.left + axes.box.width)) < 1e-6);
    assert.ok(stage.log.finish());
    stage.log.undo();
    assert.deepEqual([stage.model.x[1], stage.model.y[1]], [1, 10]);
    clearTimeout(stage.log.timer ?? undefined);
  });

  it("rubs out what it passes, and undo brings all of it back", () => {
    const stage = stageIn(new Group()),
      { axes } = stage;
    const rub = new Rub(stage, { x: axes.px(0), y: axes.py(0) });
    rub.move({ x: axes.px(2), y: axes.py(20) });
    assert.deepEqual(stage.model.number, [1]);
    stage.log.finish();
    stage.log.undo();
    assert.deepEqual(stage.model.number, [0, 1, 2]);
    assert.deepEqual(stage.model.given, [0, -1, -1]);
    clearTimeout(stage.log.timer ?? undefined);
  });
});
