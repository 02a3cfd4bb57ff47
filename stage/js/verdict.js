// What stopping somewhere is worth, in sentences that are true of the run.

import { formatCount, formatDuration, formatNumber, formatPercent } from "./numerals.js";

const points = (/** @type {number} */ n) => `${formatCount(n)} unlabelled ${n === 1 ? "point" : "points"}`;

// What the run says to a reader who would stop at iteration t.
/** @param {Stopping} stopping @param {number} t @param {Record<string, number>} at */
export function guessSentence(stopping, t, at) {
  const i = stopping.stop("guess", { ...at, guess: t }) ?? stopping.last,
    { settled } = stopping;
  const late = stopping.moving[i],
    head = `Your prediction is t = ${formatCount(stopping.t[i])}.`;
  if (late) {
    const change = late === 1 ? "changes" : "change";
    return `${head} Too early for ${points(late)}: ${late === 1 ? "it still" : "they still"} ${change} sides later.${errorSentence(stopping, i)}`;
  }
  const spare = stopping.t[i] - stopping.t[settled];
  const since = spare
    ? `no unlabelled point has changed sides since t = ${formatCount(stopping.t[settled])}, so ${formatCount(spare)} ${spare === 1 ? "iteration" : "iterations"} could have been saved.`
    : "at this iteration the last unlabelled point changed sides.";
  return `${head} Late enough: ${since}`;
}

// The error on the unlabelled points beside the optimum's.
/** @param {Stopping} stopping @param {number} i */
function errorSentence(stopping, i) {
  const here = stopping.rate("U", i),
    best = stopping.bestRate("U");
  if (!Number.isFinite(here)) return "";
  if (here === best) return ` The error on the unlabelled points is the optimum's already, ${formatPercent(here)}.`;
  const gap = formatNumber(Number((100 * Math.abs(here - best)).toFixed(1))),
    unit = gap === "1" ? "percentage point" : "percentage points";
  return ` The error on the unlabelled points is ${formatPercent(here)}, ${gap} ${unit} ${here > best ? "above" : "below"} the optimum's.`;
}

// What following one rule means, in two sentences.
/** @param {Stopping} stopping @param {string} name @param {string} title @param {Record<string, number>} at */
export function verdict(stopping, name, title, at) {
  const i = stopping.stop(name, at),
    total = formatCount(stopping.t[stopping.last]);
  if (i === undefined) return `${title}: the run has too many points to evaluate this rule in the browser.`;
  if (i === null) return `${title}: never stops within the ${total} recorded iterations; its threshold is not reached.`;
  const whole = stopping.spent[stopping.last],
    saved = whole - stopping.spent[i],
    least = stopping.complete ? "" : "at least ";
  const worth =
    saved > 0 && whole > 0 ? ` and saves ${least}${Math.round((100 * saved) / whole)} % of the iterations' time` : "";
  return `${title}: stops at t = ${formatCount(stopping.t[i])} of ${total}${worth}.${errorSentence(stopping, i)}`;
}

// Time until a state beside that of the whole run and that of the exact solver.
/** @param {Stopping} stopping @param {number} i */
export function savings(stopping, i) {
  const whole = stopping.spent[stopping.last],
    here = stopping.spent[i],
    least = stopping.complete ? "" : "≥ ";
  const than = here - stopping.newton;
  return {
    running: `${least}${formatDuration(whole - here)}`,
    newton: `${formatDuration(Math.abs(than))} ${than > 0 ? "more" : "less"}`,
  };
}
