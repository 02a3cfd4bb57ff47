// Level lines of a grid of numbers, as unbroken chains of points.

// Cubic refinement that never overshoots: `s` - 1 new values between neighbours, old ones
// kept. Slopes are Catmull-Rom's, limited so that each piece is monotone (Fritsch and
// Carlson 1980): a new value lies between the nodes around it, so there is no change of
// sign where they agree, and one at most along a side where they do not. It works on
// outputs, not on their packed levels: a cube root stands upright at zero, and lines
// drawn through it were ten times further from the true boundary (0.11 cells for 0.01).
export function refine(source, w, h, s, target, scratch) {
  const w2 = (w - 1) * s + 1, weights = new Float64Array(4 * s);
  for (let i = 0; i < s; i++) { // Hermite's, for both ends and both slopes
    const t = i / s, t2 = t * t, t3 = t2 * t;
    weights.set([2 * t3 - 3 * t2 + 1, t3 - 2 * t2 + t, 3 * t2 - 2 * t3, t3 - t2], 4 * i);
  }
  for (let y = 0; y < h; y++) refineLine(source, y * w, 1, w, weights, scratch, y * w2, 1);
  for (let x = 0; x < w2; x++) refineLine(scratch, x, w2, h, weights, target, x, w2);
}

// One row or column: `count` values of `source` from place `from` on, `step` apart.
function refineLine(source, from, step, count, weights, target, to, stride) {
  let here = source[from], next = source[from + step];
  let rise = next - here, slope = rise, at = to;
  for (let j = 2; j <= count; j++) {
    const after = j < count ? source[from + j * step] : next + rise; // goes on straight
    const end = monotoneSlope(rise, after - next);
    for (let i = 0; i < weights.length; i += 4) {
      target[at] = weights[i] * here + weights[i + 1] * slope + weights[i + 2] * next + weights[i + 3] * end;
      at += stride;
    }
    here = next;
    next = after;
    rise = after - here;
    slope = end;
  }
  target[at] = here;
}

function monotoneSlope(before, after) {
  if (before * after <= 0) return 0;
  const most = 3 * Math.min(Math.abs(before), Math.abs(after)), mean = (before + after) / 2;
  return Math.max(-most, Math.min(most, mean));
}

// Marching squares. Sides of a cell: 0 bottom, 1 right, 2 top, 3 left; entry = pairs of
// sides that a line joins, by which of the corners a, b, c, d (bits 0..3) lie inside.
const SEGMENTS = [
  [], [3, 0], [0, 1], [3, 1], [1, 2], null, [0, 2], [3, 2],
  [2, 3], [2, 0], null, [2, 1], [1, 3], [1, 0], [0, 3], [],
];
const SADDLE_JOINED = { 5: [3, 2, 1, 0], 10: [0, 3, 2, 1] };
const SADDLE_APART = { 5: [3, 0, 1, 2], 10: [0, 1, 2, 3] };

// Follows segments from side to side, so that dashes run on and nothing is left open.
export class Contours {
  constructor(w, h) {
    this.w = w;
    this.h = h;
    this.links = new Int32Array(4 * w * h).fill(-1); // two neighbours for each grid side
    this.used = [];
  }

  // Lines where `grid` crosses `level`: arrays [x0, y0, x1, y1, ...] in grid units.
  lines(grid, level) {
    const { w, h, links, used } = this;
    used.length = 0;
    for (let y = 0; y < h - 1; y++) {
      for (let x = 0, i = y * w; x < w - 1; x++, i++) {
        const a = grid[i] >= level, b = grid[i + 1] >= level;
        const d = grid[i + w] >= level, c = grid[i + w + 1] >= level;
        const kind = (a ? 1 : 0) | (b ? 2 : 0) | (c ? 4 : 0) | (d ? 8 : 0);
        if (kind === 0 || kind === 15) continue;
        let pairs = SEGMENTS[kind];
        if (pairs === null) {
          const middle = (grid[i] + grid[i + 1] + grid[i + w] + grid[i + w + 1]) / 4;
          const joined = middle >= level;
          pairs = (joined ? SADDLE_JOINED : SADDLE_APART)[kind];
        }
        for (let p = 0; p < pairs.length; p += 2) this.join(this.side(i, pairs[p]), this.side(i, pairs[p + 1]));
      }
    }
    const chains = [];
    for (const start of used) if (links[2 * start] >= 0 && links[2 * start + 1] < 0) this.follow(start, grid, level, chains);
    for (const start of used) if (links[2 * start] >= 0) this.follow(start, grid, level, chains);
    return chains;
  }

  // Number of a side: even = along x from node i, odd = along y from node i.
  side(i, which) {
    if (which === 0) return 2 * i;
    if (which === 1) return 2 * (i + 1) + 1;
    if (which === 2) return 2 * (i + this.w);
    return 2 * i + 1;
  }

  join(p, q) {
    for (const [from, to] of [[p, q], [q, p]]) {
      if (this.links[2 * from] < 0) {
        this.links[2 * from] = to;
        this.used.push(from);
      } else this.links[2 * from + 1] = to;
    }
  }

  follow(start, grid, level, chains) {
    const { w, links } = this, xy = [];
    let at = start, before = -1;
    while (at >= 0) {
      const node = at >> 1, other = at & 1 ? node + w : node + 1;
      const t = (level - grid[node]) / (grid[other] - grid[node]);
      const x = node % w, y = (node / w) | 0;
      xy.push(at & 1 ? x : x + t, at & 1 ? y + t : y);
      const one = links[2 * at], two = links[2 * at + 1];
      if (one < 0) break; // a side already passed: the ring is closed
      links[2 * at] = links[2 * at + 1] = -1;
      const next = one === before ? two : one;
      before = at;
      at = next;
    }
    if (xy.length >= 4) chains.push(xy);
  }
}

// Borders between winning classes: short segments [x0, y0, x1, y1, ...]. Along a side the
// lead falls from one winner's margin to minus the other's, which places the crossing;
// where three classes meet, the crossings are joined in the middle of the cell.
export function classBorders(winner, margin, w, h) {
  const out = [], hits = [];
  for (let y = 0; y < h - 1; y++) {
    for (let x = 0, i = y * w; x < w - 1; x++, i++) {
      const corners = [i, i + 1, i + w + 1, i + w];
      if (corners.every((c) => winner[c] === winner[i])) continue;
      hits.length = 0;
      for (let s = 0; s < 4; s++) {
        const p = corners[s], q = corners[(s + 1) % 4];
        if (winner[p] === winner[q]) continue;
        const t = margin[p] / (margin[p] + margin[q]);
        const px = p % w, py = (p / w) | 0, qx = q % w, qy = (q / w) | 0;
        hits.push(px + t * (qx - px), py + t * (qy - py));
      }
      if (hits.length === 4) out.push(...hits);
      else {
        const count = hits.length / 2;
        let mx = 0, my = 0;
        for (let j = 0; j < count; j++) { mx += hits[2 * j] / count; my += hits[2 * j + 1] / count; }
        for (let j = 0; j < count; j++) out.push(hits[2 * j], hits[2 * j + 1], mx, my);
      }
    }
  }
  return out;
}
