"""Figures of annealing: temperature, entropy, beliefs and the loss that deforms."""

from ssl_core.viz.annealing.belief import (
    UNDECIDED,
    belief_scale,
    beliefs,
    effective_loss,
    kept_at,
    stages,
)
from ssl_core.viz.annealing.comparison import Outcome, comparison_figure
from ssl_core.viz.annealing.schedule import annealing_figure, switching_figure
from ssl_core.viz.annealing.states import (
    FAMILY,
    belief_histogram,
    belief_points,
    loss_figure,
    output_histogram,
)
from ssl_core.viz.annealing.text import leading_words, word_bars, word_map

__all__ = [
    "FAMILY",
    "UNDECIDED",
    "Outcome",
    "annealing_figure",
    "belief_histogram",
    "belief_points",
    "belief_scale",
    "beliefs",
    "comparison_figure",
    "effective_loss",
    "kept_at",
    "leading_words",
    "loss_figure",
    "output_histogram",
    "stages",
    "switching_figure",
    "word_bars",
    "word_map",
]
