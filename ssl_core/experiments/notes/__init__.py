"""What has to be said of the tables, a Markdown file for each protocol."""

from pathlib import Path

HERE = Path(__file__).parent


def note(key: str) -> str:
    """The text for a protocol; "" where there is none."""
    path = HERE / f"{key}.md"
    return path.read_text(encoding="utf-8") if path.exists() else ""
