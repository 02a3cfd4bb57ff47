// Links to the stage and to the settings: the first that Tab reaches on every page, and
// only then in sight.

import { one } from "../../../../stage/js/dom.js";

const WAIT = 1000; // ms for a sidebar to open

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => document.querySelector(selector);

function toStage() {
  const [stage] = window.halfmoonStages ?? [];
  stage?.root.scrollIntoView({ block: "nearest" });
  stage?.area.focus();
}

// Where the sidebar is folded up, as on a phone, it opens.
function toSettings() {
  find('[data-testid="stExpandSidebarButton"]')?.click();
  const end = performance.now() + WAIT;
  const enter = () => {
    const settings = find('[data-testid="stSidebarContent"]');
    if (settings) settings.tabIndex = -1; // Tab goes on from there
    settings?.focus();
    if (document.activeElement !== settings && performance.now() < end) requestAnimationFrame(enter);
  };
  enter();
}

/** @param {string} words @param {() => void} go */
function link(words, go) {
  const made = document.createElement("a");
  made.href = "#";
  made.textContent = words;
  made.addEventListener("click", (e) => {
    e.preventDefault();
    go();
  });
  return made;
}

/** @param {boolean} sided whether the page has settings */
export function offerSkips(sided) {
  if (!find(".hm-skip")) {
    const nav = document.createElement("nav");
    nav.className = "hm-skip";
    nav.setAttribute("aria-label", "Skip");
    nav.append(link("Skip to the stage", toStage), link("Skip to the settings", toSettings));
    document.body.prepend(nav);
    const show = () => {
      one(nav, ":first-child").hidden = !window.halfmoonStages?.size;
    };
    document.addEventListener("halfmoon-stages", show);
    show();
  }
  one(document, ".hm-skip > :last-child").hidden = !sided;
}
