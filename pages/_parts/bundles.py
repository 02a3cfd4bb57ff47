"""The JavaScript of the pages' components, as `npm run build` bundles it."""

from pathlib import Path

DIST = Path(__file__).parent / "dist"


def bundle(name: str) -> str:
    """The ES module made of the component `name`, wherever its source lies."""
    return (DIST / f"{name}.js").read_text(encoding="utf-8")
