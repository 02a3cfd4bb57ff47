// A search tree that grows with the cursor: nodes by depth or by bound.

import { offscreen } from "./dom.js";
import { drawTitle, segment, TEXT, TITLE } from "./ink.js";
import { formatCount, formatNumber, formatPercent, tickTexts } from "./numerals.js";
import { BasePanel } from "./panel.js";
import { niceTicks } from "./ticks.js";
import { dataOf, packedOf } from "./unpack.js";

const NODE_REACH = 14; // pixels from a node at which the mouse is on it
const HEIGHTS = { depth: "Height by depth", bound: "Height by bound" };
const SHOWN = { by: "depth" }; // as the reader wants it, for all trees of the page
const NAMELESS = 3; // the last kinds: nodes that wait, were dropped, and better ones

/** @typedef {ReturnType<TreePanel["layout"]>} Lay */
/** @typedef {ReturnType<TreePanel["places"]>} Places */

export class TreePanel extends BasePanel {
  linked = true;
  /** @type {[number, number]} */
  heights = [360, 460];
  /** @type {{ name: string, canvas: OffscreenCanvas, pen: OffscreenCanvasRenderingContext2D, lay: Lay, frame: number } | null} */
  sheet = null;
  /** @type {[low: number, high: number] | null} */
  limits = null; // of the bounds, where there are any

  /** @param {View} view @param {TreeRow} row @param {string} name @param {Track} track */
  constructor(view, row, name, track) {
    super(row);
    this.kinds = row.kinds;
    const read = (/** @type {string} */ part) => dataOf(view, `${name}_${part}`);
    this.parent = read("parent");
    this.depth = read("depth");
    this.x = read("x");
    this.seen = read("seen");
    this.examined = read("examined");
    this.dropped = read("dropped");
    this.fate = read("fate");
    this.better = read("better");
    this.size = read("size");
    this.bound = read("bound");
    this.promise = read("promise");
    this.now = read("now");
    this.lower = view.arrays[`${name}_lower`]?.data;
    this.upper = view.arrays[`${name}_upper`]?.data;
    const { data, shape } = packedOf(view, `${name}_counts`);
    this.counts = Array.from({ length: shape[0] }, (_, t) => data.subarray(t * shape[1], (t + 1) * shape[1]));
    this.track = track;
    this.view = view;
    this.fates = this.kinds.length - NAMELESS;
    // Rows in the order in which they are dealt with, so that a sheet can be drawn further.
    this.order = Uint32Array.from(this.x.keys()).sort((a, b) => this.settled(a) - this.settled(b));
    const finite = [...this.bound].filter(Number.isFinite);
    if (finite.length) {
      const uppers = this.upper ? [...this.upper].filter(Number.isFinite) : finite;
      const low = finite.reduce((a, b) => Math.min(a, b)),
        high = uppers.reduce((a, b) => Math.max(a, b), low);
      this.limits = [low, high > low ? high : low + 1];
    }
  }

  // The frame at which nothing more happens to a node.
  /** @param {number} row */
  settled(row) {
    return Math.min(this.examined[row], this.dropped[row]);
  }

  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme */
  layout(ctx, width, height, theme) {
    ctx.font = `${TEXT}px ${theme.font}`;
    const last = this.counts[this.counts.length - 1];
    /** @type {(Place & { k: number })[]} */
    const entries = [];
    const told = Math.max(0, ...this.counts.map((_, frame) => ctx.measureText(this.between(frame)).width));
    ctx.font = `600 ${TITLE}px ${theme.font}`;
    const beside = ctx.measureText(this.title).width + 16 + told <= width; // else it has a line to itself
    ctx.font = `${TEXT}px ${theme.font}`;
    let x = 0,
      line = beside || !told ? 0 : 1;
    this.kinds.forEach(({ name }, k) => {
      const most = this.counts.reduce((a, row) => Math.max(a, row[k]), last[k]);
      if (!most) return;
      const w = ctx.measureText(`${name} ${formatCount(most)}`).width + 44;
      if (x && x + w > width) {
        x = 0;
        line += 1;
      }
      entries.push({ k, x, y: TITLE + 12 + line * 20 });
      x += w;
    });
    const top = TITLE + 12 + (line + 1) * 20 + 12,
      byBound = SHOWN.by === "bound" ? this.limits : null;
    const ticks = byBound ? niceTicks(...byBound, Math.max(2, (height - top) / 60)) : [];
    const texts = tickTexts(ticks),
      left = 12 + Math.max(0, ...texts.map((text) => ctx.measureText(text).width));
    const plot = { left, top, width: width - left - 12, height: height - top - 14 };
    return { entries, beside, plot, ticks, texts, places: this.places(plot, byBound !== null) };
  }

  /** @param {Box} plot @param {boolean} byBound */
  places(plot, byBound) {
    const deepest = Math.max(1, ...new Set(this.depth)),
      m = this.x.length;
    const xs = Float32Array.from(this.x, (v) => plot.left + v * plot.width);
    const ys = Float32Array.from(this.depth, (d) => plot.top + (d / deepest) * plot.height);
    const toY = (/** @type {number} */ v) => {
      const [low, high] = this.limits ?? [0, 1],
        share = Number.isFinite(v) ? (v - low) / (high - low) : 1;
      return plot.top + plot.height * (1 - Math.min(1, Math.max(0, share)));
    };
    if (byBound) for (let i = 0; i < m; i++) ys[i] = toY(this.bound[i]);
    const waitY = byBound ? Float32Array.from(this.promise, (v) => toY(v)) : ys;
    const parents = new Set(this.parent),
      gap = plot.width / Math.max(1, m - parents.size);
    return { xs, ys, waitY, toY, step: plot.height / deepest, radius: Math.min(5, Math.max(2, 0.4 * gap)) };
  }

  // What has happened between two frames: edges and marks of all nodes dealt with then.
  /** @param {Ctx} ctx @param {Theme} theme @param {Lay} options @param {number} from @param {number} to */
  grow(ctx, theme, { places }, from, to) {
    const { order } = this,
      { xs, ys } = places,
      byKind = this.kinds.map(() => /** @type {number[]} */ ([]));
    ctx.lineWidth = places.radius > 2 ? 1.2 : 0.9;
    ctx.strokeStyle = theme.muted;
    ctx.globalAlpha = 0.8;
    ctx.beginPath();
    for (const row of order) {
      const at = this.settled(row);
      if (at > to) break;
      if (at <= from) continue;
      const looked = this.examined[row] === at;
      byKind[looked ? this.fate[row] : this.fates + 1].push(row);
      if (looked && this.better[row]) byKind[this.fates + 2].push(row);
      if (row) this.edge(ctx, places, row, ys[row]);
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
    byKind.forEach((rows, k) => {
      const { mark } = this.kinds[k],
        size = mark === "star" ? 7 : places.radius;
      startMark(ctx, theme, mark, size);
      for (const row of rows) traceMark(ctx, mark, xs[row], ys[row], size, places.step * Math.log2(this.size[row]));
      endMark(ctx, mark);
    });
  }

  /** @param {Ctx} ctx @param {Places} options @param {number} row @param {number} y */
  edge(ctx, { xs, ys }, row, y) {
    const p = this.parent[row];
    ctx.moveTo(xs[p], ys[p]);
    ctx.lineTo(xs[row], y);
  }

  // Nodes that wait, the node looked at with its way from the root, counts and bounds.
  /** @param {Ctx} ctx @param {Theme} theme @param {Lay} lay @param {number} frame @param {number} width */
  drawMoving(ctx, theme, lay, frame, width) {
    const { places, entries, beside, plot } = lay,
      { xs, ys, waitY } = places,
      open = this.fates,
      { mark } = this.kinds[open];
    const waiting = this.openAt(frame),
      size = Math.min(4, places.radius + 1);
    ctx.strokeStyle = theme.muted;
    ctx.lineWidth = 0.8;
    ctx.beginPath();
    for (const row of waiting) if (row) this.edge(ctx, places, row, waitY[row]);
    ctx.stroke();
    if (SHOWN.by === "bound" && this.limits) this.drawBounds(ctx, theme, plot, places, frame);
    startMark(ctx, theme, mark, size);
    for (const row of waiting) traceMark(ctx, mark, xs[row], waitY[row], size);
    endMark(ctx, mark);
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 2.2;
    ctx.beginPath();
    for (let row = this.now[frame]; row; row = this.parent[row]) this.edge(ctx, places, row, ys[row]);
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(xs[this.now[frame]], ys[this.now[frame]], 5.5, 0, 2 * Math.PI);
    ctx.fillStyle = theme.accent;
    ctx.fill();
    ctx.strokeStyle = theme.background;
    ctx.lineWidth = 1.5;
    ctx.stroke();
    ctx.font = `${TEXT}px ${theme.font}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (const { k, x, y } of entries) {
      const { name, mark } = this.kinds[k];
      startMark(ctx, theme, mark, 5);
      traceMark(ctx, mark, x + 8, y + 8.5, mark === "star" ? 7 : 5, 8);
      endMark(ctx, mark);
      ctx.fillStyle = theme.soft;
      ctx.fillText(name, x + 20, y + 9);
      ctx.fillStyle = theme.ink;
      ctx.fillText(formatCount(this.counts[frame][k]), x + 26 + ctx.measureText(name).width, y + 9);
    }
    ctx.textBaseline = "top";
    ctx.fillStyle = theme.ink;
    ctx.textAlign = beside ? "right" : "left";
    ctx.fillText(this.between(frame), beside ? width : 0, beside ? 1 : TITLE + 12, width);
  }

  /** @param {Ctx} ctx @param {Theme} theme @param {Box} plot @param {Places} options @param {number} frame */
  drawBounds(ctx, theme, plot, { toY }, frame) {
    const end = plot.left + plot.width;
    const lines = [
      { row: this.upper, words: "incumbent", colour: theme.good, dash: [], shift: -16 },
      { row: this.lower, words: "lower bound", colour: theme.ink, dash: [5, 4], shift: 4 },
    ];
    ctx.font = `${TEXT}px ${theme.font}`;
    ctx.textAlign = "right";
    ctx.textBaseline = "top";
    for (const { row, words, colour, dash, shift } of lines) {
      if (!row || !Number.isFinite(row[frame])) continue;
      const y = toY(row[frame]);
      ctx.strokeStyle = ctx.fillStyle = colour;
      ctx.lineWidth = 1.6;
      ctx.setLineDash(dash);
      segment(ctx, plot.left, y, end, y);
      ctx.setLineDash([]);
      ctx.strokeStyle = theme.background; // a halo, for words among marks
      ctx.lineWidth = 5;
      ctx.strokeText(words, end, y + shift);
      ctx.fillText(words, end, y + shift);
    }
  }

  /** @param {number} frame */
  openAt(frame) {
    const rows = [];
    for (let i = 0; i < this.x.length; i++) if (this.seen[i] <= frame && this.settled(i) > frame) rows.push(i);
    return rows;
  }

  // The optimum lies between the two bounds.
  /** @param {number} frame */
  between(frame) {
    if (!this.upper || !this.lower) return "";
    const low = this.lower[frame],
      high = this.upper[frame];
    if (!Number.isFinite(high)) return `lower bound ${formatNumber(low)}, no labelling found yet`;
    const gap = (high - low) / Math.abs(high);
    if (gap <= 0) return `optimum ${formatNumber(high)}, proved`;
    return `optimum between ${formatNumber(low)} and ${formatNumber(high)}, gap ${formatPercent(gap)}`;
  }

  /** @param {Ctx} ctx @param {number} width @param {Theme} theme @param {Lay} options */
  drawStill(ctx, width, theme, { plot, ticks, texts, places }) {
    drawTitle(ctx, this.title, width, theme);
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    ctx.lineWidth = 1;
    ticks.forEach((v, i) => {
      ctx.strokeStyle = theme.line;
      segment(ctx, plot.left, places.toY(v), plot.left + plot.width, places.toY(v));
      ctx.fillStyle = theme.soft;
      ctx.fillText(texts[i], plot.left - 8, places.toY(v));
    });
  }

  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme @param {number} position */
  draw(ctx, width, height, theme, position) {
    const frame = Math.round(position),
      lay = this.layout(ctx, width, height, theme);
    this.drawStill(ctx, width, theme, lay);
    this.grow(ctx, theme, lay, -1, frame);
    this.drawMoving(ctx, theme, lay, frame, width);
  }

  // The sheet holds what is dealt with; it is drawn further as the cursor goes forward.
  /**
   * @param {Ctx} ctx
   * @param {number} width
   * @param {number} height
   * @param {Theme} theme
   * @param {number} position
   * @param {number} scale
   */
  drawQuickly(ctx, width, height, theme, position, scale) {
    const name = `${width}|${height}|${scale}|${theme.dark}|${theme.background}|${SHOWN.by}`,
      frame = Math.round(position);
    if (this.sheet?.name !== name) {
      const { canvas, pen } = offscreen(Math.ceil(width * scale), Math.ceil(height * scale));
      this.sheet = { name, canvas, pen, lay: this.layout(pen, width, height, theme), frame: Infinity };
    }
    const { sheet } = this;
    if (frame < sheet.frame) {
      sheet.pen.setTransform(1, 0, 0, 1, 0, 0);
      sheet.pen.clearRect(0, 0, sheet.canvas.width, sheet.canvas.height);
      sheet.pen.scale(scale, scale);
      this.drawStill(sheet.pen, width, theme, sheet.lay);
      sheet.frame = -1;
    }
    this.grow(sheet.pen, theme, sheet.lay, sheet.frame, frame);
    sheet.frame = frame;
    ctx.drawImage(sheet.canvas, 0, 0, sheet.canvas.width / scale, sheet.canvas.height / scale);
    this.drawMoving(ctx, theme, sheet.lay, frame, width);
  }

  forget() {
    this.sheet = null;
  }

  // Row of the nearest node, of those that can be seen at a frame or of all; -1 if too far.
  /** @param {number} x @param {number} y @param {number} reach @param {number} [frame] */
  nearest(x, y, reach, frame = Infinity) {
    let best = -1,
      least = reach * reach;
    if (!this.sheet) return best;
    const { xs, ys, waitY } = this.sheet.lay.places;
    for (let i = 0; i < xs.length; i++) {
      const d = (xs[i] - x) ** 2 + ((this.examined[i] <= frame ? ys : waitY)[i] - y) ** 2;
      if (d < least && this.seen[i] <= frame) {
        least = d;
        best = i;
      }
    }
    return best;
  }

  // Where the nearest node was looked at, or where it began to wait in vain.
  /** @param {number} x @param {number} y */
  frameAt(x, y) {
    const row = this.nearest(x, y, Infinity),
      last = this.counts.length - 1;
    return Math.min(last, this.examined[row] <= last ? this.examined[row] : this.seen[row]);
  }

  /** @param {number} x @param {number} y */
  cursorAt(x, y) {
    return this.sheet && this.nearest(x, y, NODE_REACH) >= 0 ? "pointer" : "";
  }

  /** @param {number} x @param {number} y @param {number} frame */
  tip(x, y, frame) {
    const row = this.sheet ? this.nearest(x, y, NODE_REACH, frame) : -1;
    if (row < 0) return [];
    const looked = this.examined[row] <= frame,
      k = looked ? this.fate[row] : this.fates + (this.dropped[row] <= frame ? 1 : 0);
    const lines = [`Depth ${this.depth[row]}: ${this.kinds[k].name}`];
    if (this.size[row] > 1) lines.push(`represents ${this.size[row]} nodes`);
    const bound = looked ? this.bound[row] : this.promise[row];
    if (Number.isFinite(bound)) lines.push(`bound ${formatNumber(bound)}`);
    if (looked && this.better[row]) lines.push(this.kinds[this.fates + 2].name);
    if (looked) lines.push(`examined by t = ${formatCount(this.view.frame_t[this.examined[row]])}`);
    return lines;
  }

  /** @param {number} frame */
  words(frame) {
    const told = this.kinds
      .map(({ name }, k) => `${formatCount(this.counts[frame][k])} ${name}`)
      .filter((words) => !words.startsWith("0 "));
    return `${this.track.words(frame)}: ${[...told, this.between(frame)].filter(Boolean).join(", ")}`;
  }

  // Two buttons for what the height means.
  /** @param {Stage} stage */
  extras(stage) {
    if (!this.limits) return [];
    const row = document.createElement("div");
    row.className = "hm-choice";
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", "Height of the nodes");
    const buttons = Object.entries(HEIGHTS).map(([by, words]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words;
      button.addEventListener("click", () => {
        SHOWN.by = by;
        show();
        stage.invalidate("moment");
      });
      return { by, button };
    });
    const show = () => {
      for (const { by, button } of buttons) button.setAttribute("aria-pressed", String(by === SHOWN.by));
    };
    show();
    row.append(...buttons.map(({ button }) => button));
    return [row];
  }
}

/** @param {Theme} theme @returns {Record<string, string>} */
export const markColours = (theme) => ({
  dot: theme.soft,
  bar: theme.warn,
  cross: theme.bad,
  square: theme.ink,
  wedge: theme.muted,
  ring: theme.ink,
  stub: theme.muted,
  star: theme.good,
});

// Marks of one kind are one path: begun here, traced for each node, ended below.
/** @param {Ctx} ctx @param {Theme} theme @param {string} mark @param {number} size */
function startMark(ctx, theme, mark, size) {
  const colours = markColours(theme);
  ctx.fillStyle = mark === "ring" ? theme.background : colours[mark];
  ctx.strokeStyle = mark === "star" ? theme.background : colours[mark];
  ctx.lineWidth = Math.min(2, Math.max(1.2, size / 2));
  ctx.beginPath();
}

/**
 * @param {Ctx} ctx
 * @param {string} mark
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {number} [deep]
 */
function traceMark(ctx, mark, x, y, r, deep = 0) {
  if (mark === "dot" || mark === "ring") {
    ctx.moveTo(x + 0.8 * r, y);
    ctx.arc(x, y, 0.8 * r, 0, 2 * Math.PI);
  } else if (mark === "bar" || mark === "stub") {
    ctx.moveTo(x - 1.2 * r, y);
    ctx.lineTo(x + 1.2 * r, y);
    if (mark === "bar") return;
    ctx.moveTo(x, y - r);
    ctx.lineTo(x, y);
  } else if (mark === "cross") {
    ctx.moveTo(x - r, y - r);
    ctx.lineTo(x + r, y + r);
    ctx.moveTo(x + r, y - r);
    ctx.lineTo(x - r, y + r);
  } else if (mark === "square") ctx.rect(x - r, y - r, 2 * r, 2 * r);
  else if (mark === "wedge") {
    ctx.moveTo(x, y);
    ctx.lineTo(x - r, y + Math.max(4, deep));
    ctx.lineTo(x + r, y + Math.max(4, deep));
    ctx.closePath();
  } else {
    for (let i = 0; i < 10; i++) {
      const angle = (Math.PI * i) / 5,
        size = i % 2 ? 0.42 * r : r;
      ctx[i ? "lineTo" : "moveTo"](x + size * Math.sin(angle), y - size * Math.cos(angle));
    }
    ctx.closePath();
  }
}

/** @param {Ctx} ctx @param {string} mark */
function endMark(ctx, mark) {
  if (mark === "bar" || mark === "cross" || mark === "stub") return ctx.stroke();
  ctx.fill();
  if (mark === "ring" || mark === "star") ctx.stroke();
}
