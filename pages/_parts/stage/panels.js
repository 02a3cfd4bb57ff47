// What stands beside the stage: one class for each kind of panel that Python knows.
//
// A panel is made from the view, its own header and the name of its arrays, and has
//   title                      above the picture, and for screen readers
//   heights                    least and largest height in pixels
//   draw(ctx, width, height, theme, position, scale)
//                              the whole picture; position lies between two frames
// and, where it wants,
//   least(width, theme)        height it needs at this width
//   smooth                     it moves between frames as well, along an axis
//   drawQuickly(...)           as draw, on the screen, with what it keeps from frame to frame
//   forget()                   the look has changed: what was kept is void
//   linked, frameAt(x, y)      a press leads the cursor to a frame
//   grip(x, y)                 what can be dragged there: { move(x, y), drop() }, or null
//   cursorAt(x, y)             name of the mouse cursor there
//   extras(stage)              elements that stand below the picture
//   tip(x, y, frame)           lines about what lies there, for the card beside the mouse
//   words(frame)               what a screen reader is told of this moment
//   place()                    what a link should keep of it, by name; null takes a name out
//   moment(frame)              its elements follow the cursor
//   numberMoved(name)          the reader moved a number (numbers.js), of this panel or not
//   cursorMoved()              the reader moved the cursor
//   opens(stage)               the frame at which a new run opens
//   broad                      it needs as much room as the stage
// A panel whose heights are null has no picture, only elements.

import { CurvesPanel } from "./curves.js";
import { SearchPanel } from "./search.js";
import { HeatPanel } from "./heat.js";
import { LossPanel } from "./loss.js";
import { TreePanel } from "./tree.js";
import { NormsPanel } from "./norms.js";
import { RulesPanel } from "./rules.js";

const KINDS = { curves: CurvesPanel, search: SearchPanel, heat: HeatPanel, loss: LossPanel, tree: TreePanel, norms: NormsPanel, rules: RulesPanel };

export function makePanels(view, track, numbers) {
  return view.panels.flatMap((row, i) => (view.veiled && row.answer ? [] : [new KINDS[row.kind](view, row, `panel${i}`, track, numbers)]));
}
