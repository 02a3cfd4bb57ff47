"""Pages that are made: one for each algorithm, and the repository's own documents."""

import re
from pathlib import Path

from halfmoon import ALGORITHMS
from ssl_core.references import REFERENCES
from ssl_core.registry import in_menu_order

DOCUMENTS = {  # page -> file of the repository
    "notebooks": "docs/notebooks.md",
    "data": "docs/data.md",
    "plugins": "docs/plugins.md",
    "architecture": "docs/architecture.md",
    "contributing": "CONTRIBUTING.md",
    "deployment": "docs/deployment.md",
    "changelog": "CHANGELOG.md",
}
LINK = re.compile(r"\[([^]]+)\]\((?!https?:|#)([^)]+)\)")
PAGE = """{title}
{rule}

{idea}

.. math::

   {objective}

{source} ``halfmoon.make("{id}")`` makes one.

.. currentmodule:: {module}

.. autoclass:: {name}
{methods}
"""
LIST = """Algorithms
==========

``halfmoon.make(id, **settings)`` makes any of them. Each is a scikit-learn classifier
with the methods of :class:`~ssl_core.estimators.base.SemiSupervisedClassifier`;
``iterate`` gives its states one by one, ``trace`` records them.

.. list-table::
   :header-rows: 1
   :widths: 20 30 50

   * - id
     - method
     - idea
{rows}

.. rubric:: References

{references}

.. toctree::
   :hidden:

{pages}
"""


def write_algorithms(folder: Path) -> None:
    """``folder/ID.rst`` for every algorithm of the catalogue, and the list of them."""
    folder.mkdir(exist_ok=True)
    rows = []
    every = [ALGORITHMS[name] for name in in_menu_order()]
    for algorithm in every:
        write_changed(folder / f"{algorithm.id}.rst", page_of(algorithm))
        link = f":doc:`{algorithm.title} <{algorithm.id}>`"
        rows.append(
            f"   * - ``{algorithm.id}``\n     - {link}\n     - {algorithm.idea}"
        )
    text = LIST.format(
        rows="\n".join(rows),
        references="\n".join(f"- {reference}" for reference in REFERENCES.values()),
        pages="\n".join(f"   {algorithm.id}" for algorithm in every),
    )
    write_changed(folder / "index.rst", text)


def page_of(algorithm) -> str:
    kind = algorithm.estimator
    own = [name for name in ("at", "best") if name in vars(kind)]
    return PAGE.format(
        title=algorithm.title,
        rule="=" * len(algorithm.title),
        idea=algorithm.idea,
        objective=algorithm.objective,
        source=algorithm.source,
        id=algorithm.id,
        module=kind.__module__,
        name=kind.__name__,
        methods=f"   :members: {', '.join(own)}" if own else "",
    )


def write_documents(root: Path, folder: Path) -> None:
    """The repository's documents; links to files that are no pages become words."""
    pages = {Path(file).name: page for page, file in DOCUMENTS.items()}

    def linked(found):
        words, target = found.groups()
        page = pages.get(Path(target).name)
        return f"[{words}]({page}.md)" if page else words

    for page, file in DOCUMENTS.items():
        text = (root / file).read_text(encoding="utf-8")
        text = LINK.sub(linked, text).replace("```mermaid", "```text")
        write_changed(folder / f"{page}.md", text)


def write_changed(path: Path, text: str) -> None:
    """What is as before keeps its time, so that Sphinx does not read it again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
