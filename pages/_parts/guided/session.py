"""One student's session: where they are, kept in the session and in the link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages._parts import stage
from pages._parts.guided import scenes
from pages._parts.guided.lessons import LESSONS
from pages._parts.guided.place import Place
from pages._parts.running import runs
from pages._parts.running.stage_edits import edit
from pages._parts.shell import address
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import unbroken

PAGE = "lessons"
STUDENT = "_student"
STAGE, SECOND = "lesson_stage", "lesson_stage_2"


@dataclass
class Student:
    """What is kept for one student; changed in place, as `playground.Visitor` is."""

    place: Place | None = None
    remarks: Sequence[str] = ()


def student() -> Student:
    if STUDENT not in st.session_state:
        st.session_state[STUDENT] = Student()
    return st.session_state[STUDENT]


def current() -> Place:
    """Where the student is, with the labels that are here."""
    with unbroken():
        take_edits()
        return student().place


def change(place: Place) -> None:
    student().place = place
    student().remarks = ()


def done() -> tuple[str, ...]:
    """Lessons that were done in this session."""
    place = student().place
    return () if place is None else place.done


def open_link() -> None:
    """Begin where the link says, or go on where the student was."""
    with unbroken():
        me = student()
        url = address.brought(PAGE, first=me.place is None)
        if url is None:
            return
        before = done()
        place, me.remarks = Place.from_url(url)
        both = tuple(dict.fromkeys((*before, *place.done)))
        me.place = replace(place, done=both)


def write_link(place: Place) -> None:
    address.write(PAGE, place.to_url())


def show_remarks() -> None:
    for remark in student().remarks:
        st.info(errors.plain(remark), icon=":material/info:")


# -- what a student does; each names the place it is about, as it may come late ------


def begin(lesson: str) -> None:
    """Open a lesson at its first step, or where it was left."""
    place = student().place or Place()
    if lesson in LESSONS and place.lesson != lesson:
        change(place.begin(lesson))


def leave() -> None:
    """To the cards of all lessons."""
    change((student().place or Place()).leave())


def answer(lesson: str, step: str, option: str) -> None:
    place = current()
    if (place.lesson, place.step) == (lesson, step) and place.asking:
        change(place.answered(option))


def go(lesson: str, step: str) -> None:
    place = current()
    if place.lesson == lesson:
        change(place.go(step))


def look_at(about: str, scene: str) -> None:
    """Another setting that a phrase asked for."""
    place = current()
    known = place.lesson and scene in place.plan.scenes
    if known and about == f"{place.lesson}/{place.step}" and not place.asking:
        change(place.look_at(scene))


def forget_labels(lesson: str, step: str) -> None:
    place = current()
    if (place.lesson, place.step) == (lesson, step):
        change(replace(place, hand=()))


def take_edits() -> None:
    """Apply labels that were clicked on the stage and are not yet applied."""
    with unbroken():
        place = student().place
        if place is None or not place.lesson or not scenes.tools_at(place):
            return

        def apply(edits):
            refused: list[str] = []
            labels = [e for e in edits if e.get("op") in ("label", "erase")]
            problem = runs.server().pose(place.scenario)
            labelled = edit(place.scenario, problem, labels, refused)
            hand = tuple((r, c) for r, c in labelled.labels.hand if c >= 0)
            change(replace(place, hand=hand))
            for sentence in dict.fromkeys(refused):
                errors.later(sentence)

        try:
            stage.receive(STAGE, apply, data_id=scenes.data_id(place))
        except ValueError as error:
            errors.later(str(error))
