// The decision field: colour by f, a solid line at f = 0, dashed ones at f = +-1.

import { classColour, mixColours } from "./theme.js";
import { Contours, classBorders, refine } from "./contour.js";
import { decodeTable, marginTable } from "./unpack.js";

const FINE = 180; // nodes a side after refinement; enough for smooth lines at 60 fps

export class Field {
  constructor(view) {
    this.view = view;
    this.array = view.arrays.field;
    this.canvas = document.createElement("canvas");
    if (!this.array) return;
    [, this.h, this.w] = this.array.shape;
    this.many = view.k > 2;
    this.s = this.many ? 1 : Math.max(1, Math.round(FINE / Math.max(this.w, this.h)));
    this.w2 = (this.w - 1) * this.s + 1;
    this.h2 = (this.h - 1) * this.s + 1;
    this.canvas.width = this.w2;
    this.canvas.height = this.h2;
    this.ctx = this.canvas.getContext("2d");
    this.image = this.ctx.createImageData(this.w2, this.h2);
    this.pixels = new Uint32Array(this.image.data.buffer);
    const limit = view.limits.field;
    this.values = this.many ? marginTable(limit) : decodeTable(limit);
    this.coarse = new Float32Array(this.w * this.h);
    this.fine = new Float32Array(this.w2 * this.h2);
    this.scratch = new Float32Array(this.w2 * this.h);
    this.contours = new Contours(this.w2, this.h2);
    this.at = -1;
    this.ghostLines = this.ghost(view);
  }

  get exists() {
    return Boolean(this.array);
  }

  // Colour table: 512 steps of f over [-limit, limit], or k rows of 256 steps of the lead.
  // With a `band` width colours go in steps of f, which makes animated pictures small.
  setTheme(theme, band = 0) {
    this.theme = theme;
    this.at = -1;
    if (!this.exists) return;
    const limit = this.view.limits.field;
    const paint = (c, exact) => {
      const f = band ? band * (Math.floor(exact / band) + 0.5) : exact;
      // With many classes a region must show its colour even where the lead is small.
      const share = this.many ? 0.35 + 0.65 * Math.tanh(1.2 * f) : Math.tanh(0.7 * f);
      const [r, g, b] = mixColours(theme.background, classColour(theme, c), theme.strength * share);
      return (255 << 24) | (b << 16) | (g << 8) | r;
    };
    if (this.many) {
      this.table = new Uint32Array(256 * this.view.k);
      for (let c = 0; c < this.view.k; c++) {
        for (let q = 0; q < 256; q++) this.table[256 * c + q] = paint(c, this.values[q]);
      }
    } else {
      this.table = new Uint32Array(512);
      for (let i = 0; i < 512; i++) {
        const f = ((i - 255.5) / 255.5) * limit;
        this.table[i] = paint(f >= 0 ? 1 : 0, Math.abs(f));
      }
    }
  }

  // Bring picture and lines to `position`, which may lie between two frames.
  prepare(position) {
    if (!this.exists || position === this.at) return;
    this.at = position;
    if (this.many) this.prepareWinners(Math.round(position));
    else this.prepareOutputs(position);
    this.ctx.putImageData(this.image, 0, 0);
  }

  prepareOutputs(position) {
    const { w, h, w2, h2, coarse, fine, values, table, pixels } = this;
    const size = w * h, T = this.view.T, q = this.array.data;
    const first = Math.min(Math.floor(position), T - 1), share = position - first;
    const a = first * size, b = Math.min(first + 1, T - 1) * size;
    for (let i = 0; i < size; i++) {
      const v = values[q[a + i]];
      coarse[i] = share ? v + share * (values[q[b + i]] - v) : v;
    }
    refine(coarse, w, h, this.s, fine, this.scratch);
    const gain = 255.5 / this.view.limits.field;
    for (let y = 0; y < h2; y++) {
      const from = y * w2, to = (h2 - 1 - y) * w2; // first row is the lowest
      for (let x = 0; x < w2; x++) {
        const i = (fine[from + x] * gain + 255.5) | 0;
        pixels[to + x] = table[i < 0 ? 0 : i > 511 ? 511 : i];
      }
    }
    this.zero = this.contours.lines(fine, 0);
    this.plus = this.contours.lines(fine, 1);
    this.minus = this.contours.lines(fine, -1);
  }

  prepareWinners(frame) {
    const { w, h, table, pixels } = this, size = w * h;
    const winner = this.array.data.subarray(frame * size, (frame + 1) * size);
    const lead = this.view.arrays.field_margin.data.subarray(frame * size, (frame + 1) * size);
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const i = y * w + x;
        pixels[(h - 1 - y) * w + x] = table[256 * winner[i] + lead[i]];
        this.coarse[i] = this.values[lead[i]];
      }
    }
    this.borders = classBorders(winner, this.coarse, w, h);
  }

  ghost(view) {
    const array = view.arrays.ghost_field;
    if (!array) return [];
    const [h, w] = array.shape;
    if (this.many) return this.ghostBorders(array.data, view.arrays.ghost_margin.data, w, h);
    const values = decodeTable(view.limits.ghost);
    const coarse = Float32Array.from(array.data, (q) => values[q]);
    const w2 = (w - 1) * this.s + 1, h2 = (h - 1) * this.s + 1;
    const fine = new Float32Array(w2 * h2);
    refine(coarse, w, h, this.s, fine, new Float32Array(w2 * h));
    return new Contours(w2, h2).lines(fine, 0).map((xy) => ({ xy, w: w2, h: h2 }));
  }

  ghostBorders(winner, margin, w, h) {
    const values = marginTable(this.view.limits.ghost), pieces = [];
    const borders = classBorders(winner, Float32Array.from(margin, (q) => values[q]), w, h);
    for (let i = 0; i < borders.length; i += 4) pieces.push({ xy: borders.slice(i, i + 4), w, h });
    return pieces;
  }

  // With `ghost`, the boundary of an earlier run is dotted below the present one.
  draw(ctx, axes, ghost = true) {
    if (!this.exists) return;
    const [x0, x1, y0, y1] = this.view.extent;
    const left = axes.px(x0), top = axes.py(y1);
    const width = axes.px(x1) - left, height = axes.py(y0) - top;
    ctx.save();
    axes.clip(ctx);
    ctx.imageSmoothingEnabled = true;
    ctx.imageSmoothingQuality = "low"; // the grid is already refined
    // Nodes sit in the middle of pixels, so half a pixel is left out on each side.
    ctx.drawImage(this.canvas, 0.5, 0.5, this.w2 - 1, this.h2 - 1, left, top, width, height);
    const gx = width / (this.w2 - 1), gy = height / (this.h2 - 1), bottom = top + height;
    const trace = (lines) => {
      ctx.beginPath();
      for (const xy of lines) {
        ctx.moveTo(left + xy[0] * gx, bottom - xy[1] * gy);
        for (let i = 2; i < xy.length; i += 2) ctx.lineTo(left + xy[i] * gx, bottom - xy[i + 1] * gy);
      }
      ctx.stroke();
    };
    ctx.lineJoin = ctx.lineCap = "round";
    if (ghost) this.drawGhost(ctx, axes);
    if (this.many) {
      ctx.strokeStyle = this.theme.ink;
      ctx.lineWidth = 2;
      ctx.beginPath();
      for (let i = 0; i < this.borders.length; i += 4) {
        ctx.moveTo(left + this.borders[i] * gx, bottom - this.borders[i + 1] * gy);
        ctx.lineTo(left + this.borders[i + 2] * gx, bottom - this.borders[i + 3] * gy);
      }
      ctx.stroke();
    } else {
      ctx.lineWidth = 1.6;
      ctx.setLineDash([7, 6]);
      ctx.strokeStyle = classColour(this.theme, 1);
      trace(this.plus);
      ctx.strokeStyle = classColour(this.theme, 0);
      trace(this.minus);
      ctx.setLineDash([]);
      ctx.lineWidth = 2.6;
      ctx.strokeStyle = this.theme.ink;
      trace(this.zero);
    }
    ctx.restore();
  }

  drawGhost(ctx, axes) {
    if (!this.ghostLines.length) return;
    const [x0, x1, y0, y1] = this.view.ghost.extent ?? this.view.extent;
    const left = axes.px(x0), bottom = axes.py(y0), width = axes.px(x1) - left, height = bottom - axes.py(y1);
    ctx.strokeStyle = this.theme.soft;
    ctx.lineWidth = 2.4;
    ctx.setLineDash([2, 6]);
    ctx.beginPath();
    for (const { xy, w, h } of this.ghostLines) {
      for (let i = 0; i < xy.length; i += 2) {
        const x = left + (xy[i] / (w - 1)) * width, y = bottom - (xy[i + 1] / (h - 1)) * height;
        if (i === 0) ctx.moveTo(x, y);
        else ctx.lineTo(x, y);
      }
    }
    ctx.stroke();
    ctx.setLineDash([]);
  }
}
