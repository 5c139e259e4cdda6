"""Table: all that was measured, one row per estimate, whatever was asked."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unmask.documents.codec import Count, Finite, Unfit, build, plain
from unmask.measures.estimate import Curve, Estimate, Keys, NotEstimable, Row, Unit

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class _Numbers:
    """An estimate as plain data has it: a missing value or p-value is null, and ``reason`` says why.

    ``by_setting`` is the estimate's curve; a row's key ``curve`` says which curve of a study it belongs to.
    ``applicable`` is written where it is false: the measure says nothing about this kind of release.
    """

    n: Count
    value: Finite | None
    low: Finite | None
    high: Finite | None
    baseline: Finite | None = None
    p_value: Finite | None = None
    reason: str | None = None
    unit: Unit = Unit.SHARE
    meaning: str = ""
    by_setting: Curve | None = None
    applicable: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of keys and estimates; it holds counts and shares, never a value of a record.

    >>> row = Row(Keys("reidentification", attack="dbrl"), Estimate(0.5, 0.2, 0.8, 10, baseline=0.1))
    >>> table = Table((row,))
    >>> table.find(attack="dbrl").value, table.find(attack="guess")
    (0.5, None)
    >>> table.frame().columns
    ['attack', 'measure', 'value', 'low', 'high', 'n', 'baseline', 'p_value', 'unit', 'reason']
    """

    rows: tuple[Row, ...] = ()

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, **keys: object) -> Table:
        """The rows with these keys; None asks for rows to which a key does not apply."""
        return Table(
            tuple(row for row in self.rows if all(getattr(row.keys, k) == v for k, v in keys.items()))
        )

    def find(self, **keys: object) -> Estimate | None:
        """The estimate of the first row with these keys."""
        return next((row.estimate for row in self.where(**keys)), None)

    @property
    def attacks(self) -> Table:
        """The rows of attacks on the release itself: not those by release, by source or of a curve."""
        return self.where(release=None, source=None, curve=None).having("attack")

    @property
    def inapplicable(self) -> Table:
        """The rows of measures that say nothing about this kind of release, and why."""
        return Table(tuple(row for row in self.rows if not row.estimate.applicable))

    def of(self, measures: Container[str]) -> Table:
        """The rows of these measures."""
        return Table(tuple(row for row in self.rows if row.keys.measure in measures))

    def having(self, key: str) -> Table:
        """The rows to which a key applies."""
        return Table(tuple(row for row in self.rows if getattr(row.keys, key) is not None))

    def frame(self) -> pl.DataFrame:
        """The rows as a frame: the keys that occur, then the numbers."""
        import polars as pl

        lines = [row_plain(row) for row in self.rows]
        keys = [k for k in KEY_ORDER if k in ("attack", "measure") or any(k in line for line in lines)]
        columns = [*keys, "value", "low", "high", "n", "baseline", "p_value", "unit", "reason"]
        numbers = dict.fromkeys(("value", "low", "high", "baseline", "p_value", "error"), pl.Float64())
        types = {**numbers, **dict.fromkeys(("n", "targets"), pl.Int64()), "known": pl.List(pl.String())}
        schema = {name: types.get(name, pl.String()) for name in columns}
        return pl.DataFrame([[line.get(c) for c in columns] for line in lines], schema=schema, orient="row")

    def to_plain(self) -> list[dict[str, Any]]:
        """One object per row: its keys and its numbers side by side."""
        return [row_plain(row) for row in self.rows]

    @classmethod
    def from_plain(cls, value: object, where: str) -> Table:
        """The table that plain data describes."""
        if not isinstance(value, list):
            raise Unfit(where)
        return cls(tuple(row_built(item, f"{where}[{i}]") for i, item in enumerate(value)))


#: The order of the keys in a row and in the frame.
KEY_ORDER = tuple(Keys("", "", "", "", "", "", "", (), 0.0, 0, "", "").given())


def row_plain(row: Row) -> dict[str, Any]:
    """A row as plain data."""
    return {**plain(row.keys.given()), **estimate_plain(row.estimate)}


def row_built(value: object, where: str) -> Row:
    """The row that plain data describes. What attacks reach are shares of people; chance is one too."""
    keys, estimate = build(Keys, value, where), estimate_built(value, where)
    if keys.targets is not None and keys.targets < 0:
        raise Unfit(f"{where}.targets")
    if keys.attack is not None:
        numbers = {"value": estimate.number, "low": estimate.low, "high": estimate.high}
        for name, number in {**numbers, "baseline": estimate.baseline}.items():
            if number is not None and not 0 <= number <= 1:
                raise Unfit(f"{where}.{name}")
    return Row(keys, estimate)


def estimate_plain(estimate: Estimate) -> dict[str, Any]:
    """An estimate as plain data; what it says of single records stays out."""
    missing = [v for v in (estimate.value, estimate.p_value) if isinstance(v, NotEstimable)]
    p_value = None if isinstance(estimate.p_value, NotEstimable) else estimate.p_value
    reason = missing[0].reason if missing else None
    numbers = plain(
        _Numbers(
            estimate.n, estimate.number, estimate.low, estimate.high, estimate.baseline, p_value, reason,
            estimate.unit, estimate.meaning, estimate.curve,
        )
    )  # fmt: skip
    order = ("value", "low", "high", "n", "baseline", "p_value", "reason", "unit")
    told = {name: numbers[name] for name in ("meaning", "by_setting") if numbers[name]}
    told |= {} if estimate.applicable else {"applicable": False}
    return {name: numbers[name] for name in order} | told


def estimate_built(value: object, where: str) -> Estimate:
    """The estimate that plain data describes."""
    found = build(_Numbers, value, where)
    number: float | NotEstimable
    p_value: float | NotEstimable | None = found.p_value
    if found.value is None:
        number = NotEstimable(found.reason or "no reason is given", applicable=found.applicable)
    else:
        number = found.value
        if found.p_value is None and found.reason is not None:
            p_value = NotEstimable(found.reason)
    if found.p_value is not None and not 0 <= found.p_value <= 1:
        raise Unfit(f"{where}.p_value")
    return Estimate(
        number, found.low, found.high, found.n, found.baseline, p_value, found.unit, found.meaning,
        curve=found.by_setting,
    )  # fmt: skip
