"""What the command line shows: tables and sentences. Results go to stdout, the rest to stderr."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from unmask.documents import (
    EXPECTED,
    LENIENT,
    STRICT,
    AssessmentDocument,
    ComparisonDocument,
    KnowledgeDocument,
)
from unmask.documents.understanding import UnderstandingSection
from unmask.measures.estimate import Estimate
from unmask.report import headline, knowledge
from unmask.report.assessment import sources
from unmask.report.assessment.both_files import both_lines, both_reasons
from unmask.report.assessment.divisions import division_rows, error_rates
from unmask.report.assessment.inapplicable import inapplicable, inapplicable_measures
from unmask.report.assessment.meaning import permutations
from unmask.report.assessment.readings import in_groups
from unmask.report.assessment.sampled import sampled
from unmask.report.assessment.short import unfounded, worst_findings
from unmask.report.assessment.worst_case import worst_cases
from unmask.report.assessment.worst_case_words import legend
from unmask.report.comparing import Compared
from unmask.report.comparison import releases
from unmask.report.knowledge import minimal, sizes
from unmask.report.knowledge.settings import ERRORS, SHARES, SettingRow
from unmask.report.numbers import count, percent
from unmask.report.phrases import Reached, no_more_than_chance, not_estimable, sentence
from unmask.report.understanding import change_rows, in_short, remaining_notes
from unmask.visible import visible, visible_line


class SafeConsole(Console):
    """A console for texts that hold names of columns and files: nothing in them commands the terminal.

    Brackets and colons are no markup, and control characters are shown as what they are.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """A text as it is printed, alone or in a table."""
        return super().render_str(visible(text), **options)


out = SafeConsole()
if not out.is_terminal:
    out.width = 100  # a pipe or a file has no width of its own
err = SafeConsole(stderr=True)


@contextmanager
def at_the_end() -> Iterator[None]:
    """What is printed meanwhile comes out when all went well; an error then stands alone."""
    with out.capture() as printed:
        yield
    out.file.write(printed.get())
    out.file.flush()


def show_assessment(document: AssessmentDocument) -> None:
    """What was understood of the files, the findings in a sentence, then one row per attack and measure."""
    _show_linkage(document)
    _show_rest(document)


def _show_linkage(document: AssessmentDocument) -> None:
    """What was understood of the files, the best attack in a sentence, then all attacks.

    ">" marks the worst attack.
    """
    show_understood(document.understood)
    say([headline(document)])
    if document.attacks:
        out.print()
        _show_attacks(document)
    if division_rows(document):
        out.print()
        _show_divisions(document)
    if worst_cases(document):
        out.print()
        _show_worst_case(document)
    if document.releases is not None:
        out.print()
        _show_releases(document)
    if document.sources is not None:
        out.print()
        say(sources.sentences(document))


def _show_rest(document: AssessmentDocument) -> None:
    """What follows the attacks: what is learned without linking, and notes."""
    if len(document.of_file):
        out.print()
        _show_findings(document)
    both = both_lines(document)
    if both:
        out.print()
        show_rows(
            ("before and after", "original", "released"),
            [(line.title, line.original, line.released) for line in both],
        )
        say(both_reasons(document))
    say(_inapplicable(document))
    say(permutations(document))
    of_attacks = [f"{attack.name}: {note}" for attack in document.attacks for note in attack.notes]
    say(f"note: {note}" for note in (*remaining_notes(document), *of_attacks))


def show_comparison(document: ComparisonDocument) -> None:
    """The comparison of releases in sentences, then one row per attack and release."""
    show_understood(document.understood)
    _show_releases(document)


def show_knowledge(document: KnowledgeDocument) -> None:
    """The findings in a sentence, then risk by size, the minimal sets, and the other curves."""
    show_understood(document.understood)
    say([knowledge.headline(document)])
    out.print()
    rows = [
        (row.size, row.sets, row.mean, row.rate, row.interval, row.names)
        for row in sizes.size_table(document)
    ]
    show_rows(("known", "sets", "mean", "highest", "95% interval", "set with the highest"), rows)
    say(sizes.sets(document))
    _show_minimal(document)
    for setting in (ERRORS, SHARES):
        points = setting.rows(document)
        if points:
            out.print()
            titles = (setting.column, "correct", "rate", "95% interval", "chance", "attack")
            show_rows(titles, [(row.setting, *_outcome(row), row.name) for row in points])
    say(f"note: {note}" for note in remaining_notes(document))


def show_rows(titles: tuple[str, ...], rows: Sequence[tuple[str, ...]], console: Console = out) -> None:
    """A plain table."""
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*map(visible_line, row))
    console.print(table)


def say(sentences: Iterable[str], console: Console = out) -> None:
    """Sentences, one per line; a long one is wrapped by the terminal."""
    for one in sentences:
        console.print(visible_line(one), soft_wrap=True)


def show_understood(understood: UnderstandingSection | None) -> None:
    """How the release came from the original, in a few lines before any number."""
    if understood is not None:
        say(in_short(understood))
        out.print()


def show_evidence(understood: UnderstandingSection | None) -> None:
    """The evidence for what was understood, on stderr as all that is told of how the work was done."""
    if understood is None:
        return
    say([sentence(understood.rows.sentence)], err)
    rows = [(one.attribute, one.what, one.strength, one.evidence) for one in change_rows(understood)]
    if rows:
        show_rows(("attribute", "what happened", "strength", "evidence"), rows, err)
    say((f"still in the release: {left.column}: {left.why}" for left in understood.leftovers), err)


def _show_attacks(document: AssessmentDocument) -> None:
    table = RichTable("", box=None, pad_edge=False, padding=(0, 1), header_style="bold")
    table.add_column("attack", overflow="fold", min_width=11)
    samples = sampled(document)
    of = ("of",) if samples else ()
    for title in ("correct", *of, "rate", "95% interval", "strict-lenient", "chance", "p-value"):
        # A long reason stands in the first of them: it is folded before any number is cut.
        table.add_column(title, justify="right", no_wrap=title != "correct", overflow="fold")
    for attack, by_measure in _by_attack(document).items():
        table.add_row(">" if document.worst == attack else "", attack, *_row(by_measure, samples))
    out.print(table)


def _by_attack(document: AssessmentDocument) -> dict[str, dict[str, Estimate]]:
    grouped: dict[str, dict[str, Estimate]] = {}
    for row in document.table.attacks:
        grouped.setdefault(row.keys.attack or "", {})[row.keys.measure] = row.estimate
    return grouped


def _row(by_measure: Mapping[str, Estimate], samples: bool) -> list[str]:
    """An attack's numbers; ``samples``: with the number of people of whom they are."""
    main = by_measure.get(EXPECTED) or next(iter(by_measure.values()))
    found = Reached.of(main)
    if found is None:
        return [not_estimable(main)]
    strict, lenient = (Reached.of(by_measure.get(measure)) for measure in (STRICT, LENIENT))
    return [
        count(found.hits),
        *([count(main.n)] if samples else []),
        found.rate,
        _span(main.low, main.high),
        "" if strict is None or lenient is None else _span(strict.value, lenient.value),
        found.chance,
        found.p_value,
    ]


def _span(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "not estimable"
    start = "0" if low < 5e-6 else percent(low).removesuffix("%")
    return f"{start} - {percent(high)}"


def _show_divisions(document: AssessmentDocument) -> None:
    """Linked, clerical and non-linked pairs, and their errors."""
    rows = [(row.attack, row.name, row.pairs, row.expected, row.matches) for row in division_rows(document)]
    show_rows(("attack", "pairs", "number", "matches by the model", "matches in truth"), rows)
    say(error_rates(document))


def _show_worst_case(document: AssessmentDocument) -> None:
    """What is proven of the attacks that the truth informed."""
    table = RichTable(box=None, pad_edge=False, padding=(0, 1), header_style="bold")
    table.add_column("informed by the truth", overflow="fold", min_width=11)
    titles = ["found", "at most", "proof", "found, on others", "without a twin"]
    groups = in_groups(document)
    for title in [*titles, "right links", "right, on others"] if groups else titles:
        table.add_column(title, justify="right")
    for row in worst_cases(document):
        # What no distance can pass stands beside every result.
        cells = [row.found, row.bound, row.status, row.holdout, row.ceiling]
        table.add_row(row.name, *cells, *([row.links, row.holdout_links] if groups else []))
    out.print(table)
    say([legend(document)])


def _show_findings(document: AssessmentDocument) -> None:
    """One row per measure of the file: its worst finding; then the measures that found nothing, and why.

    "of": how many people or records the value speaks of, and of how many where not of all.
    """
    rows = worst_findings(document)
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    table.add_column("without linking", overflow="fold")
    table.add_column("about", overflow="fold")
    for name in ("value", "of", "95% interval", "otherwise"):
        table.add_column(name, justify="right", overflow="fold")
    for row in rows:
        about = row.subject + (f" (and {row.others} more)" if row.others else "")
        otherwise = f"{row.baseline}: no finding" if row.chance else row.baseline
        table.add_row(row.name, about, row.value, row.n, row.interval, otherwise)
    if rows:
        out.print(table)
    say(unfounded(document))
    valued = [row.estimate for row in document.of_file if row.estimate.estimable]
    rest = sum(not no_more_than_chance(one) for one in valued) - sum(not row.chance for row in rows)
    if rest:
        out.print(f"{rest} more {'finding' if rest == 1 else 'findings'}: see --html, --json and --records")


def _inapplicable(document: AssessmentDocument) -> list[str]:
    """That measures do not apply to the release; why, where they were asked for by name."""
    if document.named:
        return inapplicable(document, str)  # by the names that were asked for
    n = len(inapplicable_measures(document))
    if not n:
        return []
    which = "1 measure does" if n == 1 else f"{n} measures do"
    return [f"{which} not apply to this kind of release: --html, --json and --verbose say why"]


def _show_releases(document: Compared) -> None:
    say(releases.sentences(document))
    out.print()
    rows = []
    for row in document.table.where(measure=EXPECTED, curve=None).having("release"):
        found, about = Reached.of(row.estimate), (row.keys.attack or "", row.keys.release or "")
        if found is None:
            rows.append((*about, "not estimable", "", "", ""))
        else:
            rows.append((*about, count(found.hits), found.rate, found.interval, found.p_value))
    show_rows(("attack", "release", "correct", "rate", "95% interval", "p-value"), rows)


def _show_minimal(document: KnowledgeDocument) -> None:
    told, found, most = minimal.minimal(document), minimal.minimal_points(document), minimal.MOST_SETS
    if told:
        out.print()
    say(told)
    if found:
        rows = [(one.found.rate, one.found.interval, one.attack, one.names) for one in found[:most]]
        show_rows(("risk", "95% interval", "attack", "minimal set"), rows)
    if len(found) > most:
        out.print(f"and {len(found) - most} more (--json has them all)")


def _outcome(row: SettingRow) -> tuple[str, str, str, str]:
    found = row.found
    if found is None:
        return row.reason, "", "", ""
    return found.correct, found.rate, found.interval, found.chance
