// The small card beside a point, and the same facts as a sentence for screen readers.
// All text goes in through textContent: names come from users.

import { formatNumber, formatPercent } from "./theme.js";
import { outputAt } from "./unpack.js";
import { numberOf } from "./edits.js";
import { truthOf } from "./points.js";

// Rows [name, value] about point i at this frame.
export function pointFacts(view, model, frame, i) {
  const rows = [], name = (c) => (c >= 0 ? view.classes[c] : "unlabelled");
  rows.push(["given", name(model.given[i])]);
  const seen = outputAt(view, frame, model.source[i]);
  if (seen) {
    rows.push(["predicted", name(seen.predicted)]);
    if (seen.value !== undefined) rows.push(["f", formatNumber(seen.value)]);
    else rows.push(["lead", formatNumber(seen.margin)]);
    if (seen.p !== null && seen.p !== undefined) rows.push([`p(${view.classes[1]})`, formatPercent(seen.p)]);
  }
  const truth = truthOf(view, model, i);
  if (truth >= 0) rows.push(["true", name(truth)]);
  return rows;
}

export function pointSentence(view, model, frame, i) {
  const place = `${formatNumber(model.x[i])}, ${formatNumber(model.y[i])}`;
  const facts = pointFacts(view, model, frame, i).map(([name, value]) => `${name} ${value}`).join(", ");
  return `Point ${numberOf(model, i)} at ${place}: ${facts}.`;
}

export class Hover {
  constructor(card) {
    this.card = card;
  }

  hide() {
    this.card.hidden = true;
  }

  showPoint(view, model, frame, i, x, y, width) {
    const rows = pointFacts(view, model, frame, i).map(([name, value]) => {
      const row = document.createElement("div"), left = document.createElement("span"), right = document.createElement("b");
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

  showText(lines, x, y, width) {
    if (!lines.length) return this.hide();
    this.card.replaceChildren(...lines.map((text) => {
      const row = document.createElement("div");
      row.textContent = text;
      return row;
    }));
    this.place(x, y, width);
  }

  place(x, y, width) {
    this.card.hidden = false;
    const w = this.card.offsetWidth, h = this.card.offsetHeight;
    this.card.style.left = `${Math.max(4, x + 18 + w > width ? x - w - 14 : x + 18)}px`;
    this.card.style.top = `${Math.max(4, y - h - 10 < 0 ? y + 18 : y - h - 10)}px`;
  }
}

function thumbnail(view, row) {
  const images = view.arrays.thumbnails;
  if (!images || row < 0) return [];
  const [, h, w] = images.shape, canvas = document.createElement("canvas");
  canvas.width = w;
  canvas.height = h;
  const ctx = canvas.getContext("2d"), image = ctx.createImageData(w, h);
  for (let i = 0; i < w * h; i++) {
    const v = images.data[row * w * h + i];
    image.data.set([v, v, v, 255], 4 * i);
  }
  ctx.putImageData(image, 0, 0);
  canvas.className = "hm-thumb";
  return [canvas];
}
