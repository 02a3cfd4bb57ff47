"""What `import halfmoon` offers; `__init__.py` reads the names from here."""

from pathlib import Path

import ssl_core as ssl_core
from halfmoon import datasets as datasets
from halfmoon import model_selection as model_selection
from halfmoon.common import plugins as plugins
from halfmoon.datasets import DATASETS as DATASETS
from halfmoon.datasets import Dataset as Dataset
from halfmoon.datasets import hide_labels as hide_labels
from halfmoon.datasets import load as load
from halfmoon.datasets import read_svmlight as read_svmlight
from halfmoon.datasets import read_table as read_table
from halfmoon.datasets import register_dataset as register_dataset
from halfmoon.datasets import split as split
from halfmoon.datasets import telling_points as telling_points
from halfmoon.datasets import write_svmlight as write_svmlight
from halfmoon.notebook import lab as lab
from halfmoon.scenarios import SavedScenario as SavedScenario
from halfmoon.scenarios import open_scenario as open_scenario
from halfmoon.views import Page as Page
from halfmoon.views import page_of as page_of
from halfmoon.views import trace_view as trace_view
from ssl_core import ALGORITHMS as ALGORITHMS
from ssl_core import Algorithm as Algorithm
from ssl_core import Curve as Curve
from ssl_core import Event as Event
from ssl_core import NamedRule as NamedRule
from ssl_core import Retraining as Retraining
from ssl_core import State as State
from ssl_core import Status as Status
from ssl_core import Trace as Trace
from ssl_core import balanced_labels as balanced_labels
from ssl_core import gradient_norm as gradient_norm
from ssl_core import judge as judge
from ssl_core import make as make
from ssl_core import mixed_check as mixed_check
from ssl_core import mixed_product as mixed_product
from ssl_core import objective_decrease as objective_decrease
from ssl_core import preconditioned_norm as preconditioned_norm
from ssl_core import register_algorithm as register_algorithm
from ssl_core import register_rule as register_rule
from ssl_core import retrained_objective as retrained_objective
from ssl_core import stability_check as stability_check
from ssl_core import stopping as stopping
from ssl_core import validation_check as validation_check
from ssl_core.experiments import register_protocol as register_protocol
from ssl_core.model_selection import sweep as sweep

__version__: str
HOME: Path
INSTALLED: bool
