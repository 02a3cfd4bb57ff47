// What the marks and lines mean, beside the stage and in the exports.

import { countEdges, flipRing, paintMark, ring, struckColour } from "./points.js";
import { classColour } from "./theme.js";

const LEGEND_TEXT = 14,
  LINE = 30,
  MARK = 20; // widths of text, line and mark samples

// Entries: a text and a function that paints a swatch around the origin. The classes need
// none where brushes show them; the run before has its sample on its switch, so that on the
// screen the legend does not grow under a clicking hand.
/** @param {Stage} options @param {Theme} theme @param {boolean} classes @param {boolean} [ghost] */
export function legendEntries({ view, ui, field }, theme, classes, ghost = false) {
  const line =
    (/** @type {string} */ colour, /** @type {number} */ width, /** @type {number[]} */ dash) =>
    (/** @type {Ctx} */ ctx) => {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      ctx.setLineDash(dash);
      ctx.beginPath();
      ctx.moveTo(-14, 0);
      ctx.lineTo(14, 0);
      ctx.stroke();
      ctx.setLineDash([]);
    };
  /** @type {LegendEntry[]} */
  const entries = [];
  if (classes) {
    view.classes.forEach((name, c) =>
      entries.push({ text: name, width: MARK, paint: (ctx) => paintMark(ctx, theme, c, 6, theme.ink, 2) }),
    );
  }
  entries.push({
    text: !ui.predictions ? "unlabelled" : view.arrays.p ? "small: predicted, paler if uncertain" : "small: predicted",
    width: ui.predictions ? LINE : MARK,
    paint: (ctx) => {
      if (!ui.predictions) return paintMark(ctx, theme, -1, 4.5, theme.background, 0);
      ctx.translate(-7, 0);
      paintMark(ctx, theme, 0, 4, theme.background, 0);
      ctx.translate(14, 0);
      paintMark(ctx, theme, 1, 4, theme.background, 0);
    },
  });
  const ringed = (/** @type {string} */ text, /** @type {string} */ colour, /** @type {number} */ width) =>
    entries.push({
      text,
      width: MARK,
      paint: (ctx) => {
        paintMark(ctx, theme, -1, 4, theme.background, 0);
        ring(ctx, 0, 0, 8.5, colour, width);
      },
    });
  if (view.arrays.marks) ringed(view.marks_name, theme.ink, 1.6);
  if (view.arrays.struck && view.arrays.guess)
    view.classes.forEach((name, c) => ringed(`${view.struck_name}, label ${name} now`, struckColour(theme, c), 3));
  else if (view.arrays.struck) ringed(view.struck_name, struckColour(theme, -1), 3);
  if (view.arrays.field) {
    entries.push({
      text: `${view.k > 2 ? "border between classes" : "boundary, f = 0"} (pale: separates no points)`,
      paint: line(theme.ink, 2.6, []),
    });
    const margins = field.margins ?? [];
    if (margins.length) {
      // only those that some frame of the run shows
      entries.push({
        text: `margin, f = ${margins.length > 1 ? "±1" : margins[0] > 0 ? "1" : "−1"}`,
        paint: (ctx) => {
          ctx.translate(0, 3 - 3 * margins.length);
          for (const margin of margins) {
            line(classColour(theme, margin > 0 ? 1 : 0), 1.8, [6, 4])(ctx);
            ctx.translate(0, 6);
          }
        },
      });
    }
  }
  if (ui.graph && view.arrays.edges) {
    const { all, between } = countEdges(view);
    entries.push({ text: `${all.toLocaleString("en")} edges of the graph`, paint: line(theme.soft, 1, []) });
    if (view.arrays.truth)
      entries.push({ text: `${between.toLocaleString("en")} between the classes`, paint: line(theme.bad, 2, []) });
  }
  if (ghost && view.ghost && ui.ghost) {
    entries.push({ text: view.ghost.name, paint: line(theme.soft, 2.4, [2, 5]) });
    if (ui.flipped)
      entries.push({
        text: "flipped since the previous run",
        width: MARK,
        paint: (ctx) => flipRing(ctx, 0, 0, 7, theme),
      });
  }
  return entries;
}

// Draw entries in rows of at most `width`; returns the height used.
/**
 * @param {Ctx} ctx
 * @param {LegendEntry[]} entries
 * @param {number} width
 * @param {Theme} theme
 * @param {boolean} [paint]
 */
export function drawLegend(ctx, entries, width, theme, paint = true) {
  ctx.font = `${LEGEND_TEXT}px ${theme.font}`;
  let x = 0,
    y = 12;
  for (const entry of entries) {
    const sample = entry.width ?? LINE;
    const w = sample + 6 + ctx.measureText(entry.text).width;
    if (x && x + w > width) {
      x = 0;
      y += 24;
    }
    if (paint) {
      ctx.save();
      ctx.translate(x + sample / 2, y);
      entry.paint(ctx);
      ctx.restore();
      ctx.fillStyle = theme.soft;
      ctx.textAlign = "left";
      ctx.textBaseline = "middle";
      ctx.fillText(entry.text, x + sample + 6, y);
    }
    x += w + 20;
  }
  return y + 12;
}
