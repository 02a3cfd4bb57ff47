// What stands beside the stage: one class for each kind of panel that Python knows. What a
// panel has is told in types.d.ts.

import { CurvesPanel } from "./curves.js";
import { HeatPanel } from "./heat.js";
import { LossPanel } from "./loss.js";
import { NormsPanel } from "./norms.js";
import { RulesPanel } from "./rules.js";
import { SearchPanel } from "./search.js";
import { TreePanel } from "./tree.js";

/** @type {Record<PanelRow["kind"], new (view: View, row: any, name: string, track: Track, numbers: Numbers) => Panel>} */
export const PANELS = {
  curves: CurvesPanel,
  heat: HeatPanel,
  loss: LossPanel,
  norms: NormsPanel,
  rules: RulesPanel,
  search: SearchPanel,
  tree: TreePanel,
};

/** @param {View} view @param {Track} track @param {Numbers} numbers */
export function makePanels(view, track, numbers) {
  return view.panels.flatMap((row, i) =>
    view.veiled && row.answer ? [] : [new PANELS[row.kind](view, row, `panel${i}`, track, numbers)],
  );
}
