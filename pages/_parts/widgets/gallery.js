// Small pictures of data, a group of radio buttons: one stop of the tab key, arrows inside.

import { all, one } from "../../../stage/js/dom.js";
import { parseColour } from "../../../stage/js/theme.js";

/** @typedef {{ name: string, title: string, points: number[][] }} Picture */
/** @typedef {{ pictures: Picture[], chosen: string | null, colours: { light: string[], dark: string[] } }} Gallery */

const SVG = "http://www.w3.org/2000/svg";
/** @type {Record<string, number>} */
const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** @param {HTMLElement} element */
function isDark(element) {
  const [r, g, b] = parseColour(getComputedStyle(element).backgroundColor);
  return 0.3 * r + 0.59 * g + 0.11 * b < 128;
}

// One path for each class: points are strokes of no length with round ends.
/** @param {Picture} options */
function draw({ points }) {
  const svg = document.createElementNS(SVG, "svg"),
    paths = new Map();
  svg.setAttribute("viewBox", "-6 -6 112 112");
  svg.setAttribute("aria-hidden", "true");
  for (const [x, y, c] of points) paths.set(c, `${paths.get(c) ?? ""}M${x} ${y}h0`);
  for (const [c, d] of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    path.setAttribute("fill", "none");
    path.setAttribute("stroke-width", "7");
    path.setAttribute("stroke-linecap", "round");
    path.dataset.class = String(c);
    svg.append(path);
  }
  return svg;
}

/** @param {Component<Gallery>} options */
export default function mount({ parentElement, data, setTriggerValue }) {
  const group = one(parentElement, ".hm-gallery");
  if (!group.children.length) {
    group.append(
      ...data.pictures.map((picture) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.name = picture.name;
        button.title = picture.title;
        button.setAttribute("role", "radio");
        button.setAttribute("aria-label", picture.title);
        button.append(draw(picture));
        return button;
      }),
    );
  }
  const buttons = all(group, "button");
  const mark = (/** @type {string | null | undefined} */ name) => {
    const any = buttons.some((button) => button.dataset.name === name);
    buttons.forEach((button, i) => {
      const chosen = button.dataset.name === name;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen || (!any && i === 0) ? 0 : -1;
    });
  };
  const choose = (/** @type {HTMLElement} */ button) => {
    mark(button.dataset.name);
    button.focus();
    setTriggerValue("chosen", button.dataset.name);
  };
  for (const button of buttons) button.onclick = () => choose(button);
  group.onkeydown = (e) => {
    if (!ARROWS[e.key]) return;
    e.preventDefault();
    const at = buttons.findIndex((button) => e.composedPath().includes(button));
    choose(buttons[(at + ARROWS[e.key] + buttons.length) % buttons.length]);
  };
  mark(data.chosen);
  const colours = data.colours[isDark(buttons[0]) ? "dark" : "light"];
  for (const path of group.querySelectorAll("path"))
    path.setAttribute("stroke", colours[Number(path.dataset.class) % colours.length]);
}
