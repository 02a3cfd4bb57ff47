"""Words of the trade are explained wherever they appear, and nothing else is HTML."""

import re

import pytest

from halfmoon.pages._parts import texts
from halfmoon.pages._parts.glossary import explained, in_spans
from halfmoon.pages._parts.lessons.plans import LESSONS
from halfmoon.pages._parts.lessons.prose import PHRASE
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.views import glossary
from ssl_core import ALGORITHMS
from ssl_core.quantities import title_of
from ssl_core.stopping import RULES
from ssl_core.viz import narrate
from tests.hostile import HOSTILE
from tests.pages.finding import played

SERVER = RunServer(2)
# What a newcomer cannot know: wherever one of these is said, it must be explained.
TECHNICAL = [
    "active",
    "ambient",
    "annealing",
    "bell",
    "bias",
    "blur",
    "boundary",
    "CGLS",
    "conjugate",
    "convex",
    "curvature",
    "C*",
    "dual",
    "entropy",
    "gamma",
    "gradient",
    "Γ",
    "γ_A",
    "γ_I",
    "hat",
    "hinge",
    "incumbent",
    "intrinsic",
    "jump",
    "kernel",
    "KL",
    "labelling",
    "Laplacian",
    "λ′",
    "loss",
    "losses",
    "manifold",
    "margin",
    "minimum",
    "minima",
    "mixed",
    "Newton's",
    "node",
    "nodes",
    "objective",
    "output",
    "outputs",
    "path",
    "preconditioned",
    "probability",
    "ψ(s)",
    "ridge",
    "S3VM",
    "S3VMs",
    "semi-supervised",
    "smoothing",
    "stability",
    "switched",
    "temperature",
    "transductive",
    "validation",
    "vector",
    "vectors",
]


def technical(text):
    """The words of the list that stand in a text."""
    for word in TECHNICAL:
        pattern = rf"(?<![\w-]){re.escape(word)}(?![\w-])"
        yield from re.finditer(pattern, text, re.IGNORECASE)


def unexplained(text):
    """Technical words that no word of the glossary covers."""
    covered = [m.span() for m in glossary._pattern().finditer(text)]
    return {
        match.group()
        for match in technical(text)
        if not any(a <= match.start() < b or a < match.end() <= b for a, b in covered)
    }


def test_the_glossary_is_in_plain_sentences():
    assert len(glossary.words()) > 60
    for word in glossary.words():
        sentences = re.findall(r"[.](?:\s|$)", word.text)
        assert 1 <= len(sentences) <= 3, word
        assert word.text.endswith("."), word
        assert len(word.text) < 330, word


def test_no_form_of_a_word_stands_twice():
    forms = [form.lower() for word in glossary.words() for form in word.forms]
    assert len(forms) == len(set(forms))


def test_the_list_of_technical_words_finds_something():
    found = {m.group() for m in technical("The Margin of C* and ψ(s), not marginal.")}
    assert found == {"Margin", "C*", "ψ(s)"}
    assert unexplained("The gradient vanishes at a minimum.") == set()
    assert unexplained("A conjugate of an intrinsic kind.") == {
        "conjugate",
        "intrinsic",
    }


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_technical_word_of_a_run_is_explained(name):
    """Sentences of every state, titles of the panels, legends and marks."""
    entry, run = ALGORITHMS[name], SERVER.ask(played(name)).outcome()
    said = {narrate(run.trace, i, run.truth) for i in range(len(run.trace))}
    said |= {event.text for _, event in run.trace.events}
    kind = type(run.trace.final)
    said |= {curve.title for curve in entry.curves} | {entry.marks}
    said |= {title_of(kind, f) for curve in entry.curves for f in curve.fields}
    assert len(said) > 3
    wrong = {text: unexplained(text) for text in said}
    assert not {text: words for text, words in wrong.items() if words}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_technical_word_of_the_reference_is_explained(name):
    entry = ALGORITHMS[name]
    guide = entry.guide
    said = [entry.idea, guide.story, *guide.good, *guide.bad, *guide.watch]
    said += [term.words for term in guide.terms]
    assert not {text: unexplained(text) for text in said if unexplained(text)}


@pytest.mark.parametrize("page", ["early_stopping", "annealing", "path"])
def test_every_technical_word_of_a_lesson_is_explained(page):
    text = texts.lead(page) + texts.explanation(page).split("*Source:")[0]
    text = "\n".join(t for t in text.splitlines() if not t.startswith("#"))
    assert unexplained(text) == set()


@pytest.mark.parametrize("name", LESSONS)
def test_every_technical_word_of_a_guided_lesson_is_explained(name):
    prose = LESSONS[name].prose
    for section in prose.sections.values():
        text = "\n".join([section.text, *section.reactions.values(), section.then])
        assert unexplained(PHRASE.sub("", text)) == set()


def test_spans_of_a_lesson_are_explained_once_and_phrases_are_left_alone():
    spans = [
        {"text": "The margin, a "},
        {"text": "margin", "strong": True},
        {"text": "the gradient", "t": 3},
        {"text": " and gradient."},
    ]
    made = list(in_spans(spans, seen := set()))
    assert "".join(s["text"] for s in made) == "".join(s["text"] for s in spans)
    told = {s["text"]: s["meaning"] for s in made if "meaning" in s}
    assert told == {w: glossary.word(w).text for w in ("margin", "gradient")}
    assert {"text": "the gradient", "t": 3} in made
    assert seen == {"margin", "gradient"}


def test_titles_of_stopping_rules_are_explained():
    assert not {r.title for r in RULES.values() if unexplained(r.title)}


# -- in markdown ----------------------------------------------------------------------


def test_the_first_appearance_becomes_a_button_with_its_card():
    html = explained("The margin is wide. The **margin** again.")
    assert html.count('class="hm-term"') == 1
    (name,) = re.findall(r'popovertarget="(\S+)"', html)
    assert f'id="{name}"' in html
    assert glossary.word("margin").text.split(".")[0] in html
    assert html.endswith(". The **margin** again.")


def test_forms_in_any_case_are_found_and_the_longest_wins():
    def terms(text):
        return [hit.word.term for hit in glossary.found(text)]

    assert terms("Error vectors. Local minima.") == ["error vector", "local minimum"]
    assert terms("the preconditioned gradient") == ["preconditioned gradient"]
    assert terms("C* rises") == terms("C\\* rises") == ["C*"]
    assert terms("marginal pathology") == []


@pytest.mark.parametrize(
    "text",
    [
        "`margin`",
        "$margin$",
        "[margin](http://x)",
        "#### The margin",
        "*Source: margin.*",
    ],
)
def test_code_formulas_links_headings_and_sources_are_left_alone(text):
    assert explained(text) == text


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_strangers_text_would_stay_text(text):
    html = explained(f"The margin of {text} and its gradient")
    ours = re.sub(r"</?(?:span|button|strong)\b[^<>]*>", "", html)
    assert "<" not in ours


def test_ids_differ_from_text_to_text():
    first, second = explained("A margin."), explained("The margin.")
    assert set(re.findall(r'id="(\S+)"', first)).isdisjoint(
        re.findall(r'id="(\S+)"', second)
    )


# -- for the stage --------------------------------------------------------------------


def test_the_stage_gets_the_words_of_its_sentences_and_no_others():
    terms = glossary.terms_in(["1 point joined the error vectors.", "Start."])
    assert terms == {"error vectors": glossary.word("error vector").text}
