"""The module `halfmoon.common.plugins`, for ``from halfmoon.plugins import ...``."""

import sys

from halfmoon.common import plugins
from halfmoon.common.plugins import *  # noqa: F403  (type checkers read the names)

sys.modules[__name__] = plugins
