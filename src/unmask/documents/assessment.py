"""The document of an assessment: what JSON holds and reports are made from."""

from __future__ import annotations

from dataclasses import dataclass, field

from unmask.documents.codec import Count
from unmask.documents.conclusion import ConclusionSection
from unmask.documents.format import Format
from unmask.documents.sections import (
    AttackSection,
    FileSizes,
    LessonSection,
    Methods,
    Provenance,
    ReleasesSection,
    ScenarioSection,
    SourcesSection,
)
from unmask.documents.table import Table
from unmask.documents.understanding import UnderstandingSection
from unmask.documents.upgrade import assessment_from_1
from unmask.documents.verdict import VerdictSection
from unmask.measures.estimate import Estimate

#: The measure that headlines, tables and charts show: a tie of t counts 1/t.
EXPECTED = "reidentification"
STRICT = "reidentification-strict"
LENIENT = "reidentification-lenient"
#: What all attacks find together stands in the table as an attack of this name.
UNION = "union"
#: The attack that every other one is compared with.
BASELINE = "guess"


@dataclass(frozen=True, eq=False)
class AssessmentDocument:
    """All that an assessment found. Holds no value of a record: only names, counts and shares.

    ``named``: whether the measures were asked for by name; ``worst``: the attack that does most;
    ``conclusion``: who is at risk, through what, and what would help; ``verdict``: what a policy says;
    ``losses``: which measures of the table are losses. They say what the release is no longer good for, and
    are no risks.
    """

    unmask: str
    seed: Count
    scenario: ScenarioSection
    sizes: FileSizes
    notes: tuple[str, ...]
    attacks: tuple[AttackSection, ...]
    worst: str | None
    table: Table
    named: bool = False
    releases: ReleasesSection | None = None
    sources: SourcesSection | None = None
    methods: Methods = field(default_factory=Methods)
    provenance: Provenance = field(default_factory=Provenance)
    understood: UnderstandingSection | None = None
    conclusion: ConclusionSection | None = None
    verdict: VerdictSection | None = None
    losses: tuple[str, ...] = ()

    @property
    def of_file(self) -> Table:
        """The rows of measures of the file that apply to this kind of release: no attack, and no loss."""
        rows = self.table.where(attack=None, curve=None)
        return Table(tuple(r for r in rows if r.estimate.applicable and r.keys.measure not in self.losses))

    def attack(self, name: str) -> AttackSection | None:
        """The section of an attack."""
        return next((attack for attack in self.attacks if attack.name == name), None)

    def result(self, attack: str, measure: str = EXPECTED) -> Estimate | None:
        """What an attack reaches under a measure, if it was measured."""
        return self.table.attacks.find(attack=attack, measure=measure)

    def best(self) -> Estimate | None:
        """What the worst attack reaches (worst for the publisher, best for the intruder), if anything."""
        found = None if self.worst is None else self.result(self.worst)
        return found if found is not None and found.estimable else None

    def real_attacks(self) -> tuple[str, ...]:
        """The attacks that an intruder can make: neither the baseline nor informed by the truth."""
        return tuple(a.name for a in self.attacks if not a.baseline and not a.informed)

    def is_baseline(self, name: str) -> bool:
        """Whether the attack is there to be compared with."""
        return any(attack.baseline for attack in self.attacks if attack.name == name)

    def is_informed(self, name: str) -> bool:
        """Whether the truth was used to choose the attack's parameters, which no intruder can do."""
        return any(attack.informed for attack in self.attacks if attack.name == name)


def _check(document: AssessmentDocument) -> str | None:
    names = [attack.name for attack in document.attacks]
    if len(set(names)) != len(names) or not (names or len(document.table.where(attack=None))):
        return "attacks"
    for i, attack in enumerate(document.attacks):
        if attack.learned is not None and not _sound(attack.learned):
            return f"attacks[{i}].learned"
    if not {row.keys.measure for row in document.table.where(attack=None)}.issuperset(document.losses):
        return "losses"
    where = None if document.releases is None else document.releases.unfit()
    if where is not None or document.worst is None:
        return where
    return "worst" if document.worst not in names or document.best() is None else None


def _sound(lesson: LessonSection) -> bool:
    """Whether weights and interactions belong to the attributes, and no count is beyond the people."""
    n = len(lesson.attributes)
    counts = [lesson.found, lesson.ceiling, lesson.bound or 0]
    return (
        (lesson.form == "owa" or len(lesson.weights) == n)
        and all(i < n and j < n for i, j, _ in lesson.interactions)
        and all(count <= lesson.records for count in counts)
    )


ASSESSMENT: Format[AssessmentDocument] = Format(
    "unmask-assessment", 2, "assessment", "unmask assess", AssessmentDocument, {1: assessment_from_1}, _check
)
