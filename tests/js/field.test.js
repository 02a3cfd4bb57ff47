// The field between its nodes: what is said of a place is what the picture shows there.

import "./canvas.js";
import assert from "node:assert/strict";
import { it } from "node:test";
import { Field } from "../../stage/js/field.js";
import { placeFacts, placeSentence } from "../../stage/js/hover.js";
import { decodeTable } from "../../stage/js/unpack.js";
import { threePoints } from "./views.js";

const SIDE = 40;
const SCALE = { least: 1e-6, knee: 0.01, top: 2, most: 100, low: 8000, middle: 20000 };
/** @type {Extent} */
const EXTENT = [-2, 2, -1, 3];
const TABLE = decodeTable(SCALE);

// The level whose output is nearest to f.
/** @param {number} f */
function level(f) {
  let low = 0,
    high = 65535;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (TABLE[middle] < f) low = middle + 1;
    else high = middle;
  }
  return low - 32768;
}

// A view whose field holds functions of the place, one for each class and frame.
/** @param {((x: number, y: number) => number)[][]} frames */
function viewOf(frames) {
  const [x0, x1, y0, y1] = EXTENT,
    data = [];
  for (const classes of frames)
    for (const f of classes)
      for (let j = 0; j < SIDE; j++)
        for (let i = 0; i < SIDE; i++)
          data.push(level(f(x0 + ((x1 - x0) * i) / (SIDE - 1), y0 + ((y1 - y0) * j) / (SIDE - 1))));
  const k = frames[0].length,
    view = threePoints({ extent: EXTENT, T: frames.length, limits: { field: SCALE, f: 2 } });
  if (k > 1) view.classes = ["Orange", "Blue", "Green"];
  view.arrays.field = { data: Int16Array.from(data), shape: [frames.length, k, SIDE, SIDE] };
  return view;
}

it("f is decoded and read between the nodes, at the frame that is shown", () => {
  const wave = (/** @type {number} */ x, /** @type {number} */ y) => Math.sin(x) * Math.cos(y),
    tilted = (/** @type {number} */ x, /** @type {number} */ y) => 0.4 * x - 0.2 * y;
  const field = new Field(viewOf([[wave], [tilted]]));
  for (const [frame, f] of [wave, tilted].entries()) {
    field.prepare(frame);
    for (const [x, y] of [
      [0.013, 0.77],
      [-1.99, 2.99],
      [2, -1],
      [1.234, -0.567],
    ]) {
      const [found] = field.outputsAt(x, y) ?? [];
      assert.ok(Math.abs(found - f(x, y)) < 1e-3, `${x}, ${y}: ${found} for ${f(x, y)}`);
    }
  }
  assert.equal(field.outputsAt(2.01, 0), null); // beyond the field nothing is known
});

it("of several classes each has its output, in the numbers of the house", () => {
  const view = viewOf([[() => 0.5, () => -1.25, () => 0.031]]),
    field = new Field(view);
  field.prepare(0);
  const rows = [
    ["at", "0.25, 1"],
    ["f(Orange)", "0.5"],
    ["f(Blue)", "−1.25"],
    ["f(Green)", "0.031"],
  ];
  assert.deepEqual(placeFacts(view, field, { x: 0.25, y: 1 }), rows);
});

it("without a field outputs are known at points only, and without a run nothing is said of them", () => {
  const view = threePoints({ extent: EXTENT }),
    place = { x: 1, y: -0.5 };
  assert.equal(placeSentence(view, new Field(view), place), "No point at 1, −0.5.");
  view.arrays.f = { data: Int16Array.of(1, 1, 1), shape: [1, 3] };
  assert.equal(placeSentence(view, new Field(view), place), "No point at 1, −0.5: f known at points only.");
});
