"""Post-randomisation (PRAM)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from unmask.about import About
from unmask.data.microdata import Floats, Ints, Microdata
from unmask.data.schema import Kind
from unmask.errors import ArgumentError
from unmask.linkage.redrawn import check_table
from unmask.linkage.transitions import Categories, Declaration, Seen, Transitions
from unmask.masks import checks
from unmask.masks.base import CATEGORIES, Masked, categorical_targets
from unmask.masks.categories import category_order, frequencies, untouched, with_codes
from unmask.masks.families import PERTURBATIVE
from unmask.masks.strength import Strength

Matrices = tuple[tuple[str, tuple[tuple[float, ...], ...]], ...]
Uniform = Callable[[int], Floats]


@dataclass(frozen=True)
class PRAM:
    """Each category is redrawn with known probabilities (Kooiman, Willenborg and Gouweleeuw 1998).

    A value of category k becomes l with probability R_kl, independently of all others. R is

    ``matrix``  given: {attribute: rows}, categories in the order of the schema's levels (where it lists none,
                by number, else by text).
    ``p``       from 0 to 10, as a strength: R_kk = 1 - t T / T_k, R_kl = t T / ((K - 1) T_k), with t = p/10,
                T_k the frequency of category k of K and T the smallest of them. Domingo-Ferrer and Torra
                (2002) use p = 1 to 9 and print no formula, so this reading is ours: some t K T records of an
                attribute are redrawn, few enough for the small losses that they report.
    ``pd``      invariant PRAM in two steps: P has d_k ~ U(pd, 1) on its diagonal and (1 - d_k) / (K - 1)
                elsewhere; Q_kl = P_lk f_l / sum_m P_mk f_m goes back, f the shares of the categories; then
                R = alpha P Q + (1 - alpha) I. ``pd`` bounds P, not the diagonal of R, which may be far lower.

    With p and with pd, f R = f: every category keeps its frequency in expectation. Categories without
    records are neither left nor reached.

    >>> import polars as pl
    >>> from unmask.data.schema import Column, Kind, Schema
    >>> schema = Schema((Column("sex", Kind.NOMINAL),))
    >>> people = Microdata(schema, pl.DataFrame({"sex": ["f", "m", "f", None]}))
    >>> masked = PRAM(matrix={"sex": [[0, 1], [1, 0]]}).apply(people, np.random.default_rng(1))
    >>> masked.data.frame["sex"].to_list()
    ['m', 'f', 'm', None]
    >>> PRAM(p=5).matrices(people, np.random.default_rng(1))["sex"]
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """

    name: ClassVar[str] = "pram"
    bears_gaps: ClassVar[bool] = True
    kinds: ClassVar[tuple[Kind, ...]] = CATEGORIES
    one_of: ClassVar[tuple[str, ...]] = ("p", "pd", "matrix")
    about = About(
        title="post-randomisation",
        family=PERTURBATIVE,
        sentence="Every category is drawn again, with known probabilities: most stay, some become another "
        "one.",
        source="P. Kooiman, L. Willenborg and J. Gouweleeuw (1998), PRAM: a method for disclosure "
        "limitation of microdata, Research Report, Statistics Netherlands, Voorburg.",
        rank=8,
    )
    strength: ClassVar[Strength | None] = Strength(
        "pd", (0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0), CATEGORIES, falls=True
    )
    examples = ("pram:p=9",)
    p: float | None = None
    pd: float | None = None
    alpha: float = 0.5
    matrix: Mapping[str, Sequence[Sequence[float]]] | Matrices | None = None
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", checks.names(self.name, "attributes", self.attributes))
        checks.one_of(self.name, self, self.one_of)
        if self.p is not None:
            checks.number(self.name, "p", self.p, 0, 10)
        if self.pd is not None:
            checks.number(self.name, "pd", self.pd, 0, 1)
        checks.number(self.name, "alpha", self.alpha, 0, 1)
        if self.matrix is not None:
            if self.attributes is not None:
                raise ArgumentError(
                    f"{self.name}: both matrix and attributes are given",
                    hint="the matrix names the attributes",
                )
            object.__setattr__(self, "matrix", _rows(self.matrix))

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        """The file with every category redrawn."""
        columns = {}
        for name, matrix in self.matrices(original, rng).items():
            categories = category_order(original, name)
            codes = original.codes(name, categories)
            columns[name] = (categories, _redrawn(codes, matrix, rng))
        return with_codes(original, columns)

    @property
    def named(self) -> tuple[str, ...] | None:
        """The attributes that are named, by themselves or with a matrix; None: every one of its kinds."""
        return self.attributes if self.matrix is None else tuple(dict(self.matrix))

    def matrices(self, original: Microdata, rng: np.random.Generator) -> dict[str, Floats]:
        """The transition matrix of each target: what users need to correct their estimates.

        With ``pd`` they are random: those of ``apply`` come from a generator in the same state.
        """
        if self.matrix is not None:
            given = {name: np.array(rows, dtype=np.float64) for name, rows in dict(self.matrix).items()}
            for name in categorical_targets(original, tuple(given)):
                rows, size = len(given[name]), len(category_order(original, name))
                if rows != size:
                    raise ArgumentError(
                        f"{self.name}: a matrix of {rows} rows for the {size} categories of '{name}'",
                        hint="give one row and one column per category, in the order of the schema's levels",
                    )
            return given
        return {
            name: self._made(frequencies(original, name, category_order(original, name)), rng.random)
            for name in categorical_targets(original, self.attributes)
        }

    def transitions(self, original: Microdata) -> dict[str, Transitions]:
        """The matrices; with ``pd``, those of the mean diagonal (1 + pd) / 2 of P."""
        tables = untouched(original)
        if self.matrix is not None:
            made = self.matrices(original, np.random.default_rng(0))
        else:
            made = {
                name: self._made(frequencies(original, name, category_order(original, name)), _halves)
                for name in categorical_targets(original, self.attributes)
            }
        for name, matrix in made.items():
            categories = category_order(original, name)
            tables[name] = Transitions(categories, categories, matrix)
        return tables

    def declare(self, seen: Seen) -> Declaration:
        """The matrices. Where the original's frequencies are unknown, the release has about the same."""
        file = seen.released if seen.whole is None else seen.whole
        given = None if self.matrix is None else dict(self.matrix)
        names = seen.targets(self.named, CATEGORIES)
        if not names:
            return Declaration(())
        if given is None:
            mask = replace(self, attributes=names)
        else:
            mask = replace(self, matrix={name: given[name] for name in names})
        tables = mask.transitions(file.only(names))
        return Declaration(tuple(Categories(name, tables[name]) for name in names))

    def _made(self, frequency: Ints, uniform: Uniform) -> Floats:
        """The matrix for categories of these frequencies."""
        check_table(self.name, len(frequency), len(frequency))
        matrix = np.eye(len(frequency))
        found = np.flatnonzero(frequency)
        if len(found) > 1:
            counts = frequency[found].astype(np.float64)
            part = (
                _by_strength(counts, self.p / 10) if self.p is not None else self._invariant(counts, uniform)
            )
            matrix[np.ix_(found, found)] = part
        return matrix

    def _invariant(self, counts: Floats, uniform: Uniform) -> Floats:
        k, low = len(counts), self.pd or 0.0
        diagonal = low + (1 - low) * uniform(k)
        there = np.where(np.eye(k, dtype=bool), diagonal, (1 - diagonal[:, None]) / (k - 1))
        joint = there * (counts / counts.sum())[:, None]
        back = (joint / joint.sum(axis=0)).T
        return np.asarray(self.alpha * there @ back + (1 - self.alpha) * np.eye(k))


def _by_strength(counts: Floats, strength: float) -> Floats:
    k = len(counts)
    leaving: Floats = strength * counts.min() / counts
    return np.where(np.eye(k, dtype=bool), 1 - leaving, leaving[:, None] / (k - 1))


def _halves(k: int) -> Floats:
    """The mean of k uniform draws, each."""
    return np.full(k, 0.5)


def _redrawn(codes: Ints, matrix: Floats, rng: np.random.Generator) -> Ints:
    """A category drawn for each record from its row of the matrix; -1 stays."""
    result = codes.copy()
    draws = rng.random(len(codes))
    for k, row in enumerate(matrix):
        at = np.flatnonzero(codes == k)
        reachable = np.flatnonzero(row)
        # The last bound is above every draw, so that rounding of the sum leaves no draw without a category.
        bounds = np.append(np.cumsum(row[reachable])[:-1], np.inf)
        result[at] = reachable[np.searchsorted(bounds, draws[at], side="right")]
    return result


def _rows(matrix: Mapping[str, Sequence[Sequence[float]]] | Matrices) -> Matrices:
    """The matrices as tuples, each square, of probabilities, with rows that add up to 1."""
    checked = []
    try:
        given = {str(name): np.array(rows, dtype=np.float64) for name, rows in dict(matrix).items()}
    except (TypeError, ValueError):
        raise ArgumentError(
            "pram: matrix does not hold a matrix of numbers for each attribute",
            hint="in Python, give matrix={'sex': [[0.9, 0.1], [0.1, 0.9]]}; on the command line, p or pd",
        ) from None
    for name, values in given.items():
        if values.ndim != 2 or values.shape[0] != values.shape[1]:
            raise ArgumentError(
                f"pram: the matrix of '{name}' is not square", hint="give one row and one column per category"
            )
        if not ((values >= 0).all() and np.allclose(values.sum(axis=1), 1, rtol=0, atol=1e-9)):
            raise ArgumentError(
                f"pram: the matrix of '{name}' does not hold probabilities that add up to 1 in every row",
                hint="give numbers of at least 0, rows adding up to 1",
            )
        checked.append((name, tuple(tuple(float(x) for x in row) for row in values)))
    return tuple(checked)
