// Buttons, figures and texts around the canvas: building them and keeping them true.

import { all, penOf } from "./dom.js";
import { embedded } from "./embed.js";
import { brushKeys, keyHelp } from "./keys.js";
import { drawLegend, legendEntries } from "./legend.js";
import { paintMark } from "./points.js";
import { chooseCurve } from "./present.js";
import { ERASE, UNLABELLED } from "./strokes.js";

const BELOW = 230; // height of the panels that stand below the stage
const COMPACT = 150; // height of those beside a stage that is one of several
const BESIDE = 3; // panels beside the stage; where there are more, the rest stand below

// All elements of the component that have a data-role, by that role.
/** @param {HTMLElement} root @returns {Parts} */
export function findParts(root) {
  const parts = /** @type {Record<string, HTMLElement>} */ ({});
  for (const element of all(root, "[data-role]")) parts[element.dataset.role ?? ""] = element;
  return /** @type {Parts} */ (/** @type {unknown} */ (parts));
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} [className]
 * @param {string} [words]
 */
export function element(tag, className, words) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (words !== undefined) made.textContent = words;
  return made;
}

// A canvas of width x height CSS pixels at the screen's resolution, cleared.
/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height @param {number} scale */
export function fitCanvas(canvas, width, height, scale) {
  const w = Math.round(width * scale),
    h = Math.round(height * scale);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const ctx = penOf(canvas);
  ctx.setTransform(scale, 0, 0, scale, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return ctx;
}

/** @param {HTMLElement} button */
function switchOf(button) {
  return /** @type {Switch} */ (button.dataset.toggle);
}

// Clicks of the mouse give the focus back to the stage, so that keys go on working there.
/** @param {Pick<Stage, "area">} stage @param {HTMLElement} button @param {() => void} action */
export function onClick(stage, button, action) {
  button.addEventListener("click", (e) => {
    action();
    if (e.detail > 0) stage.area.focus({ preventScroll: true });
  });
}

/** @param {Stage} stage */
export function wireControls(stage) {
  const { parts, root } = stage;
  for (const button of all(root, "[data-mode]:not(.hm-area)")) {
    const { mode = "label" } = button.dataset;
    button.addEventListener("click", (e) => {
      if (e.detail === 0) return stage.hand.takeTool(mode); // by a key
      stage.hand.setMode(stage.ui.mode === mode ? "label" : mode);
      stage.area.focus({ preventScroll: true });
    });
  }
  for (const button of all(root, "[data-toggle]")) onClick(stage, button, () => stage.toggle(switchOf(button)));
  for (const button of all(root, "[data-zoom]")) {
    button.addEventListener("pointerdown", (e) => e.stopPropagation());
    onClick(stage, button, () => stage.zoomStep(Number(button.dataset.zoom)));
  }
  for (const button of all(root, "[data-step]")) {
    const step = button.dataset.step;
    onClick(stage, button, () => {
      if (step === "first") stage.time.seek(0);
      else if (step === "last") stage.time.seek(stage.player.T - 1);
      else stage.time.seek(stage.player.frame + Number(step));
    });
  }
  for (const button of all(root, "[data-export]")) {
    onClick(stage, button, () => {
      parts.menu.open = false;
      stage.export(/** @type {ExportKind} */ (button.dataset.export));
    });
  }
  parts.captioned.addEventListener("change", () => {
    stage.captioned = parts.captioned.checked;
  });
  onClick(stage, parts.play, () => stage.time.togglePlay());
  onClick(stage, parts.undo, () => stage.hand.undo());
  onClick(stage, parts.redo, () => stage.hand.redo());
  onClick(stage, parts.loop, () => stage.time.toggleLoop());
  onClick(stage, parts.continue, () => stage.hand.continueHere());
  parts.speed.addEventListener("change", () => {
    stage.player.speed = Number(parts.speed.value);
  });
  root.addEventListener("pointerdown", (e) => {
    for (const menu of [parts.menu, parts.help]) if (menu.open && !e.composedPath().includes(menu)) menu.open = false;
  });
}

/** @param {Ctx} ctx @param {Theme} theme */
function paintEraser(ctx, theme) {
  ctx.rotate(-Math.PI / 4);
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 1.6;
  ctx.strokeRect(-7.5, -4, 15, 8);
  ctx.strokeRect(-7.5, -4, 5, 8);
}

// One brush for each class, one for points without a label and one that erases.
/** @param {Pick<Stage, "parts" | "view" | "theme" | "area"> & { hand: Pick<Stage["hand"], "setBrush"> }} stage */
export function buildBrushes(stage) {
  const { parts, view, theme } = stage,
    keys = brushKeys(view.classes);
  const brush = (/** @type {number} */ c, /** @type {string} */ name, /** @type {string} */ hint) => {
    const button = element("button", "hm-brush");
    button.type = "button";
    button.dataset.brush = String(c);
    button.setAttribute("role", "radio");
    button.title = hint;
    const swatch = element("canvas");
    const ctx = fitCanvas(swatch, 20, 20, 2);
    ctx.translate(10, 10);
    if (c >= 0) paintMark(ctx, theme, c, 7, theme.ink, 1.8);
    else if (c === ERASE) paintEraser(ctx, theme);
    else paintMark(ctx, theme, c, 5, theme.background, 0);
    button.append(swatch);
    const key = keys.get(c);
    if (key !== name) button.append(element("span", "", name)); // a digit's key is its name
    if (key) button.append(element("kbd", "", key));
    onClick(stage, button, () => stage.hand.setBrush(c));
    return button;
  };
  const brushes = view.classes.map((name, c) => brush(c, name, `Label as ${name}`));
  brushes.push(brush(UNLABELLED, "Unlabelled", "Points without a label"));
  brushes.push(brush(ERASE, "Erase", "Remove labels; while adding, points"));
  parts.brushes.replaceChildren(...brushes);
  parts.keys.replaceChildren(
    ...keyHelp(view.classes).flatMap(([key, meaning]) => [element("dt", "", key), element("dd", "", meaning)]),
  );
  parts.brushes.classList.toggle("hm-many", view.k > 4);
}

// Whether a brush has nothing to do on a stage.
/** @param {Stage} stage @param {number} c */
export function isIdle(stage, c) {
  if (c === ERASE && !stage.model.n) return true;
  return c < 0 && !stage.hand.canEdit("add") && (c === UNLABELLED || !stage.hand.canEdit("erase"));
}

// What is possible now: pressed, checked, hidden and disabled states of all buttons.
/** @param {Stage} stage */
export function showControls(stage) {
  const { parts, view, ui, log, root, player } = stage;
  const editing = stage.hand.canEdit("label");
  parts.brushes.hidden = !editing && !stage.hand.canEdit("add");
  for (const button of all(parts.brushes, "[data-brush]")) {
    const c = Number(button.dataset.brush);
    button.setAttribute("aria-checked", String(c === ui.brush));
    button.tabIndex = c === ui.brush ? 0 : -1; // one stop; inside, arrows choose
    button.hidden = isIdle(stage, c);
  }
  for (const button of all(parts.modes, "[data-mode]")) {
    button.setAttribute("aria-pressed", String(ui.mode === button.dataset.mode));
    button.hidden = !stage.hand.canEdit(button.dataset.mode ?? "");
  }
  const available = {
    graph: view.arrays.edges,
    predictions: view.arrays.f,
    mistakes: view.arrays.f && view.arrays.truth,
    ghost: view.ghost,
    flipped: ui.ghost && view.arrays.ghost_flipped?.data.length,
  };
  if (!view.pending) parts.ghostName.textContent = view.ghost?.name ?? "";
  for (const button of all(root, "[data-toggle]")) {
    button.setAttribute("aria-pressed", String(ui[switchOf(button)]));
    if (!view.pending) button.hidden = !available[switchOf(button)];
  }
  const anyEdit = ["label", "add", "drag"].some((tool) => stage.hand.canEdit(tool));
  parts.undo.hidden = parts.redo.hidden = !anyEdit;
  parts.undo.disabled = !log.done.length;
  parts.redo.disabled = !log.undone.length;
  parts.loop.setAttribute("aria-pressed", String(player.loop));
  parts.continue.hidden = !stage.hand.canEdit("continue");
  parts.play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
  parts.area.dataset.mode = ui.mode;
  parts.area.dataset.locked = anyEdit ? "0" : "1";
  parts.area.dataset.zoomed = stage.axes.zoom > 1 ? "1" : "0";
  // A finger that scrolls the page must not be caught, except where dragging means something.
  const holds = ["drag", "lasso", "spray"].includes(ui.mode) || stage.axes.zoom > 1;
  parts.area.style.touchAction = holds ? "none" : "pan-y";
  parts.caption.setAttribute("aria-live", player.playing || stage.time.led ? "off" : "polite");
  parts.beforeWords.setAttribute("aria-live", log.stroke ? "off" : "polite"); // not at every place of a drag
  root.dataset.playing = player.playing ? "1" : "0";
  root.classList.toggle("hm-still", view.T < 2); // one frame: nothing to play
  sayMoment(stage);
}

/** @param {Stage} stage */
export function buildEvidence(stage) {
  const { parts, view } = stage;
  stage.tiles = view.tiles.map((tile) => {
    const box = element("div", "hm-tile"),
      value = element("b"),
      label = element("span");
    const figure = element("div", "hm-figure"),
      change = element("i");
    value.textContent = tile.values[stage.player.frame]; // at once: layout needs its height
    stage.terms.fill(label, tile.label);
    figure.append(value, change);
    box.append(figure, label);
    return { box, value, change, tile };
  });
  if (!view.pending) {
    parts.before.hidden = !view.ghost;
    parts.beforeWords.textContent = view.ghost?.words ?? "";
  }
  parts.tiles.replaceChildren(...stage.tiles.map((t) => t.box));
  /** @type {HTMLElement[]} */
  const boxes = [];
  /** @type {HTMLElement[]} */
  const below = [];
  for (const panel of stage.panels) {
    panel.isBelow = panel.below ?? boxes.length >= BESIDE;
    (panel.isBelow ? below : boxes).push(panelBox(stage, panel));
  }
  chooseCurve(stage, 0);
  parts.panels.replaceChildren(...boxes);
  parts.below.replaceChildren(...below);
  parts.below.hidden = !below.length;
  const alone = !boxes.length && !view.tiles.length;
  parts.evidence.hidden = alone;
  parts.grid.classList.toggle("hm-alone", alone);
  parts.grid.classList.toggle(
    "hm-even",
    stage.panels.some((panel) => panel.broad),
  );
}

// A panel's canvas in its box. A press on a linked one leads the cursor, unless it holds
// something there that can be dragged.
/** @param {Stage} stage @param {Panel} panel */
function panelBox(stage, panel) {
  const { canvas, box } = panel;
  box.className = panel.linked ? "hm-panel hm-linked" : "hm-panel";
  /** @type {Grip | null} */
  let grip = null;
  canvas.hidden = !panel.heights;
  canvas.setAttribute("role", "img");
  /** @param {MouseEvent} e @returns {Pair} */
  const at = (e) => [e.offsetX / stage.type, e.offsetY / stage.type];
  const lead = {
    move: (/** @type {number} */ x, /** @type {number} */ y) => stage.time.seek(panel.frameAt?.(x, y) ?? 0),
  };
  canvas.addEventListener("pointerdown", (e) => {
    grip = panel.grip?.(...at(e)) ?? (panel.linked ? lead : null);
    if (!grip) return;
    if (e.isTrusted) canvas.setPointerCapture(e.pointerId);
    grip.move(...at(e));
  });
  canvas.addEventListener("pointermove", (e) => {
    if (grip && e.buttons & 1) grip.move(...at(e));
    else canvas.style.cursor = panel.cursorAt?.(...at(e)) ?? "";
    if (panel.tip && e.pointerType !== "touch")
      stage.tip(panel.tip(...at(e), stage.player.frame), e.clientX, e.clientY);
  });
  if (panel.tip) canvas.addEventListener("pointerleave", () => stage.hover.hide());
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, () => {
      grip?.drop?.();
      grip = null;
    });
  }
  box.append(canvas, ...(panel.extras?.(stage) ?? []));
  return box;
}

// Curves, figures, caption and scrubber at the cursor. Canvases come first: setting their
// font after the text of the page has changed would make the browser style the page twice.
/** @param {Stage} stage */
export function showMoment(stage) {
  const { frame } = stage.player;
  const words = stage.track.words(frame);
  for (const panel of stage.panels) {
    drawPanel(stage, panel);
    panel.canvas.setAttribute("aria-label", `${panel.title}, ${panel.words?.(frame) ?? words}`);
  }
  showScrubber(stage);
  for (const panel of stage.panels) panel.moment?.(frame);
  for (const { value, change, tile } of stage.tiles) {
    const now = changeAt(stage, tile, frame);
    value.textContent = tile.values[frame];
    change.textContent = now?.text ?? "";
    change.dataset.tone = now?.tone ?? "";
  }
  sayMoment(stage);
}

// The sentence of the moment; its words can be asked for while nothing plays.
/** @param {Stage} options */
function sayMoment({ terms, view, player }) {
  terms.say(view.captions[player.frame] ?? "", player.playing);
}

// How a figure differs from the run before: both ends are compared, so only there.
/** @param {Stage} options @param {Tile} tile @param {number} frame */
export function changeAt({ view, ui, player }, tile, frame) {
  return ui.ghost && frame === player.T - 1 ? view.ghost?.changes[tile.label] : undefined;
}

// The cursor in the curves and on the scrubber, between frames as well.
/** @param {Stage} stage */
export function showCursor(stage) {
  for (const panel of stage.panels) if (panel.smooth) drawPanel(stage, panel);
  showScrubber(stage);
}

/** @param {Stage} stage @param {Panel} panel */
function drawPanel(stage, panel) {
  if (!panel.width) return;
  const { width, height } = panel,
    { theme, scale } = stage,
    { cursor } = stage.time;
  const ctx = fitCanvas(panel.canvas, width, height, scale);
  if (panel.drawQuickly) panel.drawQuickly(ctx, width, height, theme, cursor, scale);
  else panel.draw(ctx, width, height, theme, cursor, scale);
}

/** @param {Stage} stage */
function showScrubber(stage) {
  const words = stage.track.words(stage.time.cursor);
  stage.parts.count.textContent = words;
  stage.scrubber.show(stage.time.cursor, words);
}

// Heights and widths of the panels: those beside the stage share its height.
/** @param {Stage} stage @param {number} height @param {boolean} wide */
export function sizePanels(stage, height, wide) {
  const panels = stage.panels.filter((panel) => panel.heights),
    beside = stage.panels.filter((panel) => !panel.isBelow);
  const count = beside.filter((panel) => panel.heights).length;
  // What the boxes need besides their pictures, and the gaps between them.
  const taken = beside.reduce((sum, panel) => sum + panel.box.offsetHeight - panel.canvas.offsetHeight + 10, 0);
  const small = stage.view.compact ? COMPACT : Infinity;
  const { evidence, panels: boxes } = stage.parts;
  const above = all(evidence, ":scope > *").filter((part) => part !== boxes && part.offsetHeight);
  const room = above.reduce((left, part) => left - part.offsetHeight - 10, height + 10);
  const each = wide && count ? (room - taken) / count : Math.min(210, small);
  // Widths are read here, once: reading them while playing would lay out the page again.
  for (const panel of panels) panel.width = panel.canvas.clientWidth / stage.type;
  for (const panel of panels) {
    const [usual, most] = panel.heights ?? [0, 0],
      least = Math.min(small, panel.least?.(panel.width, stage.theme) ?? usual);
    panel.height = panel.isBelow ? Math.max(BELOW, least) : Math.round(Math.max(least, Math.min(most, each)));
    if ((stage.type > 1 && wide) || embedded()) panel.height = roomFor(panel) / stage.type;
    panel.canvas.style.height = `${panel.height * stage.type}px`;
  }
}

// Of a box that has the height of its column: what its padding and its extras leave.
/** @param {Panel} options */
function roomFor({ box, canvas }) {
  canvas.style.height = "0";
  const { paddingTop, paddingBottom } = getComputedStyle(box);
  const extras = all(box, ":scope > *").reduce((sum, child) => sum + (child === canvas ? 0 : child.offsetHeight), 0);
  return Math.max(0, box.clientHeight - extras - parseFloat(paddingTop) - parseFloat(paddingBottom));
}

// Room for the longest caption, so that nothing moves while captions come and go.
/** @param {Stage} stage */
export function reserveCaption(stage) {
  const { caption } = stage.parts;
  const longest = stage.view.captions.reduce((a, b) => (b.length > a.length ? b : a), "");
  caption.hidden = !longest;
  caption.style.minHeight = "";
  caption.textContent = longest;
  caption.style.minHeight = `${caption.offsetHeight}px`;
  stage.terms.marked = null;
  sayMoment(stage);
}

/** @param {Stage} stage */
export function showLegend(stage) {
  paintLegend(stage, legendEntries(stage, stage.theme, Boolean(stage.parts.brushes.hidden)));
}

/** @param {Pick<Stage, "parts" | "theme" | "scale" | "type">} stage @param {LegendEntry[]} entries */
export function paintLegend(stage, entries) {
  const { parts, theme } = stage,
    canvas = parts.legend,
    width = canvas.clientWidth / stage.type;
  const height = drawLegend(penOf(canvas), entries, width, theme, false);
  canvas.style.height = `${height * stage.type}px`;
  drawLegend(fitCanvas(canvas, width, height, stage.scale), entries, width, theme);
  canvas.setAttribute("aria-label", `Legend: ${entries.map((e) => e.text).join("; ")}`);
}
