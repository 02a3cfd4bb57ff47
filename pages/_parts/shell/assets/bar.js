// The two buttons at the top right of every page: present mode, light or dark.
//
// In present mode the page's root element says so (data-hm-present): the style sheet of the
// frame leaves the stages only, and the stages, which listen, write larger.

import { one } from "../../../../stage/js/dom.js";
import { parseColour } from "../../../../stage/js/theme.js";
import { offerSkips } from "./skip.js";

const HTML = document.documentElement;
/** @type {WeakMap<Element, MutationObserver>} */
const ORDERED = new WeakMap();
const WAIT = 1500; // ms for Streamlit's menu to open

function presenting() {
  return HTML.dataset.hmPresent === "1";
}

/** @param {boolean} on */
function setPresent(on) {
  if (on === presenting()) return;
  if (on) HTML.dataset.hmPresent = "1";
  else delete HTML.dataset.hmPresent;
  document.dispatchEvent(new CustomEvent("halfmoon-present"));
}

// -- light and dark ---------------------------------------------------------------------

/** @param {HTMLElement} element */
function isDark(element) {
  const [r, g, b] = parseColour(getComputedStyle(element).backgroundColor);
  return 0.3 * r + 0.59 * g + 0.11 * b < 128;
}

// Streamlit's own menu does it in place, with nothing lost; it is kept out of sight. Were
// it gone, what it stores is written by hand, and the link brings the screen back.
/** @param {string} name @param {string[]} pages */
async function choose(name, pages) {
  HTML.dataset.hmSwitching = "1";
  const menu = () =>
    /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="stMainMenuButton"]'))?.click();
  menu();
  const item = await soon(`[data-testid="stMainMenuItem-theme-${name}"]`);
  item?.click();
  menu();
  delete HTML.dataset.hmSwitching;
  remember(name, pages);
  if (!item) location.reload();
}

/** @param {string} selector @returns {Promise<HTMLElement | null>} */
function soon(selector) {
  const end = performance.now() + WAIT;
  return new Promise((found) => {
    const look = () => {
      const element = /** @type {HTMLElement | null} */ (document.querySelector(selector));
      if (element || performance.now() > end || !document.querySelector('[data-testid="stMainMenuButton"]'))
        found(element);
      else requestAnimationFrame(look);
    };
    look();
  });
}

// Streamlit stores the choice for the address at which the app was opened; a visitor means
// all pages, and the next visit.
/** @param {string} name @param {string[]} pages */
function remember(name, pages) {
  const known = Object.keys(localStorage).find((key) => /^stActiveTheme-.*-v\d+$/.test(key));
  if (!known) return;
  const version = known.slice(known.lastIndexOf("-v")),
    base = location.pathname.replace(/[^/]*$/, "");
  for (const page of pages) localStorage.setItem(`stActiveTheme-${base}${page}${version}`, JSON.stringify(name));
}

// -- the order of the page ----------------------------------------------------------------

// Streamlit puts the sidebar before the bar with the pages; in the order of reading and of
// the tab key it comes after them. The style sheet keeps it at the left.
function orderPage() {
  const view = document.querySelector('[data-testid="stAppViewContainer"]');
  if (!view || ORDERED.has(view)) return;
  const order = () => {
    const sidebar = view.querySelector(':scope > [data-testid="stSidebar"]');
    const main = view.querySelector(":scope > :has(> [data-testid=stMain])");
    if (sidebar && main && sidebar.compareDocumentPosition(main) & Node.DOCUMENT_POSITION_FOLLOWING)
      main.after(sidebar);
  };
  const observer = new MutationObserver(order);
  observer.observe(view, { childList: true });
  ORDERED.set(view, observer);
  order();
}

// -- a phone ------------------------------------------------------------------------------

// There the sidebar lies over the stage: it closes when something was chosen in it, so that
// one sees what came of it. A slider or a number is tried out and leaves it open.
const PHONE = matchMedia("(max-width: 767.98px)");
const CHOICES = "[role=option], [role=radio]";

/** @param {MouseEvent} e */
function closeSidebar(e) {
  const button = document.querySelector('[data-testid="stSidebarCollapseButton"] button'); // while it is open
  const several = document.activeElement?.closest('[data-testid="stMultiSelect"]');
  const chosen = e.composedPath().some((at) => at instanceof Element && at.matches(CHOICES));
  if (!PHONE.matches || !button || several || !chosen) return;
  setTimeout(() => /** @type {HTMLElement | null} */ (button)?.click(), 100); // the choice comes first
}

// Streamlit calls this at mounting and whenever the theme changes.
/** @param {Component<{ present: boolean; pages: string[]; sided: boolean }>} options */
export default function mount({ parentElement, data, setStateValue }) {
  const root = one(parentElement, ".hm-bar");
  const present = one(root, "[data-role=present]"),
    theme = one(root, "[data-role=theme]");
  orderPage();
  offerSkips(data.sided);
  HTML.dataset.hmRoom = data.sided ? "sided" : "plain";
  if (!root.dataset.begun) setPresent(data.present);
  root.dataset.begun = "1";

  const show = () => {
    const on = presenting(),
      dark = isDark(theme);
    root.dataset.theme = HTML.dataset.hmTheme = dark ? "dark" : "light";
    root.dataset.present = on ? "1" : "0";
    present.hidden = !on && !window.halfmoonStages?.size;
    present.setAttribute("aria-pressed", String(on));
    name(present, on ? "Leave present mode (Esc)" : "Present: the stage alone, in large type");
    name(theme, dark ? "Light colours" : "Dark colours");
  };
  const turn = (/** @type {boolean} */ on) => {
    setPresent(on);
    setStateValue("present", on); // for the address
  };
  present.onclick = () => turn(!presenting());
  theme.onclick = async () => {
    const name = root.dataset.theme === "dark" ? "Light" : "Dark";
    await choose(name, data.pages);
    theme.focus();
    setTimeout(() => setStateValue("theme", name), 50); // figures are drawn on the server
  };
  const leave = (/** @type {KeyboardEvent} */ e) => {
    if (e.key === "Escape" && presenting() && !e.defaultPrevented) turn(false);
  };
  document.addEventListener("keydown", leave);
  document.addEventListener("click", closeSidebar);
  for (const event of ["halfmoon-present", "halfmoon-stages"]) document.addEventListener(event, show);
  show();
  return () => {
    document.removeEventListener("keydown", leave);
    document.removeEventListener("click", closeSidebar);
    for (const event of ["halfmoon-present", "halfmoon-stages"]) document.removeEventListener(event, show);
  };
}

/** @param {HTMLElement} button @param {string} words */
function name(button, words) {
  button.title = words;
  button.setAttribute("aria-label", words);
}
