// What every panel has: a canvas in a box, which the stage sizes.

/** @type {any} */
export const LATER = undefined; // set before anything reads it: by `extras`, or when a view is shown

export class BasePanel {
  canvas = document.createElement("canvas");
  box = document.createElement("div");
  width = 0;
  height = 0;
  isBelow = false;

  /** @param {PanelRow} row */
  constructor(row) {
    this.kind = row.kind;
    this.title = row.title;
    this.below = row.below;
  }
}
