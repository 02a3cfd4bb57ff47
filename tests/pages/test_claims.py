"""Prose of lessons: facts are quoted, claims are checked, no number is typed."""

import re

import pytest

from halfmoon.pages._parts import texts
from halfmoon.pages._parts.annealing.annealing_questions import COLD, QUESTIONS
from halfmoon.pages._parts.lessons import prose
from halfmoon.pages._parts.lessons.plans import LESSONS
from halfmoon.pages._parts.path.path_presets import PRESETS
from halfmoon.pages._parts.path.path_runs import QUESTION
from halfmoon.pages._parts.texts.claims import (
    CLAIM,
    FACT,
    Computed,
    claims_in,
    facts_in,
    filled,
)

NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|"
    r"nine)ty|hundreds?|thousands?|millions?|half|halves|halfway|quarters?|thirds?|"
    r"(?:four|fif|six|seven|eigh|nin|ten|hundred|thousand|million)ths?|twice|thrice|"
    r"double|triple|none|no (?:wrong )?(?:guess|prediction))\b",
    re.IGNORECASE,
)
ALLOWED = (
    # What the reader is told to set or to choose.
    r"a hundred times larger|r to 0\.3|T = 0\.001 fixed",
    # How the data sets are built.
    r"two (?:moons|classes|groups|stripes|hands|clusters)",
    r"one connected shape|two main directions",
    # A pronoun, and ways of speaking that count nothing that was measured.
    r"(?:the|this|an?|another|or)(?: \w+)? one\b(?! (?:label|point|guess|edge|jump))",
    r"no longer one|could one|one of the|then one with|for one where",
    r"one way|more than one|one more|one picture|only one, at",
    r"here there are none|if none has",
    # One step of the cursor, whose phrase leads there; two neighbours in a row.
    r"one step|between two (?:steps|break points)|two consecutive iterations",
    # What a method is by definition: its objective, its labels, its sides.
    r"one number|one loss per point|two things at once|three things at once",
    r"balancing these three|one minimum|one classifier for each",
    r"one side|one class|one of each class|loses one|of the two\b|the two would",
    r"one changed point counts twice|one run was recorded",
    r"change one setting",
    # A year, behind its authors.
    r"\(\w+(?:, \w+)* and \w+, \d{4}\)",
    # By definition of the step at which the predictions have settled.
    r"no prediction change",
    # Constants of the method and of a usual rule.
    r"S3VM|(?:f|T|C\\?\*|t) (?:=|at) 0|[f ]= ±1|±1|−1 to \+1|hill at 0|(?:to|from) 0\b",
    r"10⁻⁶|place for 0|first power of ten|θ to 1\b|thousands of points",
)
NOT_SAID = re.compile(
    r"\]\(\w+:\w+\)|^## \w+:|^= \w+|^- \w+: .*(?:\n  .*)*|^[#>] .*|"
    r"^\d\. |(?<=[?|] )1\. |\*Source: [^*]*\*",
    re.MULTILINE,
)


def typed(text):
    """Numbers that a text states, in digits or words, and that nothing computes."""
    text = " ".join(NOT_SAID.sub("", text).replace("**", "").split())
    for pattern in ALLOWED:
        text = re.sub(rf"(?<!\w)(?:{pattern})", "", text, flags=re.IGNORECASE)
    # The words of a claim are checked with it; digits are quoted even there.
    text = CLAIM.sub(lambda c: " ".join(re.findall(r"\d", FACT.sub("", c[0]))), text)
    text = FACT.sub("", text)
    return [text[max(m.start() - 40, 0) : m.end() + 40] for m in NUMBER.finditer(text)]


def written(path):
    return path.read_text(encoding="utf-8")


PAGES = ("early_stopping", "annealing", "path")
SOURCES = {name: written(prose.TEXTS / f"{name}.md") for name in LESSONS}
SOURCES |= {f"{name} (page)": written(texts.TEXTS / f"{name}.md") for name in PAGES}
SOURCES |= {f"preset {name}": preset.look for name, preset in PRESETS.items()}
SOURCES |= {
    f"question {q.field}": q.text.replace(COLD, "") for q in (*QUESTIONS, QUESTION)
}


@pytest.mark.parametrize("name", SOURCES)
def test_no_number_is_typed_into_the_prose(name):
    assert typed(SOURCES[name]) == []


@pytest.mark.parametrize(
    "text",
    [
        "joined to a fifth of all points",
        "And with forty?",
        "It stops after 14 steps",
        "One jump turns the line.",
        "It is twice as high.",
        "{all? All 198 are right.}",
        "Three jumps flip {n} labels.",
        "No guess is wrong.",
        "None is wrong.",
    ],
)
def test_a_typed_number_is_found_in_digits_and_in_words(text):
    assert typed(text)


def test_what_is_computed_checked_or_offered_as_an_answer_is_not_typed():
    assert not typed("{n} of {n_guesses:word}; {third? About a third.} S3VM.")
    assert not typed("? How many?\n- half: About half\n- forty: Some\n  forty\n\n")
    assert not typed("the other one, another one, these two moons")


@pytest.mark.parametrize("name", LESSONS)
def test_a_number_on_a_card_rests_on_the_claim_named_title(name):
    """Cards solve nothing, so what they say is checked here and not when drawn."""
    lesson = LESSONS[name]
    said = re.sub(r"the one\b", "", f"{lesson.title}. {lesson.sentence}")
    assert bool(NUMBER.search(said)) == ("title" in lesson.claims)


# -- filling -------------------------------------------------------------------------


def test_facts_are_quoted_in_digits_or_in_words():
    facts = {"n": 1200, "l": 2, "x": 0.1234, "none": 0, "word": "left"}
    said = filled("{n} {l} {l:word} {l:Word} {x} {none:word} {word}", facts)
    assert said == "1,200 2 two Two 0.123 no left"


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"right": True, "n": 3}, "A. All 3 are right. B."),
        ({"right": False, "n": 3}, "A. Some are wrong. B."),
        ({}, "A.  B."),  # nothing is known
    ],
)
def test_the_words_of_a_claim_are_there_where_it_holds(facts, said):
    text = "A. {right? All {n} are right. | Some are wrong.} B."
    assert filled(text, facts) == said
    assert (claims_in(text), facts_in(text)) == ({"right"}, {"n"})


def test_a_claim_without_other_words_leaves_none():
    assert filled("None left{yes? , at once}.", {"yes": False}) == "None left."


def test_only_what_a_text_names_is_computed_and_only_once():
    asked = []

    def fact(about):
        asked.append(about)
        return len(asked)

    facts = Computed({"n": fact, "broken": None}, "run")
    assert filled("{n} {n} {unknown? never}", facts) == "1 1 "
    assert asked == ["run"]
