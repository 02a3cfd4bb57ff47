// The link to what is on the screen: the server knows data, labels and method, the stage
// knows where its cursor stands and which of its views are switched on.

import { one } from "./dom.js";

/** @param {string} query @param {Record<string, string | number | null>} place */
export function linkTo(query, place) {
  const words = new URLSearchParams(query);
  words.delete("t");
  words.delete("on");
  for (const [name, value] of Object.entries(place)) {
    if (value === null) words.delete(name);
    else words.set(name, String(value));
  }
  const text = words.toString().replaceAll("%2C", ",");
  return `${location.origin}${location.pathname}${text ? `?${text}` : ""}`;
}

// What a stage shows, without the version that made it.
/** @param {Pick<View, "about" | "title">} view */
export function subjectOf({ about, title }) {
  return about.replace(/ Halfmoon \S+$/, "") || title;
}

/** @param {string} text */
function escaped(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (sign) => names[/** @type {keyof typeof names} */ (sign)]);
}

// What shows the screen in a page of somebody else's.
/** @param {string} query @param {Record<string, string | number | null>} place @param {string} about */
export function frameOf(query, place, about) {
  const title = escaped(about ? `Halfmoon: ${about}` : "Halfmoon"),
    src = escaped(linkTo(query, { ...place, embed: 1 }));
  return `<iframe title="${title}" src="${src}" width="720" height="480" loading="lazy" style="border: 0; max-width: 100%"></iframe>`;
}

/** @param {HTMLElement} row a text, and a button that copies it */
function wire(row) {
  const code = one(row, "code"),
    button = one(row, "button"),
    usual = button.textContent;
  button.onclick = async () => {
    let word = "Copied";
    try {
      await navigator.clipboard.writeText(code.textContent ?? "");
    } catch {
      getSelection()?.selectAllChildren(code); // no leave to copy: Ctrl+C does the rest
      word = "Selected";
    }
    button.textContent = word;
    setTimeout(() => {
      button.textContent = usual;
    }, 1500);
  };
  return code;
}

// Streamlit calls this at mounting and whenever the server's part of the link changes.
/** @param {Component<{ query: string; stage: string }>} options */
export default function mount({ parentElement, data }) {
  const link = wire(one(parentElement, ".hm-link")),
    frame = wire(one(parentElement, ".hm-frame"));
  const show = () => {
    const stage = [...(window.halfmoonStages ?? [])].find((s) => s.view?.key === data.stage),
      place = stage ? stage.place : {};
    link.textContent = linkTo(data.query, place);
    frame.textContent = frameOf(data.query, place, stage ? subjectOf(stage.view) : "");
  };
  show();
  document.addEventListener("halfmoon-place", show);
  return () => document.removeEventListener("halfmoon-place", show);
}
