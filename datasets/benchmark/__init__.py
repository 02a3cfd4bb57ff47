"""Benchmarks of the papers: read from a local folder, or fetched.

The project ships none of these files. Labels become class indices in the order of the
file's own labels, so that -1 and +1 become 0 and 1. The licence wording is what is
generally known of each collection; check it before passing data on.
"""

from halfmoon.datasets.benchmark import (  # isort: skip - the order here is the order in menus
    chapelle_zien,
    coil,
    images,
    path_paper,
    ssl_book,
    large,
)

__all__ = ["chapelle_zien", "coil", "images", "large", "path_paper", "ssl_book"]
