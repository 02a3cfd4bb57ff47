"""``python -m ssl_core`` prints the table of algorithms, as the README shows it."""

from ssl_core import ALGORITHMS
from ssl_core.registry import in_menu_order

HEADER = ("id", "method", "paper", "problem", "solver")


def algorithm_table() -> str:
    """Markdown table, one row per registered algorithm."""
    rows = [HEADER, ("---",) * len(HEADER)]
    for entry in (ALGORITHMS[name] for name in in_menu_order()):
        rows.append(
            (
                f"`{entry.id}`",
                entry.title,
                f"[{entry.paper}] {entry.section}" if entry.paper else "",
                f"`{entry.problem}`",
                f"`{entry.solver}`",
            )
        )
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


if __name__ == "__main__":
    print(algorithm_table())
