"""The scenario: everything a screen shows, as one frozen value.

A `Scenario` says in which setting (data, labels, points held out) which methods
(algorithm, parameters, start) run, and how they are looked at. It holds no arrays and
knows no widget, so it can be compared, hashed, sent as a link (`to_url`, `from_url`)
and saved (`to_json`, `from_json`). Whatever comes back from outside is checked against
the registries; what does not pass is replaced by a default and told in a friendly
remark. Every field is declared once, in `fields`.
"""

from pages._parts.scenario.fields import RESERVED, VERSION, to_tree
from pages._parts.scenario.limits import (
    MAX_CHAIN,
    MAX_DRAWN,
    MAX_HAND,
    MAX_LINK,
    MAX_LISTS,
    MAX_METHODS,
    MAX_NAMES,
    MAX_UNPACKED,
    MAX_URL,
)
from pages._parts.scenario.link import pack
from pages._parts.scenario.method import Method, Start, suggested
from pages._parts.scenario.names import file_name, seen
from pages._parts.scenario.scenario import Scenario, default
from pages._parts.scenario.setting import (
    Setting,
    data_knobs,
    data_title,
    default_labels,
)
from pages._parts.scenario.values import (
    COUNT,
    DRAW,
    DRAWN,
    N_TEST,
    N_VAL,
    PROJECTIONS,
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
    "DRAW",
    "DRAWN",
    "MAX_CHAIN",
    "MAX_DRAWN",
    "MAX_HAND",
    "MAX_LINK",
    "MAX_LISTS",
    "MAX_METHODS",
    "MAX_NAMES",
    "MAX_UNPACKED",
    "MAX_URL",
    "N_TEST",
    "N_VAL",
    "PROJECTIONS",
    "RESERVED",
    "SEED",
    "UPLOAD",
    "VERSION",
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
    "default_labels",
    "file_name",
    "pack",
    "pairs",
    "seen",
    "suggested",
    "to_tree",
]
