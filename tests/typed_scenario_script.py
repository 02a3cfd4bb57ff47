"""What the app saved, opened as a user would, for mypy and pyright."""

from pathlib import Path

import numpy as np

from halfmoon import SavedScenario, Trace, open_scenario
from halfmoon.plugins import troubles
from halfmoon.stopping import stability_check

saved: SavedScenario = open_scenario("halfmoon.json")
again = open_scenario({"halfmoon": 1}), open_scenario(Path("x")), open_scenario(b"{}")
with open("halfmoon.json") as text, open("halfmoon.json", "rb") as content:
    more = open_scenario(text), open_scenario(content, data="mine.csv")
y: np.ndarray = saved.y
hidden: np.ndarray = saved.hidden
trace: Trace = saved.trace(0)
traces: tuple[Trace, ...] = saved.run()
predicted: np.ndarray = saved.fit().predict(saved.X)
X_val, y_val = saved.part("val")
names = [type(estimator).__name__ for estimator in saved.estimators]
saved.save("again.json")
print(again, more, y, hidden, trace.final.t, traces, predicted, y_val.sum(), names)
print(trace.to_frame(), troubles(), stability_check(every=10))
print(saved.rules, saved.dataset.n, saved.remarks, len(saved), X_val.shape)
