"""Settings for the whole suite."""

from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent
TIMED = (HERE / "browser", HERE / "load")  # with a server of their own, one at a time

# Fixed seeds: the same examples on every run, and no deadline on a busy machine.
settings.register_profile("halfmoon", derandomize=True, deadline=None, database=None)
settings.load_profile("halfmoon")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Tests that drive a server go to one worker, so that they have a core for it."""
    for item in items:
        if any(folder in item.path.parents for folder in TIMED):
            item.add_marker(pytest.mark.xdist_group("server"))
