"""The scenario: everything a screen shows, as one frozen value.

A `Scenario` says in which setting (data, labels, points held out) which methods
(algorithm, parameters, start) run, and how they are looked at. It holds no arrays and
knows no widget, so it can be compared, hashed, sent as a link (`to_url`, `from_url`)
and saved (`to_json`, `from_json`). Whatever comes back from outside is checked against
the registries; what does not pass is replaced by a default and told in a friendly
remark. Every field is declared once, in `fields`.

From the value to a run: `learning_problem` poses it as arrays, `refusals` has the
reasons against one, `solving` makes one, `saved_file` carries a visitor's own data
along, and `headlines` has the words. The app and `halfmoon.open_scenario` share all of
this.
"""

from halfmoon.scenario.fields import RESERVED
from halfmoon.scenario.limits import (
    MAX_DRAWN,
    MAX_HAND,
    MAX_METHODS,
    MAX_URL,
)
from halfmoon.scenario.method import Method, Start, suggested
from halfmoon.scenario.names import visible
from halfmoon.scenario.scenario import Scenario, default
from halfmoon.scenario.setting import Setting, data_knobs, data_title
from halfmoon.scenario.values import (
    COUNT,
    DRAWN,
    N_TEST,
    N_VAL,
    SEED,
    UPLOAD,
    Drawing,
    Labels,
    Pairs,
    Upload,
    View,
    pairs,
)

__all__ = [
    "COUNT",
    "DRAWN",
    "MAX_DRAWN",
    "MAX_HAND",
    "MAX_METHODS",
    "MAX_URL",
    "N_TEST",
    "N_VAL",
    "RESERVED",
    "SEED",
    "UPLOAD",
    "Drawing",
    "Labels",
    "Method",
    "Pairs",
    "Scenario",
    "Setting",
    "Start",
    "Upload",
    "View",
    "data_knobs",
    "data_title",
    "default",
    "pairs",
    "suggested",
    "visible",
]
