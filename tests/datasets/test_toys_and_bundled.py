"""Every registered toy and bundled data set, and what is special about each."""

import pickle
import time

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from sklearn.svm import LinearSVC

from halfmoon import datasets
from halfmoon.datasets import DATASETS, load
from halfmoon.datasets._text_kernels import write_documents
from halfmoon.datasets.text import PseudoWords, _alias_table

TOYS = [name for name, entry in DATASETS.items() if entry.kind == "toy"]
BUNDLED = [name for name, entry in DATASETS.items() if entry.kind == "bundled"]
BUNDLED_COUNTS = {
    "breast_cancer": [212, 357],
    "digits": [178, 182, 177, 183, 181, 182, 181, 179, 174, 180],
    "wine": [59, 71, 48],
    "iris": [50, 50, 50],
}


def values(X):
    return X.toarray() if sp.issparse(X) else X


@pytest.mark.parametrize("name", TOYS + BUNDLED)
def test_shape_and_type_are_what_the_entry_says(name):
    entry, data = DATASETS[name], load(name)
    assert data.X.shape == (entry.n_points, entry.dims)
    assert data.n_classes == entry.n_classes
    assert data.is_sparse == entry.sparse
    assert data.image_shape == entry.image_shape
    assert data.X.dtype == np.float64
    assert data.y.dtype == np.int64
    assert np.isfinite(values(data.X)).all()
    assert len(data.feature_names) == data.dims
    assert len(set(data.feature_names)) == data.dims
    assert data.name == name
    assert data.description.endswith(".")
    assert entry.available()


@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize("n", [101, 240])
def test_class_sizes_are_exact(name, n):
    counts = np.bincount(load(name, n=n).y)
    assert counts.sum() == n
    assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_class_counts_are_the_known_ones(name):
    assert np.bincount(load(name).y).tolist() == BUNDLED_COUNTS[name]


@pytest.mark.parametrize("name", TOYS)
def test_same_seed_same_data_and_another_seed_other_data(name):
    first, again = load(name, random_state=3), load(name, random_state=3)
    given = load(name, random_state=np.random.default_rng(3))
    other = load(name, random_state=4)
    for twin in (again, given):
        np.testing.assert_array_equal(values(first.X), values(twin.X))
        np.testing.assert_array_equal(first.y, twin.y)
    assert not np.array_equal(values(first.X), values(other.X))


@pytest.mark.parametrize("name", TOYS)
def test_rows_come_in_no_order_of_class(name):
    y = load(name).y
    assert np.count_nonzero(np.diff(y)) > len(y) / 5


@pytest.mark.parametrize("name", TOYS + BUNDLED)
def test_every_knob_works_at_both_ends(name):
    for knob in DATASETS[name].knobs.values():
        ends = knob.choices or (knob.low, min(knob.high, 2000))
        for value in ends:
            data = load(name, **{knob.name: value})
            assert np.isfinite(values(data.X)).all()


@pytest.mark.parametrize("name", TOYS + BUNDLED)
def test_entry_tells_what_a_page_needs(name):
    entry = DATASETS[name]
    assert entry.title
    assert entry.source
    assert entry.licence
    assert entry.n_labeled >= entry.n_classes
    assert {"sigma", "n_neighbors", "gamma_A", "gamma_I", "C"} <= set(entry.defaults)
    assert all(knob.help for knob in entry.knobs.values())
    assert all(knob.default is not None for knob in entry.knobs.values())


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_data_do_not_depend_on_the_seed(name):
    np.testing.assert_array_equal(
        load(name, random_state=0).X, load(name, random_state=1).X
    )


def test_a_data_set_survives_pickling():
    data = load("two_moons")
    copy = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(copy.X, data.X)
    assert copy.meta == data.meta
    assert repr(copy) == "Dataset('two_moons', 200 x 2 dense, 2 classes)"


# -- load and register ---------------------------------------------------------------


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"name must be one of .*two_moons.*'moons'"):
        load("moons")


def test_unknown_knob_lists_the_known_ones():
    with pytest.raises(ValueError, match="two_moons has no knob size; it has n, noise"):
        load("two_moons", size=3)


def test_value_outside_a_knob_is_refused_before_any_work():
    with pytest.raises(
        ValueError, match=r"noise must be a number in \[0, 0.5\], got 2"
    ):
        load("two_moons", noise=2)


@pytest.mark.parametrize("seed", [-1, 1.5, None, True, "a"])
def test_bad_seed_is_refused(seed):
    with pytest.raises(ValueError, match="random_state must be an integer >= 0"):
        load("two_moons", random_state=seed)


def test_generator_goes_beyond_the_knob():
    data = datasets.two_moons(n=9001, rng=np.random.default_rng(0))
    assert np.bincount(data.y).tolist() == [4501, 4500]


@pytest.mark.parametrize("name", DATASETS)
def test_the_docstring_has_every_argument_with_its_knobs_words(name):
    entry = DATASETS[name]
    doc = " ".join(entry.function.__doc__.split())
    assert doc.startswith(entry.description)
    for knob in entry.knobs.values():
        kind = "str" if knob.kind == "choice" else knob.kind
        words = f"{knob.name} : {kind}, default={knob.default!r} {knob.help}"
        assert words in doc


def test_registering_a_name_twice_is_refused():
    with pytest.raises(ValueError, match="two_moons is registered already"):
        datasets.register(title="Again", kind="toy")(datasets.two_moons)


def test_registering_needs_a_knob_for_each_argument():
    enter = datasets.register(
        "new", title="New", kind="toy", n_classes=2, dims=2, n_points=2, n_labeled=2
    )
    with pytest.raises(ValueError, match=r"every argument of new needs a knob.*width"):
        enter(lambda width=1, *, rng: None)
    assert "new" not in DATASETS


def test_a_data_set_checks_itself():
    X, y = np.zeros((3, 2)), np.array([0, 1, 1])
    with pytest.raises(ValueError, match="same n, got"):
        datasets.Dataset(X, y[:2])
    with pytest.raises(ValueError, match="class indices below 1"):
        datasets.Dataset(X, y, class_names=("only",))
    with pytest.raises(ValueError, match="one name a column"):
        datasets.Dataset(X, y, feature_names=("a",))
    with pytest.raises(ValueError, match="image_shape must multiply"):
        datasets.Dataset(X, y, image_shape=(3, 3))


# -- geometry ------------------------------------------------------------------------


def test_two_moons_are_unit_half_circles_around_the_usual_centres():
    data = load("two_moons", noise=0.0)
    upper, lower = data.X[data.y == 0], data.X[data.y == 1]
    np.testing.assert_allclose(np.linalg.norm(upper, axis=1), 1.0)
    np.testing.assert_allclose(np.linalg.norm(lower - (1.0, 0.5), axis=1), 1.0)
    assert upper[:, 1].min() >= 0
    assert lower[:, 1].max() <= 0.5


def test_noise_has_the_asked_standard_deviation():
    quiet, loud = (load("two_circles", n=4000, noise=s) for s in (0.0, 0.1))
    radius = np.linalg.norm(loud.X[loud.y == 0], axis=1)
    assert radius.std() == pytest.approx(0.1, rel=0.1)
    assert np.linalg.norm(quiet.X[quiet.y == 1], axis=1) == pytest.approx(0.5)


def test_clock_shows_the_time():
    data = load("clock", noise=0.0, hour=3, minute=0)
    border, hands = data.X[data.y == 0], data.X[data.y == 1]
    np.testing.assert_allclose(np.linalg.norm(border, axis=1), 1.0)
    # At three the minute hand points up and the hour hand to the right.
    up = np.abs(hands[:, 0]) < 1e-12
    assert hands[up, 1].max() == pytest.approx(0.7, abs=0.02)
    assert hands[~up, 0].max() == pytest.approx(0.4, abs=0.02)
    np.testing.assert_allclose(hands[~up, 1], 0.0, atol=1e-12)


@pytest.mark.parametrize("name", ["two_moons", "clock", "spirals", "three_arcs"])
def test_manifolds_are_covered_without_gaps(name):
    data = load(name, noise=0.0, n=200)
    for c in range(data.n_classes):
        D = cdist(data.X[data.y == c], data.X[data.y == c])
        np.fill_diagonal(D, np.inf)
        between = cdist(data.X[data.y == c], data.X[data.y != c]).min()
        assert D.min(axis=1).max() < between


def test_clusters_are_tighter_than_their_distances():
    data = load("clusters", clusters_per_class=4)
    centres = data.meta["centres"]
    gaps = cdist(centres, centres) + 9 * np.eye(8)
    assert centres.shape == (8, 2)
    assert gaps.min() > 4 * 0.12


def test_noise_dimensions_hold_only_noise():
    data = load("two_moons_noise", n=4000, noise_scale=0.2)
    chaff = data.X[:, 2:]
    assert chaff.shape[1] == 100
    assert chaff.std() == pytest.approx(0.2, rel=0.02)
    means = np.array([chaff[data.y == c].mean(axis=0) for c in (0, 1)])
    assert np.abs(means).max() < 5 * 0.2 / np.sqrt(2000)


@pytest.mark.parametrize(("dim", "error"), [(50, 0.05), (2, 0.2), (10, 0.01)])
def test_bayes_error_of_the_gaussians_is_the_asked_one(dim, error):
    n = 200_000
    data = datasets.g50c(n, dim, error, rng=np.random.default_rng(0))
    optimal = (data.X @ data.meta["mean"] > 0).astype(int)
    wrong = np.mean(optimal != data.y)
    assert wrong == pytest.approx(error, abs=4 * np.sqrt(error * (1 - error) / n))
    within = data.X - np.where(data.y == 1, 1, -1)[:, None] * data.meta["mean"]
    np.testing.assert_allclose(np.cov(within.T), np.eye(dim), atol=0.02)


def test_more_groups_than_points_are_refused():
    with pytest.raises(ValueError, match="n must be at least 3"):
        datasets.blobs(n=2, rng=np.random.default_rng(0))


@pytest.mark.parametrize("name", ["breast_cancer", "wine", "iris"])
def test_scaling_is_what_the_description_says(name):
    standard, unit = load(name, scale="standard"), load(name, scale="range")
    np.testing.assert_allclose(standard.X.mean(axis=0), 0, atol=1e-10)
    np.testing.assert_allclose(standard.X.std(axis=0), 1)
    np.testing.assert_allclose(unit.X.min(axis=0), 0)
    np.testing.assert_allclose(unit.X.max(axis=0), 1)
    assert "standard deviation 1" in standard.description
    assert "[0, 1]" in unit.description


def test_digits_are_upright_images():
    data = load("digits")
    assert data.X[0].reshape(data.image_shape).shape == (8, 8)
    assert data.X.max() == 1.0
    assert load("digits", scale="none").X.max() == 16.0


# -- text ----------------------------------------------------------------------------


def test_text_rows_have_unit_norm_and_sorted_distinct_columns():
    X = load("topic_text").X
    np.testing.assert_allclose(np.sqrt(X.multiply(X).sum(axis=1)), 1.0)
    assert X.indices.dtype == np.int32
    assert (X.data > 0).all()
    inside = np.diff(X.indices)
    inside = np.delete(inside, X.indptr[1:-1] - 1)  # steps from row to row
    assert (inside > 0).all()


def test_text_has_the_asked_nonzeros_and_a_zipf_vocabulary():
    data = datasets.topic_text(4000, 5000, 60, rng=np.random.default_rng(0))
    assert data.X.nnz / data.n == pytest.approx(60, rel=0.02)
    lengths = np.diff(data.X.indptr)
    assert lengths.std() > 10
    frequency = np.sort(np.bincount(data.X.indices, minlength=5000))[::-1]
    assert frequency[0] > 0.8 * data.n  # the commonest word is in most documents
    assert frequency[100] > 5 * frequency[1500]


def test_topics_use_their_own_words():
    data = datasets.topic_text(2000, 2000, 40, 0.0, rng=np.random.default_rng(0))
    own = [np.isin(np.arange(2000), words) for words in data.meta["topic_words"]]
    assert not (own[0] & own[1]).any()
    share = [
        [data.X[data.y == c][:, words].nnz / data.X[data.y == c].nnz for words in own]
        for c in (0, 1)
    ]
    assert share[0][0] > 2 * share[0][1]
    assert share[1][1] > 2 * share[1][0]


def test_difficulty_makes_text_harder_up_to_guessing():
    errors = []
    for difficulty in (0.0, 0.4, 1.0):
        data = datasets.topic_text(
            3000, 2000, 40, difficulty, rng=np.random.default_rng(1)
        )
        machine = LinearSVC(C=1.0).fit(data.X[:1500], data.y[:1500])
        errors.append(1 - machine.score(data.X[1500:], data.y[1500:]))
    assert errors[0] < 0.01
    assert 0.03 < errors[1] < 0.2
    assert errors[2] > 0.42


def test_share_of_the_second_topic_is_exact():
    assert np.bincount(load("topic_text", positive=0.3).y).tolist() == [700, 300]


def test_text_needs_a_vocabulary_larger_than_its_documents():
    with pytest.raises(ValueError, match="a quarter of n_features=200, got 60"):
        datasets.topic_text(10, 200, 60, rng=np.random.default_rng(0))


def test_text_of_800_000_documents_takes_under_a_minute():
    rng = np.random.default_rng(0)
    datasets.topic_text(50, 47_000, 75, rng=rng)  # compile
    start = time.process_time()  # the machine may be busy with other things
    datasets.topic_text(20_000, 47_000, 75, rng=rng)
    # Each document costs the same, and 800,000 are 40 times as many.
    assert 40 * (time.process_time() - start) < 60


def test_alias_table_gives_back_its_distribution():
    rng = np.random.default_rng(0)
    p = rng.random(997) ** 8
    p[rng.choice(997, 300, replace=False)] = 0.0
    p /= p.sum()
    keep, alias = _alias_table(p)
    drawn = keep + np.bincount(alias, weights=1 - keep, minlength=997)
    np.testing.assert_allclose(drawn / 997, p, rtol=1e-9, atol=1e-16)


def test_compiled_documents_equal_a_plain_python_twin():
    rng = np.random.default_rng(5)
    V, lengths = 60, np.array([4, 9, 1, 12])
    tables = [_alias_table(p) for p in rng.dirichlet(np.ones(V), size=3)]
    keep, alias = (np.stack(part) for part in zip(*tables, strict=True))
    column = rng.permutation(V).astype(np.int32)
    idf, y, purity = rng.random(V) + 1, np.array([0, 1, 1, 0]), rng.random(4)
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    indices, data = np.empty(indptr[-1], np.int32), np.empty(indptr[-1])
    seed = np.uint64(2**62 + 11)
    write_documents(
        indptr, indices, data, y, purity, 0.4, keep, alias, column, idf, seed
    )
    twin = [
        document(int(seed), i, lengths[i], y[i], purity[i], 0.4, keep, alias)
        for i in range(4)
    ]
    for i, tokens in enumerate(twin):
        words, tf = np.unique(column[tokens], return_counts=True)
        idf_of = idf[np.argsort(column)][words]
        weights = (1 + np.log(tf)) * idf_of
        row = slice(indptr[i], indptr[i + 1])
        np.testing.assert_array_equal(indices[row], words)
        np.testing.assert_allclose(data[row], weights / np.linalg.norm(weights))


def document(seed, i, n_words, topic, purity, topical, keep, alias):
    """Tokens of document i, written with Python's own integers."""
    mask, golden = 2**64 - 1, 0x9E3779B97F4A7C15

    def mix(z):
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    state, tokens = mix((seed + i * golden) & mask), []

    def uniform():
        nonlocal state
        state = (state + golden) & mask
        return (mix(state) >> 11) / 2**53

    while len(set(tokens)) < n_words:
        u = uniform()
        table = 0
        if u < topical:
            table = 1 + (topic if u < topical * purity else 1 - topic)
        cell = uniform() * keep.shape[1]
        word = int(cell)
        kept = cell - word < keep[table, word]
        tokens.append(word if kept else int(alias[table, word]))
    return tokens


def test_pseudo_words_are_distinct_and_made_on_demand():
    words = PseudoWords(47_000)
    assert len(words) == 47_000
    assert words[0] == "baba"
    assert words[-1] == words[46_999]
    assert words[2:4] == ["babi", "babo"]
    assert len(set(words)) == 47_000
    assert all(word.isalpha() for word in words[::1000])
    with pytest.raises(IndexError, match="below 47000"):
        words[47_000]


@pytest.mark.parametrize(
    "name", [n for n, e in DATASETS.items() if e.kind != "benchmark"]
)
def test_linear_weights_follow_the_scale_of_the_points(name):
    X = load(name).X
    squares = X.multiply(X) if DATASETS[name].sparse else X**2
    usual = DATASETS[name].defaults.get("lam", 1e-3)
    assert 0.25 < usual / (1e-3 * squares.sum() / X.shape[0]) < 4
