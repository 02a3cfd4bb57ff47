"""Links and files of version 1 open to what they opened to, and are written so again.

`links_of_version_1.json` was written by the code of that version and is not to be
made anew. For each link it has what the link opens to, the link that is written for
that, and the saved file.
"""

import base64
import json
import zlib
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from halfmoon.scenario import RESERVED, Scenario
from ssl_core import ALGORITHMS, make

HERE = Path(__file__).parent
LINKS = json.loads((HERE / "links_of_version_1.json").read_text(encoding="utf-8"))


def read(link):
    return dict(parse_qsl(link, keep_blank_values=True, strict_parsing=bool(link)))


def opened(scenario):
    """All of a scenario as plain values, by what the pages read of it."""
    labels, drawing, view = scenario.labels, scenario.drawing, scenario.view
    upload, start = scenario.upload, scenario.start
    columns = upload and [upload.label_column, list(upload.feature_columns)]
    return {
        "data": scenario.data,
        "knobs": scenario.knobs,
        "seed": scenario.seed,
        "labels": [labels.how, labels.count, labels.draw, listed(labels.hand)],
        "moved": listed(drawing.moved),
        "removed": list(drawing.removed),
        "added": listed(drawing.added),
        "upload": upload and [upload.digest, upload.name, *columns, upload.scale],
        "held_out": [scenario.n_val, scenario.n_test],
        "algorithm": scenario.algorithm,
        "parameters": scenario.params,
        "start": start and [start.t, opened(start.origin)],
        "view": [
            view.projection,
            list(view.features),
            view.t,
            dict(view.thresholds),
            None if view.toggles is None else list(view.toggles),
        ],
        "hidden": list(scenario.hidden),
    }


def listed(rows):
    return [list(row) for row in rows]


def as_then(now, then):
    """A tree of today without the knobs that version 1 did not have.

    They must stand at their defaults, which is what version 1 did.
    """
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [as_then(a, b) for a, b in zip(now, then, strict=True)]
    if not isinstance(now, dict) or not isinstance(then, dict):
        return now
    kept = {name: as_then(value, then.get(name)) for name, value in now.items()}
    if "parameters" in kept and "parameters" in then:
        defaults = ALGORITHMS[now["algorithm"]].defaults
        kept["parameters"] = {
            name: value
            for name, value in now["parameters"].items()
            if name in then["parameters"] or value != defaults[name]
        }
    return kept


def unpacked(text):
    """What is packed into a link; its packing may differ from one zlib to another."""
    assert "=" not in text
    packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return json.loads(zlib.decompress(packed))


def same_text(now, then):
    """Equal to the last character: the order of names counts, and 1 is not 1.0."""
    assert json.dumps(as_then(now, then)) == json.dumps(then)


@pytest.mark.parametrize("name", LINKS)
def test_an_old_link_opens_to_what_it_opened_to(name):
    scenario, remarks = Scenario.from_url(read(LINKS[name]["link"]))
    assert remarks == []
    then = LINKS[name]["opens"]
    assert as_then(opened(scenario), then) == then


@pytest.mark.parametrize("name", LINKS)
def test_an_old_file_opens_to_what_the_link_opens_to(name):
    scenario, remarks, files = Scenario.from_json(json.dumps(LINKS[name]["file"]))
    assert (remarks, files) == ([], {})
    assert scenario == Scenario.from_url(read(LINKS[name]["link"]))[0]


@pytest.mark.parametrize("name", LINKS)
def test_a_link_is_written_as_version_1_wrote_it(name):
    scenario, _ = Scenario.from_url(read(LINKS[name]["link"]))
    then, now = LINKS[name]["written"], scenario.to_query()
    cut = then.partition("&s=")[0]
    assert now.partition("&s=")[0] == cut
    now, then = read(now), read(then)
    assert list(now) == list(then)
    if "s" in then:
        same_text(unpacked(now["s"]), unpacked(then["s"]))


@pytest.mark.parametrize("name", LINKS)
def test_a_file_is_written_as_version_1_wrote_it(name):
    scenario, _ = Scenario.from_url(read(LINKS[name]["link"]))
    same_text(json.loads(scenario.to_json()), LINKS[name]["file"])


def test_a_width_from_the_data_is_said_in_a_link():
    """A link that says nothing of the width has always meant 1."""
    link = "v=1&data=clock&labels=telling&algorithm=svm"
    scenario, _ = Scenario.from_url(read(link))
    assert scenario.params["sigma"] == 1.0
    auto = scenario.with_parameter("sigma", "auto")
    assert auto.to_query() == f"{link}&sigma=auto"
    assert Scenario.from_url(read(auto.to_query())) == (auto, [])


def test_every_part_of_a_link_is_among_the_old_ones():
    texts = [read(entry["link"]) for entry in LINKS.values()]
    assert set(RESERVED) <= set().union(*texts)
    packed = [unpacked(text["s"]) for text in texts if "s" in text]
    names = {"hand", "moved", "removed", "added", "upload", "from"}
    assert names == set().union(*packed)
    assert {entry["opens"]["algorithm"] for entry in LINKS.values()} >= {
        *("svm", "rlsc", "lapsvm_newton", "lapsvm_pcg", "lapsvm_dual", "laprlsc"),
        *("laprlsc_pcg", "l2svm_mfn", "tsvm", "da"),
    }


@pytest.mark.parametrize("name", ["s3vm_path", "lapsvm_s3vm"])
def test_a_parameter_that_is_gone_is_passed_over_in_old_links_and_files(name):
    url = {"v": "1", "data": "two_moons", "algorithm": name, "tol": "0.001"}
    scenario, remarks = Scenario.from_url(url)
    assert remarks == []
    assert "tol" not in scenario.params
    tree = json.loads(scenario.to_json())
    tree["scenario"]["parameters"]["tol"] = 1e-6
    assert Scenario.from_json(json.dumps(tree)) == (scenario, [], {})


def test_a_script_that_passes_a_parameter_that_is_gone_gets_one_sentence():
    with pytest.raises(ValueError, match="tol is not a parameter of s3vm_path"):
        make("s3vm_path", tol=1e-6)
