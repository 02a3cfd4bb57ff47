// The norms a solver watches, with a line for every threshold, and the reader's own guess.

import { abscissa, CurvesPanel } from "./curves.js";
import { makeHandle, showHandle } from "./handles.js";
import { segment } from "./ink.js";
import { formatCount, formatNumber } from "./numerals.js";
import { LATER } from "./panel.js";
import { stoppingOf } from "./stopping.js";
import { roleColour } from "./theme.js";
import { guessSentence } from "./verdict.js";

/** @type {Record<string, string>} */
const SYMBOLS = { gradient: "∇", preconditioned: "P⁻¹", mixed_product: "√", objective: "Δ" };
const APART = 36; // pixels between two handles: lines at one height can still be told apart
const NEAR = 5; // pixels within which the mouse takes hold of a line

/** @typedef {import("./curves.js").Lay} Lay */

export class NormsPanel extends CurvesPanel {
  /** @type {[number, number]} */
  heights = [255, 340];
  /** @type {Stage} */
  stage = LATER;
  /** @type {HTMLElement | undefined} */
  guessHandle;
  said = document.createElement("p");
  button = document.createElement("button");
  broad = true;

  /** @param {View} view @param {NormsRow} row @param {string} name @param {Track} track @param {Numbers} numbers */
  constructor(view, row, name, track, numbers) {
    super(view, row, name, track);
    this.numbers = numbers;
    this.veiled = Boolean(view.veiled);
    this.stopping = stoppingOf(view);
    const titles = Object.fromEntries(this.stopping.rules.map((rule) => [rule.name, rule.title]));
    this.thresholds = row.thresholds;
    this.lines = Object.entries(row.thresholds).map(([rule, series], at) => {
      const role = this.series.find((s) => s.name === series)?.role ?? "ink";
      return { rule, at, title: titles[rule], role, handle: document.createElement("div") };
    });
  }

  opens() {
    return this.veiled ? 0 : undefined;
  }

  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme @param {number} position */
  draw(ctx, width, height, theme, position) {
    const lay = super.draw(ctx, width, height, theme, position);
    this.drawLines(ctx, theme, lay);
    return lay;
  }

  /**
   * @param {Ctx} ctx
   * @param {number} width
   * @param {number} height
   * @param {Theme} theme
   * @param {number} position
   * @param {number} scale
   */
  drawQuickly(ctx, width, height, theme, position, scale) {
    const lay = super.drawQuickly(ctx, width, height, theme, position, scale);
    this.drawLines(ctx, theme, lay);
    this.placeHandles(theme, lay);
    return lay;
  }

  /** @param {number} exponent @param {Lay} options */
  heightOf(exponent, { plot, scale }) {
    return plot.top + plot.height * (1 - scale.map(this.stopping.tolerances[this.stopping.step(exponent)]));
  }

  /** @param {Ctx} ctx @param {Theme} theme @param {Lay} lay */
  drawLines(ctx, theme, lay) {
    if (this.veiled) return;
    const { plot, scale } = lay,
      { stopping, numbers } = this,
      toX = abscissa(this, plot);
    const followed = stopping.rules[numbers.get("follow")]?.name;
    ctx.save();
    ctx.beginPath();
    ctx.rect(plot.left, plot.top - 6, plot.width + 8, plot.height + 12);
    ctx.clip();
    for (const { rule, role } of this.lines) {
      const y = this.heightOf(numbers.get(rule), lay),
        colour = roleColour(theme, role);
      ctx.strokeStyle = colour;
      ctx.lineWidth = rule === followed ? 2.6 : 1.3;
      ctx.globalAlpha = rule === followed ? 1 : 0.75;
      ctx.setLineDash([3, 4]);
      segment(ctx, plot.left, y, plot.left + plot.width, y);
      ctx.setLineDash([]);
      ctx.globalAlpha = 1;
      this.drawStop(ctx, theme, rule, colour, toX, plot, scale);
    }
    this.drawGuess(ctx, theme, toX, plot);
    ctx.restore();
  }

  // A dot on the rule's own curve where its threshold ends the run.
  /**
   * @param {Ctx} ctx
   * @param {Theme} theme
   * @param {string} rule
   * @param {string} colour
   * @param {(v: number) => number} toX
   * @param {Box} plot
   * @param {Lay["scale"]} scale
   */
  drawStop(ctx, theme, rule, colour, toX, plot, scale) {
    const { stopping, numbers } = this,
      i = stopping.stop(rule, numbers.values);
    if (typeof i !== "number") return;
    const curve = this.series.find((s) => s.name === this.thresholds[rule]);
    const v = scale.map(curve?.trailY?.[i] ?? NaN);
    const y = plot.top + plot.height * (1 - Math.min(1, Math.max(0, Number.isFinite(v) ? v : 0)));
    ctx.beginPath();
    ctx.arc(toX(stopping.t[i]), y, 5.5, 0, 2 * Math.PI);
    ctx.fillStyle = theme.background;
    ctx.fill();
    ctx.strokeStyle = colour;
    ctx.lineWidth = 3;
    ctx.stroke();
  }

  /** @param {Ctx} ctx @param {Theme} theme @param {(v: number) => number} toX @param {Box} plot */
  drawGuess(ctx, theme, toX, plot) {
    const x = toX(this.guess);
    ctx.strokeStyle = theme.ink;
    ctx.lineWidth = 1.6;
    segment(ctx, x, plot.top, x, plot.top + plot.height);
  }

  get guess() {
    return Math.min(this.numbers.get("guess"), this.stopping.t[this.stopping.last]);
  }

  // -- dragging --------------------------------------------------------------

  /** @param {number} y */
  exponentAt(y) {
    const { stopping, sheet } = this;
    if (!sheet?.lay.scale.back) return stopping.exponents[0];
    const { plot, scale } = sheet.lay;
    return stopping.exponents[stopping.step(Math.log10(scale.back(1 - (y - plot.top) / plot.height)))];
  }

  /** @param {number} x @param {number} y */
  lineNear(x, y) {
    const { sheet } = this;
    if (this.veiled || !sheet || x < sheet.lay.plot.left) return null;
    const off = (/** @type {{ rule: string }} */ line) =>
      Math.abs(this.heightOf(this.numbers.get(line.rule), sheet.lay) - y);
    const near = this.lines.filter((line) => off(line) <= NEAR).sort((a, b) => off(a) - off(b));
    return near[0] ?? null;
  }

  /** @param {number} x @param {number} y */
  grip(x, y) {
    const line = this.lineNear(x, y);
    if (!line || !this.sheet) return null;
    const shift = this.heightOf(this.numbers.get(line.rule), this.sheet.lay) - y;
    return {
      move: (/** @type {number} */ _, /** @type {number} */ now) => this.put(line.rule, this.exponentAt(now + shift)),
      drop: () => this.numbers.drop(),
    };
  }

  /** @param {number} x @param {number} y */
  cursorAt(x, y) {
    return this.lineNear(x, y) ? "row-resize" : "";
  }

  // The rule whose line is moved is the one that the cursor follows.
  /** @param {string} rule @param {number} value */
  put(rule, value) {
    const { stopping, numbers } = this;
    numbers.note(
      "follow",
      stopping.rules.findIndex((r) => r.name === rule),
    );
    numbers.set(rule, rule === "guess" ? Math.round(value) : stopping.exponents[stopping.step(value)]);
  }

  // -- elements ----------------------------------------------------------------

  /** @param {Stage} stage */
  extras(stage) {
    this.stage = stage;
    const layer = document.createElement("div");
    layer.className = "hm-handles";
    if (!this.veiled) layer.append(...this.makeHandles());
    return [layer, this.ask(stage)];
  }

  makeHandles() {
    const { stopping, numbers } = this,
      low = stopping.exponents[0],
      high = stopping.exponents[stopping.exponents.length - 1];
    const shared = { drop: () => numbers.drop(), later: () => numbers.dropLater() };
    for (const line of this.lines) {
      line.handle = makeHandle(
        this.canvas,
        { label: `Threshold of the ${line.title.toLowerCase()}`, text: SYMBOLS[line.rule], upright: true },
        { min: low, max: high, step: stopping.exponents[1] - low, big: 1 },
        {
          ...shared,
          get: () => numbers.get(line.rule),
          set: (v) => this.put(line.rule, v),
          from: (_x, y) => this.exponentAt(y / this.stage.type),
        },
      );
    }
    const last = stopping.t[stopping.last];
    this.guessHandle = makeHandle(
      this.canvas,
      { label: "Your prediction", text: "you", upright: false },
      { min: 0, max: last, step: 1, big: 10 },
      {
        ...shared,
        get: () => this.guess,
        set: (v) => this.put("guess", v),
        from: (x) => this.iterationAt(x / this.stage.type),
      },
    );
    return [...this.lines.map((line) => line.handle), this.guessHandle];
  }

  /** @param {number} x */
  iterationAt(x) {
    const plot = this.sheet?.lay.plot ?? { left: 0, width: 1 };
    return this.scale.value((x - plot.left) / plot.width);
  }

  /** @param {Theme} theme @param {Lay} lay */
  placeHandles(theme, lay) {
    if (!this.guessHandle) return;
    const { plot } = lay,
      { stopping, numbers } = this,
      { type } = this.stage;
    for (const { rule, role, at, handle } of this.lines) {
      const value = numbers.get(rule),
        i = stopping.stop(rule, numbers.values);
      const x = plot.left + 24 + at * APART; // the curves fall from there: it is mostly free
      handle.style.setProperty("--hm-own", roleColour(theme, role));
      showHandle(
        handle,
        type * x,
        type * this.heightOf(value, lay),
        value,
        `${thresholdWords(stopping, value)}: ${stopWords(stopping, i)}`,
      );
    }
    showHandle(
      this.guessHandle,
      type * abscissa(this, plot)(this.guess),
      type * (plot.top + plot.height - 12),
      this.guess,
      `t = ${formatCount(this.guess)}`,
    );
  }

  // The question, and once it is answered what the run says to the answer.
  /** @param {Stage} stage */
  ask(stage) {
    const box = document.createElement("div"),
      { button } = this;
    box.className = "hm-ask";
    button.type = "button";
    box.append(this.said, button);
    if (this.veiled) {
      button.classList.add("hm-first");
      this.said.textContent =
        "Where would you stop? The solver sees only these curves. Move the cursor there, then answer.";
      button.addEventListener("click", () => this.takeGuess(stage));
    } else {
      button.textContent = "Predict again";
      button.title = "Hide the answers";
      button.addEventListener("click", () => {
        this.numbers.set("hide", 1);
        this.numbers.drop();
      });
    }
    this.moment(); // at once: layout needs its height
    this.numberMoved();
    return box;
  }

  /** @param {Stage} stage */
  takeGuess(stage) {
    this.numbers.note("guess", stage.time.moment ?? 0);
    this.numbers.note(
      "follow",
      this.stopping.rules.findIndex((rule) => rule.name === "guess"),
    );
    this.numbers.set("hide", 0);
    this.numbers.drop();
    stage.say(guessSentence(this.stopping, this.guess, this.numbers.values));
  }

  moment() {
    if (this.veiled) this.button.textContent = `I would stop at t = ${formatCount(this.stage.time.moment ?? 0)}`;
  }

  // As the server writes them; null takes a number that is as usual out of the link.
  place() {
    const said = (/** @type {number} */ v) => (Number.isInteger(v) ? `${v}.0` : String(v));
    return Object.fromEntries(
      Object.entries(this.stopping.usual).map(([name, usual]) => {
        const value = this.numbers.get(name);
        return [`at.${name}`, value === usual ? null : said(value)];
      }),
    );
  }

  numberMoved() {
    if (!this.veiled) this.said.textContent = guessSentence(this.stopping, this.guess, this.numbers.values);
  }
}

/** @param {Stopping} stopping @param {number} exponent */
export function thresholdWords(stopping, exponent) {
  return formatNumber(stopping.tolerances[stopping.step(exponent)]);
}

/** @param {Stopping} stopping @param {number | null | undefined} i */
function stopWords(stopping, i) {
  return typeof i !== "number"
    ? `never stops within ${formatCount(stopping.t[stopping.last])}`
    : `stops at t = ${formatCount(stopping.t[i])}`;
}
