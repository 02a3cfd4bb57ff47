// Predict first: a view without its answers, until the reader asks for them.

const ANSWERS = ["field", "field_margin", "f", "f_margin", "p", "marks", "struck", "truth", "ghost_field", "ghost_margin", "ghost_flipped"];

// Points, labels and those panels that give nothing away; the rest is not even there.
export function veiled(view) {
  const arrays = { ...view.arrays };
  for (const name of ANSWERS) delete arrays[name];
  return { ...view, arrays, ghost: null, tiles: [], captions: [], veiled: true };
}
