"""Turns between visitors: who goes next, who is told what, and what a place holds."""

import threading
import time

import pytest

from halfmoon.pages._parts.running import queue as queue_module
from halfmoon.pages._parts.running.queue import STOPPED_EARLY, Queue


class Clock:
    """A time that stands still until it is moved."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(queue_module, "time", clock)
    return clock


def never():
    return False


class Simulation:
    """Runs of given lengths, moved on by hand: no thread, no real time.

    Every run has states a tenth of a turn apart, unless it has one long step.
    """

    def __init__(self, clock, places=1, memory=float("inf")):
        self.clock, self.queue = clock, Queue(places, memory)
        self.left = {}  # ticket: seconds of work
        self.step = {}
        self.ended = {}

    def ask(self, visitor, seconds, need=0.0, step=queue_module.SLICE / 10):
        ticket = self.queue.line_up(visitor, need, never)
        self.left[ticket], self.step[ticket] = seconds, step
        return ticket

    def run(self, seconds=float("inf")):
        """Until all is done, or so many seconds have passed."""
        end = self.clock.now + seconds
        queue, next_state = self.queue, {}
        while self.left and self.clock.now < end:
            running = [t for t in queue._running if t in self.left]
            for ticket in running:
                next_state.setdefault(ticket, self.clock.now + self.step[ticket])
            assert running, "someone waits although a place is free"
            moment = min(next_state[t] for t in running)
            self.clock.now = max(self.clock.now, moment)
            for ticket in running:
                if next_state[ticket] <= self.clock.now + 1e-12:
                    self._state(ticket)
                    del next_state[ticket]
            with queue._lock:
                queue._deal()

    def _state(self, ticket):
        self.left[ticket] -= self.step[ticket]
        if self.left[ticket] <= 1e-9:
            del self.left[ticket]
            self.ended[ticket] = self.clock.now
            self.queue._leave(ticket)
            return
        wait, self.queue._turn_comes = self.queue._turn_comes, lambda _: True
        try:
            self.queue.between_states(ticket)
        finally:
            self.queue._turn_comes = wait


def test_the_first_comes_first_and_the_others_know_their_place(clock):
    queue = Queue(1)
    tickets = [queue.line_up(name, 0.0, never) for name in "abcd"]
    assert queue.standing(tickets[0]).place == 0
    assert [queue.standing(t).place for t in tickets[1:]] == [1, 2, 3]
    waits = [queue.standing(t).seconds for t in tickets[1:]]
    assert waits == sorted(waits)
    assert waits[0] > 0
    queue._leave(tickets[0])
    assert queue.standing(tickets[0]) is None


def test_who_waits_for_memory_is_told_so_and_has_a_line_of_its_own(clock):
    queue = Queue(2, memory=100)
    holders = [queue.line_up(name, 45, never) for name in "ab"]
    stuck = [queue.line_up(name, 30, never) for name in "cd"]
    assert [queue.standing(t)[:2] for t in stuck] == [(1, None), (2, None)]
    assert queue.standing(holders[0]) == (0, 0.0, 0)  # there is a place for each
    queue.memory = 200
    assert [queue.standing(t).place for t in stuck] == [1, 2]
    assert all(queue.standing(t).seconds > 0 for t in stuck)


def test_runs_that_take_turns_are_told_with_how_many(clock):
    queue = Queue(1)
    queue._turn_comes = lambda _: True
    tickets = [queue.line_up(name, 0.0, never) for name in "abc"]
    for ticket in (*tickets, *tickets):
        clock.now += 1
        queue.between_states(ticket)
    assert {queue.standing(t).others for t in tickets} == {2}


def test_one_run_of_another_goes_between_eight_of_one(clock):
    queue = Queue(1)
    greedy = [queue.line_up("greedy", 0.0, never) for _ in range(8)]
    single = queue.line_up("single", 0.0, never)
    assert queue.standing(single).place == 1
    assert [queue.standing(t).place for t in greedy[1:]] == list(range(2, 9))


def test_visitors_get_the_same_however_many_runs_they_ask_for(clock):
    simulation = Simulation(clock, places=2)
    asked = {"one": 1, "two": 2, "eight": 8, "another": 1}
    for visitor, count in asked.items():
        for _ in range(count):
            simulation.ask(visitor, seconds=1000.0)
    simulation.run(seconds=60.0)
    done = dict.fromkeys(asked, 0.0)
    for ticket, left in simulation.left.items():
        done[ticket.visitor] += 1000.0 - left
    # 120 seconds of two places; each gets a fourth, but for a few turns.
    assert min(done.values()) > 30 - 4 * queue_module.SLICE
    assert max(done.values()) < 30 + 4 * queue_module.SLICE


def test_a_quick_run_is_next_while_long_ones_take_turns(clock):
    simulation = Simulation(clock, places=2)
    for number in range(20):
        simulation.ask(f"long {number}", seconds=1000.0)
    simulation.run(seconds=50.0)
    begun = clock.now
    quick = simulation.ask("quick", seconds=0.1)
    simulation.run(seconds=20.0)
    assert simulation.ended[quick] - begun < 5 * queue_module.SLICE


def test_who_comes_late_has_saved_up_no_turns(clock):
    simulation = Simulation(clock, places=1)
    for name in "ab":
        simulation.ask(name, seconds=1000.0)
    simulation.run(seconds=50.0)
    late = simulation.ask("late", seconds=1000.0)
    simulation.run(seconds=9.0)
    assert 1000.0 - simulation.left[late] < 3.0 + 2 * queue_module.SLICE


def test_nobody_who_clicks_all_the_time_holds_up_the_long_runs(clock):
    """Each click is quick, and there is always another: their visitors still share."""
    simulation = Simulation(clock, places=1)
    slow = simulation.ask("slow", seconds=10.0)
    clicks = 0
    while slow in simulation.left and clock.now < 1100:
        tickets = [simulation.ask(f"quick {i}", seconds=0.2) for i in range(3)]
        while any(t in simulation.left for t in tickets) and slow in simulation.left:
            simulation.run(seconds=0.05)
        clicks += 1
    # A fourth of one place, or more where the others pause.
    assert clock.now - 1000 < 4 * 10.0 + 5


def test_a_stream_of_new_visitors_holds_up_nobody_for_ever(clock):
    simulation = Simulation(clock, places=1)
    slow = simulation.ask("slow", seconds=2.0)
    longest, count = 0.0, 0
    while slow in simulation.left and clock.now < 1200:
        count += 1
        for i in range(2):  # twice what one place can do
            simulation.ask(f"new {count} {i}", seconds=queue_module.SLICE)
        simulation.run(seconds=queue_module.SLICE)
        if slow in simulation.left and not slow.go.is_set():
            longest = max(longest, clock.now - slow.since)
    assert slow not in simulation.left
    assert longest < 200  # FIFO among those who have waited: it has its turns


def test_thirty_in_line_are_all_served_about_alike(clock):
    simulation = Simulation(clock, places=2)
    tickets = [simulation.ask(f"v{i}", seconds=3.0) for i in range(30)]
    simulation.run()
    waits = [ticket.waited for ticket in tickets]
    assert max(waits) <= 1.3 * sum(waits) / 30
    assert clock.now - 1000 == pytest.approx(45, abs=1)  # 90 s of work, two places
    assert max(t.first_wait for t in tickets) < 30 * queue_module.SLICE


def test_a_long_step_lends_its_place_once(clock):
    queue = Queue(1)
    long = queue.line_up("long", 0.0, never)
    others = [queue.line_up(name, 0.0, never) for name in "abc"]
    assert not others[0].go.is_set()
    clock.now += queue_module.LATE + 0.1
    with queue._lock:
        queue._deal()
    assert [t.go.is_set() for t in others] == [True, False, False]
    clock.now += queue_module.LATE + 0.1  # the borrower is late as well
    with queue._lock:
        queue._deal()
    assert [t.go.is_set() for t in others] == [True, False, False]
    queue._leave(long)
    assert [t.go.is_set() for t in others] == [True, True, False]


def test_a_run_nobody_waited_for_is_not_late_at_once(clock):
    queue = Queue(1)
    queue.line_up("long", 0.0, never)
    clock.now += 100
    other = queue.line_up("other", 0.0, never)
    assert not other.go.is_set()


def test_memory_is_held_until_the_end_and_never_given_twice(clock):
    queue = Queue(4, memory=100)
    first, second, third = (queue.line_up(name, 40, never) for name in "abc")
    assert [t.go.is_set() for t in (first, second, third)] == [True, True, False]
    assert queue.figures().held == 80
    clock.now += 1
    queue._turn_comes = lambda _: True
    queue.between_states(first)  # a pause keeps what it holds
    assert queue.figures().held == 80
    assert not third.go.is_set()
    queue._leave(second)
    assert third.go.is_set()
    assert queue.figures().held == 80


def test_small_runs_pass_a_large_one_that_waits_only_if_it_fits_beside_them(clock):
    queue = Queue(10, memory=100)
    running = queue.line_up("a", 50, never)
    large = queue.line_up("large", 70, never)
    small = [queue.line_up(f"small {i}", 10, never) for i in range(5)]
    # Three of them and the large one make 100; a fourth would keep it out.
    assert [t.go.is_set() for t in small] == [True, True, True, False, False]
    assert not large.go.is_set()
    queue._leave(running)
    assert large.go.is_set()
    assert queue.figures().held == 100


def test_visitors_who_left_are_forgotten(clock):
    queue = Queue(1)
    for number in range(500):
        ticket = queue.line_up(f"visitor {number}", 0.0, never)
        clock.now += 0.5
        queue._leave(ticket)
    assert len(queue._had) < 2 * queue_module.MEMORY / 0.5
    assert queue._seen.keys() >= queue._had.keys()


# -- with threads ----------------------------------------------------------------------


def test_a_run_that_is_given_up_in_line_says_so_and_leaves_no_trace():
    queue, stop = Queue(1), threading.Event()
    first = queue.line_up("a", 1.0, never)
    second = queue.line_up("b", 1.0, stop.is_set)
    told = []

    def wait():
        try:
            with queue.turns(second):
                told.append("began")
        except ValueError as error:
            told.append(str(error))

    thread = threading.Thread(target=wait)
    thread.start()
    stop.set()
    thread.join(5)
    assert told == [STOPPED_EARLY]
    queue._leave(first)
    figures = queue.figures()
    assert (figures.running, figures.paused, figures.waiting) == (0, 0, 0)
    assert figures.held == 0


def test_a_run_given_up_before_a_free_place_is_not_begun():
    queue = Queue(1)
    ticket = queue.line_up("a", 1.0, lambda: True)
    assert ticket.go.is_set()
    with pytest.raises(ValueError, match="before its turn"), queue.turns(ticket):
        raise AssertionError("it ran")
    assert queue.figures().held == 0


def test_a_run_that_raises_gives_its_place_to_the_next():
    queue = Queue(1)
    with pytest.raises(ZeroDivisionError), queue.turns(queue.line_up("a", 1.0, never)):
        1 / 0  # noqa: B018
    assert queue.line_up("b", 1.0, never).go.is_set()


def test_many_threads_never_hold_more_places_than_there_are(monkeypatch):
    monkeypatch.setattr(queue_module, "SLICE", 0.002)
    monkeypatch.setattr(queue_module, "LATE", 60.0)  # whatever else the machine does
    queue = Queue(2, memory=50)
    inside, most, done, lock = set(), [0], [], threading.Lock()
    gate = threading.Barrier(30)

    def run(number):
        gate.wait()  # all click at once
        ticket = queue.line_up(f"v{number % 6}", 10 + number % 7, never)
        with queue.turns(ticket):
            for _ in range(10):
                with lock:
                    inside.add(number)
                    most[0] = max(most[0], len(inside))
                time.sleep(0.001)
                with lock:
                    inside.discard(number)
                queue.between_states(ticket)
        done.append(number)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(done) == list(range(30))
    assert most[0] == 2
    figures = queue.figures()
    assert (figures.running, figures.waiting, figures.held) == (0, 0, 0)
    assert figures.handed_over > 10
