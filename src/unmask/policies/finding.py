"""What a reading finds in an assessment: the number that a bound is held against, and where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from unmask.attacks import ATTACKS, WITHOUT_COMMON
from unmask.documents import BASELINE, UNION, AssessmentDocument
from unmask.measures.estimate import CurvePoint, Estimate, NotEstimable, Row, Unit
from unmask.measures.families import ATTRIBUTE
from unmask.policies.policy import Criterion
from unmask.policies.reading import Reading

NOT_MEASURED = "it was not measured"
#: How the intruder puts this release and earlier ones together: such rows are about this release too.
TOGETHER = (None, "combined", "averaged")
#: The part of a membership measure that is read.
AUC = "AUC"


@dataclass(frozen=True)
class FoundNumber:
    """A number, with the row that it was read from.

    ``value``: as it was measured; ``judged``: the worse end of its interval, or the value where it has none;
    ``unsettled``: why a number within the bound is not enough, since more may be there; ``only_bounds``: the
    number asked for is no larger than this, and may be smaller.
    """

    measure: str
    value: float
    judged: float
    attack: str | None = None
    subject: str | None = None
    unsettled: str = ""
    only_bounds: bool = False


def find(document: AssessmentDocument, criterion: Criterion) -> FoundNumber | NotEstimable:
    """The number that a criterion is judged by, or why there is none."""
    reading = criterion.reading
    if reading.text.of_attacks:
        return _of_attacks(document, criterion)
    return _READERS.get(reading, _of_measures)(document, criterion)


def _rows(document: AssessmentDocument, keep: Callable[[Row], bool]) -> tuple[Row, ...]:
    """The rows about this release before the request's intruder: no curve, no single source."""
    return tuple(
        row
        for row in document.table.where(curve=None, source=None)
        if row.keys.release in TOGETHER and keep(row)
    )


def _of_attacks(document: AssessmentDocument, criterion: Criterion) -> FoundNumber | NotEstimable:
    """The largest number over the attacks that an intruder can make, all of which must have been made."""
    reading, real = criterion.reading, document.real_attacks()
    if not real:
        return NotEstimable("no attack was made")
    wanted = (UNION,) if reading is Reading.FOUND_BY_ANY_ATTACK and len(real) > 1 else real
    measures = reading.text.measures
    rows = _rows(document, lambda row: row.keys.measure in measures and row.keys.attack in wanted)
    found = _worst(rows, beyond=reading is Reading.FOUND_BEYOND_CHANCE)
    if isinstance(found, NotEstimable):
        return found
    unsettled = found.unsettled or _not_made(document, criterion) or _ended(document)
    return replace(found, unsettled=unsettled)


def _not_made(document: AssessmentDocument, criterion: Criterion) -> str:
    """Which attacks are lacking: the usual ones, where somebody chose others, or those of the criterion.

    Who names a weak attack only finds few people, and that must not meet a ceiling.
    """
    names = [attack.name for attack in document.attacks]
    made = {*names, *(name.partition(":")[0] for name in names), BASELINE}
    request = document.provenance.request
    wanted: Iterable[str] = criterion.attacks or ()
    if criterion.attacks is None and (request is None or request.get("attacks") is not None):
        apart = any(attack.permutation is not None for attack in document.attacks)
        wanted = WITHOUT_COMMON if apart else ATTACKS
    lost = [name for name in wanted if name not in made]
    if not lost:
        return ""
    return f"{_listed(lost)} {_was(lost)} not tried, and may find more"


def _ended(document: AssessmentDocument) -> str:
    """Which attacks the time limit ended."""
    real = document.real_attacks()
    cut = [attack.name for attack in document.attacks if attack.cut and attack.name in real]
    return f"the time limit ended {_listed(cut)}, which may find more" if cut else ""


def _of_measures(document: AssessmentDocument, criterion: Criterion) -> FoundNumber | NotEstimable:
    text = criterion.reading.text
    rows = _rows(document, lambda row: row.keys.attack is None and row.keys.measure in text.measures)
    return _worst(rows, floor=text.floor, lacking=_lacking(document, criterion))


def _attribute_disclosure(document: AssessmentDocument, criterion: Criterion) -> FoundNumber | NotEstimable:
    """The largest excess over the baseline of a share of the attribute family."""

    def share(row: Row) -> bool:
        e, named = row.estimate, criterion.measures
        ours = document.methods.about(row.keys.measure).family.name == ATTRIBUTE.name
        ours = ours and e.unit is Unit.SHARE and (not e.estimable or e.baseline is not None)
        return ours and (named is None or row.keys.measure in named)

    return _of_family(document, criterion, _rows(document, share), beyond=True)


def _membership(document: AssessmentDocument, criterion: Criterion) -> FoundNumber | NotEstimable:
    """The largest AUC of a membership attack."""
    named = criterion.measures or criterion.reading.text.measures

    def auc(row: Row) -> bool:
        # A measure that cannot be taken at all has one row, without a subject.
        return row.keys.measure in named and row.keys.subject in (AUC, None)

    return _of_family(document, criterion, _rows(document, auc))


def _of_family(
    document: AssessmentDocument, criterion: Criterion, rows: Sequence[Row], *, beyond: bool = False
) -> FoundNumber | NotEstimable:
    """The worst of several measures; which of them must be there, the criterion says, or nobody chose."""
    found = _worst(rows, beyond=beyond, lacking=_lacking(document, criterion))
    if isinstance(found, NotEstimable) or found.unsettled:
        return found
    taken = {row.keys.measure for row in rows}
    lost = [name for name in criterion.measures or () if name not in taken]
    if lost:
        return replace(found, unsettled=f"{_listed(lost)} {_was(lost)} not measured")
    if criterion.measures is None and document.named:
        return replace(found, unsettled="measures were chosen by name, and others may tell more")
    return found


def _small_classes(document: AssessmentDocument, criterion: Criterion) -> FoundNumber | NotEstimable:
    """The share of records in classes below the criterion's size, from the curve of the measure."""
    rows = _rows(document, lambda row: row.keys.measure in criterion.reading.text.measures)
    for row in rows:
        point = _point(row, criterion.small)
        if point is not None:
            judged = point.value if point.high is None else point.high
            return FoundNumber(row.keys.measure, point.value, judged)
    lost = [row.estimate.value for row in rows if isinstance(row.estimate.value, NotEstimable)]
    if lost:
        return lost[0]
    if not rows:
        return NotEstimable(_lacking(document, criterion))
    return NotEstimable(f"{NOT_MEASURED} for classes of fewer than {criterion.small} (small-classes:k=...)")


def _point(row: Row, size: int) -> CurvePoint | None:
    """The share of records below a size; the sample uniques are those of classes below 2."""
    e = row.estimate
    points = () if e.curve is None else e.curve.points
    if row.keys.measure == "sample-uniques" and e.number is not None:
        points = (CurvePoint(2.0, e.number, e.low, e.high), *points)
    return next((point for point in points if point.at == size), None)


def _population_uniques(document: AssessmentDocument, criterion: Criterion) -> FoundNumber | NotEstimable:
    """By the estimate that leads (decision 0026); what is unique in the release bounds it from above."""
    leading, in_sample = (document.of_file.find(measure=name) for name in criterion.reading.text.measures)
    if leading is not None and leading.estimable:
        return _share("unique-in-population", leading)
    if in_sample is not None and in_sample.estimable:
        return replace(_share("sample-uniques", in_sample), only_bounds=True)
    rows = _rows(document, lambda row: row.keys.measure in criterion.reading.text.measures)
    return _worst(rows, lacking=_lacking(document, criterion))


def _share(measure: str, estimate: Estimate) -> FoundNumber:
    value, high = estimate.number or 0.0, estimate.high
    return FoundNumber(measure, value, max(value, value if high is None else high))


def _loss(document: AssessmentDocument, criterion: Criterion) -> FoundNumber | NotEstimable:
    """The loss of the whole file that the criterion names."""
    (name,) = criterion.measures or ("",)
    rows = _rows(document, lambda row: row.keys.measure == name and row.keys.subject is None)
    return _worst(rows, lacking=f"{NOT_MEASURED} (--losses {name})")


def _worst(
    rows: Sequence[Row], *, floor: bool = False, beyond: bool = False, lacking: str = NOT_MEASURED
) -> FoundNumber | NotEstimable:
    """The row whose worse end is worst; ``beyond``: over its baseline.

    A row that applies and has no value leaves the question open: what it would say may be worse.
    """
    found = [one for row in rows if (one := _number(row, floor, beyond)) is not None]
    lost = [row for row in rows if isinstance(row.estimate.value, NotEstimable)]
    if not found:
        reasons = [row.estimate.value for row in lost if isinstance(row.estimate.value, NotEstimable)]
        return reasons[0] if reasons else NotEstimable(lacking)
    worst = (min if floor else max)(found, key=lambda one: one.judged)
    open_ = [row for row in lost if row.estimate.applicable]
    return replace(worst, unsettled=_open(open_))


def _number(row: Row, floor: bool, beyond: bool) -> FoundNumber | None:
    e, keys = row.estimate, row.keys
    if e.number is None or (beyond and e.baseline is None):
        return None
    end = e.low if floor else e.high
    worse = e.number if end is None else (min if floor else max)(end, e.number)
    less = (e.baseline or 0.0) if beyond else 0.0
    return FoundNumber(keys.measure, e.number - less, worse - less, keys.attack, keys.subject)


def _open(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    first = rows[0]
    name = " of ".join(part for part in (first.keys.measure, first.keys.attack or first.keys.subject) if part)
    more = f", and {len(rows) - 1} more" if len(rows) > 1 else ""
    return f"{name} has no value ({first.estimate.reason}){more}"


def _lacking(document: AssessmentDocument, criterion: Criterion) -> str:
    """Why nothing was measured: other measures were named, or the files give no ground for it."""
    needs = criterion.reading.text.needs
    return NOT_MEASURED if document.named or not needs else f"{NOT_MEASURED}, and needs {needs}"


def _was(names: Sequence[str]) -> str:
    return "was" if len(names) == 1 else "were"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


_READERS: dict[Reading, Callable[[AssessmentDocument, Criterion], FoundNumber | NotEstimable]] = {
    Reading.RECORDS_IN_SMALL_CLASSES: _small_classes,
    Reading.POPULATION_UNIQUES: _population_uniques,
    Reading.ATTRIBUTE_DISCLOSURE: _attribute_disclosure,
    Reading.MEMBERSHIP_AUC: _membership,
    Reading.LOSS: _loss,
}
