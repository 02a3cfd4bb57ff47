"""How the folders of the repository become the packages of a wheel; all else about it
is in pyproject.toml.

`datasets` becomes `halfmoon.datasets`, and so on (halfmoon/__init__.py), and what the
command `halfmoon` starts comes along: app.py, its settings, finished experiments.
"""

import shutil
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

DATA = "css html js json md pyi svg ts"
PARTS = ("common", "datasets", "notebook", "pages", "scenario", "stage", "views")
ALONG = {  # file or folder of the repository -> where it is in the package
    "app.py": "served/app.py",
    ".streamlit/config.toml": "served/.streamlit/config.toml",
    "docs/tables/cells": "docs/tables/cells",
}


class Build(build_py):
    def run(self):
        super().run()
        if self.editable_mode:  # everything is read from the repository
            return
        for source, target in ALONG.items():
            path = Path(self.build_lib, "halfmoon", target)
            path.parent.mkdir(parents=True, exist_ok=True)
            if Path(source).is_dir():
                shutil.copytree(source, path, dirs_exist_ok=True)
            else:
                shutil.copyfile(source, path)


def packages(*names):
    return find_namespace_packages(include=[p for n in names for p in (n, f"{n}.*")])


setup(
    packages=[
        *(p for p in packages("halfmoon", "ssl_core") if "__pycache__" not in p),
        *(f"halfmoon.{p}" for p in packages(*PARTS) if "__pycache__" not in p),
    ],
    package_dir={f"halfmoon.{part}": part for part in PARTS},
    package_data={"": [*(f"*.{ending}" for ending in DATA.split()), "py.typed"]},
    cmdclass={"build_py": Build},
)
