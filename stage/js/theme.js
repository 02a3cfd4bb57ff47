// Colours by meaning, for light and dark: ssl_core/viz/theme.json has them for Python too.
// They are the whole palette of stage and charts; CSS takes it from here as --hm-*.

import palettes from "../../ssl_core/viz/theme.json" with { type: "json" };

export const LIGHT = { dark: false, ...palettes.light };
export const DARK = { dark: true, ...palettes.dark };

/** @param {string} text */
export function parseColour(text) {
  const hex = text.trim().match(/^#([0-9a-f]{6})$/i);
  if (hex) {
    const v = parseInt(hex[1], 16);
    return [v >> 16, (v >> 8) & 255, v & 255];
  }
  const rgb = text.match(/[\d.]+/g);
  return rgb && rgb.length >= 3 ? rgb.slice(0, 3).map(Number) : [255, 255, 255];
}

/** @param {string} from @param {string} to @param {number} share */
export function mixColours(from, to, share) {
  const a = parseColour(from),
    b = parseColour(to);
  return a.map((v, i) => Math.round(v + (b[i] - v) * share));
}

/** @param {number[]} rgb */
export function rgbText(rgb) {
  return `rgb(${rgb.join(",")})`;
}

// Streamlit sets --st-background-color on an ancestor; its lightness decides.
/** @param {HTMLElement} root */
export function readTheme(root) {
  const background = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const [r, g, b] = parseColour(background || "#ffffff");
  const base = 0.3 * r + 0.59 * g + 0.11 * b < 128 ? DARK : LIGHT;
  const panel = getComputedStyle(root).getPropertyValue("--st-secondary-background-color").trim();
  const theme = {
    ...base,
    background: background || base.background,
    panel: panel || base.panel,
    font: getComputedStyle(root).fontFamily,
  };
  for (const role of /** @type {const} */ ([
    "ink",
    "soft",
    "muted",
    "accent",
    "good",
    "warn",
    "bad",
    "background",
    "panel",
    "line",
  ])) {
    root.style.setProperty(`--hm-${role}`, theme[role]);
  }
  root.style.setProperty("--hm-on-accent", theme.onAccent);
  root.dataset.theme = theme.dark ? "dark" : "light";
  return theme;
}

// Ten colours; the second ten are the same ones leaning towards ink (and drawn with a hole).
/** @param {Theme} theme @param {number} c */
export function classColour(theme, c) {
  const colour = theme.classes[c % 10];
  return c < 10 ? colour : rgbText(mixColours(colour, theme.ink, 0.35));
}

/** @param {Theme} theme @param {string} role */
export function roleColour(theme, role) {
  const match = /^class(\d+)$/.exec(role);
  if (match) return classColour(theme, Number(match[1]));
  return /** @type {Record<string, unknown>} */ (theme)[role]
    ? String(/** @type {Record<string, unknown>} */ (theme)[role])
    : theme.ink;
}
