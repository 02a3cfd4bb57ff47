// Where the reader is: kept when Streamlit mounts the stage again, and told to links.

const LEFT = new Map(); // by key: what a stage that went off the page leaves to the next
/** @type {Toggle[]} */
export const TOGGLES = ["predictions", "mistakes", "graph"];

// Streamlit may take the component off the page and mount it again; to the reader it
// is one stage, with its undo list, its views and its place.
/** @param {Stage} stage @param {string} key */
export function inherit(stage, key) {
  const left = LEFT.get(key);
  if (!left) return;
  Object.assign(stage.ui, left.ui);
  Object.assign(stage.axes, left.axes);
  Object.assign(stage.player, left.player);
  stage.parts.speed.value = String(left.player.speed);
  stage.log.inherit(left.log);
  Object.assign(stage.numbers, left.numbers);
  stage.bare = left.bare;
  stage.last = left.last;
}

/** @param {Stage} stage */
export function leave(stage) {
  const { bare, last, log, view } = stage,
    { zoom, centreX, centreY } = stage.axes,
    { position, speed, loop, T, wish } = stage.player;
  const ui = { ...stage.ui, hover: -1, lasso: null, aim: null, here: null };
  const numbers = { values: stage.numbers.values, opening: stage.numbers.opening };
  const kept = {
    ui,
    numbers,
    bare,
    last,
    log: log.kept,
    axes: { zoom, centreX, centreY },
    player: { position, speed, loop, T, wish },
  };
  if (view?.key) LEFT.set(view.key, kept);
}

// As a link says it; what a fresh stage shows anyway is left out.
/** @param {Stage} options */
export function readerPlace({ ui, view, player, bare, panels }) {
  const place = Object.assign({}, ...(panels ?? []).map((panel) => panel.place?.()));
  if (!view || view.T < 2) return place;
  if (player.frame < view.T - 1) place.t = view.frame_t[player.frame];
  const on = TOGGLES.filter((name) => ui[name]),
    usual = bare ? ["predictions"] : [];
  if (on.join() !== usual.join()) place.on = on.join(",") || "none";
  return place;
}

// At most ten times a second, for those who keep a link to what is on the screen.
/** @param {Stage} stage */
export function tellPlace(stage) {
  if (stage.telling) return;
  stage.telling = true;
  setTimeout(() => {
    stage.telling = false;
    document.dispatchEvent(new CustomEvent("halfmoon-place"));
  }, 100);
}
