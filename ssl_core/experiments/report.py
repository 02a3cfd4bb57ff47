"""Tables as Markdown and HTML: ours, deviation, published, difference, the verdict."""

import html
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ssl_core.experiments.table import (
    BEATS,
    DUEL,
    MATCHES,
    MISSES,
    OPEN,
    VERDICTS,
    WAITING,
    Protocol,
    Results,
    Summary,
    Table,
    by_chance,
    endings,
    summarise,
    tally,
)
from ssl_core.references import REFERENCES

OWN_LEGEND = (
    "Mean ± standard deviation over the splits. (k) marks a mean over k splits only; † "
    "one with runs that a limit of iterations, nodes or seconds ended."
)
CHANCE = "≈"
SIGNS = {MATCHES: "=", BEATS: "+", MISSES: "−", WAITING: "", OPEN: ""}
LEGEND = (
    "Mean ± standard deviation over the splits; in square brackets the published "
    "number and how far ours is from it; then the verdict: = ours matches it within "
    "the tolerance below the table, ≈ within two standard errors of the difference "
    "(from our deviation, and the paper's where it prints one), + ours is lower, − "
    "higher. (k) marks a mean over k splits only; † one with runs that a limit of "
    "iterations, nodes or seconds ended."
)
LIMITED = "†"


@dataclass(frozen=True, slots=True)
class Kind:
    """A report of some protocols: the papers', or one's own."""

    file: str
    published: bool
    title: str
    head: str


PAPERS = Kind(
    "published",
    True,
    "Published tables, ours and theirs",
    "Made by `halfmoon experiments report`. Each number is a mean over the paper's "
    "splits or, where those are not known, as many of ours; how near is near enough "
    "stands below each table.",
)
OWN = Kind(
    "own",
    False,
    "Tables of your own protocols",
    "Made by `halfmoon experiments report`. Each number is a mean over the splits of "
    "its protocol.",
)
KINDS = (PAPERS, OWN)


def number(summary: Summary, digits: int) -> str:
    """One entry as text."""
    if summary.value is None:
        text = "–"
    else:
        text = f"{summary.value:.{digits}f}"
        if summary.show == DUEL:
            text = " / ".join(map(str, summary.duel))
        if summary.deviation is not None:
            text += f" ± {summary.deviation:.{digits}f}"
        if len(summary.values) < summary.count:
            text += f" ({len(summary.values)})"
        if summary.n_capped:
            text += f" {LIMITED}"
    if summary.chosen:
        text += f" at {summary.chosen}"
    if summary.published is not None:
        sign = CHANCE if summary.by_chance else SIGNS[summary.verdict]
        away = ""
        if summary.difference is not None:
            away = f", {summary.difference:+.{digits}f}"
        text += f" [{summary.published:g}{away}]{sign and f' {sign}'}"
    return text


def verdict_line(table: Table, results: Results) -> str:
    """How the table ends, in a sentence; "" where nothing is judged."""
    counts = tally(table, results)
    judged = sum(counts[v] for v in (MATCHES, BEATS, MISSES, WAITING))
    if not judged:
        return ""
    unit = f" {table.unit}" if table.unit and not table.relative else ""
    within = (
        f"{100 * table.tolerance:g} % of it"
        if table.relative
        else f"{table.tolerance:g}{unit.replace(' %', ' points')}"
    )
    chance = by_chance(table, results)
    parts = [f"{counts[MATCHES]} match (within {within}"]
    parts[0] += f"; {chance} of them within two standard errors)" if chance else ")"
    parts += [f"{counts[BEATS]} lower, {counts[MISSES]} higher"]
    if counts[WAITING]:
        parts.append(f"{counts[WAITING]} incomplete")
    return f"Of {judged} published numbers: {', '.join(parts)}."


def limits_line(table: Table, results: Results) -> str:
    """How many runs a limit ended, in sentences; "" where none did and all say so."""
    n_runs, n_capped, n_unmarked = endings(table.cells, results)
    sentences = []
    if n_capped:
        sentences.append(f"{LIMITED} A limit ended {n_capped} of {n_runs} runs.")
    if n_unmarked:
        sentences.append(
            f"{n_unmarked} of {n_runs} runs do not record whether a limit ended them, "
            f"and carry no mark."
        )
    return " ".join(sentences)


def markdown(protocol: Protocol, results: Results, only=None) -> str:
    """The report of a protocol."""
    lines = [f"# {protocol.title}", ""]
    if protocol.paper:
        lines += [f"{REFERENCES[protocol.paper]}", ""]
    lines += [f"Made by `halfmoon experiments report`. {protocol.head}".strip(), ""]
    lines += [legend(protocol.tables), ""]
    for table in _wanted(protocol, only):
        lines += [f"## {table.title}", ""]
        lines.append("| | " + " | ".join(map(_piped, table.columns)) + " |")
        lines.append("|---" * (len(table.columns) + 1) + "|")
        for row, found in body(table, results):
            texts = (row, *(text for text, _ in found))
            lines.append("| " + " | ".join(map(_piped, texts)) + " |")
        for text in words_below(table, results):
            if text:
                lines += ["", text]
        lines.append("")
    return "\n".join(lines) + (protocol.notes and f"\n{protocol.notes}")


def legend(tables: Iterable[Table]) -> str:
    """How a number is read; what nobody published needs fewer words."""
    published = any(
        table.paper or any(e.published is not None for e in table.entries.values())
        for table in tables
    )
    return LEGEND if published else OWN_LEGEND


def words_below(table: Table, results: Results) -> tuple[str, ...]:
    return table.note, verdict_line(table, results), limits_line(table, results)


def _piped(text: str) -> str:
    """A text as a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def body(table: Table, results: Results) -> Iterator[tuple[str, list[tuple]]]:
    """Rows: each number as text, and its verdict where it has a sign."""
    for row in table.rows:
        found = []
        for column in table.columns:
            entry = table.entries.get((row, column))
            if entry is None:
                found.append(("", ""))
                continue
            summary = summarise(table, entry, results)
            digits = table.digits if entry.digits is None else entry.digits
            kind = summary.verdict if SIGNS[summary.verdict] else ""
            found.append((number(summary, digits), kind))
        yield row, found


def file_name(protocol: Protocol) -> str:
    """The key as part of a file's name: that of a protocol of one's own has a colon."""
    return protocol.key.replace(":", ".")


def _wanted(protocol: Protocol, only) -> list[Table]:
    return [t for t in protocol.tables if only is None or t.key in only]


def overview(
    protocols: Sequence[Protocol], results: Results, kind: Kind = PAPERS
) -> str:
    """All tables in one: how many numbers match, beat or miss the papers'."""
    lines = [
        f"# {kind.title}",
        "",
        kind.head,
        "",
        "| table | paper | cells | " + " | ".join(VERDICTS[:4]) + " |",
        "|---|---|---|" + "---|" * 4,
    ]
    totals = dict.fromkeys(VERDICTS, 0)
    for protocol in protocols:
        for table in protocol.tables:
            counts = tally(table, results)
            totals = {v: totals[v] + counts[v] for v in VERDICTS}
            cells = table.cells
            done = sum(cell.spec in results for cell in cells)
            numbers = " | ".join(f"{counts[v]}" for v in VERDICTS[:4])
            lines.append(
                f"| [{_piped(table.title)}]({file_name(protocol)}.md) (`{table.key}`) "
                f"| {table.paper or '–'} "
                f"| {done} of {len(cells)} | {numbers} |"
            )
    numbers = " | ".join(f"**{totals[v]}**" for v in VERDICTS[:4])
    lines.append(f"| **all** | | | {numbers} |")
    if kind.published:
        lines += ["", *_by_paper(protocols, results)]
    return "\n".join(lines) + "\n"


def _by_paper(protocols: Sequence[Protocol], results: Results) -> list[str]:
    """The verdicts of each paper, and how many of the matches are due to chance."""
    counts: dict[str, Counter[str]] = {}
    for table in (table for protocol in protocols for table in protocol.tables):
        found = counts.setdefault(table.paper, Counter())
        found.update(tally(table, results))
        found[CHANCE] += by_chance(table, results)
    lines = [
        "| paper | published | matches | of these within the tolerance | within two "
        "standard errors | lower | higher |",
        "|---|---|---|---|---|---|---|",
    ]
    counts["**all**"] = sum(counts.values(), Counter())
    for paper, found in counts.items():
        judged = sum(found[v] for v in VERDICTS if v != OPEN)
        if not judged:
            continue
        near = found[MATCHES] - found[CHANCE]
        shown = (judged, found[MATCHES], near, found[CHANCE])
        numbers = " | ".join(map(str, (*shown, found[BEATS], found[MISSES])))
        lines.append(f"| {paper} | {numbers} |")
    return lines


# -- HTML -----------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto;
  padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child { text-align: left; }
.matches { color: #0f8a5f; } .beats { color: #1f6feb; } .misses { color: #c2410c; }
@media (prefers-color-scheme: dark) {
  .matches { color: #3fcf9b; } .beats { color: #5b9bff; } .misses { color: #ff8a4c; }
}
"""


def as_html(
    protocols: Iterable[Protocol], results: Results, only=None, kind: Kind = PAPERS
) -> str:
    """One page with all tables, nothing loaded from elsewhere."""
    protocols = list(protocols)
    words = legend(table for protocol in protocols for table in protocol.tables)
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width'>",
        f"<title>{kind.title.partition(',')[0]}</title><style>{STYLE}</style>",
        f"<h1>{kind.title}</h1><p>{html.escape(words)}</p>",
    ]
    for protocol in protocols:
        tables = _wanted(protocol, only)
        if not tables:
            continue
        parts.append(f"<h2>{html.escape(protocol.title)}</h2>")
        if protocol.paper:
            parts.append(f"<p>{html.escape(str(REFERENCES[protocol.paper]))}</p>")
        parts.append(f"<p>{html.escape(protocol.head)}</p>")
        parts += [_html_table(table, results) for table in tables]
    return "\n".join(parts) + "\n</html>\n"


def _html_table(table: Table, results: Results) -> str:
    head = "".join(f"<th scope='col'>{html.escape(c)}</th>" for c in table.columns)
    rows = []
    for row, found in body(table, results):
        cells = [f"<th scope='row'>{html.escape(row)}</th>"]
        cells += [
            f"<td class='{kind}'>{html.escape(text)}</td>" for text, kind in found
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    words = words_below(table, results)
    sentences = "".join(f"<p>{html.escape(text)}</p>" for text in words if text)
    title = html.escape(table.title)
    return (
        f"<h3 id='{table.key}'>{title}</h3><table><thead><tr><td></td>{head}</tr>"
        f"</thead><tbody>{''.join(rows)}</tbody></table>{sentences}"
    )
