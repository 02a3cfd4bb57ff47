// Lines, dots and titles that all panels draw alike.

export const TITLE = 16, TEXT = 14; // heights in pixels
const BEND = 8; // pixels between the points of a straight line on a logarithmic axis

export function drawTitle(ctx, words, width, theme) {
  ctx.font = `600 ${TITLE}px ${theme.font}`;
  ctx.fillStyle = theme.ink;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.fillText(words, 0, 0, width);
  ctx.font = `${TEXT}px ${theme.font}`;
}

// A line through values, broken where one is missing and, with `breaks`, where two stand at
// the same place: a jump, which `joins` dots. What is straight between two values is drawn
// as a logarithmic axis bends it; `fromX` is its way back from a pixel.
export function polyline(ctx, xs, values, toX, map, plot, { fromX = null, breaks = false, joins = false } = {}) {
  const toY = (v) => plot.top + plot.height * (1 - map(v)), jumps = [];
  ctx.beginPath();
  let pen = false, last = 0;
  for (let i = 0; i < values.length; i++) {
    const y = toY(values[i]);
    if (!Number.isFinite(y)) { pen = false; continue; }
    const x = toX(xs[i]);
    if (pen && breaks && xs[i] === xs[i - 1]) {
      jumps.push([x, toY(values[i - 1]), y]);
      pen = false;
    }
    const pieces = pen && fromX ? Math.ceil((x - last) / BEND) : 1;
    for (let k = 1; k < pieces; k++) {
      const at = last + (k / pieces) * (x - last), part = (fromX(at) - xs[i - 1]) / (xs[i] - xs[i - 1]);
      ctx.lineTo(at, toY(values[i - 1] + part * (values[i] - values[i - 1])));
    }
    if (pen) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    pen = true;
    last = x;
  }
  ctx.stroke();
  if (!joins || !jumps.length) return;
  ctx.save();
  ctx.lineWidth = 1.2;
  ctx.setLineDash([2, 3]);
  for (const [x, from, to] of jumps) segment(ctx, x, from, x, to);
  ctx.restore();
}

export function dots(ctx, xs, values, toX, map, plot) {
  for (let i = 0; i < values.length; i++) {
    const v = map(values[i]);
    if (!Number.isFinite(v)) continue;
    ctx.beginPath();
    ctx.arc(toX(xs[i]), plot.top + plot.height * (1 - v), 4, 0, 2 * Math.PI);
    ctx.fill();
  }
}

export function segment(ctx, x0, y0, x1, y1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}
