// What the cursor does on the stage: seeking, playing, and going where a panel leads.

import { showControls } from "./controls.js";
import { Hand } from "./hand.js";
import { tellPlace } from "./place.js";
import { positionOf } from "./transport.js";

const PLAYED = new Set(); // runs that have played by themselves

export class Time extends Hand {
  moved(before, follower = false) {
    if (!this.leading && this.player.frame !== before) for (const panel of this.panels) panel.cursorMoved?.();
    this.root.dataset.frame = String(this.player.frame);
    this.invalidate("field");
    if (this.track.own) this.invalidate("cursor");
    if (this.player.frame !== before) {
      tellPlace(this);
      this.invalidate("points", "moment");
      this.refreshCard();
    }
    if (!follower) this.group?.moved(this);
  }

  // Where the curves have their cursor: along an axis it moves between frames, too.
  get cursor() {
    return this.track.own ? this.renderer.shownPosition : this.player.frame;
  }

  // Go where another leads: to iteration t, or to a position among the frames.
  follow(t, position = positionOf(this.view.frame_t, t), playing = false) {
    const before = this.player.frame, was = this.player.playing || this.led;
    this.player.playing = false;
    this.led = playing;
    this.player.position = position;
    if (was !== playing) showControls(this);
    this.moved(before, true);
  }

  seek(frame) {
    const before = this.player.frame;
    this.player.pause();
    this.player.seek(frame);
    showControls(this);
    this.moved(before);
  }

  // Iteration number of the frame that is shown, and the way to the nearest one.
  get moment() {
    return this.view?.frame_t[this.player.frame];
  }

  seekIteration(t) {
    this.seek(this.frameOf(t));
    this.root.scrollIntoView({ block: "nearest", behavior: this.calm.matches ? "auto" : "smooth" });
  }

  frameOf(t) {
    return Math.round(positionOf(this.view.frame_t, t));
  }

  // To where a panel leads, which is not the reader's own hand.
  lead(frame) {
    this.leading = true;
    this.seek(frame);
    this.leading = false;
  }

  numberMoved(name) {
    if (name === "hide") return this.show(this.full);
    for (const panel of this.panels) panel.numberMoved?.(name);
    this.invalidate("moment");
    tellPlace(this);
  }

  placeMoved() {
    tellPlace(this);
  }

  seekEvent(step) {
    const frame = this.scrubber.neighbour(this.player.frame, step);
    if (frame !== null) this.seek(frame);
  }

  togglePlay() {
    if (this.player.playing) {
      this.player.pause();
      this.invalidate("field");
    } else {
      this.player.play();
      this.renderer.restartClock();
      this.invalidate("field", "points", "moment");
    }
    showControls(this);
  }

  // A run that plays by itself does so once, and not for readers who want less motion.
  playOnce(run) {
    if (this.calm.matches || PLAYED.has(run)) return;
    PLAYED.add(run);
    this.player.seek(0);
    this.player.play();
    this.renderer.restartClock();
  }

  stopped() {
    showControls(this);
    this.invalidate("field", "moment");
  }

  toggleLoop() {
    this.player.loop = !this.player.loop;
    showControls(this);
  }
}
