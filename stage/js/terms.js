// Words of the glossary in what the stage says: underlined in its sentence while it stands
// still, each opening a card, and all of them listed beside the keys. While the stage plays,
// the sentence is plain: nobody can point at a word that is gone in a moment.

const HIDE_MS = 120; // a pointer may cross from the word to its card

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} className
 * @param {string} words
 */
function piece(tag, className, words) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = words;
  return made;
}

/** @param {string[]} forms */
export function patternOf(forms) {
  const escaped = [...forms]
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return forms.length ? new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_-])`, "giu") : null;
}

// A sentence in pieces: [text, meaning], with null for what needs none. Each word is
// explained where it stands first.
/** @param {string} words @param {Record<string, string>} terms @param {RegExp | null} pattern */
export function inPieces(words, terms, pattern) {
  /** @type {[text: string, meaning: string | null][]} */
  const pieces = [],
    seen = new Set();
  let at = 0;
  for (const match of pattern ? words.matchAll(pattern) : []) {
    const meaning = terms[match[0].toLowerCase()];
    if (!meaning || seen.has(meaning)) continue;
    seen.add(meaning);
    pieces.push([words.slice(at, match.index), null], [match[0], meaning]);
    at = match.index + match[0].length;
  }
  pieces.push([words.slice(at), null]);
  return pieces.filter(([text]) => text);
}

export class Terms {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    /** @type {string | null} */
    this.marked = null; // the sentence that stands with its words underlined
    /** @type {Record<string, string>} */
    this.terms = {};
    /** @type {RegExp | null} */
    this.pattern = null;
    /** @type {Timer | undefined} */
    this.leaving = undefined;
    this.pinned = false; // a card that was asked for by a click stays
    parts.meaning.addEventListener("toggle", (e) => {
      this.pinned &&= e.newState === "open";
    });
    parts.meaning.addEventListener("pointerenter", () => clearTimeout(this.leaving));
    parts.meaning.addEventListener("pointerleave", () => this.hideSoon());
  }

  /** @param {View} view */
  setView(view) {
    this.terms = view.terms;
    this.pattern = patternOf(Object.keys(view.terms));
    this.marked = null;
    const rows = Object.entries(view.terms).flatMap(([form, meaning]) => [
      piece("dt", "", form),
      piece("dd", "", meaning),
    ]);
    this.parts.words.replaceChildren(...rows);
    this.parts.words.hidden = !rows.length;
  }

  // Put a sentence into an element, its words underlined.
  /** @param {HTMLElement} target @param {string} words */
  fill(target, words) {
    const made = inPieces(words, this.terms, this.pattern).map(([text, meaning]) =>
      meaning ? this.button(text, meaning) : document.createTextNode(text),
    );
    target.replaceChildren(...made);
  }

  /** @param {string} words @param {boolean} playing */
  say(words, playing) {
    const { caption } = this.parts;
    if (playing) {
      this.marked = null;
      caption.textContent = words;
    } else if (this.marked !== words) {
      this.marked = words;
      this.fill(caption, words);
    }
  }

  /** @param {string} text @param {string} meaning */
  button(text, meaning) {
    const { meaning: card } = this.parts,
      made = piece("button", "hm-term", text);
    made.type = "button";
    made.popoverTargetElement = card;
    made.popoverTargetAction = "show";
    const tell = () => card.replaceChildren(piece("b", "", text), ` ${meaning}`);
    made.addEventListener("click", () => {
      // comes before the card opens
      tell();
      this.pinned = true;
    });
    made.addEventListener("pointerenter", (e) => {
      if (e.pointerType !== "mouse") return;
      clearTimeout(this.leaving);
      tell();
      if (!card.matches(":popover-open")) card.showPopover({ source: made });
    });
    made.addEventListener("pointerleave", (e) => e.pointerType === "mouse" && this.hideSoon());
    return made;
  }

  hideSoon() {
    clearTimeout(this.leaving);
    this.leaving = setTimeout(() => this.pinned || this.parts.meaning.hidePopover(), HIDE_MS);
  }
}
