"""The module `ssl_core.stopping`, for ``from halfmoon.stopping import ...``."""

import sys

from ssl_core import stopping
from ssl_core.stopping import *  # noqa: F403  (type checkers read the names)

sys.modules[__name__] = stopping
