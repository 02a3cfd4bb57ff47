// How numbers are written: the twin of ssl_core/numerals.py. A number reads the same in a
// tile, a sentence and a legend; tests/numerals.json has the cases for both.

/** @type {Record<string, string>} */
const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const UNKNOWN = "–";
const SHORTEST = 9.995e-4,
  LONGEST_PLAIN = 1e5; // outside of these powers of ten are written
const EXACT = 6; // digits of a tick at most; where more would be needed, distances are written

/** @param {number} exponent */
function powerOfTen(exponent) {
  return `10${[...String(exponent)].map((c) => SUPERSCRIPT[c]).join("")}`;
}

// Thousands apart: 1,777.
/** @param {string} digits */
function grouped(digits) {
  const [whole, rest] = digits.split("."),
    apart = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest === undefined ? apart : `${apart}.${rest}`;
}

/** @param {number} size @param {number} digits */
function plainDigits(size, digits) {
  return grouped(size < 10 ** digits - 0.5 ? String(Number(size.toPrecision(digits))) : size.toFixed(0));
}

/** @param {number} size @param {number} digits */
function asPower(size, digits) {
  const [first, exponent] = size.toExponential(digits - 1).split("e"),
    ten = powerOfTen(Number(exponent));
  const shorter = first.includes(".") ? first.replace(/\.?0+$/, "") : first;
  return shorter === "1" ? ten : `${shorter}·${ten}`;
}

/** @param {number} v @param {string} text */
function signed(v, text) {
  return v < 0 ? `−${text}` : text;
}

// A whole number.
/** @param {number} n */
export function formatCount(n) {
  return signed(n, grouped(Math.abs(n).toFixed(0)));
}

// So many significant digits at most; very small and large numbers as 3.1·10⁻⁴.
/** @param {number} v @param {number} [digits] */
export function formatNumber(v, digits = 3) {
  if (!Number.isFinite(v)) return UNKNOWN;
  if (v === 0) return "0";
  const size = Math.abs(v),
    plain = size >= SHORTEST && size < Math.max(LONGEST_PLAIN, 10 ** digits) - 0.5;
  return signed(v, plain ? plainDigits(size, digits) : asPower(size, digits - 1));
}

// One decimal, none for 0 and 1.
/** @param {number} v */
export function formatPercent(v) {
  if (!Number.isFinite(v)) return UNKNOWN;
  return `${signed(v, grouped(Math.abs(100 * v).toFixed(v === 0 || v === 1 ? 0 : 1)))} %`;
}

// 3.2 ms, 46 ms, 1.4 s, 12 s.
/** @param {number} seconds */
export function formatDuration(seconds) {
  if (!Number.isFinite(seconds)) return UNKNOWN;
  const [value, unit] = seconds < 0.0995 ? [1000 * seconds, "ms"] : [seconds, "s"];
  return `${value < 9.95 ? formatNumber(value, 2) : formatCount(value)} ${unit}`;
}

// Labels of ticks at equal distances, all different and all of one kind: plain digits or
// powers of ten. Far from zero the first is written in full and the others as distances.
/** @param {number[]} ticks */
export function tickTexts(ticks) {
  const largest = Math.max(...ticks.map(Math.abs)),
    step = ticks[1] - ticks[0];
  if (ticks.length < 2 || largest === 0) return ticks.map((v) => formatNumber(v, EXACT));
  const digits = decade(largest) - decade(step) + 1;
  if (digits > EXACT) return ticks.map((v, i) => (i ? `+${formatNumber(v - ticks[0])}` : formatNumber(v, EXACT)));
  const plain = largest >= SHORTEST && largest < LONGEST_PLAIN - 0.5;
  return ticks.map((v) => {
    const size = Math.abs(v),
      own = Math.max(1, digits + decade(size) - decade(largest));
    return v === 0 ? "0" : signed(v, (plain ? plainDigits : asPower)(size, own));
  });
}

/** @param {number} size */
function decade(size) {
  return Math.floor(Math.log10(size) + 1e-9);
}
