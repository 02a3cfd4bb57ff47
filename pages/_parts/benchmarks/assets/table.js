// A table of numbers in which every number is a button that chooses it.
//
// The table is made once and then only its words change: while results stream in, the
// focus of whoever moves through it by keys stays where it is.

import { all, one } from "../../../../stage/js/dom.js";

/** @typedef {{ ours: string, paper: string, verdict: string, kind: string, sentence: string, chosen: boolean }} Cell */
/**
 * @typedef {object} Table
 * @property {string} about
 * @property {string} caption
 * @property {string} corner
 * @property {string[]} columns
 * @property {{ name: string, numbers: (Cell | null)[] }[]} rows
 */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} [className]
 * @param {string} [text]
 */
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** @param {Table} data */
function header(data) {
  const row = make("tr");
  const corner = make("th", "", data.corner);
  corner.scope = "col";
  row.append(corner);
  for (const name of data.columns) {
    const head = make("th", "", name);
    head.scope = "col";
    row.append(head);
  }
  const head = make("thead");
  head.append(row);
  return head;
}

/** @param {Table} data */
function body(data) {
  const all = make("tbody");
  for (const { name, numbers } of data.rows) {
    const row = make("tr"),
      head = make("th", "", name);
    head.scope = "row";
    row.append(head);
    for (const number of numbers) {
      const place = make("td");
      if (number) {
        const button = make("button");
        button.type = "button";
        for (const part of ["ours", "paper", "verdict"]) button.append(make("span", `hm-${part}`));
        place.append(button);
      }
      row.append(place);
    }
    all.append(row);
  }
  return all;
}

/** @param {HTMLTableElement} table @param {Table} data */
function fill(table, data) {
  const rows = table.tBodies[0].rows;
  data.rows.forEach(({ numbers }, i) =>
    numbers.forEach((number, j) => {
      if (!number) return;
      const button = one(rows[i].cells[j + 1], "button");
      const [ours, paper, verdict] = all(button, "span");
      const changed = ours.textContent && ours.textContent !== number.ours;
      ours.textContent = number.ours;
      paper.textContent = number.paper;
      verdict.textContent = number.verdict;
      verdict.dataset.kind = number.kind;
      button.setAttribute("aria-label", number.sentence);
      button.setAttribute("aria-pressed", String(number.chosen));
      if (changed) {
        button.classList.remove("hm-new");
        requestAnimationFrame(() => button.classList.add("hm-new"));
      }
    }),
  );
}

/** @param {Component<Table>} options */
export default function mount({ parentElement, data, setTriggerValue }) {
  const box = one(parentElement, ".hm-published");
  if (box.dataset.about !== data.about) {
    const table = make("table");
    table.append(make("caption", "", data.caption), header(data), body(data));
    table.style.setProperty("--wide", `${10 + 9.5 * data.columns.length}rem`);
    box.replaceChildren(table);
    box.dataset.about = data.about;
    box.setAttribute("aria-label", data.caption);
  }
  const table = /** @type {HTMLTableElement} */ (one(box, "table"));
  fill(table, data);
  table.onclick = (event) => {
    const place = event.target instanceof Element ? event.target.closest("button")?.closest("td") : null;
    if (place?.parentElement instanceof HTMLTableRowElement)
      setTriggerValue("chosen", [place.parentElement.sectionRowIndex, place.cellIndex - 1]);
  };
}
