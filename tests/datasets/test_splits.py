"""Splits are disjoint, complete, seeded, and have every class where it is promised."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfmoon.datasets import (
    Dataset,
    OriginalSplits,
    Split,
    hide_labels,
    lapsvm_protocol,
    load,
    original_split,
    split,
    telling_points,
)


def parts_of(s):
    return s.labeled, s.unlabeled, s.val, s.test


def same(a, b):
    return all(
        np.array_equal(x, z) for x, z in zip(parts_of(a), parts_of(b), strict=True)
    )


@st.composite
def problems(draw):
    """Labels of 2 to 5 classes, at least 8 points each, and sizes that fit."""
    k = draw(st.integers(2, 5))
    counts = draw(st.lists(st.integers(8, 40), min_size=k, max_size=k))
    seed = draw(st.integers(0, 2**32 - 1))
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(k), counts))
    n_labeled = draw(st.integers(k, len(y) // 3))
    n_val = draw(st.sampled_from([0, k, k + 3]))
    return y, n_labeled, n_val, seed


@given(problems(), st.sampled_from([0, 0.25, 5, "fold"]))
def test_parts_are_disjoint_complete_and_hold_each_class(problem, test):
    y, n_labeled, n_val, seed = problem
    where = {"fold": (1, 4)} if test == "fold" else {"test_size": test}
    s = split(y, n_labeled=n_labeled, n_val=n_val, random_state=seed, **where)
    np.testing.assert_array_equal(
        np.sort(np.concatenate(parts_of(s))), np.arange(len(y))
    )
    assert len(s.labeled) == n_labeled
    assert len(s.val) == n_val
    assert set(y[s.labeled]) == set(y)
    if n_val:
        assert set(y[s.val]) == set(y)
    if test == 0.25:
        assert len(s.test) == round(0.25 * len(y))
    if test == 5:
        assert len(s.test) == 5


@given(problems())
def test_same_seed_same_split(problem):
    y, n_labeled, n_val, seed = problem
    keywords = {"n_labeled": n_labeled, "n_val": n_val, "test_size": 0.2}
    first = split(y, **keywords, random_state=seed)
    assert same(first, split(y, **keywords, random_state=seed))
    assert same(first, split(y, **keywords, random_state=np.random.default_rng(seed)))


def test_another_seed_gives_another_split():
    y = load("two_moons").y
    a, b = (split(y, n_labeled=10, random_state=seed) for seed in (0, 1))
    assert not np.array_equal(a.labeled, b.labeled)


@given(problems(), st.integers(1, 3))
def test_per_class_is_exact(problem, per_class):
    y, _, n_val, seed = problem
    s = split(y, per_class=per_class, n_val=n_val, random_state=seed)
    assert (np.bincount(y[s.labeled]) == per_class).all()


@given(problems(), st.integers(2, 6))
def test_folds_partition_the_points_with_even_classes(problem, k):
    y, *_, seed = problem
    n_classes = len(np.unique(y))
    tests = [
        split(y, n_labeled=n_classes, fold=(i, k), random_state=seed).test
        for i in range(k)
    ]
    np.testing.assert_array_equal(np.sort(np.concatenate(tests)), np.arange(len(y)))
    table = np.array([np.bincount(y[t], minlength=n_classes) for t in tests])
    assert (np.ptp(table, axis=0) <= 1).all()
    assert np.ptp(table.sum(axis=1)) <= 1


@given(problems())
def test_test_set_keeps_the_class_proportions(problem):
    y, n_labeled, _, seed = problem
    s = split(y, n_labeled=n_labeled, test_size=0.3, random_state=seed)
    exact = np.bincount(y) * len(s.test) / len(y)
    assert np.abs(np.bincount(y[s.test], minlength=len(exact)) - exact).max() <= 1


def test_labeled_set_is_random_beyond_one_of_each_class():
    # 190 against 10: eight further labels are mostly of the large class.
    y = np.repeat([0, 1], [190, 10])
    counts = [
        np.bincount(y[split(y, n_labeled=10, random_state=s).labeled])[1]
        for s in range(200)
    ]
    assert min(counts) == 1
    assert 1.2 < np.mean(counts) < 1.6  # 1 + 8 * 9/198 = 1.36 expected


def test_small_class_is_not_used_up_before_validation():
    y = np.repeat([0, 1], [100, 2])
    for seed in range(20):
        s = split(y, n_labeled=60, n_val=20, random_state=seed)
        assert set(y[s.labeled]) == set(y[s.val]) == {0, 1}


def test_train_rows_and_their_labels_go_together():
    data = load("blobs")
    s = split(data, n_labeled=9, n_val=6, test_size=0.25)
    y = s.y_train(data)
    assert len(y) == len(s.train) == len(s.labeled) + len(s.unlabeled)
    np.testing.assert_array_equal(y[:9], data.y[s.labeled])
    assert (y[9:] == -1).all()
    np.testing.assert_array_equal(s.y_train(data.y), y)


def test_split_refuses_overlap():
    with pytest.raises(ValueError, match="disjoint"):
        Split([0, 1], [1, 2], [], [])


def test_a_split_cannot_be_changed():
    s = split(np.array([0, 1, 0, 1]), n_labeled=2)
    with pytest.raises(AttributeError):
        s.test = s.labeled


def test_hidden_labels_are_minus_one_and_the_rest_true():
    data = load("three_arcs")
    y = hide_labels(data, n_labeled=7, random_state=2)
    assert np.count_nonzero(y >= 0) == 7
    assert set(y[y >= 0]) == {0, 1, 2}
    np.testing.assert_array_equal(y[y >= 0], data.y[y >= 0])
    assert (np.bincount(hide_labels(data, per_class=4) + 1)[1:] == 4).all()


BALANCED = np.repeat([0, 1], 20)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"n_labeled": 1}, r"n_labeled must be in \[2, 40\]"),
        ({"n_labeled": 41}, r"n_labeled must be in \[2, 40\]"),
        ({}, "give either n_labeled or per_class"),
        ({"n_labeled": 2, "per_class": 1}, "give either n_labeled or per_class"),
        ({"per_class": 21}, r"per_class must be in \[1, 20\]"),
        ({"n_labeled": 4, "n_val": 1}, "n_val must be 0 or at least 2"),
        ({"n_labeled": 30, "n_val": 5, "test_size": 10}, "at most 30"),
        ({"n_labeled": 4, "test_size": 1.5}, "test_size must be a share"),
        ({"n_labeled": 4, "test_size": -1}, "test_size must be a share"),
        ({"n_labeled": 4, "test_size": 40}, "count below 40"),
        ({"n_labeled": 4, "fold": (4, 4)}, "0 <= i < k"),
        ({"n_labeled": 4, "fold": (0, 4), "test_size": 0.5}, "exclude each other"),
        ({"per_class": 20, "n_val": 2}, "at most 40"),
    ],
)
def test_impossible_sizes_are_refused(keywords, message):
    with pytest.raises(ValueError, match=message):
        split(BALANCED, **keywords)


def test_a_class_too_small_for_all_parts_is_named():
    with pytest.raises(ValueError, match="class 1 has 1 points outside the test set"):
        split(np.repeat([0, 1], [30, 1]), n_labeled=4, n_val=4)


def test_labels_that_are_hidden_already_are_refused():
    with pytest.raises(ValueError, match="every label, got 3 times -1"):
        split(np.array([0, 1, -1, -1, -1]), n_labeled=2)


def test_words_can_be_labels():
    s = split(np.array(["a", "b"] * 10), n_labeled=4)
    assert len(s.labeled) == 4


# -- the papers' splits --------------------------------------------------------------


def test_lapsvm_protocol_gives_twelve_splits_of_the_papers_sizes():
    y = np.repeat([0, 1], 275)  # G50C
    splits = list(lapsvm_protocol(y, 50, 50))
    assert len(splits) == 12
    for s in splits:
        assert (len(s.labeled), len(s.val)) == (50, 50)
        assert len(s.test) in (137, 138)
        assert set(y[s.labeled]) == set(y[s.val]) == {0, 1}
        assert len(np.concatenate(parts_of(s))) == 550
    for repeat in range(3):
        tests = [s.test for s in splits[4 * repeat : 4 * repeat + 4]]
        np.testing.assert_array_equal(np.sort(np.concatenate(tests)), np.arange(550))
    assert not np.array_equal(splits[0].test, splits[4].test)


def test_lapsvm_protocol_can_be_repeated():
    y = load("digits").y
    first = list(lapsvm_protocol(y, 20, 20, random_state=5))
    again = list(lapsvm_protocol(y, 20, 20, random_state=5))
    assert all(same(a, b) for a, b in zip(first, again, strict=True))


def test_lapsvm_protocol_with_a_given_test_part_balances_the_classes():
    y = np.random.default_rng(0).permutation(np.repeat([0, 1], [300, 100]))
    splits = list(lapsvm_protocol(y, 20, 10, test_start=320))
    assert len(splits) == 12
    for s in splits:
        np.testing.assert_array_equal(s.test, np.arange(320, 400))
        assert np.bincount(y[s.labeled]).tolist() == [10, 10]
        assert np.bincount(y[s.val]).tolist() == [5, 5]
        assert len(s.unlabeled) == 290
    assert not same(splits[0], splits[1])
    with pytest.raises(ValueError, match=r"test_start must be in \[1, 399\]"):
        next(lapsvm_protocol(y, 20, 10, test_start=400))


def with_splits():
    rows = np.array([[0, 5], [3, 7]])
    return Dataset(
        np.zeros((8, 1)),
        np.arange(8) % 2,
        name="little",
        splits=OriginalSplits({2: rows, 4: np.arange(4)[None]}),
    )


def test_original_split_is_the_files_and_the_rest_is_unlabeled():
    s = original_split(with_splits(), 1, n_labeled=2)
    assert s.labeled.tolist() == [3, 7]
    assert s.unlabeled.tolist() == [0, 1, 2, 4, 5, 6]
    assert len(s.val) == len(s.test) == 0


def test_original_split_asks_for_what_is_there():
    data = with_splits()
    with pytest.raises(ValueError, match="n_labeled must be one of 2, 4"):
        original_split(data, 0)
    with pytest.raises(ValueError, match=r"i must be in \[0, 1\], got 2"):
        original_split(data, 2, n_labeled=2)
    with pytest.raises(ValueError, match="two_moons came without original splits"):
        original_split(load("two_moons"))


# -- telling points ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["clock", "spirals", "two_circles", "three_arcs"])
@pytest.mark.parametrize("seed", range(3))
def test_telling_points_find_one_point_on_each_manifold(name, seed):
    data = load(name, random_state=seed)
    chosen = telling_points(data.X, data.n_classes, random_state=seed)
    assert sorted(data.y[chosen]) == list(range(data.n_classes))


def test_telling_points_find_every_cluster():
    data = load("clusters", clusters_per_class=4, noise=0.05)
    chosen = telling_points(data.X, 8)
    gaps = np.linalg.norm(data.X[chosen][:, None] - data.meta["centres"], axis=2)
    assert sorted(gaps.argmin(axis=1)) == list(range(8))
    assert gaps.min(axis=1).max() < 0.15


def test_telling_points_avoid_outliers():
    rng = np.random.default_rng(0)
    X = np.vstack(
        [rng.normal(0, 0.1, (50, 2)), rng.normal(3, 0.1, (50, 2)), [[40, 40]]]
    )
    assert 100 not in telling_points(X, 2)


@settings(max_examples=25)
@given(st.integers(2, 40), st.integers(0, 10), st.data())
def test_telling_points_are_distinct_rows(n, seed, data):
    k = data.draw(st.integers(1, n))
    X = np.random.default_rng(seed).normal(size=(n, 2))
    X[: n // 2] = X[0]  # many duplicates
    chosen = telling_points(X, k)
    assert len(set(chosen)) == k
    np.testing.assert_array_equal(chosen, telling_points(X, k))


def test_telling_points_take_sparse_and_large_data():
    text = load("topic_text", n=300)
    assert len(set(telling_points(text.X, 5))) == 5
    many = load("blobs").X[np.arange(6000) % 240]
    many = many + 0.01 * np.random.default_rng(0).normal(size=many.shape)
    assert len(set(telling_points(many, 3))) == 3


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"k": 0}, "k must be in"),
        ({"k": 5}, "k must be in"),
        ({"k": 2, "n_neighbors": 0}, "n_neighbors must be >= 1"),
    ],
)
def test_telling_points_refuse_impossible_counts(keywords, message):
    with pytest.raises(ValueError, match=message):
        telling_points(np.zeros((4, 2)), **keywords)


def test_one_point_tells_itself():
    assert telling_points(np.zeros((1, 2)), 1).tolist() == [0]


CODES = np.arange(40) % 2
KINDS = {
    "bool": CODES > 0,
    "unsigned": CODES.astype(np.uint8),
    "letters": np.array(["a", "b"])[CODES],
    "objects": CODES.astype(object),
    "floats": CODES.astype(float),
}


@pytest.mark.parametrize("kind", KINDS)
def test_hidden_labels_carry_the_mark_whatever_the_type(kind):
    """-1 became True among bools and the class "-" among letters."""
    y = KINDS[kind]
    parts = split(y, n_labeled=4)
    hidden = hide_labels(y, 4)
    marked = hidden.astype(str) == ("-1.0" if kind == "floats" else "-1")
    np.testing.assert_array_equal(np.flatnonzero(marked), parts.unlabeled)
    train = parts.y_train(y)
    np.testing.assert_array_equal(train, hidden[parts.train])
    kept = hidden[parts.labeled]
    np.testing.assert_array_equal(kept, y[parts.labeled].astype(kept.dtype))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"n_labeled": "4"}, "n_labeled must be a whole number"),
        ({"n_labeled": 4.5}, "n_labeled must be a whole number"),
        ({"per_class": True}, "per_class must be a whole number"),
        ({"n_labeled": 4, "n_val": 2.5}, "n_val must be a whole number"),
        ({"n_labeled": 4, "test_size": "a"}, "test_size must be a share"),
        ({"n_labeled": 4, "fold": 3}, r"fold must be \(i, k\)"),
        ({"n_labeled": 4, "fold": (0, 2.5)}, "of fold must be a whole number"),
    ],
    ids=str,
)
def test_counts_are_whole_numbers(asked, message):
    with pytest.raises(ValueError, match=message):
        split(CODES, **asked)
