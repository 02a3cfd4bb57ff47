// The card beside what the pointer is on: a point of the stage, a mark of a chart. Text goes
// in through textContent: names come from users.

export class Card {
  /** @param {HTMLElement} card */
  constructor(card) {
    this.card = card;
  }

  hide() {
    this.card.hidden = true;
  }

  /** @param {string[]} lines @param {number} x @param {number} y @param {number} width */
  showText(lines, x, y, width) {
    if (!lines.length) return this.hide();
    this.card.replaceChildren(
      ...lines.map((text) => {
        const row = document.createElement("div");
        row.textContent = text;
        return row;
      }),
    );
    this.place(x, y, width);
  }

  /** @param {number} x @param {number} y @param {number} width */
  place(x, y, width) {
    this.card.hidden = false;
    const w = this.card.offsetWidth,
      h = this.card.offsetHeight;
    this.card.style.left = `${Math.max(4, x + 18 + w > width ? x - w - 14 : x + 18)}px`;
    this.card.style.top = `${Math.max(4, y - h - 10 < 0 ? y + 18 : y - h - 10)}px`;
  }
}
