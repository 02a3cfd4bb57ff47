// Predict first: a view without its answers, until the reader asks for them.

const ANSWERS = ["field", "f", "f_margin", "p", "marks", "struck", "truth", "ghost_field", "ghost_flipped"];

// Points, labels and those panels that give nothing away; the rest is not even there.
/** @param {View} view */
export function veiled(view) {
  const arrays = { ...view.arrays };
  for (const name of ANSWERS) delete arrays[name];
  return { ...view, arrays, ghost: null, tiles: [], captions: [], veiled: true };
}
