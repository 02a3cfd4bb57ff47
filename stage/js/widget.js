// The stage in a notebook whose kernel answers: labels and settings go there, runs come back.

import { element } from "./controls.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";

const SILENCE = 4000; // ms without an answer after which somebody should know
const GONE =
  "The kernel was restarted or has stopped: run the cell again to go on. What is shown here can still be played.";
const SILENT = "The kernel has not answered yet: it may be busy, or this is a saved copy without one.";

/**
 * @typedef {object} Model of the widget, as notebooks hand it over
 * @property {(name: string) => any} get
 * @property {(message: object) => void} send
 * @property {(name: string, callback: (...told: any[]) => void) => void} on
 * @property {(name: string, callback: (...told: any[]) => void) => void} off
 */

/** @param {import("./sheet.js").Html} html @param {import("./sheet.js").Mount} mount @param {(element: Node) => void} wear */
export function widget(html, mount, wear) {
  return (/** @type {{ model: Model, el: HTMLElement }} */ { model, el }) => {
    const inside = el.attachShadow({ mode: "open" }), // the notebook's style sheets stay outside
      home = element("div", "hm-lab");
    inside.append(home);
    wear(inside);
    el.dataset.lmSuppressShortcuts = "true"; // JupyterLab's keys are not the stage's
    const shown = new Lab(model, home, html, mount);
    return () => shown.remove();
  };
}

class Lab {
  /** @type {Timer | undefined} */
  patience;
  gone = false;

  /**
   * @param {Model} model
   * @param {HTMLElement} el
   * @param {import("./sheet.js").Html} html
   * @param {import("./sheet.js").Mount} mount
   */
  constructor(model, el, html, mount) {
    this.model = model;
    const home = element("div"),
      side = element("div");
    this.note = element("p", "hm-lab-note");
    this.note.setAttribute("role", "status");
    el.append(home, side, this.note);
    this.el = el;
    this.sheet = new Sheet(home, html, mount, el, {
      edits: (message) => this.send({ edits: message }),
      numbers: () => {},
      ask: () => {},
    });
    this.settings = new Settings(side, (name, value) => this.send({ setting: name, value }));
    this.still = hideStill(model.get("still"));
    model.on("change:view", this.show);
    model.on("change:settings", this.change);
    model.on("change:busy", this.change);
    model.on("change:remark", this.change);
    model.on("comm_live_update", this.lose);
    this.change();
    // A notebook asks for the widget before it puts it into its page, and takes it off the
    // page while it is out of sight.
    this.observer = new ResizeObserver(() => {
      if (!el.clientWidth) return;
      this.sheet.dress();
      this.show();
    });
    this.observer.observe(el);
  }

  show = () => {
    if (!this.el.isConnected) return;
    const view = bytes(this.model.get("view"));
    if (!view.length) return;
    this.answered();
    this.sheet.show([view], null, this.model.get("seen"));
  };

  change = () => {
    this.answered();
    this.settings.show(this.model.get("settings") ?? []);
    this.el.setAttribute("aria-busy", String(Boolean(this.model.get("busy"))));
  };

  lose = () => {
    this.gone = true;
    clearTimeout(this.patience);
    this.note.textContent = GONE;
  };

  /** @param {object} message */
  send(message) {
    if (this.gone) return;
    this.model.send(message);
    this.patience ??= setTimeout(() => {
      this.note.textContent = SILENT;
    }, SILENCE);
  }

  answered() {
    clearTimeout(this.patience);
    this.patience = undefined;
    if (!this.gone) this.note.textContent = this.model.get("remark") ?? "";
  }

  remove() {
    clearTimeout(this.patience);
    this.observer.disconnect();
    this.model.off("change:view", this.show);
    this.model.off("change:settings", this.change);
    this.model.off("change:busy", this.change);
    this.model.off("change:remark", this.change);
    this.model.off("comm_live_update", this.lose);
    this.still.remove();
    this.sheet.remove();
  }
}

// The picture that a saved notebook shows without a kernel is not needed beside the stage.
/** @param {string} name */
function hideStill(name) {
  const style = element("style");
  style.textContent = `[data-halfmoon-still="${CSS.escape(name)}"] { display: none; }`;
  document.head.append(style);
  return style;
}

/** @param {DataView | undefined} view */
function bytes(view) {
  return view ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array();
}
