// The cursor: frames, an axis of their own, and the player that runs along them.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Clock, makeScale, Track } from "../../stage/js/track.js";
import { Player, positionOf } from "../../stage/js/transport.js";
import { threePoints } from "./views.js";

const plain = (/** @type {number[]} */ t) => new Track(threePoints({ frame_t: t, T: t.length }));

function along(/** @type {number[]} */ values, floor = null) {
  const view = threePoints({ frame_t: values.map((_, i) => i), T: values.length, axis: { name: "λ", floor } });
  view.arrays.axis = { data: Float64Array.from(values), shape: [values.length] };
  return new Track(view);
}

describe("a scale", () => {
  it("goes there and back, with and without a logarithm", () => {
    for (const scale of [makeScale(-2, 6), makeScale(0, 1e3, 1e-3)]) {
      for (const share of [0, 0.03, 0.07, 0.4, 1]) {
        assert.ok(Math.abs(scale.share(scale.value(share)) - share) < 1e-12);
      }
    }
  });

  it("has 0 and powers of ten as ticks above a floor", () => {
    const texts = makeScale(0, 1e3, 1e-3)
      .ticks(8)
      .map((tick) => tick.text);
    assert.deepEqual(texts, ["0", "0.001", "0.01", "0.1", "1", "10", "100", "1,000"]);
  });

  it("puts all of a range without length into the middle", () => {
    assert.equal(makeScale(3, 3).share(3), 0.5);
  });
});

describe("a track", () => {
  it("says where it is between frames", () => {
    const track = plain([0, 10, 30]);
    assert.equal(track.iteration(1.5), 20);
    assert.equal(track.share(1), 0.5);
    assert.equal(track.words(2), "t = 30 of 30");
    assert.equal(track.frameAt(0.6), 1);
  });

  it("runs along an axis, and knows the side of a jump", () => {
    const track = along([0, 2, 2, 4]);
    assert.ok(track.own);
    assert.deepEqual(track.shares, [0, 0.5, 0.5, 1]);
    assert.equal(track.frameAt(0.49), 1);
    assert.equal(track.frameAt(0.51), 2);
    assert.equal(track.words(3), "λ = 4");
  });

  it("of one frame is at its start", () => {
    assert.equal(plain([0]).share(0), 0);
  });
});

it("iterations between frames have their place", () => {
  assert.equal(positionOf([0, 10, 30], 20), 1.5);
  assert.equal(positionOf([0, 10, 30], -1), 0);
  assert.equal(positionOf([0, 10, 30], 99), 2);
});

it("a clock and its inverse agree, and a jump takes its time", () => {
  const clock = new Clock(along([0, 2, 2, 4]), 10, 2, 24);
  assert.equal(clock.total, 12);
  assert.equal(clock.positionAt(5), 1);
  assert.equal(clock.positionAt(5.5), 1); // the state before the jump rests
  assert.equal(clock.positionAt(6.9), 2);
  for (const position of [0, 0.5, 1, 2.25, 3]) {
    assert.ok(Math.abs(clock.positionAt(clock.timeAt(position)) - position) < 1e-9);
  }
});

describe("the player", () => {
  function player(/** @type {number} */ T) {
    const made = new Player();
    made.setLength(T, null);
    return made;
  }

  it("opens at the end, and plays from the start to the end", () => {
    const it = player(15);
    assert.equal(it.frame, 14);
    it.play();
    assert.equal(it.frame, 0);
    it.tick(1);
    assert.equal(it.frame, 7); // 7 frames a second
    it.tick(5);
    assert.deepEqual([it.frame, it.playing], [14, false]);
  });

  it("takes 14 s for a long run", () => {
    const it = player(1401);
    it.play();
    it.tick(7);
    assert.ok(Math.abs(it.frame - 700) <= 1);
  });

  it("stays where the reader was in the next run, and the end stays the end", () => {
    const it = player(15);
    it.seek(4);
    it.setLength(20, null);
    assert.equal(it.frame, 4);
    it.seek(19);
    it.setLength(1, null); // points alone, while the run is on its way
    it.setLength(30, null);
    assert.equal(it.frame, 29);
    it.setLength(30, 12);
    assert.equal(it.frame, 12);
  });

  it("goes round in a loop", () => {
    const it = player(15);
    it.loop = true;
    it.play();
    it.tick(2.5);
    assert.ok(it.playing);
    assert.ok(it.frame < 14);
  });

  it("plays nothing where there is one frame", () => {
    const it = player(1);
    it.play();
    assert.ok(!it.playing);
  });

  it("takes the time of an axis", () => {
    const it = player(3);
    it.setTrack(along([0, 1, 4]));
    it.play();
    it.tick(3.5); // a quarter of 14 s
    assert.equal(it.frame, 1);
  });
});
