// A stage in the page itself, which is seen and used before Streamlit's has come.
//
// It is mounted like any other. When the component with its key is about to show its first
// view, the stand-in leaves the page, and with it what every stage leaves (place.js).

import { one } from "./dom.js";
import { DARK, LIGHT } from "./theme.js";

const LOOK = 250; // ms between two looks at whether the page is still the same
/** @type {Set<StandIn>} */
const WAITING = new Set();

// What the link says to Streamlit, else the visitor's choice, as Streamlit stores it for
// this address, else the system's.
function chosenColours() {
  const options = new URLSearchParams(location.search).getAll("embed_options");
  if (options.includes("dark_theme")) return DARK;
  if (options.includes("light_theme")) return LIGHT;
  const store = storage(),
    start = `stActiveTheme-${location.pathname}-v`,
    key = Object.keys(store).find((name) => name.startsWith(start)),
    chosen = key ? store[key] : "";
  if (chosen === '"dark"') return DARK;
  return chosen !== '"light"' && matchMedia("(prefers-color-scheme: dark)").matches ? DARK : LIGHT;
}

// A browser may refuse it to a frame.
/** @returns {Record<string, string>} */
function storage() {
  try {
    return { ...localStorage };
  } catch {
    return {};
  }
}

export class StandIn {
  /** @type {string | undefined} */
  asked; // what only the page can do
  pressed = false;
  free = () => {};

  /**
   * @param {HTMLElement} host
   * @param {Uint8Array} data
   * @param {(component: Component<never>) => () => void} mount
   */
  constructor(host, data, mount) {
    this.host = host;
    const { background, panel } = chosenColours();
    host.style.setProperty("--st-background-color", background);
    host.style.setProperty("--st-secondary-background-color", panel);
    const inside = /** @type {ShadowRoot} */ (host.shadowRoot),
      root = one(inside, ".hm-stage");
    root.dataset.standIn = "early"; // what it says instead of "ready"
    this.unmount = mount({
      parentElement: inside,
      data: /** @type {never} */ (data),
      setStateValue: () => {}, // edits are kept until they are answered
      setTriggerValue: (_, what) => {
        this.asked = String(what);
      },
    });
    this.stage = /** @type {Stage} */ (root.halfmoon);
    host.addEventListener("pointerdown", () => {
      this.pressed = true;
    });
    addEventListener("pointerup", this);
    addEventListener("pointercancel", this);
    const path = location.pathname;
    this.timer = setInterval(() => {
      if (location.pathname !== path) this.end();
    }, LOOK);
    WAITING.add(this);
  }

  // The hand is off again.
  handleEvent() {
    this.pressed = false;
    this.free();
  }

  // Until no hand is at it.
  /** @returns {Promise<void>} */
  released() {
    return new Promise((resolve) => {
      if (this.pressed) this.free = resolve;
      else resolve();
    });
  }

  end() {
    clearInterval(this.timer);
    removeEventListener("pointerup", this);
    removeEventListener("pointercancel", this);
    WAITING.delete(this);
    this.unmount();
    this.host.remove();
  }

  // The stage that was waited for takes the place of this one; it has yet to show its view.
  /** @param {Stage} stage @param {() => void} show */
  giveWay(stage, show) {
    const { playing, position } = this.stage.player,
      held = this.host.shadowRoot?.activeElement === this.stage.area;
    this.end();
    show();
    if (playing) stage.time.togglePlay();
    else if (stage.view.autoplay && position === 0 && !stage.log.waiting) stage.time.playOnce(stage.view.run_id);
    if (held) stage.area.focus({ preventScroll: true });
    if (this.asked) stage.ask(this.asked);
  }
}

/** @param {string} key @param {Stage} stage */
export function standInFor(key, stage) {
  return [...WAITING].find((waiting) => waiting.stage !== stage && waiting.stage.view?.key === key);
}
