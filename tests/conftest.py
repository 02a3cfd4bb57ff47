"""Settings for the whole suite."""

from hypothesis import settings

# Fixed seeds: the same examples on every run, and no deadline on a busy machine.
settings.register_profile("halfmoon", derandomize=True, deadline=None, database=None)
settings.load_profile("halfmoon")
