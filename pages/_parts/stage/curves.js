// The linked curves and the line search, each on a canvas, all under one cursor.

import { formatNumber, formatPercent, niceTicks, powerOfTen, roleColour } from "./theme.js";

const TITLE = 16, TEXT = 14;

// What a panel needs for drawing: abscissa, values and the dimmed ones of the ghost.
export function curvePanels(view) {
  const panels = read(view, "curve", view.curves);
  const ghosts = view.ghost ? read(view, "ghost", view.ghost.curves) : [];
  for (const panel of panels) {
    panel.x ??= Float32Array.from(view.frame_t);
    const ghost = ghosts.find((g) => g.title === panel.title);
    for (const series of panel.series) {
      const twin = ghost && ghost.series.find((s) => s.name === series.name);
      if (twin) series.ghost = { values: twin.values, x: ghost.x ?? twin.values.map((_, i) => i) };
    }
  }
  return panels;
}

function read(view, prefix, rows) {
  return rows.map((row, i) => ({
    ...row,
    x: view.arrays[`${prefix}${i}_x`]?.data,
    series: row.series.map((s, j) => ({ ...s, values: view.arrays[`${prefix}${i}_${j}`].data })),
  }));
}

// Ordinate of a panel: limits over all series, ticks, and the mapping to [0, 1].
function ordinate(panel, count) {
  let low = Infinity, high = -Infinity;
  const take = (v) => {
    if (!Number.isFinite(v) || (panel.log && v <= 0)) return;
    if (v < low) low = v;
    if (v > high) high = v;
  };
  for (const s of panel.series) {
    s.values.forEach(take);
    if (s.ghost) s.ghost.values.forEach(take);
  }
  if (low > high) { low = panel.log ? 0.1 : 0; high = 1; }
  if (panel.log) {
    let a = Math.floor(Math.log10(low) + 1e-6), b = Math.ceil(Math.log10(high) - 1e-6);
    if (a === b) b += 1;
    const step = Math.max(1, Math.ceil((b - a) / count));
    const ticks = [];
    for (let e = b; e >= a; e -= step) ticks.push({ at: (e - a) / (b - a), text: powerOfTen(e) });
    return { ticks, map: (v) => (v > 0 ? (Math.log10(v) - a) / (b - a) : NaN) };
  }
  if (panel.percent) { low = 0; high = Math.max(high, 0.01); }
  if (low === high) { low -= 0.5 * Math.abs(low) || 0.5; high += 0.5 * Math.abs(high) || 0.5; }
  const values = niceTicks(low, high, count);
  const step = values.length > 1 ? values[1] - values[0] : high - low;
  const bottom = values[0] > low + 1e-9 * step ? values[0] - step : values[0];
  const top = values[values.length - 1] < high - 1e-9 * step ? values[values.length - 1] + step : values[values.length - 1];
  const span = top - bottom;
  const text = panel.percent ? (v) => `${Number((100 * v).toPrecision(6))} %` : (v) => formatNumber(v);
  const ticks = [];
  for (let v = bottom; v <= top + 0.01 * step; v += step) ticks.push({ at: (v - bottom) / span, text: text(Number(v.toPrecision(10))) });
  return { ticks, map: (v) => (v - bottom) / span };
}

function valueText(panel, value) {
  return panel.percent ? formatPercent(value) : formatNumber(value);
}

// Places of title, legend entries and plot inside width x height.
function layoutPanel(ctx, panel, width, height, theme) {
  ctx.font = `${TEXT}px ${theme.font}`;
  const entries = [];
  let x = 0, row = 0;
  for (const series of panel.series) {
    const longest = Array.from(series.values, (v) => valueText(panel, v)).reduce((a, b) => (b.length > a.length ? b : a), "");
    const w = ctx.measureText(`${series.name} ${longest}`).width + 34;
    if (x && x + w > width) { x = 0; row += 1; }
    entries.push({ series, x, y: TITLE + 12 + row * 20 });
    x += w;
  }
  const top = TITLE + 12 + (row + 1) * 20 + 8;
  const scale = ordinate(panel, Math.max(2, Math.floor((height - top - 26) / 30)));
  const left = Math.max(...scale.ticks.map((t) => ctx.measureText(t.text).width)) + 10;
  return { entries, scale, plot: { left, top, width: width - left - 8, height: height - top - 26 } };
}

// Everything that does not move with the cursor.
function drawStill(ctx, panel, width, height, theme, lay) {
  const { plot, scale } = lay;
  ctx.font = `600 ${TITLE}px ${theme.font}`;
  ctx.fillStyle = theme.ink;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.fillText(panel.title, 0, 0, width);
  ctx.font = `${TEXT}px ${theme.font}`;
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
  const toX = abscissa(panel, plot);
  const bottom = plot.top + plot.height, end = plot.left + plot.width;
  const nameWidth = ctx.measureText(panel.x_name).width;
  ctx.textBaseline = "top";
  ctx.textAlign = "center";
  for (const v of niceTicks(panel.x[0], panel.x[panel.x.length - 1], plot.width / 80)) {
    const x = toX(v);
    if (x < end - nameWidth - 16) ctx.fillText(formatTickX(v), x, bottom + 7);
  }
  ctx.textAlign = "right";
  ctx.fillText(panel.x_name, end, bottom + 7);
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.left - 3, plot.top - 3, plot.width + 6, plot.height + 6);
  ctx.clip();
  ctx.lineJoin = "round";
  for (const series of panel.series) {
    if (!series.ghost) continue;
    ctx.strokeStyle = roleColour(theme, series.role);
    ctx.globalAlpha = 0.4;
    ctx.lineWidth = 2;
    ctx.setLineDash([2, 5]);
    polyline(ctx, series.ghost.x, series.ghost.values, toX, scale.map, plot);
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }
  for (const series of panel.series) {
    ctx.strokeStyle = roleColour(theme, series.role);
    ctx.lineWidth = 2.2;
    polyline(ctx, panel.x, series.values, toX, scale.map, plot);
  }
  ctx.restore();
}

function formatTickX(v) {
  return Math.abs(v) >= 1e-3 || v === 0 ? String(v).replace("-", "−") : formatNumber(v);
}

function abscissa(panel, plot) {
  const a = panel.x[0], b = panel.x[panel.x.length - 1];
  return (v) => plot.left + (b > a ? (v - a) / (b - a) : 0.5) * plot.width;
}

function polyline(ctx, xs, values, toX, map, plot) {
  ctx.beginPath();
  let pen = false;
  for (let i = 0; i < values.length; i++) {
    const v = map(values[i]);
    if (!Number.isFinite(v)) { pen = false; continue; }
    const x = toX(xs[i]), y = plot.top + plot.height * (1 - v);
    if (pen) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    pen = true;
  }
  ctx.stroke();
}

function segment(ctx, x0, y0, x1, y1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

// Cursor, dots on the curves and the values at this frame beside the names.
function drawMoving(ctx, panel, theme, lay, frame) {
  const { plot, scale, entries } = lay;
  const x = abscissa(panel, plot)(panel.x[frame]);
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 1.4;
  ctx.setLineDash([4, 3]);
  segment(ctx, x, plot.top - 4, x, plot.top + plot.height);
  ctx.setLineDash([]);
  ctx.font = `${TEXT}px ${theme.font}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const { series, x: ex, y: ey } of entries) {
    const value = series.values[frame], colour = roleColour(theme, series.role);
    ctx.fillStyle = colour;
    ctx.fillRect(ex, ey + 7, 16, 3);
    ctx.fillStyle = theme.soft;
    ctx.fillText(series.name, ex + 22, ey + 9);
    const after = ex + 28 + ctx.measureText(series.name).width;
    ctx.fillStyle = theme.ink;
    ctx.fillText(valueText(panel, value), after, ey + 9);
    const v = scale.map(value);
    if (!Number.isFinite(v)) continue;
    ctx.beginPath();
    ctx.arc(x, plot.top + plot.height * (1 - v), 4.5, 0, 2 * Math.PI);
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.strokeStyle = theme.background;
    ctx.lineWidth = 1.5;
    ctx.stroke();
  }
}

// One panel on a context, for the screen (with `cache`) and for the exports (without).
export function drawCurve(ctx, panel, width, height, theme, frame, scale, cache) {
  if (!cache) {
    const lay = layoutPanel(ctx, panel, width, height, theme);
    drawStill(ctx, panel, width, height, theme, lay);
    drawMoving(ctx, panel, theme, lay, frame);
    return lay;
  }
  const name = `${width}|${height}|${scale}|${theme.dark}|${theme.background}`;
  if (cache.name !== name) {
    const sheet = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale)), still = sheet.getContext("2d");
    still.scale(scale, scale);
    cache.name = name;
    cache.lay = layoutPanel(still, panel, width, height, theme);
    drawStill(still, panel, width, height, theme, cache.lay);
    cache.picture = sheet.transferToImageBitmap();
  }
  ctx.drawImage(cache.picture, 0, 0, cache.picture.width / scale, cache.picture.height / scale);
  drawMoving(ctx, panel, theme, cache.lay, frame);
  return cache.lay;
}

// The frame whose abscissa is nearest to pixel px of a panel.
export function frameAt(panel, lay, px) {
  const toX = abscissa(panel, lay.plot);
  let best = 0, least = Infinity;
  for (let i = 0; i < panel.x.length; i++) {
    const d = Math.abs(toX(panel.x[i]) - px);
    if (d < least) { least = d; best = i; }
  }
  return best;
}

// psi(s) of this step: piecewise linear, break points as dots, zero at s*.
export function drawLineSearch(ctx, view, frame, width, height, theme) {
  ctx.font = `600 ${TITLE}px ${theme.font}`;
  ctx.fillStyle = theme.ink;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.fillText("Line search at this step", 0, 0);
  ctx.font = `${TEXT}px ${theme.font}`;
  const a = view.line_search.starts[frame], b = view.line_search.starts[frame + 1];
  if (a === b) {
    ctx.fillStyle = theme.soft;
    ctx.fillText("No line search led here.", 0, TITLE + 14);
    return;
  }
  const s = view.arrays.search_s.data.subarray(a, b), psi = view.arrays.search_psi.data.subarray(a, b);
  const star = view.arrays.search_star.data[frame];
  const plot = { left: 40, top: TITLE + 18, width: width - 52, height: height - TITLE - 46 };
  const low = Math.min(0, ...psi), high = Math.max(0, ...psi);
  const s0 = Math.min(s[0], star), s1 = Math.max(s[s.length - 1], star);
  const toX = (v) => plot.left + ((v - s0) / (s1 - s0 || 1)) * plot.width;
  const toY = (v) => plot.top + plot.height * (1 - (v - low) / (high - low || 1));
  ctx.strokeStyle = theme.muted;
  ctx.lineWidth = 1;
  segment(ctx, plot.left, toY(0), plot.left + plot.width, toY(0));
  ctx.fillStyle = theme.soft;
  ctx.fillText("ψ(s)", 0, plot.top);
  ctx.textBaseline = "middle";
  ctx.textAlign = "right";
  ctx.fillText("0", plot.left - 8, toY(0));
  ctx.textBaseline = "top";
  ctx.fillText(`s = ${formatNumber(s1)}`, plot.left + plot.width, plot.top + plot.height + 8);
  ctx.textAlign = "left";
  ctx.fillText(formatNumber(s0), plot.left, plot.top + plot.height + 8);
  ctx.strokeStyle = ctx.fillStyle = theme.accent;
  ctx.lineWidth = 2.2;
  ctx.lineJoin = "round";
  polyline(ctx, s, Array.from(psi), toX, (v) => (v - low) / (high - low || 1), plot);
  if (s.length <= 40) {
    for (let i = 1; i < s.length - 1; i++) {
      ctx.beginPath();
      ctx.arc(toX(s[i]), toY(psi[i]), 3.2, 0, 2 * Math.PI);
      ctx.fill();
    }
  }
  ctx.beginPath();
  ctx.arc(toX(star), toY(0), 6, 0, 2 * Math.PI);
  ctx.fillStyle = theme.ink;
  ctx.fill();
  const right = toX(star) > plot.left + plot.width * 0.6;
  ctx.textAlign = right ? "right" : "left";
  ctx.textBaseline = right ? "bottom" : "top";
  ctx.fillText(`s* = ${formatNumber(star)}`, toX(star) + (right ? -10 : 10), toY(0) + (right ? -6 : 6));
}
