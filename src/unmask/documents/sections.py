"""The sections that documents are made of: frozen, typed, and written as JSON by their types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from unmask.about import About, Direction, Family
from unmask.documents.codec import Count, Finite, Share, Unfit
from unmask.documents.division import DivisionSection
from unmask.documents.table import estimate_built, estimate_plain
from unmask.linkage.learning.lesson import Lesson
from unmask.measures.estimate import Estimate


@dataclass(frozen=True)
class InputFile:
    """A file that was read: what it served as, its name as it was given, and the SHA-256 of its bytes."""

    role: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Provenance:
    """How a document came about: what was asked, of which files, by which versions. It holds no data.

    ``request``: the request as plain data (None in documents from before there was one).
    """

    request: Mapping[str, Any] | None = None
    inputs: tuple[InputFile, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class KnownAttribute:
    """An attribute that the intruder knows, and its kind."""

    name: str
    kind: str


@dataclass(frozen=True)
class ScenarioSection:
    """Who the intruder is assumed to be.

    ``error``: of their worst source; None in documents that only say it in words.
    """

    text: str
    attributes: tuple[KnownAttribute, ...]
    missing: str
    error: Finite | None = None
    block: tuple[str, ...] = ()


@dataclass(frozen=True)
class FileSizes:
    """How many records the files hold, how many people the intruder knows, are in the release, are tried."""

    original: Count
    released: Count
    targets: Count
    present: Count
    tried: Count


@dataclass(frozen=True)
class MethodText:
    """What a method says of itself; ``family`` is the name of one of the document's families."""

    title: str
    family: str
    sentence: str
    source: str
    rank: Count = 0
    direction: Direction = Direction.HIGHER
    head: str | None = None
    own_record: bool = False
    definition: str = ""


@dataclass(frozen=True)
class Methods:
    """Every method that the document speaks of, by name, so that its reader needs no other source.

    >>> linkage = Family("linkage", "Linkage", "Whose record is it?")
    >>> methods = Methods.of({"guess": About("guessing", linkage, "A record is picked.", "none")})
    >>> methods.about("guess").family.title, methods.about("mine").title, methods.title("guess:times=2")
    ('Linkage', 'mine', 'guessing, times=2')
    """

    families: tuple[Family, ...] = ()
    texts: Mapping[str, MethodText] = field(default_factory=dict)

    @staticmethod
    def of(abouts: Mapping[str, About]) -> Methods:
        """The texts of these methods."""
        families = tuple(dict.fromkeys(about.family for about in abouts.values()))
        texts = {
            name: MethodText(
                *(a.title, a.family.name, a.sentence, a.source, a.rank, a.direction, a.head),
                own_record=a.own_record,
                definition=a.definition,
            )
            for name, a in abouts.items()
        }
        return Methods(families, texts)

    def about(self, name: str) -> About:
        """What a method says of itself; one that the document does not describe goes by its own name.

        One with parameters that has no text of its own is called by that of the method, and by them.
        """
        text, (base, _, parameters) = self.texts.get(name), name.partition(":")
        if text is None and base in self.texts:
            text = replace(self.texts[base], title=f"{self.texts[base].title}, {parameters}")
        if text is None:
            return About(name, Family("other", "Other methods", ""), "It is not described here.", "")
        named = Family(text.family, text.family, "")
        family = next((one for one in self.families if one.name == text.family), named)
        return About(
            *(text.title, family, text.sentence, text.source, text.rank, text.direction, text.head),
            own_record=text.own_record,
            definition=text.definition,
        )

    def title(self, name: str) -> str:
        """What a method is called."""
        return self.about(name).title


@dataclass(frozen=True)
class LessonSection:
    """What was learned from the truth, as :class:`~unmask.linkage.learning.lesson.Lesson` explains it.

    ``margin`` is None where nobody is found, or where all records are alike; ``weights_of`` says whether the
    weights are of attributes or of places in the order of differences.
    """

    form: str
    records: Count
    found: Finite
    bound: Finite | None
    ceiling: Count
    margin: Finite | None
    attributes: tuple[str, ...]
    weights: tuple[Finite, ...]
    interactions: tuple[tuple[Count, Count, Finite], ...]
    parameters: tuple[Finite, ...]
    status: str
    twins: str = "strict"
    resolution: Finite = 1e-9
    weights_of: str = "attributes"

    @staticmethod
    def of(lesson: Lesson, margin: float | None) -> LessonSection:
        """The section of a lesson."""
        return LessonSection(
            lesson.form,
            lesson.records,
            lesson.found,
            lesson.bound,
            lesson.ceiling,
            margin,
            lesson.attributes,
            lesson.weights,
            lesson.interactions,
            lesson.parameters,
            lesson.status,
            lesson.twins,
            lesson.resolution,
            "places" if lesson.form == "owa" else "attributes",
        )


@dataclass(frozen=True, eq=False)
class Readings:
    """How an informed attack does whatever was asked for, so that it can be compared on other people.

    ``alone``: the true record is the only nearest; ``group``: it and the records identical to it are;
    ``expected``: ties are shared.
    """

    alone: Estimate
    group: Estimate
    expected: Estimate

    def to_plain(self) -> dict[str, Any]:
        """The readings by name."""
        return {name: estimate_plain(getattr(self, name)) for name in ("alone", "group", "expected")}

    @classmethod
    def from_plain(cls, value: object, where: str) -> Readings:
        """The readings that plain data describes."""
        if not isinstance(value, dict):
            raise Unfit(where)
        lost = [name for name in ("alone", "group", "expected") if name not in value]
        if lost:
            raise Unfit(f"{where}.{lost[0]}", lacking=True)
        return cls(**{n: estimate_built(value[n], f"{where}.{n}") for n in ("alone", "group", "expected")})


@dataclass(frozen=True)
class RandomTruths:
    """What random truths give an attack, beside what was observed."""

    observed: Finite
    mean: Finite
    upper: Finite
    p_value: Share
    draws: Count


@dataclass(frozen=True, eq=False)
class AttackSection:
    """One attack: what must be known about its run, and how the true records stand.

    ``baseline``: it is there to be compared with; ``informed``: the truth was used to choose its parameters,
    which no intruder can do; ``cut``: the time limit ended its search; ``standing``: how many true records
    are the only nearest, tie for nearest, or have closer ones before them; ``division``: linked, clerical and
    non-linked pairs, where the attack divides them.
    """

    name: str
    baseline: bool
    notes: tuple[str, ...]
    standing: Mapping[str, Count]
    informed: bool = False
    learned: LessonSection | None = None
    readings: Readings | None = None
    permutation: RandomTruths | None = None
    cut: bool = False
    division: DivisionSection | None = None


@dataclass(frozen=True)
class Join:
    """How many records of this release were followed into an earlier one, and how many of them rightly."""

    release: str
    records: Count
    joined: Count | None
    right: Count | None


#: How records can be followed from one release to another.
HOW = ("order", "key", "confidential", "none")


@dataclass(frozen=True)
class ReleasesSection:
    """How an intruder brings this release and earlier ones together; the table has the risk of each.

    ``how``: one of :data:`HOW`; ``through``: the confidential attributes that serve.
    """

    how: str
    through: tuple[str, ...]
    earlier: tuple[Join, ...]
    notes: tuple[str, ...]

    @property
    def joined(self) -> int | None:
        """How many records were followed, over all earlier releases; None where none could be."""
        counts = [join.joined for join in self.earlier if join.joined is not None]
        return sum(counts) if counts else None

    @property
    def right(self) -> int | None:
        """How many of them rightly."""
        counts = [join.right for join in self.earlier if join.right is not None]
        return sum(counts) if counts else None

    def unfit(self) -> str | None:
        """The part that no comparison has; None where all is well."""
        if self.how not in HOW:
            return "releases.how"
        lost = [number is None for join in self.earlier for number in (join.joined, join.right)]
        return "releases.earlier" if any(lost) and not all(lost) else None

    def with_notes(self, notes: Iterable[str]) -> ReleasesSection:
        """The section with these notes before its own."""
        return replace(self, notes=(*notes, *self.notes))


@dataclass(frozen=True)
class SourceSection:
    """What one source holds: its attributes, how many people, with what error."""

    source: str
    attributes: tuple[str, ...]
    people: Count
    error: Finite


@dataclass(frozen=True)
class SourcesSection:
    """The intruder's sources of knowledge; the table has the risk from each and from all combined.

    ``people``: whom they cover together; ``common``: whom every source covers.
    """

    sources: tuple[SourceSection, ...]
    people: Count
    common: Count
    notes: tuple[str, ...]
