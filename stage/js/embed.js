// Embedded: a stage fills a frame in somebody else's page. It takes neither the focus nor
// the wheel from that page, and a line below it says what is shown.

import { linkTo, subjectOf } from "./link.js";

const LINE = ".hm-frame-line";
const BESIDE = 560; // least width at which title and figures stand beside the picture, as in embed.css
const MODES = ["embed", "embed_options", "present"]; // what the link to the whole page leaves out

export function embedded() {
  return document.documentElement.dataset.hmEmbed === "1";
}

/** @param {number} width */
export function standsBeside(width) {
  return width >= BESIDE;
}

// The height of a frame counts as well: the stage has all of it.
/** @param {Stage} stage */
export function followFrame(stage) {
  if (!embedded()) return () => {};
  stage.root.classList.add("hm-embed");
  const resize = () => stage.resize();
  addEventListener("resize", resize);
  document.addEventListener("halfmoon-place", fillLine);
  return () => removeEventListener("resize", resize);
}

// What is shown, and a link to it; the address is looked at when the link is about to be used.
function fillLine() {
  const line = document.querySelector(LINE),
    words = line?.querySelector("p"),
    link = line?.querySelector("a");
  if (!words || !link) return;
  words.textContent = words.title = aboutStages(stagesShown());
  const point = () => {
    link.href = wholePage(location.search, stagesShown());
  };
  link.onpointerenter = link.onpointerdown = link.onfocus = point;
  point();
}

function stagesShown() {
  const shown = [...(window.halfmoonStages ?? [])].filter((stage) => stage.view);
  return shown.sort((a, b) => a.view.key.localeCompare(b.view.key, undefined, { numeric: true }));
}

/** @param {Pick<Stage, "view">[]} stages */
export function aboutStages(stages) {
  const [first, ...others] = stages.map(({ view }) => view);
  if (!first) return "";
  if (!others.length) return subjectOf(first);
  const [data] = first.about.split(". ");
  return [data, stages.map(({ view }) => view.name || view.title).join("; ")].filter(Boolean).join(". ");
}

// The same screen in a page of its own, with the cursor of the longest run.
/** @param {string} query @param {Pick<Stage, "view" | "place">[]} stages */
export function wholePage(query, stages) {
  const words = new URLSearchParams(query);
  for (const name of MODES) words.delete(name);
  const last = (/** @type {Pick<Stage, "view">} */ { view }) => view.frame_t[view.frame_t.length - 1];
  const [longest] = stages.toSorted((a, b) => last(b) - last(a));
  return linkTo(words.toString(), longest ? longest.place : {});
}
