"""The packages as an installation has them."""

from pathlib import Path

from halfmoon import PARTS

ROOT = Path(__file__).parents[1]


def as_installed(folder: Path) -> Path:
    """Links to the folders of this repository, laid out as in a wheel."""
    (folder / "halfmoon").mkdir(parents=True)
    (folder / "ssl_core").symlink_to(ROOT / "ssl_core")
    for path in [*(ROOT / "halfmoon").iterdir(), *(ROOT / part for part in PARTS)]:
        if path.name != "__pycache__":
            (folder / "halfmoon" / path.name).symlink_to(path)
    return folder
