"""A marimo notebook with a live stage and a recorded run; tests read what it writes."""

import marimo

app = marimo.App()


@app.cell
def data():
    import os
    from pathlib import Path

    import halfmoon
    from halfmoon import hide_labels, load, make

    moons = load("two_moons", n=100, noise=0.08, random_state=0)
    y = hide_labels(moons, n_labeled=2, random_state=0)
    est = make("lapsvm_pcg", sigma=0.35)
    return Path, est, halfmoon, moons, os, y


@app.cell
def live(Path, est, halfmoon, moons, os, y):
    lab = halfmoon.lab(est, moons.X, y, truth=moons.y)

    def write(change):
        Path(os.environ["HALFMOON_LABELS"]).write_text(str(change.new.tolist()))

    lab.observe(write, "y")
    lab  # noqa: B018 - marimo shows the last line
    return


@app.cell
def recorded(est, moons, y):
    est.trace(moons.X, y).show(truth=moons.y)
    return


if __name__ == "__main__":
    app.run()
