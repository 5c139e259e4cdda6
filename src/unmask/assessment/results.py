"""Assessment: what was found, as one table, record by record, as JSON and as a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from unmask.about import About
from unmask.assessment.records import record_table
from unmask.assessment.result import DocumentResult
from unmask.assessment.runs import Run, together
from unmask.assessment.session import Session
from unmask.assessment.stage import Stage
from unmask.attacks import UNION_ABOUT
from unmask.data.microdata import Ints
from unmask.documents import ASSESSMENT, BASELINE, UNION, AssessmentDocument, Table
from unmask.documents.conclusion import ConclusionSection
from unmask.documents.division import DivisionSection
from unmask.documents.sections import (
    AttackSection,
    KnownAttribute,
    LessonSection,
    Methods,
    RandomTruths,
    ReleasesSection,
    ScenarioSection,
    SourcesSection,
)
from unmask.documents.understanding import UnderstandingSection
from unmask.engines.memory import give_back
from unmask.errors import ArgumentError
from unmask.intruder.scenario import Scenario
from unmask.linkage.links import Standing
from unmask.measures.estimate import Keys, Row
from unmask.policies import VerdictSection, judge

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Assessment(DocumentResult[AssessmentDocument]):
    """What was found. The document holds counts and shares; what is said of single records is beside it.

    ``runs`` and ``rows``: what the attacks and the measures of the file said of each record, and ``targets``:
    the people tried, by their rows in the original file; an assessment that was read from JSON has none.
    ``names``: theirs, where people are read from points or ties.
    """

    format = ASSESSMENT
    runs: tuple[Run, ...] = ()
    rows: tuple[Row, ...] = ()
    targets: Ints | None = None
    names: pl.Series | None = None

    def table(self, *, conclusion: bool = False) -> pl.DataFrame:
        """One row per estimate: what it speaks of (scenario, attack, measure, ...) and its numbers.

        ``conclusion``: also the rows of other intruders, groups and releases that a conclusion compares this
        one with, and those of the references of losses; their ``curve`` says which.
        """
        import polars as pl

        table = self.document.table if conclusion else self.document.table.where(curve=None)
        return table.frame().with_columns(pl.lit(self.document.scenario.text).alias("scenario"))

    @property
    def verdict(self) -> VerdictSection | None:
        """What the policy says, criterion by criterion; None where the assessment was asked for without one.

        :func:`unmask.judge` judges by another one.
        """
        return self.document.verdict

    def worst(self, measure: str | None = None) -> Row:
        """The attack that does most under a measure (the first one measured); see :func:`worst_attack`."""
        return worst_attack(self.document.table, self.document.attacks, measure)

    def records(self) -> pl.DataFrame:
        """One row per target: its row in the original file (from 0), and how it stands under each attack.

        ``belief`` is the intruder's belief in the truth, ``closer`` and ``tied`` as in Standing, and
        ``p_value`` the chance that a random released record stands as well (null where more than the
        counted records are closer). Each measure of the file that speaks of single records adds a column
        (an empty one if it cannot be estimated: the document says why), ``unmeasured`` names those that say
        nothing of this person, and ``why`` says what found them, why they stand out, or that they are not in
        the release; it names attributes, never values. People who are read from points or ties are named, and
        ``row`` is their place in the order of names.
        """
        if self.targets is None:
            raise ArgumentError(
                "an assessment's JSON says nothing of single records",
                hint="assess the files again, with --records FILE or records()",
            )
        give_back()  # what the files took: the table of many people is large
        table = record_table(self.targets, self.document.sizes.released, self.runs, self.rows)
        return table if self.names is None else table.insert_column(1, self.names)


def assessment_of(
    session: Session,
    runs: Sequence[Run],
    rows: Sequence[Row],
    abouts: Mapping[str, About],
    losses: Sequence[Row] = (),
    more: Sequence[Row] = (),
    releases: ReleasesSection | None = None,
    sources: SourcesSection | None = None,
    conclusion: ConclusionSection | None = None,
) -> Assessment:
    """The assessment of a session: ``rows`` are those of measures of the file, ``more`` those of its other
    sections.
    """
    stage, request = session.stage(), session.request
    attacks = tuple(_attack(run, session.sizes(stage).released) for run in runs)
    table = Table((*attack_rows(runs, stage), *rows, *losses, *more))
    present = bool(attacks) and len(stage.truth.present) > 0
    document = AssessmentDocument(
        unmask=version("unmask"),
        seed=request.seed,
        scenario=scenario_section(request.scenario, stage, len(session.files.original)),
        sizes=session.sizes(stage),
        notes=session.notes,
        attacks=attacks,
        worst=worst_attack(table, attacks).keys.attack if present else None,
        table=table,
        named=request.measures is not None,
        releases=releases,
        sources=sources,
        methods=methods_of(table, {**_abouts(runs), **abouts}),
        provenance=session.provenance(),
        understood=UnderstandingSection.of(session.files.understanding),
        conclusion=conclusion,
        losses=tuple(dict.fromkeys(row.keys.measure for row in losses)),
    )
    if session.policy is not None:
        document = replace(document, verdict=judge(document, session.policy))
    targets, names = stage.people[stage.tried], session.inputs.names
    named = None if names is None else names.gather(targets)
    return Assessment(document, tuple(runs), tuple(rows), targets, named)


def attack_rows(runs: Sequence[Run], stage: Stage) -> tuple[Row, ...]:
    """One row per attack and measure, then the union of the attacks."""
    rows = [Row(Keys(name, run.attack), e) for run in runs for name, e in run.estimates.items()]
    rows += [Row(Keys(name, UNION), e) for name, e in together(runs, stage).items()]
    return tuple(rows)


def worst_attack(table: Table, attacks: Iterable[AttackSection], measure: str | None = None) -> Row:
    """The row of the attack that does most under a measure (the first one measured).

    The union is not an attack. Attacks informed by the truth come into it only if there are no others, and
    an attack that does no better than a guess is not the worst: the guess is.
    """
    rows = table.attacks.rows
    measure = measure or (rows[0].keys.measure if rows else "reidentification")
    attacks = tuple(attacks)
    real = any(not attack.informed and not attack.baseline for attack in attacks)
    allowed = {attack.name for attack in attacks if not (attack.informed and real)}
    found = [
        row
        for row in rows
        if row.keys.measure == measure and row.keys.attack in allowed and row.estimate.estimable
    ]
    if not found:
        raise ArgumentError(
            f"no attack has a value of '{measure}'", hint=f"assess with measures=['{measure}']"
        )
    # Ties are shared out in fractions, whose sums differ in their last digits.
    return max(found, key=lambda r: (round(r.estimate.number or 0.0, 12), r.keys.attack == BASELINE))


def scenario_section(scenario: Scenario, stage: Stage, people: int) -> ScenarioSection:
    """Who the intruder is assumed to be, before this stage."""
    known = stage.dossier.known.schema
    return ScenarioSection(
        scenario.describe(people),
        tuple(KnownAttribute(column.name, column.kind.value) for column in known),
        stage.dossier.missing.value,
        scenario.largest_error,
        scenario.block,
    )


def methods_of(table: Table, abouts: Mapping[str, About]) -> Methods:
    """The texts of the attacks and measures that a table speaks of, in the order in which it does."""
    attacks = dict.fromkeys(row.keys.attack for row in table if row.keys.attack is not None)
    measures = dict.fromkeys(row.keys.measure for row in table)
    return Methods.of({name: abouts[name] for name in (*attacks, *measures) if name in abouts})


def _abouts(runs: Sequence[Run]) -> dict[str, About]:
    return {run.attack: run.about for run in runs} | {UNION: UNION_ABOUT}


def _attack(run: Run, released: int) -> AttackSection:
    null = run.null
    return AttackSection(
        run.attack,
        run.attack == BASELINE,
        run.notes,
        _standing_counts(run.standing),
        run.informed,
        None if run.lesson is None else LessonSection.of(run.lesson, _margin(run, released)),
        run.readings,
        None
        if null is None
        else RandomTruths(null.observed, null.mean, null.upper, null.p_value, len(null.drawn)),
        run.cut,
        None if run.division is None else DivisionSection.of(run.division),
    )


def _margin(run: Run, released: int) -> float | None:
    """The margin of what was learned. Without a person found, or a record unlike theirs, there is none."""
    rivals = bool((run.standing.tied[run.standing.closer >= 0] < released).any())
    return run.lesson.margin if run.lesson is not None and run.lesson.found and rivals else None


def _standing_counts(standing: Standing) -> dict[str, int]:
    """How many true records are the only nearest, tie for nearest, or have closer ones before them."""
    closer, tied = standing.closer, standing.tied
    nearest = closer == 0
    return {
        "only nearest": int((nearest & (tied == 1)).sum()),
        "nearest, 2 to 5 tie": int((nearest & (tied >= 2) & (tied <= 5)).sum()),
        "nearest, more tie": int((nearest & (tied > 5)).sum()),
        "1 closer": int((closer == 1).sum()) if standing.depth > 1 else 0,
        f"2 to {standing.depth - 1} closer": int(((closer >= 2) & (closer < standing.depth)).sum()),
        f"{standing.depth} or more closer": int((closer >= standing.depth).sum()),
    }
