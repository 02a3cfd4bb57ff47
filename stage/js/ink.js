// Lines, dots and titles that all panels draw alike.

import { offscreen } from "./dom.js";

export const TITLE = 16,
  TEXT = 14; // heights in pixels
const BEND = 8; // pixels between the points of a straight line on a logarithmic axis

/** @param {Ctx} ctx @param {string} words @param {number} width @param {Theme} theme */
export function drawTitle(ctx, words, width, theme) {
  ctx.font = `600 ${TITLE}px ${theme.font}`;
  ctx.fillStyle = theme.ink;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.fillText(words, 0, 0, width);
  ctx.font = `${TEXT}px ${theme.font}`;
}

// Numbers along a scale (see makeScale) below a plot, as many as fit beside its name.
/** @param {Ctx} ctx @param {Scale} scale @param {Box} plot @param {string} name @param {Theme} theme */
export function drawAbscissa(ctx, scale, plot, name, theme) {
  const bottom = plot.top + plot.height,
    end = plot.left + plot.width;
  ctx.fillStyle = theme.soft;
  const nameWidth = ctx.measureText(name).width;
  ctx.textBaseline = "top";
  ctx.textAlign = "center";
  let free = -Infinity;
  for (const { value, text } of scale.ticks(plot.width / (scale.floor ? 50 : 80))) {
    const x = plot.left + scale.share(value) * plot.width,
      half = ctx.measureText(text).width / 2;
    if (x - half < free || x >= end - nameWidth - 16) continue;
    ctx.fillText(text, x, bottom + 7);
    free = x + half + 6;
  }
  ctx.textAlign = "right";
  ctx.fillText(name, end, bottom + 7);
}

// What does not move, drawn once: `paint` fills it, and later it is only copied.
/**
 * @template L
 * @param {Sheet<L> | null | undefined} sheet
 * @param {string} name
 * @param {number} width
 * @param {number} height
 * @param {number} scale
 * @param {(ctx: Ctx) => L} paint
 * @returns {Sheet<L>}
 */
export function keptSheet(sheet, name, width, height, scale, paint) {
  if (sheet?.name === name) return sheet;
  const { canvas, pen } = offscreen(Math.ceil(width * scale), Math.ceil(height * scale));
  pen.scale(scale, scale);
  const lay = paint(pen);
  return {
    name,
    lay,
    picture: canvas.transferToImageBitmap(),
    width: canvas.width / scale,
    height: canvas.height / scale,
  };
}

// A line through values, broken where one is missing and, with `breaks`, where two stand at
// the same place: a jump, which `joins` dots. What is straight between two values is drawn
// as a logarithmic axis bends it; `fromX` is its way back from a pixel.
/**
 * @param {Ctx} ctx
 * @param {Values} xs
 * @param {Values} values
 * @param {(v: number) => number} toX
 * @param {(v: number) => number} map
 * @param {Box} plot
 * @param {{ fromX?: (x: number) => number; breaks?: boolean; joins?: boolean }} [options]
 */
export function polyline(ctx, xs, values, toX, map, plot, { fromX, breaks = false, joins = false } = {}) {
  const toY = (/** @type {number} */ v) => plot.top + plot.height * (1 - map(v)),
    /** @type {number[][]} */
    jumps = [];
  ctx.beginPath();
  let pen = false,
    last = 0;
  for (let i = 0; i < values.length; i++) {
    const y = toY(values[i]);
    if (!Number.isFinite(y)) {
      pen = false;
      continue;
    }
    const x = toX(xs[i]);
    if (pen && breaks && xs[i] === xs[i - 1]) {
      jumps.push([x, toY(values[i - 1]), y]);
      pen = false;
    }
    const pieces = pen ? Math.ceil((x - last) / BEND) : 1;
    for (let k = 1; fromX && k < pieces; k++) {
      const at = last + (k / pieces) * (x - last),
        part = (fromX(at) - xs[i - 1]) / (xs[i] - xs[i - 1]);
      ctx.lineTo(at, toY(values[i - 1] + part * (values[i] - values[i - 1])));
    }
    if (pen) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    pen = true;
    last = x;
  }
  ctx.stroke();
  if (!joins || !jumps.length) return;
  ctx.save();
  ctx.lineWidth = 1.2;
  ctx.setLineDash([2, 3]);
  for (const [x, from, to] of jumps) segment(ctx, x, from, x, to);
  ctx.restore();
}

/**
 * @param {Ctx} ctx
 * @param {Values} xs
 * @param {Values} values
 * @param {(v: number) => number} toX
 * @param {(v: number) => number} map
 * @param {Box} plot
 */
export function dots(ctx, xs, values, toX, map, plot) {
  for (let i = 0; i < values.length; i++) {
    const v = map(values[i]);
    if (!Number.isFinite(v)) continue;
    ctx.beginPath();
    ctx.arc(toX(xs[i]), plot.top + plot.height * (1 - v), 4, 0, 2 * Math.PI);
    ctx.fill();
  }
}

/** @param {Ctx} ctx @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
export function segment(ctx, x0, y0, x1, y1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}
