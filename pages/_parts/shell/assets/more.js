// The buttons of a page stand in the bar where they fit between the names of the pages and
// the bar's own buttons; else this button opens them as a menu below it. Which of both it
// is, and whether the menu is open, stands on the page's root element for the style sheet.

import { one } from "../../../../stage/js/dom.js";

const HTML = document.documentElement;
const GAP = 16; // px between the names of the pages and the first button
const NAMES = "[data-testid=stTopNav] > *, [data-testid=stHeaderLogo], [data-testid=stExpandSidebarButton]";
// What a button of the menu opens is drawn by Streamlit elsewhere on the page.
const INSIDE = ".st-key-actions, [data-testid=stPopoverBody]";

/** Right end of what stands at the left of the bar. */
function endOfNames() {
  const boxes = [...document.querySelectorAll(NAMES)].map((name) => name.getBoundingClientRect());
  return Math.max(0, ...boxes.filter(({ width }) => width > 1).map(({ right }) => right));
}

/** @param {Component<null>} options */
export default function mount({ parentElement }) {
  const button = one(parentElement, "button");
  const host = /** @type {ShadowRoot} */ (button.getRootNode()).host ?? button;
  const row = document.querySelector(".st-key-actions_row"),
    ways = document.querySelector(".st-key-actions_ways"); // always in sight
  if (!(row instanceof HTMLElement)) throw new Error("There is no row of buttons.");

  const open = (/** @type {boolean} */ on) => {
    if (on) HTML.dataset.hmMore = "1";
    else delete HTML.dataset.hmMore;
    button.setAttribute("aria-expanded", String(on));
  };
  const lay = () => {
    const before = HTML.dataset.hmActions;
    HTML.dataset.hmActions = "row"; // as it would be
    const wide = ways?.getBoundingClientRect().width || 0;
    const fits = row.getBoundingClientRect().left - wide >= endOfNames() + GAP;
    HTML.dataset.hmActions = fits ? "row" : "menu";
    if (fits && before !== "row") open(false);
  };
  button.onclick = () => open(HTML.dataset.hmMore !== "1");
  const away = (/** @type {Event} */ e) => {
    const inside = e.composedPath().some((at) => at instanceof Element && at.matches(INSIDE));
    if (!inside) open(false);
  };
  const leave = (/** @type {KeyboardEvent} */ e) => {
    const within = e.composedPath().some((at) => at === row || at === host);
    if (e.key !== "Escape" || e.defaultPrevented || !within) return;
    if (HTML.dataset.hmMore) {
      open(false);
      button.focus();
      e.preventDefault();
    }
  };
  document.addEventListener("pointerdown", away);
  document.addEventListener("keydown", leave, true);
  const observer = new ResizeObserver(lay);
  const header = document.querySelector("[data-testid=stHeader]");
  for (const box of [row, ways, header, HTML]) if (box) observer.observe(box);
  const names = new MutationObserver(lay); // they come and go with the width
  if (header) names.observe(header, { childList: true, subtree: true });
  lay();
  return () => {
    document.removeEventListener("pointerdown", away);
    document.removeEventListener("keydown", leave, true);
    observer.disconnect();
    names.disconnect();
    open(false);
  };
}
