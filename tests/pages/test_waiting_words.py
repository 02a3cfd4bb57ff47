"""What a visitor reads while a run waits, prepares and takes turns."""

import time

import pytest

from halfmoon.pages._parts.running.job import Job
from halfmoon.pages._parts.running.queue import Standing
from halfmoon.pages._parts.running.runs import ordinal, progress_text
from halfmoon.scenario import default


def job_in(phase, standing=None, t=0):
    job = Job(default())
    job.phase, job.t, job._standing = phase, t, lambda: standing
    return job


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (job_in("starting"), "Getting ready …"),
        (job_in("waiting", Standing(3, 4.2, 0)), "3rd in line, about 4 s to go …"),
        (job_in("waiting", Standing(1, 0.1, 0)), "1st in line, about 1 s to go …"),
        (
            job_in("waiting", Standing(2, None, 0)),
            "2nd in line: it begins when there is memory for it …",
        ),
        (job_in("waiting", Standing(0, 0.0, 0)), "Preparing: kernel and graph …"),
        (job_in("preparing", Standing(0, 0.0, 0)), "Preparing: kernel and graph …"),
        (job_in("running", Standing(0, 0.0, 0), t=7), "Iteration 7, 1 s so far"),
        (
            job_in("running", Standing(4, 1.0, 5), t=7),
            "Iteration 7, 1 s so far, taking turns with 5 other runs",
        ),
        (
            job_in("running", Standing(0, 0.0, 1), t=7),
            "Iteration 7, 1 s so far, taking turns with 1 other run",
        ),
    ],
)
def test_what_is_said(job, words):
    job.began = time.monotonic()
    assert progress_text(job) == words


def test_a_stopped_run_says_so_wherever_it_is():
    job = job_in("waiting", Standing(3, 4.2, 0))
    job.stop()
    assert progress_text(job) == "Stopping after this iteration …"


def test_places_are_numbered_as_people_do():
    numbers = (1, 2, 3, 4, 10, 11, 12, 13, 20, 21, 22, 23, 101, 111, 112)
    words = "1st 2nd 3rd 4th 10th 11th 12th 13th 20th 21st 22nd 23rd 101st 111th 112th"
    assert [ordinal(n) for n in numbers] == words.split()
