"""Any array, container and parameter is fitted to a finite model or refused."""

import pytest

from ssl_core import ALGORITHMS
from tests.fuzz.arrays import answer, case

ROUNDS = 6  # each asks every algorithm once


@pytest.mark.parametrize("first", range(ROUNDS))
def test_hostile_input_ends_in_a_model_or_a_sentence(first):
    """A TypeError for what is of a wrong type, as in scikit-learn, or a ValueError."""
    seeds = range(first * len(ALGORITHMS), (first + 1) * len(ALGORITHMS))
    for seed in seeds:
        error = answer(seed)
        if error is not None:
            said = f"seed {seed}, {case(seed)[:2]}: {error!r}"
            assert type(error) in (ValueError, TypeError), said
            assert "\n" not in str(error), said
            assert len(str(error)) > 20, said
