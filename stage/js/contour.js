// Level lines of a grid of numbers, as unbroken chains of points.

// Refinement of a grid: `s` - 1 new values between neighbours, old ones kept. Where six
// nodes in a line resolve the function, the polynomial of degree five through them; it
// follows a maximum between two nodes, and lines come within a tenth of a cell of the true
// ones. Where it differs much from the cubic through the inner four, the function is not
// resolved, and a monotone cubic (Fritsch and Carlson 1980) has no false change of sign.
// Tails fall by a constant ratio from node to node: an exponential that does so too is
// divided out first, which moves no zero. Where no line of `levels` can pass, the monotone
// cubic is as good to the eye, at a fifth of the work; without levels six nodes are used everywhere.
/**
 * @param {Float32Array} source
 * @param {number} w
 * @param {number} h
 * @param {number} s
 * @param {Float32Array} target
 * @param {Float32Array} scratch
 * @param {number[] | null} [levels]
 */
export function refine(source, w, h, s, target, scratch, levels = null) {
  const w2 = (w - 1) * s + 1;
  refineLines(source, { count: w, step: 1, lines: h, stride: w }, s, scratch, { step: 1, stride: w2 }, levels);
  refineLines(scratch, { count: h, step: w2, lines: w2, stride: 1 }, s, target, { step: w2, stride: 1 }, levels);
}

const NODES = 6,
  DOUBT = 0.05; // nodes in a line; how far the two polynomials may differ
const STEEP = 1.5; // ratio over two nodes from which an exponential is divided out
const REFINE_TABLES = new Map();

// For each place of an interval among its six nodes and each new value: six weights, and six
// of the difference from the cubic. Hermite's weights for the monotone cubic.
/** @param {number} s */
function refineTables(s) {
  if (REFINE_TABLES.has(s)) return REFINE_TABLES.get(s);
  const high = new Float64Array((NODES - 1) * (s - 1) * 2 * NODES),
    hermite = new Float64Array(4 * s);
  for (let place = 0; place < NODES - 1; place++) {
    const inner = Math.min(Math.max(place - 1, 0), NODES - 4);
    for (let j = 1; j < s; j++) {
      const at = (place * (s - 1) + j - 1) * 2 * NODES,
        t = place + j / s;
      for (let k = 0; k < NODES; k++) {
        high[at + k] = lagrange(k, t, 0, NODES);
        high[at + NODES + k] = high[at + k] - (k >= inner && k < inner + 4 ? lagrange(k, t, inner, inner + 4) : 0);
      }
    }
  }
  for (let i = 0; i < s; i++) {
    const t = i / s,
      t2 = t * t,
      t3 = t2 * t;
    hermite.set([2 * t3 - 3 * t2 + 1, t3 - 2 * t2 + t, 3 * t2 - 2 * t3, t3 - t2], 4 * i);
  }
  const tables = { high, hermite };
  REFINE_TABLES.set(s, tables);
  return tables;
}

/** @param {number} k @param {number} t @param {number} from @param {number} to */
function lagrange(k, t, from, to) {
  let weight = 1;
  for (let q = from; q < to; q++) if (q !== k) weight *= (t - q) / (k - q);
  return weight;
}

// All rows, or all columns: `count` values `step` apart on each of `lines` lines, which are
// `stride` apart. Interval by interval over all lines, so that the weights stay at hand.
/**
 * @param {Float32Array} source
 * @param {{ count: number; step: number; lines: number; stride: number }} options
 * @param {number} s
 * @param {Float32Array} target
 * @param {{ step: number; stride: number }} out
 * @param {number[] | null} levels
 */
function refineLines(source, { count, step, lines, stride }, s, target, out, levels) {
  const { high, hermite } = refineTables(s),
    found = new Float64Array(s),
    enough = count >= NODES;
  for (let i = 0; i < count - 1; i++) {
    const first = Math.min(Math.max(i - 2, 0), Math.max(count - NODES, 0)),
      place = i - first;
    const weights = place * (s - 1) * 2 * NODES;
    for (let line = 0; line < lines; line++) {
      const node = line * stride + i * step,
        to = line * out.stride + i * s * out.step;
      const here = source[node],
        next = source[node + step];
      target[to] = here;
      let trusted = false;
      const last = source[i ? node - step : node],
        beyond = source[i < count - 2 ? node + 2 * step : node + step];
      if (enough && passes(last, here, next, beyond, levels)) {
        const at = line * stride + first * step;
        let a = source[at],
          b = source[at + step],
          c = source[at + 2 * step];
        let d = source[at + 3 * step],
          e = source[at + 4 * step],
          f = source[at + 5 * step];
        const before = Math.abs(here) + Math.abs(last),
          after = Math.abs(next) + Math.abs(beyond);
        const steep = before > 0 && after > 0 && (after > STEEP * before || before > STEEP * after);
        let ratio = 1,
          size = Math.max(Math.abs(here), Math.abs(next));
        if (steep) {
          ratio = Math.min(1e3, Math.max(1e-3, Math.sqrt(after / before)));
          const back = 1 / ratio,
            start = ratio ** place;
          let factor = start;
          a *= factor;
          b *= factor *= back;
          c *= factor *= back;
          d *= factor *= back;
          e *= factor *= back;
          f *= factor *= back;
          size = Math.max(Math.abs(here), Math.abs(next * back));
        }
        const root = steep ? ratio ** (1 / s) : 1,
          alike = here >= 0 === next >= 0;
        let grown = 1;
        trusted = true;
        for (let j = 1, k = weights; j < s; j++, k += 2 * NODES) {
          grown *= root;
          const value =
            high[k] * a + high[k + 1] * b + high[k + 2] * c + high[k + 3] * d + high[k + 4] * e + high[k + 5] * f;
          const doubt = Math.abs(
            high[k + 6] * a + high[k + 7] * b + high[k + 8] * c + high[k + 9] * d + high[k + 10] * e + high[k + 11] * f,
          );
          if (!(doubt <= DOUBT * size) || (alike && value >= 0 !== here >= 0 && doubt > 0.2 * Math.abs(value))) {
            trusted = false;
            break;
          }
          found[j] = value * grown;
        }
      }
      if (trusted) {
        for (let j = 1; j < s; j++) target[to + j * out.step] = found[j];
        continue;
      }
      const rise = next - here;
      const start = i ? monotoneSlope(here - source[node - step], rise) : rise;
      const end = i < count - 2 ? monotoneSlope(rise, source[node + 2 * step] - next) : rise;
      for (let j = 1, k = 4; j < s; j++, k += 4) {
        target[to + j * out.step] =
          hermite[k] * here + hermite[k + 1] * start + hermite[k + 2] * next + hermite[k + 3] * end;
      }
    }
  }
  for (let line = 0; line < lines; line++) {
    target[line * out.stride + (count - 1) * s * out.step] = source[line * stride + (count - 1) * step];
  }
}

// Whether a line of some level may pass between the inner two of four nodes: the sides
// differ, or the level is nearest there and no further off than the nodes differ.
/** @param {number} a @param {number} b @param {number} c @param {number} d @param {number[] | null} levels */
function passes(a, b, c, d, levels) {
  if (!levels) return true;
  const range = Math.max(a, b, c, d) - Math.min(a, b, c, d);
  for (let i = 0; i < levels.length; i++) {
    const level = levels[i],
      side = a >= level;
    if (b >= level !== side || c >= level !== side || d >= level !== side) return true;
    const inner = Math.min(Math.abs(b - level), Math.abs(c - level));
    if (inner < range && inner <= Math.abs(a - level) && inner <= Math.abs(d - level)) return true;
  }
  return false;
}

/** @param {number} before @param {number} after */
function monotoneSlope(before, after) {
  if (before * after <= 0) return 0;
  const most = 3 * Math.min(Math.abs(before), Math.abs(after)),
    mean = (before + after) / 2;
  return Math.max(-most, Math.min(most, mean));
}

// Marching squares. Sides of a cell: 0 bottom, 1 right, 2 top, 3 left; entry = pairs of
// sides that a line joins, by which of the corners a, b, c, d (bits 0..3) lie inside.
const SEGMENTS = [
  [],
  [3, 0],
  [0, 1],
  [3, 1],
  [1, 2],
  null,
  [0, 2],
  [3, 2],
  [2, 3],
  [2, 0],
  null,
  [2, 1],
  [1, 3],
  [1, 0],
  [0, 3],
  [],
];
/** @type {Record<number, number[]>} */
const SADDLE_JOINED = { 5: [3, 2, 1, 0], 10: [0, 3, 2, 1] };
/** @type {Record<number, number[]>} */
const SADDLE_APART = { 5: [3, 0, 1, 2], 10: [0, 1, 2, 3] };

// Follows segments from side to side, so that dashes run on and nothing is left open.
export class Contours {
  /** @param {number} w @param {number} h */
  constructor(w, h) {
    this.w = w;
    this.h = h;
    this.links = new Int32Array(4 * w * h).fill(-1); // two neighbours for each grid side
    /** @type {number[]} */
    this.used = [];
  }

  // Lines where `grid` crosses `level`: arrays [x0, y0, x1, y1, ...] in grid units.
  /** @param {Float32Array} grid @param {number} level */
  lines(grid, level) {
    const { w, h, links, used } = this;
    used.length = 0;
    for (let y = 0; y < h - 1; y++) {
      for (let x = 0, i = y * w; x < w - 1; x++, i++) {
        const a = grid[i] >= level,
          b = grid[i + 1] >= level;
        const d = grid[i + w] >= level,
          c = grid[i + w + 1] >= level;
        const kind = (a ? 1 : 0) | (b ? 2 : 0) | (c ? 4 : 0) | (d ? 8 : 0);
        if (kind === 0 || kind === 15) continue;
        let pairs = SEGMENTS[kind];
        if (!pairs) {
          const middle = (grid[i] + grid[i + 1] + grid[i + w] + grid[i + w + 1]) / 4;
          const joined = middle >= level;
          pairs = (joined ? SADDLE_JOINED : SADDLE_APART)[kind];
        }
        for (let p = 0; p < pairs.length; p += 2) this.join(this.side(i, pairs[p]), this.side(i, pairs[p + 1]));
      }
    }
    /** @type {number[][]} */
    const chains = [];
    for (const start of used)
      if (links[2 * start] >= 0 && links[2 * start + 1] < 0) this.follow(start, grid, level, chains);
    for (const start of used) if (links[2 * start] >= 0) this.follow(start, grid, level, chains);
    return chains;
  }

  // Number of a side: even = along x from node i, odd = along y from node i.
  /** @param {number} i @param {number} which */
  side(i, which) {
    if (which === 0) return 2 * i;
    if (which === 1) return 2 * (i + 1) + 1;
    if (which === 2) return 2 * (i + this.w);
    return 2 * i + 1;
  }

  /** @param {number} p @param {number} q */
  join(p, q) {
    for (const [from, to] of [
      [p, q],
      [q, p],
    ]) {
      if (this.links[2 * from] < 0) {
        this.links[2 * from] = to;
        this.used.push(from);
      } else this.links[2 * from + 1] = to;
    }
  }

  /** @param {number} start @param {Float32Array} grid @param {number} level @param {number[][]} chains */
  follow(start, grid, level, chains) {
    const { w, links } = this,
      xy = [];
    let at = start,
      before = -1;
    while (at >= 0) {
      const node = at >> 1,
        other = at & 1 ? node + w : node + 1;
      const t = (level - grid[node]) / (grid[other] - grid[node]);
      const x = node % w,
        y = (node / w) | 0;
      xy.push(at & 1 ? x : x + t, at & 1 ? y + t : y);
      const one = links[2 * at],
        two = links[2 * at + 1];
      if (one < 0) break; // a side already passed: the ring is closed
      links[2 * at] = links[2 * at + 1] = -1;
      const next = one === before ? two : one;
      before = at;
      at = next;
    }
    if (xy.length >= 4) chains.push(xy);
  }
}

// Borders between winning classes: short segments [x0, y0, x1, y1, ...]. `scores` holds one
// grid for each class, `winner` the class with the largest. Along a side the border lies
// where the two winners' scores are equal; where three classes meet, the crossings are
// joined in the middle of the cell.
/** @param {Uint8Array} winner @param {Float32Array[]} scores @param {number} w @param {number} h */
export function classBorders(winner, scores, w, h) {
  const out = [],
    hits = [];
  for (let y = 0; y < h - 1; y++) {
    for (let x = 0, i = y * w; x < w - 1; x++, i++) {
      const a = winner[i],
        b = winner[i + 1],
        c = winner[i + w + 1],
        d = winner[i + w];
      if (a === b && b === c && c === d) continue;
      hits.length = 0;
      if (a !== b) hits.push(x + equalAt(scores[a], scores[b], i, i + 1), y);
      if (b !== c) hits.push(x + 1, y + equalAt(scores[b], scores[c], i + 1, i + w + 1));
      if (c !== d) hits.push(x + equalAt(scores[d], scores[c], i + w, i + w + 1), y + 1);
      if (d !== a) hits.push(x, y + equalAt(scores[a], scores[d], i, i + w));
      if (hits.length === 4) out.push(...hits);
      else {
        const count = hits.length / 2;
        let mx = 0,
          my = 0;
        for (let j = 0; j < count; j++) {
          mx += hits[2 * j] / count;
          my += hits[2 * j + 1] / count;
        }
        for (let j = 0; j < count; j++) out.push(hits[2 * j], hits[2 * j + 1], mx, my);
      }
    }
  }
  return out;
}

// Part of the way from node p, where `one` wins, to node q, where `other` does.
/** @param {Float32Array} one @param {Float32Array} other @param {number} p @param {number} q */
function equalAt(one, other, p, q) {
  const lead = one[p] - other[p],
    lag = other[q] - one[q];
  return lead + lag > 0 ? lead / (lead + lag) : 0.5;
}
