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
//   place()                    what a link should keep of it, by name

import { CurvesPanel } from "./curves.js";
import { SearchPanel } from "./search.js";
import { HeatPanel } from "./heat.js";
import { LossPanel } from "./loss.js";
import { TreePanel } from "./tree.js";

const KINDS = { curves: CurvesPanel, search: SearchPanel, heat: HeatPanel, loss: LossPanel, tree: TreePanel };

export function makePanels(view, track) {
  return view.panels.map((row, i) => new KINDS[row.kind](view, row, `panel${i}`, track));
}
