"""Where a student is: which lesson, which step, what was answered; kept in the link."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from halfmoon.pages._parts.lessons.lesson import Lesson, Step
from halfmoon.pages._parts.lessons.plans import LESSONS
from halfmoon.pages._parts.screen.link_words import LinkWord
from halfmoon.scenario import Labels, Scenario

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
    last : tuple of (row, class)
        Labels before the student's last change in this step; not part of the link.
    done : tuple of str
        Lessons whose last step was reached, in order.
    """

    lesson: str = ""
    step: str = ""
    answers: tuple[tuple[str, str], ...] = ()
    scene: str = ""
    hand: tuple[tuple[int, int], ...] = ()
    done: tuple[str, ...] = ()
    last: tuple[tuple[int, int], ...] = ()

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
        return self._labelled(self.hand)

    @property
    def scenario_before(self) -> Scenario:
        """What was solved for the stage before the student's last change."""
        return self._labelled(self.last)

    def _labelled(self, hand: tuple[tuple[int, int], ...]) -> Scenario:
        scenario = self.plan.scenes[self.shown].scenario
        if hand and self.here.invites and not self.asking:
            return scenario.with_labels(Labels("hand", hand=hand))
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
        return replace(self, step=step, scene="", hand=(), last=(), done=done)

    def answered(self, option: str) -> Place:
        answers = {**dict(self.answers), self.step: option}
        return replace(self, answers=tuple(answers.items()))

    def look_at(self, scene: str) -> Place:
        return replace(self, scene=scene, hand=(), last=())

    def labelled(self, hand: tuple[tuple[int, int], ...]) -> Place:
        """With other labels by hand; the present ones are remembered."""
        return self if hand == self.hand else replace(self, hand=hand, last=self.hand)

    def unlabelled(self) -> Place:
        """With the scene's own labels again."""
        return replace(self, hand=(), last=())


def _done(place: Place, text: str) -> Place:
    done = tuple(n for n in dict.fromkeys(_listed(text)) if n in LESSONS)
    return replace(place, done=done)


def _lesson(place: Place, name: str) -> Place:
    if not name:
        return place
    if name not in LESSONS:
        raise ValueError("There is no lesson of that name; choose one of these.")
    return place.begin(name)


def _answers(place: Place, text: str) -> Place:
    if not place.lesson:
        return place
    steps, answers = {step.name for step in place.plan.steps}, {}
    for step, _, option in (each.partition(".") for each in _listed(text)):
        if step in steps and option in place.plan.section(step).options:
            answers[step] = option
    return replace(place, answers=tuple(answers.items()))


def _step(place: Place, name: str) -> Place:
    if not place.lesson:
        return place
    if name not in {step.name for step in place.plan.steps}:
        raise ValueError("This lesson has no such step; it starts at the first one.")
    return place.go(name)


def _scene(place: Place, name: str) -> Place:
    known = place.lesson and name in place.plan.scenes
    return place.look_at(name) if known else place


def _hand(place: Place, text: str) -> Place:
    """Labels by hand, those that are numbers in their bounds."""
    if not place.lesson or not place.here.invites:
        return place
    found = {}
    for each in _listed(text)[:MOST]:
        if label := LABEL.fullmatch(each):
            found[int(label[1])] = int(label[2])
    return replace(place, hand=tuple(sorted(found.items())))


def _listed(text: str) -> list[str]:
    return [each for each in text[:8000].split(",") if each]


def _joined(pairs) -> str:
    return ",".join(f"{first}.{second}" for first, second in pairs)


# The link: one that names a lesson opens it, with what was done there.
WORDS = (
    LinkWord(("done",), lambda place: (",".join(place.done),), _done),
    LinkWord(("lesson",), lambda place: (place.lesson,), _lesson),
    LinkWord(("a",), lambda place: (_joined(place.answers),), _answers),
    LinkWord(("step",), lambda place: (place.step,), _step),
    LinkWord(("set",), lambda place: (place.scene,), _scene),
    LinkWord(("hand",), lambda place: (_joined(place.hand),), _hand),
)
