// psi(s) of this step: piecewise linear, break points as dots, zero at s*.

import { drawTitle, polyline, segment, TITLE } from "./ink.js";
import { formatNumber } from "./numerals.js";
import { BasePanel } from "./panel.js";
import { dataOf } from "./unpack.js";

export class SearchPanel extends BasePanel {
  /** @type {[number, number]} */
  heights = [135, 200];

  /** @param {View} view @param {SearchRow} row @param {string} name */
  constructor(view, row, name) {
    super(row);
    this.starts = row.starts;
    this.s = dataOf(view, `${name}_s`);
    this.psi = dataOf(view, `${name}_psi`);
    this.star = dataOf(view, `${name}_star`);
  }

  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme @param {number} position */
  draw(ctx, width, height, theme, position) {
    const frame = Math.round(position);
    drawTitle(ctx, this.title, width, theme);
    drawSearch(ctx, this, frame, width, height, theme);
  }
}

/**
 * @param {Ctx} ctx
 * @param {SearchPanel} panel
 * @param {number} frame
 * @param {number} width
 * @param {number} height
 * @param {Theme} theme
 */
function drawSearch(ctx, panel, frame, width, height, theme) {
  const a = panel.starts[frame],
    b = panel.starts[frame + 1];
  if (a === b) {
    ctx.fillStyle = theme.soft;
    ctx.fillText("No line search at this step.", 0, TITLE + 14);
    return;
  }
  const s = panel.s.subarray(a, b),
    psi = panel.psi.subarray(a, b),
    star = panel.star[frame];
  const plot = { left: 40, top: TITLE + 18, width: width - 52, height: height - TITLE - 46 };
  const low = Math.min(0, ...psi),
    high = Math.max(0, ...psi);
  const s0 = Math.min(s[0], star),
    s1 = Math.max(s[s.length - 1], star);
  const toX = (/** @type {number} */ v) => plot.left + ((v - s0) / (s1 - s0 || 1)) * plot.width;
  const toY = (/** @type {number} */ v) => plot.top + plot.height * (1 - (v - low) / (high - low || 1));
  ctx.strokeStyle = theme.muted;
  ctx.lineWidth = 1;
  segment(ctx, plot.left, toY(0), plot.left + plot.width, toY(0));
  ctx.fillStyle = theme.soft;
  ctx.fillText("ψ(s)", 0, plot.top);
  ctx.textBaseline = "middle";
  ctx.textAlign = "right";
  ctx.fillText("0", plot.left - 8, toY(0));
  ctx.textBaseline = "top";
  ctx.fillText(`s = ${formatNumber(s1)}`, plot.left + plot.width, plot.top + plot.height + 8);
  ctx.textAlign = "left";
  ctx.fillText(formatNumber(s0), plot.left, plot.top + plot.height + 8);
  ctx.strokeStyle = ctx.fillStyle = theme.accent;
  ctx.lineWidth = 2.2;
  ctx.lineJoin = "round";
  polyline(ctx, s, Array.from(psi), toX, (v) => (v - low) / (high - low || 1), plot);
  if (s.length <= 40) {
    for (let i = 1; i < s.length - 1; i++) {
      ctx.beginPath();
      ctx.arc(toX(s[i]), toY(psi[i]), 3.2, 0, 2 * Math.PI);
      ctx.fill();
    }
  }
  ctx.beginPath();
  ctx.arc(toX(star), toY(0), 6, 0, 2 * Math.PI);
  ctx.fillStyle = theme.ink;
  ctx.fill();
  const right = toX(star) > plot.left + plot.width * 0.6;
  ctx.textAlign = right ? "right" : "left";
  ctx.textBaseline = right ? "bottom" : "top";
  ctx.fillText(`s* = ${formatNumber(star)}`, toX(star) + (right ? -10 : 10), toY(0) + (right ? -6 : 6));
}
