"""What the release adds to a model's predictions, and what a person's own record adds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from unmask.data.microdata import Floats
from unmask.engines import Engine
from unmask.measures.attribute.interval import check_widths, disclosed
from unmask.measures.attribute.model_disclosure import modelled, per_record, why_no_model
from unmask.measures.attribute.models import Modelling
from unmask.measures.attribute.models_run import Models, run
from unmask.measures.attribute.paired import paired_difference
from unmask.measures.findings import Case, Finding, Unit, not_estimable
from unmask.measures.phrases import counted, percent


class Adds(StrEnum):
    """Whose contribution is measured: the whole release's, or that of one's own record in it."""

    RELEASE = "release"
    OWN_RECORD = "own-record"


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
    >>> case = Case(original, Masked.by_order(original, original), ("age", "health", "income"))
    >>> quick = Modelling(folds=2)
    >>> (found,) = ModelDifference(Adds.RELEASE, modelling=quick).findings(case, LocalEngine())
    >>> found.value  # nothing is masked
    0.0
    >>> (found,) = ModelDifference(Adds.OWN_RECORD, modelling=quick).findings(case, LocalEngine())
    >>> found.value > 0.2
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

    def why_not(self, case: Case) -> str | None:
        """It needs a confidential and a known attribute in the release."""
        return why_no_model(case)

    def findings(self, case: Case, engine: Engine) -> tuple[Finding, ...]:
        """One finding for each confidential attribute that is released."""
        return tuple(self._finding(case, subject) for subject in modelled(case))

    def _finding(self, case: Case, subject: str) -> Finding:
        models = Models.RELEASE if self.adds is Adds.RELEASE else Models.MEMORY
        found = run(case, subject, self.modelling, models)
        if isinstance(found, str):
            return not_estimable(self.name, subject, Unit.SHARE, found)
        sample = found.sample
        width = self.p if sample.spread is not None else 0.0
        first, second = (disclosed(sample.narrowest(said), width) for said in (found.first, found.second))
        value, low, high = paired_difference(first, second)
        return Finding(
            measure=self.name,
            subject=subject,
            value=value,
            low=low,
            high=high,
            n=len(first),
            baseline=0.0,
            unit=Unit.SHARE,
            meaning=self._meaning(subject, first, second, (low, high), float(sample.usual(width).mean())),
            per_record=per_record(case, found, first - second),
        )

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
