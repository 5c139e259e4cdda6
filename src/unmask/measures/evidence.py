"""Evidence: what a measure looks at, of an attack or of the whole file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unmask.data.key_classes import KeyFrame, key_frame, wild
from unmask.data.microdata import Floats, Ints, Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.ranks import DenseRanksOf
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Role
from unmask.engines.cache import Cache
from unmask.engines.holding import side_by_side
from unmask.intruder.truth import Truth
from unmask.linkage.links import Standing
from unmask.measures.confidence import mean_interval
from unmask.measures.dependence import Dependence
from unmask.measures.estimate import NotEstimable


@dataclass(frozen=True, eq=False)
class LinkEvidence:
    """One attack in one scenario: what is true, how it stands, and how wide the attack's beliefs are.

    ``spread()`` is the mean number of released records that share a target's belief; ``claims()`` is the
    probability that the attack gives to the record it links each target to (None: it gives none);
    ``margins()`` is how many times as far the next best record is (NaN: not asked; None: the attack has no
    distances); ``dependence()`` says whose outcomes hang together (None: everybody's are their own);
    ``shares()`` are the shares of belief that it gives, and to how many records of a target on average (None:
    not known). All take work, so they are called only by a measure that asks for them.
    """

    attack: str
    released: int
    truth: Truth
    standing: Standing
    spread: Callable[[], float]
    claims: Callable[[], Floats] | None = None
    margins: Callable[[], Floats] | None = None
    dependence: Callable[[], Dependence] | None = None
    shares: Callable[[], tuple[Floats, Floats]] | None = None

    def interval(self, hits: Floats) -> tuple[float, float]:
        """The 95% interval of the mean of the targets' hits, NaN where a target does not count."""
        counted = ~np.isnan(hits)
        dependence = None if self.dependence is None else self.dependence().among(counted)
        return mean_interval(hits[counted], dependence)


@dataclass(frozen=True, eq=False)
class FileEvidence:
    """What a measure of the file looks at: both files, and all that the assessor holds beside them.

    ``known``: the attributes that the intruder knows; ``population``: a file of everybody, of which the
    original is a sample; ``holdout``: people of the same kind who are not in the original; ``model``: a
    released classifier (anything with ``predict_proba``); ``cache``: where what is derived from the files is
    kept for the next measure (a session gives its engine's).

    ``kinds``: what was done to the file (empty: nothing is known of it, and every measure is taken);
    ``recoded``, ``suppressed``, ``perturbed``: the released attributes to which it was done. A kind of which
    no attribute is named concerns the whole file.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> file = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [31, None, 54]}))
    >>> evidence = FileEvidence(file, Masked.by_order(file, file), ("age",))
    >>> evidence.numbers(file, "age") is evidence.numbers(file, "age")
    True
    """

    original: Microdata
    masked: Masked
    known: tuple[str, ...]
    missing: Missing = Missing.MISMATCH
    population: Microdata | None = None
    holdout: Microdata | None = None
    model: object | None = None
    seed: int = 0
    cache: Cache = field(default_factory=Cache)
    kinds: frozenset[ReleaseKind] = frozenset()
    recoded: tuple[str, ...] = ()
    suppressed: tuple[str, ...] = ()
    perturbed: tuple[str, ...] = ()

    @property
    def released(self) -> Microdata:
        """The released file."""
        return self.masked.data

    @property
    def confidential(self) -> tuple[str, ...]:
        """The confidential attributes that the original file has."""
        return self.original.schema.names(Role.CONFIDENTIAL)

    @property
    def released_known(self) -> tuple[str, ...]:
        """The known attributes that the release has."""
        return tuple(name for name in self.known if name in self.released.schema)

    @property
    def released_confidential(self) -> tuple[str, ...]:
        """The confidential attributes that the release has."""
        return tuple(name for name in self.confidential if name in self.released.schema)

    def changed(self, kind: ReleaseKind) -> tuple[str, ...]:
        """The attributes that are named for a kind of change; none where it concerns the whole file."""
        named = {
            ReleaseKind.RECODED: self.recoded,
            ReleaseKind.SUPPRESSED: self.suppressed,
            ReleaseKind.PERTURBED: self.perturbed,
        }
        return named.get(kind, ())

    def kinds_of(self, names: Collection[str]) -> frozenset[ReleaseKind]:
        """What was done to the file as far as these attributes are concerned.

        >>> import polars as pl
        >>> from unmask.data.schema import Column, Schema
        >>> file = Microdata(Schema((Column("age"), Column("pay"))), pl.DataFrame({"age": [31], "pay": [9]}))
        >>> noise, sample = ReleaseKind.PERTURBED, ReleaseKind.SAMPLE
        >>> masked = Masked.by_order(file, file)
        >>> evidence = FileEvidence(file, masked, ("age",), kinds=frozenset({sample}), perturbed=("pay",))
        >>> evidence.kinds_of(("age",)) == {sample}, evidence.kinds_of(("pay",)) == {sample, noise}
        (True, True)
        """
        whole = {kind for kind in self.kinds if not self.changed(kind)}
        theirs = {kind for kind in ReleaseKind if not set(self.changed(kind)).isdisjoint(names)}
        return frozenset(whole | theirs)

    def wildcards(self, names: Sequence[str]) -> tuple[str, ...]:
        """Those of these attributes in which a missing released value agrees with every other.

        All where the policy says so, and none where missing is a category. Else those in which the release
        suppressed values: a mask that makes a value missing means that it may be anything.
        """
        if wild(self.missing):
            return tuple(names)
        return () if self.missing is Missing.CATEGORY else tuple(n for n in names if n in self.suppressed)

    def numbers(self, data: Microdata, name: str) -> Floats:
        """A numeric column of one of the files, NaN where missing; not to be written to."""

        def made() -> Floats:
            # The file's own memory where it can be: nobody writes to it.
            values = data.frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
            values.flags.writeable = False
            return values

        return self.cache.get(data, ("numbers", name), made)

    def matrix(self, data: Microdata, names: Sequence[str]) -> Floats:
        """Numeric columns of one of the files, one row per record."""
        if not names:
            return np.empty((len(data), 0))
        return side_by_side((self.numbers(data, name) for name in names), len(names), self.cache.room)

    def ranks(self, data: Microdata, name: str) -> Ints:
        """The place of each value among the column's distinct ones, from 1 on; 0 where missing."""

        def made() -> NDArray[np.unsignedinteger]:
            ranks: NDArray[np.unsignedinteger] = self.cache.once(DenseRanksOf(data.frame[name]))
            return ranks

        return self.cache.get(data, ("ranks", name), made).astype(np.int64)

    def keys(self, data: Microdata, names: Sequence[str]) -> KeyFrame:
        """The keys that these attributes make in one of the files, and the classes of equal ones."""

        def made() -> KeyFrame:
            self.cache.ahead(lambda name: self.ranks(data, name), names)
            return key_frame(data, names, lambda name: self.ranks(data, name), self.cache.once)

        return self.cache.get(data, ("key classes", tuple(names)), made)

    def categories(self, name: str) -> tuple[str, ...]:
        """The categories that an attribute has in either file, sorted: one code book for both."""

        def made() -> tuple[str, ...]:
            released = self.released.categories(name) if name in self.released.schema else ()
            return tuple(sorted({*self.original.categories(name), *released}))

        return self.cache.get(self, ("categories", name), made)

    def codes(self, data: Microdata, name: str) -> Ints:
        """A categorical column of the original or the released file by that code book; -1 where missing."""
        side = "original" if data is self.original else "released"
        return self.cache.get(self, ("codes", side, name), lambda: data.codes(name, self.categories(name)))


#: Something that a measure needs, as a question: why the evidence does not have it.
Need = Callable[[FileEvidence], NotEstimable | None]


def first_lack(evidence: FileEvidence, *needs: Need) -> NotEstimable | None:
    """The first of these needs that the evidence does not meet, and why; None if it meets all.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> file = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [31, 54]}))
    >>> evidence = FileEvidence(file, Masked.by_order(file, file), ("age",))
    >>> first_lack(evidence, lambda e: None, lambda e: NotEstimable("no hold-out file is given")).reason
    'no hold-out file is given'
    """
    for need in needs:
        why = need(evidence)
        if why is not None:
            return why
    return None
