// What the cursor does on the stage: seeking, playing, and going where a panel leads.

import { showControls } from "./controls.js";
import { embedded } from "./embed.js";
import { tellPlace } from "./place.js";
import { positionOf } from "./transport.js";

const PLAYED = new Set(); // runs that have played by themselves

export class Time {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.leading = false; // a panel moves the cursor
    this.led = false; // another stage or the deck plays
  }

  /** @param {number} before @param {boolean} [follower] */
  moved(before, follower = false) {
    if (!this.leading && this.stage.player.frame !== before)
      for (const panel of this.stage.panels) panel.cursorMoved?.();
    this.stage.root.dataset.frame = String(this.stage.player.frame);
    this.stage.invalidate("field");
    if (this.stage.track.own) this.stage.invalidate("cursor");
    if (this.stage.player.frame !== before) {
      tellPlace(this.stage);
      this.stage.invalidate("points", "moment");
      this.stage.refreshCard();
    }
    if (!follower) this.stage.group?.moved(this.stage);
  }

  // Where the curves have their cursor: along an axis it moves between frames, too.
  get cursor() {
    return this.stage.track.own ? this.stage.renderer.shownPosition : this.stage.player.frame;
  }

  // Go where another leads: to iteration t, or to a position among the frames.
  /** @param {number} t @param {number} [position] @param {boolean} [playing] */
  follow(t, position = positionOf(this.stage.view.frame_t, t), playing = false) {
    const before = this.stage.player.frame,
      was = this.stage.player.playing || this.led;
    this.stage.player.playing = false;
    this.led = playing;
    this.stage.player.position = position;
    if (was !== playing) showControls(this.stage);
    this.moved(before, true);
  }

  /** @param {number} frame */
  seek(frame) {
    const before = this.stage.player.frame;
    this.stage.player.pause();
    this.stage.player.seek(frame);
    showControls(this.stage);
    this.moved(before);
  }

  // Iteration number of the frame that is shown, and the way to the nearest one.
  get moment() {
    return this.stage.view?.frame_t[this.stage.player.frame];
  }

  /** @param {number} t */
  seekIteration(t) {
    this.seek(this.frameOf(t));
    this.stage.root.scrollIntoView({ block: "nearest", behavior: this.stage.calm.matches ? "auto" : "smooth" });
  }

  /** @param {number} t */
  frameOf(t) {
    return Math.round(positionOf(this.stage.view.frame_t, t));
  }

  // To where a panel leads, which is not the reader's own hand.
  /** @param {number} frame */
  lead(frame) {
    this.leading = true;
    this.seek(frame);
    this.leading = false;
  }

  /** @param {string} name */
  numberMoved(name) {
    if (name === "hide") return this.stage.show(this.stage.full);
    for (const panel of this.stage.panels) panel.numberMoved?.(name);
    this.stage.invalidate("moment");
    tellPlace(this.stage);
  }

  placeMoved() {
    tellPlace(this.stage);
  }

  /** @param {number} step */
  seekEvent(step) {
    const frame = this.stage.scrubber.neighbour(this.stage.player.frame, step);
    if (frame !== null) this.seek(frame);
  }

  togglePlay() {
    if (this.stage.player.playing) {
      this.stage.player.pause();
      this.stage.invalidate("field");
    } else {
      this.stage.player.play();
      this.stage.renderer.restartClock();
      this.stage.invalidate("field", "points", "moment");
    }
    showControls(this.stage);
  }

  // A run that plays by itself does so once, and not for readers who want less motion. A
  // stand-in only gets ready: its drawing would hold up the page that is on its way.
  /** @param {string} run @param {boolean} [later] */
  playOnce(run, later = false) {
    if (this.stage.calm.matches || PLAYED.has(run) || embedded()) return;
    this.stage.player.seek(0);
    if (later) return;
    PLAYED.add(run);
    this.stage.player.play();
    this.stage.renderer.restartClock();
  }

  stopped() {
    showControls(this.stage);
    this.stage.invalidate("field", "moment");
  }

  toggleLoop() {
    this.stage.player.loop = !this.stage.player.loop;
    showControls(this.stage);
  }
}
