// What the transport and the curves run along: the frames, or an axis of their own.

import { formatCount, formatNumber, tickTexts } from "./numerals.js";
import { logTicks, niceTicks } from "./ticks.js";

const STRIP = 0.07; // of a logarithmic axis, for what lies between 0 and its floor
const DECADES = 8; // ticks at most

// Values to [0, 1] and back: linear, or logarithmic above a floor. Below the floor a narrow
// linear strip leads down to 0, which no logarithm has a place for. `whole`: no ticks between
// whole numbers.
/** @param {number} low @param {number} high @param {number | null} [floor] @param {boolean} [whole] @returns {Scale} */
export function makeScale(low, high, floor = null, whole = false) {
  if (floor === null) {
    return {
      floor,
      share: (/** @type {number} */ v) => (high > low ? (v - low) / (high - low) : 0.5),
      value: (/** @type {number} */ s) => low + s * (high - low),
      ticks: (/** @type {number} */ count) => {
        const values = niceTicks(low, high, count, whole),
          texts = tickTexts(values);
        return values.map((value, i) => ({ value, text: texts[i] }));
      },
    };
  }
  const decades = Math.log10(high / floor);
  return {
    floor,
    share: (/** @type {number} */ v) =>
      v <= floor ? (STRIP * v) / floor : STRIP + ((1 - STRIP) * Math.log10(v / floor)) / decades,
    value: (/** @type {number} */ s) =>
      s <= STRIP ? (floor * s) / STRIP : floor * 10 ** (((s - STRIP) / (1 - STRIP)) * decades),
    ticks: (/** @type {number} */ count) => decadeTicks(floor, high, Math.min(count, DECADES)),
  };
}

// A logarithmic scale between two numbers above 0; each tick is the whole number.
/** @param {number} low @param {number} high @returns {Scale} */
export function makeLogScale(low, high) {
  const span = Math.log10(high / low);
  return {
    floor: null,
    share: (/** @type {number} */ v) => Math.log10(v / low) / span,
    value: (/** @type {number} */ s) => low * 10 ** (s * span),
    ticks: (/** @type {number} */ count) => {
      const values = logTicks(low, high, count);
      let digits = 3;
      while (digits < 15 && new Set(values.map((v) => formatNumber(v, digits))).size < values.length) digits += 1;
      return values.map((value) => ({ value, text: formatNumber(value, digits) }));
    },
  };
}

/** @param {number} floor @param {number} high @param {number} count */
function decadeTicks(floor, high, count) {
  const a = Math.ceil(Math.log10(floor) - 1e-9),
    b = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((b - a) / Math.max(1, count - 1)));
  const ticks = [{ value: 0, text: "0" }];
  for (let e = a; e <= b; e += step) ticks.push({ value: 10 ** e, text: formatNumber(Number(`1e${e}`)) });
  return ticks;
}

// The frames along the view's axis; without one they stand side by side, equally far apart.
export class Track {
  /** @param {Pick<View, "axis" | "frame_t" | "T"> & { arrays: { [name: string]: Packed | undefined } }} view */
  constructor(view) {
    const axis = view.arrays.axis?.data;
    this.name = view.axis?.name;
    this.t = view.frame_t;
    this.own = Boolean(axis);
    this.values = axis ?? Float64Array.from({ length: view.T }, (_, i) => i);
    this.scale = makeScale(this.values[0], this.values[view.T - 1], view.axis?.floor ?? null);
    this.shares = Array.from(this.values, (v) => (view.T > 1 ? this.scale.share(v) : 0));
  }

  /** @param {number} position */
  value(position) {
    const i = Math.min(Math.floor(position), this.values.length - 1),
      rest = position - i;
    return rest ? this.values[i] + rest * (this.values[i + 1] - this.values[i]) : this.values[i];
  }

  // Iteration number, between frames as well.
  /** @param {number} position */
  iteration(position) {
    const i = Math.floor(position),
      share = position - i;
    return share ? this.t[i] + share * (this.t[i + 1] - this.t[i]) : this.t[i];
  }

  // What is read beside the scrubber.
  /** @param {number} position */
  words(position) {
    if (this.own) return `${this.name} = ${formatNumber(this.value(position))}`;
    return `t = ${formatCount(this.t[Math.round(position)])} of ${formatCount(this.t[this.t.length - 1])}`;
  }

  // Where a position lies in [0, 1].
  /** @param {number} position */
  share(position) {
    return this.values.length > 1 ? this.scale.share(this.value(position)) : 0;
  }

  // The frame nearest to a place in [0, 1]; of the two at a jump the one on that side.
  /** @param {number} share */
  frameAt(share) {
    let best = 0,
      least = Infinity;
    this.shares.forEach((s, i) => {
      const d = Math.abs(s - share);
      if (d < least || (d === least && share > s)) {
        least = d;
        best = i;
      }
    });
    return best;
  }
}

// When a player reaches each frame of an axis: evenly along it, with a rest at each jump.
export class Clock {
  /** @param {Track} track @param {number} seconds @param {number} jumpSeconds @param {number} allJumps */
  constructor(track, seconds, jumpSeconds, allJumps) {
    this.track = track;
    const { shares } = track,
      jump = (/** @type {number} */ i) => track.values[i] === track.values[i - 1];
    const jumps = shares.filter((_, i) => i && jump(i)).length;
    const rest = Math.min(jumpSeconds, allJumps / Math.max(1, jumps));
    this.times = [0];
    for (let i = 1; i < shares.length; i++) {
      this.times.push(this.times[i - 1] + (jump(i) ? rest : seconds * (shares[i] - shares[i - 1])));
    }
    this.total = this.times[this.times.length - 1];
  }

  /** @param {number} position */
  timeAt(position) {
    const i = Math.floor(position),
      { times, track } = this;
    if (i >= times.length - 1) return this.total;
    const span = track.shares[i + 1] - track.shares[i];
    const part = span > 0 ? (track.share(position) - track.shares[i]) / span : position - i;
    return times[i] + part * (times[i + 1] - times[i]);
  }

  /** @param {number} time */
  positionAt(time) {
    const { times, track } = this,
      { values, shares } = track;
    let i = 0;
    while (i < times.length - 2 && times[i + 1] <= time) i += 1;
    const part = Math.min(1, Math.max(0, (time - times[i]) / (times[i + 1] - times[i] || 1)));
    const span = values[i + 1] - values[i];
    // At a jump: the state before, a short blend, the state after.
    if (!(span > 0)) return i + Math.min(1, Math.max(0, (part - 0.4) / 0.2));
    const value = track.scale.value(shares[i] + part * (shares[i + 1] - shares[i]));
    return i + Math.min(1, Math.max(0, (value - values[i]) / span));
  }
}
