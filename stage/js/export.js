// Pictures and films of the stage, composed again so that they are sharp and complete.

import { encodeApng } from "./apng.js";
import { changeAt, showControls } from "./controls.js";
import { penOf } from "./dom.js";
import { drawLegend, legendEntries } from "./legend.js";

const PAD = 24,
  SMALL_ROW = 18;
// An animated PNG keeps every picture: long runs are thinned, and the field goes in bands.
const ANIMATION = { frames: 120, width: 760, band: 0.15 };
const PATIENCE = 30000,
  REST = 1200; // ms to wait for the video encoder; ms on the last frame

// Draw everything at `position` on `canvas`: stage, legend and caption at the left, and,
// when wanted, figures and curves at the right.
/**
 * @param {Stage} stage
 * @param {HTMLCanvasElement} canvas
 * @param {number} position
 * @param {number} scale
 * @param {boolean} evidence
 */
function compose(stage, canvas, position, scale, evidence) {
  const { view, theme } = stage,
    frame = Math.round(position);
  const width = stage.size.width,
    height = stage.size.height;
  const side = evidence && (stage.panels.length || view.tiles.length) ? 420 : 0;
  const total = width + 2 * PAD + (side ? side + PAD : 0);
  const probe = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  const entries = legendEntries(stage, theme, true, true);
  const legendHeight = drawLegend(probe, entries, width, theme, false);
  const about = stage.captioned ? wrap(smallPen(probe, theme), view.about, width) : [];
  probe.font = `17px ${theme.font}`;
  const captionRows = Math.max(2, ...view.captions.map((text) => wrap(probe, text, width).length), 0);
  const head = view.title ? 44 : 0;
  const below = about.length ? about.length * SMALL_ROW + 10 : 0;
  const left = PAD + head + height + 8 + legendHeight + 34 + captionRows * 24 + below + PAD;
  const rows = stage.panels.length;
  const right = side ? 2 * PAD + Math.ceil(view.tiles.length / 2) * 74 + rows * 190 : 0;
  const tall = Math.max(left, right);
  if (canvas.width !== Math.round(total * scale) || canvas.height !== Math.round(tall * scale)) {
    canvas.width = Math.round(total * scale);
    canvas.height = Math.round(tall * scale);
  }
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  ctx.setTransform(scale, 0, 0, scale, 0, 0);
  ctx.fillStyle = theme.background;
  ctx.fillRect(0, 0, total + 1, tall + 1);
  ctx.translate(PAD, PAD);
  if (head) text(ctx, view.title, 0, 0, `700 24px ${theme.font}`, theme.ink);
  ctx.save();
  ctx.translate(0, head);
  stage.renderer.drawScene(ctx, position, scale);
  ctx.translate(0, height + 8);
  drawLegend(ctx, entries, width, theme);
  ctx.translate(0, legendHeight + 8);
  text(ctx, stage.track.words(frame), 0, 0, `700 17px ${theme.font}`, theme.ink);
  ctx.font = `17px ${theme.font}`;
  wrap(ctx, view.captions[frame] || "", width).forEach((row, i) =>
    text(ctx, row, 0, 26 + 24 * i, `17px ${theme.font}`, theme.ink),
  );
  about.forEach((row, i) =>
    text(ctx, row, 0, 26 + 24 * captionRows + 10 + SMALL_ROW * i, `13px ${theme.font}`, theme.soft),
  );
  ctx.restore();
  if (side) {
    ctx.save();
    ctx.translate(width + PAD, 0);
    drawEvidence(ctx, stage, frame, side, tall - 2 * PAD, scale);
    ctx.restore();
  }
}

// For the words on data, algorithm, parameters and version.
/** @param {CanvasRenderingContext2D} pen @param {Theme} theme */
function smallPen(pen, theme) {
  pen.font = `13px ${theme.font}`;
  return pen;
}

/**
 * @param {Ctx} ctx
 * @param {Stage} stage
 * @param {number} frame
 * @param {number} width
 * @param {number} height
 * @param {number} scale
 */
function drawEvidence(ctx, stage, frame, width, height, scale) {
  const { view, theme } = stage,
    half = (width - 12) / 2;
  view.tiles.forEach((tile, i) => {
    const x = (i % 2) * (half + 12),
      y = Math.floor(i / 2) * 74;
    ctx.fillStyle = theme.panel;
    ctx.fillRect(x, y, half, 62);
    text(ctx, tile.values[frame], x + 12, y + 8, `700 22px ${theme.font}`, theme.ink);
    const change = changeAt(stage, tile, frame),
      after = x + 22 + ctx.measureText(tile.values[frame]).width;
    if (change) text(ctx, change.text, after, y + 11, `700 19px ${theme.font}`, toneColour(theme, change.tone));
    text(ctx, tile.label, x + 12, y + 38, `14px ${theme.font}`, theme.soft);
  });
  const used = Math.ceil(view.tiles.length / 2) * 74;
  const each = (height - used) / Math.max(1, stage.panels.length);
  stage.panels.forEach((panel, i) => {
    ctx.save();
    ctx.translate(0, used + i * each);
    panel.draw(ctx, width, each - 14, theme, frame, scale);
    ctx.restore();
  });
}

/**
 * @param {Ctx} ctx
 * @param {string} words
 * @param {number} x
 * @param {number} y
 * @param {string} font
 * @param {string} colour
 */
function text(ctx, words, x, y, font, colour) {
  ctx.font = font;
  ctx.fillStyle = colour;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.fillText(words, x, y);
}

/** @param {Ctx} ctx @param {string} words @param {number} width */
function wrap(ctx, words, width) {
  const rows = [];
  let row = "";
  for (const word of words.split(" ")) {
    const longer = row ? `${row} ${word}` : word;
    if (row && ctx.measureText(longer).width > width) {
      rows.push(row);
      row = word;
    } else row = longer;
  }
  if (row) rows.push(row);
  return rows;
}

/** @param {HTMLCanvasElement} canvas @param {string} type @returns {Promise<Blob>} */
function toBlob(canvas, type) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))), type);
  });
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** @param {Stage} stage */
export async function exportPicture(stage) {
  const canvas = document.createElement("canvas");
  compose(stage, canvas, stage.player.frame, 2, true);
  save(await toBlob(canvas, "image/png"), `halfmoon-t${stage.view.frame_t[stage.player.frame]}.png`);
}

/** @param {Theme} theme @param {string} tone */
function toneColour(theme, tone) {
  return tone === "good" || tone === "bad" ? theme[tone] : theme.soft;
}

// What changed since the last picture; the rest is left clear and shows through.
/** @param {HTMLCanvasElement} canvas @param {Uint32Array | null} last */
function changes(canvas, last) {
  const { width, height } = canvas,
    picture = penOf(canvas).getImageData(0, 0, width, height);
  const now = new Uint32Array(picture.data.buffer),
    before = now.slice();
  if (last) for (let i = 0; i < now.length; i++) if (now[i] === last[i]) now[i] = 0;
  const sheet = document.createElement("canvas");
  sheet.width = width;
  sheet.height = height;
  penOf(sheet).putImageData(picture, 0, 0);
  return { sheet, before };
}

// Animated PNG of stage and caption: one picture for each frame.
/** @param {Stage} stage @param {(done: number, all: number) => void} progress @param {() => boolean} cancelled */
export async function exportAnimation(stage, progress, cancelled) {
  const canvas = document.createElement("canvas"),
    pictures = [],
    T = stage.view.T;
  canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  /** @type {Uint32Array | null} */
  let last = null;
  const count = Math.min(T, ANIMATION.frames),
    scale = Math.min(1, ANIMATION.width / stage.size.width);
  for (let i = 0; i < count; i++) {
    if (cancelled()) return false;
    const frame = count > 1 ? Math.round((i * (T - 1)) / (count - 1)) : 0;
    stage.field.setTheme(stage.theme, ANIMATION.band);
    compose(stage, canvas, frame, scale, false);
    stage.field.setTheme(stage.theme);
    const { sheet, before } = changes(canvas, last);
    last = before;
    pictures.push(new Uint8Array(await (await toBlob(sheet, "image/png")).arrayBuffer()));
    progress(i + 1, count);
    await nextFrame();
  }
  save(encodeApng(pictures, Math.round(1000 / stage.player.rate)), "halfmoon.apng.png");
  return true;
}

export function canRecord() {
  return typeof MediaRecorder === "function" && "captureStream" in HTMLCanvasElement.prototype;
}

// WebM video of the whole screen in real time, at the speed chosen below the stage. The
// encoder may need seconds for its first picture, so the clock starts when it is ready.
/** @param {Stage} stage @param {(done: number, all: number) => void} progress @param {() => boolean} cancelled */
export async function exportFilm(stage, progress, cancelled) {
  const canvas = document.createElement("canvas"),
    last = stage.view.T - 1;
  /** @type {Blob[]} */
  const parts = [];
  const draw = (/** @type {number} */ position) => compose(stage, canvas, position, 1, true);
  draw(0);
  const recorder = new MediaRecorder(canvas.captureStream(30), { videoBitsPerSecond: 8e6 });
  let ready = false;
  recorder.onstart = () => {
    ready = true;
  };
  recorder.ondataavailable = (e) => parts.push(e.data);
  const stopped = new Promise((resolve) => {
    recorder.onstop = resolve;
  });
  recorder.start(500);
  const patience = performance.now() + PATIENCE;
  while (!ready && !cancelled() && performance.now() < patience) {
    await nextFrame();
    draw(0);
  }
  const start = performance.now(),
    end = (1000 * last) / stage.player.rate + REST;
  for (let now = start; ready && !cancelled() && now - start < end; now = await nextFrame()) {
    const position = Math.min(last, Math.max(0, ((now - start) / 1000) * stage.player.rate));
    draw(position);
    progress(Math.round(position) + 1, last + 1);
  }
  recorder.stop();
  await stopped;
  if (cancelled()) return false;
  if (!ready) throw new Error("the video encoder of this browser did not start; the animated PNG works without it");
  save(new Blob(parts, { type: "video/webm" }), "halfmoon.webm");
  return true;
}

// Make and save one of them while the status line tells how far it is; asked again
// meanwhile, it stops.
/** @param {Stage} stage @param {ExportKind} kind */
export async function saveAs(stage, kind) {
  if (stage.busy) {
    stage.cancelExport = true;
    return;
  }
  stage.cancelExport = false;
  const what = kind === "film" ? "video" : kind;
  const progress = (/** @type {number} */ done, /** @type {number} */ all) => {
    stage.busy = `Making the ${what}: ${done} of ${all} … (save again to stop)`;
    stage.invalidate("status");
  };
  stage.player.pause();
  showControls(stage);
  try {
    const make = { picture: exportPicture, animation: exportAnimation, film: exportFilm }[kind];
    await make(stage, progress, () => stage.cancelExport || !stage.root.isConnected);
    stage.notice = stage.cancelExport ? "" : `The ${what} is saved.`;
  } catch (error) {
    stage.notice = `No ${what}: ${error instanceof Error ? error.message : error}.`;
  } finally {
    stage.busy = "";
    stage.invalidate("field", "status");
  }
}
