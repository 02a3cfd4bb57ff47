"""The lessons, in the order in which they are best taken."""

from pages._parts.guided.lesson import Lesson
from pages._parts.guided.lessons import (
    clock,
    gradient_norm,
    hurt,
    jump,
    local_minimum,
    lower_objective,
    neighbours,
    one_more_label,
    pairs,
    temperature,
    two_labels,
)

ORDER = (
    *(two_labels, neighbours, one_more_label, clock, gradient_norm),  # a graph
    *(temperature, pairs, local_minimum, jump, lower_objective),  # a gap
    hurt,
)
LESSONS: dict[str, Lesson] = {module.LESSON.name: module.LESSON for module in ORDER}
