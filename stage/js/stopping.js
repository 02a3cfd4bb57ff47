// Stopping rules judged on a recorded run: the twin of `judge` in ssl_core/stopping.py,
// with the same operations on the same numbers, so that both agree also at ties.

import { dataOf } from "./unpack.js";

// First index at which a norm is no longer above `tol` times its start, or null.
/** @param {Values} values @param {number} tol */
export function normStop(values, tol) {
  const start = values[0];
  for (let i = 0; i < values.length; i++) {
    if (!(values[i] > tol * start || (tol === 0 && values[i] > 0))) return i;
  }
  return null;
}

// First index at which a step lowered the objective by no more than `tol` of it, or null.
/** @param {Values} objective @param {number} tol */
export function decreaseStop(objective, tol) {
  for (let i = 1; i < objective.length; i++) {
    const decrease = (objective[i - 1] - objective[i]) / Math.max(Math.abs(objective[i - 1]), 1e-300);
    if (!(decrease > tol || (tol === 0 && decrease > 0))) return i;
  }
  return null;
}

// First check, every so many iterations, at which all of the checks say stop, or null.
/** @param {Values} t @param {number} every @param {((i: number) => boolean)[]} checks */
function checkStop(t, every, checks) {
  for (let i = 0; i < t.length; i++) {
    if (t[i] === 0 || t[i] % every) continue;
    const verdicts = checks.map((check) => check(i)); // each of them remembers
    if (verdicts.every(Boolean)) return i;
  }
  return null;
}

// Share of changed decisions since the last check, in which a changed point counts 2.
/** @param {Packed} options @param {number} eta */
function stability({ data, shape: [, width] }, eta) {
  let old = -1;
  return (/** @type {number} */ i) => {
    let share = 1;
    if (old >= 0) {
      let changed = 0;
      for (let j = 0; j < width; j++) if (data[i * width + j] !== data[old * width + j]) changed += 1;
      share = width ? 2 * (changed / width) : 0;
    }
    old = i;
    return share < eta;
  };
}

/** @param {Values} wrong @param {number} total @param {number} need */
function validation(wrong, total, need) {
  let old = 1;
  return (/** @type {number} */ i) => {
    const error = wrong[i] / total,
      stop = error > old - need;
    old = error;
    return stop;
  };
}

// What a run has recorded for the rules (panels/stopping.py), and their answers.
export class Stopping {
  /** @param {View} view */
  constructor(view) {
    const at = view.panels.findIndex((row) => row.kind === "rules"),
      row = /** @type {RulesRow} */ (view.panels[at]);
    const data = (/** @type {string} */ name) => dataOf(view, `panel${at}_${name}`);
    this.rules = row.rules;
    this.exponents = row.exponents;
    this.every = row.every;
    this.total = row.total;
    this.best = row.best;
    this.newton = row.newton;
    this.complete = row.complete;
    this.usual = row.usual;
    this.t = data("t");
    this.spent = data("spent");
    this.moving = data("moving");
    this.tolerances = data("tolerances");
    this.decisions = view.arrays[`panel${at}_decisions`];
    this.norms = Object.fromEntries(row.norms.map((name) => [name, data(name)]));
    this.wrong = Object.fromEntries(Object.keys(row.total).map((part) => [part, data(`wrong${part}`)]));
    this.last = this.t.length - 1;
  }

  // Of the powers of ten that a threshold can have, the nearest one.
  /** @param {number} exponent */
  step(exponent) {
    const [low, next] = this.exponents,
      at = Math.round((exponent - low) / (next - low));
    return Math.min(this.exponents.length - 1, Math.max(0, at));
  }

  /** @param {Record<string, number>} at */
  everyOf(at) {
    return at.theta || this.every;
  }

  // Index of the state at which a rule ends the run; null where it never does, undefined
  // where that cannot be told here.
  /** @param {string} name @param {Record<string, number>} at */
  stop(name, at) {
    if (name === "guess") {
      const i = this.t.findIndex((t) => t >= at.guess);
      return i < 0 ? null : i;
    }
    if (name === "objective") return decreaseStop(this.norms.objective, this.tolerances[this.step(at[name])]);
    if (this.norms[name]) return normStop(this.norms[name], this.tolerances[this.step(at[name])]);
    const checks = [];
    if (name !== "validation") {
      if (!this.decisions) return undefined;
      checks.push(stability(this.decisions, at.eta / 100));
    }
    // Half a point below the gain asked for: rates of points are not exact.
    if (name !== "stability") checks.push(validation(this.wrong.V, this.total.V, (at.gain - 0.5) / this.total.V));
    return checkStop(this.t, this.everyOf(at), checks);
  }

  /** @param {string} part @param {number} i */
  rate(part, i) {
    return part in this.total ? this.wrong[part][i] / this.total[part] : NaN;
  }

  /** @param {string} part */
  bestRate(part) {
    return part in this.total ? this.best[part] / this.total[part] : NaN;
  }

  // First state after which no unlabelled point changes sides any more.
  get settled() {
    return this.moving.indexOf(0);
  }
}

/** @type {WeakMap<View, Stopping>} */
const MADE = new WeakMap(); // by view: its panels look at the same record
/** @param {View} view */
export function stoppingOf(view) {
  const made = MADE.get(view) ?? new Stopping(view);
  MADE.set(view, made);
  return made;
}
