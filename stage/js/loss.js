// The loss of unlabelled points at this frame, as a curve with all outputs standing on it.

import { drawAbscissa, drawTitle, keptSheet, segment, TEXT, TITLE } from "./ink.js";
import { tickTexts } from "./numerals.js";
import { BasePanel } from "./panel.js";
import { guessAt, paintMark, ring, struckColour } from "./points.js";
import { classColour, mixColours, rgbText } from "./theme.js";
import { niceTicks } from "./ticks.js";
import { makeScale } from "./track.js";
import { isMarked, outputAt, packedOf } from "./unpack.js";

const LEVELS = 16; // colours between two classes; points of one colour are drawn together
const SIZES = [
  [300, 4.2],
  [1500, 3.2],
  [Infinity, 2.4],
]; // radius of a dot, by how many there are
const ABOVE = 255; // a height that does not fit into the picture

/** @param {number} reach */
function wholeNumbers(reach) {
  const most = Math.floor(reach),
    count = 2 * most + 1;
  return Array.from({ length: count }, (_, i) => ({ value: i - most, text: String(i - most).replace("-", "−") }));
}

/** @typedef {ReturnType<LossPanel["paintRest"]>} Lay */
/** @typedef {ReturnType<LossPanel["placeLegend"]>[number]} Entry */

export class LossPanel extends BasePanel {
  /** @type {[number, number]} */
  heights = [190, 300];
  /** @type {Sheet<Lay> | null} */
  sheet = null;

  /** @param {View} view @param {LossRow} row @param {string} name */
  constructor(view, row, name) {
    super(row);
    this.reach = row.reach;
    this.limits = row.limits;
    this.notes = row.notes;
    this.others = row.others;
    this.view = view;
    this.labelledOf = view.arrays[`${name}_labelled`];
    this.positiveOf = view.arrays[`${name}_positive`];
    this.heightsOf = view.arrays[`${name}_heights`];
    const curves = packedOf(view, `${name}_curves`);
    this.g = curves.shape[1];
    this.losses = Float32Array.from(curves.data, (q) => row.limits[0] + q * row.step);
    this.scale = { ...makeScale(-this.reach, this.reach), ticks: () => wholeNumbers(this.reach) };
    this.radius = SIZES.find(([most]) => view.n <= most)?.[1] ?? 2.4;
  }

  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme @param {number} position */
  draw(ctx, width, height, theme, position) {
    this.paintNow(ctx, theme, this.paintRest(ctx, width, height, theme), Math.round(position));
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
      this.paintRest(still, width, height, theme),
    );
    ctx.drawImage(this.sheet.picture, 0, 0, this.sheet.width, this.sheet.height);
    this.paintNow(ctx, theme, this.sheet.lay, Math.round(position));
  }

  forget() {
    this.sheet = null;
  }

  // -- what does not move ----------------------------------------------------

  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme */
  paintRest(ctx, width, height, theme) {
    drawTitle(ctx, this.title, width, theme);
    const entries = this.placeLegend(ctx, width),
      rows = entries[entries.length - 1].row + 1;
    const top = TITLE + 12 + 20 * rows + 8,
      [low, high] = this.limits;
    const ticks = niceTicks(low, high, 4),
      texts = tickTexts(ticks);
    const left = Math.max(...texts.map((text) => ctx.measureText(text).width)) + 10;
    const plot = { left, top, width: width - left - 8, height: height - top - 26 };
    const toX = (/** @type {number} */ o) => plot.left + this.scale.share(o) * plot.width;
    const toY = (/** @type {number} */ v) => plot.top + plot.height * (1 - (v - low) / (high - low));
    const lay = { plot, toX, toY, entries };
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    ctx.lineWidth = 1;
    ticks.forEach((v, i) => {
      ctx.strokeStyle = theme.line;
      segment(ctx, plot.left, toY(v), plot.left + plot.width, toY(v));
      ctx.fillStyle = theme.soft;
      ctx.fillText(texts[i], plot.left - 8, toY(v));
    });
    drawAbscissa(ctx, this.scale, plot, "output f", theme);
    this.paintBoundary(ctx, theme, lay);
    this.clipped(ctx, plot, () => {
      ctx.lineWidth = 1.4;
      for (const frame of this.others) this.trace(ctx, lay, this.curveAt(frame), this.faint(theme));
      if (this.labelledOf) this.paintBranches(ctx, theme, lay);
    });
    this.paintStillLegend(ctx, theme, entries);
    return lay;
  }

  // Where f = 0 and the margins lie, as on the stage.
  /** @param {Ctx} ctx @param {Theme} theme @param {Lay} options */
  paintBoundary(ctx, theme, { plot, toX }) {
    ctx.strokeStyle = theme.muted;
    for (const o of [-1, 0, 1]) {
      ctx.setLineDash(o ? [5, 4] : []);
      ctx.lineWidth = o ? 1 : 1.6;
      segment(ctx, toX(o), plot.top, toX(o), plot.top + plot.height);
    }
    ctx.setLineDash([]);
  }

  /** @param {Ctx} ctx @param {Theme} theme @param {Lay} lay */
  paintBranches(ctx, theme, lay) {
    const data = Float32Array.from(this.labelledOf?.data ?? []);
    ctx.lineWidth = 1.4;
    ctx.setLineDash([2, 4]);
    this.trace(ctx, lay, data, classColour(theme, 1));
    this.trace(ctx, lay, data.toReversed(), classColour(theme, 0));
    ctx.setLineDash([]);
  }

  /** @param {Theme} theme */
  faint(theme) {
    return rgbText(mixColours(theme.background, theme.warn, 0.35));
  }

  /** @param {Ctx} ctx @param {number} width */
  placeLegend(ctx, width) {
    const longest = this.notes.reduce((a, b) => (b.length > a.length ? b : a), "");
    const words = [{ what: "now", text: longest }];
    if (this.others.length) words.push({ what: "others", text: "other iterations" });
    if (this.labelledOf)
      words.push({ what: "labelled", text: this.positiveOf ? "with either label" : "labelled points" });
    let x = 0,
      row = 0;
    return words.map((entry) => {
      const w = ctx.measureText(entry.text).width + 38;
      if (x && x + w > width) {
        x = 0;
        row += 1;
      }
      const placed = { ...entry, x, row, y: TITLE + 12 + 20 * row };
      x += w;
      return placed;
    });
  }

  /** @param {Ctx} ctx @param {Theme} theme @param {Entry[]} entries */
  paintStillLegend(ctx, theme, entries) {
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    for (const { what, text, x, y } of entries) {
      if (what === "now") continue;
      if (what === "others") {
        ctx.fillStyle = this.faint(theme);
        ctx.fillRect(x, y + 8, 16, 2);
      } else {
        [0, 1].forEach((c) => {
          ctx.fillStyle = classColour(theme, c);
          for (const at of [0, 6, 12]) ctx.fillRect(x + at, y + 5 + 6 * c, 3, 2);
        });
      }
      ctx.fillStyle = theme.soft;
      ctx.fillText(text, x + 22, y + 9);
    }
  }

  // -- what moves ------------------------------------------------------------

  /** @param {Ctx} ctx @param {Theme} theme @param {Lay} lay @param {number} frame */
  paintNow(ctx, theme, lay, frame) {
    const { plot, entries } = lay,
      now = entries[0];
    this.clipped(ctx, plot, () => {
      ctx.lineWidth = 3.4;
      ctx.lineJoin = "round";
      this.trace(ctx, lay, this.curveAt(frame), theme.warn);
    });
    const beyond = this.paintDots(ctx, theme, lay, frame);
    ctx.font = `${TEXT}px ${theme.font}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    ctx.fillStyle = theme.warn;
    ctx.fillRect(now.x, now.y + 7, 16, 3.4);
    ctx.fillStyle = theme.ink;
    ctx.fillText(this.notes[frame], now.x + 22, now.y + 9);
    ctx.fillStyle = theme.soft;
    const y = plot.top + 9;
    if (beyond.left) ctx.fillText(`‹ ${beyond.left} more`, plot.left + 6, y);
    ctx.textAlign = "right";
    if (beyond.right) ctx.fillText(`${beyond.right} more ›`, plot.left + plot.width - 6, y);
    ctx.textAlign = "left";
  }

  // Unlabelled points first, in as few strokes as they have colours; labelled ones on top.
  /** @param {Ctx} ctx @param {Theme} theme @param {Lay} lay @param {number} frame */
  paintDots(ctx, theme, lay, frame) {
    const { view } = this,
      groups = Array.from({ length: LEVELS }, () => /** @type {number[][]} */ ([])),
      labelled = [],
      struck = [],
      taken = new Set();
    const beyond = { left: 0, right: 0 };
    for (let i = 0; i < view.n; i++) {
      const { value: o = NaN, p } = outputAt(view, frame, i) ?? {},
        given = view.arrays.given.data[i];
      if (given >= 0 && !this.labelledOf) continue;
      const height = this.heightOf(frame, i, o, given);
      if (Math.abs(o) > this.reach) {
        beyond[o < 0 ? "left" : "right"] += 1;
        continue;
      }
      if (!(height <= this.limits[1])) continue;
      const place = [lay.toX(o), lay.toY(height)];
      if (isMarked(view, "struck", frame, i)) struck.push([...place, guessAt(view, frame, i)]);
      if (given >= 0) labelled.push([...place, given]);
      else {
        const level = Math.round((LEVELS - 1) * this.lean(frame, i, o, p));
        const spot = (Math.round(2 * place[0]) * 4096 + Math.round(2 * place[1])) * LEVELS + level;
        if (taken.has(spot)) continue; // a dot of this colour is there already
        taken.add(spot);
        groups[level].push(place);
      }
    }
    const colours = [0, 1].map((c) => classColour(theme, c));
    ctx.strokeStyle = theme.muted;
    ctx.lineWidth = 0.8;
    groups.forEach((places, level) => {
      if (!places.length) return;
      const share = (2 * level) / (LEVELS - 1) - 1;
      ctx.fillStyle = rgbText(mixColours(theme.background, colours[share < 0 ? 0 : 1], Math.abs(share)));
      ctx.beginPath();
      for (const [x, y] of places) {
        ctx.moveTo(x + this.radius, y);
        ctx.arc(x, y, this.radius, 0, 2 * Math.PI);
      }
      ctx.fill();
      if (Math.abs(share) < 0.6) ctx.stroke(); // pale ones need an outline
    });
    for (const [x, y, c] of labelled) {
      ctx.save();
      ctx.translate(x, y);
      paintMark(ctx, theme, c, this.radius + 2, theme.ink, 1.6);
      ctx.restore();
    }
    for (const [x, y, c] of struck) ring(ctx, x, y, this.radius + 5, struckColour(theme, c), 2.4); // as on the stage
    return beyond;
  }

  // What a point is taken for, 0 to 1: its belief, its hard label, or the side it is on.
  /** @param {number} frame @param {number} i @param {number} o @param {number | null | undefined} p */
  lean(frame, i, o, p) {
    if (typeof p === "number") return p;
    if (this.positiveOf) return this.isPositive(frame, i) ? 1 : 0;
    return o < 0 ? 0 : 1;
  }

  /** @param {number} frame @param {number} i */
  isPositive(frame, i) {
    const bits = this.positiveOf;
    return bits !== undefined && ((bits.data[frame * bits.shape[1] + (i >> 3)] >> (i & 7)) & 1) === 1;
  }

  // Where a point stands: on its own branch, at a height of its own, or on the curve.
  /** @param {number} frame @param {number} i @param {number} o @param {number} given */
  heightOf(frame, i, o, given) {
    if (given >= 0) return this.read(this.labelledOf?.data ?? [], given ? o : -o);
    if (this.heightsOf) {
      const step = this.heightsOf.data[frame * this.view.n + i],
        [low, high] = this.limits;
      return step === ABOVE ? Infinity : low + (step / 254) * (high - low);
    }
    if (this.positiveOf) return this.read(this.labelledOf?.data ?? [], this.isPositive(frame, i) ? o : -o);
    return this.read(this.curveAt(frame), o);
  }

  /** @param {number} frame */
  curveAt(frame) {
    return this.losses.subarray(frame * this.g, (frame + 1) * this.g);
  }

  // A curve at any output, straight between its points.
  /** @param {Values} curve @param {number} o */
  read(curve, o) {
    const at = ((o + this.reach) / (2 * this.reach)) * (this.g - 1);
    const i = Math.min(this.g - 2, Math.max(0, Math.floor(at))),
      share = at - i;
    return curve[i] + share * (curve[i + 1] - curve[i]);
  }

  /** @param {Ctx} ctx @param {Lay} options @param {Values} curve @param {string} colour */
  trace(ctx, { toX, toY }, curve, colour) {
    ctx.strokeStyle = colour;
    ctx.beginPath();
    for (let i = 0; i < this.g; i++) ctx.lineTo(toX(this.reach * ((2 * i) / (this.g - 1) - 1)), toY(curve[i]));
    ctx.stroke();
  }

  /** @param {Ctx} ctx @param {Box} plot @param {() => void} paint */
  clipped(ctx, plot, paint) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(plot.left, plot.top - 2, plot.width, plot.height + 4);
    ctx.clip();
    paint();
    ctx.restore();
  }

  /** @param {number} frame */
  words(frame) {
    const { view } = this;
    let inside = 0,
      near = 0,
      all = 0;
    for (let i = 0; i < view.n; i++) {
      if (view.arrays.given.data[i] >= 0) continue;
      const o = Math.abs(outputAt(view, frame, i)?.value ?? NaN);
      all += 1;
      if (o < 1) inside += 1;
      if (o < 0.5) near += 1;
    }
    return `${this.notes[frame]}: of ${all} unlabelled points ${inside} are inside the margin, ${near} of them closer to the boundary than to the margin`;
  }
}
