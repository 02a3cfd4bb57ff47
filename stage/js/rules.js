// A row for every stopping rule: where it stops, how much it errs there, what it saves.
// Rows lead the cursor, and it stays with the rule while a threshold is moved.

import { drawTitle, TEXT, TITLE } from "./ink.js";
import { thresholdWords } from "./norms.js";
import { formatCount, formatNumber, formatPercent } from "./numerals.js";
import { BasePanel, LATER } from "./panel.js";
import { stoppingOf } from "./stopping.js";
import { savings, verdict } from "./verdict.js";

// The numbers of the checks, which have no line: limits, steps and words.
/** @type {Record<string, { label: string, min: number, max: number, step: number, words: (v: number) => string }>} */
export const CONTROLS = {
  theta: {
    label: "θ: check every",
    min: 1,
    max: 100,
    step: 1,
    words: (v) => (v === 1 ? "iteration" : `${v} iterations`),
  },
  eta: { label: "η: changes below", min: 0, max: 20, step: 0.5, words: (v) => `${formatNumber(v)} %` },
  gain: {
    label: "Gain at least",
    min: 1,
    max: 10,
    step: 1,
    words: (v) => (v === 1 ? "1 point of V" : `${v} points of V`),
  },
};

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} [className]
 * @param {...(Node | string)} children
 */
function made(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

export class RulesPanel extends BasePanel {
  /** @type {Stage} */
  stage = LATER;
  /** @type {ReturnType<RulesPanel["makeRow"]>[]} */
  rows = [];
  /** @type {string[][]} */
  columns = [];
  verdict = made("p", "hm-verdict");
  heights = null; // no picture: a table
  broad = true;

  /** @param {View} view @param {RulesRow} row @param {string} _name @param {Track} _track @param {Numbers} numbers */
  constructor(view, row, _name, _track, numbers) {
    super(row);
    this.numbers = numbers;
    this.stopping = stoppingOf(view);
  }

  // -- the table -----------------------------------------------------------------

  /** @param {Stage} stage */
  extras(stage) {
    this.stage = stage;
    const { stopping } = this;
    const heads = [
      ["Rule"],
      ["Stops at"],
      ["Unlabelled error", "U"],
      ["Test error", "T"],
      ["Time saved"],
      ["vs. Newton"],
    ];
    this.columns = heads.filter(([, part]) => !part || part in stopping.total);
    const head = made(
      "tr",
      "",
      ...this.columns.map(([words, part]) => {
        const cell = made("th", part === "T" ? "hm-more" : "", words); // a phone has no room for it
        cell.scope = "col";
        return cell;
      }),
    );
    this.rows = stopping.rules.map((rule, at) => this.makeRow(rule, at));
    const table = made("table", "", made("thead", "", head), made("tbody", "", ...this.rows.map((r) => r.row)));
    this.words = () => "";
    this.verdict.setAttribute("aria-live", "polite");
    const scroll = made("div", "hm-rules", table);
    this.fill();
    return [
      made("h3", "hm-head", this.title),
      scroll,
      this.verdict,
      made("div", "hm-controls", ...this.makeControls()),
    ];
  }

  /** @param {{ name: string; title: string }} options @param {number} at */
  makeRow({ name, title }, at) {
    const threshold = made("small"),
      button = made("button", "", title);
    button.type = "button";
    const head = made("th", "", button, " ", threshold);
    head.scope = "row";
    const cells = this.columns.slice(1).map(([, part]) => made("td", part === "T" ? "hm-more" : ""));
    const row = made("tr", "", head, ...cells);
    row.dataset.rule = name;
    row.addEventListener("click", () => this.follow(at));
    return { name, row, threshold, cells };
  }

  fill() {
    const { stopping, numbers } = this,
      at = numbers.values;
    for (const { name, row, threshold, cells } of this.rows) {
      const i = stopping.stop(name, at),
        texts = this.texts(i);
      threshold.textContent = this.thresholdOf(name, at);
      cells.forEach((cell, j) => {
        cell.textContent = texts[j];
      });
      row.classList.toggle("hm-never", !Number.isInteger(i));
    }
    this.mark();
  }

  /** @param {number | null | undefined} i */
  texts(i) {
    const { stopping } = this,
      parts = ["U", "T"].filter((part) => part in stopping.total);
    if (typeof i !== "number") {
      const why = i === null ? `never in ${formatCount(stopping.t[stopping.last])}` : "not evaluated";
      return [why, ...parts.map(() => "–"), i === null ? "nothing" : "–", "–"];
    }
    const { running, newton } = savings(stopping, i);
    return [
      `t = ${formatCount(stopping.t[i])}`,
      ...parts.map((part) => formatPercent(stopping.rate(part, i))),
      running,
      newton,
    ];
  }

  /** @param {string} name @param {Record<string, number>} at */
  thresholdOf(name, at) {
    return this.stopping.norms[name] ? `< ${thresholdWords(this.stopping, at[name])}` : "";
  }

  mark() {
    const chosen = this.numbers.get("follow"),
      rule = this.stopping.rules[chosen];
    this.rows.forEach(({ row }, at) => {
      if (at === chosen) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
    this.verdict.textContent = rule
      ? verdict(this.stopping, rule.name, rule.title, this.numbers.values)
      : "Click a row to move the cursor to the stop of its rule.";
  }

  // -- the cursor ------------------------------------------------------------------

  /** @param {Stage} stage */
  stopFrame(stage) {
    const rule = this.stopping.rules[this.numbers.get("follow")];
    const i = rule ? this.stopping.stop(rule.name, this.numbers.values) : null;
    return typeof i === "number" ? stage.time.frameOf(this.stopping.t[i]) : undefined;
  }

  /** @param {Stage} stage */
  opens(stage) {
    return this.stopFrame(stage);
  }

  /** @param {number} at */
  follow(at) {
    this.numbers.note("follow", at);
    this.lead();
    this.mark();
  }

  lead() {
    const frame = this.stopFrame(this.stage);
    if (frame !== undefined && frame !== this.stage.player.frame) this.stage.time.lead(frame);
    this.stage.invalidate("moment");
    this.stage.time.placeMoved();
  }

  // Led by the reader's own hand it follows no rule any more.
  cursorMoved() {
    if (this.numbers.get("follow") < 0) return;
    this.numbers.note("follow", -1);
    this.mark();
  }

  numberMoved() {
    this.fill();
    this.lead();
    for (const show of this.shows) show();
  }

  // -- numbers without a line --------------------------------------------------------

  makeControls() {
    const { numbers, stopping } = this;
    const names = Object.keys(CONTROLS).filter((name) =>
      name === "gain" ? "V" in stopping.total : stopping.decisions || name === "theta",
    );
    /** @type {(() => void)[]} */
    this.shows = [];
    return names.map((name) => {
      const { label, min, max, step, words } = CONTROLS[name];
      const input = made("input"),
        value = made("b"),
        get = () => (name === "theta" ? stopping.everyOf(numbers.values) : numbers.get(name));
      Object.assign(input, { type: "range", min, max, step });
      input.setAttribute("aria-label", label);
      input.addEventListener("input", () => {
        const v = Number(input.value);
        numbers.set(name, name === "theta" && v === stopping.every ? 0 : v);
      });
      input.addEventListener("change", () => numbers.dropLater());
      input.addEventListener("keydown", (e) => {
        if (e.key.startsWith("Arrow") || ["Home", "End", "PageUp", "PageDown"].includes(e.key)) e.stopPropagation();
      });
      const show = () => {
        input.value = String(get());
        value.textContent = words(get());
        input.setAttribute("aria-valuetext", words(get()));
      };
      show();
      this.shows.push(show);
      return made("label", "", made("span", "", `${label} `, value), input);
    });
  }

  // For pictures that are saved.
  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme */
  draw(ctx, width, height, theme) {
    drawTitle(ctx, this.title, width, theme);
    ctx.font = `${TEXT}px ${theme.font}`;
    ctx.textBaseline = "top";
    const { stopping, numbers } = this,
      line = Math.min(22, (height - TITLE - 8) / stopping.rules.length);
    stopping.rules.forEach(({ name, title }, at) => {
      const y = TITLE + 10 + at * line,
        [where, error] = this.texts(stopping.stop(name, numbers.values));
      ctx.fillStyle = at === numbers.get("follow") ? theme.accent : theme.ink;
      ctx.textAlign = "left";
      ctx.fillText(title, 0, y);
      ctx.fillText(where, width * 0.5, y);
      ctx.textAlign = "right";
      ctx.fillText(error, width, y);
    });
  }
}
