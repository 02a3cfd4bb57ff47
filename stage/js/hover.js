// The small card beside a point, and the same facts as a sentence for screen readers.
// All text goes in through textContent: names come from users.

import { Card } from "./card.js";
import { penOf } from "./dom.js";
import { numberOf } from "./edits.js";
import { formatNumber, formatPercent } from "./numerals.js";
import { guessAt, truthOf } from "./points.js";
import { outputAt } from "./unpack.js";

// Rows [name, value] about point i at this frame.
/** @param {View} view @param {Model} model @param {number} frame @param {number} i */
export function pointFacts(view, model, frame, i) {
  const rows = [],
    name = (/** @type {number} */ c) => (c >= 0 ? view.classes[c] : "unlabelled");
  rows.push(["given", name(model.given[i])]);
  const seen = outputAt(view, frame, model.source[i]);
  if (seen) {
    rows.push(["predicted", name(seen.predicted)]);
    if (seen.value !== undefined) rows.push(["f", formatNumber(seen.value)]);
    else rows.push(["lead", formatNumber(seen.margin ?? NaN)]);
    if (seen.p !== null && seen.p !== undefined) rows.push([`p(${view.classes[1]})`, formatPercent(seen.p)]);
  }
  const guess = guessAt(view, frame, model.source[i]);
  if (guess >= 0) rows.push(["label now", name(guess)]);
  const truth = truthOf(view, model, i);
  if (truth >= 0) rows.push(["true", name(truth)]);
  return rows;
}

/** @param {View} view @param {Model} model @param {number} frame @param {number} i */
export function pointSentence(view, model, frame, i) {
  const place = `${formatNumber(model.x[i])}, ${formatNumber(model.y[i])}`;
  const facts = pointFacts(view, model, frame, i)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
  return `Point ${numberOf(model, i)} at ${place}: ${facts}.`;
}

// Rows [name, value] about a place between the points: the output of each class there, of
// two classes f alone. Where the picture has no field, outputs are known at points only.
/** @param {View} view @param {Field} field @param {Place} place @returns {[name: string, value: string][]} */
export function placeFacts(view, field, { x, y }) {
  const outputs = field.outputsAt(x, y),
    at = /** @type {[string, string]} */ (["at", `${formatNumber(x)}, ${formatNumber(y)}`]);
  if (!outputs) return view.arrays.f ? [at, ["f", "known at points only"]] : [at];
  return [at, ...outputs.map((f, c) => /** @type {[string, string]} */ ([nameOf(view, outputs, c), formatNumber(f)]))];
}

/** @param {View} view @param {number[]} outputs @param {number} c */
function nameOf(view, outputs, c) {
  return outputs.length > 1 ? `f(${view.classes[c]})` : "f";
}

/** @param {View} view @param {Field} field @param {Place} place */
export function placeSentence(view, field, place) {
  const [[, at], ...outputs] = placeFacts(view, field, place);
  const words = outputs.map(([name, value]) => `${name} ${value}`).join(", ");
  return `No point at ${at}${words && ": "}${words}.`;
}

export class Hover extends Card {
  /**
   * @param {View} view
   * @param {Model} model
   * @param {number} frame
   * @param {number} i
   * @param {number} x
   * @param {number} y
   * @param {number} width
   */
  showPoint(view, model, frame, i, x, y, width) {
    const rows = pointFacts(view, model, frame, i).map(([name, value]) => {
      const row = document.createElement("div"),
        left = document.createElement("span"),
        right = document.createElement("b");
      left.textContent = name;
      right.textContent = value;
      row.append(left, right);
      return row;
    });
    const head = document.createElement("strong");
    head.textContent = `Point ${numberOf(model, i)}`;
    this.card.replaceChildren(head, ...rows, ...thumbnail(view, model.source[i]));
    this.place(x, y, width);
  }
}

/** @param {View} view @param {number} row */
function thumbnail(view, row) {
  const images = view.arrays.thumbnails;
  if (!images || row < 0) return [];
  const [, h, w] = images.shape,
    canvas = document.createElement("canvas");
  canvas.width = w;
  canvas.height = h;
  const ctx = penOf(canvas),
    image = ctx.createImageData(w, h);
  for (let i = 0; i < w * h; i++) {
    const v = images.data[row * w * h + i];
    image.data.set([v, v, v, 255], 4 * i);
  }
  ctx.putImageData(image, 0, 0);
  canvas.className = "hm-thumb";
  return [canvas];
}
