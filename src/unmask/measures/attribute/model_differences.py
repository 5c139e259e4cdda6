"""What the release adds to a model's predictions, and what a person's own record adds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from unmask.about import About
from unmask.data.microdata import Floats
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.applicability import EVERY_KIND, OWN_RECORDS
from unmask.measures.attribute.interval import check_widths, disclosed
from unmask.measures.attribute.matched import why_no_secret
from unmask.measures.attribute.model_disclosure import per_record
from unmask.measures.attribute.models import Modelling
from unmask.measures.attribute.models_run import Models, predicted
from unmask.measures.attribute.paired import paired_difference
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import ATTRIBUTE
from unmask.measures.phrases import counted, percent
from unmask.measures.sources import TORRA_2017


class Adds(StrEnum):
    """Whose contribution is measured: the whole release's, or that of one's own record in it."""

    RELEASE = "release"
    OWN_RECORD = "own-record"


_ABOUT = {
    Adds.RELEASE: About(
        "what the release adds",
        ATTRIBUTE,
        "For how many more people a model of the release is right than a model of the original file without "
        "them: what is learned beyond what the population tells anyway.",
        TORRA_2017,
        rank=5,
    ),
    Adds.OWN_RECORD: About(
        "what a person's own record adds",
        ATTRIBUTE,
        "For how many more people a model is right when their own released record was among those it learned "
        "from.",
        TORRA_2017,
        rank=6,
    ),
}


@dataclass(frozen=True)
class ModelDifference:
    """For how many more people a model is right than without the release, or without their own record.

    *release*: a model of the release without the person's record, less one of the original file without the
    person. Above 0, the release tells more about people than the population does; below 0, masking costs.
    *own-record*: a model of the whole release, less one of the release without the person's record. What
    rests on the person's own record is not knowledge about people at large; it is memorised, and discloses.
    The default model for it grows its trees to single records: it shows what can be memorised.

    Both models are asked about the same people, so the interval is that of a paired difference of shares
    (Bonett and Price 2012). Right is as in ``model-disclosure`` (Torra 2017). Of a person: 1 if only the
    first model is right, -1 if only the second, else 0.

    >>> from unmask.engines import LocalEngine
    >>> from unmask.data.example import people
    >>> from unmask.data.microdata import Masked
    >>> original = people(300)
    >>> evidence = FileEvidence(original, Masked.by_order(original, original), ("age", "health", "income"))
    >>> quick = Modelling(folds=2)
    >>> (row,) = ModelDifference(Adds.RELEASE, modelling=quick).rows(evidence, LocalEngine())
    >>> row.estimate.value  # nothing is masked
    0.0
    >>> (row,) = ModelDifference(Adds.OWN_RECORD, modelling=quick).rows(evidence, LocalEngine())
    >>> row.estimate.value > 0.2
    True
    """

    adds: Adds = Adds.RELEASE
    p: float = 10.0
    modelling: Modelling = field(default_factory=Modelling)

    def __post_init__(self) -> None:
        check_widths(self.name, "p", (self.p,))

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"model-{self.adds.value}"

    @property
    def about(self) -> About:
        """What it is called, says and comes from."""
        return _ABOUT[self.adds]

    @property
    def says_about(self) -> frozenset[ReleaseKind]:
        """A synthetic file can be learned from, but has nobody's own record."""
        return EVERY_KIND if self.adds is Adds.RELEASE else OWN_RECORDS

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a confidential and a known attribute in the release."""
        return why_no_secret(evidence)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """One row for each confidential attribute that is released."""
        return tuple(self._row(evidence, subject) for subject in evidence.released_confidential)

    def _row(self, evidence: FileEvidence, subject: str) -> Row:
        models = Models.RELEASE if self.adds is Adds.RELEASE else Models.MEMORY
        found = predicted(evidence, subject, self.modelling, models)
        if isinstance(found, NotEstimable):
            return Row.none(self.name, found, subject=subject)
        sample = found.sample
        width = self.p if sample.spread is not None else 0.0
        first, second = (disclosed(sample.narrowest(said), width) for said in (found.first, found.second))
        value, low, high = paired_difference(first, second)
        estimate = Estimate(
            value,
            low,
            high,
            len(first),
            0.0,
            meaning=self._meaning(subject, first, second, (low, high), float(sample.usual(width).mean())),
            per_record=per_record(evidence, found, first - second),
        )
        return Row.of(self.name, estimate, subject)

    def _meaning(
        self, subject: str, first: Floats, second: Floats, interval: tuple[float, float], usual: float
    ) -> str:
        whole, part = percent(float(first.mean())), percent(float(second.mean()))
        if self.adds is Adds.RELEASE:
            models = f"{whole} from the release and {part} from the original data"
            more, less = "the release tells more than people at large do", "the mask costs accuracy"
        else:
            models = f"{whole} from the whole release and {part} without the person's own record"
            more, less = "models memorise people's own records", "their own records mislead the model"
        low, high = interval
        verdict = more if low > 0 else less if high < 0 else "the difference can be chance"
        return (
            f"Of {counted(len(first), 'person', 'people')}, '{subject}' is predicted right for {models}: "
            f"{verdict} (95% interval from {percent(low)} to {percent(high)}; naming the likeliest value "
            f"for everybody is right for {percent(usual)})."
        )
