"""What tests of pages share."""

from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(scope="session", autouse=True)
def packages_searched_once():
    """Streamlit looks for components in all packages, anew for each app under test."""
    found = pytest.MonkeyPatch()
    found.setattr(
        manifest_scanner,
        "scan_component_manifests",
        cache(manifest_scanner.scan_component_manifests),
    )
    yield
    found.undo()
