// A table of moments: each row leads the stage there, and is a link for other windows.

import { one } from "./dom.js";

/** @param {string} tag @param {Node | string} child */
function cell(tag, child) {
  const made = document.createElement(tag);
  made.append(child);
  return made;
}

/** @param {string} query @param {number} t */
function address(query, t) {
  const words = new URLSearchParams(query);
  words.set("t", String(t));
  return `?${words.toString().replaceAll("%2C", ",")}`;
}

// Streamlit calls this at mounting and whenever the table changes.
/** @param {Component<{ query: string; stage: string; columns: string[]; rows: { t: number; last: number; cells: string[] }[] }>} options */
export default function mount({ parentElement, data }) {
  const root = one(parentElement, ".hm-moments");
  const stage = () => [...(window.halfmoonStages ?? [])].find((s) => s.view?.key === data.stage);
  const heads = document.createElement("tr");
  heads.append(...data.columns.map((name) => cell("th", name)));
  one(root, "thead").replaceChildren(heads);
  const rows = data.rows.map(({ t, cells }) => {
    const row = document.createElement("tr"),
      link = document.createElement("a");
    link.href = address(data.query, t);
    link.textContent = cells[0];
    row.append(cell("td", link), ...cells.slice(1).map((words) => cell("td", words)));
    row.onclick = (e) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey) return; // the browser opens the link elsewhere
      e.preventDefault();
      stage()?.time.seekIteration(t);
    };
    return row;
  });
  one(root, "tbody").replaceChildren(...rows);
  const mark = () => {
    const t = stage()?.time.moment;
    rows.forEach((row, i) => {
      const here = t !== undefined && t >= data.rows[i].t && t <= data.rows[i].last;
      if (here) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  };
  mark();
  document.addEventListener("halfmoon-place", mark);
  return () => document.removeEventListener("halfmoon-place", mark);
}
