"""Speed before and after, measured in turns, on request.

    python -m tests.benchmarks.before_after BASE [--part 1/16] [--rounds 7]

BASE is a folder with another commit of the project. Writes
docs/tables/speed_before_after.md.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from ssl_core import ALGORITHMS

NOTE = """\
Two commits of the project, each in a process of its own, take turns, so that what else
the machine does hits both. Medians of wall seconds and of the CPU seconds of all
threads; F is the objective reached. Made by `python -m tests.benchmarks.before_after`.
"""
HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
MEDIUM = (20_000, 20_000, 57, 50)
METHODS = ("l2svm_mfn", "tsvm", "da")
KINDS = (*METHODS, "pcg", "small", "traced")
SIZES = (2000, 4000)
EXHAUSTIVE = ("branch_and_bound", "convex_relaxation")
FEW, MANY = 24, 400  # points of two moons
BLOCK = 0.25  # seconds: shorter fits are repeated


def work():
    """Answer tasks from standard input, one line each, until it ends."""
    from tests.benchmarks import bench_sparse, test_lapsvm_speed

    data, problems = {}, {}

    def sparse(method, shape):
        if shape not in data:
            data.clear()
            data[shape] = bench_sparse.documents(*shape)
        X, y, truth = data[shape]
        seconds, cpu, machine = bench_sparse.fit(method, "fast", X, y)
        return {
            "seconds": seconds,
            "cpu": cpu,
            "objective": bench_sparse.objective(machine),
            "error": 100 * float(np.mean(machine.predict(X) != truth)),
        }

    def pcg(n):
        problem = problems.setdefault(n, test_lapsvm_speed.problem_of(n))
        iteration, product = test_lapsvm_speed.iteration_against_product(
            problem, problem.K
        )
        return {"seconds": iteration, "product": product}

    def small(name, way="fit"):
        """Whole fits or traces on two moons, the door included; their mean."""
        from halfmoon.datasets import hide_labels, load
        from ssl_core import make

        n = FEW if name in EXHAUSTIVE else MANY
        moons = load("two_moons", n=n, random_state=0)
        y = hide_labels(moons, n_labeled=4)
        est, times = make(name), 0
        start, cpu = time.perf_counter(), time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            while time.perf_counter() < start + BLOCK:
                getattr(est, way)(moons.X, y)
                times += 1
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        return {
            "seconds": seconds / times,
            "cpu": cpu / times,
            "objective": est.state_.objective,
            "error": 100 * float(np.mean(est.predict(moons.X) != moons.y)),
        }

    runs = {"pcg": pcg, "small": small, "traced": partial(small, way="trace")}
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        run = runs.get(name) or partial(sparse, name)
        answer = run(*(tuple(a) if isinstance(a, list) else a for a in arguments))
        print(json.dumps(answer), flush=True)


class Worker:
    """A process of one commit."""

    def __init__(self, root: Path):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE), "--work"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=root,
            env=os.environ | {"PYTHONPATH": str(root)},
        )

    def __call__(self, *task) -> dict:
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def in_turns(workers, task, rounds):
    """Medians of every figure, for each worker; the first round warms up."""
    answers = [[] for _ in workers]
    for turn in range(rounds + 1):
        for worker, got in zip(workers, answers, strict=True):
            answer = worker(*task)
            if turn or rounds == 0:
                got.append(answer)
            time.sleep(0.2)
    return [
        {name: float(np.median([a[name] for a in got])) for name in got[0]}
        for got in answers
    ]


def row(title, before, after):
    if "product" in before:
        cells = [
            f"{1e3 * s['seconds']:.2f} ms, {s['seconds'] / s['product']:.2f} x K @ v"
            for s in (before, after)
        ]
    else:
        cells = [
            f"{s['seconds']:.3g} s, {s['cpu']:.3g} CPU s, F = {s['objective']:.8f}, "
            f"error {s['error']:.2f} %"
            for s in (before, after)
        ]
    gain = before["seconds"] / after["seconds"]
    return f"| {title} | {cells[0]} | {cells[1]} | {gain:.2f} x |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", type=Path, nargs="?")
    parser.add_argument("--part", type=Fraction, action="append", default=[])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--part-rounds", type=int, default=1)
    parser.add_argument("--only", choices=KINDS, action="append")
    parser.add_argument("--keep", action="store_true", help="write no table")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work()
        return
    wanted = arguments.only or KINDS
    workers = [Worker(arguments.base.resolve()), Worker(ROOT)]
    tasks = []
    for method in METHODS:
        title = f"`{method}`, 20,000 documents"
        tasks.append((title, (method, MEDIUM), arguments.rounds))
    for part in arguments.part:
        n = int(800_000 * part)
        for method in METHODS:
            shape = (n, 47_000, 75, 1000)
            tasks.append(
                (f"`{method}`, {n:,} documents", (method, shape), arguments.part_rounds)
            )
    tasks += [(f"PCG iteration, n = {n}", ("pcg", n), arguments.rounds) for n in SIZES]
    for name in ALGORITHMS:
        n = FEW if name in EXHAUSTIVE else MANY
        for kind, way in (("small", "fit"), ("traced", "trace")):
            title = f"`{name}`, two moons, n = {n}, {way}"
            tasks.append((title, (kind, name), arguments.rounds))
    lines = ["| what | before | after | gain |", "|---|---|---|---|"]
    for title, task, rounds in tasks:
        if task[0] in wanted:
            lines.append(row(title, *in_turns(workers, task, rounds)))
            print(lines[-1], flush=True)
    for worker in workers:
        worker.end()
    if not arguments.keep:
        text = f"# Speed before and after, in turns\n\n{NOTE}\n"
        path = ROOT / "docs" / "tables" / "speed_before_after.md"
        path.write_text(text + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
