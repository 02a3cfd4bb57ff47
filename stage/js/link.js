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

// Streamlit calls this at mounting and whenever the server's part of the link changes.
/** @param {Component<{ query: string; stage: string }>} options */
export default function mount({ parentElement, data }) {
  const code = one(parentElement, ".hm-link code"),
    button = one(parentElement, ".hm-link button");
  const show = () => {
    const stage = [...(window.halfmoonStages ?? [])].find((s) => s.view?.key === data.stage);
    code.textContent = linkTo(data.query, stage ? stage.place : {});
  };
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
      button.textContent = "Copy";
    }, 1500);
  };
  show();
  document.addEventListener("halfmoon-place", show);
  return () => document.removeEventListener("halfmoon-place", show);
}
