// Colours by meaning, for light and dark.
// The table is the whole palette of the stage; CSS takes it from here as --hm-*.

export const LIGHT = {
  dark: false,
  ink: "#1c2330",
  soft: "#566072",
  muted: "#8a94a6",
  accent: "#5b3fd6",
  good: "#0f8a5f",
  warn: "#b45309",
  bad: "#c2255c",
  background: "#ffffff",
  panel: "#f6f7f9",
  line: "#e3e6ec",
  onAccent: "#ffffff",
  classes: [
    "#e8590c",
    "#1f6feb",
    "#0f8a5f",
    "#a61e9a",
    "#b58900",
    "#0891b2",
    "#7a4b1e",
    "#d6336c",
    "#6741d9",
    "#5c940d",
  ],
  strength: 0.56,
};

export const DARK = {
  dark: true,
  ink: "#e8ecf3",
  soft: "#aab4c4",
  muted: "#7b8798",
  accent: "#a08cff",
  good: "#3fcf9b",
  warn: "#f5b942",
  bad: "#ff7aa2",
  background: "#0f131a",
  panel: "#171c26",
  line: "#2a3140",
  onAccent: "#14102b",
  classes: [
    "#ff8a4c",
    "#5b9bff",
    "#3fcf9b",
    "#f07be0",
    "#f2cf4a",
    "#4fd3ee",
    "#c89a6b",
    "#ff7fa5",
    "#b197fc",
    "#a3d94f",
  ],
  strength: 0.56,
};

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
