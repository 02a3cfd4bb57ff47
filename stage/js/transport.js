// Time: the player's clock, and the scrubber with a tick for every event.

import { penOf } from "./dom.js";
import { roleColour } from "./theme.js";
import { Clock, Track } from "./track.js";

export const SLOWEST = 7; // frames a second at speed 1 for short runs
export const LONGEST = 14; // seconds a long run takes at speed 1
const AT_A_JUMP = 2.4,
  AT_ALL = 24; // seconds that jumps of an axis take, each and in all
const ALONG = 1000; // steps of the scrubber along an axis

export class Player {
  constructor() {
    this.position = 0; // may lie between frames while playing
    this.playing = false;
    this.speed = 1;
    this.loop = false;
    this.T = 1;
    this.wish = Infinity; // frame to stay at in the next run
    /** @type {Clock | null} */
    this.clock = null; // when each frame is reached, along an axis
    this.time = 0;
  }

  get frame() {
    return Math.min(this.T - 1, Math.max(0, Math.round(this.position)));
  }

  get rate() {
    return Math.max(SLOWEST, this.T / LONGEST) * this.speed;
  }

  // A new run: go to `start`, or stay where the reader was (the end stays the end), also
  // when points alone stood here meanwhile.
  /** @param {number} T @param {number | null} start */
  setLength(T, start) {
    if (this.T > 1) this.wish = this.frame === this.T - 1 ? Infinity : this.frame;
    this.T = T;
    this.position = start ?? Math.min(this.wish, T - 1);
  }

  /** @param {Track} track */
  setTrack(track) {
    this.clock = track.own ? new Clock(track, LONGEST, AT_A_JUMP, AT_ALL) : null;
    this.time = this.clock?.timeAt(this.position) ?? 0;
  }

  /** @param {number} frame */
  seek(frame) {
    this.position = Math.min(this.T - 1, Math.max(0, frame));
  }

  play() {
    if (this.T < 2) return;
    if (this.position >= this.T - 1) this.position = 0;
    this.time = this.clock?.timeAt(this.position) ?? 0;
    this.playing = true;
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.position = this.frame;
  }

  /** @param {number} seconds */
  tick(seconds) {
    if (this.clock) {
      this.time += seconds * this.speed;
      if (this.loop) this.time %= this.clock.total || 1;
      this.position = this.clock.positionAt(this.time);
    } else this.position += seconds * this.rate;
    if (this.position < this.T - 1) return;
    if (this.loop) this.position %= this.T - 1;
    else {
      this.position = this.T - 1;
      this.playing = false;
    }
  }
}

// Where iteration t lies between the frames (frames may be thinned out).
/** @param {number[]} frameT @param {number} t */
export function positionOf(frameT, t) {
  if (t <= frameT[0]) return 0;
  for (let i = 1; i < frameT.length; i++) {
    if (t <= frameT[i]) return i - 1 + (t - frameT[i - 1]) / (frameT[i] - frameT[i - 1]);
  }
  return frameT.length - 1;
}

// A canvas at the screen's resolution, cleared by setting its size.
/** @param {HTMLCanvasElement} canvas @param {number} scale */
function blank(canvas, scale) {
  const width = canvas.clientWidth,
    height = canvas.clientHeight,
    ctx = penOf(canvas);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  ctx.scale(scale, scale);
  return { ctx, width, height };
}

export class Scrubber {
  /**
   * @param {Pick<Parts, "range" | "ticks" | "scale">} options
   * @param {(lines: string[], x: number, y: number) => void} showTip
   * @param {(frame: number) => void} seek
   */
  constructor({ range, ticks, scale }, showTip, seek) {
    this.range = range;
    this.ticks = ticks;
    this.scale = scale;
    /** @type {(TimeMark & { position: number })[]} */
    this.events = [];
    this.track = new Track({ arrays: {}, axis: null, frame_t: [0], T: 1 });
    range.addEventListener("input", () =>
      seek(this.track.own ? this.track.frameAt(Number(range.value) / ALONG) : Number(range.value)),
    );
    ticks.addEventListener("pointermove", (e) => {
      const near = this.near(e.offsetX);
      ticks.style.cursor = near.length ? "pointer" : "";
      showTip(
        near.map((event) => event.text),
        e.clientX,
        e.clientY,
      );
    });
    ticks.addEventListener("pointerleave", () => showTip([], 0, 0));
    ticks.addEventListener("click", (e) => {
      const near = this.near(e.offsetX);
      if (near.length) seek(Math.round(near[0].position));
    });
  }

  /** @param {View} view @param {Track} track */
  setView(view, track) {
    this.T = view.T;
    this.track = track;
    this.events = view.events.map((e) => ({ ...e, position: positionOf(view.frame_t, e.t) }));
    this.range.max = String(track.own ? ALONG : Math.max(view.T - 1, 0));
    this.range.setAttribute("aria-label", view.axis?.name ?? "Iteration");
    this.scale.hidden = !track.own;
  }

  // Pixel of a position along the track; the thumb keeps its radius from both ends.
  /** @param {number} position */
  pixel(position) {
    const width = this.ticks.clientWidth;
    return 9 + this.track.share(position) * (width - 18);
  }

  /** @param {number} px */
  near(px) {
    return this.events
      .filter((e) => Math.abs(this.pixel(e.position) - px) <= 6)
      .sort((a, b) => Math.abs(this.pixel(a.position) - px) - Math.abs(this.pixel(b.position) - px))
      .slice(0, 4);
  }

  // First event after (step 1) or before (step -1) a frame, or null.
  /** @param {number} frame @param {number} step */
  neighbour(frame, step) {
    const frames = this.events.map((e) => Math.round(e.position)).filter((p) => (p - frame) * step > 0);
    if (!frames.length) return null;
    return step > 0 ? Math.min(...frames) : Math.max(...frames);
  }

  /** @param {Theme} theme @param {number} scale @param {number} type */
  draw(theme, scale, type) {
    const { ctx, height } = blank(this.ticks, scale);
    if (this.track.own) this.drawScale(theme, scale, type);
    for (const event of this.events) {
      ctx.fillStyle = roleColour(theme, event.tone);
      const tall = event.tone === "muted" ? 0.55 : 1;
      ctx.fillRect(this.pixel(event.position) - 1.5, height * (1 - tall), 3, height * tall);
    }
  }

  // What the axis has below the track: its values at round places.
  /** @param {Theme} theme @param {number} scale @param {number} type */
  drawScale(theme, scale, type) {
    const { ctx, width } = blank(this.scale, scale);
    ctx.font = `${13 * type}px ${theme.font}`;
    ctx.fillStyle = theme.soft;
    ctx.textBaseline = "top";
    let free = -Infinity;
    for (const { value, text } of this.track.scale.ticks(width / 80 / type)) {
      const half = ctx.measureText(text).width / 2;
      const x = Math.min(width - half, Math.max(half, 9 + this.track.scale.share(value) * (width - 18)));
      if (x - half < free) continue;
      ctx.fillText(text, x - half, 1);
      free = x + half + 6;
    }
  }

  /** @param {number} position @param {string} text */
  show(position, text) {
    const share = this.track.share(position);
    this.range.value = String(Math.round(share * Number(this.range.max)));
    this.range.style.setProperty("--hm-share", `${100 * share}%`);
    this.range.setAttribute("aria-valuetext", text);
  }
}
