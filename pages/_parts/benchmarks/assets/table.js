// A table of numbers in which every number is a button that chooses it.
//
// The table is made once and then only its words change: while results stream in, the
// focus of whoever moves through it by keys stays where it is. Ours stands above the
// paper's number, and the numbers of a column are aligned on the decimal point.

import { all, one } from "../../../../stage/js/dom.js";
import { readTheme } from "../../../../stage/js/theme.js";

/** @typedef {[number: string, after: string]} Line */
/** @typedef {{ ours: Line, paper: Line | null, kind: string, sentence: string, chosen: boolean }} Cell */
/**
 * @typedef {object} Table
 * @property {string} about
 * @property {string} caption
 * @property {{ name: string, better: string }[]} columns
 * @property {string[]} which
 * @property {string} none
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
  row.append(make("td"));
  for (const { name, better } of data.columns) {
    const head = make("th", "", name);
    head.scope = "col";
    if (better) head.append(make("span", "hm-better", better));
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
      head = make("th"),
      names = make("div"),
      which = make("span", "hm-which");
    head.scope = "row";
    which.setAttribute("aria-hidden", "true");
    which.append(...data.which.map((word) => make("span", "", word)));
    names.append(make("span", "", name), which);
    head.append(names);
    row.append(head);
    for (const number of numbers) {
      const place = make("td", "", number ? undefined : data.none);
      if (number) {
        const button = make("button");
        button.type = "button";
        for (const line of number.paper ? [number.ours, number.paper] : [number.ours]) {
          const parts = make("span", "hm-line");
          parts.append(...line.flatMap((_, i) => (i ? [make("span")] : [make("span"), make("span")])));
          button.append(parts);
        }
        place.append(button);
      }
      row.append(place);
    }
    all.append(row);
  }
  return all;
}

// A number before its decimal point, and from there on.
/** @param {string} text @returns {[string, string]} */
export function atPoint(text) {
  const point = /^[−\d,]+\.\d/.test(text) ? text.indexOf(".") : text.length;
  return [text.slice(0, point), text.slice(point)];
}

// The longest texts of a column, before the point and from there on: all have their room.
/** @param {(Cell | null)[]} cells */
export function longest(cells) {
  const texts = cells.flatMap((cell) => (cell ? [cell.ours[0], cell.paper?.[0] ?? ""] : [])).map(atPoint);
  return [0, 1].map((side) => texts.map((parts) => parts[side]).reduce((a, b) => (b.length > a.length ? b : a), ""));
}

/** @param {HTMLTableElement} table @param {Table} data */
function fill(table, data) {
  const rows = table.tBodies[0].rows;
  const rooms = data.columns.map((_, j) => longest(data.rows.map(({ numbers }) => numbers[j])));
  data.rows.forEach(({ numbers }, i) =>
    numbers.forEach((number, j) => {
      if (!number) return;
      const button = one(rows[i].cells[j + 1], "button"),
        before = button.ariaLabel;
      [number.ours, number.paper].forEach((line, k) => {
        if (!line) return;
        const parts = [...atPoint(line[0]), line[1]];
        all(button.children[k], "span").forEach((span, n) => {
          span.textContent = parts[n];
          if (n < 2) span.dataset.room = rooms[j][n];
        });
      });
      button.dataset.kind = number.kind;
      button.title = number.sentence;
      button.setAttribute("aria-label", number.sentence);
      button.setAttribute("aria-pressed", String(number.chosen));
      if (before && before !== number.sentence) {
        button.classList.remove("hm-new");
        requestAnimationFrame(() => button.classList.add("hm-new"));
      }
    }),
  );
}

/** @param {Component<Table>} options */
export default function mount({ parentElement, data, setTriggerValue }) {
  const box = one(parentElement, ".hm-published");
  readTheme(box);
  if (box.dataset.about !== data.about) {
    const table = make("table");
    table.append(make("caption", "", data.caption), header(data), body(data));
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
