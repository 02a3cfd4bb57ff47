// Charts of a page, side by side where there is room. The card beside a mark is the stage's.

import { Card } from "../../../stage/js/card.js";
import { drawChart, saidAt } from "../../../stage/js/chart.js";
import { one, penOf } from "../../../stage/js/dom.js";
import { readTheme } from "../../../stage/js/theme.js";

const MOST_SCALE = 3;

/** @typedef {import("../../../stage/js/chart.js").Chart} Chart */

class DrawnChart {
  /** @param {Chart} chart */
  constructor(chart) {
    this.chart = chart;
    this.root = document.createElement("div");
    this.root.className = "hm-chart";
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", chart.alt);
    this.canvas.style.height = `${chart.height}px`;
    const card = document.createElement("div");
    card.className = "hm-card";
    this.card = new Card(card);
    this.card.hide();
    this.root.append(this.canvas, card);
    this.canvas.addEventListener("pointermove", (event) => this.tell(event));
    this.canvas.addEventListener("pointerdown", (event) => this.tell(event));
    this.canvas.addEventListener("pointerleave", () => this.card.hide());
  }

  draw() {
    const width = this.canvas.clientWidth,
      scale = Math.min(MOST_SCALE, window.devicePixelRatio || 1);
    if (!width) return;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(this.chart.height * scale);
    const ctx = penOf(this.canvas);
    ctx.scale(scale, scale);
    this.lay = drawChart(ctx, this.chart, width, readTheme(this.root));
    this.root.dataset.drawn = "1";
  }

  /** @param {PointerEvent} event */
  tell({ offsetX, offsetY }) {
    if (!this.lay) return;
    const said = saidAt(this.chart, this.lay, offsetX, offsetY);
    this.card.showText(said ? said.split("\n") : [], offsetX, offsetY, this.canvas.clientWidth);
  }
}

// Streamlit calls this at mounting and whenever data or theme change.
/** @param {Component<{ charts: Chart[] }>} component */
export default function mount({ parentElement, data }) {
  const box = one(parentElement, ".hm-charts");
  const drawn = data.charts.map((chart) => new DrawnChart(chart));
  box.replaceChildren(...drawn.map(({ root }) => root));
  const draw = () => drawn.forEach((chart) => chart.draw());
  const observer = new ResizeObserver(draw);
  observer.observe(box);
  document.fonts.ready.then(draw);
  return () => observer.disconnect();
}
