// A chart: marks over two axes, of which the ordinate may have names instead of numbers.
// It is drawn as the panels beside the stage are: same type, grid, ticks and legend.

import { drawAbscissa, drawTitle, segment, TEXT, TITLE } from "./ink.js";
import { halo, placeWords } from "./labels.js";
import { drawLegend } from "./legend.js";
import { markPath, outline } from "./marks.js";
import { roleColour } from "./theme.js";
import { makeLogScale, makeScale } from "./track.js";

const ROOM = 0.07, // of a range, at both ends
  NAMES = 0.42, // of the width, for the names of the ordinate at most
  NEAR = 22, // pixels from a mark to the pointer
  TICK = 80, // pixels from one tick to the next, as `drawAbscissa` has them
  ROW = 36, // the same on the ordinate
  FOOT = 48, // pixels of height for ticks and the abscissa's name
  EDGE = 10;
/** @type {Record<string, number[]>} */
const DASHES = { solid: [], dash: [9, 4], dot: [2, 4], dashdot: [11, 4, 2, 4] };

// What Python sends: see ssl_core/viz/chart.py.
/** @typedef {{ title: string, log: boolean, percent: boolean, names: string[] }} Axis */
/**
 * @typedef {object} Marks
 * @property {string} name
 * @property {number[]} x
 * @property {number[]} y
 * @property {string} role
 * @property {string} symbol
 * @property {number} size
 * @property {boolean} hollow
 * @property {string} line
 * @property {string[]} said
 * @property {string[]} words
 * @property {number[]} low
 * @property {number[]} high
 */
/**
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} alt
 * @property {number} height
 * @property {Axis} x
 * @property {Axis} y
 * @property {Marks[]} marks
 * @property {number[]} band
 * @property {number | null} at
 */
/** @typedef {ReturnType<typeof layoutChart>} ChartLay */

// A scale around all values, with room at both ends.
/** @param {Axis} axis @param {number[]} values @returns {Scale} */
export function scaleOf(axis, values) {
  const known = values.filter((v) => Number.isFinite(v) && (!axis.log || v > 0));
  const low = known.length ? Math.min(...known) : 1,
    high = known.length ? Math.max(...known) : 1;
  if (axis.log) {
    const room = Math.max((high / low) ** ROOM, 1.25);
    return makeLogScale(low / room, high * room);
  }
  const room = ROOM * (high - low || Math.abs(high) || 1);
  if (!axis.percent) return makeScale(low - room, high + room);
  const scale = makeScale(100 * (low - room), 100 * (high + room));
  return {
    ...scale,
    share: (v) => scale.share(100 * v),
    value: (s) => scale.value(s) / 100,
    ticks: (count) => scale.ticks(count).map(({ value, text }) => ({ value: value / 100, text: `${text} %` })),
  };
}

// The names of the ordinate, in rows of equal height with the first on top.
/** @param {string[]} names @returns {Scale} */
function rowsOf(names) {
  const share = (/** @type {number} */ row) => 1 - (row + 0.5) / names.length;
  return {
    floor: null,
    share,
    value: (s) => (1 - s) * names.length - 0.5,
    ticks: () => names.map((text, value) => ({ value, text })),
  };
}

// Places of legend and plot inside a width.
/** @param {Ctx} ctx @param {Chart} chart @param {number} width @param {Theme} theme */
export function layoutChart(ctx, chart, width, theme) {
  const { x, y, marks, band, at } = chart,
    entries = legendOf(chart, theme);
  let top = chart.title ? TITLE + 10 : 4;
  const legendTop = top;
  if (entries.length) top += drawLegend(ctx, entries, width, theme, false) + 6;
  ctx.font = `${TEXT}px ${theme.font}`;
  const height = chart.height - top - FOOT;
  const down = y.names.length ? rowsOf(y.names) : scaleOf(y, [0, ...marks.flatMap((m) => m.y)]);
  const rows = down.ticks(height / ROW).filter(({ value }) => y.names.length || value >= 0);
  const widest = Math.max(0, ...rows.map(({ text }) => ctx.measureText(text).width));
  const left = Math.min(NAMES * width, widest + EDGE);
  const plot = { left, top, width: width - left - EDGE, height };
  const across = scaleOf(x, [
    ...marks.flatMap((m) => [...m.x, ...m.low, ...m.high]),
    ...band,
    ...(at === null ? [] : [at]),
  ]);
  return {
    entries,
    legendTop,
    rows,
    across,
    plot,
    toX: (/** @type {number} */ v) => plot.left + plot.width * across.share(v),
    toY: (/** @type {number} */ v) => plot.top + plot.height * (1 - down.share(v)),
  };
}

/** @param {Chart} chart @param {Theme} theme @returns {LegendEntry[]} */
function legendOf({ marks }, theme) {
  return marks
    .filter(({ name }) => name)
    .map((row) => ({
      text: row.name,
      width: 20,
      paint: (/** @type {Ctx} */ ctx) => drawMark(ctx, row, 0, 0, theme),
    }));
}

/** @param {Ctx} ctx @param {Marks} row @param {number} x @param {number} y @param {Theme} theme */
function drawMark(ctx, { symbol, size, hollow, role }, x, y, theme) {
  const colour = roleColour(theme, role);
  markPath(ctx, symbol, x, y, size);
  outline(ctx, theme.background, hollow ? 5 : 3);
  ctx.fillStyle = hollow ? theme.background : colour;
  ctx.fill();
  if (hollow) outline(ctx, colour, 2);
}

// All of a chart; the width is its canvas's.
/** @param {Ctx} ctx @param {Chart} chart @param {number} width @param {Theme} theme */
export function drawChart(ctx, chart, width, theme) {
  ctx.fillStyle = theme.background; // a picture that is saved has it, too
  ctx.fillRect(0, 0, width, chart.height);
  if (chart.title) drawTitle(ctx, chart.title, width, theme);
  const lay = layoutChart(ctx, chart, width, theme);
  ctx.save();
  ctx.translate(0, lay.legendTop);
  drawLegend(ctx, lay.entries, width, theme);
  ctx.restore();
  ctx.font = `${TEXT}px ${theme.font}`;
  drawGrid(ctx, chart, theme, lay);
  for (const row of chart.marks) drawLines(ctx, row, theme, lay);
  for (const row of chart.marks) {
    if (row.symbol) row.x.forEach((v, i) => drawMark(ctx, row, lay.toX(v), lay.toY(row.y[i]), theme));
  }
  drawWords(ctx, chart, theme, lay);
  return lay;
}

/** @param {Ctx} ctx @param {Chart} chart @param {Theme} theme @param {ChartLay} lay */
function drawGrid(ctx, { x, y, band, at }, theme, { rows, across, plot, toX, toY }) {
  const { left, top, width, height } = plot,
    bottom = top + height;
  if (band.length) {
    ctx.fillStyle = theme.good;
    ctx.globalAlpha = 0.14;
    ctx.fillRect(toX(band[0]), top, toX(band[1]) - toX(band[0]), height);
    ctx.globalAlpha = 1;
  }
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.line;
  for (const { value } of across.ticks(width / TICK)) segment(ctx, toX(value), top, toX(value), bottom);
  ctx.textBaseline = "middle";
  ctx.textAlign = "right";
  ctx.fillStyle = theme.soft;
  for (const { value, text } of rows) {
    segment(ctx, left, toY(value), left + width, toY(value));
    ctx.fillText(text, left - 8, toY(value), left - 8); // a long one is condensed
  }
  drawAbscissa(ctx, across, plot, "", theme);
  ctx.textAlign = "right";
  ctx.fillText(x.title, left + width, bottom + 27, left + width);
  ctx.textAlign = "left";
  halo(ctx, y.title, left + 4, top + 2, theme.soft, theme.background, 4);
  if (at === null) return;
  ctx.strokeStyle = theme.soft;
  ctx.lineWidth = 1.4;
  ctx.setLineDash([4, 3]);
  segment(ctx, toX(at), top, toX(at), bottom);
  ctx.setLineDash([]);
}

// The way from mark to mark, and the bars of a deviation.
/** @param {Ctx} ctx @param {Marks} row @param {Theme} theme @param {ChartLay} lay */
function drawLines(ctx, { x, y, low, high, line, role }, theme, { toX, toY }) {
  ctx.strokeStyle = roleColour(theme, role);
  ctx.lineWidth = 1.6;
  if (line) {
    ctx.setLineDash(DASHES[line]);
    ctx.beginPath();
    x.forEach((v, i) => ctx[i ? "lineTo" : "moveTo"](toX(v), toY(y[i])));
    ctx.stroke();
    ctx.setLineDash([]);
  }
  low.forEach((from, i) => {
    const at = toY(y[i]);
    segment(ctx, toX(from), at, toX(high[i]), at);
    for (const end of [from, high[i]]) segment(ctx, toX(end), at - 4, toX(end), at + 4);
  });
}

/** @param {Ctx} ctx @param {Chart} chart @param {Theme} theme @param {ChartLay} lay */
function drawWords(ctx, { marks }, theme, { plot, toX, toY }) {
  /** @type {import("./labels.js").Spot[]} */
  const taken = marks.flatMap((row) =>
    row.words.map((_, i) => ({ x: toX(row.x[i]), y: toY(row.y[i]), w: 2 * row.size, h: 2 * row.size })),
  );
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (const { x, y, words } of marks) {
    words.forEach((text, i) => {
      const place = placeWords(toX(x[i]), toY(y[i]), ctx.measureText(text).width + 6, TEXT + 6, plot, taken);
      halo(ctx, text, place.x, place.y, theme.ink, theme.background, 4);
    });
  }
}

// What is said of the mark nearest to the pointer; nothing far from all of them.
/** @param {Chart} chart @param {ChartLay} lay @param {number} px @param {number} py */
export function saidAt({ marks }, { toX, toY }, px, py) {
  let best = "",
    least = NEAR;
  for (const { x, y, said } of marks) {
    said.forEach((text, i) => {
      const d = Math.hypot(toX(x[i]) - px, toY(y[i]) - py);
      if (d < least) [least, best] = [d, text];
    });
  }
  return best;
}
