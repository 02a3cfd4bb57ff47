"""Compiled code before the first visitor needs it."""

import gc

from halfmoon.common import plugins
from halfmoon.datasets import hide_labels, load
from halfmoon.pages._parts.running.run_server import RunServer
from ssl_core import ALGORITHMS, make


def warm(server: RunServer) -> None:
    """Compile and touch what the first visitor would otherwise wait for.

    Runs of a server whose ``warm`` was cleared wait until this has ended.
    """
    try:
        for data in (load("two_moons", n=24), load("blobs", n=24)):
            y = hide_labels(data, per_class=2)
            for name, entry in ALGORITHMS.items():
                few = {"max_iter": 2} if "max_iter" in entry.defaults else {}
                with plugins.excused(ALGORITHMS.brought.get(name)):
                    make(name, **few).trace(data.X, y)
    finally:
        server.warm.set()
        # What is here by now stays for good; the collector need not look at it again.
        gc.collect()
        gc.freeze()


if __name__ == "__main__":  # when an image is made: compiled code is kept
    warm(RunServer())
