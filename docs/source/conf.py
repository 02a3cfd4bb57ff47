"""Settings of the documentation: `make docs`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

from docstrings import for_sphinx  # noqa: E402
from plotly_scraper import plotly_figures, write_plotly  # noqa: E402
from written_pages import write_algorithms, write_documents  # noqa: E402

import halfmoon  # noqa: E402

project = "Halfmoon"
author = "The Halfmoon developers"
copyright = author
release = version = halfmoon.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["examples/*.ipynb"]
nitpicky = False
suppress_warnings = [
    "config.cache",  # the scraper is a function, which no cache keeps
]

default_role = "autolink"
autodoc_typehints = "none"  # the docstrings name types in words
autodoc_member_order = "bysource"
autodoc_default_options = {"exclude-members": "set_fit_request, set_score_request"}
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "examples",
    "image_scrapers": ("matplotlib", plotly_figures),
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "within_subsection_order": "FileNameSortKey",
    "reference_url": {"halfmoon": None, "ssl_core": None},
}

html_theme = "pydata_sphinx_theme"
html_title = f"Halfmoon {version}"
html_static_path = ["_static"]
html_css_files = ["figures.css"]
html_js_files = ["plotly.min.js"]
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": False,
    "header_links_before_dropdown": 3,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}

write_algorithms(HERE / "algorithms")
write_documents(ROOT, HERE)
write_plotly(HERE / "_static")

BEFORE_NUMPYDOC = 100


def setup(app):
    app.connect("autodoc-process-docstring", for_sphinx, priority=BEFORE_NUMPYDOC)
