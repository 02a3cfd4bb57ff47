// The decision field: colour by f, a solid line at f = 0, dashed ones at f = +-1.

import { Contours, classBorders, refine } from "./contour.js";
import { penOf } from "./dom.js";
import { classColour, LIGHT, mixColours } from "./theme.js";
import { decodeTable } from "./unpack.js";

const FINE = 240; // nodes a side after refinement; loops of a few pixels keep their shape
const MANY = 6; // classes that are refined so far; more of them half as far
const STRONGEST = 2.5; // |f| from which colours are as strong as they get
const FAINT = 0.2,
  BUCKETS = 5; // opacity of a line that separates next to nothing; steps
const NOTABLE = 0.05; // part of the largest output that makes a line fully drawn
const DRAWN_AT = [0, 1, -1]; // outputs of the boundary and the margins
const AROUND = 2; // nodes to each side that say how large the outputs are around a line
const SURE = 0.1; // lead from which a class shows its colour

export class Field {
  /** @param {View} view */
  constructor(view) {
    this.view = view;
    this.array = view.arrays.field;
    this.canvas = document.createElement("canvas");
    /** @type {Theme} */
    this.theme = { ...LIGHT, font: "" };
    const [, k, h, w] = this.array?.shape ?? [0, 0, 1, 1]; // without a field nothing is drawn
    this.k = k;
    this.h = h;
    this.w = w;
    /** @type {number[][]} */
    this.zero = [];
    /** @type {number[][]} */
    this.plus = [];
    /** @type {number[][]} */
    this.minus = [];
    /** @type {number[] | null} */
    this.borders = null; // of several classes
    this.table = new Uint32Array(0);
    this.many = this.k > 1;
    this.s = Math.max(1, Math.round(FINE / Math.max(this.w, this.h) / (this.k > MANY ? 2 : 1)));
    this.w2 = (this.w - 1) * this.s + 1;
    this.h2 = (this.h - 1) * this.s + 1;
    this.canvas.width = this.w2;
    this.canvas.height = this.h2;
    this.ctx = penOf(this.canvas);
    this.image = this.ctx.createImageData(this.w2, this.h2);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.values = this.array ? decodeTable(view.limits.field) : new Float32Array(65536);
    this.coarse = new Float32Array(this.w * this.h);
    this.fine = Array.from({ length: this.k }, () => new Float32Array(this.w2 * this.h2));
    this.scratch = new Float32Array(this.w2 * this.h);
    this.contours = new Contours(this.w2, this.h2);
    this.winner = new Uint8Array(this.w2 * this.h2);
    this.size = new Float32Array(this.w * this.h); // |f|, or the lead, at the nodes
    this.opacity = new Float32Array(this.w * this.h);
    this.regions = new Regions(this.w2, this.h2, this.nodesOf(view));
    this.at = -1;
    this.withMargins = view.margins !== false;
    this.margins = this.many || !this.array || !this.withMargins ? [] : reached(this.array.data, this.values);
    this.ghostLines = this.array ? this.ghost(view) : [];
  }

  get exists() {
    return Boolean(this.array);
  }

  // Colour table: 512 steps of f over [-STRONGEST, STRONGEST], or k rows of 256 steps of the lead.
  // With a `band` width colours go in steps of f, which makes animated pictures small.
  /** @param {Theme} theme @param {number} [band] */
  setTheme(theme, band = 0) {
    this.theme = theme;
    this.at = -1;
    if (!this.exists) return;
    const paint = (/** @type {number} */ c, /** @type {number} */ exact) => {
      const f = band ? band * (Math.floor(exact / band) + 0.5) : exact;
      // With many classes regions differ already where the lead is small, but not at once.
      const share = this.many ? 0.35 * Math.min(1, f / SURE) + 0.65 * Math.tanh(1.2 * f) : Math.tanh(0.7 * f);
      const [r, g, b] = mixColours(theme.background, classColour(theme, c), theme.strength * share);
      return (255 << 24) | (b << 16) | (g << 8) | r;
    };
    if (this.many) {
      this.table = new Uint32Array(256 * this.k);
      for (let c = 0; c < this.k; c++) {
        for (let i = 0; i < 256; i++) this.table[256 * c + i] = paint(c, ((i + 0.5) / 256) * STRONGEST);
      }
    } else {
      this.table = new Uint32Array(512);
      for (let i = 0; i < 512; i++) {
        const f = ((i - 255.5) / 255.5) * STRONGEST;
        this.table[i] = paint(f >= 0 ? 1 : 0, Math.abs(f));
      }
    }
  }

  // Bring picture and lines to `position`, which may lie between two frames.
  /** @param {number} position */
  prepare(position) {
    if (!this.exists || position === this.at) return;
    this.at = position;
    for (let c = 0; c < this.k; c++) this.refineClass(position, c);
    if (this.many) this.prepareWinners();
    else this.prepareOutputs();
    this.ctx.putImageData(this.image, 0, 0);
  }

  /** @param {number} position @param {number} c */
  refineClass(position, c) {
    const { w, h, k, coarse, values } = this,
      size = w * h,
      T = this.view.T,
      q = this.array?.data ?? [];
    const first = Math.min(Math.floor(position), T - 1),
      share = position - first;
    const a = (first * k + c) * size,
      b = (Math.min(first + 1, T - 1) * k + c) * size;
    for (let i = 0; i < size; i++) {
      const v = values[q[a + i] + 32768];
      coarse[i] = share ? v + share * (values[q[b + i] + 32768] - v) : v;
    }
    refine(coarse, w, h, this.s, this.fine[c], this.scratch, this.many ? null : DRAWN_AT);
  }

  // Outputs at a place of the data as they are in the picture, linear between the nodes that
  // its lines are drawn through: one for each class, of two classes f. Null off the field.
  /** @param {number} x @param {number} y */
  outputsAt(x, y) {
    const { w2, h2 } = this,
      [x0, x1, y0, y1] = this.view.extent;
    const u = ((x - x0) / (x1 - x0)) * (w2 - 1),
      v = ((y - y0) / (y1 - y0)) * (h2 - 1);
    if (this.at < 0 || !(u >= 0 && v >= 0 && u <= w2 - 1 && v <= h2 - 1)) return null;
    const i = Math.min(w2 - 2, Math.floor(u)),
      j = Math.min(h2 - 2, Math.floor(v));
    return this.fine.map((f) => {
      const row = (/** @type {number} */ k) => f[k * w2 + i] + (u - i) * (f[k * w2 + i + 1] - f[k * w2 + i]);
      return row(j) + (v - j) * (row(j + 1) - row(j));
    });
  }

  prepareOutputs() {
    const { w, h, w2, h2, size, coarse, winner, table, pixels } = this,
      fine = this.fine[0];
    const gain = 255.5 / STRONGEST;
    let low = Infinity,
      high = -Infinity;
    for (let y = 0; y < h2; y++) {
      const from = y * w2,
        to = (h2 - 1 - y) * w2; // first row is the lowest
      for (let x = 0; x < w2; x++) {
        const f = fine[from + x],
          i = (f * gain + 255.5) | 0;
        winner[from + x] = f >= 0 ? 1 : 0;
        if (f < low) low = f;
        if (f > high) high = f;
        pixels[to + x] = table[i < 0 ? 0 : i > 511 ? 511 : i];
      }
    }
    for (let i = 0; i < w * h; i++) size[i] = Math.abs(coarse[i]);
    this.fade();
    const lines = (/** @type {number} */ level) =>
      low < level && level <= high ? this.contours.lines(fine, level) : [];
    const margin = (/** @type {number} */ level) => (this.withMargins ? lines(level) : []);
    [this.zero, this.plus, this.minus] = [lines(0), margin(1), margin(-1)];
  }

  prepareWinners() {
    const { w, s, k, w2, h2, fine, winner, size, table, pixels } = this;
    const gain = 256 / STRONGEST;
    for (let y = 0; y < h2; y++) {
      const to = (h2 - 1 - y) * w2,
        node = y % s ? -1 : (y / s) * w;
      for (let x = 0, i = y * w2; x < w2; x++, i++) {
        let best = 0,
          first = fine[0][i],
          second = -Infinity;
        for (let c = 1; c < k; c++) {
          const v = fine[c][i];
          if (v > first) {
            second = first;
            first = v;
            best = c;
          } else if (v > second) second = v;
        }
        winner[i] = best;
        pixels[to + x] = table[256 * best + Math.min(255, ((first - second) * gain) | 0)];
        if (node >= 0 && x % s === 0) size[node + x / s] = first - second;
      }
    }
    this.fade();
    this.borders = classBorders(winner, fine, w2, h2);
  }

  // The node of the fine grid that is nearest to each point.
  /** @param {View} view */
  nodesOf(view) {
    const { w2, h2 } = this,
      [x0, x1, y0, y1] = view.extent,
      { data } = view.arrays.points;
    const at = (
      /** @type {number} */ v,
      /** @type {number} */ low,
      /** @type {number} */ high,
      /** @type {number} */ count,
    ) => Math.min(count - 1, Math.max(0, Math.round(((v - low) / (high - low)) * (count - 1))));
    return Int32Array.from(
      { length: view.n },
      (_, i) => at(data[2 * i + 1], y0, y1, h2) * w2 + at(data[2 * i], x0, x1, w2),
    );
  }

  // How clearly a line is drawn near each node: fully where the outputs around it reach a
  // twentieth of the largest, ever fainter down to a hundredth of that. And faintly
  // throughout where it parts no points, for example around an island that holds none: far
  // from the data a kernel machine goes on changing its sign, which says nothing of them.
  fade() {
    const { w, h, size, opacity } = this;
    this.regions.find(this.winner);
    let largest = 0;
    for (let i = 0; i < w * h; i++) if (size[i] > largest) largest = size[i];
    const rows = spreadMax(size, w, h, 1, w),
      around = spreadMax(rows, h, w, w, 1);
    for (let i = 0; i < w * h; i++) {
      opacity[i] = largest ? Math.max(FAINT, Math.min(1, Math.log10(around[i] / largest / NOTABLE) / 2 + 1)) : 1;
    }
  }

  // Opacity of a line at a place of the fine grid, in steps.
  /** @param {number} x @param {number} y @param {boolean} [parts] */
  opacityAt(x, y, parts = true) {
    if (!parts) return FAINT;
    const node = Math.round(y / this.s) * this.w + Math.round(x / this.s);
    return Math.round(this.opacity[node] * BUCKETS) / BUCKETS;
  }

  /** @param {View} view */
  ghost(view) {
    const array = view.arrays.ghost_field;
    if (!array) return [];
    const [, k, h, w] = array.shape,
      s = this.s,
      w2 = (w - 1) * s + 1,
      h2 = (h - 1) * s + 1;
    const scores = Array.from({ length: k }, (_, c) => {
      const coarse = Float32Array.from(array.data.subarray(c * w * h, (c + 1) * w * h), (q) => this.values[q + 32768]);
      const fine = new Float32Array(w2 * h2);
      refine(coarse, w, h, s, fine, new Float32Array(w2 * h));
      return fine;
    });
    const line = (/** @type {number[]} */ xy) => ({ xy, w: w2, h: h2 });
    if (k === 1) return new Contours(w2, h2).lines(scores[0], 0).map(line);
    const winner = Uint8Array.from(scores[0], (_, i) => {
      let best = 0;
      for (let c = 1; c < k; c++) if (scores[c][i] > scores[best][i]) best = c;
      return best;
    });
    return segments(classBorders(winner, scores, w2, h2)).map(line);
  }

  // With `ghost`, the boundary of an earlier run is dotted below the present one.
  /** @param {Ctx} ctx @param {Axes} axes @param {boolean} [ghost] */
  draw(ctx, axes, ghost = true) {
    if (!this.exists) return;
    const [x0, x1, y0, y1] = this.view.extent;
    const left = axes.px(x0),
      top = axes.py(y1);
    const width = axes.px(x1) - left,
      height = axes.py(y0) - top;
    ctx.save();
    axes.clip(ctx);
    ctx.imageSmoothingEnabled = true;
    ctx.imageSmoothingQuality = "low"; // the grid is already refined
    // Nodes sit in the middle of pixels, so half a pixel is left out on each side.
    ctx.drawImage(this.canvas, 0.5, 0.5, this.w2 - 1, this.h2 - 1, left, top, width, height);
    const gx = width / (this.w2 - 1),
      gy = height / (this.h2 - 1),
      bottom = top + height;
    const toX = (/** @type {number} */ x) => left + x * gx,
      toY = (/** @type {number} */ y) => bottom - y * gy;
    const trace = (/** @type {number[][]} */ lines) => {
      ctx.beginPath();
      for (const xy of lines) {
        ctx.moveTo(toX(xy[0]), toY(xy[1]));
        for (let i = 2; i < xy.length; i += 2) ctx.lineTo(toX(xy[i]), toY(xy[i + 1]));
      }
      ctx.stroke();
    };
    ctx.lineJoin = ctx.lineCap = "round";
    if (ghost) this.drawGhost(ctx, axes);
    if (!this.many) {
      ctx.lineWidth = 1.6;
      ctx.setLineDash([7, 6]);
      ctx.strokeStyle = classColour(this.theme, 1);
      trace(this.plus);
      ctx.strokeStyle = classColour(this.theme, 0);
      trace(this.minus);
      ctx.setLineDash([]);
    }
    ctx.strokeStyle = this.theme.ink;
    ctx.lineWidth = this.many ? 2 : 2.6;
    for (const [opacity, lines] of this.byOpacity()) {
      ctx.globalAlpha = opacity;
      trace(lines);
    }
    ctx.restore();
  }

  // The boundary, or the borders, cut where its opacity changes.
  byOpacity() {
    /** @type {Map<number, number[][]>} */
    const parts = new Map();
    const put = (/** @type {number} */ opacity, /** @type {number[]} */ xy) =>
      parts.get(opacity)?.push(xy) ?? parts.set(opacity, [xy]);
    const lines = this.many ? segments(this.borders ?? []) : this.zero;
    const apart = lines.map(([x, y]) => this.regions.parted(x, y)),
      none = !apart.includes(true);
    for (const [j, xy] of lines.entries()) {
      const full = apart[j] || none;
      let from = 0,
        opacity = this.opacityAt(xy[0], xy[1], full);
      for (let i = 2; i < xy.length; i += 2) {
        const next = this.opacityAt(xy[i], xy[i + 1], full);
        if (next === opacity) continue;
        put(opacity, xy.slice(from, i + 2));
        [from, opacity] = [i, next];
      }
      if (from < xy.length - 2) put(opacity, xy.slice(from));
    }
    return parts;
  }

  /** @param {Ctx} ctx @param {Axes} axes */
  drawGhost(ctx, axes) {
    if (!this.ghostLines.length) return;
    const [x0, x1, y0, y1] = this.view.ghost?.extent ?? this.view.extent;
    const left = axes.px(x0),
      bottom = axes.py(y0),
      width = axes.px(x1) - left,
      height = bottom - axes.py(y1);
    ctx.strokeStyle = this.theme.soft;
    ctx.lineWidth = 2.4;
    ctx.setLineDash([2, 6]);
    ctx.beginPath();
    for (const { xy, w, h } of this.ghostLines) {
      for (let i = 0; i < xy.length; i += 2) {
        const x = left + (xy[i] / (w - 1)) * width,
          y = bottom - (xy[i + 1] / (h - 1)) * height;
        if (i === 0) ctx.moveTo(x, y);
        else ctx.lineTo(x, y);
      }
    }
    ctx.stroke();
    ctx.setLineDash([]);
  }
}

// Connected parts of the picture that belong to one class, and which of them hold points.
// Each row is cut into runs of one class; runs that touch those of the row below are joined.
class Regions {
  /** @param {number} w @param {number} h @param {Int32Array} nodes */
  constructor(w, h, nodes) {
    this.w = w;
    this.h = h;
    this.nodes = nodes;
    this.peopled = new Uint8Array(0); // of each region's root: whether it holds points
    this.run = new Int32Array(w * h); // of each node
    this.end = new Int32Array(w * h); // of each run: the first node behind it
    this.parent = new Int32Array(w * h); // of each run: another one of its region, or itself
  }

  /** @param {Uint8Array} winner */
  find(winner) {
    const { w, h, run, end, parent, nodes } = this;
    let count = 0;
    for (let row = 0; row < w * h; row += w) {
      for (let i = row; i < row + w; count++) {
        const from = i,
          c = winner[i];
        while (i < row + w && winner[i] === c) i += 1;
        run.fill(count, from, i);
        end[count] = i;
        parent[count] = count;
        for (let below = from - w; row && below < i - w; below = end[run[below]]) {
          if (winner[below] === c) parent[this.root(run[below])] = this.root(count);
        }
      }
    }
    this.peopled = new Uint8Array(count);
    for (const node of nodes) this.peopled[this.root(run[node])] = 1;
  }

  /** @param {number} r */
  root(r) {
    const { parent } = this;
    while (parent[r] !== r) r = parent[r] = parent[parent[r]];
    return r;
  }

  // Whether a line at a place parts regions that both hold points.
  /** @param {number} x @param {number} y */
  parted(x, y) {
    const { w, h, run, peopled } = this;
    let one = -1;
    for (let row = Math.max(0, Math.ceil(y) - 1); row <= Math.min(h - 1, Math.floor(y) + 1); row++) {
      for (let column = Math.max(0, Math.ceil(x) - 1); column <= Math.min(w - 1, Math.floor(x) + 1); column++) {
        const r = this.root(run[row * w + column]);
        if (!peopled[r]) continue;
        if (one >= 0 && r !== one) return true;
        one = r;
      }
    }
    return false;
  }
}

/** @param {number[]} flat */
function segments(flat) {
  return Array.from({ length: flat.length / 4 }, (_, i) => flat.slice(4 * i, 4 * i + 4));
}

// The largest of a value and its AROUND neighbours on both sides, along lines of `count`
// values `step` apart; `lines` of them, `stride` apart.
/**
 * @param {Values} values
 * @param {number} count
 * @param {number} lines
 * @param {number} step
 * @param {number} stride
 */
function spreadMax(values, count, lines, step, stride) {
  const out = new Float32Array(values.length);
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < count; i++) {
      let most = 0;
      for (let j = Math.max(0, i - AROUND); j <= Math.min(count - 1, i + AROUND); j++) {
        most = Math.max(most, values[line * stride + j * step]);
      }
      out[line * stride + i * step] = most;
    }
  }
  return out;
}

// Which of the margins f = +1 and f = -1 some frame crosses.
/** @param {Typed} levels @param {Values} values */
function reached(levels, values) {
  let low = levels[0],
    high = levels[0];
  for (const q of levels) {
    if (q < low) low = q;
    if (q > high) high = q;
  }
  const [least, most] = [values[low + 32768], values[high + 32768]];
  return [1, -1].filter((margin) => least < margin && most >= margin);
}
