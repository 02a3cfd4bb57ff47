// Level lines and borders: closed, or ending at the frame, and where they belong.

import assert from "node:assert/strict";
import { it } from "node:test";
import { Axes } from "../../stage/js/axes.js";
import { Contours, classBorders, refine } from "../../stage/js/contour.js";

const W = 31,
  H = 23;

function grid(/** @type {(x: number, y: number) => number} */ f) {
  return Float32Array.from({ length: W * H }, (_, i) => f(i % W, Math.floor(i / W)));
}

it("lines are closed or end at the frame", () => {
  const waves = grid((x, y) => Math.sin(x / 2) + Math.cos(y / 1.5) + 0.2 * Math.sin(x * y));
  const chains = new Contours(W, H).lines(waves, 0);
  assert.ok(chains.length > 5);
  const rim = (/** @type {number} */ x, /** @type {number} */ y) => x === 0 || y === 0 || x === W - 1 || y === H - 1;
  for (const xy of chains) {
    const [endX, endY] = xy.slice(-2);
    const closed = xy[0] === endX && xy[1] === endY;
    assert.ok(closed || (rim(xy[0], xy[1]) && rim(endX, endY)));
  }
});

it("a circle is one ring, within a tenth of a cell of the true one", () => {
  const circle = grid((x, y) => 64 - (x - 15) ** 2 - (y - 11) ** 2);
  const chains = new Contours(W, H).lines(circle, 0);
  assert.equal(chains.length, 1);
  const [xy] = chains;
  for (let i = 0; i < xy.length; i += 2) assert.ok(Math.abs(Math.hypot(xy[i] - 15, xy[i + 1] - 11) - 8) < 0.1);
});

it("a saddle is joined where its middle is inside", () => {
  const saddle = Float32Array.of(1, -1, -1, 1);
  const at = (/** @type {number} */ level) => new Contours(2, 2).lines(saddle, level).length;
  assert.equal(at(-0.5), 2);
  assert.equal(at(0.5), 2);
});

it("refinement keeps the nodes and invents no sign", () => {
  const bump = grid((x, y) => Math.exp(-((x - 15) ** 2 + (y - 11) ** 2) / 2)),
    s = 4;
  const w2 = (W - 1) * s + 1,
    h2 = (H - 1) * s + 1,
    fine = new Float32Array(w2 * h2);
  refine(bump, W, H, s, fine, new Float32Array(w2 * H));
  for (let y = 0; y < H; y++) for (let x = 0; x < W; x++) assert.equal(fine[y * s * w2 + x * s], bump[y * W + x]);
  assert.ok(fine.every((v) => v >= 0));
});

it("the border of two classes lies where their scores are equal", () => {
  const left = grid((x) => 10.25 - x),
    right = grid((x) => x - 10.25);
  const winner = Uint8Array.from(left, (v) => (v >= 0 ? 0 : 1));
  const border = classBorders(winner, [left, right], W, H);
  assert.equal(border.length, 4 * (H - 1));
  for (let i = 0; i < border.length; i += 2) assert.ok(Math.abs(border[i] - 10.25) < 1e-4);
});

it("both axes have the same scale, and pixels lead back to data", () => {
  const axes = new Axes();
  axes.setExtent([-2, 3, 0, 4]);
  axes.layout(640, 400, false);
  axes.zoomAt(1.7, 200, 100);
  assert.ok(Math.abs(axes.px(1) - axes.px(0) - (axes.py(0) - axes.py(1))) < 1e-9);
  assert.ok(Math.abs(axes.dataX(axes.px(0.3)) - 0.3) < 1e-9);
  assert.ok(Math.abs(axes.dataY(axes.py(0.3)) - 0.3) < 1e-9);
});
