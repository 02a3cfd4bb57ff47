// The menu of data and algorithms: what is found by typing, and where the list goes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { place, search } from "../../pages/_parts/widgets/menu.js";

/** @param {string} id @param {string} title @param {string} idea */
const option = (id, title, idea) => ({ id, title, idea });
const GROUPS = [
  { title: "Graph", options: [option("pcg", "Laplacian SVM, PCG", "Labels spread along the graph.")] },
  {
    title: "S3VM",
    options: [
      option("turns", "Deterministic annealing", "The temperature falls."),
      option("gradient", "Annealing by gradient", "The same annealing."),
      option("nabla", "Gradient S3VM", "Pushes the boundary. Naïve."),
    ],
  },
];

test("without words all options are there, the first one is meant", () => {
  assert.deepEqual(search(GROUPS, " "), { ids: ["pcg", "turns", "gradient", "nabla"], best: "pcg" });
});

test("all words must occur, in title, idea or group, in any order and case", () => {
  assert.deepEqual(search(GROUPS, "s3vm GRAD").ids, ["gradient", "nabla"]);
  assert.deepEqual(search(GROUPS, "naive").ids, ["nabla"]);
  assert.deepEqual(search(GROUPS, "quantum"), { ids: [], best: null });
});

test("a title that begins with the word is meant before others", () => {
  assert.deepEqual(search(GROUPS, "anneal"), { ids: ["turns", "gradient"], best: "gradient" });
});

const PHONE = { width: 390, height: 844 };
/** @param {number} left @param {number} top */
const button = (left, top, width = 180) => ({ left, top, width, bottom: top + 46 });

test("the list lies inside the window, from a phone to a wall", () => {
  for (const view of [PHONE, { width: 768, height: 900 }, { width: 2560, height: 1440 }])
    for (const x of [0, 200, view.width - 180])
      for (const y of [0, 120, view.height - 46]) {
        const { left, width, height, top, bottom } = place(button(x, y), view);
        assert.ok(left >= 8 && left + width <= view.width - 8);
        assert.ok(height > 200);
        const [high, low] = top === null ? [view.height - bottom - height, view.height - bottom] : [top, top + height];
        assert.ok(high >= 8 - 1e-9 && low <= view.height - 8 + 1e-9);
      }
});

test("it goes up only where there is more room", () => {
  assert.equal(place(button(10, 60), PHONE).top, 110);
  assert.equal(place(button(10, 780), PHONE).top, null);
});
