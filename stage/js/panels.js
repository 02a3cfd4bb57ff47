// What stands beside the stage: one class for each kind of panel that Python knows. What a
// panel has is told in types.d.ts.

import { CurvesPanel } from "./curves.js";
import { HeatPanel } from "./heat.js";
import { LossPanel } from "./loss.js";
import { NormsPanel } from "./norms.js";
import { RulesPanel } from "./rules.js";
import { SearchPanel } from "./search.js";
import { TreePanel } from "./tree.js";

/**
 * @param {View} view
 * @param {PanelRow} row
 * @param {string} name
 * @param {Track} track
 * @param {Numbers} numbers
 * @returns {Panel}
 */
function make(view, row, name, track, numbers) {
  switch (row.kind) {
    case "curves":
      return new CurvesPanel(view, row, name, track);
    case "search":
      return new SearchPanel(view, row, name);
    case "heat":
      return new HeatPanel(view, row, name, track);
    case "loss":
      return new LossPanel(view, row, name);
    case "tree":
      return new TreePanel(view, row, name, track);
    case "norms":
      return new NormsPanel(view, row, name, track, numbers);
    case "rules":
      return new RulesPanel(view, row, numbers);
  }
}

/** @param {View} view @param {Track} track @param {Numbers} numbers */
export function makePanels(view, track, numbers) {
  return view.panels.flatMap((row, i) =>
    view.veiled && row.answer ? [] : [make(view, row, `panel${i}`, track, numbers)],
  );
}
