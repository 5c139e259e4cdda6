"""A result in a notebook: its headline and short tables, as HTML that runs nothing and styles only itself."""

from __future__ import annotations

from collections.abc import Iterable

from unmask.documents import AssessmentDocument, ComparisonDocument, KnowledgeDocument, LossDocument
from unmask.documents.study import StudyDocument
from unmask.report import comparison, knowledge, losses, study
from unmask.report.assessment.attacks import AttackRow, attack_rows
from unmask.report.assessment.short import worst_findings
from unmask.report.comparison import release_rows
from unmask.report.decision import DecisionPage, decision
from unmask.report.knowledge.sizes import size_table
from unmask.report.losses.lines import loss_families
from unmask.report.page import templates
from unmask.report.phrases import Reached
from unmask.report.short_table import ShortTable

_MORE = "The whole report: to_html(path); its charts: chart(name), with the names in charts."
_RATES = ("people found", "rate", "95% interval", "chance")


Document = AssessmentDocument | KnowledgeDocument | ComparisonDocument | LossDocument | StudyDocument


def fragment(document: Document) -> str:
    """The result of a document as a part of a page.

    >>> from unmask.documents import Table
    >>> from unmask.documents.sections import FileSizes, ScenarioSection
    >>> scenario, sizes = ScenarioSection("knows 1 attribute", (), "ignore"), FileSizes(3, 3, 3, 0, 3)
    >>> text = fragment(AssessmentDocument("0.1.0", 0, scenario, sizes, (), (), None, Table()))
    >>> text[:26], "not estimable" in text, "<script" in text
    ('<div class="unmask-result"', True, False)
    """
    from markupsafe import Markup

    if isinstance(document, AssessmentDocument):
        page = decision(document)
        headline, tables = " ".join((*page.answer, page.facts)).strip(), _assessed(document, page)
    elif isinstance(document, KnowledgeDocument):
        headline, tables = knowledge.headline(document), _known(document)
    elif isinstance(document, LossDocument):
        headline, tables = losses.headline(document), _lost(document)
    elif isinstance(document, StudyDocument):
        headline, tables = study.headline(document), study.short_tables(document)
    else:
        headline, tables = comparison.headline(document), _compared(document)
    environment = templates()
    style = Markup(environment.get_template("fragment.css").render())
    shown = [table.clipped() for table in tables if table.rows]
    parts = {"style": style, "headline": headline, "tables": shown, "more": _MORE}
    return environment.get_template("fragment.html.jinja").render(**parts)


def _assessed(document: AssessmentDocument, page: DecisionPage) -> Iterable[ShortTable]:
    """The decision page in short, the attacks, and the worst finding of each leading measure."""
    yield ShortTable(
        "Questions and answers",
        ("question", "answer", "of", "beside"),
        tuple((card.question, card.number, card.about or card.why, card.beside) for card in page.cards),
        words=4,
    )
    helping = page.helping
    if helping is not None:
        yield ShortTable(
            f"What would help: without any change, {helping.title} finds {helping.before}",
            ("change", "found after it", "95% interval", "detail lost"),
            tuple((line.text, line.after, line.interval, line.lost) for line in helping.lines),
        )
    attacks = sorted(attack_rows(document), key=lambda row: -row.found.value if row.found else 1.0)
    yield ShortTable(
        "How many people each attack finds",
        ("attack", *_RATES),
        tuple((_informed(row), *_rates(row.found, row.reason)) for row in attacks),
    )
    yield ShortTable(
        "What is learned without linking: the worst of each measure",
        ("measure", "about", "value", "without the release, or by chance"),
        tuple(
            (line.title, line.subject, line.value, f"{line.baseline}{', ' * bool(line.chance)}{line.chance}")
            for line in worst_findings(document)
        ),
        words=2,
    )


def _informed(row: AttackRow) -> str:
    """What an attack is called, and that no intruder can make it where that is so."""
    return f"{row.title} (informed by the truth)" if row.informed else row.title


def _known(document: KnowledgeDocument) -> Iterable[ShortTable]:
    yield ShortTable(
        "The share of people found, by the number of attributes known",
        ("attributes", "set with the highest", "sets", "mean", "highest", "95% interval"),
        tuple(
            (row.size, row.names, row.sets, row.mean, row.rate, row.interval) for row in size_table(document)
        ),
        words=2,
    )


def _compared(document: ComparisonDocument) -> Iterable[ShortTable]:
    yield ShortTable(
        "How many people each attack finds, release by release",
        ("attack", "release", *_RATES),
        tuple((row.title, row.release, *_rates(row.found, row.reason)) for row in release_rows(document)),
        words=2,
    )


def _lost(document: LossDocument) -> Iterable[ShortTable]:
    yield ShortTable(
        "What the release has lost",
        ("loss", "value", "people drawn again", "columns without relation"),
        tuple(
            (line.title, line.value or line.reason, line.again, line.apart)
            for family in loss_families(document)
            for line in family.lines
        ),
    )


def _rates(found: Reached | None, reason: str) -> tuple[str, ...]:
    """The cells of a rate; what has no value gives its reason in place of it."""
    if found is None:
        return (reason, *[""] * (len(_RATES) - 1))
    return (found.correct, found.rate, found.interval, found.chance)
