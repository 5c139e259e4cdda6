"""Global recoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.hierarchy import read_hierarchy
from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError, DataError
from unmask.linkage.transitions import Categories, Declaration, Seen, Transitions, recoding_chances
from unmask.masks import checks
from unmask.masks.bands import band_means, banded
from unmask.masks.base import CATEGORIES, NUMBERS, Masked, categorical_targets
from unmask.masks.categories import (
    category_order,
    frequencies,
    merged,
    recoded,
    recoded_tables,
    untouched,
)
from unmask.masks.declaring import behind, grouped
from unmask.masks.families import NON_PERTURBATIVE
from unmask.masks.sources import WILLENBORG_WAAL_2001
from unmask.masks.strength import MERGED, Strength

RELEASES = ("mean", "label")


@dataclass(frozen=True)
class GlobalRecoding:
    """Categories are merged, or numbers put into bands, everywhere in the file (Willenborg and de Waal 2001).

    One of these says how:

    ``p``        p categories become one: the p least frequent of a nominal attribute, the p neighbours with
                 the fewest records of an ordinal one. Domingo-Ferrer and Torra (2002) use p = 1 to 9 without
                 more detail; their results at p = 9 exclude that all categories are grouped by p.
    ``width``    every run of that many neighbours becomes one, from the first category on.
    ``mapping``  {category: new category}; what it does not name stays.
    ``file``     a hierarchy: a CSV file of categories and, to the right, ever coarser ones; ``level`` says
                 how many columns to the right.
    ``breaks``   numbers: bands (b_i, b_i+1], open at both ends of the list.
    ``bands``    numbers: that many bands of equal width from the smallest to the largest value.
    ``quantiles`` numbers: at most that many bands, with about as many records in each.

    A merged nominal group has a name of its own: that of the mapping or file, else such as "a|b". An ordinal
    group is released as its middle category (of two, the lower one), or as the one of its categories that
    the mapping or file names: both files then stay on one scale, on which distances keep their meaning.
    Its categories must be neighbours. Likewise a number is released as the mean of its band; with
    ``release="label"`` the attribute becomes ordinal, with levels such as "(20,30]", for a file that is to
    be published but not compared with the original.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Schema
    >>> schema = Schema((Column("age"), Column("town", Kind.NOMINAL)))
    >>> people = Microdata(schema, pl.DataFrame({"age": [20, 30, 70, 75], "town": ["A", "A", "B", "C"]}))
    >>> masked = GlobalRecoding(p=2).apply(people, np.random.default_rng(1))
    >>> masked.data.frame["town"].to_list()
    ['A', 'A', 'B|C', 'B|C']
    >>> masked = GlobalRecoding(breaks=(30, 65)).apply(people, np.random.default_rng(1))
    >>> masked.data.frame["age"].to_list()
    [25.0, 25.0, 72.5, 72.5]
    """

    name: ClassVar[str] = "global-recoding"
    bears_gaps: ClassVar[bool] = True
    one_of: ClassVar[tuple[str, ...]] = ("p", "width", "mapping", "file", "breaks", "bands", "quantiles")
    about = About(
        title="global recoding",
        family=NON_PERTURBATIVE,
        sentence="Categories are merged, and numbers put into bands, in the same way everywhere in the file.",
        source=WILLENBORG_WAAL_2001,
        rank=3,
    )
    strength: ClassVar[Strength | None] = Strength("p", MERGED, CATEGORIES)
    examples = ("global-recoding:bands=4", "global-recoding:p=2")
    p: int | None = None
    width: int | None = None
    mapping: tuple[tuple[str, str], ...] | Mapping[str, str] | None = None
    file: str | None = None
    level: int = 1
    breaks: tuple[float, ...] | None = None
    bands: int | None = None
    quantiles: int | None = None
    release: str = "mean"
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))
        way = checks.one_of(self.name, self, self.one_of)
        checks.whole(self.name, "level", self.level, 1)
        checks.choice(self.name, "release", self.release, RELEASES)
        if way in ("p", "width", "bands", "quantiles"):
            checks.whole(self.name, way, getattr(self, way), 1)
        if self.breaks is not None:
            breaks = tuple(checks.number(self.name, "breaks", b, -np.inf) for b in self.breaks)
            if not breaks or any(a >= b for a, b in pairwise(breaks)):
                raise ArgumentError(f"{self.name}: breaks do not rise", hint="write breaks=(18, 30, 65)")
            object.__setattr__(self, "breaks", breaks)
        if way in ("mapping", "file") and self.attributes is None:
            raise ArgumentError(
                f"{self.name}: a {way} is given, but not for which attributes", hint="name the attributes"
            )
        if self.mapping is not None:
            object.__setattr__(self, "mapping", _pairs(self.mapping))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with every target recoded; nothing is random."""
        if self._numeric:
            labels = self.release == "label"
            return banded(original, self.attributes, self.breaks, self.bands, labels, self.quantiles)
        return recoded(original, self._recodings(original))

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """Which category becomes which."""
        tables = untouched(original)
        if not self._numeric:
            recodings = self._recodings(original)
            tables |= recoded_tables(recodings)
        return tables

    def declare(self, seen: Seen) -> Declaration:
        """Which category becomes which; the band behind each number. Labels of bands say it themselves."""
        if self.relabels:
            return Declaration(())
        if self._numeric:
            change = band_means(self.breaks, self.bands, self.quantiles)
            names = seen.targets(self.attributes, NUMBERS)
            if self.breaks is None:
                return Declaration(tuple(part for name in names for part in grouped(seen, name, change)))
            return Declaration(tuple(behind(seen, name, change, self._bands) for name in names))
        names = seen.targets(self.attributes, CATEGORIES)
        file = seen.known if seen.whole is None else seen.whole
        recodings = replace(self, attributes=names)._recodings(file) if names else {}
        return Declaration(tuple(Categories(name, recoding_chances(r)) for name, r in recodings.items()))

    def _bands(self, levels: Floats) -> tuple[Floats, Floats]:
        """The band of the breaks that each mean lies in."""
        breaks = np.array(self.breaks, dtype=np.float64)
        edges = np.r_[-np.inf, breaks, np.inf]
        band = np.searchsorted(breaks, levels)
        return edges[band], edges[band + 1]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of attributes that it recodes: numbers into bands, else categories."""
        return NUMBERS if self._numeric else CATEGORIES

    @property
    def relabels(self) -> bool:
        """Whether an attribute that it recodes becomes one of another kind."""
        return self._numeric and self.release == "label"

    @property
    def _numeric(self) -> bool:
        return self.breaks is not None or self.bands is not None or self.quantiles is not None

    def _recodings(self, original: Microdata) -> dict[str, dict[str, str]]:
        recodings = {}
        table = dict(self.mapping or ()) if self.file is None else read_hierarchy(self.file, self.level)
        for name in categorical_targets(original, self.attributes):
            categories = category_order(original, name)
            kind = original.schema[name].kind
            if table:
                recodings[name] = _by_table(name, kind, categories, table, whole=self.file is not None)
            else:
                groups = self._groups(kind, categories, frequencies(original, name, categories).tolist())
                recodings[name] = {c: merged(kind, group, 0.5) for group in groups for c in group}
        return recodings

    def _groups(self, kind: Kind, categories: Sequence[str], count: Sequence[int]) -> list[Sequence[str]]:
        """The categories, grouped by p or by width."""
        if self.width is not None:
            return [categories[i : i + self.width] for i in range(0, len(categories), self.width)]
        p = min(self.p or 1, len(categories))
        places = range(len(categories))
        if kind is Kind.ORDINAL:
            start = min(range(len(categories) - p + 1), key=lambda i: sum(count[i : i + p]))
            chosen = set(places[start : start + p])
        else:
            found = [i for i in places if count[i]]
            chosen = set(sorted(found, key=lambda i: count[i])[:p])
        groups: list[Sequence[str]] = [[categories[i]] for i in places if i not in chosen]
        return [*groups, [categories[i] for i in sorted(chosen)]] if chosen else groups


def _by_table(
    name: str, kind: Kind, categories: Sequence[str], table: Mapping[str, str], whole: bool
) -> dict[str, str]:
    """The recoding that a mapping or hierarchy says, with ordinal groups on the attribute's own scale."""
    lost = sum(c not in table for c in categories)
    if whole and lost:
        raise DataError(
            f"the hierarchy lacks {lost} of the {len(categories)} categories of '{name}'",
            hint="add a line for each category of the file and of the schema's levels",
        )
    if categories and lost == len(categories):
        raise ArgumentError(
            f"the mapping names no category of '{name}'", hint="write the categories as the file does"
        )
    recoding = {c: table.get(c, c) for c in categories}
    if kind is not Kind.ORDINAL:
        return recoding
    for new in dict.fromkeys(recoding.values()):
        group = [c for c in categories if recoding[c] == new]
        first = categories.index(group[0])
        if list(categories[first : first + len(group)]) != group:
            raise ArgumentError(
                f"a group of the ordinal column '{name}' is not made of neighbours",
                hint="merge categories that follow each other, or make the column nominal in the schema",
            )
        name_kept = new if new in group else merged(kind, group, 0.5)
        recoding |= dict.fromkeys(group, name_kept)
    return recoding


def _pairs(mapping: object) -> tuple[tuple[str, str], ...]:
    """A mapping as pairs of texts."""
    pairs = tuple(mapping.items()) if isinstance(mapping, Mapping) else mapping
    if not isinstance(pairs, Sequence) or isinstance(pairs, str) or not pairs:
        raise ArgumentError(
            "global-recoding: the mapping is no mapping", hint="write {'1': 'low', '2': 'low'}"
        )
    if not all(isinstance(pair, Sequence) and len(pair) == 2 for pair in pairs):
        raise ArgumentError(
            "global-recoding: the mapping is not made of pairs", hint="write mapping=1+low|2+low|3+high"
        )
    if len({str(pair[0]) for pair in pairs}) != len(pairs):
        raise ArgumentError("global-recoding: the mapping names a category twice", hint="name each once")
    return tuple((str(a), str(b)) for a, b in pairs)
