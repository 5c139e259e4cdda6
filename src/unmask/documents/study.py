"""The document of a study: what each mask costs and what it leaves to find, and the mask to choose."""

from __future__ import annotations

from dataclasses import dataclass, field

from unmask.documents.codec import Count, Finite
from unmask.documents.format import Format
from unmask.documents.sections import Methods, Provenance, ScenarioSection
from unmask.documents.table import Table
from unmask.documents.verdict import VerdictSection
from unmask.measures.estimate import Estimate

#: The measure of a study's risk: the share of people found by the attack that finds most.
RISK = "largest-reidentification"
#: The measure of the classical score.
SCORE = "score"


@dataclass(frozen=True, eq=False)
class CandidateSection:
    """One mask of a study.

    ``mask``: its text, by which the rows of the table speak of it; ``family``: the masks in it, without
    parameters; ``reference``: it is there to be compared with; ``replicates``: how often it was drawn;
    ``front``: no other candidate is clearly better in one of risk and loss and no worse in the other;
    ``verdicts``: what the policy says, for each intruder.
    """

    mask: str
    family: str
    title: str
    reference: bool
    replicates: Count
    front: bool
    verdicts: tuple[VerdictSection, ...] = ()


@dataclass(frozen=True)
class Attempt:
    """One step of a search: which mask was tried on how many people, and whether the policy was met."""

    mask: str
    people: Count
    risk: Finite | None
    loss: Finite | None
    met: bool


@dataclass(frozen=True, eq=False)
class RecommendationSection:
    """Which mask costs least under the policy, and how far that is known.

    ``mask``: None where nothing that was tried meets the policy; ``binding``: the criterion that decides;
    ``checked``: on how many fresh draws the choice was checked with all attacks; ``sentences``: the answer in
    words; ``attempts``: all that was tried; ``nearest``: the candidates that come nearest, where none meets.
    """

    mask: str | None
    loss: str
    binding: str
    checked: Count
    sentences: tuple[str, ...]
    attempts: tuple[Attempt, ...]
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class StudyDocument:
    """Candidates beside each other. The table has one row per mask, intruder, attack or measure or loss.

    Rows are means over the draws of a mask. ``records``: of the original; ``intruders``: who looks at the
    releases, by the name that rows use; ``least``: the loss by which candidates are compared; ``losses``: all
    that were computed.
    """

    unmask: str
    seed: Count
    records: Count
    replicates: Count
    intruders: tuple[ScenarioSection, ...]
    least: str
    losses: tuple[str, ...]
    candidates: tuple[CandidateSection, ...]
    notes: tuple[str, ...]
    table: Table
    methods: Methods = field(default_factory=Methods)
    provenance: Provenance = field(default_factory=Provenance)
    recommendation: RecommendationSection | None = None

    def risk(self, mask: str, intruder: str | None = None) -> Estimate | None:
        """What the attack that finds most finds; with several intruders that of one of them."""
        return self.table.find(measure=RISK, mask=mask, intruder=intruder)

    def loss(self, mask: str, name: str | None = None) -> Estimate | None:
        """What a mask costs, by the leading loss or another one."""
        return self.table.find(measure=name or self.least, mask=mask, subject=None, attack=None)

    def names(self) -> tuple[str | None, ...]:
        """The names of the intruders in rows: of a single one None."""
        return (None,) if len(self.intruders) < 2 else tuple(one.text for one in self.intruders)

    def candidate(self, mask: str) -> CandidateSection | None:
        """The candidate of that text."""
        return next((one for one in self.candidates if one.mask == mask), None)


def _check(document: StudyDocument) -> str | None:
    masks = [one.mask for one in document.candidates]
    if not masks or len(set(masks)) != len(masks):
        return "candidates"
    for i, row in enumerate(document.table):
        if row.keys.mask not in masks or row.keys.intruder not in (None, *document.names()):
            return f"table[{i}]"
    chosen = document.recommendation
    if chosen is not None and chosen.mask is not None and chosen.mask not in masks:
        return "recommendation.mask"
    return None


STUDY: Format[StudyDocument] = Format("unmask-study", 1, "study", "unmask study", StudyDocument, {}, _check)
