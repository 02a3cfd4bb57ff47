// Numbers that the reader moves in the panels. They are moved here, as often as one likes;
// the server is told when one is let go.

const LATER = 400; // ms after the last key, which nobody lets go of for certain

export class Numbers {
  // `moved` is called after every change, `tell` with all values when one is let go.
  /**
   * @param {(name: string) => void} moved
   * @param {(message: { opening: number | null; values: Record<string, number> }) => void} tell
   */
  constructor(moved, tell) {
    /** @type {Record<string, number>} */
    this.values = {};
    /** @type {number | null} */
    this.opening = null;
    this.moved = moved;
    this.tell = tell;
  }

  // A screen is opened: its numbers are as the server says. Until the next one they are
  // the reader's, whatever else arrives.
  /** @param {View} view */
  open(view) {
    if (view.opening === this.opening) return false;
    this.opening = view.opening;
    this.values = { ...view.numbers };
    return true;
  }

  /** @param {string} name */
  get(name) {
    return this.values[name];
  }

  /** @param {string} name @param {number} value */
  set(name, value) {
    if (this.values[name] === value) return;
    this.values[name] = value;
    this.moved(name);
  }

  // Not worth a message of its own: it goes with the next one, and into the link.
  /** @param {string} name @param {number} value */
  note(name, value) {
    this.values[name] = value;
  }

  drop() {
    clearTimeout(this.timer);
    this.tell({ opening: this.opening, values: { ...this.values } });
  }

  dropLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drop(), LATER);
  }
}
