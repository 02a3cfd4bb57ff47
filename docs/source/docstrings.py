"""Docstrings as Sphinx reads them.

Ours are written for eyes: norms are |w|, formulas stand indented. Sphinx takes the
first for a substitution and the second for a quotation.
"""

import re

LITERAL = re.compile(r"(``.*?``)")
UNDERLINE = re.compile(r"\s*-{3,}\s*$")


def for_sphinx(app, what, name, obj, options, lines):
    """Escape bars, and make indented paragraphs before the first section literal."""
    sections = [i for i, line in enumerate(lines) if UNDERLINE.match(line)]
    end = sections[0] - 1 if sections else len(lines)
    lines[:] = [*literal_blocks(lines[:end]), *map(without_bars, lines[end:])]


def literal_blocks(lines):
    """Indented paragraphs become literal blocks; bars of other lines are escaped."""
    found, inside = [], False
    for i, line in enumerate(lines):
        indented = line.startswith("    ")
        if indented and not inside and (i == 0 or not lines[i - 1].strip()):
            inside = True
            if not any(before.strip().endswith("::") for before in found[-2:]):
                found += [".. code-block:: text", ""]
        elif line.strip() and not indented:
            if inside and found[-1].strip():
                found.append("")
            inside = False
        found.append(line if inside else without_bars(line))
    return found


def without_bars(line):
    parts = LITERAL.split(line)
    return "".join(p if p.startswith("``") else p.replace("|", r"\|") for p in parts)
