"""Claims of [MB11] section 6 on the benchmark data; slow, run by ``make tables``."""

import pytest

from datasets import DATASETS
from tests.tables import lapsvm

pytestmark = pytest.mark.slow

CLOSE = 3.0  # points; splits and graph differ, deviations are 1.5 to 3.5 points


@pytest.fixture(scope="module", params=lapsvm.BENCHES, ids=str)
def measured(request):
    bench = lapsvm.BENCHES[request.param]
    if not DATASETS[bench.name].available():
        pytest.skip(f"{bench.name} is not in the local data folder")
    results = lapsvm.run(request.param)
    print("\n" + lapsvm.table(request.param, results))
    return request.param, results


def test_newton_errors_are_near_the_published_ones(measured):
    title, results = measured
    row = next(r for r in lapsvm.ROWS[title] if r.title == "LapSVM Newton")
    gap = abs(results["LapSVM Newton"].mean[2] - row.paper[2])
    if title == "COIL20(B)" and gap > CLOSE:
        pytest.xfail(f"{gap:.2f} points: the paper's splits of COIL20(B) are not known")
    assert gap <= CLOSE


def test_early_stopping_loses_at_most_one_point(measured):
    title, results = measured
    newton = results["LapSVM Newton"].mean[2]
    for check in ("stability", "validation", "mixed"):
        loss = results[f"LapSVM PCG, {check} check"].mean[2] - newton
        # COIL20(B): the paper's own validation check runs with other weights.
        assert loss <= (1.0 if title != "COIL20(B)" else CLOSE), check


def test_unlabeled_points_help(measured):
    _, results = measured
    assert results["LapSVM Newton"].mean[2] < results["SVM"].mean[2]
