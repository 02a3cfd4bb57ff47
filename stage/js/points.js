// The points: a shape and a colour for each class, rings, mistakes, graph edges, search.

import { offscreen } from "./dom.js";
import { rowOf } from "./edits.js";
import { classColour, LIGHT, mixColours, rgbText } from "./theme.js";
import { dataOf, isMarked, outputAt } from "./unpack.js";

/** @type {Record<string, [sides: number, turn: number]>} */
const SIDES = {
  square: [4, Math.PI / 4],
  up: [3, 0],
  diamond: [4, 0],
  down: [3, Math.PI],
  pentagon: [5, 0],
  hexagon: [6, 0],
};
// Class 0 and 1 first: a square and a circle, distinct without colour.
const HALO = 1.5; // width of the edge that sets a mark off from any field
const SHAPES = ["square", "circle", "up", "diamond", "down", "star", "pentagon", "plus", "hexagon", "cross"];

const DOUBTS = 8; // shades between a class and none

// Outline of the mark of class c (-1: unlabelled) around the origin, about area of a disc of radius r.
/** @param {Ctx} ctx @param {number} c @param {number} r */
export function markPath(ctx, c, r) {
  const shape = c < 0 ? "circle" : SHAPES[c % 10];
  ctx.beginPath();
  if (shape === "circle") ctx.arc(0, 0, r, 0, 2 * Math.PI);
  else if (shape === "plus" || shape === "cross") {
    const a = r * 1.1,
      b = r * 0.4,
      turn = shape === "cross" ? Math.PI / 4 : 0;
    const corners = [
      [-b, -a],
      [b, -a],
      [b, -b],
      [a, -b],
      [a, b],
      [b, b],
      [b, a],
      [-b, a],
      [-b, b],
      [-a, b],
      [-a, -b],
      [-b, -b],
    ];
    corners.forEach(([x, y], i) => {
      const px = x * Math.cos(turn) - y * Math.sin(turn),
        py = x * Math.sin(turn) + y * Math.cos(turn);
      if (i) ctx.lineTo(px, py);
      else ctx.moveTo(px, py);
    });
    ctx.closePath();
  } else {
    const star = shape === "star";
    const [sides, turn] = star ? [10, 0] : SIDES[shape];
    const size = r * SIZES[shape];
    for (let i = 0; i < sides; i++) {
      const angle = turn - Math.PI / 2 + (2 * Math.PI * i) / sides;
      const reach = star && i % 2 ? size * 0.45 : size;
      ctx[i ? "lineTo" : "moveTo"](reach * Math.cos(angle), reach * Math.sin(angle));
    }
    ctx.closePath();
  }
}

// Fill and outline of one mark; classes from the eleventh on carry a hole.
/**
 * @param {Ctx} ctx
 * @param {Theme} theme
 * @param {number} c
 * @param {number} r
 * @param {string} edge
 * @param {number} edgeWidth
 * @param {string | null} [fill]
 */
export function paintMark(ctx, theme, c, r, edge, edgeWidth, fill = null) {
  markPath(ctx, c, r);
  ctx.fillStyle = fill ?? (c < 0 ? theme.muted : classColour(theme, c));
  ctx.fill();
  if (edgeWidth) {
    ctx.strokeStyle = edge;
    ctx.lineWidth = edgeWidth;
    ctx.lineJoin = "round";
    ctx.stroke();
  }
  if (c >= 10) {
    ctx.beginPath();
    ctx.arc(0, 0, r * 0.35, 0, 2 * Math.PI);
    ctx.fillStyle = theme.background;
    ctx.fill();
  }
}

export class Points {
  constructor() {
    /** @type {Map<string, { picture: ImageBitmap, half: number }>} */
    this.sprites = new Map();
    /** @type {Theme} */
    this.theme = { ...LIGHT, font: "" };
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.sprites.clear();
  }

  // Marks are drawn once and copied after that: 5000 copies are cheap, 5000 paths are not.
  /** @param {number} c @param {number} r @param {boolean} labelled @param {number} scale @param {number} [doubt] */
  sprite(c, r, labelled, scale, doubt = 0) {
    const name = `${c}|${r}|${labelled}|${scale}|${doubt}`;
    let sprite = this.sprites.get(name);
    if (!sprite) {
      const half = Math.ceil(r * 1.5 + 4);
      const size = Math.ceil(2 * half * scale);
      const { canvas: sheet, pen: ctx } = offscreen(size, size);
      ctx.scale(scale, scale);
      ctx.translate(half, half);
      if (labelled) {
        paintMark(ctx, this.theme, c, r + 1.6, this.theme.background, 3);
        paintMark(ctx, this.theme, c, r, this.theme.ink, 2.4);
      } else if (doubt) {
        const { background, soft } = this.theme;
        paintMark(
          ctx,
          this.theme,
          c,
          r,
          soft,
          1.2,
          rgbText(mixColours(classColour(this.theme, c), background, doubt / DOUBTS)),
        );
      } else {
        paintMark(ctx, this.theme, c, r, this.theme.background, HALO);
      }
      sprite = { picture: sheet.transferToImageBitmap(), half };
      this.sprites.set(name, sprite);
    }
    return sprite;
  }

  /**
   * @param {Ctx} ctx
   * @param {Axes} axes
   * @param {View} view
   * @param {Model} model
   * @param {number} frame
   * @param {Ui} ui
   * @param {number} scale
   */
  draw(ctx, axes, view, model, frame, ui, scale) {
    const { theme } = this;
    const fit = Math.min(1.15, Math.max(0.72, axes.box.width / 700)) * Math.min(1.6, axes.zoom ** 0.4);
    const small = round2(fit * (model.n > 1500 ? 2.8 : model.n > 500 ? 3.4 : 4.2));
    const labelled = model.given.filter((c) => c >= 0).length;
    const large = round2(fit * (labelled > 80 ? 6 : labelled > 24 ? 7.5 : 9.5));
    ctx.save();
    axes.clip(ctx);
    if (ui.graph) this.drawEdges(ctx, axes, view, model);
    for (const wantLabelled of [false, true]) {
      for (let i = 0; i < model.n; i++) {
        const given = model.given[i] >= 0;
        if (given !== wantLabelled) continue;
        const x = axes.px(model.x[i]),
          y = axes.py(model.y[i]);
        const seen = given || !ui.predictions ? null : outputAt(view, frame, model.source[i]);
        const r = given ? large : seen ? small + 0.8 : small;
        const sprite = this.sprite(
          given ? model.given[i] : seen ? seen.predicted : -1,
          r,
          given,
          scale,
          seen ? doubtOf(seen) : 0,
        );
        ctx.drawImage(sprite.picture, x - sprite.half, y - sprite.half, 2 * sprite.half, 2 * sprite.half);
        if (isMarked(view, "marks", frame, model.source[i])) ring(ctx, x, y, r + 5.5, theme.ink, 1.6);
        if (isMarked(view, "struck", frame, model.source[i])) this.strike(ctx, view, model, frame, i, x, y, r + 9);
        if (ui.mistakes && this.isMistake(view, model, frame, i)) cross(ctx, x, y, r + 4, theme);
      }
    }
    if (ui.ghost && ui.flipped) this.drawFlipped(ctx, axes, view, model, small + 6);
    ctx.restore();
  }

  /**
   * @param {Ctx} ctx
   * @param {View} view
   * @param {Model} model
   * @param {number} frame
   * @param {number} i
   * @param {number} x
   * @param {number} y
   * @param {number} r
   */
  strike(ctx, view, model, frame, i, x, y, r) {
    const c = guessAt(view, frame, model.source[i]);
    if (c >= 0) ring(ctx, x, y, r, this.theme.background, 6);
    ring(ctx, x, y, r, struckColour(this.theme, c), 3);
  }

  // Points that an earlier run guessed otherwise.
  /** @param {Ctx} ctx @param {Axes} axes @param {View} view @param {Model} model @param {number} r */
  drawFlipped(ctx, axes, view, model, r) {
    for (const number of view.arrays.ghost_flipped?.data ?? []) {
      const i = rowOf(model, number);
      if (i >= 0) flipRing(ctx, axes.px(model.x[i]), axes.py(model.y[i]), r, this.theme);
    }
  }

  /** @param {View} view @param {Model} model @param {number} frame @param {number} i */
  isMistake(view, model, frame, i) {
    const truth = truthOf(view, model, i),
      seen = outputAt(view, frame, model.source[i]);
    return truth >= 0 && seen !== null && seen.predicted !== truth;
  }

  // Edges that join different classes stand out: labels leak through them.
  /** @param {Ctx} ctx @param {Axes} axes @param {View} view @param {Model} model */
  drawEdges(ctx, axes, view, model) {
    const edges = view.arrays.edges;
    if (!edges) return;
    const place = new Int32Array(view.n).fill(-1);
    model.source.forEach((row, i) => {
      if (row >= 0) place[row] = i;
    });
    const stroke = (
      /** @type {boolean} */ wanted,
      /** @type {string} */ colour,
      /** @type {number} */ alpha,
      /** @type {number} */ width,
    ) => {
      ctx.beginPath();
      for (let e = 0; e < edges.data.length; e += 2) {
        const from = edges.data[e],
          to = edges.data[e + 1],
          a = place[from],
          b = place[to];
        if (a < 0 || b < 0 || joinsClasses(view, from, to) !== wanted) continue;
        ctx.moveTo(axes.px(model.x[a]), axes.py(model.y[a]));
        ctx.lineTo(axes.px(model.x[b]), axes.py(model.y[b]));
      }
      ctx.strokeStyle = colour;
      ctx.globalAlpha = alpha;
      ctx.lineWidth = width;
      ctx.stroke();
      ctx.globalAlpha = 1;
    };
    stroke(false, this.theme.soft, 0.5, 1);
    stroke(true, this.theme.bad, 0.9, 2);
  }
}

// The label that a method has given to an unlabelled point, or -1 where there is none.
/** @param {View} view @param {number} frame @param {number} row */
export function guessAt(view, frame, row) {
  if (!view.arrays.guess || row < 0 || view.arrays.given.data[row] >= 0) return -1;
  return isMarked(view, "guess", frame, row) ? 1 : 0;
}

/** @param {Theme} theme @param {number} c */
export function struckColour(theme, c) {
  return c >= 0 ? classColour(theme, c) : theme.accent;
}

/** @param {View} view @param {number} from @param {number} to */
function joinsClasses(view, from, to) {
  const truth = view.arrays.truth?.data;
  return truth !== undefined && truth[from] >= 0 && truth[to] >= 0 && truth[from] !== truth[to];
}

/** @type {Record<string, number>} */
const SIZES = { square: 1.2, up: 1.38, down: 1.38, diamond: 1.28, star: 1.4, pentagon: 1.12, hexagon: 1.08 };

// How many edges the graph has, and how many of them join points of different classes.
/** @param {View} view */
export function countEdges(view) {
  const data = dataOf(view, "edges");
  let between = 0;
  for (let e = 0; e < data.length; e += 2) if (joinsClasses(view, data[e], data[e + 1])) between += 1;
  return { all: data.length / 2, between };
}

// How far a belief is from its class: none for a made-up mind, all of them for a coin.
/** @param {import("./unpack.js").Output} options */
function doubtOf({ predicted, p }) {
  if (p === null || p === undefined) return 0;
  const sure = Math.max(0, 2 * (predicted === 1 ? p : 1 - p) - 1);
  return Math.round(DOUBTS * (1 - sure));
}

/** @param {number} v */
function round2(v) {
  return Math.round(2 * v) / 2; // few sizes, few sprites
}

/** @param {View} view @param {Model} model @param {number} i */
export function truthOf(view, model, i) {
  const row = model.source[i];
  return view.arrays.truth && row >= 0 ? view.arrays.truth.data[row] : -1;
}

// Nearest point within `reach` pixels, or -1.
/** @param {Axes} axes @param {Model} model @param {number} px @param {number} py @param {number} reach */
export function nearestPoint(axes, model, px, py, reach) {
  let best = -1,
    least = reach * reach;
  for (let i = 0; i < model.n; i++) {
    const dx = axes.px(model.x[i]) - px,
      dy = axes.py(model.y[i]) - py,
      d = dx * dx + dy * dy;
    if (d <= least) {
      least = d;
      best = i;
    }
  }
  return best;
}

// Points inside a closed polygon of pixels [[x, y], ...] (even-odd rule).
/** @param {Axes} axes @param {Model} model @param {Pair[]} polygon */
export function pointsInside(axes, model, polygon) {
  const inside = [];
  for (let i = 0; i < model.n; i++) {
    const x = axes.px(model.x[i]),
      y = axes.py(model.y[i]);
    let odd = false;
    for (let a = 0, b = polygon.length - 1; a < polygon.length; b = a++) {
      const [xa, ya] = polygon[a],
        [xb, yb] = polygon[b];
      if (ya > y !== yb > y && x < ((xb - xa) * (y - ya)) / (yb - ya) + xa) odd = !odd;
    }
    if (odd) inside.push(i);
  }
  return inside;
}

/**
 * @param {Ctx} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} colour
 * @param {number} width
 */
export function ring(ctx, x, y, r, colour, width) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

// A ring in dashes: something turned around here.
/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} r @param {Theme} theme */
export function flipRing(ctx, x, y, r, theme) {
  ctx.setLineDash([]);
  ring(ctx, x, y, r, theme.background, 4.5);
  ctx.setLineDash([5, 3]);
  ring(ctx, x, y, r, theme.warn, 2.4);
  ctx.setLineDash([]);
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} r @param {Theme} theme */
function cross(ctx, x, y, r, theme) {
  for (const width of [5, 2.4]) {
    ctx.beginPath();
    ctx.moveTo(x - r, y - r);
    ctx.lineTo(x + r, y + r);
    ctx.moveTo(x + r, y - r);
    ctx.lineTo(x - r, y + r);
    ctx.strokeStyle = width > 3 ? theme.background : theme.bad;
    ctx.lineWidth = width;
    ctx.lineCap = "round";
    ctx.stroke();
  }
}
