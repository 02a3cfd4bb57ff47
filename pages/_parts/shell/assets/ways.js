// Links to other pages. A plain click stays in this session, for which the server changes
// the page; with Ctrl, with the middle button or from its menu it is a link like any other.

import { one } from "../../../../stage/js/dom.js";

/** @typedef {{ name: string, title: string, remark: string, path: string, query: string }} Way */

// All pages stand side by side: the address up to its last slash is the app's own.
/** @param {Way} way */
export function addressOf(way) {
  const base = location.pathname.replace(/[^/]*$/, "");
  return `${location.origin}${base}${way.path}?${way.query}`;
}

/** @param {Component<{ ways: Way[] }>} options */
export default function mount({ parentElement, data, setTriggerValue }) {
  const list = one(parentElement, ".hm-ways");
  list.replaceChildren(
    ...data.ways.map((way) => {
      const item = document.createElement("li"),
        link = document.createElement("a");
      link.href = addressOf(way);
      link.textContent = way.title;
      link.addEventListener("click", (e) => {
        if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
        e.preventDefault();
        setTriggerValue("chosen", way.name);
      });
      item.append(link);
      if (way.remark) {
        const words = document.createElement("p");
        words.textContent = way.remark;
        item.append(words);
      }
      return item;
    }),
  );
}
