"""Where a student is: which lesson, which step, what was answered; kept in the link."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pages._parts.guided.lesson import Lesson, Step
from pages._parts.guided.lessons import LESSONS
from pages._parts.scenario import Labels, Scenario

MOST = 400  # labels by hand in a link; more than a student gives
LABEL = re.compile(r"(\d{1,7})\.(\d{1,2})", re.ASCII)  # row and class


@dataclass(frozen=True, slots=True)
class Place:
    """All that a student has done.

    Parameters
    ----------
    lesson : str
        Name of the lesson that is open; "" for the cards.
    step : str
    answers : tuple of (step, option)
        Of this lesson.
    scene : str
        Scene that a phrase has put on the stage; "" for the step's own.
    hand : tuple of (row, class)
        Labels as the student left them in this step; empty for the scene's own.
    done : tuple of str
        Lessons whose last step was reached, in order.
    """

    lesson: str = ""
    step: str = ""
    answers: tuple[tuple[str, str], ...] = ()
    scene: str = ""
    hand: tuple[tuple[int, int], ...] = ()
    done: tuple[str, ...] = ()

    # What the student sees.

    @property
    def plan(self) -> Lesson:
        return LESSONS[self.lesson]

    @property
    def here(self) -> Step:
        return self.plan.step(self.step)

    @property
    def answer(self) -> str:
        """The answer given at this step, or ""."""
        return dict(self.answers).get(self.step, "")

    @property
    def asking(self) -> bool:
        """Whether a question is open, so that its answer stays hidden."""
        return bool(self.here.right) and not self.answer

    @property
    def shown(self) -> str:
        """The scene on the stage; while a question is open perhaps another one."""
        if self.asking:
            return self.here.before or self.here.shows
        return self.scene or self.here.shows

    @property
    def hides_run(self) -> bool:
        return self.asking and not self.here.before

    @property
    def scenario(self) -> Scenario:
        """What is solved for the stage, with the student's own labels."""
        scenario = self.plan.scenes[self.shown].scenario
        if self.hand and self.here.invites and not self.asking:
            return scenario.with_labels(Labels("hand", hand=self.hand))
        return scenario

    @property
    def following(self) -> str:
        """The next lesson that is not done, from here around; "" when all are."""
        names = list(LESSONS)
        at = names.index(self.lesson) + 1
        left = (n for n in (*names[at:], *names[:at]) if n not in self.done)
        return next(left, "")

    # What the student does.

    def begin(self, lesson: str) -> Place:
        first = LESSONS[lesson].steps[0].name
        return Place(lesson, first, done=self.done)

    def leave(self) -> Place:
        """Back to the cards."""
        return Place(done=self.done)

    def go(self, step: str) -> Place:
        """To another step; to reach the last one is to have done the lesson."""
        done = self.done
        if step == self.plan.steps[-1].name and self.lesson not in done:
            done = (*done, self.lesson)
        return replace(self, step=step, scene="", hand=(), done=done)

    def answered(self, option: str) -> Place:
        answers = {**dict(self.answers), self.step: option}
        return replace(self, answers=tuple(answers.items()))

    def look_at(self, scene: str) -> Place:
        return replace(self, scene=scene, hand=())

    # Links.

    def to_url(self) -> dict[str, str]:
        url = {
            "lesson": self.lesson,
            "step": self.step,
            "a": ",".join(f"{step}.{option}" for step, option in self.answers),
            "set": self.scene,
            "hand": ",".join(f"{row}.{c}" for row, c in self.hand),
            "done": ",".join(self.done),
        }
        return {name: text for name, text in url.items() if text}

    @staticmethod
    def from_url(url: Mapping[str, str]) -> tuple[Place, list[str]]:
        """Read a link; what does not fit is left out and told."""
        remarks = []
        done = tuple(n for n in dict.fromkeys(_split(url, "done")) if n in LESSONS)
        name = url.get("lesson", "")
        if not name:
            return Place(done=done), remarks
        if name not in LESSONS:
            remarks.append("There is no lesson of that name; choose one of these.")
            return Place(done=done), remarks
        place = Place(done=done).begin(name)
        lesson = place.plan
        steps = [step.name for step in lesson.steps]
        answers = {}
        for step, _, option in (text.partition(".") for text in _split(url, "a")):
            if step in steps and option in lesson.section(step).options:
                answers[step] = option
        place = replace(place, answers=tuple(answers.items()))
        if url.get("step") in steps:
            place = place.go(url["step"])
        elif "step" in url:
            remarks.append("This lesson has no such step; it begins at the first.")
        if url.get("set") in lesson.scenes:
            place = place.look_at(url["set"])
        if place.here.invites:
            place = replace(place, hand=_hand(url))
        return place, remarks


def _split(url: Mapping[str, str], name: str) -> list[str]:
    return [text for text in url.get(name, "")[:8000].split(",") if text]


def _hand(url: Mapping[str, str]) -> tuple[tuple[int, int], ...]:
    """Labels by hand, those that are numbers in their bounds."""
    found = {}
    for text in _split(url, "hand")[:MOST]:
        if label := LABEL.fullmatch(text):
            found[int(label[1])] = int(label[2])
    return tuple(sorted(found.items()))
