// From data to pixels with equal scales, zoom and pan, and the frame with its ticks.

import { tickTexts } from "./numerals.js";
import { niceTicks } from "./ticks.js";

const TICK_FONT = 14;

export class Axes {
  constructor() {
    this.zoom = 1;
    this.centreX = 0;
    this.centreY = 0;
    /** @type {Extent} */
    this.extent = [-1, 1, -1, 1];
    this.box = { left: 0, top: 0, width: 1, height: 1 };
  }

  /** @param {Extent} extent */
  setExtent(extent) {
    this.extent = extent;
    if (this.zoom === 1) this.reset();
  }

  reset() {
    const [x0, x1, y0, y1] = this.extent;
    this.zoom = 1;
    this.centreX = (x0 + x1) / 2;
    this.centreY = (y0 + y1) / 2;
  }

  get aspect() {
    const [x0, x1, y0, y1] = this.extent;
    return (x1 - x0) / (y1 - y0);
  }

  // The largest box of the extent's shape inside width x height, leaving room for ticks.
  /** @param {number} width @param {number} height @param {boolean} narrow */
  layout(width, height, narrow) {
    const left = narrow ? 36 : 46,
      bottom = narrow ? 26 : 30,
      top = 6,
      right = 6;
    const w = width - left - right,
      h = height - top - bottom;
    const scale = Math.min(w / this.aspect, h);
    const bw = scale * this.aspect,
      bh = scale;
    this.box = { left: left + (w - bw) / 2, top: top + (h - bh) / 2, width: bw, height: bh };
  }

  get scale() {
    return (this.box.width / (this.extent[1] - this.extent[0])) * this.zoom;
  }

  /** @param {number} x */
  px(x) {
    return this.box.left + this.box.width / 2 + (x - this.centreX) * this.scale;
  }
  /** @param {number} y */
  py(y) {
    return this.box.top + this.box.height / 2 - (y - this.centreY) * this.scale;
  }
  /** @param {number} px */
  dataX(px) {
    return this.centreX + (px - this.box.left - this.box.width / 2) / this.scale;
  }
  /** @param {number} py */
  dataY(py) {
    return this.centreY - (py - this.box.top - this.box.height / 2) / this.scale;
  }

  /** @param {number} px @param {number} py */
  inside(px, py) {
    const { left, top, width, height } = this.box;
    return px >= left && px <= left + width && py >= top && py <= top + height;
  }

  // Zoom by `factor`, keeping the place under (px, py) where it is.
  /** @param {number} factor @param {number} px @param {number} py */
  zoomAt(factor, px, py) {
    const x = this.dataX(px),
      y = this.dataY(py);
    const zoom = Math.min(40, Math.max(1, this.zoom * factor));
    if (zoom === 1) return this.reset();
    this.zoom = zoom;
    this.centreX += x - this.dataX(px);
    this.centreY += y - this.dataY(py);
    this.keepInside();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.centreX -= dx / this.scale;
    this.centreY += dy / this.scale;
    this.keepInside();
  }

  keepInside() {
    const [x0, x1, y0, y1] = this.extent;
    const hw = (x1 - x0) / 2 / this.zoom,
      hh = (y1 - y0) / 2 / this.zoom;
    this.centreX = Math.min(x1 - hw, Math.max(x0 + hw, this.centreX));
    this.centreY = Math.min(y1 - hh, Math.max(y0 + hh, this.centreY));
  }

  /** @param {Ctx} ctx */
  clip(ctx) {
    const { left, top, width, height } = this.box;
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
  }

  /** @param {Ctx} ctx @param {Theme} theme @param {string[]} names */
  draw(ctx, theme, names) {
    const { left, top, width, height } = this.box;
    ctx.strokeStyle = theme.line;
    ctx.lineWidth = 1;
    ctx.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
    ctx.font = `${TICK_FONT}px ${theme.font}`;
    ctx.fillStyle = theme.soft;
    ctx.strokeStyle = theme.muted;
    const bottom = top + height,
      right = left + width;
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    const nameWidth = ctx.measureText(names[0]).width;
    const xs = niceTicks(this.dataX(left), this.dataX(right), Math.max(3, width / 100)),
      xTexts = tickTexts(xs);
    xs.forEach((x, i) => {
      const px = this.px(x);
      line(ctx, px, bottom, px, bottom + 4);
      if (px < right - nameWidth - 18) ctx.fillText(xTexts[i], px, bottom + 7);
    });
    ctx.textAlign = "right";
    ctx.fillText(names[0], right, bottom + 7);
    ctx.textBaseline = "middle";
    const ys = niceTicks(this.dataY(bottom), this.dataY(top), Math.max(3, height / 80)),
      yTexts = tickTexts(ys);
    ys.forEach((y, i) => {
      const py = this.py(y);
      line(ctx, left - 4, py, left, py);
      if (py > top + 24) ctx.fillText(yTexts[i], left - 8, py, left - 10); // a long one is condensed
    });
    ctx.textBaseline = "top";
    ctx.fillText(names[1], left - 8, top);
  }
}

/** @param {Ctx} ctx @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
function line(ctx, x0, y0, x1, y1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}
