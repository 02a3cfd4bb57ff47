// Shapes that many modules share. What comes from Python is described in stage/view.py,
// stage/pack.py and stage/panels/.

type Ctx = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
type Extent = [x0: number, x1: number, y0: number, y1: number];
type Place = { x: number; y: number };
type Box = { left: number; top: number; width: number; height: number };
type Timer = ReturnType<typeof setTimeout>;
type Pair = [x: number, y: number];
type Values = ArrayLike<number> & Iterable<number>;
type Typed = Uint8Array | Int8Array | Int16Array | Uint32Array | Float32Array | Float64Array;
type Packed = { data: Typed; shape: number[] };

type Stage = import("./stage.js").Stage;
type Deck = import("./deck.js").Deck;
type Axes = import("./axes.js").Axes;
type Field = import("./field.js").Field;
type Track = import("./track.js").Track;
// Values to [0, 1] and back.
type Scale = {
  floor: number | null;
  share: (v: number) => number;
  value: (share: number) => number;
  ticks: (count: number) => { value: number; text: string }[];
};
type Group = import("./group.js").Group;
type Numbers = import("./numbers.js").Numbers;
type Stopping = import("./stopping.js").Stopping;
type Log = import("./edits.js").EditLog;
type Theme = ReturnType<typeof import("./theme.js").readTheme>;
// Elements by their data-role, in stage.html and deck.html.
type Parts = {
  area: HTMLElement;
  before: HTMLElement;
  beforeWords: HTMLElement;
  ghostName: HTMLElement;
  below: HTMLElement;
  brushes: HTMLElement;
  caption: HTMLElement;
  captioned: HTMLInputElement;
  card: HTMLElement;
  continue: HTMLButtonElement;
  corner: HTMLElement;
  count: HTMLOutputElement;
  ends: HTMLElement;
  evidence: HTMLElement;
  grid: HTMLElement;
  help: HTMLDetailsElement;
  here: HTMLElement;
  keys: HTMLElement;
  legend: HTMLCanvasElement;
  live: HTMLElement;
  loop: HTMLButtonElement;
  main: HTMLElement;
  meaning: HTMLElement;
  menu: HTMLDetailsElement;
  modes: HTMLElement;
  note: HTMLElement;
  overlay: HTMLCanvasElement;
  panels: HTMLElement;
  play: HTMLButtonElement;
  prompts: HTMLElement;
  range: HTMLInputElement;
  redo: HTMLButtonElement;
  root: HTMLElement;
  scale: HTMLCanvasElement;
  scene: HTMLCanvasElement;
  speed: HTMLSelectElement;
  status: HTMLElement;
  switches: HTMLElement;
  ticks: HTMLCanvasElement;
  tiles: HTMLElement;
  title: HTMLElement;
  undo: HTMLButtonElement;
  units: HTMLElement;
  words: HTMLElement;
};

type Toggle = "predictions" | "mistakes" | "graph";
type Switch = Toggle | "ghost" | "flipped";
type Unit = "iterations" | "seconds";
type DeckData = { sync: string; about: string; t: number | null; unit: Unit };
type Ui = Record<Switch, boolean> & {
  brush: number;
  mode: string;
  focus: number;
  hover: number;
  lasso: Pair[] | null;
  here: Place | null; // in the data: where the pointer or the crosshair is
  offered: boolean; // the mode was chosen for the reader
  aim?: (Place & { reach: number }) | null;
  curve?: number; // the panel that present mode shows
};
type Layer = "field" | "points" | "overlay" | "moment" | "status" | "cursor";
type ExportKind = "picture" | "animation" | "film";

// What Streamlit hands to a component.
type Component<Data> = {
  parentElement: ParentNode & Node;
  data: Data;
  setStateValue: (name: string, value: unknown) => void;
  setTriggerValue: (name: string, value: unknown) => void;
};

// -- edits: stage/edits.py -------------------------------------------------------------

type Op =
  | { op: "label"; i: number; class: number }
  | { op: "erase"; i: number }
  | { op: "label_many"; idx: number[]; class?: number; classes?: number[] }
  | { op: "move"; i: number; x: number; y: number }
  | { op: "add"; i: number; x: number; y: number; class: number }
  | { op: "remove"; i: number }
  | { op: "add_many"; idx: number[]; x: number[]; y: number[]; class?: number; classes?: number[] }
  | { op: "remove_many"; idx: number[] }
  | { op: "continue"; frame: number; t: number };
type SentOp = Op & { seq: number; data_id: string | undefined };
type Message = { client: string; seq: number; ops: SentOp[]; tries: number; live: boolean };

// Displayed points, in the order of their numbers. A point keeps its number for good;
// `source` is its row in the server's arrays, -1 for new points; `next` is what the next new
// point will be called.
type Model = {
  n: number;
  x: number[];
  y: number[];
  given: number[];
  source: number[];
  number: number[];
  next: number;
};

// -- the view: stage/pack.py -----------------------------------------------------------

type FieldScale = { least: number; knee: number; top: number; most: number; low: number; middle: number };
type TimeMark = { t: number; kind: string; text: string; tone: string };
type Tile = { label: string; values: string[] };
type TileChange = { text: string; tone: string };
type Prompt = { kind: "label" | "drag" | "graph"; text: string };
type Ghost = {
  name: string;
  extent: Extent | null;
  words: string;
  changes: Record<string, TileChange>;
  curves: CurvesRow[];
};
type Arrays = { points: Packed; given: Packed; number: Packed } & { [name: string]: Packed | undefined };
type View = {
  n: number;
  k: number;
  T: number;
  veiled?: boolean;
  arrays: Arrays;
  limits: { field: FieldScale; f: number };
  n_total: number;
  next_number: number;
  max_number: number | null;
  classes: string[];
  extent: Extent;
  axis_names: string[];
  marks_name: string;
  margins?: boolean;
  struck_name: string;
  frame_t: number[];
  axis: { name: string; floor: number | null } | null;
  events: TimeMark[];
  captions: string[];
  terms: Record<string, string>;
  tiles: Tile[];
  panels: PanelRow[];
  ghost: Ghost | null;
  start_frame: number | null;
  autoplay: boolean;
  numbers: Record<string, number>;
  opening: number;
  prompts: Prompt[];
  title: string;
  status: string;
  tools: string[];
  locked: boolean;
  pending: boolean;
  note: string;
  run_id: string;
  data_id: string;
  scene_id: string;
  key: string;
  toggles: Toggle[] | null;
  client: string;
  seq_seen: number;
  sync: string;
  compact: boolean;
  name: string;
  about: string;
};

// -- panels: stage/panels/ -------------------------------------------------------------

type Row<Kind> = { kind: Kind; title: string; below: boolean | null; answer: boolean };
type CurvesRow = Row<"curves"> & CurvesHead;
type CurvesHead = {
  log: boolean;
  percent: boolean;
  x_name: string;
  series: { name: string; role: string; dots: boolean }[];
  bundles: { name: string; role: string; limits: [low: number, high: number] }[];
  shaded: [from: number, to: number][];
  shaded_name: string;
};
type NormsRow = Row<"norms"> & CurvesHead & { thresholds: Record<string, string>; floor: number };
type HeatRow = Row<"heat"> & {
  ends: [string, string];
  middle: string;
  rows: string[];
  row_name: string;
  roles: [string, string];
};
type LossRow = Row<"loss"> & {
  reach: number;
  limits: [low: number, high: number];
  step: number;
  notes: string[];
  others: number[];
};
type SearchRow = Row<"search"> & { starts: number[] };
type TreeRow = Row<"tree"> & { kinds: { name: string; mark: string }[] };
type RulesRow = Row<"rules"> & {
  rules: { name: string; title: string }[];
  norms: string[];
  exponents: number[];
  every: number;
  total: Record<string, number>;
  best: Record<string, number>;
  newton: number;
  complete: boolean;
  usual: Record<string, number>;
};
type PanelRow = CurvesRow | NormsRow | HeatRow | LossRow | SearchRow | TreeRow | RulesRow;

// What does not move in a panel, drawn once, and how it is laid out.
type Sheet<L> = { name: string; lay: L; picture: ImageBitmap; width: number; height: number };
type Grip = { move: (x: number, y: number) => void; drop?: () => void };

// What stands beside the stage: one class for each kind of panel that Python knows, made
// from the view, its own header and the name of its arrays. A panel whose heights are null
// has no picture, only elements.
interface Panel {
  kind: string;
  title: string; // above the picture, and for screen readers
  heights: [least: number, largest: number] | null; // in pixels
  // The whole picture; position lies between two frames.
  draw(ctx: Ctx, width: number, height: number, theme: Theme, position: number, scale: number): void;
  // As draw, on the screen, with what it keeps from frame to frame.
  drawQuickly?(ctx: Ctx, width: number, height: number, theme: Theme, position: number, scale: number): void;
  forget?(): void; // the look has changed: what was kept is void
  least?(width: number, theme: Theme): number; // height it needs at this width
  smooth?: boolean; // it moves between frames as well, along an axis
  broad?: boolean; // it needs as much room as the stage
  percent?: boolean; // of errors and the like
  linked?: boolean; // a press leads the cursor to a frame
  frameAt?(x: number, y: number): number;
  grip?(x: number, y: number): Grip | null | undefined; // what can be dragged there
  cursorAt?(x: number, y: number): string; // name of the mouse cursor there
  extras?(stage: Stage): HTMLElement[]; // elements that stand below the picture
  tip?(x: number, y: number, frame: number): string[]; // for the card beside the mouse
  words?(frame: number): string; // what a screen reader is told of this moment
  place?(): Record<string, string | number | null>; // what a link should keep of it; null takes a name out
  moment?(frame: number): void; // its elements follow the cursor
  numberMoved?(name: string): void; // the reader moved a number, of this panel or not
  cursorMoved?(): void; // the reader moved the cursor
  opens?(stage: Stage): number | undefined; // the frame at which a new run opens
  showGhost?(on: boolean): void; // the curves of the previous run come and go
  // Of BasePanel, in panel.js:
  below: boolean | null; // where it stands; null: where there is room
  canvas: HTMLCanvasElement;
  box: HTMLElement;
  isBelow: boolean;
  width: number;
  height: number;
}

type LegendEntry = { text: string; width?: number; paint: (ctx: Ctx) => void };

interface Window {
  halfmoonStages?: Set<Stage>;
}
interface HTMLElement {
  halfmoon?: Stage;
  halfmoonDeck?: Deck;
}
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.html" {
  const text: string;
  export default text;
}
