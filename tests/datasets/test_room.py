"""What does not fit into memory is refused before any work, with ways out that fit."""

import re
import tracemalloc

import numpy as np
import pytest

from halfmoon import datasets
from halfmoon.common import memory
from halfmoon.datasets import DATASETS
from halfmoon.datasets import registry as registry_module

TOYS = [name for name, entry in DATASETS.items() if entry.kind == "toy"]
WIDE = {
    "g50c": {"dim": 300},
    "two_moons_noise": {"n_noise": 300},
    "topic_text": {"n_features": 5_000},
    "clusters": {"clusters_per_class": 40},
    "blobs": {"n_classes": 100},
}
LABELS = np.broadcast_to(np.int64(1), 10**11)  # takes no memory itself
SPLITS = {
    "hide_labels": lambda y: datasets.hide_labels(y, 4),
    "split": lambda y: datasets.split(y, n_labeled=4, n_val=4, test_size=0.2),
    "folds": lambda y: datasets.split(y, n_labeled=4, fold=(0, 4)),
    "protocol": lambda y: next(datasets.lapsvm_protocol(y, 4, 4)),
}


def rng():
    return np.random.default_rng(0)


def peak(call):
    tracemalloc.start()
    call()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


@pytest.fixture
def free(monkeypatch):
    """Say how much memory is free; the smallest request is asked about."""

    def say(bytes_):
        monkeypatch.setattr(memory, "available_memory", lambda: bytes_)

    monkeypatch.setattr(memory, "LITTLE", 0)
    monkeypatch.setattr(registry_module, "LITTLE", 0)
    return say


def fits_in(sentence):
    return int(re.search(r"at most ([\d,]+) points fit", sentence)[1].replace(",", ""))


@pytest.mark.parametrize("name", TOYS)
def test_more_points_than_fit_are_refused_at_once(name):
    with pytest.raises(ValueError, match=r"needs about [\d.]+ GB of memory") as told:
        getattr(datasets, name)(n=10**12, rng=rng())
    assert str(told.value).startswith(name)
    assert "use fewer points" in str(told.value)
    assert 2 < fits_in(str(told.value)) < 10**12


@pytest.mark.parametrize("name", TOYS)
def test_the_largest_number_that_is_named_fits(name, free):
    make, more = getattr(datasets, name), WIDE.get(name, {})
    make(n=300, rng=rng(), **more)  # compiles what has to be
    free(3e6 / memory.SHARE)
    with pytest.raises(ValueError, match="needs about") as told:
        make(n=10**6, rng=rng(), **more)
    most = fits_in(str(told.value))
    assert peak(lambda: make(n=most, rng=rng(), **more)) <= 3e6
    with pytest.raises(ValueError, match="needs about"):
        make(n=most + 1, rng=rng(), **more)


@pytest.mark.parametrize(
    ("name", "knobs", "way_out"),
    [
        ("g50c", {"n": 1000, "dim": 10**11}, "use a smaller dim."),
        ("g50c", {"n": 10**7, "dim": 10**4}, "use fewer points or a smaller dim."),
        ("g50c", {"n": 10**12, "dim": 10**12}, "use smaller numbers."),
        ("two_moons_noise", {"n_noise": 10**12}, "use a smaller n_noise."),
        ("topic_text", {"n_features": 10**12}, "use a smaller n_features."),
        ("clock", {"n": 10**12}, "use fewer points."),
    ],
)
def test_only_numbers_that_help_are_advised(name, knobs, way_out, free):
    free(16e9)
    with pytest.raises(ValueError, match="needs about") as told:
        getattr(datasets, name)(rng=rng(), **knobs)
    assert str(told.value).endswith(way_out)


@pytest.mark.parametrize("value", [2.5, "many", None, np.nan, True])
def test_a_number_of_points_is_a_whole_number(value):
    with pytest.raises(ValueError, match="n must be an integer, got"):
        datasets.two_moons(n=value, rng=rng())


def test_a_generator_of_data_needs_a_generator_of_numbers():
    with pytest.raises(ValueError, match="rng must be a numpy Generator"):
        datasets.two_moons(rng=0)


@pytest.mark.parametrize("name", SPLITS)
def test_labels_that_cannot_be_divided_are_refused(name, free):
    with pytest.raises(ValueError, match=r"a split needs about .* divide fewer"):
        SPLITS[name](LABELS)
    y = np.arange(200_000) % 2
    free(6e6 / memory.SHARE)
    with pytest.raises(ValueError, match="needs about") as told:
        SPLITS[name](y)
    most = fits_in(str(told.value))
    assert peak(lambda: SPLITS[name](y[:most])) <= 6e6


def test_more_telling_points_than_fit_are_refused(free):
    X = np.zeros((10**6, 1))
    with pytest.raises(ValueError, match="telling_points needs about"):
        datasets.telling_points(X, 10**6)
    X = rng().normal(size=(400, 2))
    free(2e6 / memory.SHARE)
    with pytest.raises(ValueError, match="choose fewer points") as told:
        datasets.telling_points(X, 400)
    most = fits_in(str(told.value))
    assert peak(lambda: datasets.telling_points(X, most)) <= 2e6
