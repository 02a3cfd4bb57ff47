// Links to what a stage shows, and the code of a frame that shows it in another page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutStages, wholePage } from "../../stage/js/embed.js";
import { frameOf, linkTo } from "../../stage/js/link.js";

Object.assign(globalThis, { location: { origin: "https://lab.example", pathname: "/compare" } });

/** @param {object} view @param {object} [place] */
const stage = (view, place = {}) =>
  /** @type {Stage} */ (
    /** @type {unknown} */ ({ view: { about: "", title: "", name: "", frame_t: [0, 9], ...view }, place })
  );

test("a link has the place of the cursor instead of an older one", () => {
  assert.equal(linkTo("data=moons&t=3&on=graph", { t: 7 }), "https://lab.example/compare?data=moons&t=7");
  assert.equal(linkTo("a=1,2&b=2", { b: null }), "https://lab.example/compare?a=1,2");
});

test("what is for frames alone is not carried into the whole page", () => {
  const query = "?embed=1&embed_options=dark_theme&present=1&data=moons&t=3";
  assert.equal(wholePage(query, []), "https://lab.example/compare?data=moons");
  const stages = [stage({ frame_t: [0, 5] }, { t: 5 }), stage({ frame_t: [0, 40] }, { t: 17 })];
  assert.equal(wholePage(query, stages), "https://lab.example/compare?data=moons&t=17");
  assert.equal(wholePage("?embed=true", []), "https://lab.example/compare");
});

test("the code of a frame is escaped, whatever the data are called", () => {
  const code = frameOf("data=moons&n=20", { t: 3 }, 'Points "a" & <b>');
  assert.ok(code.startsWith('<iframe title="Halfmoon: Points &quot;a&quot; &amp; &lt;b&gt;" '));
  assert.ok(code.includes(' src="https://lab.example/compare?data=moons&amp;n=20&amp;t=3&amp;embed=1" '));
  assert.ok(code.includes(' width="720" height="480" loading="lazy" '));
  assert.equal(code.match(/[<>]/g)?.length, 4);
});

test("the line below says what is shown, of several stages the data once", () => {
  const about = "Two moons (noise = 0.1): 200 points, 2 labels. Laplacian SVM. Halfmoon 1.0.";
  assert.equal(aboutStages([]), "");
  assert.equal(aboutStages([stage({ about })]), about.slice(0, -" Halfmoon 1.0.".length));
  assert.equal(aboutStages([stage({ title: "Points" })]), "Points");
  const both = [stage({ about, name: "A" }), stage({ about, title: "B: running" })];
  assert.equal(aboutStages(both), "Two moons (noise = 0.1): 200 points, 2 labels. A; B: running");
});
