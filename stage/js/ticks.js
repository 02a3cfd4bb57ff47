// Where the ticks of an axis stand.

const FINEST = 1e-14; // of the largest value: nearer numbers are not told apart by doubles
const LEAST = 1e-300;
const MANTISSAS = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
const CROWD = 100; // ticks at most

// A round step (1, 2 or 5 times a power of ten), about `count` of them in [low, high].
// With `whole` only whole numbers are ticks: nothing happens at iteration 0.2.
/** @param {number} low @param {number} high @param {number} count @param {boolean} [whole] */
export function niceStep(low, high, count, whole = false) {
  const pieces = Math.min(CROWD, Math.max(1, count)),
    finest = FINEST * Math.max(Math.abs(low), Math.abs(high));
  const raw = Math.max(high / pieces - low / pieces, finest, LEAST);
  const power = 10 ** Math.floor(Math.log10(raw));
  const off = (/** @type {number} */ m) => Math.abs(Math.log((m * power) / raw));
  const step = power * [1, 2, 5, 10].reduce((best, m) => (off(m) < off(best) ? m : best));
  return whole ? Math.max(1, Math.round(step)) : step;
}

// Multiples of a step, by their whole numbers: the loop ends whatever the doubles do.
/** @param {number} first @param {number} last @param {number} step */
export function multiples(first, last, step) {
  const n = Math.min(2 * CROWD, last - first + 1);
  return Array.from({ length: Math.max(0, n) || 0 }, (_, k) => Number(((first + k) * step).toPrecision(15)));
}

// The round values in [low, high]; its low end alone where doubles hold no step in it.
/** @param {number} low @param {number} high @param {number} count @param {boolean} [whole] */
export function niceTicks(low, high, count, whole = false) {
  if (!(high > low) || !Number.isFinite(high) || !Number.isFinite(low)) return Number.isFinite(low) ? [low] : [];
  const step = niceStep(low, high, count, whole),
    near = 1e-9;
  const ticks = multiples(Math.ceil(low / step - near), Math.floor(high / step + near), step);
  return ticks.length || whole ? ticks : [low];
}

// Round values in [low, high] above 0: as many in each decade as there is room for.
/** @param {number} low @param {number} high @param {number} count */
export function logTicks(low, high, count) {
  const first = Math.floor(Math.log10(low)),
    decades = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, i) => first + i);
  /** @type {number[]} */
  let found = [];
  for (const some of MANTISSAS) {
    found = decades.flatMap((e) => some.map((m) => Number(`${m}e${e}`))).filter((v) => low <= v && v <= high);
    if (found.length <= count) break;
  }
  const every = Math.ceil(found.length / Math.max(1, count));
  if (every > 1) found = found.filter((_, i) => i % every === 0);
  return found.length > 1 ? found : niceTicks(low, high, count / 2);
}

/** @param {Values} values */
export function areWhole(values) {
  return Array.from(values).every((v) => !Number.isFinite(v) || Number.isInteger(v));
}
