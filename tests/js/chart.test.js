// Charts: everything lies inside the axes, ticks are whole numbers, words stand apart.

import assert from "node:assert/strict";
import { it } from "node:test";
import { atPoint, longest } from "../../pages/_parts/benchmarks/assets/table.js";
import { drawChart, layoutChart, saidAt, scaleOf } from "../../stage/js/chart.js";
import { overlap, placeWords } from "../../stage/js/labels.js";
import { LIGHT } from "../../stage/js/theme.js";
import { makeLogScale } from "../../stage/js/track.js";

const theme = /** @type {Theme} */ ({ ...LIGHT, font: "sans" });

// A pen that writes down what is drawn; seven pixels a letter.
function pen() {
  /** @type {[string, any[]][]} */
  const calls = [];
  const own = { measureText: (/** @type {string} */ text) => ({ width: 7 * text.length }) };
  const ctx = new Proxy(/** @type {any} */ (own), {
    get: (from, name) => from[name] ?? ((/** @type {any[]} */ ...given) => calls.push([String(name), given])),
    set: (from, name, value) => {
      if (typeof value !== "function") from[name] = value;
      return true;
    },
  });
  return { ctx: /** @type {Ctx} */ (ctx), calls };
}

const axis = { title: "", log: false, percent: false, names: /** @type {string[]} */ ([]) };
const marks = {
  name: "ours",
  x: [6.5, 40],
  y: [0, 1],
  role: "accent",
  symbol: "circle",
  size: 5,
  hollow: false,
  line: "",
  said: ["first", "second"],
  words: /** @type {string[]} */ ([]),
  low: [6, 20],
  high: [7, 60],
};
const chart = {
  title: "A table",
  alt: "",
  height: 300,
  x: { ...axis, title: "%" },
  y: { ...axis, names: ["g50c", "a rather long name of a method, for a phone"] },
  marks: [marks],
  band: [-1, 1],
  at: 0,
};

it("marks, bars, band and line lie inside the plot, at every width", () => {
  for (const width of [280, 390, 1200]) {
    for (const log of [false, true]) {
      const one = { ...chart, x: { ...chart.x, log }, band: log ? [] : chart.band, at: log ? 1 : 0 };
      const { plot, toX, toY } = layoutChart(pen().ctx, one, width, theme);
      assert.ok(plot.width > 100 && plot.height > 100);
      for (const v of [...marks.x, ...marks.low, ...marks.high, ...one.band, one.at]) {
        assert.ok(toX(v) > plot.left && toX(v) < plot.left + plot.width, `${v} at ${width}`);
      }
      assert.ok(toY(0) > plot.top && toY(0) < toY(1) && toY(1) < plot.top + plot.height);
    }
  }
});

it("names, ticks and the legend are written, and no number has an e", () => {
  const { ctx, calls } = pen();
  drawChart(ctx, chart, 600, theme);
  const texts = calls.filter(([name]) => name === "fillText").map(([, [text]]) => text);
  for (const text of ["A table", "ours", "%", "0", "60", ...chart.y.names]) assert.ok(texts.includes(text), text);
});

it("a log axis is labelled with whole numbers", () => {
  const texts = (/** @type {number} */ low, /** @type {number} */ high) =>
    makeLogScale(low, high)
      .ticks(8)
      .map(({ text }) => text)
      .join(" ");
  assert.equal(texts(6, 32), "6 7 8 9 10 20 30"); // not 6 7 8 9 10 2 3
  assert.equal(texts(0.25, 3554), "1 10 100 1,000");
  for (const [low, high] of [
    [10.4, 11.2],
    [1e-8, 3],
    [0.5, 2],
    [900, 1777],
    [1e4, 1e9],
    [6.6, 6.61],
  ]) {
    const ticks = makeLogScale(low, high).ticks(8);
    assert.ok(ticks.length >= 2 && ticks.length <= 9, `${low} ${high}`);
    assert.ok(ticks.every(({ value }) => value >= low && value <= high));
    assert.equal(new Set(ticks.map(({ text }) => text)).size, ticks.length);
  }
});

it("shares are told in percent, with room on both sides", () => {
  const scale = scaleOf({ ...axis, percent: true }, [0, 0.45]);
  const ticks = scale.ticks(5).filter(({ value }) => value >= 0);
  assert.equal(ticks.map(({ text }) => text).join(" "), "0 % 10 % 20 % 30 % 40 %");
  assert.ok(Math.abs(scale.share(scale.value(0.3)) - 0.3) < 1e-12);
  assert.ok(scale.share(0) > 0 && scale.share(0.45) < 1);
});

it("one value, equal values and none have a scale, too", () => {
  for (const log of [false, true]) {
    for (const values of [[], [3], [3, 3], [NaN]]) {
      const scale = scaleOf({ ...axis, log }, values);
      assert.ok(scale.ticks(6).length >= 1);
      assert.ok(values.every((v) => Number.isNaN(v) || (scale.share(v) > 0.1 && scale.share(v) < 0.9)));
    }
  }
  const empty = { ...chart, marks: [], y: axis };
  assert.ok(drawChart(pen().ctx, empty, 400, theme).plot.height > 0);
});

it("the pointer is told of the mark that it is near to, and of none far away", () => {
  const lay = layoutChart(pen().ctx, chart, 600, theme);
  assert.equal(saidAt(chart, lay, lay.toX(40) + 6, lay.toY(1) - 6), "second");
  assert.equal(saidAt(chart, lay, lay.toX(25), lay.toY(0)), "");
});

it("words of marks at one place stand apart and inside the plot", () => {
  const plot = { left: 40, top: 10, width: 400, height: 300 };
  /** @type {import("../../stage/js/labels.js").Spot[]} */
  const taken = [];
  const places = [0, 1, 2, 3].map(() => placeWords(400, 150, 90, 20, plot, taken));
  places.forEach((a, i) => {
    assert.ok(a.x + a.w / 2 <= 440 && a.y + a.h / 2 <= 310);
    for (const b of places.slice(0, i)) assert.ok(!overlap(a, b));
  });
});

it("numbers of a column part at their decimal point", () => {
  assert.deepEqual(atPoint("12.25"), ["12", ".25"]);
  assert.deepEqual(atPoint("−0.5"), ["−0", ".5"]);
  assert.deepEqual(atPoint("1,234.6"), ["1,234", ".6"]);
  assert.deepEqual(atPoint("61"), ["61", ""]);
  assert.deepEqual(atPoint("3 / 5 / 2"), ["3 / 5 / 2", ""]);
  const cell = (/** @type {string} */ ours, /** @type {string} */ paper) =>
    /** @type {any} */ ({ ours: [ours, ""], paper: [paper, ""] });
  assert.deepEqual(longest([cell("6.5", "12.25"), null, cell("104.0", "–")]), ["104", ".25"]);
});
