"""Phrases that figures and pages share: a count with its noun, a time to wait.

Numbers by themselves come from `ssl_core.numerals`, which the core writes with as well.
"""

from ssl_core.numerals import duration, number, percent, power, rate, signed

__all__ = [
    "count",
    "duration",
    "number",
    "percent",
    "plural",
    "power",
    "rate",
    "signed",
    "spelled",
    "waiting_time",
]
SPELLED = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def spelled(n: int) -> str:
    """A small number as a word, "no" for none; from 13 on in digits."""
    return SPELLED[n] if 0 <= n < len(SPELLED) else f"{n:,}"


def count(n: int, noun: str) -> str:
    """ "1 point", "1,777 points", "no points"."""
    return f"{f'{n:,}' if n else 'no'} {plural(n, noun)}"


def plural(n: int, noun: str) -> str:
    """The noun as it stands behind a number: "label", "labels", "guesses"."""
    if n == 1:
        return noun
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def waiting_time(seconds: float) -> str:
    """A time that somebody waits, as roughly as it is known: 1 s, 40 s, 3 min."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"
