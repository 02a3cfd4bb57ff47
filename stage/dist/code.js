// Made by `npm run build`: change the sources and build again.
var card_default=`/* The card beside what the pointer is on: a point of the stage, a mark of a chart. */
.hm-card {
  position: absolute; z-index: 5; pointer-events: none; max-width: 300px; padding: 8px 12px;
  background: var(--hm-background); border: 1px solid var(--hm-line); border-radius: 8px;
  box-shadow: 0 4px 16px rgb(0 0 0 / 18%); font-size: 15px;
}
.hm-card div { display: flex; justify-content: space-between; gap: 16px; }
.hm-card span { color: var(--hm-soft); }
`;var deck_default=`/* The deck over several stages. */
.hm-deck { display: flex; flex-direction: column; gap: 8px; padding: 8px 0; }
.hm-ends { position: absolute; inset: 0 0 auto; height: 14px; }
.hm-ends span { position: absolute; width: 3px; height: 12px; margin-left: -1.5px; background: var(--hm-ink); border-rad\
ius: 1px; }
.hm-units { gap: 0 !important; }
.hm-units button:first-child { border-radius: 20px 0 0 20px; }
.hm-units button:last-child { border-radius: 0 20px 20px 0; margin-left: -1px; }
.hm-deck .hm-count { min-width: 8.6em; }
.hm-deck .hm-menu > dl { top: 48px; bottom: auto; }
@container (max-width: 900px) {
  .hm-deck .hm-transport { flex-wrap: wrap; }
  .hm-deck .hm-scrub { order: -2; flex: 1 0 60%; }
  .hm-deck .hm-count { order: -1; }
}
@container (max-width: 620px) {
  .hm-deck .hm-brush span { display: none; }
  .hm-deck .hm-brush:last-child span { display: inline; }
}
`;var embed_default=`/* Embedded: the stage has a frame of any size to itself. Where that is low or narrow, figures
   and curves give way, and what is left of the height is the picture's. */
.hm-embed .hm-grid {
  height: var(--hm-frame-height, 100dvh); gap: 4px 12px; align-items: stretch;
  display: grid; grid-template: auto auto minmax(0, 1fr) auto auto / minmax(0, 1fr);
  grid-template-areas: "title" "tools" "area" "legend" "transport";
}
.hm-stage.hm-embed .hm-main { display: contents; }
.hm-embed .hm-area { grid-area: area; height: auto; min-height: 0; }
.hm-embed .hm-legend { grid-area: legend; }
.hm-stage.hm-embed .hm-title { grid-area: title; min-height: 0; padding: 0; font-size: 16px; line-height: 1.25; overflow\
: hidden; text-overflow: ellipsis; white-space: nowrap; }
.hm-stage.hm-embed :is(button, select, summary):not(.hm-play) { min-height: 34px; font-size: 14px; }
.hm-stage.hm-embed .hm-icon:not(.hm-play) { width: 34px; height: 34px; }
.hm-embed .hm-tools { grid-area: tools; flex-wrap: wrap; gap: 4px 6px; min-height: 0; margin: 0; padding: 0; overflow: v\
isible; mask-image: none; }
.hm-embed .hm-tools .hm-group { flex: 0 1 auto; flex-wrap: wrap; gap: 4px 6px; }
.hm-embed:not(.hm-deck) .hm-tools > [data-role="brushes"]:not([hidden]) { display: contents; } /* many classes take two \
rows */
.hm-embed .hm-many .hm-brush { padding: 0 6px; }
.hm-embed .hm-brush { padding: 0 10px; }
.hm-embed .hm-brush kbd { display: none; }
@container (max-width: 559.9px) {
  .hm-embed .hm-brush[aria-checked="false"] span, .hm-stage.hm-embed.hm-deck :is([data-step], .hm-units) { display: none\
; }
}
@container (max-width: 300px) { .hm-stage.hm-embed [data-step] { display: none; } }
.hm-embed .hm-tools .hm-corner { display: contents !important; }
.hm-embed .hm-tools .hm-right { position: static !important; margin-left: auto; }
.hm-embed .hm-transport { grid-area: transport; flex-wrap: wrap; gap: 0 8px; }
.hm-stage.hm-embed .hm-play { width: 40px; height: 40px; min-height: 0; }
.hm-embed .hm-scrub { flex: 1 0 100%; min-width: 0; }
.hm-embed .hm-count { flex: none; font-size: 14px; }
.hm-embed .hm-say { grid-area: transport; align-self: end; }
.hm-embed .hm-caption { min-height: 0 !important; padding: 6px 12px; font-size: 14px; }
.hm-embed .hm-status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space\
: nowrap; }
.hm-embed :is(
  .hm-evidence, .hm-legend, .hm-note, .hm-below, .hm-prompts, .hm-before, .hm-speed, .hm-continue, .hm-ask,
  [data-role="modes"], [data-role="switches"], [data-role="loop"], [data-role="menu"], [data-role="help"]
), .hm-embed.hm-deck .hm-right, .hm-embed:not(.hm-still) .hm-say { display: none; }
.hm-embed.hm-deck { gap: 4px; padding: 0 0 4px; }
.hm-embed.hm-deck .hm-tools, .hm-embed.hm-deck .hm-tools .hm-group { flex-wrap: nowrap; } /* compare.css counts on one r\
ow */
.hm-embed.hm-deck .hm-tools { overflow-x: auto; scrollbar-width: none; }
.hm-embed.hm-deck [data-role="modes"] { display: flex; }
.hm-embed.hm-deck .hm-transport { flex-wrap: nowrap; }
.hm-embed.hm-deck .hm-scrub { flex: 1 1 60px; order: 0; }
.hm-embed.hm-deck .hm-count { min-width: 0; order: 0; }
.hm-embed.hm-deck .hm-group { flex: none; }

/* Wide: title, figures and, where it is high enough, one curve beside the picture. */
@container (min-width: 560px) {
  .hm-embed:not(.hm-compact) .hm-grid:not(.hm-alone) {
    grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr) clamp(170px, 30cqw, 320px);
    grid-template-areas: "tools side" "area side" "legend side" "transport transport";
  }
  .hm-embed:not(.hm-compact) .hm-evidence { grid-area: side; display: flex; flex-direction: column; gap: 8px; margin: 0;\
 min-height: 0; overflow: hidden; }
  .hm-stage.hm-embed .hm-evidence > .hm-title { flex: none; white-space: normal; }
  .hm-embed .hm-evidence .hm-panels { flex: 1; min-height: 0; }
  .hm-embed .hm-tiles { grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 6px; }
  .hm-embed .hm-tile { padding: 6px 10px; }
  .hm-embed .hm-tile b { font-size: 18px; }
  .hm-embed .hm-tile span { display: block; line-height: 1.2; }
  .hm-embed .hm-transport { flex-wrap: nowrap; }
  .hm-embed .hm-scrub { flex: 1 1 120px; }
}
@container (min-width: 760px) {
  .hm-embed :is(.hm-speed, [data-role="loop"]) { display: inline-grid; }
  .hm-embed .hm-tools [data-role="modes"], .hm-embed .hm-evidence > [data-role="switches"] { display: flex; }
}
@media (max-height: 459px) {
  .hm-embed .hm-tile:nth-child(n + 3), .hm-stage.hm-embed .hm-evidence .hm-panels { display: none; }
  .hm-embed:not(.hm-compact) .hm-grid:not(.hm-alone, :has(.hm-tile)) { /* no figures either */
    grid-template: auto auto minmax(0, 1fr) auto auto / minmax(0, 1fr);
    grid-template-areas: "title" "tools" "area" "legend" "transport";
    & .hm-evidence { display: contents; }
  }
}
.hm-embed .hm-panel:not(.hm-chosen) { display: none; }
.hm-embed .hm-panel { flex: 1; min-height: 0; overflow: hidden; padding: 8px 10px; }
@media (min-height: 600px) {
  .hm-embed:not(.hm-compact, .hm-deck) .hm-legend { display: block; }
}
`;var present_default=`/* Present mode: large type, and of the rest of the stage only what a room can follow. */
.hm-present { font-size: 22px; }
.hm-stage.hm-present button, .hm-present summary, .hm-present select { font-size: 20px !important; min-height: 52px; pad\
ding: 0 16px !important; border-radius: 26px; }
.hm-stage.hm-present .hm-icon { width: 52px; padding: 0 !important; }
.hm-stage.hm-present .hm-play { width: 64px; height: 64px; border-radius: 50%; }
.hm-present svg { width: 26px; height: 26px; }
.hm-stage.hm-present .hm-brush { max-width: 260px; gap: 8px; }
.hm-present .hm-brush canvas { width: 26px; height: 26px; }
.hm-present .hm-brush kbd { font-size: 20px; }
.hm-present .hm-title { font-size: 28px; }
.hm-present .hm-caption, .hm-present .hm-count { font-size: 22px; line-height: 1.35; }
.hm-present .hm-card, .hm-present .hm-help { font-size: 20px; }
.hm-present .hm-tile b { font-size: 30px; }
.hm-present .hm-tile span { font-size: 20px; }
.hm-present .hm-scrub input { height: 36px; }
.hm-present .hm-scrub canvas.hm-scale { height: 28px; }
.hm-present:not(.hm-deck) [data-role="modes"], .hm-present .hm-continue, .hm-present .hm-status, .hm-present .hm-note, .\
hm-present .hm-below,
.hm-present .hm-tile:nth-child(n + 3), .hm-present .hm-panel:not(.hm-chosen), .hm-present [data-role="menu"] { display: \
none; }

@container (min-width: 900px) {
  .hm-present .hm-grid {
    height: var(--hm-present-height, calc(100dvh - 1.2rem)); gap: 8px 24px; align-items: stretch;
    grid-template: auto auto auto minmax(0, 1fr) auto auto auto / minmax(0, 1fr) 286px;
    grid-template-areas: "tools tools" "area title" "area tiles" "area panel" "area legend" "area say" "transport say";
  }
  .hm-present .hm-main, .hm-present .hm-evidence { display: contents; }
  .hm-present .hm-title { grid-area: title; margin-top: calc(var(--hm-present-kept, 0px) - var(--hm-tools-more, 0px)); p\
adding: 0 !important; min-height: 0 !important; line-height: 1.2 !important; white-space: normal !important; }
  .hm-present .hm-tools { grid-area: tools; padding-right: 118px; min-height: 52px; }
  .hm-present .hm-tools .hm-corner { display: contents !important; }
  .hm-present .hm-tools .hm-right { position: static !important; margin-left: 0; } /* a second row stands over the pictu\
re alone */
  .hm-present .hm-area { grid-area: area; height: auto; }
  .hm-present .hm-legend { grid-area: legend; }
  .hm-present .hm-transport { grid-area: transport; flex-wrap: nowrap; }
  .hm-present .hm-scrub { flex: 1 1 120px; min-width: 0; }
  .hm-present .hm-say { grid-area: say; }
  .hm-present .hm-caption { height: var(--hm-present-say, 7em); min-height: 0 !important; overflow: auto; padding: 8px 1\
2px; font-size: 20px; }
  .hm-present .hm-tiles { grid-area: tiles; display: var(--hm-present-tiles, grid); }
  .hm-present .hm-tile { padding: 6px 10px; }
  .hm-present .hm-tile span { display: block; line-height: 1.15; }
  .hm-present .hm-panels { grid-area: panel; min-height: 0; }
  .hm-present .hm-panel { flex: 1; min-height: 0; overflow: hidden; }
}
@container (max-width: 899.9px) {
  .hm-present .hm-title { padding-right: 118px; min-height: 48px; }
}
@media (min-width: 900px) { /* compared stages share what the deck leaves of the screen */
  .hm-stage.hm-present.hm-compact .hm-title { font-size: 22px; overflow: hidden; text-overflow: ellipsis; white-space: n\
owrap; }
  .hm-present.hm-compact .hm-area { height: var(--hm-compared, 420px); }
  .hm-present.hm-compact :is(.hm-say, .hm-evidence) { display: var(--hm-compared-more, flex); }
  .hm-present.hm-deck { padding: 0; gap: 6px; }
  .hm-present.hm-deck .hm-tools { min-height: 52px; padding-right: 118px; }
}
@media (max-height: 860px) { /* the picture comes first; "?" has the words */
  .hm-present:not(.hm-deck) .hm-legend { display: none; }
}
.hm-present .hm-here { font-size: 20px; }
`;var settings_default=`/* A live stage in a notebook: its settings and what is to be said of the kernel. */
.hm-lab { color: var(--hm-ink); background: var(--hm-background); border-radius: 8px; font: 14px system-ui, sans-serif; \
}
.hm-lab-note { margin: 6px 12px; color: var(--hm-warn); font-weight: 600; }
.hm-lab-note:empty { display: none; }
.hm-settings { padding: 4px 12px 12px; }
.hm-settings-front { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 8px 20px; align-i\
tems: end; }
.hm-settings details { margin-top: 10px; }
.hm-settings summary { cursor: pointer; min-height: 24px; margin-bottom: 6px; }
.hm-setting { display: grid; grid-template-columns: 1fr auto; gap: 2px 8px; align-items: center; min-height: 32px; }
.hm-setting[hidden] { display: none; }
.hm-setting output { font-variant-numeric: tabular-nums; font-weight: 600; }
.hm-setting input[type="range"], .hm-setting select { grid-column: 1 / -1; width: 100%; min-height: 24px; margin: 0; acc\
ent-color: var(--hm-accent); }
.hm-switch input { width: 20px; height: 20px; accent-color: var(--hm-accent); }
`;var sheet_default=`/* Stages beside each other, without an app around them. */
.hm-sheet { padding: 12px; border-radius: 8px; text-align: left; }
.hm-sheet-row { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, max(330px, var(--hm-least, 0px))\
), 1fr)); gap: 16px; }
.hm-sheet[data-stages="4"] { --hm-least: 34%; } /* two rows of two */
.hm-sheet-row > div { min-width: 0; }
`;var stage_default=`/* The stage. Colours are --hm-*, set by theme.js from one table. */
.hm-stage, .hm-stage * { box-sizing: border-box; }
.hm-stage {
  container-type: inline-size;
  position: relative;
  color: var(--hm-ink);
  background: var(--hm-background);
  font-family: var(--st-font, system-ui, sans-serif);
  font-size: 16px;
  line-height: 1.45;
}
.hm-stage:not([data-ready]) { visibility: hidden; height: 0; overflow: hidden; } /* until the first block is inflated */\

.hm-stage [hidden], .hm-still .hm-time { display: none !important; }
.hm-stage p, .hm-stage h2, .hm-stage dl { margin: 0; }
.hm-main, .hm-evidence { min-width: 0; display: flex; flex-direction: column; gap: 10px; }
.hm-evidence { margin-top: 18px; }
.hm-title { font-size: 22px; font-weight: 700; line-height: 1.2; overflow-wrap: anywhere; }
.hm-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; \
}

/* buttons */
.hm-stage button, .hm-stage summary, .hm-stage select {
  font: inherit; font-size: 15px; color: var(--hm-ink);
  min-height: 40px; padding: 0 14px;
  border: 1px solid var(--hm-line); border-radius: 20px; background: var(--hm-background);
  cursor: pointer; touch-action: manipulation;
}
.hm-stage button:hover:not(:disabled), .hm-stage summary:hover, .hm-stage select:hover { border-color: var(--hm-muted); \
}
.hm-stage button:disabled { opacity: 0.4; cursor: default; }
.hm-stage button[aria-pressed="true"], .hm-stage button[aria-checked="true"] {
  border-color: var(--hm-accent); box-shadow: inset 0 0 0 1px var(--hm-accent);
  background: color-mix(in srgb, var(--hm-accent) 9%, var(--hm-background));
}
.hm-stage :focus-visible { outline: 3px solid var(--hm-accent); outline-offset: 2px; }
.hm-stage .hm-icon { width: 40px; padding: 0; display: inline-grid; place-items: center; font-weight: 600; }
.hm-stage svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; str\
oke-linejoin: round; }
.hm-stage svg .hm-fill { fill: currentColor; stroke-width: 1; }
.hm-tools, .hm-transport, .hm-group { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.hm-corner { display: contents; }
.hm-group:not(:has(> :not([hidden]))) { display: none; } /* an empty one leaves no gap */
.hm-right { margin-left: auto; }
.hm-brush { display: inline-flex; align-items: center; gap: 8px; max-width: 190px; }
.hm-brush span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.hm-brush canvas { width: 20px; height: 20px; flex: none; }
.hm-brush kbd {
  font: inherit; font-size: 12px; line-height: 17px; color: var(--hm-soft);
  padding: 0 3px; text-align: center; border: 1px solid var(--hm-line); border-bottom-width: 2px; border-radius: 4px;
}
.hm-many .hm-brush { padding: 0 10px; max-width: 110px; }
.hm-stage [data-mode]:not(.hm-area) { display: inline-flex; align-items: center; gap: 6px; }
.hm-tools [data-mode] svg { width: 18px; height: 18px; stroke-width: 1.8; }
@container (max-width: 1300px) { /* fewer words: the tools have one row */
  .hm-stage .hm-tools [data-mode] { width: 40px; padding: 0; justify-content: center; }
  .hm-tools [data-mode] span, .hm-brush kbd { display: none; }
}
@container (max-width: 1060px) {
  .hm-brush:is([data-brush="-1"], [data-brush="-2"]) span { display: none; }
}

/* the stage itself */
.hm-area {
  position: relative; width: 100%; height: 420px; overflow: hidden;
  border-radius: 10px; cursor: crosshair; user-select: none; -webkit-user-select: none;
}
.hm-area > canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
.hm-area[data-mode="drag"] { cursor: grab; }
.hm-area[data-locked="1"] { cursor: default; }
.hm-zoom { position: absolute; right: 14px; top: 14px; display: flex; flex-direction: column; gap: 6px; opacity: 0; tran\
sition: opacity 0.15s; }
.hm-area:hover .hm-zoom, .hm-zoom:focus-within, .hm-area[data-zoomed="1"] .hm-zoom { opacity: 1; }
.hm-prompts { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
.hm-stage .hm-prompt, .hm-stage .hm-dismiss { min-height: 32px; font-size: 14px; line-height: 1.2; padding: 4px 12px; }
.hm-stage .hm-prompt { border-color: var(--hm-accent); }
.hm-stage .hm-dismiss { border: 0; background: none; color: var(--hm-soft); text-decoration: underline; }
.hm-present .hm-prompts { display: none; }
.hm-here {
  position: absolute; z-index: 2; max-width: 70%; padding: 1px 8px; border-radius: 6px; pointer-events: none; white-spac\
e: pre-wrap;
  font-size: 14px; font-variant-numeric: tabular-nums; color: var(--hm-ink); background: color-mix(in srgb, var(--hm-bac\
kground) 86%, transparent);
}
.hm-legend { width: 100%; height: 24px; }
.hm-card .hm-thumb { width: 84px; height: auto; margin-top: 6px; image-rendering: pixelated; border: 1px solid var(--hm-\
line); }

/* transport: the scrubber has a row to itself, as wide as the stage */
.hm-transport { row-gap: 2px; }
.hm-transport > .hm-group:last-child { margin-left: auto; }
.hm-transport .hm-group { flex-wrap: nowrap; gap: 6px; }
.hm-stage .hm-play { background: var(--hm-accent); color: var(--hm-on-accent); border-color: var(--hm-accent); width: 46\
px; height: 46px; border-radius: 50%; }
.hm-when-playing, [data-playing="1"] .hm-when-paused { display: none; }
[data-playing="1"] .hm-when-playing { display: inline; }
.hm-scrub { flex: 1 0 100%; position: relative; padding-top: 12px; }
.hm-scrub canvas { position: absolute; top: 0; left: 0; width: 100%; height: 16px; }
.hm-scrub input {
  -webkit-appearance: none; appearance: none; display: block; width: 100%; height: 28px; margin: 0;
  background: transparent; cursor: pointer; touch-action: pan-y;
}
.hm-scrub input::-webkit-slider-runnable-track {
  height: 5px; border-radius: 3px;
  background: linear-gradient(to right, var(--hm-accent) var(--hm-share, 0%), var(--hm-line) var(--hm-share, 0%));
}
.hm-scrub input::-moz-range-track { height: 5px; border-radius: 3px; background: var(--hm-line); }
.hm-scrub input::-moz-range-progress { height: 5px; border-radius: 3px; background: var(--hm-accent); }
.hm-scrub input::-webkit-slider-thumb {
  -webkit-appearance: none; width: 18px; height: 18px; margin-top: -6.5px; border-radius: 50%;
  background: var(--hm-accent); border: 2px solid var(--hm-background);
}
.hm-scrub input::-moz-range-thumb { width: 14px; height: 14px; border-radius: 50%; background: var(--hm-accent); border:\
 2px solid var(--hm-background); }
.hm-count { font-weight: 700; white-space: nowrap; font-variant-numeric: tabular-nums; min-width: 6.2em; padding-left: 6\
px; }
.hm-stage select { padding: 0 8px; }
.hm-scrub canvas.hm-scale { position: static; display: block; margin-top: -6px; height: 18px; }

/* menus */
.hm-menu { position: relative; }
.hm-menu summary { list-style: none; }
.hm-menu summary::-webkit-details-marker { display: none; }
.hm-menu > div {
  position: absolute; right: 0; bottom: 48px; z-index: 6; width: max-content; max-width: min(340px, 88vw);
  padding: 8px; background: var(--hm-background); border: 1px solid var(--hm-line); border-radius: 10px;
  box-shadow: 0 6px 24px rgb(0 0 0 / 22%);
}
.hm-menu > div { display: flex; flex-direction: column; }
.hm-menu > div button { border: 0; border-radius: 6px; text-align: left; }
.hm-menu > div label { display: flex; align-items: center; gap: 8px; min-height: 36px; padding: 0 14px; cursor: pointer;\
 }
.hm-menu > div button:hover { background: var(--hm-panel); }
.hm-menu > .hm-help { gap: 14px; padding: 14px 16px; max-height: min(60vh, 560px); overflow: auto; font-size: 15px; }
.hm-menu dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 14px; }
.hm-menu dl[data-role="words"] { grid-template-columns: 1fr; padding-top: 12px; border-top: 1px solid var(--hm-line); }
.hm-menu dt { font-weight: 600; }
.hm-menu dd { margin: 0; color: var(--hm-soft); }

/* caption, figures, curves */
.hm-say { display: flex; align-items: stretch; gap: 12px; }
.hm-caption {
  flex: 1; padding: 10px 14px; font-size: 16px;
  background: var(--hm-panel); border-left: 4px solid var(--hm-accent); border-radius: 0 8px 8px 0;
}
.hm-continue { align-self: center; white-space: nowrap; }
.hm-status, .hm-note { font-size: 14px; color: var(--hm-soft); }
.hm-status { min-height: 1.45em; } /* always there: the stage must not move under the pointer */
.hm-tiles { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; }
.hm-tile { padding: 10px 14px; background: var(--hm-panel); border-radius: 8px; min-width: 0; }
.hm-tile b { display: block; font-size: 22px; line-height: 1.2; font-variant-numeric: tabular-nums; overflow: hidden; te\
xt-overflow: ellipsis; white-space: nowrap; }
.hm-tile span { font-size: 14px; color: var(--hm-soft); }
.hm-figure { display: flex; align-items: baseline; gap: 8px; }
.hm-figure i { font-size: 19px; font-style: normal; font-weight: 700; color: var(--hm-soft); font-variant-numeric: tabul\
ar-nums; }
.hm-figure i[data-tone="good"] { color: var(--hm-good); }
.hm-figure i[data-tone="bad"] { color: var(--hm-bad); }
.hm-before { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; font-size: 15px; padding: 2px; }
.hm-before p { flex: 1 0 100%; }
.hm-stage .hm-before button { display: inline-flex; align-items: center; gap: 6px; padding: 0 12px; font-size: 14px; }
.hm-before p:empty { display: none; }
.hm-before svg { color: var(--hm-soft); stroke-width: 2.6; }
.hm-before .hm-flip { color: var(--hm-warn); }
.hm-panels { display: flex; flex-direction: column; gap: 10px; }
.hm-below { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; margin-top: 10px; }
.hm-panel { position: relative; padding: 12px 14px 10px; border: 1px solid var(--hm-line); border-radius: 10px; }
.hm-panel canvas { display: block; width: 100%; touch-action: pan-y; }
.hm-choice { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px; }
.hm-panel.hm-linked canvas { cursor: col-resize; }

/* wide: stage two thirds, evidence one third */
@container (min-width: 900px) {
  /* One row of tools: title and switches stand above the figures, else beside each other. */
  .hm-main { position: relative; }
  .hm-evidence > .hm-title { font-size: 20px; }
  .hm-evidence > .hm-right { margin-left: 0; flex-wrap: nowrap; gap: 6px; }
  .hm-stage .hm-evidence > .hm-right button { min-height: 34px; padding: 0 12px; font-size: 14px; }
  .hm-main > .hm-title:not([hidden]) { min-height: 40px; line-height: 40px; padding-right: 340px; overflow: hidden; text\
-overflow: ellipsis; white-space: nowrap; }
  .hm-title:not([hidden]) + .hm-tools .hm-right { position: absolute; top: 0; right: 0; }
  .hm-tools, .hm-tools .hm-group { gap: 6px; }
  .hm-stage .hm-before button { min-height: 32px; }
  .hm-tools > :not(.hm-corner) button { padding: 0 10px; font-size: 14px; gap: 5px; }
  .hm-grid { display: grid; grid-template-columns: minmax(0, 2fr) minmax(300px, 1fr); gap: 24px; align-items: start; }
  .hm-evidence { margin-top: 0; }
  .hm-below { grid-column: 1 / -1; grid-template-columns: repeat(auto-fit, minmax(380px, 1fr)); gap: 16px; margin-top: 0\
; }
  .hm-alone { grid-template-columns: minmax(0, 1fr); }
  .hm-even { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  /* half the width: the scrubber has a row to itself */
  .hm-even .hm-transport { flex-wrap: wrap; row-gap: 4px; }
  .hm-even .hm-scrub { order: -2; flex: 1 0 60%; }
  .hm-even .hm-count { order: -1; }
  .hm-even .hm-transport > .hm-group:last-child { margin-left: auto; }
}
@container (min-width: 1060px) { /* with room for undo and redo beside the title, too */
  .hm-main > .hm-title:not([hidden]) { padding-right: 430px; }
  .hm-title:not([hidden]) + .hm-tools .hm-corner { position: absolute; top: 0; right: 0; display: flex; gap: 8px; }
  .hm-title:not([hidden]) + .hm-tools .hm-right { position: static; }
}
@container (max-width: 620px) {
  .hm-transport > .hm-group { flex: 1 1 auto; justify-content: space-between; }
  .hm-count { flex: 1; min-width: max-content; } /* a long one goes into the next row */
  .hm-right { margin-left: 0; }
  .hm-say { flex-direction: column; }
  /* One row of tools, which a finger moves; the last of it in sight is cut, so there is more. */
  .hm-tools {
    flex-wrap: nowrap; gap: 6px; overflow-x: auto; scrollbar-width: none; margin: -5px 0 -5px -5px; padding: 5px 24px 5p\
x 5px;
    mask-image: linear-gradient(to right, #000 calc(100% - 24px), transparent);
  }
  .hm-tools .hm-group { flex: none; flex-wrap: nowrap; gap: 6px; }
  .hm-tools button { padding: 0 11px; font-size: 14px; }
  .hm-zoom { display: none; }
}
@media (prefers-reduced-motion: reduce) { .hm-zoom { transition: none; } }

/* one of several side by side: tools and transport stand in the deck above them */
.hm-compact .hm-tools, .hm-compact .hm-transport, .hm-compact .hm-legend, .hm-compact .hm-continue { display: none; }
.hm-compact .hm-title { font-size: 19px; }
.hm-compact .hm-main { gap: 6px; }
.hm-compact .hm-caption { font-size: 15px; padding: 6px 12px; }
.hm-compact .hm-evidence { margin-top: 8px; gap: 8px; }
.hm-compact .hm-tiles { grid-template-columns: repeat(auto-fit, minmax(100px, 1fr)); gap: 6px; }
.hm-compact .hm-tile { padding: 6px 10px; }
.hm-compact .hm-tile b { font-size: 18px; }
@container (min-width: 460px) {
  .hm-compact .hm-panels { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; }
}
.hm-stage.hm-compact .hm-title { padding-right: 0; min-height: 0; } /* nothing stands in its corner */

/* On paper a stage without an app is a still. */
@media print {
  .hm-deck[data-alone], .hm-stage[data-alone] :is(.hm-tools, .hm-right, .hm-zoom, .hm-scrub, .hm-transport .hm-group) { \
display: none !important; }
}
`;var stopping_default=`/* lines that can be dragged, and what stopping rules find */
.hm-handles { position: absolute; left: 14px; top: 12px; width: 0; height: 0; }
.hm-handle {
  position: absolute; left: 0; top: 0; min-width: 30px; height: 26px; padding: 0 5px; display: grid; place-items: center\
;
  border: 2px solid var(--hm-own, var(--hm-ink)); border-radius: 13px; background: var(--hm-background); color: var(--hm\
-ink);
  font-size: 14px; font-weight: 600; line-height: 1; cursor: row-resize; touch-action: none; user-select: none; -webkit-\
user-select: none;
}
.hm-handle[aria-orientation="horizontal"] { cursor: col-resize; }
.hm-handle:focus-visible { z-index: 1; }
.hm-ask { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 14px; padding-top: 8px; font-size: 15px; }
.hm-ask p { flex: 1 1 240px; }
.hm-stage .hm-ask .hm-first { background: var(--hm-accent); border-color: var(--hm-accent); color: var(--hm-on-accent); \
font-weight: 600; }
.hm-head { margin: 0 0 6px; font-size: 16px; font-weight: 600; line-height: 1.2; }
.hm-rules { overflow-x: auto; }
.hm-rules table { width: 100%; border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
.hm-rules th, .hm-rules td { padding: 1px 8px 1px 0; text-align: left; font-weight: 400; border-bottom: 1px solid var(--\
hm-line); vertical-align: baseline; }
.hm-rules td { white-space: nowrap; }
.hm-rules thead th { color: var(--hm-soft); font-size: 13px; line-height: 1.25; vertical-align: bottom; }
.hm-rules tbody tr { cursor: pointer; }
.hm-rules tbody tr:hover { background: var(--hm-panel); }
.hm-rules tr[aria-current] { background: var(--hm-panel); box-shadow: inset 4px 0 0 var(--hm-accent); }
.hm-rules tbody th { padding-left: 8px; white-space: nowrap; }
.hm-stage .hm-rules button { min-height: 26px; padding: 0; border: 0; border-radius: 4px; background: none; font-size: 1\
4px; text-align: left; }
.hm-rules tr[aria-current] button { font-weight: 600; }
.hm-rules small { color: var(--hm-soft); font-size: 13px; white-space: nowrap; }
.hm-rules .hm-never td { color: var(--hm-soft); }
@container (max-width: 620px) {
  .hm-rules th, .hm-rules td { padding-right: 5px; white-space: normal; } /* a slow run's times are longer words */
  .hm-rules table, .hm-stage .hm-rules button { font-size: 13px; }
  .hm-rules tbody th { padding-left: 6px; white-space: normal; }
  .hm-rules small { display: block; }
  .hm-rules .hm-more { display: none; }
}
.hm-verdict { margin-top: 8px !important; min-height: 2.9em; font-size: 15px; }
.hm-controls { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 4px; }
.hm-controls label { flex: 1 1 150px; font-size: 14px; color: var(--hm-soft); }
.hm-controls b { color: var(--hm-ink); white-space: nowrap; }
.hm-controls input { display: block; width: 100%; height: 26px; margin: 0; accent-color: var(--hm-accent); }
/* In front of a room the norms need as much width as the stage. */
.hm-present .hm-ask, .hm-present .hm-verdict, .hm-present .hm-rules table, .hm-present .hm-controls label { font-size: 2\
0px; }
.hm-stage.hm-present .hm-rules button { min-height: 34px; padding: 0 !important; border-radius: 4px; }
.hm-present .hm-rules .hm-more { display: none; }
.hm-present .hm-head { font-size: 26px; }
.hm-present .hm-rules thead th, .hm-present .hm-rules small { font-size: 17px; }
.hm-present .hm-handle { min-width: 44px; height: 36px; border-radius: 18px; font-size: 20px; }
@container (min-width: 900px) {
  .hm-present .hm-grid.hm-even {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    grid-template-rows: auto auto minmax(0, 1fr) auto auto auto;
    grid-template-areas: "tools tools" "area title" "area panel" "legend panel" "transport panel" "say say";
  }
  .hm-present .hm-even .hm-panel { overflow: auto; }
  .hm-present .hm-even .hm-caption { height: auto; }
  .hm-present .hm-even .hm-transport { flex-wrap: wrap; }
  .hm-present .hm-even .hm-scrub { order: -2; flex: 1 0 60%; }
}
`;var terms_default=`/* Words of the glossary on the stage: part of their line, with a card above it. */
.hm-stage button.hm-term, .hm-stage.hm-present button.hm-term {
  all: unset; font: inherit !important; min-height: 0; padding: 3px 4px !important; margin: 0 -4px; cursor: help;
  text-decoration: underline dotted 1.5px; text-underline-offset: 0.2em;
}
.hm-stage button.hm-term:hover { text-decoration-style: solid; }
.hm-stage button.hm-term:focus-visible { outline: 2px solid var(--hm-accent); outline-offset: 2px; border-radius: 3px; }\

.hm-meaning {
  max-width: min(360px, 88vw); margin: auto; padding: 10px 14px; font-size: 15px; line-height: 1.45;
  color: var(--hm-ink); background: var(--hm-background); border: 1px solid var(--hm-line); border-radius: 10px;
  box-shadow: 0 6px 24px rgb(0 0 0 / 22%);
}
@supports (position-area: top) {
  .hm-meaning { inset: auto; margin: 6px 8px; position-area: top span-right; position-try-fallbacks: flip-block, flip-in\
line, flip-block flip-inline; }
}
.hm-present .hm-meaning { font-size: 20px; }
`;var deck_default2=`<div class="hm-stage hm-deck" data-role="root">
  <div class="hm-tools" role="toolbar" aria-label="Labelling tools for all stages">
    <div class="hm-group" data-role="brushes" role="radiogroup" aria-label="Class brush"></div>
    <div class="hm-group" data-role="modes" role="group" aria-label="Undo and redo">
      <button type="button" class="hm-icon" data-role="undo" aria-label="Undo" title="Undo (z)"><svg aria-hidden="true" \
viewBox="0 0 20 20"><path d="M8 4 3.5 8.5 8 13M4 8.5h8a4.5 4.5 0 0 1 0 9H9"/></svg></button>
      <button type="button" class="hm-icon" data-role="redo" aria-label="Redo" title="Redo (Shift+z)"><svg aria-hidden="\
true" viewBox="0 0 20 20"><path d="m12 4 4.500 4.500L12 13M16 8.500H8a4.500 4.500 0 0 0 0 9h3"/></svg></button>
    </div>
    <div class="hm-group hm-right">
      <button type="button" data-toggle="predictions" aria-pressed="false" title="Colour all points by prediction (p)">P\
redictions</button>
      <button type="button" data-toggle="mistakes" aria-pressed="false" title="Cross out wrong predictions (m)">Mistakes\
</button>
    </div>
  </div>
  <canvas class="hm-legend" data-role="legend" role="img"></canvas>
  <div class="hm-transport" role="group" aria-label="Playback of all stages">
    <div class="hm-scrub hm-time">
      <div class="hm-ends" data-role="ends" aria-hidden="true"></div>
      <input type="range" min="0" max="0" step="1" value="0" data-role="range" aria-label="Iteration">
    </div>
    <div class="hm-group hm-time">
      <button type="button" class="hm-icon" data-step="first" aria-label="Start" title="Start (Home)"><svg aria-hidden="\
true" viewBox="0 0 20 20"><path class="hm-fill" d="M4 4h2.500v12H4zM17 4v12L8 10z"/></svg></button>
      <button type="button" class="hm-icon" data-step="-1" aria-label="Step back" title="Back (←)"><svg aria-hidden="tru\
e" viewBox="0 0 20 20"><path class="hm-fill" d="M14.5 4v12L5.5 10z"/></svg></button>
      <button type="button" class="hm-icon hm-play" data-role="play" aria-label="Play" title="Play or pause (Space)"><sv\
g aria-hidden="true" viewBox="0 0 20 20"><path class="hm-fill hm-when-paused" d="M6 3.500v13l11-6.500z"/><path class="hm\
-fill hm-when-playing" d="M5 4h3.500v12H5zM11.5 4H15v12h-3.500z"/></svg></button>
      <button type="button" class="hm-icon" data-step="1" aria-label="Step forward" title="Forward (→)"><svg aria-hidden\
="true" viewBox="0 0 20 20"><path class="hm-fill" d="M5.5 4v12l9-6z"/></svg></button>
      <button type="button" class="hm-icon" data-step="last" aria-label="End" title="End (End)"><svg aria-hidden="true" \
viewBox="0 0 20 20"><path class="hm-fill" d="M13.5 4H16v12h-2.500zM3 4v12l9-6z"/></svg></button>
    </div>
    <output class="hm-count hm-time" data-role="count" aria-live="off"></output>
    <div class="hm-group hm-time">
      <div class="hm-group hm-units" role="radiogroup" aria-label="Move all stages by" data-role="units">
        <button type="button" role="radio" data-unit="iterations" title="All stages show the same iteration">Iterations<\
/button>
        <button type="button" role="radio" data-unit="seconds" title="All stages show what was reached after the same so\
lver time">Seconds</button>
      </div>
      <label class="hm-speed"><span class="hm-hidden">Speed</span>
        <select data-role="speed" title="Speed">
          <option value="0.25">¼×</option><option value="0.5">½×</option><option value="1" selected>1×</option>
          <option value="2">2×</option><option value="4">4×</option>
        </select></label>
      <button type="button" class="hm-icon" data-role="loop" aria-pressed="false" aria-label="Loop" title="Loop (l)"><sv\
g aria-hidden="true" viewBox="0 0 20 20"><path d="M4 9a5 5 0 0 1 5-4h6m-3-3 3 3-3 3M16 11a5 5 0 0 1-5 4H5m3 3-3-3 3-3"/>\
</svg></button>
      <details class="hm-menu" data-role="help">
        <summary class="hm-icon" aria-label="Keys" title="Keys">?</summary>
        <dl data-role="keys"></dl>
      </details>
    </div>
  </div>
</div>
`;var stage_default2=`<div class="hm-stage" data-role="root">
<div class="hm-grid" data-role="grid">
  <section class="hm-main" data-role="main" aria-label="Stage">
    <h2 class="hm-title" data-role="title" hidden></h2>
    <div class="hm-tools" role="toolbar" aria-label="Labelling tools">
      <div class="hm-group" data-role="brushes" role="radiogroup" aria-label="Class brush"></div>
      <div class="hm-group" data-role="modes" role="group" aria-label="Editing mode">
        <button type="button" data-mode="add" aria-label="Add" title="Click to add points with the chosen brush"><svg vi\
ewBox="0 0 20 20" aria-hidden="true"><circle cx="7.500" cy="12" r="3.500"/><path d="M15 3v7M11.500 6.500h7"/></svg><span\
>Add</span></button>
        <button type="button" data-mode="spray" aria-label="Spray" title="Hold and move to spray points with the chosen \
brush"><svg viewBox="0 0 20 20" aria-hidden="true"><path stroke-width="3" d="M4 5h.01M10 4h.01M15 7h.01M6 10h.01M11.500 \
10.500h.01M16.500 13h.01M4.500 15.500h.01M10 16h.01"/></svg><span>Spray</span></button>
        <button type="button" data-mode="drag" aria-label="Drag" title="Drag points to a new position"><svg viewBox="0 0\
 20 20" aria-hidden="true"><path d="M10 2v16M2 10h16M7.500 4.500 10 2l2.500 2.500M7.500 15.500 10 18l2.500-2.500M4.500 7\
.500 2 10l2.500 2.500M15.500 7.500 18 10l-2.500 2.500"/></svg><span>Drag</span></button>
        <button type="button" data-mode="lasso" aria-label="Lasso" title="Draw around points to label them all"><svg vie\
wBox="0 0 20 20" aria-hidden="true"><path stroke-dasharray="3 3" d="M10 3c4.500 0 7.500 2 7.500 5s-3 5-7.500 5-7.500-2-7\
.500-5 3-5 7.500-5z"/><path d="M5.500 12.500C4.500 15 6 16.500 8 17.500"/></svg><span>Lasso</span></button>
      </div>
      <div class="hm-corner" data-role="corner">
        <div class="hm-group" role="group" aria-label="History">
          <button type="button" class="hm-icon" data-role="undo" aria-label="Undo" title="Undo (z)"><svg aria-hidden="tr\
ue" viewBox="0 0 20 20"><path d="M8 4 3.5 8.5 8 13M4 8.5h8a4.5 4.5 0 0 1 0 9H9"/></svg></button>
          <button type="button" class="hm-icon" data-role="redo" aria-label="Redo" title="Redo (Shift+z)"><svg aria-hidd\
en="true" viewBox="0 0 20 20"><path d="m12 4 4.5 4.500L12 13M16 8.500H8a4.5 4.5 0 0 0 0 9h3"/></svg></button>
        </div>
        <div class="hm-group hm-right" data-role="switches" role="group" aria-label="What is drawn">
          <button type="button" data-toggle="predictions" aria-pressed="false" title="Colour all points by prediction (p\
)">Predictions</button>
          <button type="button" data-toggle="mistakes" aria-pressed="false" title="Cross out wrong predictions (m)">Mist\
akes</button>
          <button type="button" data-toggle="graph" aria-pressed="false" title="Neighbourhood graph (g)">Graph</button>
        </div>
      </div>
    </div>
    <div class="hm-area" data-role="area" tabindex="0" role="application" aria-roledescription="decision field"
         aria-label="Stage. Space plays, arrow keys step, n walks through the points, Enter labels, k shows a crosshair \
to add, drag and select points with.">
      <canvas data-role="scene" aria-hidden="true"></canvas>
      <canvas data-role="overlay" aria-hidden="true"></canvas>
      <div class="hm-zoom" role="group" aria-label="Zoom">
        <button type="button" class="hm-icon" data-zoom="1.5" aria-label="Zoom in" title="Zoom in (+)"><svg aria-hidden=\
"true" viewBox="0 0 20 20"><path d="M10 4v12M4 10h12"/></svg></button>
        <button type="button" class="hm-icon" data-zoom="0.6667" aria-label="Zoom out" title="Zoom out (−)"><svg aria-hi\
dden="true" viewBox="0 0 20 20"><path d="M4 10h12"/></svg></button>
        <button type="button" class="hm-icon" data-zoom="0" aria-label="Fit" title="Show everything (f)"><svg aria-hidde\
n="true" viewBox="0 0 20 20"><path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4"/></svg></button>
      </div>
      <p class="hm-here" data-role="here" aria-hidden="true" hidden></p>
    </div>
    <canvas class="hm-legend" data-role="legend" role="img"></canvas>
    <div class="hm-transport" role="group" aria-label="Playback">
      <div class="hm-scrub hm-time">
        <canvas data-role="ticks" aria-hidden="true"></canvas>
        <input type="range" min="0" max="0" step="1" value="0" data-role="range" aria-label="Iteration">
        <canvas class="hm-scale" data-role="scale" aria-hidden="true" hidden></canvas>
      </div>
      <div class="hm-group hm-time">
        <button type="button" class="hm-icon" data-step="first" aria-label="First iteration" title="First (Home)"><svg a\
ria-hidden="true" viewBox="0 0 20 20"><path class="hm-fill" d="M4 4h2.500v12H4zM17 4v12L8 10z"/></svg></button>
        <button type="button" class="hm-icon" data-step="-1" aria-label="Step back" title="Back (←)"><svg aria-hidden="t\
rue" viewBox="0 0 20 20"><path class="hm-fill" d="M14.5 4v12L5.5 10z"/></svg></button>
        <button type="button" class="hm-icon hm-play" data-role="play" aria-label="Play" title="Play or pause (Space)"><\
svg aria-hidden="true" viewBox="0 0 20 20"><path class="hm-fill hm-when-paused" d="M6 3.500v13l11-6.500z"/><path class="\
hm-fill hm-when-playing" d="M5 4h3.500v12H5zM11.5 4H15v12h-3.500z"/></svg></button>
        <button type="button" class="hm-icon" data-step="1" aria-label="Step forward" title="Forward (→)"><svg aria-hidd\
en="true" viewBox="0 0 20 20"><path class="hm-fill" d="M5.5 4v12l9-6z"/></svg></button>
        <button type="button" class="hm-icon" data-step="last" aria-label="Last iteration" title="Last (End)"><svg aria-\
hidden="true" viewBox="0 0 20 20"><path class="hm-fill" d="M13.5 4H16v12h-2.500zM3 4v12l9-6z"/></svg></button>
      </div>
      <output class="hm-count hm-time" data-role="count" aria-live="off"></output>
      <div class="hm-group">
        <label class="hm-speed hm-time"><span class="hm-hidden">Speed</span>
          <select data-role="speed" title="Speed">
            <option value="0.25">¼×</option><option value="0.5">½×</option><option value="1" selected>1×</option>
            <option value="2">2×</option><option value="4">4×</option>
          </select></label>
        <button type="button" class="hm-icon hm-time" data-role="loop" aria-pressed="false" aria-label="Loop" title="Loo\
p (l)"><svg aria-hidden="true" viewBox="0 0 20 20"><path d="M4 9a5 5 0 0 1 5-4h6m-3-3 3 3-3 3M16 11a5 5 0 0 1-5 4H5m3 3-\
3-3 3-3"/></svg></button>
        <details class="hm-menu" data-role="menu">
          <summary class="hm-icon" aria-label="Save a picture or video" title="Save a picture or video"><svg aria-hidden\
="true" viewBox="0 0 20 20"><path d="M10 3v9m-4-3.5 4 4 4-4M4 16.500h12"/></svg></summary>
          <div>
            <button type="button" data-export="picture">Picture (PNG)</button>
            <button type="button" class="hm-time" data-export="animation">Animation (animated PNG)</button>
            <button type="button" class="hm-time" data-export="film">Video (WebM)</button>
            <label title="Data, algorithm, parameters and version below the picture"><input type="checkbox" data-role="c\
aptioned" checked> Caption</label>
          </div>
        </details>
        <details class="hm-menu" data-role="help">
          <summary class="hm-icon" aria-label="Keys and words" title="Keys and words">?</summary>
          <div class="hm-help" tabindex="0" role="region" aria-label="Keys and words"><dl data-role="keys"></dl><dl data\
-role="words"></dl></div>
        </details>
      </div>
    </div>
    <div class="hm-say">
      <p class="hm-caption" data-role="caption" aria-live="polite"></p>
      <button type="button" class="hm-continue" data-role="continue" hidden>Continue from here</button>
    </div>
    <p class="hm-status" data-role="status" role="status"></p>
    <p class="hm-note" data-role="note" hidden></p>
  </section>
  <aside class="hm-evidence" data-role="evidence" aria-label="Figures and curves">
    <div class="hm-prompts" data-role="prompts" role="group" aria-label="Try this" hidden></div>
    <div class="hm-tiles" data-role="tiles"></div>
    <div class="hm-before" data-role="before" role="group" aria-label="Previous run" hidden>
      <p data-role="beforeWords" aria-live="polite"></p>
      <button type="button" data-toggle="ghost" aria-pressed="true" title="Show or hide what this run is compared with, \
dotted (b)"><svg aria-hidden="true" viewBox="0 0 20 20"><path stroke-dasharray="0.1 4.6" d="M1 10h19"/></svg><span data-\
role="ghostName"></span></button>
      <button type="button" data-toggle="flipped" aria-pressed="false" title="Ring the points whose prediction changed">\
<svg aria-hidden="true" class="hm-flip" viewBox="0 0 20 20"><circle cx="10" cy="10" r="7" stroke-dasharray="4.4 2.9"/></\
svg>Flipped</button>
    </div>
    <div class="hm-panels" data-role="panels"></div>
  </aside>
  <section class="hm-below" data-role="below" aria-label="More curves" hidden></section>
</div>
  <div class="hm-card" data-role="card" hidden></div>
  <div class="hm-meaning" data-role="meaning" popover="auto"></div>
  <p class="hm-hidden" data-role="live" aria-live="polite"></p>
</div>
`;function one(root,selector){let found=root.querySelector(selector);if(!(found instanceof HTMLElement))throw new Error(`T\
here is no ${selector}.`);return found}function all(root,selector){return[...root.querySelectorAll(selector)].filter(found=>found instanceof
HTMLElement)}function penOf(canvas){return canvas.getContext("2d")}function offscreen(width,height){let canvas=new OffscreenCanvas(
width,height);return{canvas,pen:canvas.getContext("2d")}}var theme_default={light:{ink:"#1c2330",soft:"#566072",muted:"#8a94a6",accent:"#5b3fd6",good:"#0f8a5f",warn:"#b45309",bad:"\
#c2255c",background:"#ffffff",panel:"#f6f7f9",line:"#e3e6ec",onAccent:"#ffffff",classes:["#e8590c","#1f6feb","#0f8a5f","\
#a61e9a","#b58900","#0891b2","#7a4b1e","#d6336c","#6741d9","#5c940d"],strength:.56},dark:{ink:"#e8ecf3",soft:"#aab4c4",muted:"\
#7b8798",accent:"#a08cff",good:"#3fcf9b",warn:"#f5b942",bad:"#ff7aa2",background:"#0f131a",panel:"#171c26",line:"#2a3140",
onAccent:"#14102b",classes:["#ff8a4c","#5b9bff","#3fcf9b","#f07be0","#f2cf4a","#4fd3ee","#c89a6b","#ff7fa5","#b197fc","#\
a3d94f"],strength:.56}};var LIGHT={dark:!1,...theme_default.light},DARK={dark:!0,...theme_default.dark};function parseColour(text2){let hex=text2.
trim().match(/^#([0-9a-f]{6})$/i);if(hex){let v=parseInt(hex[1],16);return[v>>16,v>>8&255,v&255]}let rgb=text2.match(/[\d.]+/g);
return rgb&&rgb.length>=3?rgb.slice(0,3).map(Number):[255,255,255]}function mixColours(from,to,share){let a=parseColour(
from),b=parseColour(to);return a.map((v,i)=>Math.round(v+(b[i]-v)*share))}function rgbText(rgb){return`rgb(${rgb.join(",")}\
)`}function readTheme(root){let background=getComputedStyle(root).getPropertyValue("--st-background-color").trim(),[r,g,
b]=parseColour(background||"#ffffff"),base=.3*r+.59*g+.11*b<128?DARK:LIGHT,panel=getComputedStyle(root).getPropertyValue(
"--st-secondary-background-color").trim(),theme={...base,background:background||base.background,panel:panel||base.panel,
font:getComputedStyle(root).fontFamily};for(let role of["ink","soft","muted","accent","good","warn","bad","background","\
panel","line"])root.style.setProperty(`--hm-${role}`,theme[role]);return root.style.setProperty("--hm-on-accent",theme.onAccent),
root.dataset.theme=theme.dark?"dark":"light",theme}function classColour(theme,c){let colour=theme.classes[c%10];return c<
10?colour:rgbText(mixColours(colour,theme.ink,.35))}function roleColour(theme,role){let match=/^class(\d+)$/.exec(role);
return match?classColour(theme,Number(match[1])):theme[role]?String(theme[role]):theme.ink}var SYSTEM=matchMedia("(prefers-color-scheme: dark)");function frameOf(window2){try{return window2.frameElement}catch{return null}}
function outer(element2){if(element2.parentElement)return element2.parentElement;let root=element2.getRootNode();if("hos\
t"in root)return root.host;let view=element2.ownerDocument.defaultView;return view&&frameOf(view)}function isDark(home){
for(let at=outer(home);at;at=outer(at)){let colour=getComputedStyle(at).backgroundColor,parts=colour.match(/[\d.]+/g)?.map(
Number)??[];if(parts.length<3||parts[3]===0)continue;let[r,g,b]=parseColour(colour);return .3*r+.59*g+.11*b<128}return document.
documentElement.dataset.halfmoon!==void 0&&SYSTEM.matches}function followHost(home,changed){let documents=new Set([home.
ownerDocument]),frame=frameOf(window);frame&&documents.add(frame.ownerDocument);let observers=[...documents].map(document2=>{
let observer=new MutationObserver(()=>setTimeout(changed));for(let element2 of[document2.documentElement,document2.body])
observer.observe(element2,{attributes:!0,attributeFilter:["class","style","data-theme","data-jp-theme-light","data-jp-th\
eme-name","data-vscode-theme-kind"]});return observer});return SYSTEM.addEventListener("change",changed),()=>{for(let observer of observers)
observer.disconnect();SYSTEM.removeEventListener("change",changed)}}var AROUND=["background","ink","soft","line","accent","warn"],NOBODY={edits:()=>{},numbers:()=>{},ask:()=>{}},Sheet=class{unmount=new Map;hosts=[];deck=null;blocks=[];confirmed={};palette;chosen=null;constructor(home,html,mount2,around,answers=NOBODY){
this.home=home,this.around=around,this.row=document.createElement("div"),this.row.className="hm-sheet-row",home.append(this.
row),this.html=html,this.mount=mount2,this.answers=answers,home.classList.add("hm-sheet"),this.unfollow=followHost(around,
()=>this.dress()),this.print=new Printing(this),this.dress()}get dark(){return!this.print?.busy&&(this.chosen??isDark(this.
around))}choose(dark){this.chosen=dark,this.dress()}dress(dark=this.dark){let palette=dark?DARK:LIGHT;if(palette===this.
palette)return;this.palette=palette;let{background,panel,ink}=palette,{style}=this.home;for(let name of AROUND)this.around.
style.setProperty(`--hm-${name}`,palette[name]);this.around.dataset.colours=dark?"dark":"light",style.setProperty("--st-\
background-color",background),style.setProperty("--st-secondary-background-color",panel),style.setProperty("color-scheme",
dark?"dark":"light"),style.background=background,style.color=ink,this.hosts.forEach((host,i)=>this.fill(host,this.blocks[i])),
this.deck&&this.fill(this.deck.host,this.deck.data)}show(blocks,deck=null,confirmed={}){if(this.confirmed=confirmed,deck&&
!this.deck){let host=this.host(this.html.deck);this.row.before(host),this.deck={host,data:deck},this.fill(host,deck)}for(;this.
hosts.length<blocks.length;){let host=this.host(this.html.stage);this.hosts.push(host),this.row.append(host)}this.home.dataset.
stages=String(blocks.length),this.blocks=blocks,this.hosts.forEach((host,i)=>this.fill(host,blocks[i]))}host(html){let host=document.
createElement("div"),made2=new DOMParser().parseFromString(html,"text/html");host.attachShadow({mode:"open"}).append(...made2.
body.children);let root=host.shadowRoot?.firstElementChild;return root instanceof HTMLElement&&(root.dataset.alone="1"),
host}fill(host,data){let{edits,numbers,ask}=this.answers,stage=one(host.shadowRoot,".hm-stage").halfmoon;stage&&(stage.confirmed=
this.confirmed),this.unmount.set(host,this.mount({parentElement:host.shadowRoot,data,setStateValue:(name,message)=>(name===
"edits"?edits:numbers)(message),setTriggerValue:(_,what)=>ask(String(what))}))}get stages(){return this.hosts.map(host=>one(
host.shadowRoot,".hm-stage").halfmoon)}remove(){this.unfollow(),this.print.end();for(let unmount of this.unmount.values())
unmount();this.home.replaceChildren()}},Printing=class{busy=!1;constructor(sheet){this.sheet=sheet,addEventListener("bef\
oreprint",this),addEventListener("afterprint",this)}handleEvent(e){let before=e.type==="beforeprint";this.busy=before,this.
sheet.dress();for(let stage of this.sheet.stages)stage.view&&(before&&stage.player.playing&&stage.time.togglePlay(),stage.
renderer.draw(performance.now()))}end(){removeEventListener("beforeprint",this),removeEventListener("afterprint",this)}};var DATA='script[type="application/halfmoon+json"]',LEAST=320;function bytesOf(base64){return Uint8Array.from(atob(base64),
c=>c.charCodeAt(0))}function openPage(html,mount2,wear2){let data=document.querySelector(DATA);if(!data)return;let content=JSON.
parse(data.textContent??"");wear2(data);let root=document.documentElement,sheet=new Sheet(one(document,"#halfmoon"),html,
mount2,root),button=one(document,"[data-role=colours]");sheet.show(content.views.map(bytesOf),content.deck),root.dataset.
halfmoon="open",button.hidden=!1,button.addEventListener("click",()=>sheet.choose(!sheet.dark)),fitFrame()}function fitFrame(){
if(document.documentElement.dataset.framed===void 0)return;let frame=frameOf(window);if(!frame)return;let still=frame.nextElementSibling;
still&&(still.hidden=!0);let fit=()=>{frame.style.height=`${Math.max(LEAST,Math.ceil(document.body.getBoundingClientRect().
height))}px`};new ResizeObserver(fit).observe(document.body),fit()}var SUPERSCRIPT={"-":"⁻",0:"⁰",1:"¹",2:"²",3:"³",4:"⁴",5:"⁵",6:"⁶",7:"⁷",8:"⁸",9:"⁹"},UNKNOWN="–",SHORTEST=9995e-7,
LONGEST_PLAIN=1e5,EXACT=6;function powerOfTen(exponent){return`10${[...String(exponent)].map(c=>SUPERSCRIPT[c]).join("")}`}
function grouped(digits){let[whole,rest]=digits.split("."),apart=whole.replace(/\B(?=(\d{3})+$)/g,",");return rest===void 0?
apart:`${apart}.${rest}`}function plainDigits(size,digits){return grouped(size<10**digits-.5?String(Number(size.toPrecision(
digits))):size.toFixed(0))}function asPower(size,digits){let[first,exponent]=size.toExponential(digits-1).split("e"),ten=powerOfTen(
Number(exponent)),shorter=first.includes(".")?first.replace(/\.?0+$/,""):first;return shorter==="1"?ten:`${shorter}·${ten}`}
function signed(v,text2){return v<0?`−${text2}`:text2}function formatCount(n){return signed(n,grouped(Math.abs(n).toFixed(
0)))}function formatNumber(v,digits=3){if(!Number.isFinite(v))return UNKNOWN;if(v===0)return"0";let size=Math.abs(v),plain=size>=
SHORTEST&&size<Math.max(LONGEST_PLAIN,10**digits)-.5;return signed(v,plain?plainDigits(size,digits):asPower(size,digits-
1))}function formatPercent(v){return Number.isFinite(v)?`${signed(v,grouped(Math.abs(100*v).toFixed(v===0||v===1?0:1)))}\
 %`:UNKNOWN}function formatDuration(seconds){if(!Number.isFinite(seconds))return UNKNOWN;let[value,unit]=seconds<.0995?[
1e3*seconds,"ms"]:[seconds,"s"];return`${value<9.95?formatNumber(value,2):formatCount(value)} ${unit}`}function tickTexts(ticks){
let largest=Math.max(...ticks.map(Math.abs)),step=ticks[1]-ticks[0];if(ticks.length<2||largest===0)return ticks.map(v=>formatNumber(
v,EXACT));let digits=decade(largest)-decade(step)+1;if(digits>EXACT)return ticks.map((v,i)=>i?`+${formatNumber(v-ticks[0])}`:
formatNumber(v,EXACT));let plain=largest>=SHORTEST&&largest<LONGEST_PLAIN-.5;return ticks.map(v=>{let size=Math.abs(v),own=Math.
max(1,digits+decade(size)-decade(largest));return v===0?"0":signed(v,(plain?plainDigits:asPower)(size,own))})}function decade(size){
return Math.floor(Math.log10(size)+1e-9)}var CROWD=100;function niceStep(low,high,count,whole=!1){let pieces=Math.min(CROWD,Math.max(1,count)),finest=1e-14*Math.
max(Math.abs(low),Math.abs(high)),raw=Math.max(high/pieces-low/pieces,finest,1e-300),power=10**Math.floor(Math.log10(raw)),
off=m=>Math.abs(Math.log(m*power/raw)),step=power*[1,2,5,10].reduce((best,m)=>off(m)<off(best)?m:best);return whole?Math.
max(1,Math.round(step)):step}function multiples(first,last,step){let n=Math.min(2*CROWD,last-first+1);return Array.from(
{length:Math.max(0,n)||0},(_,k)=>Number(((first+k)*step).toPrecision(15)))}function niceTicks(low,high,count,whole=!1){if(!(high>
low)||!Number.isFinite(high)||!Number.isFinite(low))return Number.isFinite(low)?[low]:[];let step=niceStep(low,high,count,
whole),near=1e-9,ticks=multiples(Math.ceil(low/step-near),Math.floor(high/step+near),step);return ticks.length||whole?ticks:
[low]}function areWhole(values){return Array.from(values).every(v=>!Number.isFinite(v)||Number.isInteger(v))}var TICK_FONT=14,Axes=class{constructor(){this.zoom=1,this.centreX=0,this.centreY=0,this.extent=[-1,1,-1,1],this.box={left:0,
top:0,width:1,height:1}}setExtent(extent){this.extent=extent,this.zoom===1&&this.reset()}reset(){let[x0,x1,y0,y1]=this.extent;
this.zoom=1,this.centreX=(x0+x1)/2,this.centreY=(y0+y1)/2}get aspect(){let[x0,x1,y0,y1]=this.extent;return(x1-x0)/(y1-y0)}layout(width,height,narrow){
let left=narrow?36:46,bottom=narrow?26:30,top=6,w=width-left-6,h=height-top-bottom,scale=Math.min(w/this.aspect,h),bw=scale*
this.aspect,bh=scale;this.box={left:left+(w-bw)/2,top:top+(h-bh)/2,width:bw,height:bh}}get scale(){return this.box.width/
(this.extent[1]-this.extent[0])*this.zoom}px(x){return this.box.left+this.box.width/2+(x-this.centreX)*this.scale}py(y){
return this.box.top+this.box.height/2-(y-this.centreY)*this.scale}dataX(px){return this.centreX+(px-this.box.left-this.box.
width/2)/this.scale}dataY(py){return this.centreY-(py-this.box.top-this.box.height/2)/this.scale}inside(px,py){let{left,
top,width,height}=this.box;return px>=left&&px<=left+width&&py>=top&&py<=top+height}zoomAt(factor,px,py){let x=this.dataX(
px),y=this.dataY(py),zoom=Math.min(40,Math.max(1,this.zoom*factor));if(zoom===1)return this.reset();this.zoom=zoom,this.
centreX+=x-this.dataX(px),this.centreY+=y-this.dataY(py),this.keepInside()}pan(dx,dy){this.centreX-=dx/this.scale,this.centreY+=
dy/this.scale,this.keepInside()}keepInside(){let[x0,x1,y0,y1]=this.extent,hw=(x1-x0)/2/this.zoom,hh=(y1-y0)/2/this.zoom;
this.centreX=Math.min(x1-hw,Math.max(x0+hw,this.centreX)),this.centreY=Math.min(y1-hh,Math.max(y0+hh,this.centreY))}clip(ctx){
let{left,top,width,height}=this.box;ctx.beginPath(),ctx.rect(left,top,width,height),ctx.clip()}draw(ctx,theme,names){let{
left,top,width,height}=this.box;ctx.strokeStyle=theme.line,ctx.lineWidth=1,ctx.strokeRect(left+.5,top+.5,width-1,height-
1),ctx.font=`${TICK_FONT}px ${theme.font}`,ctx.fillStyle=theme.soft,ctx.strokeStyle=theme.muted;let bottom=top+height,right=left+
width;ctx.textAlign="center",ctx.textBaseline="top";let nameWidth=ctx.measureText(names[0]).width,xs=niceTicks(this.dataX(
left),this.dataX(right),Math.max(3,width/100)),xTexts=tickTexts(xs);xs.forEach((x,i)=>{let px=this.px(x);line(ctx,px,bottom,
px,bottom+4),px<right-nameWidth-18&&ctx.fillText(xTexts[i],px,bottom+7)}),ctx.textAlign="right",ctx.fillText(names[0],right,
bottom+7),ctx.textBaseline="middle";let ys=niceTicks(this.dataY(bottom),this.dataY(top),Math.max(3,height/80)),yTexts=tickTexts(
ys);ys.forEach((y,i)=>{let py=this.py(y);line(ctx,left-4,py,left,py),py>top+24&&ctx.fillText(yTexts[i],left-8,py,left-10)}),
ctx.textBaseline="top",ctx.fillText(names[1],left-8,top)}};function line(ctx,x0,y0,x1,y1){ctx.beginPath(),ctx.moveTo(x0,
y0),ctx.lineTo(x1,y1),ctx.stroke()}function linkTo(query,place){let words=new URLSearchParams(query);words.delete("t"),words.delete("on");for(let[name,value]of Object.
entries(place))value===null?words.delete(name):words.set(name,String(value));let text2=words.toString().replaceAll("%2C",
",");return`${location.origin}${location.pathname}${text2?`?${text2}`:""}`}function subjectOf({about,title}){return about.
replace(/ Halfmoon \S+$/,"")||title}var LINE=".hm-frame-line",BESIDE=560,MODES=["embed","embed_options","present"];function embedded(){return document.documentElement.
dataset.hmEmbed==="1"}function standsBeside(width){return width>=BESIDE}function followFrame(stage){if(!embedded())return()=>{};
stage.root.classList.add("hm-embed");let resize=()=>stage.resize();return addEventListener("resize",resize),document.addEventListener(
"halfmoon-place",fillLine),()=>removeEventListener("resize",resize)}function fillLine(){let line2=document.querySelector(
LINE),words=line2?.querySelector("p"),link=line2?.querySelector("a");if(!words||!link)return;words.textContent=words.title=
aboutStages(stagesShown());let point=()=>{link.href=wholePage(location.search,stagesShown())};link.onpointerenter=link.onpointerdown=
link.onfocus=point,point()}function stagesShown(){return[...window.halfmoonStages??[]].filter(stage=>stage.view).sort((a,b)=>a.
view.key.localeCompare(b.view.key,void 0,{numeric:!0}))}function aboutStages(stages){let[first,...others]=stages.map(({view})=>view);
if(!first)return"";if(!others.length)return subjectOf(first);let[data]=first.about.split(". ");return[data,stages.map(({
view})=>view.name||view.title).join("; ")].filter(Boolean).join(". ")}function wholePage(query,stages){let words=new URLSearchParams(
query);for(let name of MODES)words.delete(name);let last=({view})=>view.frame_t[view.frame_t.length-1],[longest]=stages.
toSorted((a,b)=>last(b)-last(a));return linkTo(words.toString(),longest?longest.place:{})}var LARGE=1.6,LARGER=1.25,ROW=52;function presenting(){return document.documentElement.dataset.hmPresent==="1"}function typeSize(width){
return presenting()?width>=900?LARGE:LARGER:1}function measureTools(stage){let{offsetHeight}=one(stage.root,".hm-tools");
stage.root.style.setProperty("--hm-tools-more",`${Math.max(0,offsetHeight-ROW)}px`)}function chooseCurve(stage,step){let{
panels,ui}=stage,beside=panels.filter(panel=>!panel.isBelow),n=beside.length,ofCurves=beside[0]?.percent!==void 0,begin=Math.
max(0,ofCurves?beside.findIndex(panel=>panel.percent):0);ui.curve=n?((ui.curve??begin)+step)%n:void 0,panels.forEach((panel,i)=>panel.
box.classList.toggle("hm-chosen",i===ui.curve))}function nextCurve(stage){chooseCurve(stage,1),stage.resize()}function followPage(stage){
let follow=()=>{stage.root.classList.toggle("hm-present",presenting()),stage.size={width:0,height:0},stage.top=void 0,stage.
view&&(stage.retheme(),takeKeys(stage))};return follow(),document.addEventListener("halfmoon-present",follow),()=>document.
removeEventListener("halfmoon-present",follow)}function takeKeys(stage){let[first]=window.halfmoonStages??[];stage===first&&
stage.area.focus({preventScroll:!0})}var EditLog=class{constructor(send,changed){this.send=send,this.changed=changed,this.client=Math.random().toString(36).slice(
2,10),this.seq=0,this.pending=[],this.undone=[],this.done=[],this.requests=0,this.timer=null,this.tries=0,this.stroke=null,
this.dataId=void 0,this.model={n:0,x:[],y:[],given:[],source:[],number:[],next:0},this.from=null,this.sent={seq:0,at:-1/0,
answered:!0},this.pushed=-1/0}reconcile(view,_stage){let seen=view.client===this.client?view.seq_seen:0;this.dataId!==void 0&&
this.dataId!==view.data_id&&(this.pending=[],this.stroke=null,this.forget()),this.dataId=view.data_id;let before=this.pending.
length;this.pending=this.pending.filter(op=>op.seq>seen),this.pending.length<before&&(this.tries=0),this.model=baseModel(
view);for(let op of this.pending)applyOp(this.model,op);seen>=this.sent.seq&&!view.pending&&(this.sent.answered=!0),this.
stroke&&this.pace()}get kept(){let{client,seq,pending,done,undone,requests,dataId}=this;return{client,seq,pending,done,undone,
requests,dataId}}inherit(kept){Object.assign(this,kept),this.pending.length&&(this.timer=setTimeout(()=>this.flush(),150))}forget(){
this.done=[],this.undone=[]}get waiting(){return this.pending.length>0}act(op){this.finish();let inverse=inverseOf(this.
model,op);inverse!==null&&(this.done.push({op,inverse}),this.undone=[],this.push(op))}extend(op,inverse){this.drop(this.
stroke),this.put(op),this.stroke={op,inverse,seq:this.seq},this.pace(),this.changed()}finish(){let{stroke}=this;return stroke?
(this.drop(stroke),this.stroke=null,this.done.push({op:stroke.op,inverse:stroke.inverse}),this.undone=[],this.push(stroke.
op),!0):!1}drop(stroke){stroke&&(this.pending=this.pending.filter(op=>op.seq!==stroke.seq))}pace(){clearTimeout(this.timer??
void 0);let{at,answered}=this.sent,due=at+(answered?250:1500);this.timer=setTimeout(()=>this.flush(),Math.max(0,due-performance.
now()))}undo(){this.finish();let step=this.done.pop();return step?(this.undone.push(step),this.push(step.inverse),!0):!1}redo(){
if(this.finish())return!1;let step=this.undone.pop();return step?(this.done.push(step),this.push(step.op),!0):!1}put(op){
this.seq+=1,this.pending.push({...op,seq:this.seq,data_id:this.dataId}),applyOp(this.model,op)}push(op){let now=performance.
now(),rested=this.sent.answered&&now-this.pushed>=150;this.pushed=now,this.put(op),clearTimeout(this.timer??void 0),this.
timer=setTimeout(()=>this.flush(),rested?0:150),this.changed()}flush(){if(clearTimeout(this.timer??void 0),this.timer=null,
!this.pending.length)return;this.requests+=1,this.sent={seq:this.seq,at:performance.now(),answered:!1};let{client,seq,pending,
tries,stroke}=this;this.send({client,seq,ops:[...pending],tries,live:stroke!==null}),this.changed(),this.timer=setTimeout(
()=>this.flush(),8e3*2**this.tries),this.tries=Math.min(this.tries+1,1)}leave(){this.finish(),this.flush(),clearTimeout(
this.timer??void 0)}};function baseModel(view){let xy=view.arrays.points.data,{number,given}=view.arrays,model={n:view.n,
x:[],y:[],given:Array.from(given.data),source:[],number:Array.from(number.data),next:view.next_number};for(let i=0;i<view.
n;i++)model.x.push(xy[2*i]),model.y.push(xy[2*i+1]),model.source.push(i);return model}function numberOf(model,i){return model.
number[i]}function placeOf(model,number){let low=0,high=model.n;for(;low<high;){let middle=low+high>>1;model.number[middle]<
number?low=middle+1:high=middle}return low}function rowOf(model,number){let at=placeOf(model,number);return model.number[at]===
number?at:-1}function classAt(op,j){return op.classes?.[j]??op.class??-1}function applyOp(model,op){if(op.op==="add")return insert(
model,op);if(op.op==="add_many")return op.idx.forEach((i2,j)=>insert(model,{i:i2,x:op.x[j],y:op.y[j],class:classAt(op,j)}));
if(op.op==="remove_many")return op.idx.forEach(number=>remove(model,number));if(op.op==="label_many")return op.idx.forEach(
(number,j)=>setClass(model,number,classAt(op,j)));if(op.op==="label")return setClass(model,op.i,op.class);if(op.op==="er\
ase")return setClass(model,op.i,-1);if(op.op==="remove")return remove(model,op.i);if(op.op!=="move")return;let i=rowOf(model,
op.i);i<0||(model.x[i]=op.x,model.y[i]=op.y)}function remove(model,number){let i=rowOf(model,number);if(!(i<0)){for(let list of[
model.x,model.y,model.given,model.source,model.number])list.splice(i,1);model.n-=1}}function setClass(model,number,c){let i=rowOf(
model,number);i>=0&&(model.given[i]=c)}function insert(model,op){let at=placeOf(model,op.i),there=model.number[at]===op.
i,put=(list,value)=>list.splice(at,there?1:0,value);put(model.x,op.x),put(model.y,op.y),put(model.given,op.class),!there&&
(put(model.source,-1),put(model.number,op.i),model.n+=1,model.next=Math.max(model.next,op.i+1))}function inverseOf(model,op){
if(op.op==="add")return{op:"remove",i:op.i};if(op.op==="label_many"){let idx=op.idx.filter(number=>rowOf(model,number)>=
0),classes=idx.map(number=>model.given[rowOf(model,number)]);return classes.every(c=>c===op.class)?null:{op:"label_many",
idx,classes}}let i="i"in op?rowOf(model,op.i):-1;if(i<0)return null;switch(op.op){case"label":case"erase":{let next=op.op===
"erase"?-1:op.class;return model.given[i]===next?null:{op:"label",i:op.i,class:model.given[i]}}case"move":return{op:"mov\
e",i:op.i,x:model.x[i],y:model.y[i]};case"remove":return{op:"add",i:op.i,x:model.x[i],y:model.y[i],class:model.given[i]};default:
return null}}var UNLABELLED=-1,ERASE=-2,SPRAY={every:50,first:3},RADIUS={spray:30,rub:16},TREMBLE=3;function sprayReach({mode,brush}){
return mode!=="spray"?0:brush===ERASE?RADIUS.rub:RADIUS.spray}var Drag=class{constructor(stage,near,at){let{axes,model}=stage;
this.stage=stage,this.number=numberOf(model,near),this.from={x:model.x[near],y:model.y[near]},this.start=at,this.shift={
x:axes.px(this.from.x)-at.x,y:axes.py(this.from.y)-at.y},this.moved=!1}move(at){let{axes,log,model}=this.stage,{left,top,
width,height}=axes.box;if(this.moved||=Math.hypot(at.x-this.start.x,at.y-this.start.y)>TREMBLE,!this.moved||rowOf(model,
this.number)<0)return;let px=Math.min(left+width,Math.max(left,at.x+this.shift.x)),py=Math.min(top+height,Math.max(top,at.
y+this.shift.y)),i=this.number;log.extend({op:"move",i,x:axes.dataX(px),y:axes.dataY(py)},{op:"move",i,...this.from})}stop(){}},
Spray=class{constructor(stage,at){this.stage=stage,this.at=at,this.sprayed={idx:[],x:[],y:[]},this.class=Math.max(UNLABELLED,
stage.ui.brush),this.add(SPRAY.first),this.timer=setInterval(()=>this.add(1),SPRAY.every)}move(at){this.at=at}add(count){
let{stage,sprayed}=this,{axes,model,log}=stage,before=sprayed.idx.length;if(!stage.hand.hasRoom())return this.stop(),stage.
hand.tellFull();for(let k=0;k<count&&stage.hand.hasRoom(sprayed.idx.length-before);k++){let angle=2*Math.PI*Math.random(),
far=RADIUS.spray*Math.sqrt(Math.random()),x=this.at.x+far*Math.cos(angle),y=this.at.y+far*Math.sin(angle);axes.inside(x,
y)&&(sprayed.idx.push(model.next+sprayed.idx.length-before),sprayed.x.push(axes.dataX(x)),sprayed.y.push(axes.dataY(y)))}
if(sprayed.idx.length===before)return;let all2={idx:[...sprayed.idx],x:[...sprayed.x],y:[...sprayed.y]};log.extend({op:"\
add_many",...all2,class:this.class},{op:"remove_many",idx:all2.idx})}stop(){clearInterval(this.timer)}},Rub=class{constructor(stage,at){
this.stage=stage,this.gone={idx:[],x:[],y:[],classes:[]},this.move(at)}move(at){let{axes,model,log}=this.stage,{gone}=this,
reach=RADIUS.rub,before=gone.idx.length;for(let i=0;i<model.n;i++)Math.hypot(axes.px(model.x[i])-at.x,axes.py(model.y[i])-
at.y)>reach||(gone.idx.push(numberOf(model,i)),gone.x.push(model.x[i]),gone.y.push(model.y[i]),gone.classes.push(model.given[i]));
if(gone.idx.length===before)return;let all2={idx:[...gone.idx],x:[...gone.x],y:[...gone.y],classes:[...gone.classes]};log.
extend({op:"remove_many",idx:all2.idx},{op:"add_many",...all2})}stop(){}};var KEY_HELP=[["Space","play or pause"],["← →","one step; with Shift ten"],["Home End","first, last"],["e, Shift+e",
"next, previous event"],["n, Shift+n","walk from point to point"],["Enter","label the chosen point"],["k","crosshair: ar\
rows move it, with Ctrl finely"],["Shift+← ↑ → ↓","span a box from the crosshair"],["Enter","at the crosshair: a\
dd, drag, label"],["Escape","give up what was begun"],["a, d, o","Add, Drag, Lasso"],["Delete","remove the chosen point"],
["z, Shift+z","undo, redo"],["g","graph"],["p","colour by prediction"],["m","mark mistakes"],["b","previous run"],["l","\
loop"],["c","next curve, while presenting"],["+ − f","zoom in, out, fit"],["Ctrl+wheel","zoom"]];function brushKeys(classes){
let digit=name=>/^[0-9]$/.test(name),named=classes.some(digit),keys=new Map;return classes.forEach((name,c)=>{(named?digit(
name):c<9)&&keys.set(c,named?name:String(c+1))}),keys.set(UNLABELLED,"u"),keys.set(ERASE,classes.includes("0")?"x":"0"),
keys}function keyHelp(classes){let keys=brushKeys(classes),own=[...keys].filter(([c])=>c>=0).map(([,key])=>key);return[[
own.length>2?`${own[0]} … ${own[own.length-1]}`:own.join(" "),"class brush"],[keys.get(UNLABELLED),"unlabelled brush"],
[keys.get(ERASE),"erase brush"],...KEY_HELP].filter(([key])=>key)}var ARROWS={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1};
function moveRadio(target,e){let group=target.closest("[role=radiogroup]"),step=ARROWS[e.key];if(!group||!step)return!1;
let radios=all(group,"[role=radio]").filter(radio=>!radio.hidden),next=radios[(radios.indexOf(target)+step+radios.length)%
radios.length];return next.click(),next.focus(),e.preventDefault(),e.stopPropagation(),!0}function handleKey(stage,e){let target=e.
composedPath()[0],name=target.tagName;if(e.altKey||target.isContentEditable||name==="SELECT"||name==="TEXTAREA"||name===
"INPUT"&&target.getAttribute("type")!=="range"||(name==="BUTTON"||name==="SUMMARY")&&(e.key===" "||e.key==="Enter")||moveRadio(
target,e))return;let undoChord=(e.ctrlKey||e.metaKey)&&e.key.toLowerCase()==="z";if((e.ctrlKey||e.metaKey)&&!undoChord)return;
let action=actionFor(stage,e);action&&(action(),e.preventDefault(),e.stopPropagation())}function flip(stage,what,name){stage.
toggle(what),stage.say(`${name} ${stage.ui[what]?"on":"off"}.`)}function actionFor(stage,e){let{player}=stage,big=e.shiftKey?
10:1;for(let[brush,key]of brushKeys(stage.view.classes))if(e.key===key)return()=>stage.hand.setBrush(brush);switch(e.key){case"\
 ":return()=>stage.time.togglePlay();case"ArrowLeft":return()=>stage.time.seek(player.frame-big);case"ArrowRight":return()=>stage.
time.seek(player.frame+big);case"Home":return()=>stage.time.seek(0);case"End":return()=>stage.time.seek(player.T-1);case"\
Enter":return()=>stage.hand.labelFocus();case"Delete":case"Backspace":return()=>stage.hand.removeFocus();case"Escape":return stage.
ui.focus>=0?()=>stage.setFocus(-1):null;case"+":return()=>stage.zoomStep(1.5);case"-":return()=>stage.zoomStep(1/1.5)}switch(e.
key.toLowerCase()){case"z":return()=>e.shiftKey?stage.hand.redo():stage.hand.undo();case"y":return()=>stage.hand.redo();case"\
x":return()=>stage.hand.setBrush(ERASE);case"k":return()=>stage.crosshair.toggle();case"a":return()=>stage.hand.takeTool(
"add");case"d":return()=>stage.hand.takeTool("drag");case"o":return()=>stage.hand.takeTool("lasso");case"g":return()=>flip(
stage,"graph","Graph");case"p":return()=>flip(stage,"predictions","Predictions");case"m":return()=>flip(stage,"mistakes",
"Mistakes");case"b":return stage.view.ghost?()=>flip(stage,"ghost","Previous run"):null;case"l":return()=>stage.time.toggleLoop();case"\
n":return()=>stage.walk(e.shiftKey?-1:1);case"c":return presenting()?()=>nextCurve(stage):null;case"e":return()=>stage.time.
seekEvent(e.shiftKey?-1:1);case"f":return()=>stage.zoomStep(0);default:return null}}var ARRAY_TYPES={uint8:Uint8Array,int8:Int8Array,int16:Int16Array,uint32:Uint32Array,float32:Float32Array,float64:Float64Array},
ALIGN=8;async function unpack(block){let inflated=new Blob([block]).stream().pipeThrough(new DecompressionStream("deflat\
e")),body=await new Response(inflated).arrayBuffer(),size=new DataView(body).getUint32(0,!0),head=JSON.parse(new TextDecoder().
decode(new Uint8Array(body,4,size))),start=Math.ceil((4+size)/ALIGN)*ALIGN,arrays={};for(let[name,entry]of Object.entries(
head.arrays)){let count=entry.shape.reduce((a,b)=>a*b,1),data=new ARRAY_TYPES[entry.dtype](body,start+entry.offset,count);
entry.smooth?arrays[name]={data:rough(data,entry.shape),shape:entry.shape}:(entry.delta&&addUp(data,count/entry.shape[0]),
arrays[name]={data,shape:entry.shape})}return{...head,arrays,n:arrays.points.shape[0],k:head.classes.length,T:head.frame_t.
length}}function addUp(data,width){for(let i=width;i<data.length;i++)data[i]+=data[i-width]}function rough(packed,shape){
let count=packed.length,low=new Uint8Array(packed.buffer,packed.byteOffset,count),high=new Uint8Array(packed.buffer,packed.
byteOffset+count,count),data=new Int16Array(count),[h,w]=shape.slice(-2),size=w*h;for(let from=0;from<count;from+=size)for(let y=0,
i=from;y<h;y++)for(let x=0,sum=0;x<w;x++,i++){let zigzag=low[i]|high[i]<<8;sum+=zigzag>>1^-(zigzag&1),data[i]=y?sum+data[i-
w]:sum}return addUp(data,count/shape[0]),data}function sameBytes(a,b){if(!a||!b||a.length!==b.length)return!1;for(let i=0;i<
a.length;i++)if(a[i]!==b[i])return!1;return!0}function decodeTable({least,knee,top,most,low,middle}){let table=new Float32Array(
65536),high=32768-low-middle;for(let q=0;q<32768;q++){let at=q+.5,size;at<low?size=least*(knee/least)**(at/low):at<low+middle?
size=knee+(at-low)/middle*(top-knee):size=top*(most/top)**((at-low-middle)/high),table[32768+q]=size,table[32767-q]=-size}
return table}function packedOf(view,name){let array=view.arrays[name];if(!array)throw new Error(`The view has no ${name}\
.`);return array}function dataOf(view,name){return packedOf(view,name).data}function outputAt(view,frame,row){let f=view.
arrays.f;if(!f||row<0)return null;let at=frame*view.n+row;if(view.k>2)return{predicted:f.data[at],margin:view.limits.f*((dataOf(
view,"f_margin")[at]+.5)/256)**3};let value=view.limits.f*((f.data[at]+.5)/32768)**3,p=view.arrays.p?view.arrays.p.data[at]/
255:null;return{predicted:value>=0?1:0,value,p}}function isMarked(view,kind,frame,row){let marks=view.arrays[kind];return!marks||
row<0?!1:(marks.data[frame*marks.shape[1]+(row>>3)]>>(row&7)&1)===1}var SIDES={square:[4,Math.PI/4],up:[3,0],diamond:[4,0],down:[3,Math.PI],pentagon:[5,0],hexagon:[6,0]},HALO=1.5,SHAPES=["\
square","circle","up","diamond","down","star","pentagon","plus","hexagon","cross"],DOUBTS=8;function markPath(ctx,c,r){let shape=c<
0?"circle":SHAPES[c%10];if(ctx.beginPath(),shape==="circle")ctx.arc(0,0,r,0,2*Math.PI);else if(shape==="plus"||shape==="\
cross"){let a=r*1.1,b=r*.4,turn=shape==="cross"?Math.PI/4:0;[[-b,-a],[b,-a],[b,-b],[a,-b],[a,b],[b,b],[b,a],[-b,a],[-b,b],
[-a,b],[-a,-b],[-b,-b]].forEach(([x,y],i)=>{let px=x*Math.cos(turn)-y*Math.sin(turn),py=x*Math.sin(turn)+y*Math.cos(turn);
i?ctx.lineTo(px,py):ctx.moveTo(px,py)}),ctx.closePath()}else{let star=shape==="star",[sides,turn]=star?[10,0]:SIDES[shape],
size=r*SIZES[shape];for(let i=0;i<sides;i++){let angle=turn-Math.PI/2+2*Math.PI*i/sides,reach=star&&i%2?size*.45:size;ctx[i?
"lineTo":"moveTo"](reach*Math.cos(angle),reach*Math.sin(angle))}ctx.closePath()}}function paintMark(ctx,theme,c,r,edge,edgeWidth,fill=null){
markPath(ctx,c,r),ctx.fillStyle=fill??(c<0?theme.muted:classColour(theme,c)),ctx.fill(),edgeWidth&&(ctx.strokeStyle=edge,
ctx.lineWidth=edgeWidth,ctx.lineJoin="round",ctx.stroke()),c>=10&&(ctx.beginPath(),ctx.arc(0,0,r*.35,0,2*Math.PI),ctx.fillStyle=
theme.background,ctx.fill())}var Points=class{constructor(){this.sprites=new Map,this.theme={...LIGHT,font:""}}setTheme(theme){
this.theme=theme,this.sprites.clear()}sprite(c,r,labelled,scale,doubt=0){let name=`${c}|${r}|${labelled}|${scale}|${doubt}`,
sprite=this.sprites.get(name);if(!sprite){let half=Math.ceil(r*1.5+4),size=Math.ceil(2*half*scale),{canvas:sheet,pen:ctx}=offscreen(
size,size);if(ctx.scale(scale,scale),ctx.translate(half,half),labelled)paintMark(ctx,this.theme,c,r+1.6,this.theme.background,
3),paintMark(ctx,this.theme,c,r,this.theme.ink,2.4);else if(doubt){let{background,soft}=this.theme;paintMark(ctx,this.theme,
c,r,soft,1.2,rgbText(mixColours(classColour(this.theme,c),background,doubt/DOUBTS)))}else paintMark(ctx,this.theme,c,r,this.
theme.background,HALO);sprite={picture:sheet.transferToImageBitmap(),half},this.sprites.set(name,sprite)}return sprite}draw(ctx,axes,view,model,frame,ui,scale){
let{theme}=this,fit=Math.min(1.15,Math.max(.72,axes.box.width/700))*Math.min(1.6,axes.zoom**.4),small=round2(fit*(model.
n>1500?2.8:model.n>500?3.4:4.2)),labelled=model.given.filter(c=>c>=0).length,large=round2(fit*(labelled>80?6:labelled>24?
7.5:9.5));ctx.save(),axes.clip(ctx),ui.graph&&this.drawEdges(ctx,axes,view,model);for(let wantLabelled of[!1,!0])for(let i=0;i<
model.n;i++){let given=model.given[i]>=0;if(given!==wantLabelled)continue;let x=axes.px(model.x[i]),y=axes.py(model.y[i]),
seen=given||!ui.predictions?null:outputAt(view,frame,model.source[i]),r=given?large:seen?small+.8:small,sprite=this.sprite(
given?model.given[i]:seen?seen.predicted:-1,r,given,scale,seen?doubtOf(seen):0);ctx.drawImage(sprite.picture,x-sprite.half,
y-sprite.half,2*sprite.half,2*sprite.half),isMarked(view,"marks",frame,model.source[i])&&ring(ctx,x,y,r+5.5,theme.ink,1.6),
isMarked(view,"struck",frame,model.source[i])&&this.strike(ctx,view,model,frame,i,x,y,r+9),ui.mistakes&&this.isMistake(view,
model,frame,i)&&cross(ctx,x,y,r+4,theme)}ui.ghost&&ui.flipped&&this.drawFlipped(ctx,axes,view,model,small+6),ctx.restore()}strike(ctx,view,model,frame,i,x,y,r){
let c=guessAt(view,frame,model.source[i]);c>=0&&ring(ctx,x,y,r,this.theme.background,6),ring(ctx,x,y,r,struckColour(this.
theme,c),3)}drawFlipped(ctx,axes,view,model,r){for(let number of view.arrays.ghost_flipped?.data??[]){let i=rowOf(model,
number);i>=0&&flipRing(ctx,axes.px(model.x[i]),axes.py(model.y[i]),r,this.theme)}}isMistake(view,model,frame,i){let truth=truthOf(
view,model,i),seen=outputAt(view,frame,model.source[i]);return truth>=0&&seen!==null&&seen.predicted!==truth}drawEdges(ctx,axes,view,model){
let edges=view.arrays.edges;if(!edges)return;let place=new Int32Array(view.n).fill(-1);model.source.forEach((row,i)=>{row>=
0&&(place[row]=i)});let stroke=(wanted,colour,alpha,width)=>{ctx.beginPath();for(let e=0;e<edges.data.length;e+=2){let from=edges.
data[e],to=edges.data[e+1],a=place[from],b=place[to];a<0||b<0||joinsClasses(view,from,to)!==wanted||(ctx.moveTo(axes.px(
model.x[a]),axes.py(model.y[a])),ctx.lineTo(axes.px(model.x[b]),axes.py(model.y[b])))}ctx.strokeStyle=colour,ctx.globalAlpha=
alpha,ctx.lineWidth=width,ctx.stroke(),ctx.globalAlpha=1};stroke(!1,this.theme.soft,.5,1),stroke(!0,this.theme.bad,.9,2)}};
function guessAt(view,frame,row){return!view.arrays.guess||row<0||view.arrays.given.data[row]>=0?-1:isMarked(view,"guess",
frame,row)?1:0}function struckColour(theme,c){return c>=0?classColour(theme,c):theme.accent}function joinsClasses(view,from,to){
let truth=view.arrays.truth?.data;return truth!==void 0&&truth[from]>=0&&truth[to]>=0&&truth[from]!==truth[to]}var SIZES={
square:1.2,up:1.38,down:1.38,diamond:1.28,star:1.4,pentagon:1.12,hexagon:1.08};function countEdges(view){let data=dataOf(
view,"edges"),between=0;for(let e=0;e<data.length;e+=2)joinsClasses(view,data[e],data[e+1])&&(between+=1);return{all:data.
length/2,between}}function doubtOf({predicted,p}){if(p==null)return 0;let sure=Math.max(0,2*(predicted===1?p:1-p)-1);return Math.
round(DOUBTS*(1-sure))}function round2(v){return Math.round(2*v)/2}function truthOf(view,model,i){let row=model.source[i];
return view.arrays.truth&&row>=0?view.arrays.truth.data[row]:-1}function nearestPoint(axes,model,px,py,reach){let best=-1,
least=reach*reach;for(let i=0;i<model.n;i++){let dx=axes.px(model.x[i])-px,dy=axes.py(model.y[i])-py,d=dx*dx+dy*dy;d<=least&&
(least=d,best=i)}return best}function pointsInside(axes,model,polygon){let inside=[];for(let i=0;i<model.n;i++){let x=axes.
px(model.x[i]),y=axes.py(model.y[i]),odd=!1;for(let a=0,b=polygon.length-1;a<polygon.length;b=a++){let[xa,ya]=polygon[a],
[xb,yb]=polygon[b];ya>y!=yb>y&&x<(xb-xa)*(y-ya)/(yb-ya)+xa&&(odd=!odd)}odd&&inside.push(i)}return inside}function ring(ctx,x,y,r,colour,width){
ctx.beginPath(),ctx.arc(x,y,r,0,2*Math.PI),ctx.strokeStyle=colour,ctx.lineWidth=width,ctx.stroke()}function flipRing(ctx,x,y,r,theme){
ctx.setLineDash([]),ring(ctx,x,y,r,theme.background,4.5),ctx.setLineDash([5,3]),ring(ctx,x,y,r,theme.warn,2.4),ctx.setLineDash(
[])}function cross(ctx,x,y,r,theme){for(let width of[5,2.4])ctx.beginPath(),ctx.moveTo(x-r,y-r),ctx.lineTo(x+r,y+r),ctx.
moveTo(x+r,y-r),ctx.lineTo(x-r,y+r),ctx.strokeStyle=width>3?theme.background:theme.bad,ctx.lineWidth=width,ctx.lineCap="\
round",ctx.stroke()}var LEGEND_TEXT=14,LINE2=30,MARK=20;function legendEntries({view,ui,field},theme,classes,ghost=!1){let line2=(colour,width,dash)=>ctx=>{
ctx.strokeStyle=colour,ctx.lineWidth=width,ctx.setLineDash(dash),ctx.beginPath(),ctx.moveTo(-14,0),ctx.lineTo(14,0),ctx.
stroke(),ctx.setLineDash([])},entries=[];classes&&view.classes.forEach((name,c)=>entries.push({text:name,width:MARK,paint:ctx=>paintMark(
ctx,theme,c,6,theme.ink,2)})),entries.push({text:ui.predictions?view.arrays.p?"small: predicted, paler if uncertain":"sm\
all: predicted":"unlabelled",width:ui.predictions?LINE2:MARK,paint:ctx=>{if(!ui.predictions)return paintMark(ctx,theme,-1,
4.5,theme.background,0);ctx.translate(-7,0),paintMark(ctx,theme,0,4,theme.background,0),ctx.translate(14,0),paintMark(ctx,
theme,1,4,theme.background,0)}});let ringed=(text2,colour,width)=>entries.push({text:text2,width:MARK,paint:ctx=>{paintMark(
ctx,theme,-1,4,theme.background,0),ring(ctx,0,0,8.5,colour,width)}});if(view.arrays.marks&&ringed(view.marks_name,theme.
ink,1.6),view.arrays.struck&&view.arrays.guess?view.classes.forEach((name,c)=>ringed(`${view.struck_name}, label ${name}\
 now`,struckColour(theme,c),3)):view.arrays.struck&&ringed(view.struck_name,struckColour(theme,-1),3),view.arrays.field){
entries.push({text:`${view.k>2?"border between classes":"boundary, f = 0"} (pale: separates no points)`,paint:line2(theme.
ink,2.6,[])});let margins=field.margins??[];margins.length&&entries.push({text:`margin, f = ${margins.length>1?"±1":margins[0]>
0?"1":"−1"}`,paint:ctx=>{ctx.translate(0,3-3*margins.length);for(let margin of margins)line2(classColour(theme,margin>
0?1:0),1.8,[6,4])(ctx),ctx.translate(0,6)}})}if(ui.graph&&view.arrays.edges){let{all:all2,between}=countEdges(view);entries.
push({text:`${all2.toLocaleString("en")} edges of the graph`,paint:line2(theme.soft,1,[])}),view.arrays.truth&&entries.push(
{text:`${between.toLocaleString("en")} between the classes`,paint:line2(theme.bad,2,[])})}return ghost&&view.ghost&&ui.ghost&&
(entries.push({text:view.ghost.name,paint:line2(theme.soft,2.4,[2,5])}),ui.flipped&&entries.push({text:"flipped since th\
e previous run",width:MARK,paint:ctx=>flipRing(ctx,0,0,7,theme)})),entries}function drawLegend(ctx,entries,width,theme,paint=!0){
ctx.font=`${LEGEND_TEXT}px ${theme.font}`;let x=0,y=12;for(let entry of entries){let sample=entry.width??LINE2,w=sample+
6+ctx.measureText(entry.text).width;x&&x+w>width&&(x=0,y+=24),paint&&(ctx.save(),ctx.translate(x+sample/2,y),entry.paint(
ctx),ctx.restore(),ctx.fillStyle=theme.soft,ctx.textAlign="left",ctx.textBaseline="middle",ctx.fillText(entry.text,x+sample+
6,y)),x+=w+20}return y+12}var BELOW=230,COMPACT=150,BESIDE2=3;function findParts(root){let parts={};for(let element2 of all(root,"[data-role]"))parts[element2.
dataset.role??""]=element2;return parts}function element(tag,className,words){let made2=document.createElement(tag);return className&&
(made2.className=className),words!==void 0&&(made2.textContent=words),made2}function fitCanvas(canvas,width,height,scale){
let w=Math.round(width*scale),h=Math.round(height*scale);(canvas.width!==w||canvas.height!==h)&&(canvas.width=w,canvas.height=
h);let ctx=penOf(canvas);return ctx.setTransform(scale,0,0,scale,0,0),ctx.clearRect(0,0,width,height),ctx}function switchOf(button){
return button.dataset.toggle}function onClick(stage,button,action){button.addEventListener("click",e=>{action(),e.detail>
0&&stage.area.focus({preventScroll:!0})})}function wireControls(stage){let{parts,root}=stage;for(let button of all(root,
"[data-mode]:not(.hm-area)")){let{mode="label"}=button.dataset;button.addEventListener("click",e=>{if(e.detail===0)return stage.
hand.takeTool(mode);stage.hand.setMode(stage.ui.mode===mode?"label":mode),stage.area.focus({preventScroll:!0})})}for(let button of all(
root,"[data-toggle]"))onClick(stage,button,()=>stage.toggle(switchOf(button)));for(let button of all(root,"[data-zoom]"))
button.addEventListener("pointerdown",e=>e.stopPropagation()),onClick(stage,button,()=>stage.zoomStep(Number(button.dataset.
zoom)));for(let button of all(root,"[data-step]")){let step=button.dataset.step;onClick(stage,button,()=>{step==="first"?
stage.time.seek(0):step==="last"?stage.time.seek(stage.player.T-1):stage.time.seek(stage.player.frame+Number(step))})}for(let button of all(
root,"[data-export]"))onClick(stage,button,()=>{parts.menu.open=!1,stage.export(button.dataset.export)});parts.captioned.
addEventListener("change",()=>{stage.captioned=parts.captioned.checked}),onClick(stage,parts.play,()=>stage.time.togglePlay()),
onClick(stage,parts.undo,()=>stage.hand.undo()),onClick(stage,parts.redo,()=>stage.hand.redo()),onClick(stage,parts.loop,
()=>stage.time.toggleLoop()),onClick(stage,parts.continue,()=>stage.hand.continueHere()),parts.speed.addEventListener("c\
hange",()=>{stage.player.speed=Number(parts.speed.value)}),root.addEventListener("pointerdown",e=>{for(let menu of[parts.
menu,parts.help])menu.open&&!e.composedPath().includes(menu)&&(menu.open=!1)})}function paintEraser(ctx,theme){ctx.rotate(
-Math.PI/4),ctx.strokeStyle=theme.ink,ctx.lineWidth=1.6,ctx.strokeRect(-7.5,-4,15,8),ctx.strokeRect(-7.5,-4,5,8)}function buildBrushes(stage){
let{parts,view,theme}=stage,keys=brushKeys(view.classes),brush=(c,name,hint)=>{let button=element("button","hm-brush");button.
type="button",button.dataset.brush=String(c),button.setAttribute("role","radio"),button.title=hint;let swatch=element("c\
anvas"),ctx=fitCanvas(swatch,20,20,2);ctx.translate(10,10),c>=0?paintMark(ctx,theme,c,7,theme.ink,1.8):c===ERASE?paintEraser(
ctx,theme):paintMark(ctx,theme,c,5,theme.background,0),button.append(swatch);let key=keys.get(c);return key!==name&&button.
append(element("span","",name)),key&&button.append(element("kbd","",key)),onClick(stage,button,()=>stage.hand.setBrush(c)),
button},brushes=view.classes.map((name,c)=>brush(c,name,`Label as ${name}`));brushes.push(brush(UNLABELLED,"Unlabelled",
"Points without a label")),brushes.push(brush(ERASE,"Erase","Remove labels; while adding, points")),parts.brushes.replaceChildren(
...brushes),parts.keys.replaceChildren(...keyHelp(view.classes).flatMap(([key,meaning])=>[element("dt","",key),element("\
dd","",meaning)])),parts.brushes.classList.toggle("hm-many",view.k>4)}function isIdle(stage,c){return c===ERASE&&!stage.
model.n?!0:c<0&&!stage.hand.canEdit("add")&&(c===UNLABELLED||!stage.hand.canEdit("erase"))}function showControls(stage){
let{parts,view,ui,log,root,player}=stage,editing=stage.hand.canEdit("label");parts.brushes.hidden=!editing&&!stage.hand.
canEdit("add");for(let button of all(parts.brushes,"[data-brush]")){let c=Number(button.dataset.brush);button.setAttribute(
"aria-checked",String(c===ui.brush)),button.tabIndex=c===ui.brush?0:-1,button.hidden=isIdle(stage,c)}for(let button of all(
parts.modes,"[data-mode]"))button.setAttribute("aria-pressed",String(ui.mode===button.dataset.mode)),button.hidden=!stage.
hand.canEdit(button.dataset.mode??"");let available={graph:view.arrays.edges,predictions:view.arrays.f,mistakes:view.arrays.
f&&view.arrays.truth,ghost:view.ghost,flipped:ui.ghost&&view.arrays.ghost_flipped?.data.length};view.pending||(parts.ghostName.
textContent=view.ghost?.name??"");for(let button of all(root,"[data-toggle]"))button.setAttribute("aria-pressed",String(
ui[switchOf(button)])),view.pending||(button.hidden=!available[switchOf(button)]);let anyEdit=["label","add","drag"].some(
tool=>stage.hand.canEdit(tool));parts.undo.hidden=parts.redo.hidden=!anyEdit,parts.undo.disabled=!log.done.length,parts.
redo.disabled=!log.undone.length,parts.loop.setAttribute("aria-pressed",String(player.loop)),parts.continue.hidden=!stage.
hand.canEdit("continue"),parts.play.setAttribute("aria-label",player.playing?"Pause":"Play"),parts.area.dataset.mode=ui.
mode,parts.area.dataset.locked=anyEdit?"0":"1",parts.area.dataset.zoomed=stage.axes.zoom>1?"1":"0";let holds=["drag","la\
sso","spray"].includes(ui.mode)||stage.axes.zoom>1;parts.area.style.touchAction=holds?"none":"pan-y",parts.caption.setAttribute(
"aria-live",player.playing||stage.time.led?"off":"polite"),parts.beforeWords.setAttribute("aria-live",log.stroke?"off":"\
polite"),root.dataset.playing=player.playing?"1":"0",root.classList.toggle("hm-still",view.T<2),sayMoment(stage)}function buildEvidence(stage){
let{parts,view}=stage;stage.tiles=view.tiles.map(tile=>{let box=element("div","hm-tile"),value=element("b"),label=element(
"span"),figure=element("div","hm-figure"),change=element("i");return value.textContent=tile.values[stage.player.frame],stage.
terms.fill(label,tile.label),figure.append(value,change),box.append(figure,label),{box,value,change,tile}}),view.pending||
(parts.before.hidden=!view.ghost,parts.beforeWords.textContent=view.ghost?.words??""),parts.tiles.replaceChildren(...stage.
tiles.map(t=>t.box));let boxes=[],below=[];for(let panel of stage.panels)panel.isBelow=panel.below??boxes.length>=BESIDE2,
(panel.isBelow?below:boxes).push(panelBox(stage,panel));chooseCurve(stage,0),parts.panels.replaceChildren(...boxes),parts.
below.replaceChildren(...below),parts.below.hidden=!below.length;let alone=!boxes.length&&!view.tiles.length;parts.evidence.
hidden=alone,parts.grid.classList.toggle("hm-alone",alone),parts.grid.classList.toggle("hm-even",stage.panels.some(panel=>panel.
broad))}function panelBox(stage,panel){let{canvas,box}=panel;box.className=panel.linked?"hm-panel hm-linked":"hm-panel";
let grip=null;canvas.hidden=!panel.heights,canvas.setAttribute("role","img");let at=e=>[e.offsetX/stage.type,e.offsetY/stage.
type],lead={move:(x,y)=>stage.time.seek(panel.frameAt?.(x,y)??0)};canvas.addEventListener("pointerdown",e=>{grip=panel.grip?.(
...at(e))??(panel.linked?lead:null),grip&&(e.isTrusted&&canvas.setPointerCapture(e.pointerId),grip.move(...at(e)))}),canvas.
addEventListener("pointermove",e=>{grip&&e.buttons&1?grip.move(...at(e)):canvas.style.cursor=panel.cursorAt?.(...at(e))??
"",panel.tip&&e.pointerType!=="touch"&&stage.tip(panel.tip(...at(e),stage.player.frame),e.clientX,e.clientY)}),panel.tip&&
canvas.addEventListener("pointerleave",()=>stage.hover.hide());for(let end of["pointerup","pointercancel"])canvas.addEventListener(
end,()=>{grip?.drop?.(),grip=null});return box.append(canvas,...panel.extras?.(stage)??[]),box}function showMoment(stage){
let{frame}=stage.player,words=stage.track.words(frame);for(let panel of stage.panels)drawPanel(stage,panel),panel.canvas.
setAttribute("aria-label",`${panel.title}, ${panel.words?.(frame)??words}`);showScrubber(stage);for(let panel of stage.panels)
panel.moment?.(frame);for(let{value,change,tile}of stage.tiles){let now=changeAt(stage,tile,frame);value.textContent=tile.
values[frame],change.textContent=now?.text??"",change.dataset.tone=now?.tone??""}sayMoment(stage)}function sayMoment({terms,
view,player}){terms.say(view.captions[player.frame]??"",player.playing)}function changeAt({view,ui,player},tile,frame){return ui.
ghost&&frame===player.T-1?view.ghost?.changes[tile.label]:void 0}function showCursor(stage){for(let panel of stage.panels)
panel.smooth&&drawPanel(stage,panel);showScrubber(stage)}function drawPanel(stage,panel){if(!panel.width)return;let{width,
height}=panel,{theme,scale}=stage,{cursor}=stage.time,ctx=fitCanvas(panel.canvas,width,height,scale);panel.drawQuickly?panel.
drawQuickly(ctx,width,height,theme,cursor,scale):panel.draw(ctx,width,height,theme,cursor,scale)}function showScrubber(stage){
let words=stage.track.words(stage.time.cursor);stage.parts.count.textContent=words,stage.scrubber.show(stage.time.cursor,
words)}function sizePanels(stage,height,wide){let panels=stage.panels.filter(panel=>panel.heights),beside=stage.panels.filter(
panel=>!panel.isBelow),count=beside.filter(panel=>panel.heights).length,taken=beside.reduce((sum,panel)=>sum+panel.box.offsetHeight-
panel.canvas.offsetHeight+10,0),small=stage.view.compact?COMPACT:1/0,{evidence,panels:boxes}=stage.parts,room=all(evidence,
":scope > *").filter(part=>part!==boxes&&part.offsetHeight).reduce((left,part)=>left-part.offsetHeight-10,height+10),each=wide&&
count?(room-taken)/count:Math.min(210,small);for(let panel of panels)panel.width=panel.canvas.clientWidth/stage.type;for(let panel of panels){
let[usual,most]=panel.heights??[0,0],least=Math.min(small,panel.least?.(panel.width,stage.theme)??usual);panel.height=panel.
isBelow?Math.max(BELOW,least):Math.round(Math.max(least,Math.min(most,each))),(stage.type>1&&wide||embedded())&&(panel.height=
roomFor(panel)/stage.type),panel.canvas.style.height=`${panel.height*stage.type}px`}}function roomFor({box,canvas}){canvas.
style.height="0";let{paddingTop,paddingBottom}=getComputedStyle(box),extras=all(box,":scope > *").reduce((sum,child)=>sum+
(child===canvas?0:child.offsetHeight),0);return Math.max(0,box.clientHeight-extras-parseFloat(paddingTop)-parseFloat(paddingBottom))}
function reserveCaption(stage){let{caption}=stage.parts,longest=stage.view.captions.reduce((a,b)=>b.length>a.length?b:a,
"");caption.hidden=!longest,caption.style.minHeight="",caption.textContent=longest,caption.style.minHeight=`${caption.offsetHeight}\
px`,stage.terms.marked=null,sayMoment(stage)}function showLegend(stage){paintLegend(stage,legendEntries(stage,stage.theme,
!!stage.parts.brushes.hidden))}function paintLegend(stage,entries){let{parts,theme}=stage,canvas=parts.legend,width=canvas.
clientWidth/stage.type,height=drawLegend(penOf(canvas),entries,width,theme,!1);canvas.style.height=`${height*stage.type}\
px`,drawLegend(fitCanvas(canvas,width,height,stage.scale),entries,width,theme),canvas.setAttribute("aria-label",`Legend:\
 ${entries.map(e=>e.text).join("; ")}`)}var Card=class{constructor(card){this.card=card}hide(){this.card.hidden=!0}showText(lines,x,y,width){if(!lines.length)return this.
hide();this.card.replaceChildren(...lines.map(text2=>{let row=document.createElement("div");return row.textContent=text2,
row})),this.place(x,y,width)}place(x,y,width){this.card.hidden=!1;let w=this.card.offsetWidth,h=this.card.offsetHeight;this.
card.style.left=`${Math.max(4,x+18+w>width?x-w-14:x+18)}px`,this.card.style.top=`${Math.max(4,y-h-10<0?y+18:y-h-10)}px`}};function pointFacts(view,model,frame,i){let rows=[],name=c=>c>=0?view.classes[c]:"unlabelled";rows.push(["given",name(model.
given[i])]);let seen=outputAt(view,frame,model.source[i]);seen&&(rows.push(["predicted",name(seen.predicted)]),seen.value!==
void 0?rows.push(["f",formatNumber(seen.value)]):rows.push(["lead",formatNumber(seen.margin??NaN)]),seen.p!==null&&seen.
p!==void 0&&rows.push([`p(${view.classes[1]})`,formatPercent(seen.p)]));let guess=guessAt(view,frame,model.source[i]);guess>=
0&&rows.push(["label now",name(guess)]);let truth=truthOf(view,model,i);return truth>=0&&rows.push(["true",name(truth)]),
rows}function pointSentence(view,model,frame,i){let place=`${formatNumber(model.x[i])}, ${formatNumber(model.y[i])}`,facts=pointFacts(
view,model,frame,i).map(([name,value])=>`${name} ${value}`).join(", ");return`Point ${numberOf(model,i)} at ${place}: ${facts}\
.`}function placeFacts(view,field,{x,y}){let outputs=field.outputsAt(x,y),at=["at",`${formatNumber(x)}, ${formatNumber(y)}`];
return outputs?[at,...outputs.map((f,c)=>[nameOf(view,outputs,c),formatNumber(f)])]:view.arrays.f?[at,["f","known at poi\
nts only"]]:[at]}function nameOf(view,outputs,c){return outputs.length>1?`f(${view.classes[c]})`:"f"}function placeSentence(view,field,place){
let[[,at],...outputs]=placeFacts(view,field,place),words=outputs.map(([name,value])=>`${name} ${value}`).join(", ");return`\
No point at ${at}${words&&": "}${words}.`}var Hover=class extends Card{showPoint(view,model,frame,i,x,y,width){let rows=pointFacts(
view,model,frame,i).map(([name,value])=>{let row=document.createElement("div"),left=document.createElement("span"),right=document.
createElement("b");return left.textContent=name,right.textContent=value,row.append(left,right),row}),head=document.createElement(
"strong");head.textContent=`Point ${numberOf(model,i)}`,this.card.replaceChildren(head,...rows,...thumbnail(view,model.source[i])),
this.place(x,y,width)}};function thumbnail(view,row){let images=view.arrays.thumbnails;if(!images||row<0)return[];let[,h,
w]=images.shape,canvas=document.createElement("canvas");canvas.width=w,canvas.height=h;let ctx=penOf(canvas),image=ctx.createImageData(
w,h);for(let i=0;i<w*h;i++){let v=images.data[row*w*h+i];image.data.set([v,v,v,255],4*i)}return ctx.putImageData(image,0,
0),canvas.className="hm-thumb",[canvas]}var TITLE=16,TEXT=14,BEND=8;function drawTitle(ctx,words,width,theme){ctx.font=`600 ${TITLE}px ${theme.font}`,ctx.fillStyle=
theme.ink,ctx.textAlign="left",ctx.textBaseline="top",ctx.fillText(words,0,0,width),ctx.font=`${TEXT}px ${theme.font}`}function drawAbscissa(ctx,scale,plot,name,theme){
let bottom=plot.top+plot.height,end=plot.left+plot.width;ctx.fillStyle=theme.soft;let nameWidth=ctx.measureText(name).width;
ctx.textBaseline="top",ctx.textAlign="center";let free=-1/0;for(let{value,text:text2}of scale.ticks(plot.width/(scale.floor?
50:80))){let x=plot.left+scale.share(value)*plot.width,half=ctx.measureText(text2).width/2;x-half<free||x>=end-nameWidth-
16||(ctx.fillText(text2,x,bottom+7),free=x+half+6)}ctx.textAlign="right",ctx.fillText(name,end,bottom+7)}function keptSheet(sheet,name,width,height,scale,paint){
if(sheet?.name===name)return sheet;let{canvas,pen}=offscreen(Math.ceil(width*scale),Math.ceil(height*scale));pen.scale(scale,
scale);let lay=paint(pen);return{name,lay,picture:canvas.transferToImageBitmap(),width:canvas.width/scale,height:canvas.
height/scale}}function polyline(ctx,xs,values,toX,map,plot,{fromX,breaks=!1,joins=!1}={}){let toY=v=>plot.top+plot.height*
(1-map(v)),jumps=[];ctx.beginPath();let pen=!1,last=0;for(let i=0;i<values.length;i++){let y=toY(values[i]);if(!Number.isFinite(
y)){pen=!1;continue}let x=toX(xs[i]);pen&&breaks&&xs[i]===xs[i-1]&&(jumps.push([x,toY(values[i-1]),y]),pen=!1);let pieces=pen?
Math.ceil((x-last)/BEND):1;for(let k=1;fromX&&k<pieces;k++){let at=last+k/pieces*(x-last),part=(fromX(at)-xs[i-1])/(xs[i]-
xs[i-1]);ctx.lineTo(at,toY(values[i-1]+part*(values[i]-values[i-1])))}pen?ctx.lineTo(x,y):ctx.moveTo(x,y),pen=!0,last=x}
if(ctx.stroke(),!(!joins||!jumps.length)){ctx.save(),ctx.lineWidth=1.2,ctx.setLineDash([2,3]);for(let[x,from,to]of jumps)
segment(ctx,x,from,x,to);ctx.restore()}}function dots(ctx,xs,values,toX,map,plot){for(let i=0;i<values.length;i++){let v=map(
values[i]);Number.isFinite(v)&&(ctx.beginPath(),ctx.arc(toX(xs[i]),plot.top+plot.height*(1-v),4,0,2*Math.PI),ctx.fill())}}
function segment(ctx,x0,y0,x1,y1){ctx.beginPath(),ctx.moveTo(x0,y0),ctx.lineTo(x1,y1),ctx.stroke()}var CLICK=6,REACH={mouse:14,pen:18,touch:24},ADD_REACH=7,Pointer=class{constructor(stage,area){this.stage=stage,this.area=
area,this.press=null,this.pinch=null,this.touches=new Map,area.addEventListener("pointerdown",e=>this.down(e)),area.addEventListener(
"pointermove",e=>this.move(e)),area.addEventListener("pointerup",e=>this.up(e)),area.addEventListener("pointercancel",e=>this.
cancel(e)),area.addEventListener("pointerleave",()=>{stage.setHover(-1),this.aim(null),stage.showHere(null)}),area.addEventListener(
"wheel",e=>this.wheel(e),{passive:!1})}place(e){let box=this.area.getBoundingClientRect(),{type}=this.stage;return{x:(e.
clientX-box.left)/type,y:(e.clientY-box.top)/type}}reach(e){return REACH[e.pointerType]??REACH.mouse}down(e){if(e.button>
1)return;let{stage}=this,at=this.place(e);if(this.touches.set(e.pointerId,at),stage.crosshair.hide(),stage.area.focus({preventScroll:!0}),
this.touches.size===2)return this.startPinch();if(!stage.axes.inside(at.x,at.y))return;let near=nearestPoint(stage.axes,
stage.model,at.x,at.y,this.reach(e));this.press={...at,lastX:at.x,lastY:at.y,near,id:e.pointerId,kind:"click"};let{mode,
brush}=stage.ui;mode==="drag"&&stage.hand.canEdit("drag")&&near>=0?this.begin(new Drag(stage,near,at)):mode==="spray"&&stage.
hand.canEdit("spray")?this.begin(new(brush===ERASE?Rub:Spray)(stage,at)):mode==="lasso"&&stage.hand.canEdit("lasso")&&(this.
press.kind="lasso",stage.ui.lasso=[[at.x,at.y]]),e.isTrusted&&this.area.setPointerCapture(e.pointerId)}aim(at){let{stage}=this,
reach=stage.view&&at&&stage.hand.canEdit("spray")?sprayReach(stage.ui):0;!reach&&!stage.ui.aim||(stage.ui.aim=at&&reach?
{...at,reach}:null,stage.invalidate("overlay"))}begin(stroke){Object.assign(this.press??{},{kind:"stroke",stroke}),this.
stage.setHover(-1)}drop(){this.press?.stroke?.stop(),this.press=null,this.stage.ui.lasso=null}move(e){let{stage,press}=this,
at=this.place(e);if(this.touches.has(e.pointerId)&&this.touches.set(e.pointerId,at),this.pinch)return this.movePinch();if(this.
aim(at),stage.showHere(e.pointerType!=="touch"&&stage.axes.inside(at.x,at.y)?at:null),!press){let near=stage.axes.inside(
at.x,at.y)?nearestPoint(stage.axes,stage.model,at.x,at.y,this.reach(e)):-1;return stage.setHover(e.pointerType==="touch"?
-1:near)}if(press.id===e.pointerId){if(press.kind==="stroke")press.stroke?.move(at);else if(press.kind==="lasso")stage.ui.
lasso?.push([at.x,at.y]),stage.invalidate("overlay");else{let wandered=Math.hypot(at.x-press.x,at.y-press.y)>CLICK;press.
kind==="click"&&wandered&&(press.kind=stage.axes.zoom>1?"pan":"none"),press.kind==="pan"&&(stage.axes.pan(at.x-press.lastX,
at.y-press.lastY),stage.invalidate("field","points","overlay"))}press.lastX=at.x,press.lastY=at.y}}up(e){let{stage,press}=this,
at=this.place(e);if(this.touches.delete(e.pointerId),this.pinch){this.touches.size||(this.pinch=null);return}if(!(!press||
press.id!==e.pointerId)){if(this.press=null,press.kind==="click"&&stage.hand.clicked(press.near,press,stage.ui.mode==="a\
dd"?ADD_REACH:this.reach(e)),press.kind==="stroke"&&(press.stroke?.stop(),stage.hand.finishStroke()),press.kind==="lasso"){
let polygon=stage.ui.lasso??[];stage.ui.lasso=null,stage.invalidate("overlay"),!stage.hand.labelInside(polygon)&&press.near>=
0&&Math.hypot(at.x-press.x,at.y-press.y)<=CLICK&&stage.hand.clicked(press.near,press,this.reach(e))}e.pointerType==="tou\
ch"&&stage.setHover(press.near,2500)}}cancel(e){this.touches.delete(e.pointerId);let{press,stage}=this;this.drop(),this.
pinch=null,press?.kind==="stroke"&&stage.hand.finishStroke()&&stage.hand.undo(),stage.invalidate("points","overlay")}startPinch(){
this.press&&this.cancel({pointerId:-1}),this.pinch=this.spread()}movePinch(){let{pinch}=this;if(this.touches.size<2||!pinch)
return;let now=this.spread(),{axes}=this.stage;axes.zoomAt(now.size/pinch.size,now.x,now.y),axes.zoom>1&&axes.pan(now.x-
pinch.x,now.y-pinch.y),this.pinch=now,this.stage.zoomed()}spread(){let[a,b]=[...this.touches.values()];return{x:(a.x+b.x)/
2,y:(a.y+b.y)/2,size:Math.hypot(a.x-b.x,a.y-b.y)||1}}wheel(e){if(!e.ctrlKey&&!e.metaKey)return;e.preventDefault();let at=this.
place(e);this.stage.axes.zoomAt(Math.exp(-e.deltaY*.0025),at.x,at.y),this.stage.zoomed()}};var STEP=10,FINE=1,REST=350,ARM=16,GAP=4,WAYS={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]},Crosshair=class{constructor(stage){
this.stage=stage,this.at=null,this.corner=null,this.carried=null,this.rest=void 0,stage.area.addEventListener("focus",()=>this.
changed()),stage.area.addEventListener("blur",()=>{(this.carried||this.corner)&&stage.hand.letGo(),this.changed()})}get seen(){
return this.at!==null&&this.stage.area.matches(":focus")}toggle(){this.at?this.close():this.open()}open(){let{axes,model,
ui}=this.stage,{left,top,width,height}=axes.box;ui.focus>=0?this.at={x:model.x[ui.focus],y:model.y[ui.focus]}:this.at??=
{x:axes.dataX(left+width/2),y:axes.dataY(top+height/2)},this.changed(),this.stage.say(`Crosshair on. ${this.words()} Arr\
ow keys move it, Enter acts, Escape ends.`)}close(){this.hide(),this.stage.say("Crosshair off. Arrow keys step through t\
he iterations.")}hide(){this.at&&(this.stage.hand.letGo(),this.at=null,this.stage.ui.here=null,this.stage.setHover(-1),this.
changed())}drop(){this.carried=this.corner=null}handleKey(e){let action=this.actionFor(e);return action?(clearTimeout(this.
rest),action(),e.preventDefault(),e.stopPropagation(),!0):!1}actionFor(e){let way=WAYS[e.key];if(!this.at||e.composedPath()[0]!==
this.stage.area||e.altKey||e.metaKey)return null;if(way){let step=e.ctrlKey?FINE:STEP;return()=>this.move(way[0]*step,way[1]*
step,e.shiftKey)}return e.key==="Enter"?()=>this.press():e.key==="Escape"?()=>this.giveUp():e.key!=="Delete"&&e.key!=="B\
ackspace"?null:()=>{this.stage.ui.focus=this.near(),this.stage.hand.removeFocus()}}move(dx,dy,spanning){let{axes,hand}=this.
stage,from=this.at;if(!from)return;spanning&&!this.carried&&hand.canEdit("lasso")&&(this.corner??=from);let beyond=this.
within(axes.px(from.x)+dx,axes.py(from.y)+dy);axes.zoom>1&&(beyond.overX||beyond.overY)&&(axes.pan(-beyond.overX,-beyond.
overY),this.stage.invalidate("field","points"));let{x,y}=this.within(axes.px(from.x)+dx,axes.py(from.y)+dy);this.carried?.
move({x,y}),this.goTo({x:axes.dataX(x),y:axes.dataY(y)}),this.rest=setTimeout(()=>this.stage.say(this.words()),REST)}within(px,py){
let{left,top,width,height}=this.stage.axes.box,x=Math.min(left+width,Math.max(left,px)),y=Math.min(top+height,Math.max(top,
py));return{x,y,overX:px-x,overY:py-y}}goTo(at){this.at=at,this.stage.ui.focus=-1,this.changed()}press(){let{stage}=this,
{hand,ui}=stage;if(this.carried)return this.put();if(this.corner)return this.label();let near=this.near();if(ui.mode==="\
drag"&&hand.canEdit("drag"))return this.pickUp(near);ui.mode==="lasso"&&hand.canEdit("lasso")?(this.corner=this.at,stage.
say("First corner. Arrow keys span a box, Enter labels the points in it.")):near>=0||hand.drawing?hand.clicked(near,this.
pixel(),ui.mode==="add"?ADD_REACH:REACH.mouse):stage.say(`No point here. ${hand.canEdit("add")?"Press a to add points.":
""}`),this.changed()}pickUp(i){let{model}=this.stage;if(i<0)return this.stage.say("No point here to pick up.");this.at={
x:model.x[i],y:model.y[i]},this.carried=new Drag(this.stage,i,this.pixel()),this.carried.moved=!0,this.stage.say(`Point ${this.
carried.number} picked up. Enter drops it, Escape puts it back.`),this.changed()}put(){this.stage.hand.letGo(),this.changed(),
this.stage.say(`Dropped. ${this.words()}`)}label(){let{stage}=this,count=stage.hand.labelInside(this.box());this.drop(),
this.changed(),stage.say(count?`${count} points: ${stage.hand.brushName}.`:"No points in the box.")}giveUp(){let{carried,
stage}=this;if(!carried&&!this.corner)return this.close();this.drop(),carried&&stage.hand.finishStroke()&&stage.hand.undo(),
this.changed(),stage.say(carried?"Put back.":"No box.")}pixel(){let{axes}=this.stage,{x,y}=this.at??{x:0,y:0};return{x:axes.
px(x),y:axes.py(y)}}near(){let{axes,model}=this.stage,{x,y}=this.pixel();return this.at?nearestPoint(axes,model,x,y,REACH.
mouse):-1}box(){let{axes}=this.stage,{x,y}=this.pixel();if(!this.corner)return[];let left=axes.px(this.corner.x),top=axes.
py(this.corner.y);return[[left,top],[x,top],[x,y],[left,y]]}words(){let{axes,field,model,player,view}=this.stage,near=this.
near();return this.at?this.corner?`${pointsInside(axes,model,this.box()).length} points in the box.`:near>=0?pointSentence(
view,model,player.frame,near):placeSentence(view,field,this.at):""}changed(){let{stage}=this;this.at&&(stage.ui.here=this.
seen?this.at:null,stage.setHover(this.seen?this.near():-1)),stage.invalidate("overlay")}draw(ctx,theme){let{x,y}=this.pixel();
for(let[colour,width]of[[theme.background,5],[theme.ink,2]]){ctx.strokeStyle=colour,ctx.lineWidth=width;for(let[dx,dy]of Object.
values(WAYS))segment(ctx,x+GAP*dx,y+GAP*dy,x+ARM*dx,y+ARM*dy)}}};var GROUPS=new Map;function groupOf(name){let group=GROUPS.get(name)??new Group;return GROUPS.set(name,group),group}var Group=class{constructor(){
this.stages=new Set,this.deck=null,this.log=new SharedLog(this)}join(stage){this.stages.add(stage)}leave(stage){this.stages.
delete(stage),this.deck?.look()}arrived(stage){this.deck?.look(),this.deck?.place(stage)}moved(stage){let t=stage.track.
iteration(stage.player.position);if(this.deck)return this.deck.goTo(this.deck.valueOf(stage),stage);for(let other of this.
stages)other!==stage&&other.time.follow(t)}share(stage,...names){if(stage.view.compact){for(let other of this.stages)if(other!==
stage){for(let name of names)Object.assign(other.ui,{[name]:stage.ui[name]});other.refresh()}this.deck?.refresh()}}},SharedLog=class extends EditLog{constructor(group){
super(message=>this.pass(message),()=>this.spread()),this.group=group,this.recent=new Map}drop(stroke){super.drop(stroke),
stroke&&this.recent.delete(stroke.seq)}pass(message){let{stages}=this.group;(this.from&&stages.has(this.from)?this.from:
[...stages][0])?.send(message)}spread(){for(let op of this.pending)this.recent.set(op.seq,op);for(let stage of this.group.
stages)this.mirror(stage),stage.hand.edited();this.group.deck?.refresh()}mirror(stage){if(stage.view){stage.mirror=baseModel(
stage.view);for(let op of this.recent.values())op.seq>(stage.seen??1/0)&&applyOp(stage.mirror,op)}}reconcile(view,stage){
this.dataId!==void 0&&this.dataId!==view.data_id&&this.recent.clear(),super.reconcile(view),stage.seen=view.client===this.
client?view.seq_seen:0;let least=Math.min(...[...this.group.stages].map(s=>s.seen??1/0));for(let seq of this.recent.keys())
seq<=least&&this.recent.delete(seq);this.mirror(stage),this.pending.length&&this.timer===null&&this.flush()}inherit(){}get kept(){
return null}leave(){this.group.stages.size>1||(super.leave(),this.timer=null)}};var STRIP=.07,DECADES=8;function makeScale(low,high,floor=null,whole=!1){if(floor===null)return{floor,share:v=>high>low?
(v-low)/(high-low):.5,value:s=>low+s*(high-low),ticks:count=>{let values=niceTicks(low,high,count,whole),texts=tickTexts(
values);return values.map((value,i)=>({value,text:texts[i]}))}};let decades=Math.log10(high/floor);return{floor,share:v=>v<=
floor?STRIP*v/floor:STRIP+(1-STRIP)*Math.log10(v/floor)/decades,value:s=>s<=STRIP?floor*s/STRIP:floor*10**((s-STRIP)/(1-
STRIP)*decades),ticks:count=>decadeTicks(floor,high,Math.min(count,DECADES))}}function decadeTicks(floor,high,count){let a=Math.ceil(Math.log10(floor)-1e-9),b=Math.floor(Math.log10(high)+1e-9),step=Math.
max(1,Math.ceil((b-a)/Math.max(1,count-1))),ticks=[{value:0,text:"0"}];for(let e=a;e<=b;e+=step)ticks.push({value:10**e,
text:formatNumber(+`1e${e}`)});return ticks}var Track=class{constructor(view){let axis=view.arrays.axis?.data;this.name=
view.axis?.name,this.t=view.frame_t,this.own=!!axis,this.values=axis??Float64Array.from({length:view.T},(_,i)=>i),this.scale=
makeScale(this.values[0],this.values[view.T-1],view.axis?.floor??null),this.shares=Array.from(this.values,v=>view.T>1?this.
scale.share(v):0)}value(position){let i=Math.min(Math.floor(position),this.values.length-1),rest=position-i;return rest?
this.values[i]+rest*(this.values[i+1]-this.values[i]):this.values[i]}iteration(position){let i=Math.floor(position),share=position-
i;return share?this.t[i]+share*(this.t[i+1]-this.t[i]):this.t[i]}words(position){return this.own?`${this.name} = ${formatNumber(
this.value(position))}`:`t = ${formatCount(this.t[Math.round(position)])} of ${formatCount(this.t[this.t.length-1])}`}share(position){
return this.values.length>1?this.scale.share(this.value(position)):0}frameAt(share){let best=0,least=1/0;return this.shares.
forEach((s,i)=>{let d=Math.abs(s-share);(d<least||d===least&&share>s)&&(least=d,best=i)}),best}},Clock=class{constructor(track,seconds,jumpSeconds,allJumps){
this.track=track;let{shares}=track,jump=i=>track.values[i]===track.values[i-1],jumps=shares.filter((_,i)=>i&&jump(i)).length,
rest=Math.min(jumpSeconds,allJumps/Math.max(1,jumps));this.times=[0];for(let i=1;i<shares.length;i++)this.times.push(this.
times[i-1]+(jump(i)?rest:seconds*(shares[i]-shares[i-1])));this.total=this.times[this.times.length-1]}timeAt(position){let i=Math.
floor(position),{times,track}=this;if(i>=times.length-1)return this.total;let span=track.shares[i+1]-track.shares[i],part=span>
0?(track.share(position)-track.shares[i])/span:position-i;return times[i]+part*(times[i+1]-times[i])}positionAt(time){let{
times,track}=this,{values,shares}=track,i=0;for(;i<times.length-2&&times[i+1]<=time;)i+=1;let part=Math.min(1,Math.max(0,
(time-times[i])/(times[i+1]-times[i]||1))),span=values[i+1]-values[i];if(!(span>0))return i+Math.min(1,Math.max(0,(part-
.4)/.2));let value=track.scale.value(shares[i]+part*(shares[i+1]-shares[i]));return i+Math.min(1,Math.max(0,(value-values[i])/
span))}};var SLOWEST=7,LONGEST=14,AT_A_JUMP=2.4,AT_ALL=24,ALONG=1e3,Player=class{constructor(){this.position=0,this.playing=!1,this.
speed=1,this.loop=!1,this.T=1,this.wish=1/0,this.clock=null,this.time=0}get frame(){return Math.min(this.T-1,Math.max(0,
Math.round(this.position)))}get rate(){return Math.max(SLOWEST,this.T/LONGEST)*this.speed}setLength(T,start){this.T>1&&(this.
wish=this.frame===this.T-1?1/0:this.frame),this.T=T,this.position=start??Math.min(this.wish,T-1)}setTrack(track){this.clock=
track.own?new Clock(track,LONGEST,AT_A_JUMP,AT_ALL):null,this.time=this.clock?.timeAt(this.position)??0}seek(frame){this.
position=Math.min(this.T-1,Math.max(0,frame))}play(){this.T<2||(this.position>=this.T-1&&(this.position=0),this.time=this.
clock?.timeAt(this.position)??0,this.playing=!0)}pause(){this.playing&&(this.playing=!1,this.position=this.frame)}tick(seconds){
this.clock?(this.time+=seconds*this.speed,this.loop&&(this.time%=this.clock.total||1),this.position=this.clock.positionAt(
this.time)):this.position+=seconds*this.rate,!(this.position<this.T-1)&&(this.loop?this.position%=this.T-1:(this.position=
this.T-1,this.playing=!1))}};function positionOf(frameT,t){if(t<=frameT[0])return 0;for(let i=1;i<frameT.length;i++)if(t<=
frameT[i])return i-1+(t-frameT[i-1])/(frameT[i]-frameT[i-1]);return frameT.length-1}function blank(canvas,scale){let width=canvas.
clientWidth,height=canvas.clientHeight,ctx=penOf(canvas);return canvas.width=Math.round(width*scale),canvas.height=Math.
round(height*scale),ctx.scale(scale,scale),{ctx,width,height}}var Scrubber=class{constructor({range,ticks,scale},showTip,seek){
this.range=range,this.ticks=ticks,this.scale=scale,this.events=[],this.track=new Track({arrays:{},axis:null,frame_t:[0],
T:1}),range.addEventListener("input",()=>seek(this.track.own?this.track.frameAt(Number(range.value)/ALONG):Number(range.
value))),ticks.addEventListener("pointermove",e=>{let near=this.near(e.offsetX);ticks.style.cursor=near.length?"pointer":
"",showTip(near.map(event=>event.text),e.clientX,e.clientY)}),ticks.addEventListener("pointerleave",()=>showTip([],0,0)),
ticks.addEventListener("click",e=>{let near=this.near(e.offsetX);near.length&&seek(Math.round(near[0].position))})}setView(view,track){
this.T=view.T,this.track=track,this.events=view.events.map(e=>({...e,position:positionOf(view.frame_t,e.t)})),this.range.
max=String(track.own?ALONG:Math.max(view.T-1,0)),this.range.setAttribute("aria-label",view.axis?.name??"Iteration"),this.
scale.hidden=!track.own}pixel(position){let width=this.ticks.clientWidth;return 9+this.track.share(position)*(width-18)}near(px){
return this.events.filter(e=>Math.abs(this.pixel(e.position)-px)<=6).sort((a,b)=>Math.abs(this.pixel(a.position)-px)-Math.
abs(this.pixel(b.position)-px)).slice(0,4)}neighbour(frame,step){let frames=this.events.map(e=>Math.round(e.position)).filter(
p=>(p-frame)*step>0);return frames.length?step>0?Math.min(...frames):Math.max(...frames):null}draw(theme,scale,type){let{
ctx,height}=blank(this.ticks,scale);this.track.own&&this.drawScale(theme,scale,type);for(let event of this.events){ctx.fillStyle=
roleColour(theme,event.tone);let tall=event.tone==="muted"?.55:1;ctx.fillRect(this.pixel(event.position)-1.5,height*(1-tall),
3,height*tall)}}drawScale(theme,scale,type){let{ctx,width}=blank(this.scale,scale);ctx.font=`${13*type}px ${theme.font}`,
ctx.fillStyle=theme.soft,ctx.textBaseline="top";let free=-1/0;for(let{value,text:text2}of this.track.scale.ticks(width/80/
type)){let half=ctx.measureText(text2).width/2,x=Math.min(width-half,Math.max(half,9+this.track.scale.share(value)*(width-
18)));x-half<free||(ctx.fillText(text2,x-half,1),free=x+half+6)}}show(position,text2){let share=this.track.share(position);
this.range.value=String(Math.round(share*Number(this.range.max))),this.range.style.setProperty("--hm-share",`${100*share}\
%`),this.range.setAttribute("aria-valuetext",text2)}};var RACE=10,GRAIN=1e3,SWITCHES=["predictions","mistakes"],Deck=class{theme;group;name;about;shown=null;last;unit="iterat\
ions";end=0;fine=1;request=0;constructor(root){this.root=root,this.parts=findParts(root),this.value=1/0,this.speed=1,this.
loop=!1,this.playing=!1,this.wire(),this.observer=new ResizeObserver(()=>this.refresh()),this.observer.observe(root),this.
follow=()=>{root.classList.toggle("hm-present",presenting()),this.refresh()},this.follow(),root.classList.toggle("hm-emb\
ed",embedded()),document.addEventListener("halfmoon-present",this.follow),root.halfmoonDeck=this}wire(){let{parts,root}=this,
leader=act=>()=>{this.leader&&act(this.leader)};for(let button of all(root,"[data-step]"))button.addEventListener("click",
()=>this.step(button.dataset.step??""));for(let button of all(root,"[data-toggle]"))button.addEventListener("click",leader(
stage=>stage.toggle(button.dataset.toggle)));for(let button of all(parts.units,"[data-unit]"))button.addEventListener("c\
lick",()=>this.setUnit(button.dataset.unit));parts.undo.addEventListener("click",leader(stage=>stage.hand.undo())),parts.
redo.addEventListener("click",leader(stage=>stage.hand.redo())),parts.play.addEventListener("click",()=>this.toggle()),parts.
loop.addEventListener("click",()=>this.toggleLoop()),parts.speed.addEventListener("change",()=>{this.speed=Number(parts.
speed.value)}),parts.range.addEventListener("input",()=>this.seek(Number(parts.range.value)/this.fine)),root.addEventListener(
"keydown",e=>{let target=e.composedPath()[0],name=target.tagName;moveRadio(target,e)||["SELECT","SUMMARY"].includes(name)||
name==="BUTTON"&&[" ","Enter"].includes(e.key)||this.handleKey(e)})}update(data){this.theme=readTheme(this.root),data.sync!==
this.name&&(this.name=data.sync,this.group=groupOf(data.sync),this.group.deck=this),data.about!==this.about&&(this.about=
data.about,this.unit=data.unit,this.value=data.t??1/0),this.root.dataset.ready="1",this.shown=null,this.look()}remove(){
this.stop(),this.observer.disconnect(),document.removeEventListener("halfmoon-present",this.follow),this.group?.deck===this&&
(this.group.deck=null)}get stages(){return[...this.group?.stages??[]].filter(stage=>stage.view).sort((a,b)=>a.view.key.localeCompare(
b.view.key,void 0,{numeric:!0}))}get leader(){return this.stages[0]}times(stage){let{view}=stage;return this.unit==="sec\
onds"?view.arrays.seconds?.data??[0]:view.frame_t}endOf(stage){let times=this.times(stage);return times[times.length-1]}valueOf(stage){
return this.unit==="iterations"?stage.track.iteration(stage.player.position):this.times(stage)[stage.player.frame]??0}look(){
let{stages}=this,end=Math.max(0,...stages.map(stage=>this.endOf(stage)));this.value>=this.end&&(this.value=1/0),this.end=
end,this.fine=this.unit==="seconds"?GRAIN/(end||1):1,this.parts.range.max=String(Math.round(end*this.fine)),this.root.classList.
toggle("hm-still",!(end>0)),this.showEnds(stages),this.refresh(),this.show()}place(stage,playing=!1){if(this.unit==="ite\
rations")return stage.time.follow(this.at,void 0,playing);let times=this.times(stage),frame=0;for(;frame+1<times.length&&
times[frame+1]<=this.at;)frame+=1;stage.time.follow(this.at,frame,playing)}get at(){return Math.min(this.value,this.end)}goTo(value,except=null){
this.value=value;for(let stage of this.stages)stage!==except&&this.place(stage,this.playing);this.show()}seek(value){this.
stop(),this.goTo(Math.min(this.end,Math.max(0,value)))}step(way,count=1){if(way==="first")return this.seek(0);if(way==="\
last")return this.seek(this.end);let sign=Math.sign(Number(way)),to=this.unit==="iterations"?Math.round(this.at)+sign*count:
this.at;if(this.unit==="seconds")for(let i=0;i<count;i++)to=this.neighbour(to,sign);this.seek(to)}neighbour(value,sign){
let beyond=this.stages.flatMap(stage=>[...this.times(stage)]).filter(time=>(time-value)*sign>0);return beyond.length?sign>
0?Math.min(...beyond):Math.max(...beyond):value}setUnit(unit){if(unit===this.unit)return;let share=this.end?this.at/this.
end:1;this.stop(),this.unit=unit,this.value=1/0,this.end=0,this.look(),this.goTo(share<1?share*this.end:1/0)}toggle(){if(this.
playing)return this.stop();if(this.end>0){this.at>=this.end&&(this.value=0),this.playing=!0,this.last=void 0;for(let stage of this.
stages)stage.renderer.restartClock();this.request=requestAnimationFrame(now=>this.tick(now)),this.show()}}stop(){this.playing&&
(this.playing=!1,cancelAnimationFrame(this.request),this.goTo(this.unit==="iterations"?Math.round(this.at):this.at))}get rate(){
return(this.unit==="seconds"?this.end/RACE:Math.max(SLOWEST,this.end/LONGEST))*this.speed}tick(now){let passed=Math.min(
.1,(now-(this.last??now))/1e3);this.last=now;let value=this.at+passed*this.rate;if(value>=this.end){if(!this.loop)return this.
goTo(this.end),this.stop();value%=this.end}this.goTo(value),this.request=requestAnimationFrame(next=>this.tick(next))}toggleLoop(){
this.loop=!this.loop,this.show()}handleKey(e){if(e.altKey||e.ctrlKey||e.metaKey)return!1;let name=e.composedPath()[0].tagName;
if(["SELECT","TEXTAREA"].includes(name)||name==="BUTTON"&&e.key===" ")return!1;let count=e.shiftKey?10:1,action={" ":()=>this.
toggle(),ArrowLeft:()=>this.step("-1",count),ArrowRight:()=>this.step("1",count),Home:()=>this.step("first"),End:()=>this.
step("last"),l:()=>this.toggleLoop()}[e.key];return action?(action(),e.preventDefault(),e.stopPropagation(),!0):!1}words(value){
return this.unit==="iterations"?`t = ${formatCount(value)} of ${formatCount(this.end)}`:`${formatDuration(value)} of ${formatDuration(
this.end)}`}show(){let{parts,root}=this,words=this.words(this.at),share=this.end?this.at/this.end:0;parts.count.textContent=
words,parts.range.value=String(Math.round(this.at*this.fine)),parts.range.style.setProperty("--hm-share",`${100*share}%`),
parts.range.setAttribute("aria-valuetext",words),root.dataset.playing=this.playing?"1":"0",root.dataset.unit=this.unit,parts.
play.setAttribute("aria-label",this.playing?"Pause":"Play"),parts.loop.setAttribute("aria-pressed",String(this.loop))}showEnds(stages){
let{ends,range,units}=this.parts;ends.replaceChildren(...stages.filter(stage=>this.endOf(stage)>0).map(stage=>{let mark=element(
"span"),share=this.endOf(stage)/this.end;return mark.style.left=`calc(9px + ${share} * (100% - 18px))`,mark.title=`${stage.
view.name}: ended after ${this.unit==="seconds"?formatDuration(this.endOf(stage)):`${formatCount(this.endOf(stage))} ite\
rations`}`,mark})),range.setAttribute("aria-label",this.unit==="seconds"?"Solver seconds":"Iteration");for(let button of all(
units,"[data-unit]")){let chosen=button.dataset.unit===this.unit;button.setAttribute("aria-checked",String(chosen)),button.
tabIndex=chosen?0:-1}}legend(){let entries=this.stages.flatMap(stage=>legendEntries(stage,this.theme??stage.theme,!stage.
hand.canEdit("label")));return[...new Map(entries.map(entry=>[entry.text,entry])).values()]}refresh(){let{leader,parts,root}=this;
if(!leader||!this.theme)return;let classes=[this.theme.dark,...leader.view.classes].join("|");classes!==this.shown&&(this.
shown=classes,buildBrushes({parts,view:leader.view,theme:this.theme,area:leader.area,hand:{setBrush:c=>this.leader?.hand.
setBrush(c)}})),one(root,".hm-tools").hidden=!leader.hand.canEdit("label");for(let button of all(parts.brushes,"[data-br\
ush]")){let c=Number(button.dataset.brush);button.setAttribute("aria-checked",String(c===leader.ui.brush)),button.tabIndex=
c===leader.ui.brush?0:-1,button.hidden=isIdle(leader,c)}parts.undo.disabled=!leader.log.done.length,parts.redo.disabled=
!leader.log.undone.length;let type=typeSize(root.clientWidth),scale=(leader.scale??1)/(leader.type??1)*type;paintLegend(
{parts,theme:this.theme,scale,type},this.legend());for(let name of SWITCHES)one(root,`[data-toggle=${name}]`).setAttribute(
"aria-pressed",String(leader.ui[name]))}};function mountDeck(root,data){let deck=root.halfmoonDeck??new Deck(root);return deck.
update(data),()=>deck.remove()}var CRC=Uint32Array.from({length:256},(_,n)=>{for(let k=0;k<8;k++)n=n&1?3988292384^n>>>1:n>>>1;return n>>>0});function crc32(bytes2){
let c=4294967295;for(let b of bytes2)c=CRC[(c^b)&255]^c>>>8;return(c^4294967295)>>>0}function chunk(type,data){let out=new Uint8Array(
12+data.length),view=new DataView(out.buffer);view.setUint32(0,data.length);for(let i=0;i<4;i++)out[4+i]=type.charCodeAt(
i);return out.set(data,8),view.setUint32(8+data.length,crc32(out.subarray(4,8+data.length))),out}function readPng(bytes2){
let view=new DataView(bytes2.buffer,bytes2.byteOffset),data=[],header=new Uint8Array(13);for(let at=8;at<bytes2.length;){
let size=view.getUint32(at),type=String.fromCharCode(...bytes2.subarray(at+4,at+8)),body=bytes2.subarray(at+8,at+8+size);
type==="IHDR"&&(header=body),type==="IDAT"&&data.push(body),at+=12+size}return{header,data}}function encodeApng(pictures,delay){
let first=readPng(pictures[0]),size=first.header.subarray(0,8),parts=[Uint8Array.of(137,80,78,71,13,10,26,10),chunk("IHD\
R",first.header)],control=new DataView(new ArrayBuffer(8));control.setUint32(0,pictures.length),parts.push(chunk("acTL",
new Uint8Array(control.buffer)));let sequence=0;return pictures.forEach((picture,i)=>{let frame=new Uint8Array(26),view=new DataView(
frame.buffer);view.setUint32(0,sequence++),frame.set(size,4),view.setUint16(20,i===pictures.length-1?1500:delay),view.setUint16(
22,1e3),frame[25]=i?1:0,parts.push(chunk("fcTL",frame));for(let data of readPng(picture).data){if(i===0){parts.push(chunk(
"IDAT",data));continue}let numbered=new Uint8Array(4+data.length);new DataView(numbered.buffer).setUint32(0,sequence++),
numbered.set(data,4),parts.push(chunk("fdAT",numbered))}}),parts.push(chunk("IEND",new Uint8Array(0))),new Blob(parts,{type:"\
image/png"})}var PAD=24,SMALL_ROW=18,ANIMATION={frames:120,width:760,band:.15},PATIENCE=3e4,REST2=1200;function compose(stage,canvas,position,scale,evidence){
let{view,theme}=stage,frame=Math.round(position),width=stage.size.width,height=stage.size.height,side=evidence&&(stage.panels.
length||view.tiles.length)?420:0,total=width+2*PAD+(side?side+PAD:0),probe=canvas.getContext("2d",{alpha:!1}),entries=legendEntries(
stage,theme,!0,!0),legendHeight=drawLegend(probe,entries,width,theme,!1),about=stage.captioned?wrap(smallPen(probe,theme),
view.about,width):[];probe.font=`17px ${theme.font}`;let captionRows=Math.max(2,...view.captions.map(text2=>wrap(probe,text2,
width).length),0),head=view.title?44:0,below=about.length?about.length*SMALL_ROW+10:0,left=PAD+head+height+8+legendHeight+
34+captionRows*24+below+PAD,rows=stage.panels.length,right=side?2*PAD+Math.ceil(view.tiles.length/2)*74+rows*190:0,tall=Math.
max(left,right);(canvas.width!==Math.round(total*scale)||canvas.height!==Math.round(tall*scale))&&(canvas.width=Math.round(
total*scale),canvas.height=Math.round(tall*scale));let ctx=canvas.getContext("2d",{alpha:!1});ctx.setTransform(scale,0,0,
scale,0,0),ctx.fillStyle=theme.background,ctx.fillRect(0,0,total+1,tall+1),ctx.translate(PAD,PAD),head&&text(ctx,view.title,
0,0,`700 24px ${theme.font}`,theme.ink),ctx.save(),ctx.translate(0,head),stage.renderer.drawScene(ctx,position,scale),ctx.
translate(0,height+8),drawLegend(ctx,entries,width,theme),ctx.translate(0,legendHeight+8),text(ctx,stage.track.words(frame),
0,0,`700 17px ${theme.font}`,theme.ink),ctx.font=`17px ${theme.font}`,wrap(ctx,view.captions[frame]||"",width).forEach((row,i)=>text(
ctx,row,0,26+24*i,`17px ${theme.font}`,theme.ink)),about.forEach((row,i)=>text(ctx,row,0,26+24*captionRows+10+SMALL_ROW*
i,`13px ${theme.font}`,theme.soft)),ctx.restore(),side&&(ctx.save(),ctx.translate(width+PAD,0),drawEvidence(ctx,stage,frame,
side,tall-2*PAD,scale),ctx.restore())}function smallPen(pen,theme){return pen.font=`13px ${theme.font}`,pen}function drawEvidence(ctx,stage,frame,width,height,scale){
let{view,theme}=stage,half=(width-12)/2;view.tiles.forEach((tile,i)=>{let x=i%2*(half+12),y=Math.floor(i/2)*74;ctx.fillStyle=
theme.panel,ctx.fillRect(x,y,half,62),text(ctx,tile.values[frame],x+12,y+8,`700 22px ${theme.font}`,theme.ink);let change=changeAt(
stage,tile,frame),after=x+22+ctx.measureText(tile.values[frame]).width;change&&text(ctx,change.text,after,y+11,`700 19px\
 ${theme.font}`,toneColour(theme,change.tone)),text(ctx,tile.label,x+12,y+38,`14px ${theme.font}`,theme.soft)});let used=Math.
ceil(view.tiles.length/2)*74,each=(height-used)/Math.max(1,stage.panels.length);stage.panels.forEach((panel,i)=>{ctx.save(),
ctx.translate(0,used+i*each),panel.draw(ctx,width,each-14,theme,frame,scale),ctx.restore()})}function text(ctx,words,x,y,font,colour){
ctx.font=font,ctx.fillStyle=colour,ctx.textAlign="left",ctx.textBaseline="top",ctx.fillText(words,x,y)}function wrap(ctx,words,width){
let rows=[],row="";for(let word of words.split(" ")){let longer=row?`${row} ${word}`:word;row&&ctx.measureText(longer).width>
width?(rows.push(row),row=word):row=longer}return row&&rows.push(row),rows}function toBlob(canvas,type){return new Promise(
(resolve,reject)=>{canvas.toBlob(blob=>blob?resolve(blob):reject(new Error("the picture could not be made")),type)})}function save(blob,name){
let link=document.createElement("a");link.href=URL.createObjectURL(blob),link.download=name,link.click(),setTimeout(()=>URL.
revokeObjectURL(link.href),1e4)}var nextFrame=()=>new Promise(resolve=>requestAnimationFrame(resolve));async function exportPicture(stage){
let canvas=document.createElement("canvas");compose(stage,canvas,stage.player.frame,2,!0),save(await toBlob(canvas,"imag\
e/png"),`halfmoon-t${stage.view.frame_t[stage.player.frame]}.png`)}function toneColour(theme,tone){return tone==="good"||
tone==="bad"?theme[tone]:theme.soft}function changes(canvas,last){let{width,height}=canvas,picture=penOf(canvas).getImageData(
0,0,width,height),now=new Uint32Array(picture.data.buffer),before=now.slice();if(last)for(let i=0;i<now.length;i++)now[i]===
last[i]&&(now[i]=0);let sheet=document.createElement("canvas");return sheet.width=width,sheet.height=height,penOf(sheet).
putImageData(picture,0,0),{sheet,before}}async function exportAnimation(stage,progress,cancelled){let canvas=document.createElement(
"canvas"),pictures=[],T=stage.view.T;canvas.getContext("2d",{alpha:!1,willReadFrequently:!0});let last=null,count=Math.min(
T,ANIMATION.frames),scale=Math.min(1,ANIMATION.width/stage.size.width);for(let i=0;i<count;i++){if(cancelled())return!1;
let frame=count>1?Math.round(i*(T-1)/(count-1)):0;stage.field.setTheme(stage.theme,ANIMATION.band),compose(stage,canvas,
frame,scale,!1),stage.field.setTheme(stage.theme);let{sheet,before}=changes(canvas,last);last=before,pictures.push(new Uint8Array(
await(await toBlob(sheet,"image/png")).arrayBuffer())),progress(i+1,count),await nextFrame()}return save(encodeApng(pictures,
Math.round(1e3/stage.player.rate)),"halfmoon.apng.png"),!0}function canRecord(){return typeof MediaRecorder=="function"&&
"captureStream"in HTMLCanvasElement.prototype}async function exportFilm(stage,progress,cancelled){let canvas=document.createElement(
"canvas"),last=stage.view.T-1,parts=[],draw=position=>compose(stage,canvas,position,1,!0);draw(0);let recorder=new MediaRecorder(
canvas.captureStream(30),{videoBitsPerSecond:8e6}),ready=!1;recorder.onstart=()=>{ready=!0},recorder.ondataavailable=e=>parts.
push(e.data);let stopped=new Promise(resolve=>{recorder.onstop=resolve});recorder.start(500);let patience=performance.now()+
PATIENCE;for(;!ready&&!cancelled()&&performance.now()<patience;)await nextFrame(),draw(0);let start=performance.now(),end=1e3*
last/stage.player.rate+REST2;for(let now=start;ready&&!cancelled()&&now-start<end;now=await nextFrame()){let position=Math.
min(last,Math.max(0,(now-start)/1e3*stage.player.rate));draw(position),progress(Math.round(position)+1,last+1)}if(recorder.
stop(),await stopped,cancelled())return!1;if(!ready)throw new Error("the video encoder of this browser did not start; th\
e animated PNG works without it");return save(new Blob(parts,{type:"video/webm"}),"halfmoon.webm"),!0}async function saveAs(stage,kind){
if(stage.busy){stage.cancelExport=!0;return}stage.cancelExport=!1;let what=kind==="film"?"video":kind,progress=(done,all2)=>{
stage.busy=`Making the ${what}: ${done} of ${all2} … (save again to stop)`,stage.invalidate("status")};stage.player.pause(),
showControls(stage);try{let make={picture:exportPicture,animation:exportAnimation,film:exportFilm}[kind];await make(stage,
progress,()=>stage.cancelExport||!stage.root.isConnected),stage.notice=stage.cancelExport?"":`The ${what} is saved.`}catch(error){
stage.notice=`No ${what}: ${error instanceof Error?error.message:error}.`}finally{stage.busy="",stage.invalidate("field",
"status")}}function refine(source,w,h,s,target,scratch,levels=null){let w2=(w-1)*s+1;refineLines(source,{count:w,step:1,lines:h,stride:w},
s,scratch,{step:1,stride:w2},levels),refineLines(scratch,{count:h,step:w2,lines:w2,stride:1},s,target,{step:w2,stride:1},
levels)}var NODES=6,DOUBT=.05,STEEP=1.5,REFINE_TABLES=new Map;function refineTables(s){if(REFINE_TABLES.has(s))return REFINE_TABLES.
get(s);let high=new Float64Array((NODES-1)*(s-1)*2*NODES),hermite=new Float64Array(4*s);for(let place=0;place<NODES-1;place++){
let inner=Math.min(Math.max(place-1,0),NODES-4);for(let j=1;j<s;j++){let at=(place*(s-1)+j-1)*2*NODES,t=place+j/s;for(let k=0;k<
NODES;k++)high[at+k]=lagrange(k,t,0,NODES),high[at+NODES+k]=high[at+k]-(k>=inner&&k<inner+4?lagrange(k,t,inner,inner+4):
0)}}for(let i=0;i<s;i++){let t=i/s,t2=t*t,t3=t2*t;hermite.set([2*t3-3*t2+1,t3-2*t2+t,3*t2-2*t3,t3-t2],4*i)}let tables={high,
hermite};return REFINE_TABLES.set(s,tables),tables}function lagrange(k,t,from,to){let weight=1;for(let q=from;q<to;q++)q!==
k&&(weight*=(t-q)/(k-q));return weight}function refineLines(source,{count,step,lines,stride},s,target,out,levels){let{high,
hermite}=refineTables(s),found=new Float64Array(s),enough=count>=NODES;for(let i=0;i<count-1;i++){let first=Math.min(Math.
max(i-2,0),Math.max(count-NODES,0)),place=i-first,weights=place*(s-1)*2*NODES;for(let line2=0;line2<lines;line2++){let node=line2*
stride+i*step,to=line2*out.stride+i*s*out.step,here=source[node],next=source[node+step];target[to]=here;let trusted=!1,last=source[i?
node-step:node],beyond=source[i<count-2?node+2*step:node+step];if(enough&&passes(last,here,next,beyond,levels)){let at=line2*
stride+first*step,a=source[at],b=source[at+step],c=source[at+2*step],d=source[at+3*step],e=source[at+4*step],f=source[at+
5*step],before=Math.abs(here)+Math.abs(last),after=Math.abs(next)+Math.abs(beyond),steep=before>0&&after>0&&(after>STEEP*
before||before>STEEP*after),ratio=1,size=Math.max(Math.abs(here),Math.abs(next));if(steep){ratio=Math.min(1e3,Math.max(.001,
Math.sqrt(after/before)));let back=1/ratio,factor=ratio**place;a*=factor,b*=factor*=back,c*=factor*=back,d*=factor*=back,
e*=factor*=back,f*=factor*=back,size=Math.max(Math.abs(here),Math.abs(next*back))}let root=steep?ratio**(1/s):1,alike=here>=
0==next>=0,grown=1;trusted=!0;for(let j=1,k=weights;j<s;j++,k+=2*NODES){grown*=root;let value=high[k]*a+high[k+1]*b+high[k+
2]*c+high[k+3]*d+high[k+4]*e+high[k+5]*f,doubt=Math.abs(high[k+6]*a+high[k+7]*b+high[k+8]*c+high[k+9]*d+high[k+10]*e+high[k+
11]*f);if(!(doubt<=DOUBT*size)||alike&&value>=0!=here>=0&&doubt>.2*Math.abs(value)){trusted=!1;break}found[j]=value*grown}}
if(trusted){for(let j=1;j<s;j++)target[to+j*out.step]=found[j];continue}let rise=next-here,start=i?monotoneSlope(here-source[node-
step],rise):rise,end=i<count-2?monotoneSlope(rise,source[node+2*step]-next):rise;for(let j=1,k=4;j<s;j++,k+=4)target[to+
j*out.step]=hermite[k]*here+hermite[k+1]*start+hermite[k+2]*next+hermite[k+3]*end}}for(let line2=0;line2<lines;line2++)target[line2*
out.stride+(count-1)*s*out.step]=source[line2*stride+(count-1)*step]}function passes(a,b,c,d,levels){if(!levels)return!0;
let range=Math.max(a,b,c,d)-Math.min(a,b,c,d);for(let i=0;i<levels.length;i++){let level=levels[i],side=a>=level;if(b>=level!==
side||c>=level!==side||d>=level!==side)return!0;let inner=Math.min(Math.abs(b-level),Math.abs(c-level));if(inner<range&&
inner<=Math.abs(a-level)&&inner<=Math.abs(d-level))return!0}return!1}function monotoneSlope(before,after){if(before*after<=
0)return 0;let most=3*Math.min(Math.abs(before),Math.abs(after)),mean=(before+after)/2;return Math.max(-most,Math.min(most,
mean))}var SEGMENTS=[[],[3,0],[0,1],[3,1],[1,2],null,[0,2],[3,2],[2,3],[2,0],null,[2,1],[1,3],[1,0],[0,3],[]],SADDLE_JOINED={
5:[3,2,1,0],10:[0,3,2,1]},SADDLE_APART={5:[3,0,1,2],10:[0,1,2,3]},Contours=class{constructor(w,h){this.w=w,this.h=h,this.
links=new Int32Array(4*w*h).fill(-1),this.used=[]}lines(grid,level){let{w,h,links,used}=this;used.length=0;for(let y=0;y<
h-1;y++)for(let x=0,i=y*w;x<w-1;x++,i++){let a=grid[i]>=level,b=grid[i+1]>=level,d=grid[i+w]>=level,c=grid[i+w+1]>=level,
kind=(a?1:0)|(b?2:0)|(c?4:0)|(d?8:0);if(kind===0||kind===15)continue;let pairs=SEGMENTS[kind];pairs||(pairs=((grid[i]+grid[i+
1]+grid[i+w]+grid[i+w+1])/4>=level?SADDLE_JOINED:SADDLE_APART)[kind]);for(let p=0;p<pairs.length;p+=2)this.join(this.side(
i,pairs[p]),this.side(i,pairs[p+1]))}let chains=[];for(let start of used)links[2*start]>=0&&links[2*start+1]<0&&this.follow(
start,grid,level,chains);for(let start of used)links[2*start]>=0&&this.follow(start,grid,level,chains);return chains}side(i,which){
return which===0?2*i:which===1?2*(i+1)+1:which===2?2*(i+this.w):2*i+1}join(p,q){for(let[from,to]of[[p,q],[q,p]])this.links[2*
from]<0?(this.links[2*from]=to,this.used.push(from)):this.links[2*from+1]=to}follow(start,grid,level,chains){let{w,links}=this,
xy=[],at=start,before=-1;for(;at>=0;){let node=at>>1,other=at&1?node+w:node+1,t=(level-grid[node])/(grid[other]-grid[node]),
x=node%w,y=node/w|0;xy.push(at&1?x:x+t,at&1?y+t:y);let one2=links[2*at],two=links[2*at+1];if(one2<0)break;links[2*at]=links[2*
at+1]=-1;let next=one2===before?two:one2;before=at,at=next}xy.length>=4&&chains.push(xy)}};function classBorders(winner,scores,w,h){
let out=[],hits=[];for(let y=0;y<h-1;y++)for(let x=0,i=y*w;x<w-1;x++,i++){let a=winner[i],b=winner[i+1],c=winner[i+w+1],
d=winner[i+w];if(!(a===b&&b===c&&c===d))if(hits.length=0,a!==b&&hits.push(x+equalAt(scores[a],scores[b],i,i+1),y),b!==c&&
hits.push(x+1,y+equalAt(scores[b],scores[c],i+1,i+w+1)),c!==d&&hits.push(x+equalAt(scores[d],scores[c],i+w,i+w+1),y+1),d!==
a&&hits.push(x,y+equalAt(scores[a],scores[d],i,i+w)),hits.length===4)out.push(...hits);else{let count=hits.length/2,mx=0,
my=0;for(let j=0;j<count;j++)mx+=hits[2*j]/count,my+=hits[2*j+1]/count;for(let j=0;j<count;j++)out.push(hits[2*j],hits[2*
j+1],mx,my)}}return out}function equalAt(one2,other,p,q){let lead=one2[p]-other[p],lag=other[q]-one2[q];return lead+lag>
0?lead/(lead+lag):.5}var FINE2=240,MANY=6,STRONGEST=2.5,FAINT=.2,BUCKETS=5,NOTABLE=.05,DRAWN_AT=[0,1,-1],AROUND2=2,SURE=.1,Field=class{constructor(view){
this.view=view,this.array=view.arrays.field,this.canvas=document.createElement("canvas"),this.theme={...LIGHT,font:""};let[
,k,h,w]=this.array?.shape??[0,0,1,1];this.k=k,this.h=h,this.w=w,this.zero=[],this.plus=[],this.minus=[],this.borders=null,
this.table=new Uint32Array(0),this.many=this.k>1,this.s=Math.max(1,Math.round(FINE2/Math.max(this.w,this.h)/(this.k>MANY?
2:1))),this.w2=(this.w-1)*this.s+1,this.h2=(this.h-1)*this.s+1,this.canvas.width=this.w2,this.canvas.height=this.h2,this.
ctx=penOf(this.canvas),this.image=this.ctx.createImageData(this.w2,this.h2),this.pixels=new Uint32Array(this.image.data.
buffer),this.values=this.array?decodeTable(view.limits.field):new Float32Array(65536),this.coarse=new Float32Array(this.
w*this.h),this.fine=Array.from({length:this.k},()=>new Float32Array(this.w2*this.h2)),this.scratch=new Float32Array(this.
w2*this.h),this.contours=new Contours(this.w2,this.h2),this.winner=new Uint8Array(this.w2*this.h2),this.size=new Float32Array(
this.w*this.h),this.opacity=new Float32Array(this.w*this.h),this.regions=new Regions(this.w2,this.h2,this.nodesOf(view)),
this.at=-1,this.withMargins=view.margins!==!1,this.margins=this.many||!this.array||!this.withMargins?[]:reached(this.array.
data,this.values),this.ghostLines=this.array?this.ghost(view):[]}get exists(){return!!this.array}setTheme(theme,band=0){
if(this.theme=theme,this.at=-1,!this.exists)return;let paint=(c,exact)=>{let f=band?band*(Math.floor(exact/band)+.5):exact,
share=this.many?.35*Math.min(1,f/SURE)+.65*Math.tanh(1.2*f):Math.tanh(.7*f),[r,g,b]=mixColours(theme.background,classColour(
theme,c),theme.strength*share);return 255<<24|b<<16|g<<8|r};if(this.many){this.table=new Uint32Array(256*this.k);for(let c=0;c<
this.k;c++)for(let i=0;i<256;i++)this.table[256*c+i]=paint(c,(i+.5)/256*STRONGEST)}else{this.table=new Uint32Array(512);
for(let i=0;i<512;i++){let f=(i-255.5)/255.5*STRONGEST;this.table[i]=paint(f>=0?1:0,Math.abs(f))}}}prepare(position){if(!(!this.
exists||position===this.at)){this.at=position;for(let c=0;c<this.k;c++)this.refineClass(position,c);this.many?this.prepareWinners():
this.prepareOutputs(),this.ctx.putImageData(this.image,0,0)}}refineClass(position,c){let{w,h,k,coarse,values}=this,size=w*
h,T=this.view.T,q=this.array?.data??[],first=Math.min(Math.floor(position),T-1),share=position-first,a=(first*k+c)*size,
b=(Math.min(first+1,T-1)*k+c)*size;for(let i=0;i<size;i++){let v=values[q[a+i]+32768];coarse[i]=share?v+share*(values[q[b+
i]+32768]-v):v}refine(coarse,w,h,this.s,this.fine[c],this.scratch,this.many?null:DRAWN_AT)}outputsAt(x,y){let{w2,h2}=this,
[x0,x1,y0,y1]=this.view.extent,u=(x-x0)/(x1-x0)*(w2-1),v=(y-y0)/(y1-y0)*(h2-1);if(this.at<0||!(u>=0&&v>=0&&u<=w2-1&&v<=h2-
1))return null;let i=Math.min(w2-2,Math.floor(u)),j=Math.min(h2-2,Math.floor(v));return this.fine.map(f=>{let row=k=>f[k*
w2+i]+(u-i)*(f[k*w2+i+1]-f[k*w2+i]);return row(j)+(v-j)*(row(j+1)-row(j))})}prepareOutputs(){let{w,h,w2,h2,size,coarse,winner,
table,pixels}=this,fine=this.fine[0],gain=255.5/STRONGEST,low=1/0,high=-1/0;for(let y=0;y<h2;y++){let from=y*w2,to=(h2-1-
y)*w2;for(let x=0;x<w2;x++){let f=fine[from+x],i=f*gain+255.5|0;winner[from+x]=f>=0?1:0,f<low&&(low=f),f>high&&(high=f),
pixels[to+x]=table[i<0?0:i>511?511:i]}}for(let i=0;i<w*h;i++)size[i]=Math.abs(coarse[i]);this.fade();let lines=level=>low<
level&&level<=high?this.contours.lines(fine,level):[],margin=level=>this.withMargins?lines(level):[];[this.zero,this.plus,
this.minus]=[lines(0),margin(1),margin(-1)]}prepareWinners(){let{w,s,k,w2,h2,fine,winner,size,table,pixels}=this,gain=256/
STRONGEST;for(let y=0;y<h2;y++){let to=(h2-1-y)*w2,node=y%s?-1:y/s*w;for(let x=0,i=y*w2;x<w2;x++,i++){let best=0,first=fine[0][i],
second=-1/0;for(let c=1;c<k;c++){let v=fine[c][i];v>first?(second=first,first=v,best=c):v>second&&(second=v)}winner[i]=best,
pixels[to+x]=table[256*best+Math.min(255,(first-second)*gain|0)],node>=0&&x%s===0&&(size[node+x/s]=first-second)}}this.fade(),
this.borders=classBorders(winner,fine,w2,h2)}nodesOf(view){let{w2,h2}=this,[x0,x1,y0,y1]=view.extent,{data}=view.arrays.
points,at=(v,low,high,count)=>Math.min(count-1,Math.max(0,Math.round((v-low)/(high-low)*(count-1))));return Int32Array.from(
{length:view.n},(_,i)=>at(data[2*i+1],y0,y1,h2)*w2+at(data[2*i],x0,x1,w2))}fade(){let{w,h,size,opacity}=this;this.regions.
find(this.winner);let largest=0;for(let i=0;i<w*h;i++)size[i]>largest&&(largest=size[i]);let rows=spreadMax(size,w,h,1,w),
around=spreadMax(rows,h,w,w,1);for(let i=0;i<w*h;i++)opacity[i]=largest?Math.max(FAINT,Math.min(1,Math.log10(around[i]/largest/
NOTABLE)/2+1)):1}opacityAt(x,y,parts=!0){if(!parts)return FAINT;let node=Math.round(y/this.s)*this.w+Math.round(x/this.s);
return Math.round(this.opacity[node]*BUCKETS)/BUCKETS}ghost(view){let array=view.arrays.ghost_field;if(!array)return[];let[
,k,h,w]=array.shape,s=this.s,w2=(w-1)*s+1,h2=(h-1)*s+1,scores=Array.from({length:k},(_,c)=>{let coarse=Float32Array.from(
array.data.subarray(c*w*h,(c+1)*w*h),q=>this.values[q+32768]),fine=new Float32Array(w2*h2);return refine(coarse,w,h,s,fine,
new Float32Array(w2*h)),fine}),line2=xy=>({xy,w:w2,h:h2});if(k===1)return new Contours(w2,h2).lines(scores[0],0).map(line2);
let winner=Uint8Array.from(scores[0],(_,i)=>{let best=0;for(let c=1;c<k;c++)scores[c][i]>scores[best][i]&&(best=c);return best});
return segments(classBorders(winner,scores,w2,h2)).map(line2)}draw(ctx,axes,ghost=!0){if(!this.exists)return;let[x0,x1,y0,
y1]=this.view.extent,left=axes.px(x0),top=axes.py(y1),width=axes.px(x1)-left,height=axes.py(y0)-top;ctx.save(),axes.clip(
ctx),ctx.imageSmoothingEnabled=!0,ctx.imageSmoothingQuality="low",ctx.drawImage(this.canvas,.5,.5,this.w2-1,this.h2-1,left,
top,width,height);let gx=width/(this.w2-1),gy=height/(this.h2-1),bottom=top+height,toX=x=>left+x*gx,toY=y=>bottom-y*gy,trace=lines=>{
ctx.beginPath();for(let xy of lines){ctx.moveTo(toX(xy[0]),toY(xy[1]));for(let i=2;i<xy.length;i+=2)ctx.lineTo(toX(xy[i]),
toY(xy[i+1]))}ctx.stroke()};ctx.lineJoin=ctx.lineCap="round",ghost&&this.drawGhost(ctx,axes),this.many||(ctx.lineWidth=1.6,
ctx.setLineDash([7,6]),ctx.strokeStyle=classColour(this.theme,1),trace(this.plus),ctx.strokeStyle=classColour(this.theme,
0),trace(this.minus),ctx.setLineDash([])),ctx.strokeStyle=this.theme.ink,ctx.lineWidth=this.many?2:2.6;for(let[opacity,lines]of this.
byOpacity())ctx.globalAlpha=opacity,trace(lines);ctx.restore()}byOpacity(){let parts=new Map,put=(opacity,xy)=>parts.get(
opacity)?.push(xy)??parts.set(opacity,[xy]),lines=this.many?segments(this.borders??[]):this.zero,apart=lines.map(([x,y])=>this.
regions.parted(x,y)),none=!apart.includes(!0);for(let[j,xy]of lines.entries()){let full=apart[j]||none,from=0,opacity=this.
opacityAt(xy[0],xy[1],full);for(let i=2;i<xy.length;i+=2){let next=this.opacityAt(xy[i],xy[i+1],full);next!==opacity&&(put(
opacity,xy.slice(from,i+2)),[from,opacity]=[i,next])}from<xy.length-2&&put(opacity,xy.slice(from))}return parts}drawGhost(ctx,axes){
if(!this.ghostLines.length)return;let[x0,x1,y0,y1]=this.view.ghost?.extent??this.view.extent,left=axes.px(x0),bottom=axes.
py(y0),width=axes.px(x1)-left,height=bottom-axes.py(y1);ctx.strokeStyle=this.theme.soft,ctx.lineWidth=2.4,ctx.setLineDash(
[2,6]),ctx.beginPath();for(let{xy,w,h}of this.ghostLines)for(let i=0;i<xy.length;i+=2){let x=left+xy[i]/(w-1)*width,y=bottom-
xy[i+1]/(h-1)*height;i===0?ctx.moveTo(x,y):ctx.lineTo(x,y)}ctx.stroke(),ctx.setLineDash([])}},Regions=class{constructor(w,h,nodes){
this.w=w,this.h=h,this.nodes=nodes,this.peopled=new Uint8Array(0),this.run=new Int32Array(w*h),this.end=new Int32Array(w*
h),this.parent=new Int32Array(w*h)}find(winner){let{w,h,run,end,parent,nodes}=this,count=0;for(let row=0;row<w*h;row+=w)
for(let i=row;i<row+w;count++){let from=i,c=winner[i];for(;i<row+w&&winner[i]===c;)i+=1;run.fill(count,from,i),end[count]=
i,parent[count]=count;for(let below=from-w;row&&below<i-w;below=end[run[below]])winner[below]===c&&(parent[this.root(run[below])]=
this.root(count))}this.peopled=new Uint8Array(count);for(let node of nodes)this.peopled[this.root(run[node])]=1}root(r){
let{parent}=this;for(;parent[r]!==r;)r=parent[r]=parent[parent[r]];return r}parted(x,y){let{w,h,run,peopled}=this,one2=-1;
for(let row=Math.max(0,Math.ceil(y)-1);row<=Math.min(h-1,Math.floor(y)+1);row++)for(let column=Math.max(0,Math.ceil(x)-1);column<=
Math.min(w-1,Math.floor(x)+1);column++){let r=this.root(run[row*w+column]);if(peopled[r]){if(one2>=0&&r!==one2)return!0;
one2=r}}return!1}};function segments(flat){return Array.from({length:flat.length/4},(_,i)=>flat.slice(4*i,4*i+4))}function spreadMax(values,count,lines,step,stride){
let out=new Float32Array(values.length);for(let line2=0;line2<lines;line2++)for(let i=0;i<count;i++){let most=0;for(let j=Math.
max(0,i-AROUND2);j<=Math.min(count-1,i+AROUND2);j++)most=Math.max(most,values[line2*stride+j*step]);out[line2*stride+i*step]=
most}return out}function reached(levels,values){let low=levels[0],high=levels[0];for(let q of levels)q<low&&(low=q),q>high&&
(high=q);let[least,most]=[values[low+32768],values[high+32768]];return[1,-1].filter(margin=>least<margin&&most>=margin)}var TOOLS={add:"Add: Enter adds a point.",spray:"Spray: Enter adds a point.",drag:"Drag: Enter picks a point up and drop\
s it.",lasso:"Lasso: Enter begins a box and labels the points in it."},FULL="No more points can be added by hand; remove\
d points count, too.",Hand=class{constructor(stage){this.stage=stage}canEdit(tool){let{view}=this.stage;return view.locked?
!1:({erase:["label",tool],lasso:["label",tool],spray:["add"]}[tool]??[tool]).every(name=>view.tools.includes(name))}edit(op){
this.letGo(),this.stage.log.from=this.stage,this.stage.log.act(op)}letGo(){this.stage.pointer.drop(),this.stage.crosshair.
drop(),this.finishStroke()}finishStroke(){return this.stage.log.finish()?(this.stage.axes.setExtent(this.stage.view.extent),
this.stage.resize(),!0):!1}get drawing(){return this.canEdit("add")&&(this.stage.ui.mode==="add"||this.stage.ui.mode==="\
spray"||!this.stage.model.n)}hasRoom(more=0){return this.stage.view.max_number===null||this.stage.model.next+more<this.stage.
view.max_number}chooseMode(){let{ui}=this.stage;!this.stage.view.n&&this.canEdit("add")?(ui.offered=ui.mode!=="add",ui.mode=
"add"):ui.offered&&(ui.mode="label"),this.stage.view.n&&(ui.offered=!1)}leaveEraser(){this.stage.ui.brush===ERASE&&!this.
stage.model.n&&(this.stage.ui.brush=0)}edited(){this.leaveEraser(),showControls(this.stage),this.stage.prompts.edited(),
this.stage.invalidate("points","overlay","status"),this.stage.refreshCard()}clicked(near,{x,y},reach){let{ui,model,axes}=this.
stage;if(this.drawing){let hit=nearestPoint(axes,model,x,y,reach);if(hit<0)return this.addPoint(axes.dataX(x),axes.dataY(
y));if(ui.brush===ERASE)return this.edit({op:"remove",i:numberOf(model,hit)});near=hit}near>=0&&ui.mode!=="drag"&&this.labelPoint(
near)}addPoint(x,y){let{ui,model}=this.stage;if(ui.brush===ERASE)return this.stage.tell("The eraser adds no points; choo\
se another brush.");if(!this.hasRoom())return this.tellFull();this.edit({op:"add",i:model.next,x,y,class:ui.brush}),this.
stage.say(`Point added: ${this.brushName}.`)}tellFull(){this.stage.tell(FULL)}labelPoint(i){let{ui,model}=this.stage;(ui.
brush<0?!this.canEdit("erase"):!this.canEdit("label"))||(this.edit(ui.brush<0?{op:"erase",i:numberOf(model,i)}:{op:"labe\
l",i:numberOf(model,i),class:ui.brush}),this.stage.say(pointSentence(this.stage.view,model,this.stage.player.frame,i)))}labelInside(polygon){
let{axes,model,ui}=this.stage,idx=(polygon.length>2?pointsInside(axes,model,polygon):[]).map(i=>numberOf(model,i));return idx.
length&&this.edit({op:"label_many",idx,class:Math.max(UNLABELLED,ui.brush)}),idx.length}get brushName(){let{ui,view}=this.
stage;return ui.brush<0?"unlabelled":view.classes[ui.brush]}undo(){this.turnBack("undo","Undone.")}redo(){this.turnBack(
"redo","Redone.")}turnBack(way,words){this.letGo(),this.stage.log[way]()&&this.stage.say(words)}continueHere(){if(!this.
canEdit("continue"))return;let frame=this.stage.player.frame;this.letGo(),this.stage.log.push({op:"continue",frame,t:this.
stage.view.frame_t[frame]}),this.stage.log.flush()}setBrush(c){if(!(c>=this.stage.view.k)){if(c===UNLABELLED&&!this.canEdit(
"add")&&(c=ERASE),c===ERASE&&!this.stage.model.n)return this.stage.tell("There are no points to erase.");this.stage.ui.brush=
c,showControls(this.stage),this.stage.say(c===ERASE?"Erase brush.":`Brush ${this.brushName}.`),this.stage.group?.share(this.
stage,"brush")}}setMode(mode){this.letGo(),this.stage.ui.mode=mode,this.stage.ui.offered=!1,showControls(this.stage),this.
stage.invalidate("overlay","status")}takeTool(mode){let{stage}=this,on=stage.ui.mode!==mode;this.canEdit(mode)&&(this.setMode(
on?mode:"label"),on&&!stage.crosshair.at&&stage.crosshair.open(),stage.say(on?`${TOOLS[mode]} On the stage arrow keys mo\
ve the crosshair.`:"Enter labels points."))}labelFocus(){this.stage.ui.focus>=0&&this.labelPoint(this.stage.ui.focus)}removeFocus(){
this.stage.ui.focus<0||!this.canEdit("add")||(this.edit({op:"remove",i:numberOf(this.stage.model,this.stage.ui.focus)}),
this.stage.setFocus(-1))}};var Numbers=class{constructor(moved,tell2){this.values={},this.opening=null,this.moved=moved,this.tell=tell2}open(view){
return view.opening===this.opening?!1:(this.opening=view.opening,this.values={...view.numbers},!0)}get(name){return this.
values[name]}set(name,value){this.values[name]!==value&&(this.values[name]=value,this.moved(name))}note(name,value){this.
values[name]=value}drop(){clearTimeout(this.timer),this.tell({opening:this.opening,values:{...this.values}})}dropLater(){
clearTimeout(this.timer),this.timer=setTimeout(()=>this.drop(),400)}};var BasePanel=class{canvas=document.createElement("canvas");box=document.createElement("div");width=0;height=0;isBelow=!1;constructor(row){
this.kind=row.kind,this.title=row.title,this.below=row.below}};var PLOT=70,DASHES=[[],[9,4],[2,4],[11,4,2,4],[5,3]],FEW_LINES=20;function readCurves(view,row,name){let{arrays}=view;return{
x:arrays[`${name}_x`]?.data,series:row.series.map((s,j)=>({...s,dash:DASHES[j%DASHES.length],values:dataOf(view,`${name}\
_${j}`),trailX:arrays[`${name}_${j}_x`]?.data,trailY:arrays[`${name}_${j}_y`]?.data})),bundles:row.bundles.map((b,j)=>({
...b,lines:readLines(packedOf(view,`${name}_lines${j}`),b.limits)}))}}function readLines({data,shape:[T,m]},[low,high]){
let value=q=>q===-32768?NaN:low+(q+32767)/65534*(high-low);return Array.from({length:m},(_,j)=>Float32Array.from({length:T},
(_2,t)=>value(data[t*m+j])))}function ordinate(panel,count){let low=1/0,high=-1/0,whole=!0,take=v=>{!Number.isFinite(v)||
panel.log&&v<=0||v<(panel.floor??-1/0)||(v<low&&(low=v),v>high&&(high=v),whole&&=Number.isInteger(v))};for(let s of panel.
series){for(let v of s.values)take(v);for(let v of s.trailY??[])take(v);if(s.ghost&&panel.ghostShown)for(let v of s.ghost.
values)take(v)}for(let bundle of panel.bundles)bundle.lines.length&&bundle.limits.forEach(take);if(whole&&=!panel.percent&&
!panel.bundles.length,panel.floor&&take(panel.floor),low>high&&(low=panel.log?.1:0,high=1),panel.log){let a=Math.floor(Math.
log10(low)+1e-6),b=Math.ceil(Math.log10(high)-1e-6);a===b&&(b+=1);let step2=Math.max(1,Math.ceil((b-a)/count)),ticks=[];
for(let e=b;e>=a;e-=step2)ticks.push({at:(e-a)/(b-a),text:formatNumber(+`1e${e}`)});return{ticks,map:v=>v>0?(Math.log10(
v)-a)/(b-a):NaN,back:s=>10**(a+s*(b-a))}}panel.percent&&(low=0,high=Math.max(high,.01)),low===high&&([low,high]=whole?[low>
0?low-1:low,low+1]:[low-.5*Math.abs(low),high+.5*Math.abs(high)]);let step=niceStep(low,high,count,whole),near=1e-9,first=Math.
floor(low/step+near),last=Math.max(first+1,Math.ceil(high/step-near)),values=multiples(first,last,step),bottom=first*step,
span=(last-first)*step,texts=panel.percent?tickTexts(values.map(v=>100*v)).map(text2=>`${text2} %`):tickTexts(values);return{
ticks:values.map((v,i)=>({at:(v-bottom)/span,text:texts[i]})),map:v=>(v-bottom)/span}}function valueText(panel,value){return panel.
percent?formatPercent(value):formatNumber(value)}function layoutPanel(ctx,panel,width,height,theme){ctx.font=`${TEXT}px ${theme.
font}`;let entries=[],still=[],x=0,row=0,place=(words,list,entry)=>{let w=ctx.measureText(words).width+34;x&&x+w>width&&
(x=0,row+=1),list.push({...entry,x,y:TITLE+12+row*20}),x+=w};for(let series of panel.series){let longest=Array.from(series.
values,v=>valueText(panel,v)).reduce((a,b)=>b.length>a.length?b:a,"");place(`${series.name} ${longest}`,entries,{series})}
for(let{name,role,lines}of panel.bundles)lines.length&&place(name,still,{name,role});panel.shaded.length&&panel.shaded_name&&
place(panel.shaded_name,still,{name:panel.shaded_name});let top=TITLE+12+(row+1)*20+8,tall=height-top-26,scale=ordinate(
panel,Math.max(1,Math.floor(tall/30))),every=Math.max(1,Math.ceil(TEXT*(scale.ticks.length-1)/Math.max(1,tall)));scale.ticks=
scale.ticks.filter((_,i)=>i%every===0);let left=Math.max(...scale.ticks.map(t=>ctx.measureText(t.text).width))+10;return{
entries,still,scale,plot:{left,top,width:width-left-8,height:tall}}}function drawStill(ctx,panel,width,theme,lay){let{plot,
scale}=lay;drawTitle(ctx,panel.title,width,theme),ctx.lineWidth=1,ctx.textBaseline="middle";for(let tick of scale.ticks){
let y=plot.top+plot.height*(1-tick.at);ctx.strokeStyle=theme.line,segment(ctx,plot.left,y,plot.left+plot.width,y),ctx.fillStyle=
theme.soft,ctx.textAlign="right",ctx.fillText(tick.text,plot.left-8,y)}drawStillLegend(ctx,theme,lay);let toX=abscissa(panel,
plot),bottom=plot.top+plot.height;panel.scale.floor&&(ctx.strokeStyle=theme.line,segment(ctx,toX(panel.scale.floor),plot.
top,toX(panel.scale.floor),bottom)),drawAbscissa(ctx,panel.scale,plot,panel.x_name,theme),ctx.save(),ctx.beginPath(),ctx.
rect(plot.left-3,plot.top-3,plot.width+6,plot.height+6),ctx.clip(),ctx.lineJoin="round",ctx.fillStyle=theme.good,ctx.globalAlpha=
.16;for(let[a,b]of panel.shaded)ctx.fillRect(toX(a),plot.top,Math.max(2,toX(b)-toX(a)),plot.height);let fromX=panel.scale.
floor?px=>panel.scale.value((px-plot.left)/plot.width):void 0,{onAxis}=panel;for(let{lines,role}of panel.bundles){ctx.strokeStyle=
roleColour(theme,role),ctx.globalAlpha=Math.min(.9,Math.max(.3,12/Math.sqrt(lines.length+1)/2)),ctx.lineWidth=lines.length<=
FEW_LINES?1.6:1;for(let line2 of lines)polyline(ctx,panel.x,line2,toX,scale.map,plot,{fromX,breaks:onAxis})}ctx.globalAlpha=
1;for(let series of panel.series)!series.ghost||!panel.ghostShown||(ctx.strokeStyle=roleColour(theme,series.role),ctx.globalAlpha=
.4,ctx.lineWidth=2,ctx.setLineDash([2,5]),polyline(ctx,series.ghost.x,series.ghost.values,toX,scale.map,plot),ctx.setLineDash(
[]),ctx.globalAlpha=1);for(let series of panel.series){let xs=series.trailX??panel.x,ys=series.trailY??series.values;ctx.
strokeStyle=ctx.fillStyle=roleColour(theme,series.role),ctx.lineWidth=2.2,ctx.setLineDash(series.dash),series.dots?dots(
ctx,xs,ys,toX,scale.map,plot):series.trailX?polyline(ctx,xs,ys,toX,scale.map,plot):polyline(ctx,xs,ys,toX,scale.map,plot,
{fromX,breaks:onAxis,joins:!0}),ctx.setLineDash([])}ctx.restore()}function drawStillLegend(ctx,theme,{still}){ctx.textAlign=
"left",ctx.textBaseline="middle";for(let{name,role,x,y}of still)ctx.fillStyle=role?roleColour(theme,role):theme.good,ctx.
globalAlpha=role?1:.3,ctx.fillRect(x,role?y+8:y+3,16,role?1.5:12),ctx.globalAlpha=1,ctx.fillStyle=theme.soft,ctx.fillText(
name,x+22,y+9)}function abscissa(panel,plot){return v=>plot.left+panel.scale.share(v)*plot.width}function drawMoving(ctx,panel,theme,lay,position){
let{plot,scale,entries}=lay,frame=Math.round(position),i=Math.floor(position),share=position-i,between=row=>share?row[i]+
share*(row[i+1]-row[i]):row[i],x=abscissa(panel,plot)(between(panel.x));ctx.strokeStyle=theme.ink,ctx.lineWidth=1.4,ctx.
setLineDash([4,3]),segment(ctx,x,plot.top-4,x,plot.top+plot.height),ctx.setLineDash([]),ctx.font=`${TEXT}px ${theme.font}`,
ctx.textAlign="left",ctx.textBaseline="middle";for(let{series,x:ex,y:ey}of entries){let value=series.values[frame],colour=roleColour(
theme,series.role);ctx.fillStyle=colour,series.dots?(ctx.beginPath(),ctx.arc(ex+10,ey+8.5,4,0,2*Math.PI),ctx.fill()):drawSample(
ctx,series,colour,ex,ey),ctx.fillStyle=theme.soft,ctx.fillText(series.name,ex+22,ey+9);let after=ex+28+ctx.measureText(series.
name).width;ctx.fillStyle=theme.ink,ctx.fillText(valueText(panel,value),after,ey+9);let v=scale.map(series.trailY?value:
between(series.values));!(v>=0)||series.dots||(ctx.beginPath(),ctx.arc(x,plot.top+plot.height*(1-v),4.5,0,2*Math.PI),ctx.
fillStyle=colour,ctx.fill(),ctx.strokeStyle=theme.background,ctx.lineWidth=1.5,ctx.stroke())}}function drawSample(ctx,series,colour,x,y){
ctx.strokeStyle=colour,ctx.lineWidth=3,ctx.setLineDash(series.dash.map(length=>.8*length)),segment(ctx,x,y+8.5,x+18,y+8.5),
ctx.setLineDash([])}var CurvesPanel=class extends BasePanel{linked=!0;smooth=!0;heights=[165,280];sheet=null;ghostShown;constructor(view,row,name,track){
super(row);let{x,series,bundles}=readCurves(view,row,name);this.series=series,this.bundles=bundles,this.log=row.log,this.
percent=row.percent,this.floor="floor"in row?row.floor:null,this.shaded=row.shaded,this.shaded_name=row.shaded_name,this.
onAxis=!x&&track.own,this.x_name=this.onAxis&&view.axis?view.axis.name:row.x_name,this.x=x??(track.own?track.values:Float32Array.
from(view.frame_t)),this.scale=track.scale;let at=view.ghost?view.ghost.curves.findIndex(g=>g.title===row.title):-1;view.
ghost&&at>=0&&this.takeGhost(readCurves(view,view.ghost.curves[at],`ghost${at}`)),this.showGhost(!0)}showGhost(on){if(on===
this.ghostShown||(this.ghostShown=on,this.forget(),this.onAxis))return;let first=this.x[0],last=this.x[this.x.length-1],
ends=this.series.map(({ghost})=>on&&ghost?ghost.x[ghost.x.length-1]:last);this.scale=makeScale(first,Math.max(last,Math.
min(first+2*(last-first),...ends)),null,areWhole(this.x))}takeGhost(ghost){for(let series of this.series){let twin=ghost.
series.find(s=>s.name===series.name);twin&&(series.ghost={values:twin.values,x:ghost.x??[...twin.values.keys()]})}}least(width,theme){
let{plot}=layoutPanel(offscreen(1,1).pen,this,width,0,theme);return Math.max(this.heights[0],plot.top+PLOT+26)}draw(ctx,width,height,theme,position){
let lay=layoutPanel(ctx,this,width,height,theme);return drawStill(ctx,this,width,theme,lay),drawMoving(ctx,this,theme,lay,
position),lay}drawQuickly(ctx,width,height,theme,position,scale){let name=`${width}|${height}|${scale}|${theme.dark}|${theme.
background}`;this.sheet=keptSheet(this.sheet,name,width,height,scale,still=>{let lay2=layoutPanel(still,this,width,height,
theme);return drawStill(still,this,width,theme,lay2),lay2});let{picture,lay}=this.sheet;return ctx.drawImage(picture,0,0,
this.sheet.width,this.sheet.height),drawMoving(ctx,this,theme,lay,position),lay}forget(){this.sheet=null}frameAt(px){if(!this.
sheet)return 0;let toX=abscissa(this,this.sheet.lay.plot),best=0,least=1/0;for(let i=0;i<this.x.length;i++){let x=toX(this.
x[i]),d=Math.abs(x-px);(d<least||d===least&&px>x)&&(least=d,best=i)}return best}};var ROW_TEXT=13,LONGEST_ROW=120,ROOM=84,LEANS=[.4,.6],HeatPanel=class extends BasePanel{linked=!0;smooth=!0;heights=[150,
300];sheet=null;constructor(view,row,name,track){super(row),this.rows=row.rows,this.row_name=row.row_name,this.roles=row.
roles,this.ends=row.ends,this.middle=row.middle;let{data,shape}=packedOf(view,name);this.data=data,this.T=shape[0],this.
m=shape[1],this.rows.length&&(this.heights=[Math.max(150,ROOM+(ROW_TEXT+1)*this.m),420]),this.x=track.own?track.values:Float32Array.
from(view.frame_t),this.x_name=track.own&&view.axis?view.axis.name:"iteration",this.scale=track.own?track.scale:makeScale(
this.x[0],this.x[this.T-1],null,areWhole(this.x))}draw(ctx,width,height,theme,position){this.moveCursor(ctx,theme,this.paintMap(
ctx,width,height,theme),position)}drawQuickly(ctx,width,height,theme,position,scale){let name=`${width}|${height}|${scale}\
|${theme.dark}|${theme.background}`;this.sheet=keptSheet(this.sheet,name,width,height,scale,still=>this.paintMap(still,width,
height,theme)),ctx.drawImage(this.sheet.picture,0,0,this.sheet.width,this.sheet.height),this.moveCursor(ctx,theme,this.sheet.
lay,position)}forget(){this.sheet=null}paintMap(ctx,width,height,theme){drawTitle(ctx,this.title,width,theme);let top=TITLE+
12+this.paintLegend(ctx,width,theme)+8;ctx.font=`${ROW_TEXT}px ${theme.font}`;let named=Math.max(0,...this.rows.map(row=>ctx.
measureText(row).width)),left=this.rows.length?Math.min(LONGEST_ROW,named)+10:2,plot={left,top,width:width-left-8,height:height-
top-26};return this.paintRows(ctx,plot,theme),ctx.font=`${TEXT}px ${theme.font}`,drawAbscissa(ctx,this.scale,plot,this.x_name,
theme),plot}paintLegend(ctx,width,theme){let shades=[roleColour(theme,this.roles[0]),theme.background,roleColour(theme,this.
roles[1])],words=[this.ends[0],this.middle,this.ends[1]],x=0,y=TITLE+12;return ctx.textAlign="left",ctx.textBaseline="mi\
ddle",words.forEach((text2,i)=>{if(!text2)return;let w=ctx.measureText(text2).width+40;x&&x+w>width&&(x=0,y+=20),ctx.fillStyle=
shades[i],ctx.fillRect(x,y+3,16,12),ctx.strokeStyle=theme.muted,ctx.lineWidth=1,ctx.strokeRect(x+.5,y+3.5,15,11),ctx.fillStyle=
theme.soft,ctx.fillText(text2,x+22,y+9),x+=w}),y+20-TITLE-12}paintRows(ctx,plot,theme){ctx.save(),ctx.imageSmoothingEnabled=
!1;let picture=this.rowsAsPicture(theme),edges=this.columnEdges(plot);for(let t=0;t<this.T;t++)ctx.drawImage(picture,t,0,
1,this.m,edges[t],plot.top,edges[t+1]-edges[t]+.5,plot.height);ctx.restore(),ctx.strokeStyle=theme.line,ctx.lineWidth=1,
ctx.strokeRect(plot.left+.5,plot.top+.5,plot.width,plot.height);let each=plot.height/this.m,step=Math.ceil((ROW_TEXT+1)/
each);ctx.fillStyle=theme.soft,ctx.textAlign="right",ctx.textBaseline="middle";for(let i=0;i<this.rows.length;i+=step)ctx.
fillText(this.rows[i],plot.left-8,plot.top+(i+.5)*each,LONGEST_ROW)}rowsAsPicture(theme){let ends=this.roles.map(role=>roleColour(
theme,role)),middle=theme.background,levels=Array.from({length:256},(_,q)=>{let lean=(q-127.5)/127.5;return lean<0?mixColours(
middle,ends[0],-lean):mixColours(middle,ends[1],lean)}),{canvas,pen:ctx}=offscreen(this.T,this.m),image=ctx.createImageData(
this.T,this.m);for(let t=0;t<this.T;t++)for(let i=0;i<this.m;i++){let at=4*(i*this.T+t);image.data.set(levels[this.data[t*
this.m+i]],at),image.data[at+3]=255}return ctx.putImageData(image,0,0),canvas}columnEdges(plot){let at=Array.from(this.x,
v=>plot.left+this.scale.share(v)*plot.width);return Array.from({length:this.T+1},(_,t)=>t===0?plot.left:t===this.T?plot.
left+plot.width:(at[t-1]+at[t])/2)}moveCursor(ctx,theme,plot,position){let i=Math.min(Math.floor(position),this.T-1),share=position-
i,value=share?this.x[i]+share*(this.x[i+1]-this.x[i]):this.x[i],x=plot.left+this.scale.share(value)*plot.width;for(let under of[
!0,!1])ctx.strokeStyle=under?theme.background:theme.ink,ctx.lineWidth=under?4:1.6,ctx.setLineDash(under?[]:[4,3]),segment(
ctx,x,plot.top-4,x,plot.top+plot.height);ctx.setLineDash([])}frameAt(px){let t=0;if(!this.sheet)return t;let edges=this.
columnEdges(this.sheet.lay);for(;t<this.T-1&&edges[t+1]<px;)t+=1;return t}words(frame){let now=this.data.subarray(frame*
this.m,(frame+1)*this.m),low=now.filter(q=>q<=255*LEANS[0]).length,high=now.filter(q=>q>=255*LEANS[1]).length,some=n=>`${n}\
 ${this.row_name}${n===1?"":"s"}`,between=this.middle?`, ${some(this.m-low-high)}: ${this.middle}`:"";return`${some(low)}\
: ${this.ends[0]}, ${some(high)}: ${this.ends[1]}${between}`}};var LEVELS=16,SIZES2=[[300,4.2],[1500,3.2],[1/0,2.4]],ABOVE=255;function wholeNumbers(reach){let most=Math.floor(reach),
count=2*most+1;return Array.from({length:count},(_,i)=>({value:i-most,text:String(i-most).replace("-","−")}))}var LossPanel=class extends BasePanel{heights=[
190,300];sheet=null;constructor(view,row,name){super(row),this.reach=row.reach,this.limits=row.limits,this.notes=row.notes,
this.others=row.others,this.view=view,this.labelledOf=view.arrays[`${name}_labelled`],this.positiveOf=view.arrays[`${name}\
_positive`],this.heightsOf=view.arrays[`${name}_heights`];let curves=packedOf(view,`${name}_curves`);this.g=curves.shape[1],
this.losses=Float32Array.from(curves.data,q=>row.limits[0]+q*row.step),this.scale={...makeScale(-this.reach,this.reach),
ticks:()=>wholeNumbers(this.reach)},this.radius=SIZES2.find(([most])=>view.n<=most)?.[1]??2.4}draw(ctx,width,height,theme,position){
this.paintNow(ctx,theme,this.paintRest(ctx,width,height,theme),Math.round(position))}drawQuickly(ctx,width,height,theme,position,scale){
let name=`${width}|${height}|${scale}|${theme.dark}|${theme.background}`;this.sheet=keptSheet(this.sheet,name,width,height,
scale,still=>this.paintRest(still,width,height,theme)),ctx.drawImage(this.sheet.picture,0,0,this.sheet.width,this.sheet.
height),this.paintNow(ctx,theme,this.sheet.lay,Math.round(position))}forget(){this.sheet=null}paintRest(ctx,width,height,theme){
drawTitle(ctx,this.title,width,theme);let entries=this.placeLegend(ctx,width),rows=entries[entries.length-1].row+1,top=TITLE+
12+20*rows+8,[low,high]=this.limits,ticks=niceTicks(low,high,4),texts=tickTexts(ticks),left=Math.max(...texts.map(text2=>ctx.
measureText(text2).width))+10,plot={left,top,width:width-left-8,height:height-top-26},toX=o=>plot.left+this.scale.share(
o)*plot.width,toY=v=>plot.top+plot.height*(1-(v-low)/(high-low)),lay={plot,toX,toY,entries};return ctx.textBaseline="mid\
dle",ctx.textAlign="right",ctx.lineWidth=1,ticks.forEach((v,i)=>{ctx.strokeStyle=theme.line,segment(ctx,plot.left,toY(v),
plot.left+plot.width,toY(v)),ctx.fillStyle=theme.soft,ctx.fillText(texts[i],plot.left-8,toY(v))}),drawAbscissa(ctx,this.
scale,plot,"output f",theme),this.paintBoundary(ctx,theme,lay),this.clipped(ctx,plot,()=>{ctx.lineWidth=1.4;for(let frame of this.
others)this.trace(ctx,lay,this.curveAt(frame),this.faint(theme));this.labelledOf&&this.paintBranches(ctx,theme,lay)}),this.
paintStillLegend(ctx,theme,entries),lay}paintBoundary(ctx,theme,{plot,toX}){ctx.strokeStyle=theme.muted;for(let o of[-1,
0,1])ctx.setLineDash(o?[5,4]:[]),ctx.lineWidth=o?1:1.6,segment(ctx,toX(o),plot.top,toX(o),plot.top+plot.height);ctx.setLineDash(
[])}paintBranches(ctx,theme,lay){let data=Float32Array.from(this.labelledOf?.data??[]);ctx.lineWidth=1.4,ctx.setLineDash(
[2,4]),this.trace(ctx,lay,data,classColour(theme,1)),this.trace(ctx,lay,data.toReversed(),classColour(theme,0)),ctx.setLineDash(
[])}faint(theme){return rgbText(mixColours(theme.background,theme.warn,.35))}placeLegend(ctx,width){let words=[{what:"no\
w",text:this.notes.reduce((a,b)=>b.length>a.length?b:a,"")}];this.others.length&&words.push({what:"others",text:"other i\
terations"}),this.labelledOf&&words.push({what:"labelled",text:this.positiveOf?"with either label":"labelled points"});let x=0,
row=0;return words.map(entry=>{let w=ctx.measureText(entry.text).width+38;x&&x+w>width&&(x=0,row+=1);let placed={...entry,
x,row,y:TITLE+12+20*row};return x+=w,placed})}paintStillLegend(ctx,theme,entries){ctx.textAlign="left",ctx.textBaseline=
"middle";for(let{what,text:text2,x,y}of entries)what!=="now"&&(what==="others"?(ctx.fillStyle=this.faint(theme),ctx.fillRect(
x,y+8,16,2)):[0,1].forEach(c=>{ctx.fillStyle=classColour(theme,c);for(let at of[0,6,12])ctx.fillRect(x+at,y+5+6*c,3,2)}),
ctx.fillStyle=theme.soft,ctx.fillText(text2,x+22,y+9))}paintNow(ctx,theme,lay,frame){let{plot,entries}=lay,now=entries[0];
this.clipped(ctx,plot,()=>{ctx.lineWidth=3.4,ctx.lineJoin="round",this.trace(ctx,lay,this.curveAt(frame),theme.warn)});let beyond=this.
paintDots(ctx,theme,lay,frame);ctx.font=`${TEXT}px ${theme.font}`,ctx.textBaseline="middle",ctx.textAlign="left",ctx.fillStyle=
theme.warn,ctx.fillRect(now.x,now.y+7,16,3.4),ctx.fillStyle=theme.ink,ctx.fillText(this.notes[frame],now.x+22,now.y+9),ctx.
fillStyle=theme.soft;let y=plot.top+9;beyond.left&&ctx.fillText(`‹ ${beyond.left} more`,plot.left+6,y),ctx.textAlign="\
right",beyond.right&&ctx.fillText(`${beyond.right} more ›`,plot.left+plot.width-6,y),ctx.textAlign="left"}paintDots(ctx,theme,lay,frame){
let{view}=this,groups=Array.from({length:LEVELS},()=>[]),labelled=[],struck=[],taken=new Set,beyond={left:0,right:0};for(let i=0;i<
view.n;i++){let{value:o=NaN,p}=outputAt(view,frame,i)??{},given=view.arrays.given.data[i];if(given>=0&&!this.labelledOf)
continue;let height=this.heightOf(frame,i,o,given);if(Math.abs(o)>this.reach){beyond[o<0?"left":"right"]+=1;continue}if(!(height<=
this.limits[1]))continue;let place=[lay.toX(o),lay.toY(height)];if(isMarked(view,"struck",frame,i)&&struck.push([...place,
guessAt(view,frame,i)]),given>=0)labelled.push([...place,given]);else{let level=Math.round((LEVELS-1)*this.lean(frame,i,
o,p)),spot=(Math.round(2*place[0])*4096+Math.round(2*place[1]))*LEVELS+level;if(taken.has(spot))continue;taken.add(spot),
groups[level].push(place)}}let colours=[0,1].map(c=>classColour(theme,c));ctx.strokeStyle=theme.muted,ctx.lineWidth=.8,groups.
forEach((places,level)=>{if(!places.length)return;let share=2*level/(LEVELS-1)-1;ctx.fillStyle=rgbText(mixColours(theme.
background,colours[share<0?0:1],Math.abs(share))),ctx.beginPath();for(let[x,y]of places)ctx.moveTo(x+this.radius,y),ctx.
arc(x,y,this.radius,0,2*Math.PI);ctx.fill(),Math.abs(share)<.6&&ctx.stroke()});for(let[x,y,c]of labelled)ctx.save(),ctx.
translate(x,y),paintMark(ctx,theme,c,this.radius+2,theme.ink,1.6),ctx.restore();for(let[x,y,c]of struck)ring(ctx,x,y,this.
radius+5,struckColour(theme,c),2.4);return beyond}lean(frame,i,o,p){return typeof p=="number"?p:this.positiveOf?this.isPositive(
frame,i)?1:0:o<0?0:1}isPositive(frame,i){let bits=this.positiveOf;return bits!==void 0&&(bits.data[frame*bits.shape[1]+(i>>
3)]>>(i&7)&1)===1}heightOf(frame,i,o,given){if(given>=0)return this.read(this.labelledOf?.data??[],given?o:-o);if(this.heightsOf){
let step=this.heightsOf.data[frame*this.view.n+i],[low,high]=this.limits;return step===ABOVE?1/0:low+step/254*(high-low)}
return this.positiveOf?this.read(this.labelledOf?.data??[],this.isPositive(frame,i)?o:-o):this.read(this.curveAt(frame),
o)}curveAt(frame){return this.losses.subarray(frame*this.g,(frame+1)*this.g)}read(curve,o){let at=(o+this.reach)/(2*this.
reach)*(this.g-1),i=Math.min(this.g-2,Math.max(0,Math.floor(at))),share=at-i;return curve[i]+share*(curve[i+1]-curve[i])}trace(ctx,{
toX,toY},curve,colour){ctx.strokeStyle=colour,ctx.beginPath();for(let i=0;i<this.g;i++)ctx.lineTo(toX(this.reach*(2*i/(this.
g-1)-1)),toY(curve[i]));ctx.stroke()}clipped(ctx,plot,paint){ctx.save(),ctx.beginPath(),ctx.rect(plot.left,plot.top-2,plot.
width,plot.height+4),ctx.clip(),paint(),ctx.restore()}words(frame){let{view}=this,inside=0,near=0,all2=0;for(let i=0;i<view.
n;i++){if(view.arrays.given.data[i]>=0)continue;let o=Math.abs(outputAt(view,frame,i)?.value??NaN);all2+=1,o<1&&(inside+=
1),o<.5&&(near+=1)}return`${this.notes[frame]}: of ${all2} unlabelled points ${inside} are inside the margin, ${near} of\
 them closer to the boundary than to the margin`}};function makeHandle(canvas,{label,text:text2,upright},range,line2){let handle=document.createElement("div");handle.className=
"hm-handle",handle.tabIndex=0,handle.textContent=text2,handle.setAttribute("role","slider"),handle.setAttribute("aria-la\
bel",label),handle.setAttribute("aria-orientation",upright?"vertical":"horizontal"),handle.setAttribute("aria-valuemin",
String(range.min)),handle.setAttribute("aria-valuemax",String(range.max)),handle.title=label;let put=value=>line2.set(Math.
min(range.max,Math.max(range.min,value))),held=null,at=e=>{let box=canvas.getBoundingClientRect();return line2.from(e.clientX-
box.left,e.clientY-box.top)};handle.addEventListener("pointerdown",e=>{held=line2.get()-at(e),e.isTrusted&&handle.setPointerCapture(
e.pointerId),e.stopPropagation()}),handle.addEventListener("pointermove",e=>{held!==null&&put(at(e)+held)});for(let end of[
"pointerup","pointercancel"])handle.addEventListener(end,()=>{held!==null&&(held=null,line2.drop())});return handle.addEventListener(
"keydown",e=>{let step=stepOf(e,range);step===null||e.altKey||e.ctrlKey||e.metaKey||(put(Number.isFinite(step)?line2.get()+
step:step),line2.later(),e.preventDefault(),e.stopPropagation())}),handle}function stepOf(e,{step,big}){switch(e.key){case"\
ArrowUp":case"ArrowRight":return e.shiftKey?big:step;case"ArrowDown":case"ArrowLeft":return e.shiftKey?-big:-step;case"P\
ageUp":return big;case"PageDown":return-big;case"Home":return-1/0;case"End":return 1/0;default:return null}}function showHandle(handle,x,y,value,words){
handle.style.transform=`translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`,handle.ariaValueText!==words&&
(handle.setAttribute("aria-valuenow",String(value)),handle.setAttribute("aria-valuetext",words))}function normStop(values,tol){let start=values[0];for(let i=0;i<values.length;i++)if(!(values[i]>tol*start||tol===0&&values[i]>
0))return i;return null}function decreaseStop(objective,tol){for(let i=1;i<objective.length;i++){let decrease=(objective[i-
1]-objective[i])/Math.max(Math.abs(objective[i-1]),1e-300);if(!(decrease>tol||tol===0&&decrease>0))return i}return null}
function checkStop(t,every,checks){for(let i=0;i<t.length;i++){if(t[i]===0||t[i]%every)continue;if(checks.map(check=>check(
i)).every(Boolean))return i}return null}function stability({data,shape:[,width]},eta){let old=-1;return i=>{let share=1;
if(old>=0){let changed=0;for(let j=0;j<width;j++)data[i*width+j]!==data[old*width+j]&&(changed+=1);share=width?2*(changed/
width):0}return old=i,share<eta}}function validation(wrong,total,need){let old=1;return i=>{let error=wrong[i]/total,stop=error>
old-need;return old=error,stop}}var Stopping=class{constructor(view){let at=view.panels.findIndex(row2=>row2.kind==="rul\
es"),row=view.panels[at],data=name=>dataOf(view,`panel${at}_${name}`);this.rules=row.rules,this.exponents=row.exponents,
this.every=row.every,this.total=row.total,this.best=row.best,this.newton=row.newton,this.complete=row.complete,this.usual=
row.usual,this.t=data("t"),this.spent=data("spent"),this.moving=data("moving"),this.tolerances=data("tolerances"),this.decisions=
view.arrays[`panel${at}_decisions`],this.norms=Object.fromEntries(row.norms.map(name=>[name,data(name)])),this.wrong=Object.
fromEntries(Object.keys(row.total).map(part=>[part,data(`wrong${part}`)])),this.last=this.t.length-1}step(exponent){let[
low,next]=this.exponents,at=Math.round((exponent-low)/(next-low));return Math.min(this.exponents.length-1,Math.max(0,at))}everyOf(at){
return at.theta||this.every}stop(name,at){if(name==="guess"){let i=this.t.findIndex(t=>t>=at.guess);return i<0?null:i}if(name===
"objective")return decreaseStop(this.norms.objective,this.tolerances[this.step(at[name])]);if(this.norms[name])return normStop(
this.norms[name],this.tolerances[this.step(at[name])]);let checks=[];if(name!=="validation"){if(!this.decisions)return;checks.
push(stability(this.decisions,at.eta/100))}return name!=="stability"&&checks.push(validation(this.wrong.V,this.total.V,(at.
gain-.5)/this.total.V)),checkStop(this.t,this.everyOf(at),checks)}rate(part,i){return part in this.total?this.wrong[part][i]/
this.total[part]:NaN}bestRate(part){return part in this.total?this.best[part]/this.total[part]:NaN}get settled(){return this.
moving.indexOf(0)}},MADE=new WeakMap;function stoppingOf(view){let made2=MADE.get(view)??new Stopping(view);return MADE.
set(view,made2),made2}var points=n=>`${formatCount(n)} unlabelled ${n===1?"point":"points"}`;function guessSentence(stopping,t,at){let i=stopping.
stop("guess",{...at,guess:t})??stopping.last,{settled}=stopping,late=stopping.moving[i],head=`Your prediction is t = ${formatCount(
stopping.t[i])}.`;if(late){let change=late===1?"changes":"change";return`${head} Too early for ${points(late)}: ${late===
1?"it still":"they still"} ${change} sides later.${errorSentence(stopping,i)}`}let spare=stopping.t[i]-stopping.t[settled],
since=spare?`no unlabelled point has changed sides since t = ${formatCount(stopping.t[settled])}, so ${formatCount(spare)}\
 ${spare===1?"iteration":"iterations"} could have been saved.`:"at this iteration the last unlabelled point changed side\
s.";return`${head} Late enough: ${since}`}function errorSentence(stopping,i){let here=stopping.rate("U",i),best=stopping.
bestRate("U");if(!Number.isFinite(here))return"";if(here===best)return` The error on the unlabelled points is the optimu\
m's already, ${formatPercent(here)}.`;let gap=formatNumber(Number((100*Math.abs(here-best)).toFixed(1))),unit=gap==="1"?
"percentage point":"percentage points";return` The error on the unlabelled points is ${formatPercent(here)}, ${gap} ${unit}\
 ${here>best?"above":"below"} the optimum's.`}function verdict(stopping,name,title,at){let i=stopping.stop(name,at),total=formatCount(
stopping.t[stopping.last]);if(i===void 0)return`${title}: the run has too many points to evaluate this rule in the brows\
er.`;if(i===null)return`${title}: never stops within the ${total} recorded iterations; its threshold is not reached.`;let whole=stopping.
spent[stopping.last],saved=whole-stopping.spent[i],least=stopping.complete?"":"at least ",worth=saved>0&&whole>0?` and s\
aves ${least}${Math.round(100*saved/whole)} % of the iterations' time`:"";return`${title}: stops at t = ${formatCount(stopping.
t[i])} of ${total}${worth}.${errorSentence(stopping,i)}`}function savings(stopping,i){let whole=stopping.spent[stopping.
last],here=stopping.spent[i],least=stopping.complete?"":"≥ ",than=here-stopping.newton;return{running:`${least}${formatDuration(
whole-here)}`,newton:`${formatDuration(Math.abs(than))} ${than>0?"more":"less"}`}}var SYMBOLS={gradient:"∇",preconditioned:"P⁻¹",mixed_product:"√",objective:"Δ"},APART=36,NEAR=5,NormsPanel=class extends CurvesPanel{heights=[
255,340];stage=void 0;guessHandle;said=document.createElement("p");button=document.createElement("button");broad=!0;constructor(view,row,name,track,numbers){
super(view,row,name,track),this.numbers=numbers,this.veiled=!!view.veiled,this.stopping=stoppingOf(view);let titles=Object.
fromEntries(this.stopping.rules.map(rule=>[rule.name,rule.title]));this.thresholds=row.thresholds,this.lines=Object.entries(
row.thresholds).map(([rule,series],at)=>{let role=this.series.find(s=>s.name===series)?.role??"ink";return{rule,at,title:titles[rule],
role,handle:document.createElement("div")}})}opens(){return this.veiled?0:void 0}draw(ctx,width,height,theme,position){let lay=super.
draw(ctx,width,height,theme,position);return this.drawLines(ctx,theme,lay),lay}drawQuickly(ctx,width,height,theme,position,scale){
let lay=super.drawQuickly(ctx,width,height,theme,position,scale);return this.drawLines(ctx,theme,lay),this.placeHandles(
theme,lay),lay}heightOf(exponent,{plot,scale}){return plot.top+plot.height*(1-scale.map(this.stopping.tolerances[this.stopping.
step(exponent)]))}drawLines(ctx,theme,lay){if(this.veiled)return;let{plot,scale}=lay,{stopping,numbers}=this,toX=abscissa(
this,plot),followed=stopping.rules[numbers.get("follow")]?.name;ctx.save(),ctx.beginPath(),ctx.rect(plot.left,plot.top-6,
plot.width+8,plot.height+12),ctx.clip();for(let{rule,role}of this.lines){let y=this.heightOf(numbers.get(rule),lay),colour=roleColour(
theme,role);ctx.strokeStyle=colour,ctx.lineWidth=rule===followed?2.6:1.3,ctx.globalAlpha=rule===followed?1:.75,ctx.setLineDash(
[3,4]),segment(ctx,plot.left,y,plot.left+plot.width,y),ctx.setLineDash([]),ctx.globalAlpha=1,this.drawStop(ctx,theme,rule,
colour,toX,plot,scale)}this.drawGuess(ctx,theme,toX,plot),ctx.restore()}drawStop(ctx,theme,rule,colour,toX,plot,scale){let{
stopping,numbers}=this,i=stopping.stop(rule,numbers.values);if(typeof i!="number")return;let curve=this.series.find(s=>s.
name===this.thresholds[rule]),v=scale.map(curve?.trailY?.[i]??NaN),y=plot.top+plot.height*(1-Math.min(1,Math.max(0,Number.
isFinite(v)?v:0)));ctx.beginPath(),ctx.arc(toX(stopping.t[i]),y,5.5,0,2*Math.PI),ctx.fillStyle=theme.background,ctx.fill(),
ctx.strokeStyle=colour,ctx.lineWidth=3,ctx.stroke()}drawGuess(ctx,theme,toX,plot){let x=toX(this.guess);ctx.strokeStyle=
theme.ink,ctx.lineWidth=1.6,segment(ctx,x,plot.top,x,plot.top+plot.height)}get guess(){return Math.min(this.numbers.get(
"guess"),this.stopping.t[this.stopping.last])}exponentAt(y){let{stopping,sheet}=this;if(!sheet?.lay.scale.back)return stopping.
exponents[0];let{plot,scale}=sheet.lay;return stopping.exponents[stopping.step(Math.log10(scale.back(1-(y-plot.top)/plot.
height)))]}lineNear(x,y){let{sheet}=this;if(this.veiled||!sheet||x<sheet.lay.plot.left)return null;let off=line2=>Math.abs(
this.heightOf(this.numbers.get(line2.rule),sheet.lay)-y);return this.lines.filter(line2=>off(line2)<=NEAR).sort((a,b)=>off(
a)-off(b))[0]??null}grip(x,y){let line2=this.lineNear(x,y);if(!line2||!this.sheet)return null;let shift=this.heightOf(this.
numbers.get(line2.rule),this.sheet.lay)-y;return{move:(_,now)=>this.put(line2.rule,this.exponentAt(now+shift)),drop:()=>this.
numbers.drop()}}cursorAt(x,y){return this.lineNear(x,y)?"row-resize":""}put(rule,value){let{stopping,numbers}=this;numbers.
note("follow",stopping.rules.findIndex(r=>r.name===rule)),numbers.set(rule,rule==="guess"?Math.round(value):stopping.exponents[stopping.
step(value)])}extras(stage){this.stage=stage;let layer=document.createElement("div");return layer.className="hm-handles",
this.veiled||layer.append(...this.makeHandles()),[layer,this.ask(stage)]}makeHandles(){let{stopping,numbers}=this,low=stopping.
exponents[0],high=stopping.exponents[stopping.exponents.length-1],shared2={drop:()=>numbers.drop(),later:()=>numbers.dropLater()};
for(let line2 of this.lines)line2.handle=makeHandle(this.canvas,{label:`Threshold of the ${line2.title.toLowerCase()}`,text:SYMBOLS[line2.
rule],upright:!0},{min:low,max:high,step:stopping.exponents[1]-low,big:1},{...shared2,get:()=>numbers.get(line2.rule),set:v=>this.
put(line2.rule,v),from:(_x,y)=>this.exponentAt(y/this.stage.type)});let last=stopping.t[stopping.last];return this.guessHandle=
makeHandle(this.canvas,{label:"Your prediction",text:"you",upright:!1},{min:0,max:last,step:1,big:10},{...shared2,get:()=>this.
guess,set:v=>this.put("guess",v),from:x=>this.iterationAt(x/this.stage.type)}),[...this.lines.map(line2=>line2.handle),this.
guessHandle]}iterationAt(x){let plot=this.sheet?.lay.plot??{left:0,width:1};return this.scale.value((x-plot.left)/plot.width)}placeHandles(theme,lay){
if(!this.guessHandle)return;let{plot}=lay,{stopping,numbers}=this,{type}=this.stage;for(let{rule,role,at,handle}of this.
lines){let value=numbers.get(rule),i=stopping.stop(rule,numbers.values),x=plot.left+24+at*APART;handle.style.setProperty(
"--hm-own",roleColour(theme,role)),showHandle(handle,type*x,type*this.heightOf(value,lay),value,`${thresholdWords(stopping,
value)}: ${stopWords(stopping,i)}`)}showHandle(this.guessHandle,type*abscissa(this,plot)(this.guess),type*(plot.top+plot.
height-12),this.guess,`t = ${formatCount(this.guess)}`)}ask(stage){let box=document.createElement("div"),{button}=this;return box.
className="hm-ask",button.type="button",box.append(this.said,button),this.veiled?(button.classList.add("hm-first"),this.
said.textContent="Where would you stop? The solver sees only these curves. Move the cursor there, then answer.",button.addEventListener(
"click",()=>this.takeGuess(stage))):(button.textContent="Predict again",button.title="Hide the answers",button.addEventListener(
"click",()=>{this.numbers.set("hide",1),this.numbers.drop()})),this.moment(),this.numberMoved(),box}takeGuess(stage){this.
numbers.note("guess",stage.time.moment??0),this.numbers.note("follow",this.stopping.rules.findIndex(rule=>rule.name==="g\
uess")),this.numbers.set("hide",0),this.numbers.drop(),stage.say(guessSentence(this.stopping,this.guess,this.numbers.values))}moment(){
this.veiled&&(this.button.textContent=`I would stop at t = ${formatCount(this.stage.time.moment??0)}`)}place(){let said=v=>Number.
isInteger(v)?`${v}.0`:String(v);return Object.fromEntries(Object.entries(this.stopping.usual).map(([name,usual])=>{let value=this.
numbers.get(name);return[`at.${name}`,value===usual?null:said(value)]}))}numberMoved(){this.veiled||(this.said.textContent=
guessSentence(this.stopping,this.guess,this.numbers.values))}};function thresholdWords(stopping,exponent){return formatNumber(
stopping.tolerances[stopping.step(exponent)])}function stopWords(stopping,i){return typeof i!="number"?`never stops with\
in ${formatCount(stopping.t[stopping.last])}`:`stops at t = ${formatCount(stopping.t[i])}`}var CONTROLS={theta:{label:"θ: check every",min:1,max:100,step:1,words:v=>v===1?"iteration":`${v} iterations`},eta:{label:"\
η: changes below",min:0,max:20,step:.5,words:v=>`${formatNumber(v)} %`},gain:{label:"Gain at least",min:1,max:10,step:1,
words:v=>v===1?"1 point of V":`${v} points of V`}};function made(tag,className,...children){let element2=document.createElement(
tag);return className&&(element2.className=className),element2.append(...children),element2}var RulesPanel=class extends BasePanel{stage=void 0;rows=[];columns=[];verdict=made(
"p","hm-verdict");heights=null;broad=!0;constructor(view,row,_name,_track,numbers){super(row),this.numbers=numbers,this.
stopping=stoppingOf(view)}extras(stage){this.stage=stage;let{stopping}=this,heads=[["Rule"],["Stops at"],["Unlabelled er\
ror","U"],["Test error","T"],["Time saved"],["vs. Newton"]];this.columns=heads.filter(([,part])=>!part||part in stopping.
total);let head=made("tr","",...this.columns.map(([words,part])=>{let cell=made("th",part==="T"?"hm-more":"",words);return cell.
scope="col",cell}));this.rows=stopping.rules.map((rule,at)=>this.makeRow(rule,at));let table=made("table","",made("thead",
"",head),made("tbody","",...this.rows.map(r=>r.row)));this.words=()=>"",this.verdict.setAttribute("aria-live","polite");
let scroll=made("div","hm-rules",table);return this.fill(),[made("h3","hm-head",this.title),scroll,this.verdict,made("di\
v","hm-controls",...this.makeControls())]}makeRow({name,title},at){let threshold=made("small"),button=made("button","",title);
button.type="button";let head=made("th","",button," ",threshold);head.scope="row";let cells=this.columns.slice(1).map(([
,part])=>made("td",part==="T"?"hm-more":"")),row=made("tr","",head,...cells);return row.dataset.rule=name,row.addEventListener(
"click",()=>this.follow(at)),{name,row,threshold,cells}}fill(){let{stopping,numbers}=this,at=numbers.values;for(let{name,
row,threshold,cells}of this.rows){let i=stopping.stop(name,at),texts=this.texts(i);threshold.textContent=this.thresholdOf(
name,at),cells.forEach((cell,j)=>{cell.textContent=texts[j]}),row.classList.toggle("hm-never",!Number.isInteger(i))}this.
mark()}texts(i){let{stopping}=this,parts=["U","T"].filter(part=>part in stopping.total);if(typeof i!="number")return[i===
null?`never in ${formatCount(stopping.t[stopping.last])}`:"not evaluated",...parts.map(()=>"–"),i===null?"nothing":"–",
"–"];let{running,newton}=savings(stopping,i);return[`t = ${formatCount(stopping.t[i])}`,...parts.map(part=>formatPercent(
stopping.rate(part,i))),running,newton]}thresholdOf(name,at){return this.stopping.norms[name]?`< ${thresholdWords(this.stopping,
at[name])}`:""}mark(){let chosen=this.numbers.get("follow"),rule=this.stopping.rules[chosen];this.rows.forEach(({row},at)=>{
at===chosen?row.setAttribute("aria-current","true"):row.removeAttribute("aria-current")}),this.verdict.textContent=rule?
verdict(this.stopping,rule.name,rule.title,this.numbers.values):"Click a row to move the cursor to the stop of its rule."}stopFrame(stage){
let rule=this.stopping.rules[this.numbers.get("follow")],i=rule?this.stopping.stop(rule.name,this.numbers.values):null;return typeof i==
"number"?stage.time.frameOf(this.stopping.t[i]):void 0}opens(stage){return this.stopFrame(stage)}follow(at){this.numbers.
note("follow",at),this.lead(),this.mark()}lead(){let frame=this.stopFrame(this.stage);frame!==void 0&&frame!==this.stage.
player.frame&&this.stage.time.lead(frame),this.stage.invalidate("moment"),this.stage.time.placeMoved()}cursorMoved(){this.
numbers.get("follow")<0||(this.numbers.note("follow",-1),this.mark())}numberMoved(){this.fill(),this.lead();for(let show of this.
shows)show()}makeControls(){let{numbers,stopping}=this,names=Object.keys(CONTROLS).filter(name=>name==="gain"?"V"in stopping.
total:stopping.decisions||name==="theta");return this.shows=[],names.map(name=>{let{label,min,max,step,words}=CONTROLS[name],
input=made("input"),value=made("b"),get=()=>name==="theta"?stopping.everyOf(numbers.values):numbers.get(name);Object.assign(
input,{type:"range",min,max,step}),input.setAttribute("aria-label",label),input.addEventListener("input",()=>{let v=Number(
input.value);numbers.set(name,name==="theta"&&v===stopping.every?0:v)}),input.addEventListener("change",()=>numbers.dropLater()),
input.addEventListener("keydown",e=>{(e.key.startsWith("Arrow")||["Home","End","PageUp","PageDown"].includes(e.key))&&e.
stopPropagation()});let show=()=>{input.value=String(get()),value.textContent=words(get()),input.setAttribute("aria-valu\
etext",words(get()))};return show(),this.shows.push(show),made("label","",made("span","",`${label} `,value),input)})}draw(ctx,width,height,theme){
drawTitle(ctx,this.title,width,theme),ctx.font=`${TEXT}px ${theme.font}`,ctx.textBaseline="top";let{stopping,numbers}=this,
line2=Math.min(22,(height-TITLE-8)/stopping.rules.length);stopping.rules.forEach(({name,title},at)=>{let y=TITLE+10+at*line2,
[where,error]=this.texts(stopping.stop(name,numbers.values));ctx.fillStyle=at===numbers.get("follow")?theme.accent:theme.
ink,ctx.textAlign="left",ctx.fillText(title,0,y),ctx.fillText(where,width*.5,y),ctx.textAlign="right",ctx.fillText(error,
width,y)})}};var SearchPanel=class extends BasePanel{heights=[135,200];constructor(view,row,name){super(row),this.starts=row.starts,this.
s=dataOf(view,`${name}_s`),this.psi=dataOf(view,`${name}_psi`),this.star=dataOf(view,`${name}_star`)}draw(ctx,width,height,theme,position){
let frame=Math.round(position);drawTitle(ctx,this.title,width,theme),drawSearch(ctx,this,frame,width,height,theme)}};function drawSearch(ctx,panel,frame,width,height,theme){
let a=panel.starts[frame],b=panel.starts[frame+1];if(a===b){ctx.fillStyle=theme.soft,ctx.fillText("No line search at thi\
s step.",0,TITLE+14);return}let s=panel.s.subarray(a,b),psi=panel.psi.subarray(a,b),star=panel.star[frame],plot={left:40,
top:TITLE+18,width:width-52,height:height-TITLE-46},low=Math.min(0,...psi),high=Math.max(0,...psi),s0=Math.min(s[0],star),
s1=Math.max(s[s.length-1],star),toX=v=>plot.left+(v-s0)/(s1-s0||1)*plot.width,toY=v=>plot.top+plot.height*(1-(v-low)/(high-
low||1));if(ctx.strokeStyle=theme.muted,ctx.lineWidth=1,segment(ctx,plot.left,toY(0),plot.left+plot.width,toY(0)),ctx.fillStyle=
theme.soft,ctx.fillText("ψ(s)",0,plot.top),ctx.textBaseline="middle",ctx.textAlign="right",ctx.fillText("0",plot.left-8,
toY(0)),ctx.textBaseline="top",ctx.fillText(`s = ${formatNumber(s1)}`,plot.left+plot.width,plot.top+plot.height+8),ctx.textAlign=
"left",ctx.fillText(formatNumber(s0),plot.left,plot.top+plot.height+8),ctx.strokeStyle=ctx.fillStyle=theme.accent,ctx.lineWidth=
2.2,ctx.lineJoin="round",polyline(ctx,s,Array.from(psi),toX,v=>(v-low)/(high-low||1),plot),s.length<=40)for(let i=1;i<s.
length-1;i++)ctx.beginPath(),ctx.arc(toX(s[i]),toY(psi[i]),3.2,0,2*Math.PI),ctx.fill();ctx.beginPath(),ctx.arc(toX(star),
toY(0),6,0,2*Math.PI),ctx.fillStyle=theme.ink,ctx.fill();let right=toX(star)>plot.left+plot.width*.6;ctx.textAlign=right?
"right":"left",ctx.textBaseline=right?"bottom":"top",ctx.fillText(`s* = ${formatNumber(star)}`,toX(star)+(right?-10:10),
toY(0)+(right?-6:6))}var NODE_REACH=14,HEIGHTS={depth:"Height by depth",bound:"Height by bound"},SHOWN={by:"depth"},NAMELESS=3,TreePanel=class extends BasePanel{linked=!0;heights=[
360,460];sheet=null;limits=null;constructor(view,row,name,track){super(row),this.kinds=row.kinds;let read=part=>dataOf(view,
`${name}_${part}`);this.parent=read("parent"),this.depth=read("depth"),this.x=read("x"),this.seen=read("seen"),this.examined=
read("examined"),this.dropped=read("dropped"),this.fate=read("fate"),this.better=read("better"),this.size=read("size"),this.
bound=read("bound"),this.promise=read("promise"),this.now=read("now"),this.lower=view.arrays[`${name}_lower`]?.data,this.
upper=view.arrays[`${name}_upper`]?.data;let{data,shape}=packedOf(view,`${name}_counts`);this.counts=Array.from({length:shape[0]},
(_,t)=>data.subarray(t*shape[1],(t+1)*shape[1])),this.track=track,this.view=view,this.fates=this.kinds.length-NAMELESS,this.
order=Uint32Array.from(this.x.keys()).sort((a,b)=>this.settled(a)-this.settled(b));let finite=[...this.bound].filter(Number.
isFinite);if(finite.length){let uppers=this.upper?[...this.upper].filter(Number.isFinite):finite,low=finite.reduce((a,b)=>Math.
min(a,b)),high=uppers.reduce((a,b)=>Math.max(a,b),low);this.limits=[low,high>low?high:low+1]}}settled(row){return Math.min(
this.examined[row],this.dropped[row])}layout(ctx,width,height,theme){ctx.font=`${TEXT}px ${theme.font}`;let last=this.counts[this.
counts.length-1],entries=[],told=Math.max(0,...this.counts.map((_,frame)=>ctx.measureText(this.between(frame)).width));ctx.
font=`600 ${TITLE}px ${theme.font}`;let beside=ctx.measureText(this.title).width+16+told<=width;ctx.font=`${TEXT}px ${theme.
font}`;let x=0,line2=beside||!told?0:1;this.kinds.forEach(({name},k)=>{let most=this.counts.reduce((a,row)=>Math.max(a,row[k]),
last[k]);if(!most)return;let w=ctx.measureText(`${name} ${formatCount(most)}`).width+44;x&&x+w>width&&(x=0,line2+=1),entries.
push({k,x,y:TITLE+12+line2*20}),x+=w});let top=TITLE+12+(line2+1)*20+12,byBound=SHOWN.by==="bound"?this.limits:null,ticks=byBound?
niceTicks(...byBound,Math.max(2,(height-top)/60)):[],texts=tickTexts(ticks),left=12+Math.max(0,...texts.map(text2=>ctx.measureText(
text2).width)),plot={left,top,width:width-left-12,height:height-top-14};return{entries,beside,plot,ticks,texts,places:this.
places(plot,byBound!==null)}}places(plot,byBound){let deepest=Math.max(1,...new Set(this.depth)),m=this.x.length,xs=Float32Array.
from(this.x,v=>plot.left+v*plot.width),ys=Float32Array.from(this.depth,d=>plot.top+d/deepest*plot.height),toY=v=>{let[low,
high]=this.limits??[0,1],share=Number.isFinite(v)?(v-low)/(high-low):1;return plot.top+plot.height*(1-Math.min(1,Math.max(
0,share)))};if(byBound)for(let i=0;i<m;i++)ys[i]=toY(this.bound[i]);let waitY=byBound?Float32Array.from(this.promise,v=>toY(
v)):ys,parents=new Set(this.parent),gap=plot.width/Math.max(1,m-parents.size);return{xs,ys,waitY,toY,step:plot.height/deepest,
radius:Math.min(5,Math.max(2,.4*gap))}}grow(ctx,theme,{places},from,to){let{order}=this,{xs,ys}=places,byKind=this.kinds.
map(()=>[]);ctx.lineWidth=places.radius>2?1.2:.9,ctx.strokeStyle=theme.muted,ctx.globalAlpha=.8,ctx.beginPath();for(let row of order){
let at=this.settled(row);if(at>to)break;if(at<=from)continue;let looked=this.examined[row]===at;byKind[looked?this.fate[row]:
this.fates+1].push(row),looked&&this.better[row]&&byKind[this.fates+2].push(row),row&&this.edge(ctx,places,row,ys[row])}
ctx.stroke(),ctx.globalAlpha=1,byKind.forEach((rows,k)=>{let{mark}=this.kinds[k],size=mark==="star"?7:places.radius;startMark(
ctx,theme,mark,size);for(let row of rows)traceMark(ctx,mark,xs[row],ys[row],size,places.step*Math.log2(this.size[row]));
endMark(ctx,mark)})}edge(ctx,{xs,ys},row,y){let p=this.parent[row];ctx.moveTo(xs[p],ys[p]),ctx.lineTo(xs[row],y)}drawMoving(ctx,theme,lay,frame,width){
let{places,entries,beside,plot}=lay,{xs,ys,waitY}=places,open=this.fates,{mark}=this.kinds[open],waiting=this.openAt(frame),
size=Math.min(4,places.radius+1);ctx.strokeStyle=theme.muted,ctx.lineWidth=.8,ctx.beginPath();for(let row of waiting)row&&
this.edge(ctx,places,row,waitY[row]);ctx.stroke(),SHOWN.by==="bound"&&this.limits&&this.drawBounds(ctx,theme,plot,places,
frame),startMark(ctx,theme,mark,size);for(let row of waiting)traceMark(ctx,mark,xs[row],waitY[row],size);endMark(ctx,mark),
ctx.strokeStyle=theme.accent,ctx.lineWidth=2.2,ctx.beginPath();for(let row=this.now[frame];row;row=this.parent[row])this.
edge(ctx,places,row,ys[row]);ctx.stroke(),ctx.beginPath(),ctx.arc(xs[this.now[frame]],ys[this.now[frame]],5.5,0,2*Math.PI),
ctx.fillStyle=theme.accent,ctx.fill(),ctx.strokeStyle=theme.background,ctx.lineWidth=1.5,ctx.stroke(),ctx.font=`${TEXT}p\
x ${theme.font}`,ctx.textBaseline="middle",ctx.textAlign="left";for(let{k,x,y}of entries){let{name,mark:mark2}=this.kinds[k];
startMark(ctx,theme,mark2,5),traceMark(ctx,mark2,x+8,y+8.5,mark2==="star"?7:5,8),endMark(ctx,mark2),ctx.fillStyle=theme.
soft,ctx.fillText(name,x+20,y+9),ctx.fillStyle=theme.ink,ctx.fillText(formatCount(this.counts[frame][k]),x+26+ctx.measureText(
name).width,y+9)}ctx.textBaseline="top",ctx.fillStyle=theme.ink,ctx.textAlign=beside?"right":"left",ctx.fillText(this.between(
frame),beside?width:0,beside?1:TITLE+12,width)}drawBounds(ctx,theme,plot,{toY},frame){let end=plot.left+plot.width,lines=[
{row:this.upper,words:"incumbent",colour:theme.good,dash:[],shift:-16},{row:this.lower,words:"lower bound",colour:theme.
ink,dash:[5,4],shift:4}];ctx.font=`${TEXT}px ${theme.font}`,ctx.textAlign="right",ctx.textBaseline="top";for(let{row,words,
colour,dash,shift}of lines){if(!row||!Number.isFinite(row[frame]))continue;let y=toY(row[frame]);ctx.strokeStyle=ctx.fillStyle=
colour,ctx.lineWidth=1.6,ctx.setLineDash(dash),segment(ctx,plot.left,y,end,y),ctx.setLineDash([]),ctx.strokeStyle=theme.
background,ctx.lineWidth=5,ctx.strokeText(words,end,y+shift),ctx.fillText(words,end,y+shift)}}openAt(frame){let rows=[];
for(let i=0;i<this.x.length;i++)this.seen[i]<=frame&&this.settled(i)>frame&&rows.push(i);return rows}between(frame){if(!this.
upper||!this.lower)return"";let low=this.lower[frame],high=this.upper[frame];if(!Number.isFinite(high))return`lower boun\
d ${formatNumber(low)}, no labelling found yet`;let gap=(high-low)/Math.abs(high);return gap<=0?`optimum ${formatNumber(
high)}, proved`:`optimum between ${formatNumber(low)} and ${formatNumber(high)}, gap ${formatPercent(gap)}`}drawStill(ctx,width,theme,{
plot,ticks,texts,places}){drawTitle(ctx,this.title,width,theme),ctx.textAlign="right",ctx.textBaseline="middle",ctx.lineWidth=
1,ticks.forEach((v,i)=>{ctx.strokeStyle=theme.line,segment(ctx,plot.left,places.toY(v),plot.left+plot.width,places.toY(v)),
ctx.fillStyle=theme.soft,ctx.fillText(texts[i],plot.left-8,places.toY(v))})}draw(ctx,width,height,theme,position){let frame=Math.
round(position),lay=this.layout(ctx,width,height,theme);this.drawStill(ctx,width,theme,lay),this.grow(ctx,theme,lay,-1,frame),
this.drawMoving(ctx,theme,lay,frame,width)}drawQuickly(ctx,width,height,theme,position,scale){let name=`${width}|${height}\
|${scale}|${theme.dark}|${theme.background}|${SHOWN.by}`,frame=Math.round(position);if(this.sheet?.name!==name){let{canvas,
pen}=offscreen(Math.ceil(width*scale),Math.ceil(height*scale));this.sheet={name,canvas,pen,lay:this.layout(pen,width,height,
theme),frame:1/0}}let{sheet}=this;frame<sheet.frame&&(sheet.pen.setTransform(1,0,0,1,0,0),sheet.pen.clearRect(0,0,sheet.
canvas.width,sheet.canvas.height),sheet.pen.scale(scale,scale),this.drawStill(sheet.pen,width,theme,sheet.lay),sheet.frame=
-1),this.grow(sheet.pen,theme,sheet.lay,sheet.frame,frame),sheet.frame=frame,ctx.drawImage(sheet.canvas,0,0,sheet.canvas.
width/scale,sheet.canvas.height/scale),this.drawMoving(ctx,theme,sheet.lay,frame,width)}forget(){this.sheet=null}nearest(x,y,reach,frame=1/0){
let best=-1,least=reach*reach;if(!this.sheet)return best;let{xs,ys,waitY}=this.sheet.lay.places;for(let i=0;i<xs.length;i++){
let d=(xs[i]-x)**2+((this.examined[i]<=frame?ys:waitY)[i]-y)**2;d<least&&this.seen[i]<=frame&&(least=d,best=i)}return best}frameAt(x,y){
let row=this.nearest(x,y,1/0),last=this.counts.length-1;return Math.min(last,this.examined[row]<=last?this.examined[row]:
this.seen[row])}cursorAt(x,y){return this.sheet&&this.nearest(x,y,NODE_REACH)>=0?"pointer":""}tip(x,y,frame){let row=this.
sheet?this.nearest(x,y,NODE_REACH,frame):-1;if(row<0)return[];let looked=this.examined[row]<=frame,k=looked?this.fate[row]:
this.fates+(this.dropped[row]<=frame?1:0),lines=[`Depth ${this.depth[row]}: ${this.kinds[k].name}`];this.size[row]>1&&lines.
push(`represents ${this.size[row]} nodes`);let bound=looked?this.bound[row]:this.promise[row];return Number.isFinite(bound)&&
lines.push(`bound ${formatNumber(bound)}`),looked&&this.better[row]&&lines.push(this.kinds[this.fates+2].name),looked&&lines.
push(`examined by t = ${formatCount(this.view.frame_t[this.examined[row]])}`),lines}words(frame){let told=this.kinds.map(
({name},k)=>`${formatCount(this.counts[frame][k])} ${name}`).filter(words=>!words.startsWith("0 "));return`${this.track.
words(frame)}: ${[...told,this.between(frame)].filter(Boolean).join(", ")}`}extras(stage){if(!this.limits)return[];let row=document.
createElement("div");row.className="hm-choice",row.setAttribute("role","group"),row.setAttribute("aria-label","Height of\
 the nodes");let buttons=Object.entries(HEIGHTS).map(([by,words])=>{let button=document.createElement("button");return button.
type="button",button.textContent=words,button.addEventListener("click",()=>{SHOWN.by=by,show(),stage.invalidate("moment")}),
{by,button}}),show=()=>{for(let{by,button}of buttons)button.setAttribute("aria-pressed",String(by===SHOWN.by))};return show(),
row.append(...buttons.map(({button})=>button)),[row]}},markColours=theme=>({dot:theme.soft,bar:theme.warn,cross:theme.bad,
square:theme.ink,wedge:theme.muted,ring:theme.ink,stub:theme.muted,star:theme.good});function startMark(ctx,theme,mark,size){
let colours=markColours(theme);ctx.fillStyle=mark==="ring"?theme.background:colours[mark],ctx.strokeStyle=mark==="star"?
theme.background:colours[mark],ctx.lineWidth=Math.min(2,Math.max(1.2,size/2)),ctx.beginPath()}function traceMark(ctx,mark,x,y,r,deep=0){
if(mark==="dot"||mark==="ring")ctx.moveTo(x+.8*r,y),ctx.arc(x,y,.8*r,0,2*Math.PI);else if(mark==="bar"||mark==="stub"){if(ctx.
moveTo(x-1.2*r,y),ctx.lineTo(x+1.2*r,y),mark==="bar")return;ctx.moveTo(x,y-r),ctx.lineTo(x,y)}else if(mark==="cross")ctx.
moveTo(x-r,y-r),ctx.lineTo(x+r,y+r),ctx.moveTo(x+r,y-r),ctx.lineTo(x-r,y+r);else if(mark==="square")ctx.rect(x-r,y-r,2*r,
2*r);else if(mark==="wedge")ctx.moveTo(x,y),ctx.lineTo(x-r,y+Math.max(4,deep)),ctx.lineTo(x+r,y+Math.max(4,deep)),ctx.closePath();else{
for(let i=0;i<10;i++){let angle=Math.PI*i/5,size=i%2?.42*r:r;ctx[i?"lineTo":"moveTo"](x+size*Math.sin(angle),y-size*Math.
cos(angle))}ctx.closePath()}}function endMark(ctx,mark){if(mark==="bar"||mark==="cross"||mark==="stub")return ctx.stroke();
ctx.fill(),(mark==="ring"||mark==="star")&&ctx.stroke()}var PANELS={curves:CurvesPanel,heat:HeatPanel,loss:LossPanel,norms:NormsPanel,rules:RulesPanel,search:SearchPanel,tree:TreePanel};
function makePanels(view,track,numbers){return view.panels.flatMap((row,i)=>view.veiled&&row.answer?[]:[new PANELS[row.kind](
view,row,`panel${i}`,track,numbers)])}var LEFT=new Map,TOGGLES=["predictions","mistakes","graph"];function inherit(stage,key){let left=LEFT.get(key);left&&(Object.
assign(stage.ui,left.ui),Object.assign(stage.axes,left.axes),Object.assign(stage.player,left.player),stage.parts.speed.value=
String(left.player.speed),stage.log.inherit(left.log),Object.assign(stage.numbers,left.numbers),stage.bare=left.bare,stage.
last=left.last)}function leave(stage){let{bare,last,log,view}=stage,{zoom,centreX,centreY}=stage.axes,{position,speed,loop,
T,wish}=stage.player,ui={...stage.ui,hover:-1,lasso:null,aim:null,here:null},numbers={values:stage.numbers.values,opening:stage.
numbers.opening},kept={ui,numbers,bare,last,log:log.kept,axes:{zoom,centreX,centreY},player:{position,speed,loop,T,wish}};
view?.key&&LEFT.set(view.key,kept)}function readerPlace({ui,view,player,bare,panels}){let place=Object.assign({},...(panels??
[]).map(panel=>panel.place?.()));if(!view||view.T<2)return place;player.frame<view.T-1&&(place.t=view.frame_t[player.frame]);
let on=TOGGLES.filter(name=>ui[name]),usual=bare?["predictions"]:[];return on.join()!==usual.join()&&(place.on=on.join("\
,")||"none"),place}function tellPlace(stage){stage.telling||(stage.telling=!0,setTimeout(()=>{stage.telling=!1,document.
dispatchEvent(new CustomEvent("halfmoon-place"))},100))}var OVER=new Map,DONE_BY={label:["label","label_many"],drag:["move"]},Prompts=class{constructor(stage,box){this.stage=stage,
this.box=box}get over(){let{key}=this.stage.view,over=OVER.get(key)??new Set;return OVER.set(key,over),over}get open(){return this.
stage.view.prompts.filter(({kind})=>!this.over.has(kind))}show(){let{view}=this.stage;view.T>1&&view.prompts.length&&!view.
arrays.edges&&this.over.add("graph"),this.build(this.open)}build(prompts){let rows=prompts.map(({kind,text:text2})=>{let button=element(
"button","hm-prompt",text2);return button.type="button",button.dataset.prompt=kind,button.onclick=()=>this.take(kind),button}),
close=element("button","hm-dismiss","Not now");close.type="button",close.onclick=()=>this.dismiss(),this.box.replaceChildren(
...rows,close),this.box.hidden=!rows.length}take(kind){let{stage}=this;if(kind==="graph")return stage.ask(kind);stage.hand.
setMode(kind),stage.tell(kind==="drag"?"Now drag one of the large marks to another place.":"Now click any grey point."),
stage.area.focus({preventScroll:!0})}dismiss(){for(let{kind}of this.stage.view.prompts)this.over.add(kind);this.show(),this.
stage.area.focus({preventScroll:!0})}edited(){let{log,view}=this.stage;if(!view?.prompts.length)return;let op=log.done.at(
-1)?.op.op??"",before=this.open.length;for(let[kind,ops]of Object.entries(DONE_BY))ops.includes(op)&&this.over.add(kind);
this.open.length!==before&&this.show()}};var FEW=800,MEMORY=90,Renderer=class{constructor(stage){this.stage=stage,this.dirty=new Set,this.request=null,this.stats=
{draws:0,drawMs:0,fps:0},this.stamps=[],this.times=[],this.marks=document.createElement("canvas")}invalidate(layers){for(let layer of layers)
this.dirty.add(layer);this.request??=requestAnimationFrame(now=>this.draw(now))}stop(){cancelAnimationFrame(this.request??
0)}restartClock(){this.stamps=[],this.lastTick=void 0}draw(now){this.request=null;let{stage,dirty}=this,{player}=stage;if(!stage.
view||!stage.root.isConnected)return;player.playing?this.advance(now):this.lastTick=void 0,stage.time.led&&this.stamp(now);
let start=performance.now(),{width,height}=stage.size,apart=stage.model.n>FEW;if(apart&&dirty.has("points")&&this.drawPoints(
fitCanvas(this.marks,width,height,stage.scale),player.frame,stage.scale),dirty.has("field")||dirty.has("points")){let ctx=fitCanvas(
stage.parts.scene,width,height,stage.scale);this.drawBackdrop(ctx,this.shownPosition),apart?ctx.drawImage(this.marks,0,0,
width,height):this.drawPoints(ctx,player.frame,stage.scale)}dirty.has("overlay")&&this.drawOverlay(),(stage.ui.here||dirty.
has("overlay"))&&stage.tellHere(),dirty.has("moment")?showMoment(stage):dirty.has("cursor")&&showCursor(stage),dirty.has(
"status")&&stage.showStatus(),dirty.clear(),this.drawn||performance.mark("halfmoon-first-frame"),this.drawn=!0,stage.time.
led&&this.measure(performance.now()-start),player.playing?(this.measure(performance.now()-start),this.invalidate([])):stage.
root.dataset.playing==="1"&&stage.time.stopped()}advance(now){let{player}=this.stage,before=player.frame;player.tick(Math.
min(.1,(now-(this.lastTick??now))/1e3)),this.lastTick=now,this.stage.time.moved(before),this.stamp(now)}stamp(now){this.
stamps.push(now),this.stamps.length>MEMORY&&this.stamps.shift()}get shownPosition(){return this.stage.calm.matches?this.
stage.player.frame:this.stage.player.position}drawBackdrop(ctx,position){let{field,axes,theme,view,ui}=this.stage;field.
prepare(position),field.draw(ctx,axes,ui.ghost),axes.draw(ctx,theme,view.axis_names)}drawScene(ctx,position,scale){this.
drawBackdrop(ctx,position),this.drawPoints(ctx,Math.round(position),scale),this.invalidate(["field"])}drawPoints(ctx,frame,scale){
let{points:points2,axes,view,model,ui}=this.stage;points2.draw(ctx,axes,view,model,frame,ui,scale)}drawOverlay(){let{ui,
model,axes,theme,size,scale,parts}=this.stage,{crosshair}=this.stage,box=crosshair.box(),lasso=box.length?box:ui.lasso;if(parts.
overlay.hidden=ui.hover<0&&ui.focus<0&&!lasso&&!ui.aim&&!crosshair.seen,parts.overlay.hidden)return;let ctx=fitCanvas(parts.
overlay,size.width,size.height,scale);for(let[i,width]of[[ui.hover,2.5],[ui.focus,4]])i>=0&&i<model.n&&ring(ctx,axes.px(
model.x[i]),axes.py(model.y[i]),14,theme.accent,width);ui.aim&&ring(ctx,ui.aim.x,ui.aim.y,ui.aim.reach,theme.accent,1.5),
crosshair.seen&&crosshair.draw(ctx,theme),lasso&&(ctx.beginPath(),lasso.forEach(([x,y],i)=>i?ctx.lineTo(x,y):ctx.moveTo(
x,y)),ctx.closePath(),ctx.globalAlpha=.12,ctx.fillStyle=theme.accent,ctx.fill(),ctx.globalAlpha=1,ctx.strokeStyle=theme.
accent,ctx.lineWidth=2,ctx.setLineDash([6,5]),ctx.stroke(),ctx.setLineDash([]))}measure(ms){let{stats,stamps,times}=this,
{dataset}=this.stage.root;stats.draws+=1,times.push(ms),times.length>MEMORY&&times.shift(),!(stats.draws%20||stamps.length<
2)&&(stats.drawMs=[...times].sort((a,b)=>a-b)[times.length>>1],stats.fps=1e3*(stamps.length-1)/(stamps[stamps.length-1]-
stamps[0]),dataset.fps=stats.fps.toFixed(1),dataset.drawMs=stats.drawMs.toFixed(2))}};var LOOK=250,WAITING=new Set;function chosenColours(){let options=new URLSearchParams(location.search).getAll("embed_opt\
ions");if(options.includes("dark_theme"))return DARK;if(options.includes("light_theme"))return LIGHT;let store=storage(),
start=`stActiveTheme-${location.pathname}-v`,key=Object.keys(store).find(name=>name.startsWith(start)),chosen=key?store[key]:
"";return chosen==='"dark"'?DARK:chosen!=='"light"'&&matchMedia("(prefers-color-scheme: dark)").matches?DARK:LIGHT}function storage(){
try{return{...localStorage}}catch{return{}}}var StandIn=class{asked;pressed=!1;free=()=>{};constructor(host,data,mount2){
this.host=host;let{background,panel}=chosenColours();host.style.setProperty("--st-background-color",background),host.style.
setProperty("--st-secondary-background-color",panel);let inside=host.shadowRoot,root=one(inside,".hm-stage");root.dataset.
standIn="early",this.unmount=mount2({parentElement:inside,data,setStateValue:()=>{},setTriggerValue:(_,what)=>{this.asked=
String(what)}}),this.stage=root.halfmoon,host.addEventListener("pointerdown",()=>{this.pressed=!0}),addEventListener("po\
interup",this),addEventListener("pointercancel",this);let path=location.pathname;this.timer=setInterval(()=>{location.pathname!==
path&&this.end()},LOOK),WAITING.add(this)}handleEvent(){this.pressed=!1,this.free()}released(){return new Promise(resolve=>{
this.pressed?this.free=resolve:resolve()})}end(){clearInterval(this.timer),removeEventListener("pointerup",this),removeEventListener(
"pointercancel",this),WAITING.delete(this),this.unmount(),this.host.remove()}giveWay(stage,show){let{playing,position}=this.
stage.player,held=this.host.shadowRoot?.activeElement===this.stage.area;this.end(),show(),playing?stage.time.togglePlay():
stage.view.autoplay&&position===0&&!stage.log.waiting&&stage.time.playOnce(stage.view.run_id),held&&stage.area.focus({preventScroll:!0}),
this.asked&&stage.ask(this.asked)}};function standInFor(key,stage){return[...WAITING].find(waiting=>waiting.stage!==stage&&
waiting.stage.view?.key===key)}function piece(tag,className,words){let made2=document.createElement(tag);return made2.className=className,made2.textContent=
words,made2}function patternOf(forms){let escaped=[...forms].sort((a,b)=>b.length-a.length).map(form=>form.replace(/[.*+?^${}()|[\]\\]/g,
"\\$&"));return forms.length?new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_-])`,"giu"):null}
function inPieces(words,terms,pattern){let pieces=[],seen=new Set,at=0;for(let match of pattern?words.matchAll(pattern):
[]){let meaning=terms[match[0].toLowerCase()];!meaning||seen.has(meaning)||(seen.add(meaning),pieces.push([words.slice(at,
match.index),null],[match[0],meaning]),at=match.index+match[0].length)}return pieces.push([words.slice(at),null]),pieces.
filter(([text2])=>text2)}var Terms=class{constructor(parts){this.parts=parts,this.marked=null,this.terms={},this.pattern=
null,this.leaving=void 0,this.pinned=!1,parts.meaning.addEventListener("toggle",e=>{this.pinned&&=e.newState==="open"}),
parts.meaning.addEventListener("pointerenter",()=>clearTimeout(this.leaving)),parts.meaning.addEventListener("pointerlea\
ve",()=>this.hideSoon())}setView(view){this.terms=view.terms,this.pattern=patternOf(Object.keys(view.terms)),this.marked=
null;let rows=Object.entries(view.terms).flatMap(([form,meaning])=>[piece("dt","",form),piece("dd","",meaning)]);this.parts.
words.replaceChildren(...rows),this.parts.words.hidden=!rows.length}fill(target,words){let made2=inPieces(words,this.terms,
this.pattern).map(([text2,meaning])=>meaning?this.button(text2,meaning):document.createTextNode(text2));target.replaceChildren(
...made2)}say(words,playing){let{caption}=this.parts;playing?(this.marked=null,caption.textContent=words):this.marked!==
words&&(this.marked=words,this.fill(caption,words))}button(text2,meaning){let{meaning:card}=this.parts,made2=piece("butt\
on","hm-term",text2);made2.type="button",made2.popoverTargetElement=card,made2.popoverTargetAction="show";let tell2=()=>card.
replaceChildren(piece("b","",text2),` ${meaning}`);return made2.addEventListener("click",()=>{tell2(),this.pinned=!0}),made2.
addEventListener("pointerenter",e=>{e.pointerType==="mouse"&&(clearTimeout(this.leaving),tell2(),card.matches(":popover-\
open")||card.showPopover({source:made2}))}),made2.addEventListener("pointerleave",e=>e.pointerType==="mouse"&&this.hideSoon()),
made2}hideSoon(){clearTimeout(this.leaving),this.leaving=setTimeout(()=>this.pinned||this.parts.meaning.hidePopover(),120)}};var PLAYED=new Set,Time=class{constructor(stage){this.stage=stage,this.leading=!1,this.led=!1}moved(before,follower=!1){
if(!this.leading&&this.stage.player.frame!==before)for(let panel of this.stage.panels)panel.cursorMoved?.();this.stage.root.
dataset.frame=String(this.stage.player.frame),this.stage.invalidate("field"),this.stage.track.own&&this.stage.invalidate(
"cursor"),this.stage.player.frame!==before&&(tellPlace(this.stage),this.stage.invalidate("points","moment"),this.stage.refreshCard()),
follower||this.stage.group?.moved(this.stage)}get cursor(){return this.stage.track.own?this.stage.renderer.shownPosition:
this.stage.player.frame}follow(t,position=positionOf(this.stage.view.frame_t,t),playing=!1){let before=this.stage.player.
frame,was=this.stage.player.playing||this.led;this.stage.player.playing=!1,this.led=playing,this.stage.player.position=position,
was!==playing&&showControls(this.stage),this.moved(before,!0)}seek(frame){let before=this.stage.player.frame;this.stage.
player.pause(),this.stage.player.seek(frame),showControls(this.stage),this.moved(before)}get moment(){return this.stage.
view?.frame_t[this.stage.player.frame]}seekIteration(t){this.seek(this.frameOf(t)),this.stage.root.scrollIntoView({block:"\
nearest",behavior:this.stage.calm.matches?"auto":"smooth"})}frameOf(t){return Math.round(positionOf(this.stage.view.frame_t,
t))}lead(frame){this.leading=!0,this.seek(frame),this.leading=!1}numberMoved(name){if(name==="hide")return this.stage.show(
this.stage.full);for(let panel of this.stage.panels)panel.numberMoved?.(name);this.stage.invalidate("moment"),tellPlace(
this.stage)}placeMoved(){tellPlace(this.stage)}seekEvent(step){let frame=this.stage.scrubber.neighbour(this.stage.player.
frame,step);frame!==null&&this.seek(frame)}togglePlay(){this.stage.player.playing?(this.stage.player.pause(),this.stage.
invalidate("field")):(this.stage.player.play(),this.stage.renderer.restartClock(),this.stage.invalidate("field","points",
"moment")),showControls(this.stage)}playOnce(run,later=!1){this.stage.calm.matches||PLAYED.has(run)||embedded()||(this.stage.
player.seek(0),!later&&(PLAYED.add(run),this.stage.player.play(),this.stage.renderer.restartClock()))}stopped(){showControls(
this.stage),this.stage.invalidate("field","moment")}toggleLoop(){this.stage.player.loop=!this.stage.player.loop,showControls(
this.stage)}};var ANSWERS=["field","f","f_margin","p","marks","struck","truth","ghost_field","ghost_flipped"];function veiled(view){let arrays={
...view.arrays};for(let name of ANSWERS)delete arrays[name];return{...view,arrays,ghost:null,tiles:[],captions:[],veiled:!0}}var ALONE_SHARE=.75,STAGE_SHARE=.6,STAGES=window.halfmoonStages??new Set;window.halfmoonStages=STAGES;var Stage=class{view=void 0;full=void 0;theme=void 0;field=void 0;track=void 0;panels=void 0;tiles=[];group;mirror;last;block;bare;top;hoverTimer;cancelExport=!1;captioned=!0;send=()=>{};sendNumbers=()=>{};ask=()=>{};confirmed={};seen;width=0;scale=1;notice="";busy="";telling=!1;constructor(root){
this.root=root,this.parts=findParts(root),this.area=this.parts.area,this.ui={brush:0,mode:"label",graph:!1,predictions:!1,
mistakes:!1,focus:-1,hover:-1,lasso:null,here:null,offered:!1,ghost:!0,flipped:!1},this.hand=new Hand(this),this.time=new Time(
this),this.axes=new Axes,this.player=new Player,this.points=new Points,this.hover=new Hover(this.parts.card),this.terms=
new Terms(this.parts),this.log=new EditLog(message=>this.send(message),()=>this.hand.edited()),this.numbers=new Numbers(
name=>this.time.numberMoved(name),message=>this.sendNumbers(message)),this.scrubber=new Scrubber(this.parts,(lines,x,y)=>this.
tip(lines,x,y),frame=>this.time.seek(frame)),this.size={width:0,height:0},this.type=1,this.calm=matchMedia("(prefers-red\
uced-motion: reduce)"),this.renderer=new Renderer(this),this.pointer=new Pointer(this,this.area),this.prompts=new Prompts(
this,this.parts.prompts),this.crosshair=new Crosshair(this),wireControls(this),one(root,"[data-export=film]").hidden=!canRecord(),
root.addEventListener("keydown",e=>{!this.crosshair.handleKey(e)&&!this.group?.deck?.handleKey(e)&&handleKey(this,e)}),this.
observer=new ResizeObserver(()=>{root.clientWidth!==this.width&&this.resize()}),this.observer.observe(root),root.halfmoon=
this,STAGES.add(this),this.unfollow=followPage(this),this.unframe=followFrame(this),document.dispatchEvent(new CustomEvent(
"halfmoon-stages"))}async update(block,send,sendNumbers,ask){this.send=send,this.sendNumbers=sendNumbers,this.ask=ask;let theme=readTheme(
this.root),sameTheme=this.theme&&theme.dark===this.theme.dark&&theme.background===this.theme.background;if(this.theme=theme,
sameBytes(block,this.block))!sameTheme&&this.view&&this.retheme();else{this.block=block;let view=await unpack(block),standIn2=standInFor(
view.key,this);if(await standIn2?.released(),block!==this.block)return;if(!this.root.isConnected){this.block=void 0;return}
standIn2?standIn2.giveWay(this,()=>this.show(view)):this.show(view)}}show(full){let own=this.confirmed[this.log.client];
own!==void 0&&Object.assign(full,{client:this.log.client,seq_seen:own}),this.notice="",this.view||(this.join(full),inherit(
this,full.key)),this.full=full;let opened=this.numbers.open(full),view=this.numbers.get("hide")?veiled(full):full,unveiled=!!view.
veiled!=!!this.view?.veiled,{last}=this,newRun=view.run_id!==last?.run_id,newData=view.data_id!==last?.data_id,newScene=newData||
view.scene_id!==last.scene_id,untold=newData||last.untold;this.last={run_id:view.run_id,data_id:view.data_id,scene_id:view.
scene_id,untold:untold&&view.pending},this.view=view,this.log.reconcile(view,this),this.field=new Field(view),this.track=
new Track(view),this.panels=makePanels(view,this.track,this.numbers),this.showGhosts(),newData&&(this.say(""),this.pointer.
drop(),this.crosshair.hide(),this.ui.focus=-1,this.setHover(-1),this.hand.chooseMode()),this.log.stroke||this.axes.setExtent(
view.extent),newScene&&this.axes.reset(),this.ui.brush>=view.k&&(this.ui.brush=0),this.ui.brush===UNLABELLED&&!this.hand.
canEdit("add")&&(this.ui.brush=ERASE),this.hand.leaveEraser();let bare=view.arrays.f?!view.arrays.field:!!this.bare;if(bare!==
this.bare&&(this.ui.predictions=bare),this.bare=bare,untold&&view.toggles)for(let name of TOGGLES)this.ui[name]=view.toggles.
includes(name);this.hand.canEdit(this.ui.mode)||(this.ui.mode="label"),(newRun||opened)&&this.player.setLength(view.T,view.
start_frame),(newRun||opened||unveiled)&&this.player.seek(this.panels.map(panel=>panel.opens?.(this)).find(Number.isFinite)??
this.player.frame),this.player.setTrack(this.track),this.root.dataset.frame=String(this.player.frame),newRun&&view.autoplay&&
this.time.playOnce(view.run_id,this.root.dataset.standIn!==void 0),this.scrubber.setView(view,this.track);let{title,note}=this.
parts;title.textContent=view.title,title.hidden=!view.title,note.textContent=view.note,note.hidden=!view.note,this.terms.
setView(view),buildEvidence(this),this.retheme(),this.prompts.show(),this.refreshCard(),this.group?.arrived(this),this.root.
dataset.ready=view.pending?"points":this.root.dataset.standIn??"1",!last&&presenting()&&takeKeys(this),this.root.dataset.
views=String(Number(this.root.dataset.views||0)+1),tellPlace(this)}join(view){view.sync&&(this.group=groupOf(view.sync),
this.group.join(this),view.compact&&(this.root.classList.add("hm-compact"),this.log=this.group.log))}get place(){return readerPlace(
this)}retheme(){this.field.setTheme(this.theme),this.points.setTheme(this.theme);for(let panel of this.panels)panel.forget?.();
buildBrushes(this),this.resize()}get model(){return this.mirror??this.log.model}resize(){if(!this.view||!this.root.clientWidth)
return;this.width=this.root.clientWidth,this.type=typeSize(this.width);let wide=this.width>=900,narrow=this.width<620;this.
scale=Math.min(3,window.devicePixelRatio||1)*this.type;let{main}=this.parts,framed=embedded(),beside=(framed?standsBeside(
this.width):wide&&this.type===1)&&!this.view.compact&&!this.parts.evidence.hidden;this.arrange(beside);let width=this.area.
clientWidth/this.type;this.top??=Math.min(200,Math.max(0,this.root.getBoundingClientRect().top)),showControls(this),reserveCaption(
this),showLegend(this);let others=(main.offsetHeight-this.area.offsetHeight)/this.type,even=this.view.compact||this.parts.
grid.classList.contains("hm-even"),large=wide&&this.type===1&&!even&&!this.root.dataset.alone,least=large?STAGE_SHARE*window.
innerHeight:300,left=this.root.dataset.alone?ALONE_SHARE*window.innerHeight:(window.innerHeight-this.top)/this.type-others-
12,room=Math.max(least,left),filled=Math.min(room,width*1.15,(width-52)/this.axes.aspect+36),height=Math.ceil(large?Math.
max(least,filled):filled),still=this.view.pending&&this.size.height>0;width===this.size.width&&(still||this.log.stroke||
Math.abs(height-this.size.height)<=2)&&(height=this.size.height),framed||this.type>1&&(wide||this.view.compact&&window.innerWidth>=
900)?(measureTools(this),this.area.style.height="",height=Math.floor(this.area.clientHeight/this.type)):this.area.style.
height=`${height*this.type}px`,this.size={width,height},this.axes.layout(width,height,narrow),sizePanels(this,main.offsetHeight,
wide),this.scrubber.draw(this.theme,this.scale/this.type,this.type),this.invalidate("field","points","overlay","moment",
"status")}arrange(beside){let{title,switches,main,corner,evidence}=this.parts,there=title.parentElement===evidence;beside!==
there&&(beside?evidence.prepend(title,switches):(main.prepend(title),corner.append(switches)))}invalidate(...layers){this.
renderer.invalidate(layers)}showStatus(){let{log,parts,root,model}=this;parts.status.textContent=this.busy||(log.waiting?
"New labels are being applied …":this.notice||(this.hand.drawing&&!this.hand.hasRoom()?FULL:this.view.status)),root.dataset.
requests=String(log.requests),root.dataset.points=String(model.n),root.dataset.labels=String(model.given.filter(c=>c>=0).
length),root.dataset.waiting=log.waiting?"1":"0"}toggle(what){this.ui[what]=!this.ui[what],tellPlace(this),this.refresh(),
this.group?.share(this,what)}refresh(){this.view&&(showControls(this),showLegend(this),this.showGhosts(),this.invalidate(
"field","points","moment"))}showGhosts(){for(let panel of this.panels)panel.showGhost?.(this.ui.ghost)}walk(step){let{model,
ui}=this;if(!model.n)return;let{crosshair}=this,at=crosshair.at?crosshair.near():ui.focus;this.setFocus(at<0?step>0?0:model.
n-1:(at+step+model.n)%model.n)}setFocus(i){let{crosshair,model}=this;i>=0&&crosshair.at&&crosshair.goTo({x:model.x[i],y:model.
y[i]}),this.ui.focus=i,this.invalidate("overlay"),i>=0&&this.say(pointSentence(this.view,this.model,this.player.frame,i)),
this.setHover(i)}setHover(i,forMs){clearTimeout(this.hoverTimer),forMs&&(this.hoverTimer=setTimeout(()=>this.setHover(-1),
forMs)),!(i===this.ui.hover&&!forMs)&&(this.ui.hover=i,this.invalidate("overlay"),this.showCard())}refreshCard(){this.ui.
hover>=0&&this.showCard()}showCard(){let{hover:i}=this.ui,{model,axes}=this;if(i<0||i>=model.n)return this.hover.hide();
let shift=this.offset(this.area),x=axes.px(model.x[i])*this.type+shift.x,y=axes.py(model.y[i])*this.type+shift.y;this.hover.
showPoint(this.view,model,this.player.frame,i,x,y,this.root.clientWidth)}showHere(at){let{axes,crosshair,ui}=this,before=ui.
here;ui.here=at?{x:axes.dataX(at.x),y:axes.dataY(at.y)}:crosshair.seen?crosshair.at:null,(ui.here||before)&&this.invalidate(
"overlay")}tellHere(){let{axes,field,ui,view}=this,{left,top,width,height}=axes.box,{here}=this.parts;if(here.hidden=!ui.
here,!ui.here)return;here.textContent=placeFacts(view,field,ui.here).map(fact=>fact.join(" ")).join("   ");let low=axes.
px(ui.here.x)<left+width/2&&axes.py(ui.here.y)<top+height/2;here.style.left=low?"":`${(left+6)*this.type}px`,here.style.
top=low?"":`${(top+6)*this.type}px`,here.style.right=low?`${(this.size.width-left-width+6)*this.type}px`:"",here.style.bottom=
low?`${(this.size.height-top-height+6)*this.type}px`:""}tip(lines,clientX,clientY){let box=this.root.getBoundingClientRect();
this.hover.showText(lines,clientX-box.left,clientY-box.top,this.root.clientWidth)}offset(element2){let a=element2.getBoundingClientRect(),
b=this.root.getBoundingClientRect();return{x:a.left-b.left,y:a.top-b.top}}zoomStep(factor){let{left,top,width,height}=this.
axes.box;factor===0?this.axes.reset():this.axes.zoomAt(factor,left+width/2,top+height/2),this.zoomed()}zoomed(){showControls(
this),this.setHover(-1),this.invalidate("field","points","overlay")}tell(sentence){this.notice=sentence,this.say(sentence),
this.invalidate("status")}say(sentence){let{live}=this.parts;live.textContent=sentence&&live.textContent===sentence?`${sentence}\
 `:sentence}export(kind){return saveAs(this,kind)}remove(){this.say(""),this.log.leave(),this.observer.disconnect(),this.
renderer.stop(),STAGES.delete(this),this.unfollow(),this.unframe(),this.group?.leave(this),document.dispatchEvent(new CustomEvent(
"halfmoon-stages")),leave(this)}};function mount({parentElement,data,setStateValue,setTriggerValue}){let root=one(parentElement,
".hm-stage");if(root.matches(".hm-deck"))return mountDeck(root,data);let stage=root.halfmoon??new Stage(root),tell2=name=>message=>setStateValue(
name,message);return stage.update(data,tell2("edits"),tell2("numbers"),what=>setTriggerValue("asked",what)),()=>stage.remove()}var shared=globalThis,code=shared["halfmoon-VERSION"]??Promise.withResolvers();shared["halfmoon-VERSION"]=code;var WAIT=120,Settings=class{rows=new Map;timers=new Map;constructor(home,send){this.send=send,home.className="hm-setting\
s",home.setAttribute("role","group"),home.setAttribute("aria-label","Settings of the classifier"),this.front=element("di\
v","hm-settings-front"),this.more=element("details"),this.rest=element("div","hm-settings-front"),this.more.append(element(
"summary","","More settings"),this.rest),home.append(this.front,this.more)}show(settings){let names=new Set(settings.map(
({name})=>name));for(let[name,{row}]of this.rows)names.has(name)||(row.remove(),this.rows.delete(name));for(let setting of settings){
let made2=this.rows.get(setting.name);made2||(made2=this.make(setting),this.rows.set(setting.name,made2),(setting.front?
this.front:this.rest).append(made2.row)),made2.row.hidden=setting.idle,this.timers.has(setting.name)||made2.put(setting)}
this.more.hidden=!this.rest.childElementCount}make(setting){let row=element("label","hm-setting"),name=element("span","",
setting.label),shown=element("output");if(row.title=setting.help,setting.kind==="choice"){let box=element("select");return box.
append(...setting.words.map((words2,i)=>Object.assign(element("option","",words2),{value:String(i)}))),box.addEventListener(
"change",()=>this.tell(setting.name,Number(box.value),0)),row.append(name,box),{row,put:now=>{box.value=String(now.value)}}}
let input=element("input");if(row.append(name,shown,input),setting.kind==="switch")return input.type="checkbox",input.addEventListener(
"change",()=>this.tell(setting.name,Number(input.checked),0)),shown.remove(),row.classList.add("hm-switch"),{row,put:now=>{
input.checked=now.value===1}};let{words}=setting,say=()=>{shown.textContent=words[Number(input.value)],input.setAttribute(
"aria-valuetext",shown.textContent)};return input.type="range",input.min="0",input.addEventListener("input",()=>{say(),this.
tell(setting.name,Number(input.value),WAIT)}),{row,put:now=>{words=now.words,input.max=String(words.length-1),input.value=
String(now.value),say()}}}tell(name,value,wait){clearTimeout(this.timers.get(name)),this.timers.set(name,setTimeout(()=>{
this.timers.delete(name),this.send(name,value)},wait))}};var SILENCE=4e3,GONE="The kernel was restarted or has stopped: run the cell again to go on. What is shown here can still\
 be played.",SILENT="The kernel has not answered yet: it may be busy, or this is a saved copy without one.";function widget(html,mount2,wear2){
return({model,el})=>{let inside=el.attachShadow({mode:"open"}),home=element("div","hm-lab");inside.append(home),wear2(inside),
el.dataset.lmSuppressShortcuts="true";let shown=new Lab(model,home,html,mount2);return()=>shown.remove()}}var Lab=class{patience;gone=!1;constructor(model,el,html,mount2){
this.model=model;let home=element("div"),side=element("div");this.note=element("p","hm-lab-note"),this.note.setAttribute(
"role","status"),el.append(home,side,this.note),this.el=el,this.sheet=new Sheet(home,html,mount2,el,{edits:message=>this.
send({edits:message}),numbers:()=>{},ask:()=>{}}),this.settings=new Settings(side,(name,value)=>this.send({setting:name,
value})),this.still=hideStill(model.get("still")),model.on("change:view",this.show),model.on("change:settings",this.change),
model.on("change:busy",this.change),model.on("change:remark",this.change),model.on("comm_live_update",this.lose),this.change(),
this.observer=new ResizeObserver(()=>{el.clientWidth&&(this.sheet.dress(),this.show())}),this.observer.observe(el)}show=()=>{
if(!this.el.isConnected)return;let view=bytes(this.model.get("view"));view.length&&(this.answered(),this.sheet.show([view],
null,this.model.get("seen")))};change=()=>{this.answered(),this.settings.show(this.model.get("settings")??[]),this.el.setAttribute(
"aria-busy",String(!!this.model.get("busy")))};lose=()=>{this.gone=!0,clearTimeout(this.patience),this.note.textContent=
GONE};send(message){this.gone||(this.model.send(message),this.patience??=setTimeout(()=>{this.note.textContent=SILENT},SILENCE))}answered(){
clearTimeout(this.patience),this.patience=void 0,this.gone||(this.note.textContent=this.model.get("remark")??"")}remove(){
clearTimeout(this.patience),this.observer.disconnect(),this.model.off("change:view",this.show),this.model.off("change:se\
ttings",this.change),this.model.off("change:busy",this.change),this.model.off("change:remark",this.change),this.model.off(
"comm_live_update",this.lose),this.still.remove(),this.sheet.remove()}};function hideStill(name){let style=element("styl\
e");return style.textContent=`[data-halfmoon-still="${CSS.escape(name)}"] { display: none; }`,document.head.append(style),
style}function bytes(view){return view?new Uint8Array(view.buffer,view.byteOffset,view.byteLength):new Uint8Array}var STYLE=new CSSStyleSheet,AROUND3=new CSSStyleSheet;STYLE.replaceSync([stage_default,card_default,terms_default,stopping_default,
present_default,deck_default,embed_default].join(""));AROUND3.replaceSync([sheet_default,settings_default].join(""));var HTML={
stage:stage_default2,deck:deck_default2};function wear(element2,style){let home=element2.getRootNode();home.adoptedStyleSheets.
includes(style)||home.adoptedStyleSheets.push(style)}function mountWithStyle(component){return wear(component.parentElement,
STYLE),mount(component)}function tell(component){return code.resolve(mountWithStyle),component?void 0:{render:widget(HTML,
mountWithStyle,element2=>wear(element2,AROUND3))}}function standIn(host,base64){tell(),new StandIn(host,bytesOf(base64),
mountWithStyle)}openPage(HTML,mountWithStyle,element2=>wear(element2,AROUND3));export{tell as default,standIn};
