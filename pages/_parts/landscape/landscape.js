// A slice of the objective: its height in grey with level lines, the solutions it goes
// through, and the routes of the runs, whose dots follow the cursors of their stages.

import { Contours, refine } from "../../../stage/js/contour.js";
import { offscreen, one, penOf } from "../../../stage/js/dom.js";
import { TEXT } from "../../../stage/js/ink.js";
import { box, halo, overlap, placeWords } from "../../../stage/js/labels.js";
import { markPath, outline } from "../../../stage/js/marks.js";
import { formatNumber } from "../../../stage/js/numerals.js";
import { LATER } from "../../../stage/js/panel.js";
import { mixColours, readTheme, roleColour } from "../../../stage/js/theme.js";
import { below, groups, heightText } from "./parts.js";

const APART = 14; // pixels from one mark of a route to the next
const FINE = 4; // values between two of the grid
const LEVELS = 10;
const NEAR = 0.1; // off the plane by less: drawn as if on it
const GONE = 1.2; // off the plane by so much: as faint as a route gets
const FAINT = 0.3;
const STILL = 20; // frames without a change, after which nobody is asked any more
const NARROW = 460; // pixels

/** @typedef {import("./parts.js").Route} Route */
/** @typedef {import("./parts.js").SliceData} SliceData */
/** @typedef {import("../../../stage/js/labels.js").Spot} Spot */
/** @typedef {ReturnType<typeof standing>} Standing */

// Where a route stands at an iteration: between two states on the line that joins them.
/** @param {Route} route @param {number} t */
function standing(route, t) {
  const last = route.t.length - 1;
  let i = 0;
  while (i < last && route.t[i + 1] <= t) i += 1;
  const span = i < last ? route.t[i + 1] - route.t[i] : 1;
  const share = i < last && !route.retrained ? Math.min(1, Math.max(0, (t - route.t[i]) / span)) : 0;
  const a = route.places[i],
    b = route.places[Math.min(last, i + 1)];
  return { i, place: a.map((v, k) => v + share * (b[k] - v)), objective: route.objective[i] };
}

class Slice {
  /** @type {SliceData} */
  data = LATER;
  /** @type {Theme} */
  theme = LATER;
  /** @type {OffscreenCanvas | null} */
  sheet = null;
  /** @type {OffscreenCanvas | null} */
  names = null;
  /** @type {string | null} */
  moments = null;
  /** @type {number | null} */
  request = null;
  /** @type {Spot[]} */
  taken = [];
  /** @type {HTMLTableRowElement[]} */
  rows = [];
  /** @type {number[]} */
  draws = [];
  sorted = new Float32Array(0);
  fine = { w: 1, h: 1, values: new Float32Array(1) };
  patience = 0;
  scale = 1;
  width = 0;
  height = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.canvas = /** @type {HTMLCanvasElement} */ (one(root, ".hm-slice canvas"));
    this.here = one(root, ".hm-here");
    this.body = one(root, "tbody");
    this.wake = () => this.follow();
    document.addEventListener("halfmoon-place", this.wake);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.canvas);
    this.canvas.addEventListener("pointermove", (e) => this.tell(e.offsetX, e.offsetY));
    this.canvas.addEventListener("pointerleave", () => this.rest());
    Object.assign(root, { halfmoonSlice: this }); // for tests
  }

  /** @param {SliceData} data */
  update(data) {
    this.data = data;
    this.theme = readTheme(this.root);
    const [w, h] = data.shape,
      w2 = (w - 1) * FINE + 1,
      h2 = (h - 1) * FINE + 1;
    this.fine = { w: w2, h: h2, values: new Float32Array(w2 * h2) };
    refine(Float32Array.from(data.values), w, h, FINE, this.fine.values, new Float32Array(w2 * h));
    this.sorted = Float32Array.from(data.values).sort();
    this.moments = null;
    this.buildTable();
    this.sheet = this.names = null;
    this.resize();
    this.rest();
  }

  remove() {
    document.removeEventListener("halfmoon-place", this.wake);
    this.observer.disconnect();
    cancelAnimationFrame(this.request ?? 0);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!this.data || !width) return;
    this.scale = Math.min(3, window.devicePixelRatio || 1);
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * this.scale);
    this.canvas.height = Math.round(height * this.scale);
    this.sheet = this.names = null;
    this.moments = null;
    this.follow();
  }

  // -- places ----------------------------------------------------------------

  /** @param {number} s */
  x(s) {
    const [s0, s1] = this.data.extent;
    return ((s - s0) / (s1 - s0)) * this.width;
  }
  /** @param {number} t */
  y(t) {
    const [, , t0, t1] = this.data.extent;
    return this.height * (1 - (t - t0) / (t1 - t0));
  }

  // -- the cursors -----------------------------------------------------------

  // Iterations at which the stages stand; Infinity where there is none.
  get cursors() {
    const stages = [...(window.halfmoonStages ?? [])];
    return this.data.routes.map(
      (route) => stages.find((stage) => stage.view?.key === route.stage)?.time.moment ?? Infinity,
    );
  }

  // Stages tell that they have moved ten times a second at most; from then on they are
  // looked at with every picture, until they have stood still for a while.
  follow() {
    this.patience = STILL;
    this.request ??= requestAnimationFrame(() => this.look());
  }

  look() {
    this.request = null;
    if (!this.data || !this.width || !this.root.isConnected) return;
    const now = this.cursors,
      key = now.join();
    if (key !== this.moments) {
      this.moments = key;
      const start = performance.now();
      this.draw(now);
      this.draws.push(performance.now() - start);
      if (this.draws.length > 90) this.draws.shift();
      this.root.dataset.drawMs = [...this.draws].sort((a, b) => a - b)[this.draws.length >> 1].toFixed(2);
      this.patience = STILL;
    }
    if (--this.patience > 0) this.request = requestAnimationFrame(() => this.look());
    else this.say(now);
  }

  // -- drawing ---------------------------------------------------------------

  // Two sheets are kept: what lies below the routes, and the names above them.
  /** @param {number[]} now */
  draw(now) {
    const ctx = penOf(this.canvas);
    this.sheet ??= this.makeSheet((pen) => this.drawGround(pen));
    this.names ??= this.makeSheet((pen) => {
      this.taken = this.drawNames(pen);
    });
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(this.sheet, 0, 0);
    ctx.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    const here = this.data.routes.map((route, k) => standing(route, now[k]));
    this.data.routes.forEach((route, k) => this.drawPassed(ctx, route, k, here[k]));
    here.forEach(({ place }, k) => this.drawDot(ctx, place, k));
    ctx.drawImage(this.names, 0, 0, this.width, this.height);
    this.drawHeights(
      ctx,
      here.map(({ place }) => place),
    );
    this.fillTable(here);
  }

  /** @param {(pen: Ctx) => void} paint */
  makeSheet(paint) {
    const { canvas, pen } = offscreen(this.canvas.width, this.canvas.height);
    pen.scale(this.scale, this.scale);
    paint(pen);
    return canvas;
  }

  /** @param {Ctx} ctx */
  drawGround(ctx) {
    this.drawHeight(ctx);
    this.drawLevels(ctx);
    this.data.routes.forEach((route, k) => this.drawWhole(ctx, route, k));
  }

  // Low is strong. Every grey covers the same area, so that flat basins show their shape.
  /** @param {Ctx} ctx */
  drawHeight(ctx) {
    const { w, h, values } = this.fine,
      { theme, sorted } = this;
    const { canvas: picture, pen } = offscreen(w, h),
      image = pen.createImageData(w, h);
    const shades = Array.from({ length: 256 }, (_, q) =>
      mixColours(theme.background, theme.muted, 0.62 * (1 - q / 255) ** 1.7),
    );
    for (let row = 0; row < h; row++) {
      for (let column = 0; column < w; column++) {
        const rank = below(sorted, values[row * w + column]) / sorted.length;
        const [r, g, b] = shades[Math.min(255, Math.floor(256 * rank))];
        image.data.set([r, g, b, 255], 4 * ((h - 1 - row) * w + column));
      }
    }
    pen.putImageData(image, 0, 0);
    ctx.imageSmoothingEnabled = true;
    ctx.drawImage(picture, 0, 0, this.width, this.height);
  }

  // Level lines, closer together at the bottom, with their values.
  /** @param {Ctx} ctx */
  drawLevels(ctx) {
    const { w, h, values } = this.fine,
      { theme, sorted } = this,
      contours = new Contours(w, h);
    const low = sorted[0],
      high = sorted[Math.floor(0.85 * sorted.length)];
    /** @type {Spot[]} */
    const written = [];
    const toX = (/** @type {number} */ v) => (v / (w - 1)) * this.width,
      toY = (/** @type {number} */ v) => this.height * (1 - v / (h - 1));
    ctx.font = `${TEXT}px ${theme.font}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    for (let k = 1; k <= LEVELS; k++) {
      const level = Number((low + (high - low) * (k / LEVELS) ** 1.8).toPrecision(2));
      if (level <= low) continue;
      const chains = contours.lines(values, level);
      ctx.strokeStyle = theme.soft;
      ctx.globalAlpha = 0.55;
      ctx.lineWidth = 0.9;
      ctx.beginPath();
      for (const chain of chains) {
        for (let i = 0; i < chain.length; i += 2) ctx[i ? "lineTo" : "moveTo"](toX(chain[i]), toY(chain[i + 1]));
      }
      ctx.stroke();
      ctx.globalAlpha = 1;
      if (k % 2 === 0) continue;
      for (const chain of chains) {
        if (chain.length < 80) continue;
        const at = 2 * Math.floor(0.07 * k * (chain.length / 2)),
          px = toX(chain[at]),
          py = toY(chain[at + 1]);
        const spot = box(px, py, 40, 20);
        if (
          px < 24 ||
          px > this.width - 24 ||
          py < 12 ||
          py > this.height - 12 ||
          written.some((other) => overlap(spot, other))
        )
          continue;
        written.push(spot);
        halo(ctx, formatNumber(level), px, py, theme.soft, theme.background, 3);
      }
    }
  }

  // All of a route, faintly, and the last step: the SVM trained on the labels it ends with.
  /** @param {Ctx} ctx @param {Route} options @param {number} k */
  drawWhole(ctx, { places, end }, k) {
    ctx.strokeStyle = ctx.fillStyle = this.colour(k);
    for (let j = 1; j < places.length; j++) this.drawPiece(ctx, places[j - 1], places[j], 0.45, 1.5);
    this.drawMarks(ctx, places, k, 0.45);
    ctx.globalAlpha = 0.8;
    ctx.lineWidth = 1.6;
    ctx.setLineDash([1.5, 3]);
    this.line(ctx, [places[places.length - 1], end]);
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }

  // What is behind a run, strongly. Dashes are for what lies off the plane, and fade the
  // further it does.
  /** @param {Ctx} ctx @param {Route} options @param {number} k @param {Standing} options */
  drawPassed(ctx, { places }, k, { i, place }) {
    const passed = [...places.slice(0, i + 1), place];
    ctx.strokeStyle = this.theme.background;
    ctx.globalAlpha = 0.7;
    ctx.lineWidth = 5.5;
    ctx.lineJoin = "round";
    this.line(ctx, passed);
    ctx.strokeStyle = ctx.fillStyle = this.colour(k);
    for (let j = 1; j < passed.length; j++) this.drawPiece(ctx, passed[j - 1], passed[j], 1, 2.6);
    this.drawMarks(ctx, passed.slice(0, -1), k, 1);
    ctx.globalAlpha = 1;
  }

  /** @param {Ctx} ctx @param {number[]} a @param {number[]} b @param {number} strength @param {number} width */
  drawPiece(ctx, a, b, strength, width) {
    const off = Math.max(a[2], b[2]);
    ctx.globalAlpha = strength * this.nearness(off);
    ctx.lineWidth = width;
    if (off > NEAR) ctx.setLineDash([5, 4]);
    this.line(ctx, [a, b]);
    if (off > NEAR) ctx.setLineDash([]);
  }

  /** @param {Ctx} ctx @param {number[][]} places @param {number} k @param {number} strength */
  drawMarks(ctx, places, k, strength) {
    let [x, y] = [-APART, -APART];
    for (const [s, t, off] of places) {
      if (Math.hypot(this.x(s) - x, this.y(t) - y) < APART) continue;
      [x, y] = [this.x(s), this.y(t)];
      ctx.globalAlpha = strength * this.nearness(off);
      markPath(ctx, this.data.routes[k].mark, x, y, 3.6);
      ctx.fill();
    }
  }

  /** @param {Ctx} ctx @param {number[][]} places */
  line(ctx, places) {
    ctx.beginPath();
    places.forEach(([s, t], j) => ctx[j ? "lineTo" : "moveTo"](this.x(s), this.y(t)));
    ctx.stroke();
  }

  /** @param {number} off */
  nearness(off) {
    return 1 - (1 - FAINT) * Math.min(1, Math.max(0, (off - NEAR) / (GONE - NEAR)));
  }

  /** @param {number} k */
  colour(k) {
    return roleColour(this.theme, this.data.routes[k].role);
  }

  // Full on the plane; hollow, with a number, above it.
  /** @param {Ctx} ctx @param {number[]} options @param {number} k */
  drawDot(ctx, [s, t, off], k) {
    const { theme } = this,
      x = this.x(s),
      y = this.y(t),
      above = off > NEAR;
    markPath(ctx, this.data.routes[k].mark, x, y, 8);
    outline(ctx, theme.background, 6);
    outline(ctx, this.colour(k), 3);
    ctx.fillStyle = above ? theme.background : this.colour(k);
    ctx.fill();
  }

  // The solutions with their objectives; names keep away from each other.
  /** @param {Ctx} ctx */
  drawNames(ctx) {
    const { theme } = this;
    /** @type {Spot[]} */
    const taken = [];
    const solutions = this.data.solutions.map((one) => ({ ...one, x: this.x(one.place[0]), y: this.y(one.place[1]) }));
    for (const { x, y, star } of solutions) {
      taken.push(box(x, y, 18, 18));
      markPath(ctx, star ? "star" : "cross", x, y, star ? 11 : 6);
      outline(ctx, theme.background, 6);
      outline(ctx, theme.ink, 2.4);
    }
    ctx.font = `600 ${TEXT}px ${theme.font}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "center";
    for (const { names, objective, x, y } of groups(solutions)) {
      // the table below has the names
      const words = this.width < NARROW ? formatNumber(objective) : `${names.join(", ")} ${formatNumber(objective)}`;
      this.write(ctx, words, x, y, theme.ink, taken);
    }
    return taken;
  }

  // How far above the plane the dots are that are not on it.
  /** @param {Ctx} ctx @param {number[][]} dots */
  drawHeights(ctx, dots) {
    const taken = [...this.taken, ...dots.map(([s, t]) => box(this.x(s), this.y(t), 22, 22))];
    ctx.font = `600 ${TEXT}px ${this.theme.font}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "center";
    dots.forEach(([s, t, off], k) => {
      if (off > NEAR) this.write(ctx, `${heightText(off)} above`, this.x(s), this.y(t), this.colour(k), taken);
    });
  }

  // Words near a place, where nothing is written yet.
  /**
   * @param {Ctx} ctx
   * @param {string} words
   * @param {number} x
   * @param {number} y
   * @param {string} colour
   * @param {Spot[]} taken
   */
  write(ctx, words, x, y, colour, taken) {
    const plot = { left: 0, top: 0, width: this.width, height: this.height };
    const place = placeWords(x, y, ctx.measureText(words).width + 6, TEXT + 6, plot, taken);
    halo(ctx, words, place.x, place.y, colour, this.theme.background, 5);
  }

  // -- words -----------------------------------------------------------------

  buildTable() {
    const cell = (/** @type {string} */ words) => {
      const made = document.createElement("td");
      made.textContent = words;
      return made;
    };
    this.rows = this.data.routes.map((route, k) => {
      const row = document.createElement("tr"),
        name = document.createElement("td"),
        swatch = document.createElement("canvas");
      const line = document.createElement("span"),
        solution = this.data.solutions.find((one) => one.name === route.name);
      swatch.setAttribute("aria-hidden", "true");
      swatch.width = 68;
      swatch.height = 36;
      const pen = penOf(swatch);
      pen.scale(2, 2);
      pen.strokeStyle = pen.fillStyle = this.colour(k);
      pen.lineWidth = 2.4;
      pen.beginPath();
      pen.moveTo(0, 9);
      pen.lineTo(34, 9);
      pen.stroke();
      markPath(pen, this.data.routes[k].mark, 17, 9, 6);
      pen.fill();
      line.append(swatch, route.name);
      name.append(line);
      row.append(
        name,
        cell(""),
        cell(""),
        cell(formatNumber(solution?.retrained ?? NaN)),
        cell(formatNumber(solution?.objective ?? NaN)),
      );
      return row;
    });
    const truth = this.data.solutions
      .filter((one) => one.star)
      .map((one) => {
        const row = document.createElement("tr");
        row.append(
          cell("★ true labels"),
          cell(""),
          cell(heightText(one.place[2])),
          cell(formatNumber(one.retrained ?? NaN)),
          cell(formatNumber(one.objective)),
        );
        return row;
      });
    this.body.replaceChildren(...this.rows, ...truth);
  }

  /** @param {Standing[]} here */
  fillTable(here) {
    here.forEach(({ place, objective }, k) => {
      this.rows[k].children[1].textContent = formatNumber(objective);
      this.rows[k].children[2].textContent = heightText(place[2]);
    });
  }

  // For those who listen: told when the cursors have come to rest.
  /** @param {number[]} now */
  say(now) {
    const places = this.data.routes.map((route, k) => {
      const { place, objective } = standing(route, now[k]);
      return `${route.name}: objective ${formatNumber(objective)}, ${heightText(place[2])} above the plane`;
    });
    const corners = this.data.solutions
      .filter((one) => one.corner)
      .map((one) => `${one.name} ${formatNumber(one.objective)}`);
    this.canvas.setAttribute(
      "aria-label",
      `Slice of the objective through ${corners.join(", ")}. At the cursor: ${places.join("; ")}.`,
    );
  }

  /** @param {number} px @param {number} py */
  tell(px, py) {
    if (!this.data) return;
    const { w, h, values } = this.fine;
    const column = Math.round((px / this.width) * (w - 1)),
      row = Math.round((1 - py / this.height) * (h - 1));
    const value = values[Math.min(h - 1, Math.max(0, row)) * w + Math.min(w - 1, Math.max(0, column))];
    this.here.textContent = `Objective at the pointer: ${formatNumber(value)}`;
  }

  rest() {
    this.here.textContent = `${this.theme.dark ? "Light" : "Dark"} is low. Move the pointer over the picture to read the objective.`;
  }
}

// Streamlit calls this at mounting and whenever data or theme change.
/** @param {Component<SliceData>} options */
export default function mount({ parentElement, data }) {
  const root = one(parentElement, ".hm-landscape");
  const slice = new Slice(root);
  slice.update(data);
  return () => slice.remove();
}
