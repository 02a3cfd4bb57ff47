// A box in which one of many options is chosen: in groups, each with a line on what it is,
// found by typing. A button shows what is chosen; it opens a list with a field to search in.
//
// The focus stays in the field (on a touch screen on the list, so that no keyboard comes),
// and the list says which option is meant: the pattern of a combo box with a list box.

import { all, one } from "../../../stage/js/dom.js";

/** @typedef {{ id: string, title: string, idea: string }} Option */
/** @typedef {{ title: string, options: Option[] }} Group */
/** @typedef {{ label: string, chosen: string | null, groups: Group[] }} Choices */
/** @typedef {{ left: number, top: number, bottom: number, width: number }} Box */

const MARGIN = 8; // px between the list and the edges of the window
const GAP = 4; // px between the list and its button
const WIDTH = 480;
const HEIGHT = 560;
const ENOUGH = 300; // px below the button that will do
const PAGE = 6; // options
/** @type {WeakMap<Element, Menu>} */
const MENUS = new WeakMap();

/** Words without case and accents. @param {string} text */
const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/**
 * Ids of the options that have all words that were typed, those with a title that begins
 * with them first.
 * @param {Group[]} groups @param {string} typed
 */
export function search(groups, typed) {
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  const found = groups.flatMap(({ title, options }) =>
    options.filter((option) => {
      const words = plain(`${title} ${option.title} ${option.idea}`);
      return wanted.every((word) => words.includes(word));
    }),
  );
  const rank = (/** @type {Option} */ { title }) => {
    const place = wanted.length ? plain(title).indexOf(wanted[0]) : 0;
    return place < 0 ? 2 : Math.min(place, 1);
  };
  return { ids: found.map(({ id }) => id), best: found.sort((a, b) => rank(a) - rank(b))[0]?.id ?? null };
}

/**
 * Where the list goes: below its button, or above where there is more room.
 * @param {Box} button @param {{ width: number, height: number }} view
 */
export function place(button, view) {
  const width = Math.min(Math.max(button.width, WIDTH), view.width - 2 * MARGIN);
  const left = Math.max(MARGIN, Math.min(button.left, view.width - MARGIN - width));
  const below = view.height - button.bottom - GAP - MARGIN,
    above = button.top - GAP - MARGIN;
  const under = below >= Math.min(ENOUGH, above);
  const height = Math.max(0, Math.min(HEIGHT, under ? below : above));
  return { left, width, height, top: under ? button.bottom + GAP : null, bottom: view.height - button.top + GAP };
}

class Menu {
  /** @type {Choices} */
  data = { label: "", chosen: null, groups: [] };
  /** @type {string | null} */
  meant = null; // the option that Enter chooses
  drawn = "";
  send = (/** @type {string} */ _) => {};

  /** @param {HTMLElement} root */
  constructor(root) {
    this.button = /** @type {HTMLButtonElement} */ (one(root, "button"));
    this.panel = one(root, ".hm-list");
    this.field = /** @type {HTMLInputElement} */ (one(root, "input"));
    this.list = one(root, "[role=listbox]");
    this.none = one(root, "p");
    this.panel.popover = "auto";
    this.button.popoverTargetElement = this.panel;
    this.button.addEventListener("keydown", (e) => this.openByKey(e));
    this.panel.addEventListener("beforetoggle", (e) => {
      if (/** @type {ToggleEvent} */ (e).newState === "closed") this.clear();
    });
    this.panel.addEventListener("toggle", (e) => this.toggled(/** @type {ToggleEvent} */ (e).newState === "open"));
    this.panel.addEventListener("keydown", (e) => this.handleKey(e));
    this.field.addEventListener("input", () => this.filter());
    this.list.addEventListener("click", (e) => {
      const option = e.target instanceof Element && e.target.closest("[role=option]");
      if (option instanceof HTMLElement) this.choose(option.dataset.id ?? null);
    });
    this.follow = () => this.lay();
  }

  /** @param {Choices} data @param {(id: string) => void} send */
  update(data, send) {
    this.data = data;
    this.send = send;
    const words = JSON.stringify([data.label, data.groups]);
    if (words !== this.drawn) this.draw();
    this.drawn = words;
    this.mark(data.chosen);
    if (!this.open) this.mean(data.chosen);
  }

  draw() {
    const { groups, label } = this.data;
    this.field.setAttribute("aria-label", `Search: ${label}`);
    this.list.setAttribute("aria-label", label);
    this.list.replaceChildren(
      ...groups.map(({ title, options }) => {
        const group = element("div", { role: "group", "aria-label": title });
        const head = element("div", { class: "hm-head", "aria-hidden": "true" }, title);
        group.append(head, ...options.map(drawOption));
        return group;
      }),
    );
    this.filter();
  }

  /** Shows what is chosen. @param {string | null} id */
  mark(id) {
    const { groups, label } = this.data;
    const option = groups.flatMap(({ options }) => options).find((one) => one.id === id);
    one(this.button, "small").textContent = option ? label : "";
    one(this.button, "b").textContent = option?.title ?? label;
    this.button.title = option?.idea ?? "";
    this.button.setAttribute("aria-label", option ? `${label}: ${option.title}` : label);
    for (const one of this.options) one.setAttribute("aria-selected", String(one.dataset.id === id));
  }

  get options() {
    return all(this.list, "[role=option]");
  }

  get open() {
    return this.panel.matches(":popover-open");
  }

  // -- open and closed ----------------------------------------------------------------

  /** @param {KeyboardEvent} e */
  openByKey(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typed = e.key.length === 1 && e.key !== " ";
    if (!typed && !["ArrowDown", "ArrowUp"].includes(e.key)) return;
    e.preventDefault();
    e.stopPropagation();
    this.panel.showPopover();
    this.field.focus();
    if (typed) this.field.value = e.key;
    this.filter();
  }

  /** @param {boolean} open */
  toggled(open) {
    this.button.setAttribute("aria-expanded", String(open));
    const change = open ? "addEventListener" : "removeEventListener";
    for (const source of [window, window.visualViewport]) source?.[change]("resize", this.follow);
    document[change]("scroll", this.follow, true);
    if (!open) return;
    this.lay();
    const target = matchMedia("(hover: hover)").matches ? this.field : this.list;
    if (!this.panel.contains(/** @type {ShadowRoot} */ (this.panel.getRootNode()).activeElement))
      target.focus({ preventScroll: true });
    // Keys may have been quicker than this event: what they mean stays.
    if (!this.field.value) this.mean(this.meant ?? this.options[0]?.dataset.id ?? null, "center");
  }

  lay() {
    const view = window.visualViewport ?? { width: innerWidth, height: innerHeight };
    const { left, width, height, top, bottom } = place(this.button.getBoundingClientRect(), view);
    const style = { left: `${left}px`, width: `${width}px`, maxHeight: `${height}px` };
    const at = top === null ? { top: "auto", bottom: `${bottom}px` } : { top: `${top}px`, bottom: "auto" };
    Object.assign(this.panel.style, style, at);
  }

  close() {
    this.panel.hidePopover();
    this.button.focus({ preventScroll: true });
  }

  // What was typed goes at once: a list that opens again in the same moment is whole.
  clear() {
    this.field.value = "";
    this.filter();
  }

  // -- the options ----------------------------------------------------------------------

  filter() {
    const { ids, best } = search(this.data.groups, this.field.value);
    const shown = new Set(ids);
    for (const option of this.options) option.hidden = !shown.has(option.dataset.id ?? "");
    for (const group of all(this.list, "[role=group]"))
      group.hidden = all(group, "[role=option]").every((option) => option.hidden);
    this.none.hidden = ids.length > 0;
    this.mean(this.field.value ? best : this.data.chosen);
  }

  /** @param {string | null} id @param {ScrollLogicalPosition} [block] */
  mean(id, block = "nearest") {
    this.meant = id;
    for (const option of this.options) option.classList.toggle("hm-meant", option.dataset.id === id);
    const option = this.options.find((one) => one.dataset.id === id);
    for (const owner of [this.field, this.list]) {
      if (option) owner.setAttribute("aria-activedescendant", option.id);
      else owner.removeAttribute("aria-activedescendant");
    }
    if (this.open) option?.scrollIntoView({ block });
  }

  /** @param {KeyboardEvent} e */
  handleKey(e) {
    e.stopPropagation(); // letters are shortcuts of the stage and of Streamlit
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };
    if (e.key in steps) this.step(steps[e.key]);
    else if (e.key === "Enter") this.choose(this.meant);
    else if (e.key === "Escape") this.close();
    else return;
    e.preventDefault();
  }

  /** @param {number} count */
  step(count) {
    const shown = this.options.filter((option) => !option.hidden);
    if (!shown.length) return;
    const at = shown.findIndex((option) => option.dataset.id === this.meant);
    const to = Math.min(shown.length - 1, Math.max(0, at + count));
    this.mean(shown[to].dataset.id ?? null);
  }

  /** @param {string | null} id */
  choose(id) {
    if (id === null) return;
    this.close();
    if (id === this.data.chosen) return;
    if (this.data.chosen !== null) this.mark(id); // the server confirms it
    this.send(id);
  }
}

/** @param {Option} option */
function drawOption({ id, title, idea }) {
  const option = element("div", { role: "option", id: `hm-option-${id}`, "aria-selected": "false" });
  option.dataset.id = id;
  option.append(element("b", {}, title), element("span", {}, idea));
  return option;
}

/** @param {string} tag @param {Record<string, string>} attributes @param {string} [text] */
function element(tag, attributes, text = "") {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

/** @param {Component<Choices>} options */
export default function mount({ parentElement, data, setTriggerValue }) {
  const root = one(parentElement, ".hm-menu");
  const menu = MENUS.get(root) ?? new Menu(root);
  MENUS.set(root, menu);
  menu.update(data, (id) => setTriggerValue("chosen", id));
}
