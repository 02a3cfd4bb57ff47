"""Benchmark files, read when a local data folder has them."""

import numpy as np
import pytest
import scipy.sparse as sp

from halfmoon.datasets import DATASETS, load, original_split, store

BENCHMARKS = [name for name, entry in DATASETS.items() if entry.kind == "benchmark"]
FETCH_ONLY = {"isolet", "rcv1"}
LARGE = {"mnist": 2000, "kdd99_10pct": 0, "news20": 0}

# Points per class in the papers' files.
COUNTS = {
    "g50c_original": [275, 275],
    "text_pcmac": [961, 985],
    "uspst": [327, 273, 206, 178, 196, 140, 174, 173, 160, 180],
    "uspst_b": [1180, 827],
    "coil20": [72] * 20,
    "coil20_b": [720, 720],
    "coil3": [72, 72, 72],
    "mnist3vs8": [7141, 6825],
    "facemit": [4548, 2429],
    "usps": [1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821],
    "dna": [464, 485, 1051],
    "fourclass": [555, 307],
    "ionosphere": [126, 225],
    "segment": [330] * 7,
    "splice": [483, 517],
    "svmguide4": [53, 56, 56, 44, 44, 47],
    "vehicle": [212, 217, 218, 199],
    "ssl_digit1": [766, 734],
    "ssl_usps": [1200, 300],
    "ssl_bci": [200, 200],
    "ssl_g241c": [750, 750],
    "ssl_secstr": [47856, 35823],
    "ssl_coil": [250] * 6,
    "ssl_coil2": [750, 750],
    "ssl_g241n": [752, 748],
    "ssl_text": [750, 750],
    "kdd99_10pct": [97278, 396743],
}
SPLITS = {
    "g50c_original": {50: 10},
    "text_pcmac": {50: 10},
    "uspst": {50: 10},
    "uspst_b": {50: 10},
    "ssl_digit1": {10: 12, 100: 12},
    "ssl_usps": {10: 12, 100: 12},
    "ssl_bci": {10: 12, 100: 12},
    "ssl_g241c": {10: 12, 100: 12},
    "ssl_secstr": {100: 10, 1000: 10, 10_000: 10},
    "ssl_coil": {10: 12, 100: 12},
    "ssl_coil2": {10: 12, 100: 12},
    "ssl_g241n": {10: 12, 100: 12},
    "ssl_text": {10: 12, 100: 12},
}
UNIT_ROWS = ("text_pcmac", "coil20", "coil20_b", "mnist3vs8", "mnist", "news20")


def get(name, **knobs):
    if store.local_file(DATASETS[name].file) is None:
        pytest.skip(f"{DATASETS[name].file}.npz is in no local data folder")
    if name == "mnist":
        knobs.setdefault("n", LARGE["mnist"])  # a test needs no 440 MB
    return load(name, **knobs)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_entry_records_source_licence_and_reference(name):
    entry = DATASETS[name]
    assert entry.file
    assert entry.source
    assert entry.licence
    assert entry.reference
    assert entry.description.endswith(".")
    assert entry.n_labeled >= entry.n_classes
    assert "C" in entry.defaults
    assert (entry.fetch is not None) or name not in FETCH_ONLY


@pytest.mark.parametrize("name", [n for n in BENCHMARKS if n not in FETCH_ONLY])
def test_file_has_the_shape_the_entry_says(name):
    entry, data = DATASETS[name], get(name)
    if name != "mnist":
        assert data.n == entry.n_points
    assert data.dims == entry.dims
    assert data.n_classes == entry.n_classes
    assert data.is_sparse == entry.sparse
    assert data.image_shape == entry.image_shape
    values = data.X.data if data.is_sparse else data.X
    assert np.isfinite(values).all()
    assert data.meta["licence"]
    assert data.meta["origin"]["source_repo"]


@pytest.mark.parametrize("name", COUNTS)
def test_classes_have_the_published_sizes(name):
    assert np.bincount(get(name).y).tolist() == COUNTS[name]


@pytest.mark.parametrize("name", SPLITS)
def test_original_splits_are_read_and_cover_the_file(name):
    data = get(name)
    assert {s: data.splits.count(s) for s in data.splits.sizes} == SPLITS[name]
    for n_labeled, count in SPLITS[name].items():
        for i in range(count):
            s = original_split(data, i, n_labeled)
            assert len(s.labeled) == n_labeled
            assert len(s.labeled) + len(s.unlabeled) == data.n


@pytest.mark.parametrize("name", UNIT_ROWS)
def test_rows_have_unit_norm_where_the_papers_sigma_needs_it(name):
    X = get(name).X
    square = X.multiply(X).sum(axis=1) if sp.issparse(X) else (X**2).sum(axis=1)
    # text_pcmac is stored in single precision
    np.testing.assert_allclose(np.asarray(square).ravel(), 1.0, rtol=1e-5)


@pytest.mark.parametrize(
    "name", ["coil20", "coil20_b", "mnist3vs8", "mnist", "facemit"]
)
def test_pixels_are_in_the_unit_interval_without_unit_norm(name):
    data = get(name, unit_norm=False)
    assert data.X.min() == 0.0
    assert data.X.max() == 1.0
    assert "[0, 1]" in data.description


def test_coil_images_are_upright():
    # Cars are longer than they are high, so upright pictures of them are wide.
    data = get("coil3")
    images = data.X.reshape(-1, *data.image_shape)
    lit = images > 0
    width = np.array([np.ptp(np.flatnonzero(image.any(axis=0))) for image in lit])
    height = np.array([np.ptp(np.flatnonzero(image.any(axis=1))) for image in lit])
    assert width.mean() > height.mean()


def test_test_parts_start_where_the_originals_do():
    assert get("mnist3vs8").test_start == 11982
    assert get("usps").test_start == 7291
    assert get("dna", part="all").test_start == 2000
    assert get("svmguide4", part="all").test_start == 300


def test_constant_column_of_ionosphere_is_gone():
    assert (np.ptp(get("ionosphere").X, axis=0) > 0).all()


def test_usps_pixels_are_in_plus_minus_one():
    X = get("usps").X
    assert (X.min(), X.max()) == (-1.0, 1.0)


def test_two_class_versions_group_the_originals():
    digits, pair = get("uspst"), get("uspst_b")
    np.testing.assert_array_equal(pair.y, digits.y >= 5)
    np.testing.assert_array_equal(pair.X, digits.X)
    objects, halves = get("coil20"), get("coil20_b")
    np.testing.assert_array_equal(halves.y, objects.y >= 10)


@pytest.mark.parametrize(
    ("pair", "names", "counts"),
    [
        ("baseball / hockey", ("baseball", "hockey"), [994, 999]),
        ("rec / sci", ("rec", "sci"), [3979, 3952]),
        ("windows / mac", ("windows", "mac"), [985, 963]),
    ],
)
def test_newsgroups_come_in_pairs(pair, names, counts):
    data = get("news20", pair=pair)
    assert data.class_names == names
    assert np.bincount(data.y).tolist() == counts
    assert 0 < data.test_start < data.n
    assert "the" in data.feature_names


def test_all_newsgroups_have_twenty_names():
    data = get("news20", pair="all 20 groups")
    assert data.n == 18846
    assert data.class_names[0] == "alt.atheism"


@pytest.mark.parametrize("scale", ["max_abs", "log"])
def test_kdd_columns_are_scaled(scale):
    data = get("kdd99_10pct", scale=scale, n=5000)
    assert abs(data.X).max() <= 1.0
    assert np.bincount(data.y).tolist() == [985, 4015]
    assert data.feature_names[-1].startswith("c3=")


@pytest.mark.parametrize("name", ["usps", "mnist", "facemit"])
def test_a_subset_keeps_the_class_proportions(name):
    data, again = (get(name, n=500, random_state=1) for _ in range(2))
    assert data.n == 500
    whole = np.array(COUNTS.get(name) or MNIST_COUNTS)
    assert np.abs(np.bincount(data.y) - 500 * whole / whole.sum()).max() <= 1
    np.testing.assert_array_equal(data.X, again.X)
    assert not np.array_equal(data.X, get(name, n=500, random_state=2).X)


MNIST_COUNTS = [6903, 7877, 6990, 7141, 6824, 6313, 6876, 7293, 6825, 6958]


def test_a_subset_smaller_than_the_classes_is_refused():
    with pytest.raises(ValueError, match=r"n must be 0 \(all\) or at least 20, got 7"):
        get("usps", n=7)
