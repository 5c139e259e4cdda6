"""Can row i of one file be row i of the other?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from unmask.data.microdata import Ints
from unmask.data.understanding.coded import alike_types, coded
from unmask.data.understanding.judging import DEVIATIONS_INSIDE, FEW, judge
from unmask.data.understanding.standing_out import Pairings
from unmask.errors import ArgumentError
from unmask.randomness import generator

# Rows are compared on stretches of neighbouring rows; so many are plenty, whatever the file's length.
STRETCHES, STRETCH = 50, 200


@dataclass(frozen=True)
class RowOrder:
    """Whether row i of the released file can be row i of the original, and what that was concluded from.

    ``equal_here`` and ``equal_elsewhere`` are the shares of equal cells at the same row and half a
    file away.
    ``whole_here`` and ``whole_elsewhere`` count the records that only one row of either file holds: found
    whole in the same row, and in another one. ``checked`` is False where every pairing of rows would look
    the same, as where all values are suppressed.
    """

    plausible: bool
    checked: bool
    sentence: str
    equal_here: float
    equal_elsewhere: float
    whole_here: int
    whole_elsewhere: int


def row_order(original: pl.DataFrame, released: pl.DataFrame, names: Sequence[str]) -> RowOrder:
    """Whether row order can tell which records belong together, judged over the columns ``names``.

    >>> rng = np.random.default_rng(1)
    >>> file = pl.DataFrame({"age": rng.integers(0, 90, 300), "town": rng.integers(0, 9, 300)})
    >>> row_order(file, file.with_columns(age=pl.col("age") // 10), ["age", "town"]).plausible
    True
    >>> print(row_order(file, file.sample(fraction=1, shuffle=True, seed=1), ["age", "town"]).sentence)
    Row order does not fit: ...
    """
    if original.height != released.height:
        raise ArgumentError(
            f"{original.height} original and {released.height} released records have no common row order",
            hint="pair them by a key column",
        )
    names = sorted(names)  # sums must not depend on the order of the columns
    here, elsewhere = _whole_records(original, released, names)
    rows = stretches(original.height)
    columns = coded(original[rows], released[rows], names)
    found = judge(columns)
    displaced = found.plausible and _displaced(original, released, names, (here, elsewhere))
    n = len(rows)
    equal = [0.0, 0.0]
    if columns and n:
        pairings = Pairings(columns)
        equal = [pairings.equal_cells((np.arange(n) + shift) % n) for shift in (0, max(1, n // 2))]
    same = bool(columns) and original.select(names).equals(released.select(names))
    if same:  # no other order could fit better, also where another fits as well
        reason = "every record equals the one in its row"
    elif displaced:
        reason = f"{len(elsewhere):,} records are found whole in another row, {len(here):,} in their own"
    else:
        reason = (
            f"{equal[0]:.1%} of the cells are equal at the same row and {equal[1]:.1%} half a file away; "
            f"{found.reason}"
        )
    plausible = same or (found.plausible and not displaced)
    verdict = "cannot be checked" if not found.checked else "fits" if plausible else "does not fit"
    sentence = f"Row order {verdict}: {reason}."
    return RowOrder(plausible, found.checked, sentence, equal[0], equal[1], len(here), len(elsewhere))


def stretches(n: int) -> Ints:
    """The rows to compare: all, or stretches of neighbouring rows from all over a long file."""
    if n <= STRETCHES * STRETCH:
        return np.arange(n)
    rng = generator(0, "understanding", "stretches")
    part = n // STRETCHES
    start = np.arange(STRETCHES) * part + rng.integers(0, part - STRETCH + 1, STRETCHES)
    return np.asarray((start[:, None] + np.arange(STRETCH)).ravel())


def _whole_records(original: pl.DataFrame, released: pl.DataFrame, names: Sequence[str]) -> tuple[Ints, Ints]:
    """The released rows whose record stands in the same row of the original, and in another row.

    Only records that are unique in both files count.
    """
    nowhere = np.empty(0, dtype=np.int64)
    pairs = [pair for name in names if (pair := alike_types(original[name], released[name])) is not None]
    if not pairs:
        return nowhere, nowhere
    left, right = (
        pl.DataFrame([pair[side].alias(str(j)) for j, pair in enumerate(pairs)]).hash_rows(0).to_frame("hash")
        for side in (0, 1)
    )
    once = [frame.with_row_index("row").filter(pl.col("hash").is_unique()) for frame in (left, right)]
    both = once[0].join(once[1], on="hash").sort("row_right")
    at, found = both["row_right"].to_numpy().astype(np.int64), both["row"].to_numpy()
    return at[at == found], at[at != found]


def _displaced(
    original: pl.DataFrame, released: pl.DataFrame, names: Sequence[str], whole: tuple[Ints, Ints]
) -> bool:
    """Whether the records found whole in other rows were moved there, and are no coincidences.

    Strong protection leaves few records whole, and makes some look like others'. Those still agree with
    their own row; moved ones do not.
    """
    here, elsewhere = whole
    if len(elsewhere) <= len(here) or len(names) < 2:
        return False
    if len(elsewhere) < FEW:
        return 2 * len(elsewhere) >= original.height
    rows = elsewhere[stretches(len(elsewhere))]
    return not judge(coded(original[rows], released[rows], names), DEVIATIONS_INSIDE).plausible
