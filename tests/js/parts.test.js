// Small parts of the stage, each for itself.

import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { deflateSync } from "node:zlib";
import { encodeApng } from "../../stage/js/apng.js";
import { brushKeys, keyHelp } from "../../stage/js/keys.js";
import { Numbers } from "../../stage/js/numbers.js";
import { guessAt, pointsInside, struckColour } from "../../stage/js/points.js";
import { decreaseStop, normStop } from "../../stage/js/stopping.js";
import { ERASE, UNLABELLED } from "../../stage/js/strokes.js";
import { inPieces, patternOf } from "../../stage/js/terms.js";
import { LIGHT, mixColours, parseColour } from "../../stage/js/theme.js";
import { decodeTable, isMarked, outputAt, sameBytes } from "../../stage/js/unpack.js";
import { veiled } from "../../stage/js/veil.js";
import { threePoints } from "./views.js";

describe("an animated picture", () => {
  const crcOf = (/** @type {Uint8Array} */ bytes) => {
    let crc = ~0;
    for (const byte of bytes) {
      crc ^= byte;
      for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    return ~crc >>> 0;
  };
  // Name and body of each chunk; a wrong sum is an error.
  const chunks = (/** @type {Buffer} */ file) => {
    const found = [];
    for (let at = 8; at < file.length; ) {
      const size = file.readUInt32BE(at);
      assert.equal(file.readUInt32BE(at + 8 + size), crcOf(file.subarray(at + 4, at + 8 + size)));
      found.push({ name: file.toString("latin1", at + 4, at + 8), body: file.subarray(at + 8, at + 8 + size) });
      at += 12 + size;
    }
    return found;
  };
  const chunk = (/** @type {string} */ name, /** @type {Buffer} */ body) => {
    const named = Buffer.concat([Buffer.from(name, "latin1"), body]),
      ends = Buffer.alloc(8);
    ends.writeUInt32BE(body.length);
    ends.writeUInt32BE(crcOf(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const grey = (/** @type {number} */ shade) =>
    Buffer.concat([
      Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
      chunk("IHDR", Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
      chunk("IDAT", deflateSync(Buffer.from([0, shade]))),
      chunk("IEND", Buffer.alloc(0)),
    ]);

  it("has the pictures in their order and rests on the last", async () => {
    const made = encodeApng([grey(0), grey(99), grey(255)], 40);
    const found = chunks(Buffer.from(await made.arrayBuffer()));
    assert.equal(found.map((c) => c.name).join(" "), "IHDR acTL fcTL IDAT fcTL fdAT fcTL fdAT IEND");
    const control = found.filter((c) => c.name === "fcTL");
    assert.deepEqual(
      control.map((c) => c.body.readUInt16BE(20)),
      [40, 40, 1500],
    );
    const numbers = found.filter((c) => /fcTL|fdAT/.test(c.name)).map((c) => c.body.readUInt32BE(0));
    assert.deepEqual(numbers, [0, 1, 2, 3, 4]);
  });
});

describe("rules of stopping", () => {
  it("a norm ends a run at the first state that is not above its part of the start", () => {
    assert.equal(normStop([4, 2, 0.4, 0.1], 0.1), 2);
    assert.equal(normStop([4, 2, 1], 0.1), null);
    assert.equal(normStop([4, 2, 0], 0), 2);
    assert.equal(normStop([4, NaN, 1], 0.1), 1); // what is no number goes on nowhere
  });

  it("a decrease ends it at the first step that lowers too little", () => {
    assert.equal(decreaseStop([10, 5, 4.9, 1], 0.05), 2);
    assert.equal(decreaseStop([10, 5], 0.05), null);
    assert.equal(decreaseStop([1, 2], 0), 1);
  });
});

describe("outputs", () => {
  it("lie on both sides of zero alike, at the middle of their levels", () => {
    const scale = { least: 1e-6, knee: 0.01, top: 2, most: 100, low: 8000, middle: 20000 };
    const table = decodeTable(scale);
    for (let q = 0; q < 32768; q += 97) assert.equal(table[32768 + q], -table[32767 - q]);
    for (let q = 1; q < 65536; q++) assert.ok(table[q] > table[q - 1]);
    assert.ok(table[65535] < 100);
  });

  it("of two and of several classes are read from their bytes", () => {
    const two = threePoints({ limits: { f: 2 } });
    two.arrays.f = { data: Int16Array.of(32767, -32768, 0), shape: [1, 3] };
    assert.equal(outputAt(two, 0, 0)?.predicted, 1);
    assert.equal(outputAt(two, 0, 1)?.predicted, 0);
    assert.equal(outputAt(two, 0, -1), null);
    assert.equal(outputAt(threePoints(), 0, 0), null);
    const three = threePoints({ k: 3, limits: { f: 2 } });
    three.arrays.f = { data: Uint8Array.of(2, 0, 1), shape: [1, 3] };
    three.arrays.f_margin = { data: Uint8Array.of(255, 0, 0), shape: [1, 3] };
    assert.deepEqual(outputAt(three, 0, 0)?.predicted, 2);
  });

  it("rings are bits", () => {
    const view = threePoints();
    view.arrays.marks = { data: Uint8Array.of(0b101, 0b010), shape: [2, 1] };
    const rings = [0, 1].map((frame) => [0, 1, 2].map((row) => isMarked(view, "marks", frame, row)));
    assert.deepEqual(rings, [
      [true, false, true],
      [false, true, false],
    ]);
  });

  it("bytes are the same or not", () => {
    assert.ok(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2)));
    assert.ok(!sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3)));
    assert.ok(!sameBytes(Uint8Array.of(1), undefined));
  });

  it("are not in a view that hides its answers", () => {
    const view = threePoints({ tiles: [1], captions: ["a"], ghost: {} });
    view.arrays.f = view.arrays.truth = view.arrays.given;
    const hidden = veiled(view);
    assert.deepEqual(Object.keys(hidden.arrays), ["points", "given", "number"]);
    assert.deepEqual([hidden.tiles, hidden.captions, hidden.ghost], [[], [], null]);
    assert.ok(view.arrays.f);
  });
});

describe("points", () => {
  it("of a pair have rings in the colours of their labels", () => {
    // Row 0 has the label of class 1, row 1 that of class 0; row 2 was given one.
    const view = threePoints();
    view.arrays.given.data = Int8Array.of(-1, -1, 1);
    view.arrays.guess = { data: Uint8Array.of(0b101), shape: [1, 1] };
    const theme = /** @type {any} */ (LIGHT);
    const colours = [0, 1, 2].map((row) => struckColour(theme, guessAt(view, 0, row)));
    assert.deepEqual(colours, [LIGHT.classes[1], LIGHT.classes[0], LIGHT.accent]);
  });

  it("inside a lasso are found", () => {
    const same = /** @type {any} */ ({ px: (/** @type {number} */ x) => x, py: (/** @type {number} */ y) => y });
    const model = /** @type {any} */ ({ n: 3, x: [0, 1, 2], y: [0, 10, 20], number: [0, 1, 2] });
    /** @type {Pair[]} */
    const polygon = [
      [-1, -1],
      [5, -1],
      [5, 15],
      [-1, 15],
    ];
    assert.deepEqual(pointsInside(same, model, polygon), [0, 1]);
  });
});

describe("keys of brushes", () => {
  it("count classes from 1, and 0 erases", () => {
    const keys = brushKeys(["Orange", "Blue"]);
    assert.deepEqual([keys.get(0), keys.get(1), keys.get(UNLABELLED), keys.get(ERASE)], ["1", "2", "u", "0"]);
    assert.deepEqual(keyHelp(["Orange", "Blue"])[0], ["1 2", "class brush"]);
  });

  it("are the digits where classes are called by digits", () => {
    const keys = brushKeys(["0", "7", "other"]);
    assert.deepEqual([keys.get(0), keys.get(1), keys.get(2), keys.get(ERASE)], ["0", "7", undefined, "x"]);
  });
});

it("terms are explained where they stand first, as whole words, the longest first", () => {
  const terms = { margin: "M", "margin error": "E", γ: "G" };
  const pieces = inPieces("A Margin, a margin, a margin error, premargin and γ.", terms, patternOf(Object.keys(terms)));
  assert.deepEqual(pieces, [
    ["A ", null],
    ["Margin", "M"],
    [", a margin, a ", null],
    ["margin error", "E"],
    [", premargin and ", null],
    ["γ", "G"],
    [".", null],
  ]);
  assert.deepEqual(inPieces("Nothing.", {}, patternOf([])), [["Nothing.", null]]);
});

it("colours are read and mixed", () => {
  assert.deepEqual(parseColour("#ff8000"), [255, 128, 0]);
  assert.deepEqual(mixColours("#000000", "#64c832", 0.5), [50, 100, 25]);
});

it("numbers are the reader's until another screen is opened", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {string[]} */
  const moved = [];
  /** @type {object[]} */
  const told = [];
  const numbers = new Numbers(
    (name) => moved.push(name),
    (message) => told.push(message),
  );
  const view = (/** @type {string} */ opening, /** @type {number} */ eta) => threePoints({ opening, numbers: { eta } });
  assert.ok(numbers.open(view("a", 1)));
  numbers.set("eta", 5);
  numbers.set("eta", 5);
  assert.deepEqual(moved, ["eta"]);
  assert.ok(!numbers.open(view("a", 1)));
  assert.equal(numbers.get("eta"), 5);
  numbers.dropLater();
  numbers.dropLater();
  mock.timers.tick(400);
  assert.deepEqual(told, [{ opening: "a", values: { eta: 5 } }]);
  assert.ok(numbers.open(view("b", 1)));
  assert.equal(numbers.get("eta"), 1);
  mock.timers.reset();
});
