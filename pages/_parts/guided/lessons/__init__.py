"""The lessons, in the order in which they are best taken."""

from pages._parts.guided.lesson import Lesson
from pages._parts.guided.lessons import neighbours, one_more_label, two_labels

LESSONS: dict[str, Lesson] = {
    module.LESSON.name: module.LESSON
    for module in (two_labels, neighbours, one_more_label)
}
