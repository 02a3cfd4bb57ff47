// Colours by meaning, for light and dark, and how numbers are written.
// The table is the whole palette of the stage; CSS takes it from here as --hm-*.

const LIGHT = {
  dark: false,
  ink: "#1c2330", soft: "#566072", muted: "#8a94a6",
  accent: "#5b3fd6", good: "#0f8a5f", warn: "#b45309", bad: "#c2255c",
  background: "#ffffff", panel: "#f6f7f9", line: "#e3e6ec", onAccent: "#ffffff",
  classes: [
    "#e8590c", "#1f6feb", "#0f8a5f", "#a61e9a", "#b58900",
    "#0891b2", "#7a4b1e", "#d6336c", "#6741d9", "#5c940d",
  ],
  strength: 0.56,
};

const DARK = {
  dark: true,
  ink: "#e8ecf3", soft: "#aab4c4", muted: "#7b8798",
  accent: "#a08cff", good: "#3fcf9b", warn: "#f5b942", bad: "#ff7aa2",
  background: "#0f131a", panel: "#171c26", line: "#2a3140", onAccent: "#14102b",
  classes: [
    "#ff8a4c", "#5b9bff", "#3fcf9b", "#f07be0", "#f2cf4a",
    "#4fd3ee", "#c89a6b", "#ff7fa5", "#b197fc", "#a3d94f",
  ],
  strength: 0.56,
};

export function parseColour(text) {
  const hex = text.trim().match(/^#([0-9a-f]{6})$/i);
  if (hex) {
    const v = parseInt(hex[1], 16);
    return [v >> 16, (v >> 8) & 255, v & 255];
  }
  const rgb = text.match(/[\d.]+/g);
  return rgb && rgb.length >= 3 ? rgb.slice(0, 3).map(Number) : [255, 255, 255];
}

export function mixColours(from, to, share) {
  const a = parseColour(from), b = parseColour(to);
  return a.map((v, i) => Math.round(v + (b[i] - v) * share));
}

export function rgbText(rgb) {
  return `rgb(${rgb.join(",")})`;
}

// Streamlit sets --st-background-color on an ancestor; its lightness decides.
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
  for (const role of ["ink", "soft", "muted", "accent", "good", "warn", "bad", "background", "panel", "line"]) {
    root.style.setProperty(`--hm-${role}`, theme[role]);
  }
  root.style.setProperty("--hm-on-accent", theme.onAccent);
  root.dataset.theme = theme.dark ? "dark" : "light";
  return theme;
}

// Ten colours; the second ten are the same ones leaning towards ink (and drawn with a hole).
export function classColour(theme, c) {
  const colour = theme.classes[c % 10];
  return c < 10 ? colour : rgbText(mixColours(colour, theme.ink, 0.35));
}

export function roleColour(theme, role) {
  const match = /^class(\d+)$/.exec(role);
  if (match) return classColour(theme, Number(match[1]));
  return theme[role] || theme.ink;
}

const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

export function powerOfTen(exponent) {
  return "10" + [...String(exponent)].map((c) => SUPERSCRIPT[c]).join("");
}

// The twins of `number` and `rate` in words.py: what stands in a tile, a sentence and a
// legend must read the same. Three digits; very small and large ones as 3.1·10⁻⁴.
export function formatNumber(v) {
  if (v === 0) return "0";
  if (!Number.isFinite(v)) return "–";
  const size = Math.abs(v);
  let text;
  if (size >= 1e-3 && size < 1e5) text = size < 999.5 ? String(Number(v.toPrecision(3))) : v.toFixed(0);
  else {
    const [digits, exponent] = v.toExponential(1).split("e"), whole = digits.replace(/\.0$/, "");
    text = whole === "1" ? powerOfTen(Number(exponent)) : `${whole}·${powerOfTen(Number(exponent))}`;
  }
  return text.replace("-", "−");
}

// One decimal, none for 0 and 1.
export function formatPercent(v) {
  if (!Number.isFinite(v)) return "–";
  return `${(100 * v).toFixed(v === 0 || v === 1 ? 0 : 1)} %`;
}

// The twin of `duration` in words.py: 3.2 ms, 46 ms, 1.4 s, 12 s.
export function formatDuration(seconds) {
  const two = (v) => String(Number(v.toPrecision(2)));
  if (seconds < 0.0995) return `${seconds < 0.00995 ? two(1000 * seconds) : (1000 * seconds).toFixed(0)} ms`;
  return `${seconds < 9.95 ? two(seconds) : seconds.toFixed(0)} s`;
}

// Round steps (1, 2 or 5 times a power of ten), about `count` of them in [low, high].
export function niceTicks(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const off = (m) => Math.abs(Math.log((m * power) / raw));
  const step = power * [1, 2, 5, 10].reduce((best, m) => (off(m) < off(best) ? m : best));
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}
