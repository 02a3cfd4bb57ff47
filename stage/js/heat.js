// Rows of numbers between two meanings, one column for each frame; one half has no colour.

import { offscreen } from "./dom.js";
import { drawAbscissa, drawTitle, keptSheet, segment, TEXT, TITLE } from "./ink.js";
import { BasePanel } from "./panel.js";
import { mixColours, roleColour } from "./theme.js";
import { areWhole } from "./ticks.js";
import { makeScale } from "./track.js";
import { packedOf } from "./unpack.js";

const ROW_TEXT = 13,
  LONGEST_ROW = 120,
  ROOM = 84; // pixels; what names of rows leave over
const LEANS = [0.4, 0.6]; // between them a row leans to neither end, for a listener

export class HeatPanel extends BasePanel {
  linked = true;
  smooth = true;
  /** @type {[number, number]} */
  heights = [150, 300];
  /** @type {Sheet<Box> | null} */
  sheet = null;

  /** @param {View} view @param {HeatRow} row @param {string} name @param {Track} track */
  constructor(view, row, name, track) {
    super(row);
    this.rows = row.rows;
    this.row_name = row.row_name;
    this.roles = row.roles;
    this.ends = row.ends;
    this.middle = row.middle;
    const { data, shape } = packedOf(view, name);
    this.data = /** @type {Uint8Array} */ (data);
    this.T = shape[0];
    this.m = shape[1];
    if (this.rows.length) this.heights = [Math.max(150, ROOM + (ROW_TEXT + 1) * this.m), 420];
    this.x = track.own ? track.values : Float32Array.from(view.frame_t);
    this.x_name = track.own && view.axis ? view.axis.name : "iteration";
    this.scale = track.own ? track.scale : makeScale(this.x[0], this.x[this.T - 1], null, areWhole(this.x));
  }

  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme @param {number} position */
  draw(ctx, width, height, theme, position) {
    this.moveCursor(ctx, theme, this.paintMap(ctx, width, height, theme), position);
  }

  /**
   * @param {Ctx} ctx
   * @param {number} width
   * @param {number} height
   * @param {Theme} theme
   * @param {number} position
   * @param {number} scale
   */
  drawQuickly(ctx, width, height, theme, position, scale) {
    const name = `${width}|${height}|${scale}|${theme.dark}|${theme.background}`;
    this.sheet = keptSheet(this.sheet, name, width, height, scale, (still) =>
      this.paintMap(still, width, height, theme),
    );
    ctx.drawImage(this.sheet.picture, 0, 0, this.sheet.width, this.sheet.height);
    this.moveCursor(ctx, theme, this.sheet.lay, position);
  }

  forget() {
    this.sheet = null;
  }

  // Title, legend, map and abscissa; returns the place of the map.
  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme */
  paintMap(ctx, width, height, theme) {
    drawTitle(ctx, this.title, width, theme);
    const top = TITLE + 12 + this.paintLegend(ctx, width, theme) + 8;
    ctx.font = `${ROW_TEXT}px ${theme.font}`;
    const named = Math.max(0, ...this.rows.map((row) => ctx.measureText(row).width));
    const left = this.rows.length ? Math.min(LONGEST_ROW, named) + 10 : 2;
    const plot = { left, top, width: width - left - 8, height: height - top - 26 };
    this.paintRows(ctx, plot, theme);
    ctx.font = `${TEXT}px ${theme.font}`;
    drawAbscissa(ctx, this.scale, plot, this.x_name, theme);
    return plot;
  }

  // From one end over the middle to the other, with their names.
  /** @param {Ctx} ctx @param {number} width @param {Theme} theme */
  paintLegend(ctx, width, theme) {
    const shades = [roleColour(theme, this.roles[0]), theme.background, roleColour(theme, this.roles[1])];
    const words = [this.ends[0], this.middle, this.ends[1]];
    let x = 0,
      y = TITLE + 12;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    words.forEach((text, i) => {
      if (!text) return;
      const w = ctx.measureText(text).width + 40;
      if (x && x + w > width) {
        x = 0;
        y += 20;
      }
      ctx.fillStyle = shades[i];
      ctx.fillRect(x, y + 3, 16, 12);
      ctx.strokeStyle = theme.muted;
      ctx.lineWidth = 1;
      ctx.strokeRect(x + 0.5, y + 3.5, 15, 11);
      ctx.fillStyle = theme.soft;
      ctx.fillText(text, x + 22, y + 9);
      x += w;
    });
    return y + 20 - TITLE - 12;
  }

  /** @param {Ctx} ctx @param {Box} plot @param {Theme} theme */
  paintRows(ctx, plot, theme) {
    ctx.save();
    ctx.imageSmoothingEnabled = false;
    const picture = this.rowsAsPicture(theme),
      edges = this.columnEdges(plot);
    for (let t = 0; t < this.T; t++) {
      ctx.drawImage(picture, t, 0, 1, this.m, edges[t], plot.top, edges[t + 1] - edges[t] + 0.5, plot.height);
    }
    ctx.restore();
    ctx.strokeStyle = theme.line;
    ctx.lineWidth = 1;
    ctx.strokeRect(plot.left + 0.5, plot.top + 0.5, plot.width, plot.height);
    const each = plot.height / this.m,
      step = Math.ceil((ROW_TEXT + 1) / each);
    ctx.fillStyle = theme.soft;
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    for (let i = 0; i < this.rows.length; i += step) {
      ctx.fillText(this.rows[i], plot.left - 8, plot.top + (i + 0.5) * each, LONGEST_ROW);
    }
  }

  // One pixel for each number, coloured once for each of the 256 levels.
  /** @param {Theme} theme */
  rowsAsPicture(theme) {
    const ends = this.roles.map((role) => roleColour(theme, role)),
      middle = theme.background;
    const levels = Array.from({ length: 256 }, (_, q) => {
      const lean = (q - 127.5) / 127.5;
      return lean < 0 ? mixColours(middle, ends[0], -lean) : mixColours(middle, ends[1], lean);
    });
    const { canvas, pen: ctx } = offscreen(this.T, this.m),
      image = ctx.createImageData(this.T, this.m);
    for (let t = 0; t < this.T; t++) {
      for (let i = 0; i < this.m; i++) {
        const at = 4 * (i * this.T + t);
        image.data.set(levels[this.data[t * this.m + i]], at);
        image.data[at + 3] = 255;
      }
    }
    ctx.putImageData(image, 0, 0);
    return canvas;
  }

  // A column reaches half way to its neighbours.
  /** @param {Box} plot */
  columnEdges(plot) {
    const at = Array.from(this.x, (v) => plot.left + this.scale.share(v) * plot.width);
    return Array.from({ length: this.T + 1 }, (_, t) => {
      if (t === 0) return plot.left;
      return t === this.T ? plot.left + plot.width : (at[t - 1] + at[t]) / 2;
    });
  }

  /** @param {Ctx} ctx @param {Theme} theme @param {Box} plot @param {number} position */
  moveCursor(ctx, theme, plot, position) {
    const i = Math.min(Math.floor(position), this.T - 1),
      share = position - i;
    const value = share ? this.x[i] + share * (this.x[i + 1] - this.x[i]) : this.x[i];
    const x = plot.left + this.scale.share(value) * plot.width;
    for (const under of [true, false]) {
      ctx.strokeStyle = under ? theme.background : theme.ink;
      ctx.lineWidth = under ? 4 : 1.6;
      ctx.setLineDash(under ? [] : [4, 3]);
      segment(ctx, x, plot.top - 4, x, plot.top + plot.height);
    }
    ctx.setLineDash([]);
  }

  /** @param {number} px */
  frameAt(px) {
    let t = 0;
    if (!this.sheet) return t;
    const edges = this.columnEdges(this.sheet.lay);
    while (t < this.T - 1 && edges[t + 1] < px) t += 1;
    return t;
  }

  /** @param {number} frame */
  words(frame) {
    const now = this.data.subarray(frame * this.m, (frame + 1) * this.m);
    const low = now.filter((q) => q <= 255 * LEANS[0]).length,
      high = now.filter((q) => q >= 255 * LEANS[1]).length;
    const some = (/** @type {number} */ n) => `${n} ${this.row_name}${n === 1 ? "" : "s"}`;
    const between = this.middle ? `, ${some(this.m - low - high)}: ${this.middle}` : "";
    return `${some(low)}: ${this.ends[0]}, ${some(high)}: ${this.ends[1]}${between}`;
  }
}
