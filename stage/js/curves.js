// Panels of curves over the frames, linked by one cursor.

import { offscreen } from "./dom.js";
import { dots, drawAbscissa, drawTitle, keptSheet, polyline, segment, TEXT, TITLE } from "./ink.js";
import { formatNumber, formatPercent, tickTexts } from "./numerals.js";
import { BasePanel } from "./panel.js";
import { roleColour } from "./theme.js";
import { areWhole, multiples, niceStep } from "./ticks.js";
import { makeScale } from "./track.js";
import { dataOf, packedOf } from "./unpack.js";

const PLOT = 70; // pixels of height that curves need
const DASHES = [[], [9, 4], [2, 4], [11, 4, 2, 4], [5, 3]]; // told apart without their colours, too
const FEW_LINES = 20; // of a bundle, which may be thicker

// A panel of curves as packed, with its arrays; ghosts are read the same way.
/**
 * @typedef {object} Series
 * @property {string} name
 * @property {string} role
 * @property {boolean} dots
 * @property {number[]} dash
 * @property {Typed} values
 * @property {Typed} [trailX]
 * @property {Typed} [trailY]
 * @property {{ values: Values, x: Values }} [ghost]
 */
/** @typedef {ReturnType<typeof layoutPanel>} Lay */

/** @param {View} view @param {CurvesHead} row @param {string} name */
function readCurves(view, row, name) {
  const { arrays } = view;
  return {
    x: arrays[`${name}_x`]?.data,
    series: row.series.map(
      (s, j) =>
        /** @type {Series} */ ({
          ...s,
          dash: DASHES[j % DASHES.length],
          values: dataOf(view, `${name}_${j}`),
          trailX: arrays[`${name}_${j}_x`]?.data,
          trailY: arrays[`${name}_${j}_y`]?.data,
        }),
    ),
    bundles: row.bundles.map((b, j) => ({
      ...b,
      lines: readLines(packedOf(view, `${name}_lines${j}`), b.limits),
    })),
  };
}

// The lines of a bundle, each an array over the frames; the least code means a gap.
/** @param {Packed} packed @param {[number, number]} limits */
function readLines({ data, shape: [T, m] }, [low, high]) {
  const value = (/** @type {number} */ q) => (q === -32768 ? NaN : low + ((q + 32767) / 65534) * (high - low));
  return Array.from({ length: m }, (_, j) => Float32Array.from({ length: T }, (_, t) => value(data[t * m + j])));
}

// Ordinate of a panel: limits over all series, ticks, and the mapping to [0, 1].
/** @param {Pick<CurvesPanel, "series" | "bundles" | "log" | "percent" | "floor" | "ghostShown">} panel @param {number} count */
export function ordinate(panel, count) {
  let low = Infinity,
    high = -Infinity,
    whole = true;
  const take = (/** @type {number} */ v) => {
    if (!Number.isFinite(v) || (panel.log && v <= 0) || v < (panel.floor ?? -Infinity)) return;
    if (v < low) low = v;
    if (v > high) high = v;
    whole &&= Number.isInteger(v);
  };
  for (const s of panel.series) {
    for (const v of s.values) take(v);
    for (const v of s.trailY ?? []) take(v);
    if (s.ghost && panel.ghostShown) for (const v of s.ghost.values) take(v);
  }
  for (const bundle of panel.bundles) if (bundle.lines.length) bundle.limits.forEach(take);
  whole &&= !panel.percent && !panel.bundles.length; // counts: nothing lies between two whole numbers
  if (panel.floor) take(panel.floor);
  if (low > high) {
    low = panel.log ? 0.1 : 0;
    high = 1;
  }
  if (panel.log) {
    let a = Math.floor(Math.log10(low) + 1e-6),
      b = Math.ceil(Math.log10(high) - 1e-6);
    if (a === b) b += 1;
    const step = Math.max(1, Math.ceil((b - a) / count));
    const ticks = [];
    for (let e = b; e >= a; e -= step) ticks.push({ at: (e - a) / (b - a), text: formatNumber(Number(`1e${e}`)) });
    return {
      ticks,
      map: (/** @type {number} */ v) => (v > 0 ? (Math.log10(v) - a) / (b - a) : NaN),
      back: (/** @type {number} */ s) => 10 ** (a + s * (b - a)),
    };
  }
  if (panel.percent) {
    low = 0;
    high = Math.max(high, 0.01);
  }
  if (low === high)
    [low, high] = whole ? [low > 0 ? low - 1 : low, low + 1] : [low - 0.5 * Math.abs(low), high + 0.5 * Math.abs(high)];
  const step = niceStep(low, high, count, whole),
    near = 1e-9;
  const first = Math.floor(low / step + near),
    last = Math.max(first + 1, Math.ceil(high / step - near));
  const values = multiples(first, last, step),
    bottom = first * step,
    span = (last - first) * step;
  const texts = panel.percent ? tickTexts(values.map((v) => 100 * v)).map((text) => `${text} %`) : tickTexts(values);
  return {
    ticks: values.map((v, i) => ({ at: (v - bottom) / span, text: texts[i] })),
    map: (/** @type {number} */ v) => (v - bottom) / span,
  };
}

/** @param {CurvesPanel} panel @param {number} value */
function valueText(panel, value) {
  return panel.percent ? formatPercent(value) : formatNumber(value);
}

// Places of title, legend entries and plot inside width x height.
/** @param {Ctx} ctx @param {CurvesPanel} panel @param {number} width @param {number} height @param {Theme} theme */
function layoutPanel(ctx, panel, width, height, theme) {
  ctx.font = `${TEXT}px ${theme.font}`;
  /** @type {(Place & { series: Series })[]} */
  const entries = [];
  /** @type {(Place & { name: string, role?: string })[]} */
  const still = [];
  let x = 0,
    row = 0;
  /** @template E @param {string} words @param {(E & Place)[]} list @param {E} entry */
  const place = (words, list, entry) => {
    const w = ctx.measureText(words).width + 34;
    if (x && x + w > width) {
      x = 0;
      row += 1;
    }
    list.push({ ...entry, x, y: TITLE + 12 + row * 20 });
    x += w;
  };
  for (const series of panel.series) {
    const longest = Array.from(series.values, (v) => valueText(panel, v)).reduce(
      (a, b) => (b.length > a.length ? b : a),
      "",
    );
    place(`${series.name} ${longest}`, entries, { series });
  }
  for (const { name, role, lines } of panel.bundles) if (lines.length) place(name, still, { name, role });
  if (panel.shaded.length && panel.shaded_name) place(panel.shaded_name, still, { name: panel.shaded_name });
  const top = TITLE + 12 + (row + 1) * 20 + 8;
  const tall = height - top - 26,
    scale = ordinate(panel, Math.max(1, Math.floor(tall / 30)));
  const every = Math.max(1, Math.ceil((TEXT * (scale.ticks.length - 1)) / Math.max(1, tall)));
  scale.ticks = scale.ticks.filter((_, i) => i % every === 0);
  const left = Math.max(...scale.ticks.map((t) => ctx.measureText(t.text).width)) + 10;
  return { entries, still, scale, plot: { left, top, width: width - left - 8, height: tall } };
}

// Everything that does not move with the cursor.
/** @param {Ctx} ctx @param {CurvesPanel} panel @param {number} width @param {Theme} theme @param {Lay} lay */
function drawStill(ctx, panel, width, theme, lay) {
  const { plot, scale } = lay;
  drawTitle(ctx, panel.title, width, theme);
  ctx.lineWidth = 1;
  ctx.textBaseline = "middle";
  for (const tick of scale.ticks) {
    const y = plot.top + plot.height * (1 - tick.at);
    ctx.strokeStyle = theme.line;
    segment(ctx, plot.left, y, plot.left + plot.width, y);
    ctx.fillStyle = theme.soft;
    ctx.textAlign = "right";
    ctx.fillText(tick.text, plot.left - 8, y);
  }
  drawStillLegend(ctx, theme, lay);
  const toX = abscissa(panel, plot);
  const bottom = plot.top + plot.height;
  if (panel.scale.floor) {
    // where the logarithmic part begins
    ctx.strokeStyle = theme.line;
    segment(ctx, toX(panel.scale.floor), plot.top, toX(panel.scale.floor), bottom);
  }
  drawAbscissa(ctx, panel.scale, plot, panel.x_name, theme);
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.left - 3, plot.top - 3, plot.width + 6, plot.height + 6);
  ctx.clip();
  ctx.lineJoin = "round";
  ctx.fillStyle = theme.good;
  ctx.globalAlpha = 0.16;
  for (const [a, b] of panel.shaded) ctx.fillRect(toX(a), plot.top, Math.max(2, toX(b) - toX(a)), plot.height);
  const fromX = panel.scale.floor
      ? (/** @type {number} */ px) => panel.scale.value((px - plot.left) / plot.width)
      : undefined,
    { onAxis } = panel;
  for (const { lines, role } of panel.bundles) {
    ctx.strokeStyle = roleColour(theme, role);
    ctx.globalAlpha = Math.min(0.9, Math.max(0.3, 12 / Math.sqrt(lines.length + 1) / 2));
    ctx.lineWidth = lines.length <= FEW_LINES ? 1.6 : 1;
    for (const line of lines) polyline(ctx, panel.x, line, toX, scale.map, plot, { fromX, breaks: onAxis });
  }
  ctx.globalAlpha = 1;
  for (const series of panel.series) {
    if (!series.ghost || !panel.ghostShown) continue;
    ctx.strokeStyle = roleColour(theme, series.role);
    ctx.globalAlpha = 0.4;
    ctx.lineWidth = 2;
    ctx.setLineDash([2, 5]);
    polyline(ctx, series.ghost.x, series.ghost.values, toX, scale.map, plot);
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }
  for (const series of panel.series) {
    const xs = series.trailX ?? panel.x,
      ys = series.trailY ?? series.values;
    ctx.strokeStyle = ctx.fillStyle = roleColour(theme, series.role);
    ctx.lineWidth = 2.2;
    ctx.setLineDash(series.dash);
    if (series.dots) dots(ctx, xs, ys, toX, scale.map, plot);
    else if (series.trailX) polyline(ctx, xs, ys, toX, scale.map, plot);
    else polyline(ctx, xs, ys, toX, scale.map, plot, { fromX, breaks: onAxis, joins: true });
    ctx.setLineDash([]);
  }
  ctx.restore();
}

// What the thin lines and the shade mean; their values are not told.
/** @param {Ctx} ctx @param {Theme} theme @param {Lay} options */
function drawStillLegend(ctx, theme, { still }) {
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const { name, role, x, y } of still) {
    ctx.fillStyle = role ? roleColour(theme, role) : theme.good;
    ctx.globalAlpha = role ? 1 : 0.3;
    ctx.fillRect(x, role ? y + 8 : y + 3, 16, role ? 1.5 : 12);
    ctx.globalAlpha = 1;
    ctx.fillStyle = theme.soft;
    ctx.fillText(name, x + 22, y + 9);
  }
}

/** @param {CurvesPanel} panel @param {Box} plot */
export function abscissa(panel, plot) {
  return (/** @type {number} */ v) => plot.left + panel.scale.share(v) * plot.width;
}

// Cursor, dots on the curves and the values at the nearest frame beside the names.
/** @param {Ctx} ctx @param {CurvesPanel} panel @param {Theme} theme @param {Lay} lay @param {number} position */
function drawMoving(ctx, panel, theme, lay, position) {
  const { plot, scale, entries } = lay;
  const frame = Math.round(position),
    i = Math.floor(position),
    share = position - i;
  const between = (/** @type {Values} */ row) => (share ? row[i] + share * (row[i + 1] - row[i]) : row[i]);
  const x = abscissa(panel, plot)(between(panel.x));
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 1.4;
  ctx.setLineDash([4, 3]);
  segment(ctx, x, plot.top - 4, x, plot.top + plot.height);
  ctx.setLineDash([]);
  ctx.font = `${TEXT}px ${theme.font}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const { series, x: ex, y: ey } of entries) {
    const value = series.values[frame],
      colour = roleColour(theme, series.role);
    ctx.fillStyle = colour;
    if (series.dots) {
      ctx.beginPath();
      ctx.arc(ex + 10, ey + 8.5, 4, 0, 2 * Math.PI);
      ctx.fill();
    } else drawSample(ctx, series, colour, ex, ey);
    ctx.fillStyle = theme.soft;
    ctx.fillText(series.name, ex + 22, ey + 9);
    const after = ex + 28 + ctx.measureText(series.name).width;
    ctx.fillStyle = theme.ink;
    ctx.fillText(valueText(panel, value), after, ey + 9);
    const v = scale.map(series.trailY ? value : between(series.values));
    if (!(v >= 0) || series.dots) continue;
    ctx.beginPath();
    ctx.arc(x, plot.top + plot.height * (1 - v), 4.5, 0, 2 * Math.PI);
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.strokeStyle = theme.background;
    ctx.lineWidth = 1.5;
    ctx.stroke();
  }
}

/** @param {Ctx} ctx @param {Series} series @param {string} colour @param {number} x @param {number} y */
function drawSample(ctx, series, colour, x, y) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 3;
  ctx.setLineDash(series.dash.map((length) => 0.8 * length));
  segment(ctx, x, y + 8.5, x + 18, y + 8.5);
  ctx.setLineDash([]);
}

export class CurvesPanel extends BasePanel {
  linked = true;
  smooth = true; // along an axis the cursor moves between frames
  /** @type {[number, number]} */
  heights = [165, 280];
  /** @type {Sheet<Lay> | null} */
  sheet = null;
  /** @type {boolean | undefined} */
  ghostShown;

  /** @param {View} view @param {CurvesRow | NormsRow} row @param {string} name @param {Track} track */
  constructor(view, row, name, track) {
    super(row);
    const { x, series, bundles } = readCurves(view, row, name);
    this.series = series;
    this.bundles = bundles;
    this.log = row.log;
    this.percent = row.percent;
    this.floor = "floor" in row ? row.floor : null;
    this.shaded = row.shaded;
    this.shaded_name = row.shaded_name;
    this.onAxis = !x && track.own; // there two frames at one place are a jump
    this.x_name = this.onAxis && view.axis ? view.axis.name : row.x_name;
    this.x = x ?? (track.own ? track.values : Float32Array.from(view.frame_t));
    this.scale = track.scale;
    const at = view.ghost ? view.ghost.curves.findIndex((g) => g.title === row.title) : -1;
    if (view.ghost && at >= 0) this.takeGhost(readCurves(view, view.ghost.curves[at], `ghost${at}`));
    this.showGhost(true);
  }

  // With or without the earlier run; a longer one makes the abscissa longer, up to twice.
  /** @param {boolean} on */
  showGhost(on) {
    if (on === this.ghostShown) return;
    this.ghostShown = on;
    this.forget();
    if (this.onAxis) return;
    const first = this.x[0],
      last = this.x[this.x.length - 1];
    const ends = this.series.map(({ ghost }) => (on && ghost ? ghost.x[ghost.x.length - 1] : last));
    this.scale = makeScale(
      first,
      Math.max(last, Math.min(first + 2 * (last - first), ...ends)),
      null,
      areWhole(this.x),
    );
  }

  /** @param {ReturnType<typeof readCurves>} ghost */
  takeGhost(ghost) {
    for (const series of this.series) {
      const twin = ghost.series.find((s) => s.name === series.name);
      if (twin) series.ghost = { values: twin.values, x: ghost.x ?? [...twin.values.keys()] };
    }
  }

  // The curves want some height below a legend of any number of rows.
  /** @param {number} width @param {Theme} theme */
  least(width, theme) {
    const { plot } = layoutPanel(offscreen(1, 1).pen, this, width, 0, theme);
    return Math.max(this.heights[0], plot.top + PLOT + 26);
  }

  // Drawn as a whole for a picture; on the screen what does not move is kept from frame to frame.
  /** @param {Ctx} ctx @param {number} width @param {number} height @param {Theme} theme @param {number} position */
  draw(ctx, width, height, theme, position) {
    const lay = layoutPanel(ctx, this, width, height, theme);
    drawStill(ctx, this, width, theme, lay);
    drawMoving(ctx, this, theme, lay, position);
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
    const name = `${width}|${height}|${scale}|${theme.dark}|${theme.background}`;
    this.sheet = keptSheet(this.sheet, name, width, height, scale, (still) => {
      const lay = layoutPanel(still, this, width, height, theme);
      drawStill(still, this, width, theme, lay);
      return lay;
    });
    const { picture, lay } = this.sheet;
    ctx.drawImage(picture, 0, 0, this.sheet.width, this.sheet.height);
    drawMoving(ctx, this, theme, lay, position);
    return lay;
  }

  forget() {
    this.sheet = null;
  }

  // The frame whose abscissa is nearest to a pixel; at a jump the one on its side.
  /** @param {number} px */
  frameAt(px) {
    if (!this.sheet) return 0;
    const toX = abscissa(this, this.sheet.lay.plot);
    let best = 0,
      least = Infinity;
    for (let i = 0; i < this.x.length; i++) {
      const x = toX(this.x[i]),
        d = Math.abs(x - px);
      if (d < least || (d === least && px > x)) {
        least = d;
        best = i;
      }
    }
    return best;
  }
}
