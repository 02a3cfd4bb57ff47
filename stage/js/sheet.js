// Stages without an app: side by side in any element, as notebooks and files show them.

import { one } from "./dom.js";
import { followHost, isDark } from "./host.js";
import { DARK, LIGHT } from "./theme.js";

/** @typedef {{ stage: string, deck: string }} Html */
/** @typedef {(component: Component<never>) => () => void} Mount */
/** @typedef {{ edits: (message: Message) => void, numbers: (message: object) => void, ask: (what: string) => void }} Answers */

const AROUND = /** @type {const} */ (["background", "ink", "soft", "line", "accent", "warn"]); // what words around may need
/** @type {Answers} */
const NOBODY = { edits: () => {}, numbers: () => {}, ask: () => {} }; // what is recorded asks nothing

export class Sheet {
  /** @type {Map<HTMLElement, () => void>} */
  unmount = new Map();
  /** @type {HTMLElement[]} */
  hosts = [];
  /** @type {{ host: HTMLElement, data: DeckData } | null} */
  deck = null;
  /** @type {Uint8Array[]} */
  blocks = [];
  /** @type {Record<string, number>} */
  confirmed = {};
  /** @type {typeof LIGHT | undefined} */
  palette;
  /** @type {boolean | null} */
  chosen = null; // light or dark, by the reader; else as its surroundings are

  /**
   * @param {HTMLElement} home
   * @param {Html} html
   * @param {Mount} mount
   * @param {HTMLElement} around what has the colours, too
   * @param {Answers} [answers]
   */
  constructor(home, html, mount, around, answers = NOBODY) {
    this.home = home;
    this.around = around;
    this.row = document.createElement("div");
    this.row.className = "hm-sheet-row";
    home.append(this.row);
    this.html = html;
    this.mount = mount;
    this.answers = answers;
    home.classList.add("hm-sheet");
    this.unfollow = followHost(around, () => this.dress());
    this.print = new Printing(this);
    this.dress();
  }

  get dark() {
    return !this.print?.busy && (this.chosen ?? isDark(this.around));
  }

  /** @param {boolean} dark */
  choose(dark) {
    this.chosen = dark;
    this.dress();
  }

  dress(dark = this.dark) {
    const palette = dark ? DARK : LIGHT;
    if (palette === this.palette) return; // else what it sets would be taken for a change
    this.palette = palette;
    const { background, panel, ink } = palette,
      { style } = this.home;
    for (const name of AROUND) this.around.style.setProperty(`--hm-${name}`, palette[name]);
    this.around.dataset.colours = dark ? "dark" : "light";
    style.setProperty("--st-background-color", background);
    style.setProperty("--st-secondary-background-color", panel);
    style.setProperty("color-scheme", dark ? "dark" : "light");
    style.background = background;
    style.color = ink;
    this.hosts.forEach((host, i) => this.fill(host, this.blocks[i]));
    if (this.deck) this.fill(this.deck.host, this.deck.data);
  }

  // One stage for each block of a view; several have a deck that leads them. Where several
  // browsers edit, it is said which edits of each the views include.
  /** @param {Uint8Array[]} blocks @param {DeckData | null} [deck] @param {Record<string, number>} [confirmed] */
  show(blocks, deck = null, confirmed = {}) {
    this.confirmed = confirmed;
    if (deck && !this.deck) {
      const host = this.host(this.html.deck);
      this.row.before(host);
      this.deck = { host, data: deck };
      this.fill(host, deck);
    }
    while (this.hosts.length < blocks.length) {
      const host = this.host(this.html.stage);
      this.hosts.push(host);
      this.row.append(host);
    }
    this.home.dataset.stages = String(blocks.length);
    this.blocks = blocks;
    this.hosts.forEach((host, i) => this.fill(host, blocks[i]));
  }

  // An element of its own tree, with markup of ours: no style sheet around reaches it.
  /** @param {string} html */
  host(html) {
    const host = document.createElement("div"),
      made = new DOMParser().parseFromString(html, "text/html");
    host.attachShadow({ mode: "open" }).append(...made.body.children);
    const root = host.shadowRoot?.firstElementChild;
    if (root instanceof HTMLElement) root.dataset.alone = "1"; // no app asks for most of its screen
    return host;
  }

  /** @param {HTMLElement} host @param {Uint8Array | DeckData} data */
  fill(host, data) {
    const { edits, numbers, ask } = this.answers,
      stage = one(/** @type {ShadowRoot} */ (host.shadowRoot), ".hm-stage").halfmoon;
    if (stage) stage.confirmed = this.confirmed;
    this.unmount.set(
      host,
      this.mount({
        parentElement: /** @type {ShadowRoot} */ (host.shadowRoot),
        data: /** @type {never} */ (data),
        setStateValue: (name, message) => (name === "edits" ? edits : numbers)(/** @type {Message} */ (message)),
        setTriggerValue: (_, what) => ask(String(what)),
      }),
    );
  }

  /** @returns {Stage[]} */
  get stages() {
    return this.hosts.map(
      (host) => /** @type {Stage} */ (one(/** @type {ShadowRoot} */ (host.shadowRoot), ".hm-stage").halfmoon),
    );
  }

  remove() {
    this.unfollow();
    this.print.end();
    for (const unmount of this.unmount.values()) unmount();
    this.home.replaceChildren();
  }
}

// Paper is white and does not move: stages stand still in light colours while they print.
class Printing {
  busy = false;

  /** @param {Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    addEventListener("beforeprint", this);
    addEventListener("afterprint", this);
  }

  /** @param {Event} e */
  handleEvent(e) {
    const before = e.type === "beforeprint";
    this.busy = before;
    this.sheet.dress();
    for (const stage of this.sheet.stages) {
      if (!stage.view) continue;
      if (before && stage.player.playing) stage.time.togglePlay();
      stage.renderer.draw(performance.now()); // the paper does not wait for a frame
    }
  }

  end() {
    removeEventListener("beforeprint", this);
    removeEventListener("afterprint", this);
  }
}
