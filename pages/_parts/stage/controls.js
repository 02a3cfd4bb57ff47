// Buttons, figures and texts around the canvas: building them and keeping them true.

import { paintMark } from "./points.js";
import { drawLegend, legendEntries } from "./legend.js";
import { brushKeys, keyHelp } from "./keys.js";
import { ERASE, UNLABELLED } from "./strokes.js";
import { chooseCurve } from "./present.js";

const BELOW = 230; // height of the panels that stand below the stage
const COMPACT = 150; // height of those beside a stage that is one of several
const BESIDE = 3; // panels beside the stage; where there are more, the rest stand below

// All elements of the component that have a data-role, by that role.
export function findParts(root) {
  const parts = {};
  for (const element of root.querySelectorAll("[data-role]")) parts[element.dataset.role] = element;
  return parts;
}

export function element(tag, className, words) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (words !== undefined) made.textContent = words;
  return made;
}

// A canvas of width x height CSS pixels at the screen's resolution, cleared.
export function fitCanvas(canvas, width, height, scale) {
  const w = Math.round(width * scale), h = Math.round(height * scale);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(scale, 0, 0, scale, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return ctx;
}

// Clicks of the mouse give the focus back to the stage, so that keys go on working there.
export function onClick(stage, button, action) {
  button.addEventListener("click", (e) => {
    action();
    if (e.detail > 0) stage.area.focus({ preventScroll: true });
  });
}

export function wireControls(stage) {
  const { parts, root } = stage;
  for (const button of root.querySelectorAll("[data-mode]:not(.hm-area)")) {
    onClick(stage, button, () => stage.setMode(stage.ui.mode === button.dataset.mode ? "label" : button.dataset.mode));
  }
  for (const button of root.querySelectorAll("[data-toggle]")) onClick(stage, button, () => stage.toggle(button.dataset.toggle));
  for (const button of root.querySelectorAll("[data-zoom]")) {
    button.addEventListener("pointerdown", (e) => e.stopPropagation());
    onClick(stage, button, () => stage.zoomStep(Number(button.dataset.zoom)));
  }
  for (const button of root.querySelectorAll("[data-step]")) {
    const step = button.dataset.step;
    onClick(stage, button, () => {
      if (step === "first") stage.seek(0);
      else if (step === "last") stage.seek(stage.player.T - 1);
      else stage.seek(stage.player.frame + Number(step));
    });
  }
  for (const button of root.querySelectorAll("[data-export]")) {
    onClick(stage, button, () => {
      parts.menu.open = false;
      stage.export(button.dataset.export);
    });
  }
  onClick(stage, parts.play, () => stage.togglePlay());
  onClick(stage, parts.undo, () => stage.undo());
  onClick(stage, parts.redo, () => stage.redo());
  onClick(stage, parts.loop, () => stage.toggleLoop());
  onClick(stage, parts.continue, () => stage.continueHere());
  parts.speed.addEventListener("change", () => { stage.player.speed = Number(parts.speed.value); });
  root.addEventListener("pointerdown", (e) => {
    for (const menu of [parts.menu, parts.help]) if (menu.open && !e.composedPath().includes(menu)) menu.open = false;
  });
}

// One brush for each class, one for points without a label and one that erases.
export function buildBrushes(stage) {
  const { parts, view, theme } = stage, keys = brushKeys(view.classes);
  const brush = (c, name, hint) => {
    const button = element("button", "hm-brush");
    button.type = "button";
    button.dataset.brush = String(c);
    button.setAttribute("role", "radio");
    button.title = hint;
    if (c !== ERASE) {
      const swatch = element("canvas");
      const ctx = fitCanvas(swatch, 20, 20, 2);
      ctx.translate(10, 10);
      if (c >= 0) paintMark(ctx, theme, c, 7, theme.ink, 1.8);
      else paintMark(ctx, theme, c, 5, theme.background, 0);
      button.append(swatch);
    }
    const key = keys.get(c);
    if (key !== name) button.append(element("span", "", name)); // a digit's key is its name
    if (key) button.append(element("kbd", "", key));
    onClick(stage, button, () => stage.setBrush(c));
    return button;
  };
  const brushes = view.classes.map((name, c) => brush(c, name, `Label as ${name}`));
  brushes.push(brush(UNLABELLED, "Unlabelled", "Points without a label"));
  brushes.push(brush(ERASE, "Erase", "Take labels away; while adding, points"));
  parts.brushes.replaceChildren(...brushes);
  parts.keys.replaceChildren(...keyHelp(view.classes).flatMap(([key, meaning]) => [element("dt", "", key), element("dd", "", meaning)]));
  parts.brushes.classList.toggle("hm-many", view.k > 4);
}

// Whether a brush has nothing to do on a stage.
export function isIdle(stage, c) {
  return c < 0 && !stage.canEdit("add") && (c === UNLABELLED || !stage.canEdit("erase"));
}

// What is possible now: pressed, checked, hidden and disabled states of all buttons.
export function showControls(stage) {
  const { parts, view, ui, log, root, player } = stage;
  const editing = stage.canEdit("label");
  parts.brushes.hidden = !editing && !stage.canEdit("add");
  for (const button of parts.brushes.children) {
    const c = Number(button.dataset.brush);
    button.setAttribute("aria-checked", String(c === ui.brush));
    button.tabIndex = c === ui.brush ? 0 : -1; // one stop; inside, arrows choose
    button.hidden = isIdle(stage, c);
  }
  for (const button of parts.modes.querySelectorAll("[data-mode]")) {
    button.setAttribute("aria-pressed", String(ui.mode === button.dataset.mode));
    button.hidden = !stage.canEdit(button.dataset.mode);
  }
  const available = {
    graph: view.arrays.edges, predictions: view.arrays.f, mistakes: view.arrays.f && view.arrays.truth,
    ghost: view.ghost, flipped: ui.ghost && view.arrays.ghost_flipped?.data.length,
  };
  if (!view.pending) parts.ghostName.textContent = view.ghost?.name ?? "";
  for (const button of root.querySelectorAll("[data-toggle]")) {
    button.setAttribute("aria-pressed", String(ui[button.dataset.toggle]));
    if (!view.pending) button.hidden = !available[button.dataset.toggle];
  }
  const anyEdit = ["label", "add", "drag"].some((tool) => stage.canEdit(tool));
  parts.undo.hidden = parts.redo.hidden = !anyEdit;
  parts.undo.disabled = !log.done.length;
  parts.redo.disabled = !log.undone.length;
  parts.loop.setAttribute("aria-pressed", String(player.loop));
  parts.continue.hidden = !stage.canEdit("continue");
  parts.play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
  parts.area.dataset.mode = ui.mode;
  parts.area.dataset.locked = anyEdit ? "0" : "1";
  parts.area.dataset.zoomed = stage.axes.zoom > 1 ? "1" : "0";
  // A finger that scrolls the page must not be caught, except where dragging means something.
  const holds = ["drag", "lasso", "spray"].includes(ui.mode) || stage.axes.zoom > 1;
  parts.area.style.touchAction = holds ? "none" : "pan-y";
  parts.caption.setAttribute("aria-live", player.playing || stage.led ? "off" : "polite");
  parts.beforeWords.setAttribute("aria-live", log.stroke ? "off" : "polite"); // not at every place of a drag
  root.dataset.playing = player.playing ? "1" : "0";
  root.classList.toggle("hm-still", view.T < 2); // one frame: nothing to play
  sayMoment(stage);
}

export function buildEvidence(stage) {
  const { parts, view } = stage;
  stage.tiles = view.tiles.map((tile) => {
    const box = element("div", "hm-tile"), value = element("b"), label = element("span");
    const figure = element("div", "hm-figure"), change = element("i");
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
  const boxes = [], below = [];
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
  parts.grid.classList.toggle("hm-even", stage.panels.some((panel) => panel.broad));
}

// A panel's canvas in its box. A press on a linked one leads the cursor, unless it holds
// something there that can be dragged.
function panelBox(stage, panel) {
  const canvas = element("canvas"), box = element("div", panel.linked ? "hm-panel hm-linked" : "hm-panel");
  let grip = null;
  panel.canvas = canvas;
  panel.box = box;
  canvas.hidden = !panel.heights;
  canvas.setAttribute("role", "img");
  const at = (e) => [e.offsetX / stage.type, e.offsetY / stage.type];
  canvas.addEventListener("pointerdown", (e) => {
    grip = panel.grip?.(...at(e)) ?? (panel.linked ? { move: (x, y) => stage.seek(panel.frameAt(x, y)) } : null);
    if (!grip) return;
    if (e.isTrusted) canvas.setPointerCapture(e.pointerId);
    grip.move(...at(e));
  });
  canvas.addEventListener("pointermove", (e) => {
    if (grip && e.buttons & 1) grip.move(...at(e));
    else canvas.style.cursor = panel.cursorAt?.(...at(e)) ?? "";
    if (panel.tip && e.pointerType !== "touch") stage.tip(panel.tip(...at(e), stage.player.frame), e.clientX, e.clientY);
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
export function showMoment(stage) {
  const { parts, view, player } = stage, frame = player.frame;
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
function sayMoment({ terms, view, player }) {
  terms.say(view.captions[player.frame] ?? "", player.playing);
}

// How a figure differs from the run before: both ends are compared, so only there.
export function changeAt({ view, ui, player }, tile, frame) {
  return ui.ghost && frame === player.T - 1 ? view.ghost?.changes[tile.label] : undefined;
}

// The cursor in the curves and on the scrubber, between frames as well.
export function showCursor(stage) {
  for (const panel of stage.panels) if (panel.smooth) drawPanel(stage, panel);
  showScrubber(stage);
}

function drawPanel(stage, panel) {
  if (!panel.width) return;
  const { width, height } = panel, { theme, cursor, scale } = stage;
  const ctx = fitCanvas(panel.canvas, width, height, scale);
  if (panel.drawQuickly) panel.drawQuickly(ctx, width, height, theme, cursor, scale);
  else panel.draw(ctx, width, height, theme, cursor, scale);
}

function showScrubber(stage) {
  const words = stage.track.words(stage.cursor);
  stage.parts.count.textContent = words;
  stage.scrubber.show(stage.cursor, words);
}

// Heights and widths of the panels: those beside the stage share its height.
export function sizePanels(stage, height, wide) {
  const panels = stage.panels.filter((panel) => panel.heights), beside = stage.panels.filter((panel) => !panel.isBelow);
  const count = beside.filter((panel) => panel.heights).length;
  // What the boxes need besides their pictures, and the gaps between them.
  const taken = beside.reduce((sum, panel) => sum + panel.box.offsetHeight - panel.canvas.offsetHeight + 10, 0);
  const small = stage.view.compact ? COMPACT : Infinity;
  const each = wide && count ? (height - stage.parts.tiles.offsetHeight - stage.parts.before.offsetHeight - taken) / count : Math.min(210, small);
  // Widths are read here, once: reading them while playing would lay out the page anew.
  for (const panel of panels) panel.width = panel.canvas.clientWidth / stage.type;
  for (const panel of panels) {
    const [usual, most] = panel.heights, least = Math.min(small, panel.least?.(panel.width, stage.theme) ?? usual);
    panel.height = panel.isBelow ? Math.max(BELOW, least) : Math.round(Math.max(least, Math.min(most, each)));
    if (stage.type > 1 && wide) panel.height = roomFor(panel) / stage.type;
    panel.canvas.style.height = `${panel.height * stage.type}px`;
  }
}

// Of a box that has the height of its column: what its padding and its extras leave.
function roomFor({ box, canvas }) {
  canvas.style.height = "0";
  const { paddingTop, paddingBottom } = getComputedStyle(box);
  const extras = [...box.children].reduce((sum, child) => sum + (child === canvas ? 0 : child.offsetHeight), 0);
  return Math.max(0, box.clientHeight - extras - parseFloat(paddingTop) - parseFloat(paddingBottom));
}

// Room for the longest caption, so that nothing moves while captions come and go.
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

export function showLegend(stage, entries = legendEntries(stage.view, stage.ui, stage.theme, stage.parts.brushes.hidden)) {
  const { parts, theme } = stage, canvas = parts.legend, width = canvas.clientWidth / stage.type;
  const height = drawLegend(canvas.getContext("2d"), entries, width, theme, false);
  canvas.style.height = `${height * stage.type}px`;
  drawLegend(fitCanvas(canvas, width, height, stage.scale), entries, width, theme);
  canvas.setAttribute("aria-label", `Legend: ${entries.map((e) => e.text).join("; ")}`);
}
