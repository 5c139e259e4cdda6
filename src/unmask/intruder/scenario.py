"""Scenario: what the intruder holds. Staging turns two files into what they see and what is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from unmask.data.correspondence import ReleaseTerms
from unmask.data.microdata import Ints, Masked, Microdata
from unmask.data.missing import Missing, missing_policy
from unmask.data.schema import Kind, Role, Schema, ValueForm
from unmask.data.shapes.content import Content
from unmask.errors import ArgumentError, missing_columns
from unmask.fields import settle
from unmask.intruder.dossier import Dossier
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.sources import Knowledge, Source, combine, draw
from unmask.intruder.truth import Truth
from unmask.randomness import generator

#: More attributes than the first are refused where they have more than so many values together.
MANY_KNOWN, MOST_KNOWN = 200, 2_000_000


@dataclass(frozen=True)
class Scenario:
    """Which attributes the intruder knows, of whom, and how well.

    ``known``: attribute names (None: every quasi-identifier that both files have);
    ``targets``: how many people they know, drawn at random: a count, a share below 1, or everybody (None);
    ``error``: numbers they know are off by normal noise of that many standard deviations, and each category
    is, with that probability, another one of the file's;
    ``missing``: how missing values compare (None: as the two files suggest);
    ``block``: attributes on which they compare only records that agree;
    ``sources``: instead of the first three, several sources, each with its own attributes, people and error;
    ``presence``: how probable they take each of these people to be in the release, above 0 and at most 1
    (None: they guess the true share, as an intruder might who knows how large the sample is);
    ``glimpse``: what they saw of people's series, traces or ties, where the files have such.

    >>> Scenario(known=("age", "sex"), targets=0.1).describe(100)
    'knows 2 attributes of 10 people'
    >>> Scenario(sources=(Source(("age",)), Source(("sex",), targets=0.5, error=0.1))).describe(100)
    'knows from 2 sources: 1 attribute of 100 people; 1 attribute of 50 people, with an error of 0.1 sd'
    """

    known: tuple[str, ...] | None = None
    targets: int | float | None = None
    error: float = 0.0
    missing: Missing | None = None
    block: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    presence: float | None = None
    glimpse: Glimpse = field(default_factory=Glimpse)

    def __post_init__(self) -> None:
        own = Source(self.known, self.targets, self.error)  # which checks them
        object.__setattr__(self, "missing", missing_policy(self.missing))
        settle(self)
        if self.presence is not None and not 0 < self.presence <= 1:
            raise ArgumentError(
                f"the probability of being in the release is {self.presence:g}",
                hint="give presence above 0, at most 1, or leave it out",
            )
        if len(set(self.block)) != len(self.block):
            raise ArgumentError("a blocking attribute is named twice", hint="name each once")
        if self.sources and own != Source():
            raise ArgumentError(
                "both sources and known, targets or error are given",
                hint="give each source its own known, targets and error",
            )

    @property
    def parts(self) -> tuple[Source, ...]:
        """What they know, source by source; a scenario without sources is one source of its own."""
        return self.sources or (Source(self.known, self.targets, self.error),)

    @property
    def named(self) -> tuple[str, ...]:
        """The attributes that are named as known."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.known or ()))

    @property
    def largest_error(self) -> float:
        """The error of their worst source."""
        return max(part.error for part in self.parts)

    def count(self, n: int) -> int:
        """How many of n people the intruder knows; of several sources, the most that one covers."""
        return max(part.count(n) for part in self.parts)

    def describe(self, n: int) -> str:
        """The scenario in words."""
        block = f", compares only records that agree on {', '.join(self.block)}" if self.block else ""
        parts = "; ".join(part.describe(n) for part in self.parts)
        several = f"from {len(self.sources)} sources: " if len(self.sources) > 1 else ""
        seen = self.glimpse.describe()
        return f"knows {several}{parts}{block}{f'; saw {seen}' if seen else ''}"

    def attributes(self, original: Microdata, released: Microdata) -> tuple[str, ...]:
        """The attributes they know: those named, else every quasi-identifier that the release has too.

        If the release has none of them, these are all there is to go by; only attacks that need no common
        attribute can then be made.
        """
        lists = [_attributes(part.known, original, released.schema, released.label) for part in self.parts]
        return tuple(dict.fromkeys(name for names in lists for name in names))

    def stage(self, original: Microdata, masked: Masked, seed: int) -> tuple[Dossier, Truth, Ints]:
        """What the intruder sees, what is true, and the original row of each target.

        The released file is always shuffled, so that no attack can lean on row order, and stripped of
        identifiers. Quasi-identifiers and confidential attributes stay. Several sources are put together
        (:func:`unmask.intruder.sources.combine`).

        The shuffle and each source of knowledge have streams of their own: a release that drops rows is held
        against the same people, of whom the same is known.
        """
        held = self.hold(original, masked.data.schema, seed)
        dossier, truth, people = self.show(masked, self.together(held), shuffle(masked, seed))
        return self._seeded(dossier, truth, seed), truth, people

    def _seeded(self, dossier: Dossier, truth: Truth, seed: int) -> Dossier:
        """The dossier with the people whom the intruder has found already, drawn from those who are there."""
        if not self.glimpse.seeds:
            return dossier
        present = truth.present
        if self.glimpse.seeds >= len(present):
            raise ArgumentError(
                f"{self.glimpse.seeds} seeds of {len(present)} people in the release",
                hint="leave somebody to be found",
            )
        drawn = np.sort(generator(seed, "seeds").permutation(present)[: self.glimpse.seeds])
        return replace(dossier, seeds=(drawn, truth.row[drawn]))

    def stage_sources(
        self, original: Microdata, masked: Masked, seed: int
    ) -> list[tuple[Dossier, Truth, Ints]]:
        """As :meth:`stage`, of each source alone, then of all together: one shuffle, one draw of people."""
        order, held = shuffle(masked, seed), self.hold(original, masked.data.schema, seed)
        return [self.show(masked, part, order) for part in (*held, self.together(held))]

    def hold(self, original: Microdata, released: Schema, seed: int) -> list[Knowledge]:
        """What each source holds of the attributes of a release, or of several releases together."""
        lists = [_attributes(part.known, original, released, "the released file") for part in self.parts]
        for names in lists:
            self._check_block(names)
            _check_number(names, len(original))
        held = [
            draw(part, names, original, partial(generator, seed, "knowledge", f"source {i}"))
            for i, (part, names) in enumerate(zip(self.parts, lists, strict=True), start=1)
        ]
        return held if original.content is None else [self._glimpsed(held, original.content, seed)]

    def _glimpsed(self, held: Sequence[Knowledge], content: Content, seed: int) -> Knowledge:
        """What is held, with what they saw of the content of these people."""
        if len(held) > 1:
            raise ArgumentError(
                "several sources are given, and people have series, traces or ties beside their attributes",
                hint="describe one intruder: known, targets, error and glimpse",
            )
        (only,) = held
        rng = generator(seed, "knowledge", "content")
        seen = self.glimpse.of(content, self.error, rng)
        if len(only.people) < len(content):
            seen = seen.take(only.people)
        return replace(only, data=only.data.containing(seen))

    def together(self, held: Sequence[Knowledge]) -> Knowledge:
        """What the sources hold together; see :func:`unmask.intruder.sources.combine`."""
        return held[0] if len(held) == 1 else combine(held, [part.error for part in self.parts])

    def show(self, masked: Masked, held: Knowledge, order: Ints) -> tuple[Dossier, Truth, Ints]:
        """What an intruder with this knowledge sees of a release in this order, and what is true.

        What they do not know of somebody, because no source has it, is no missing value: it must not count
        for or against any record. So knowledge with gaps is compared under ``ignore``, whatever the policy.
        """
        names = held.data.schema.names()
        visible = [
            c.name
            for c in masked.data.schema
            if c.name in names or c.role in (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)
        ]
        released = masked.data.only(visible).take(order)
        origin = masked.origin[order]
        place = np.full(max(int(held.people.max()), int(origin.max())) + 1, -1, dtype=np.int64)
        place[origin[origin >= 0]] = np.flatnonzero(origin >= 0)
        truth = Truth(place[held.people])
        terms = masked.terms or ReleaseTerms()
        known = terms.apply(held.data, released.schema)
        if held.data.content is not None:
            known = replace(known, content=held.data.content)
        dossier = Dossier(
            known,
            released,
            Missing.IGNORE if held.gaps else self.missing or terms.missing,
            tuple(name for name in self.block if name in masked.data.schema),
            None if known is held.data else held.data,
            # Who knows with an error does not know the very value.
            frozenset() if self.largest_error else terms.exact,
            terms.changes,
            # Nobody present would leave nothing to believe in: half a person is.
            self.presence or max(len(truth.present), 0.5) / len(truth.row),
            held.errors,
        )
        self._check(dossier)
        return dossier, truth, held.people

    def _check_block(self, names: Sequence[str]) -> None:
        strange = [name for name in self.block if name not in names]
        if strange:
            raise ArgumentError(
                f"the intruder blocks on '{strange[0]}', which they do not know",
                hint=f"block on attributes that they know: {', '.join(names)}",
            )

    def _check(self, dossier: Dossier) -> None:
        for column in dossier.known.schema:
            if column.name not in dossier.released.schema:
                continue
            released_as = dossier.released.schema[column.name].kind
            if Kind.NUMERIC in (column.kind, released_as) and column.kind is not released_as:
                raise ArgumentError(
                    f"'{column.name}' is {column.kind.value} in the original file and {released_as.value} in "
                    "the released file, and nothing tells how one becomes the other",
                    hint="say so in the schema ('unmask check' shows how), or leave the attribute out",
                )


def shuffle(masked: Masked, seed: int, *release: str) -> Ints:
    """The order in which the intruder sees a release: rows of it; each release has a stream of its own."""
    return generator(seed, "stage", *release).permutation(len(masked.data))


def _check_number(names: Sequence[str], records: int) -> None:
    """Refuse to know more than can be compared: every attack holds all known values several times over."""
    if len(names) > MANY_KNOWN and len(names) * records > MOST_KNOWN:
        raise ArgumentError(
            f"the intruder would know {len(names)} attributes of {records} people, which is more than can be "
            "compared",
            hint=f"name those that an intruder can know (--known), {MANY_KNOWN} at the most",
        )


def _attributes(
    known: tuple[str, ...] | None, original: Microdata, released: Schema, label: str
) -> tuple[str, ...]:
    usual = original.schema.names(Role.QUASI_IDENTIFIER)
    names = known or tuple(name for name in usual if original.schema[name].form is not ValueForm.TEXT)
    if not names:
        raise ArgumentError(
            "the two files share no quasi-identifier",
            hint="name the attributes the intruder knows, or mend the roles in the schema",
        )
    lost = [name for name in names if name not in original.schema]
    if lost:
        raise missing_columns(lost, original.schema.names(), original.label)
    common = tuple(name for name in names if name in released)
    if not any(name in released for name in original.schema.names(Role.QUASI_IDENTIFIER)):
        return common or names
    if known is None:
        return common
    lost = [name for name in names if name not in common]
    if lost:
        raise missing_columns(lost, released.names(), label)
    return names
