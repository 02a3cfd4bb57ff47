// The settings of a classifier beside its stage: sliders, boxes and switches.

import { element } from "./controls.js";

const WAIT = 120; // ms of a slider at rest before its value goes out

/**
 * One setting, as halfmoon/notebook/settings.py describes it. A slider moves over places, each
 * with a value and its words.
 * @typedef {{ name: string, label: string, help: string, kind: "places" | "choice" | "switch", value: number, words: string[], front: boolean, idle: boolean }} Setting
 */

export class Settings {
  /** @type {Map<string, { row: HTMLElement, put: (setting: Setting) => void }>} */
  rows = new Map();
  /** @type {Map<string, Timer>} */
  timers = new Map();

  /** @param {HTMLElement} home @param {(name: string, value: number) => void} send */
  constructor(home, send) {
    this.send = send;
    home.className = "hm-settings";
    home.setAttribute("role", "group");
    home.setAttribute("aria-label", "Settings of the classifier");
    this.front = element("div", "hm-settings-front");
    this.more = element("details");
    this.rest = element("div", "hm-settings-front");
    this.more.append(element("summary", "", "More settings"), this.rest);
    home.append(this.front, this.more);
  }

  // Rows stay while their values change, so that a slider under a hand is left alone.
  /** @param {Setting[]} settings */
  show(settings) {
    const names = new Set(settings.map(({ name }) => name));
    for (const [name, { row }] of this.rows) {
      if (names.has(name)) continue;
      row.remove();
      this.rows.delete(name);
    }
    for (const setting of settings) {
      let made = this.rows.get(setting.name);
      if (!made) {
        made = this.make(setting);
        this.rows.set(setting.name, made);
        (setting.front ? this.front : this.rest).append(made.row);
      }
      made.row.hidden = setting.idle;
      if (!this.timers.has(setting.name)) made.put(setting);
    }
    this.more.hidden = !this.rest.childElementCount;
  }

  /** @param {Setting} setting */
  make(setting) {
    const row = element("label", "hm-setting"),
      name = element("span", "", setting.label),
      shown = element("output");
    row.title = setting.help;
    if (setting.kind === "choice") {
      const box = element("select");
      box.append(...setting.words.map((words, i) => Object.assign(element("option", "", words), { value: String(i) })));
      box.addEventListener("change", () => this.tell(setting.name, Number(box.value), 0));
      row.append(name, box);
      const put = (/** @type {Setting} */ now) => {
        box.value = String(now.value);
      };
      return { row, put };
    }
    const input = element("input");
    row.append(name, shown, input);
    if (setting.kind === "switch") {
      input.type = "checkbox";
      input.addEventListener("change", () => this.tell(setting.name, Number(input.checked), 0));
      shown.remove();
      row.classList.add("hm-switch");
      const put = (/** @type {Setting} */ now) => {
        input.checked = now.value === 1;
      };
      return { row, put };
    }
    let { words } = setting;
    const say = () => {
      shown.textContent = words[Number(input.value)];
      input.setAttribute("aria-valuetext", shown.textContent);
    };
    input.type = "range";
    input.min = "0";
    input.addEventListener("input", () => {
      say();
      this.tell(setting.name, Number(input.value), WAIT);
    });
    const put = (/** @type {Setting} */ now) => {
      words = now.words;
      input.max = String(words.length - 1);
      input.value = String(now.value);
      say();
    };
    return { row, put };
  }

  /** @param {string} name @param {number} value @param {number} wait */
  tell(name, value, wait) {
    clearTimeout(this.timers.get(name));
    this.timers.set(
      name,
      setTimeout(() => {
        this.timers.delete(name);
        this.send(name, value);
      }, wait),
    );
  }
}
