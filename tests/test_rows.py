"""The table of cases itself: every row is tried, and all that fail are named."""

import pytest

from tests.rows import each


@pytest.fixture
def limit():
    return 2


@each("number, square", [(1, 1), (2, 4)])
def test_rows_come_with_fixtures(number, square, limit):
    assert number <= limit
    assert square == number**2


def test_all_rows_that_fail_are_named_and_the_others_are_tried():
    tried = []

    @each("number", {1: "", 2: "", 3: "", 4: ""})
    def even(number):
        tried.append(number)
        if number == 3:
            pytest.fail("this way")
        assert number % 2 == 0

    with pytest.raises(BaseExceptionGroup, match="of 4 rows") as told:
        even()
    assert tried == [1, 2, 3, 4]
    assert [e.__notes__ for e in told.value.exceptions] == [["row: 1"], ["row: 3"]]


def test_a_table_without_rows_is_refused():
    with pytest.raises(AssertionError, match="without rows"):
        each("number", [])
