"""One student: where they are, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.lessons import scenes
from halfmoon.pages._parts.lessons.place import WORDS, Place
from halfmoon.pages._parts.lessons.plans import LESSONS
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.stage_edits import edit
from halfmoon.pages._parts.screen.choice_page import Chosen, choice_page
from halfmoon.pages._parts.shell import address, errors

STAGE, SECOND = "lesson_stage", "lesson_stage_2"
Student = Chosen[Place]


def _still_done(before: Place, place: Place) -> Place:
    """What was done in this session stays done when a link is opened."""
    return replace(place, done=tuple(dict.fromkeys((*before.done, *place.done))))


# -- what a student does; each names the place it is about, as it may come late ------


def begin(student: Student, lesson: str) -> Student:
    """Open a lesson at its first step, or where it was left."""
    if lesson not in LESSONS or student.value.lesson == lesson:
        return student
    return student.to(student.value.begin(lesson))


def leave(student: Student) -> Student:
    """To the cards of all lessons."""
    return student.to(student.value.leave())


def answer(student: Student, lesson: str, step: str, option: str) -> Student:
    place = student.value
    if (place.lesson, place.step) != (lesson, step) or not place.asking:
        return student
    return student.to(place.answered(option))


def go(student: Student, lesson: str, step: str) -> Student:
    place = student.value
    return student.to(place.go(step)) if place.lesson == lesson else student


def look_at(student: Student, about: str, scene: str) -> Student:
    """Another setting that a phrase asked for."""
    place = student.value
    known = place.lesson and scene in place.plan.scenes
    if not known or about != f"{place.lesson}/{place.step}" or place.asking:
        return student
    return student.to(place.look_at(scene))


def forget_labels(student: Student, lesson: str, step: str) -> Student:
    place = student.value
    if (place.lesson, place.step) != (lesson, step):
        return student
    return student.to(place.unlabelled())


def without_question(student: Student) -> Student:
    """In a frame the stage stands alone, so a step shows there what it tells."""
    place = student.value
    if not (place.lesson and place.asking and address.embedding()):
        return student
    return replace(student, value=place.answered(place.here.right))


def take_labels(student: Student, put: Callable[[Student], None]) -> None:
    """Apply labels that were clicked on the stage and are not yet applied."""
    place = student.value
    if not place.lesson or not scenes.tools_at(place):
        return

    def apply(edits):
        refused: list[str] = []
        labels = [e for e in edits if e.get("op") in ("label", "erase")]
        problem = runs.server().pose(place.scenario)
        labelled = edit(place.scenario, problem, labels, refused)
        hand = tuple((r, c) for r, c in labelled.labels.hand if c >= 0)
        put(student.to(place.labelled(hand)))
        for sentence in dict.fromkeys(refused):
            errors.later(sentence)

    try:
        stage_component.receive(STAGE, apply, data_id=scenes.step_id(place))
    except ValueError as error:
        errors.later(str(error))


STUDENT = choice_page(
    "lessons",
    WORDS,
    Place(),
    keep=_still_done,
    edits=take_labels,
    fit=without_question,
)
