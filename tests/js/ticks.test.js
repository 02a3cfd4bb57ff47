// Ticks of axes: they end for any axis, lie on it, and read differently from each other.

import assert from "node:assert/strict";
import { it } from "node:test";
import { ordinate } from "../../stage/js/curves.js";
import { formatCount, tickTexts } from "../../stage/js/numerals.js";
import { niceTicks } from "../../stage/js/ticks.js";

const AXES = [
  [1.7e18, 1.7e18 + 1000], // a loop that added a step never ended here
  [1.7e18, 1.7e18 + 1e6],
  [-1e308, 1e308],
  [0, 5e-324],
  [1e-300, 2e-300],
  [12345678, 12345679],
  [1 - 1e-16, 1],
  [0.1, 0.1 + 1e-15],
  [-1.3, 2.4],
  [0, 0.002],
  [0, 3e5],
  [10000, 10000.4],
  [-0.0007, 0.0003],
];

it("ticks end for every axis and lie on it", () => {
  for (const [low, high] of AXES) {
    for (const count of [3, 4, 7, 20, 1e9]) {
      const found = niceTicks(low, high, count);
      assert.ok(found.length >= 1 && found.length <= Math.min(2 * count + 2, 200), `${low} ${high}`);
      const room = 1e-9 * Math.min(high - low, 1e300) + 1e-15 * Math.max(Math.abs(low), Math.abs(high));
      assert.ok(found.every((v) => low - room <= v && v <= high + room));
      assert.equal(new Set(found).size, found.length);
    }
  }
});

it("labels of ticks are all different and have no e", () => {
  for (const [low, high] of AXES) {
    for (const count of [3, 4, 7]) {
      const texts = tickTexts(niceTicks(low, high, count));
      assert.equal(new Set(texts).size, texts.length, texts.join());
      assert.ok(!texts.some((text) => text.includes("e")));
    }
  }
});

it("ticks of one axis are written alike", () => {
  const alike = (/** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ count) =>
    tickTexts(niceTicks(low, high, count)).join(" ");
  assert.equal(alike(0, 0.002, 4), "0 0.0005 0.001 0.0015 0.002");
  assert.equal(alike(0, 3e5, 3), "0 10⁵ 2·10⁵ 3·10⁵");
  assert.equal(alike(-200, 1777, 4), "0 500 1,000 1,500");
  assert.equal(alike(10000, 10000.4, 2), "10,000 10,000.2 10,000.4");
});

it("there is nothing between two iterations", () => {
  for (const last of [1, 2, 3, 4, 7, 30, 1777]) {
    for (const count of [3, 8, 20]) {
      const found = niceTicks(0, last, count, true);
      assert.ok(found.length >= 2 && found.every(Number.isInteger));
    }
  }
});

it("a curve of counts has whole ticks", () => {
  /** @type {[number[], string][]} */
  const cases = [
    [[0, 1, 0], "0 1"], // "pairs switched 0.2"
    [[0, 0, 0], "0 1"],
    [[5, 5], "4 5 6"],
    [[0, 1, 2.5], "0 0.5 1 1.5 2 2.5"],
    [[0, 2300], "0 500 1,000 1,500 2,000 2,500"],
  ];
  for (const [values, texts] of cases) {
    const panel = /** @type {any} */ ({ series: [{ values, name: "pairs" }], bundles: [] });
    const { ticks, map } = ordinate(panel, 6);
    assert.equal(ticks.map((tick) => tick.text).join(" "), texts);
    assert.ok(values.map(map).every((share) => share >= 0 && share <= 1));
  }
});

it("a count has its thousands apart", () => {
  assert.deepEqual([999, 1777, -1e6].map(formatCount), ["999", "1,777", "−1,000,000"]);
});
