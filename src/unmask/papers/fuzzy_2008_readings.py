"""How far readings of Torra and Nin (2008) are from its DBRL cells: what the paper leaves open.

``python -m unmask.papers.fuzzy_2008_readings`` prints it. Open are which columns of wdbc the numbers mean
(see :mod:`unmask.papers.fuzzy_2008_tables`), whether the whole file is normalised or the draw, and which part
is linked to which. The rule by which the paper chose columns (those with a low correlation with all others
were discarded; a coefficient of 0.7 is named) tells something on the first, whatever the cells are.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np
from scipy.spatial.distance import cdist

from unmask.data.microdata import Floats, Ints
from unmask.kernels.pairing import TIE
from unmask.linkage.representatives import (
    Normalisation,
    Operator,
    Quantifiers,
    family,
    normalised,
    representatives,
)
from unmask.papers.chance import root_mean_square
from unmask.papers.fuzzy_2008 import RECORDS, whole_file
from unmask.papers.fuzzy_2008_tables import (
    COLUMNS,
    FILES,
    NORMALISATIONS,
    OTHER_READINGS,
    WDBC,
    WDBC_COLUMNS,
    SplitFile,
)
from unmask.randomness import generator

#: The correlation coefficient that the paper names.
RULE = 0.7
DIRECTIONS = ("second to first", "first to second")


def alone() -> list[str]:
    """The columns of wdbc whose correlation with every other one is below the rule's, in absolute value."""
    whole = whole_file(SplitFile("wdbc", "wdbc.csv", WDBC_COLUMNS, ()))
    among = np.abs(np.corrcoef(whole.to_numpy(), rowvar=False))
    np.fill_diagonal(among, 0.0)
    highest = zip(WDBC_COLUMNS, among.max(axis=0).tolist(), strict=True)
    return [name for name, most in highest if most < RULE]


def left_out(split: SplitFile) -> list[str]:
    """The columns of wdbc that are in neither part."""
    return [name for name in WDBC_COLUMNS if name not in split.first + split.second]


def published_cells(split: SplitFile) -> list[float]:
    """The published DBRL cells of a file, row by row."""
    return [value for row in split.rows("dbrl") for value in row if value is not None]


def apart(ours: Sequence[float], split: SplitFile) -> float:
    """The root mean square of ours minus published."""
    return root_mean_square([a - b for a, b in zip(ours, published_cells(split), strict=True)])


def recounted(split: SplitFile, seeds: Sequence[int], whole: bool) -> dict[str, list[float]]:
    """The mean DBRL cells in both directions, with the whole file normalised or each draw."""
    frame = whole_file(split)
    parts = [frame.select(names).to_numpy() for names in (split.first, split.second)]
    counts: dict[str, list[list[float]]] = {direction: [] for direction in DIRECTIONS}
    for seed in seeds:
        rows = np.sort(generator(seed, "draw", split.file).choice(len(frame), RECORDS, replace=False))
        for direction, found in _draw_counts(parts, rows, whole).items():
            counts[direction].append(found)
    return {direction: [fmean(cell) for cell in zip(*counts[direction], strict=True)] for direction in counts}


def _draw_counts(parts: Sequence[Floats], rows: Ints, whole: bool) -> dict[str, list[float]]:
    """The cells of one draw."""
    found: dict[str, list[float]] = {direction: [] for direction in DIRECTIONS}
    for how in map(Normalisation, NORMALISATIONS):
        first, second = (
            np.nan_to_num(normalised(part, how)[rows] if whole else normalised(part[rows], how))
            for part in parts
        )
        for operator, kind in COLUMNS:
            quantifiers = family(Quantifiers(kind))
            a, b = (representatives(part, quantifiers, Operator(operator)) for part in (first, second))
            square = cdist(b, a, "sqeuclidean")
            found[DIRECTIONS[0]].append(_links(square))
            found[DIRECTIONS[1]].append(_links(square.T))
    return found


def _links(square: Floats) -> float:
    """Correct links of rows to columns in one order; a tie of t counts 1/t.

    >>> _links(np.array([[0.0, 1.0, 4.0], [1.0, 1.0, 9.0], [0.0, 1.0, 2.0]]))
    1.5
    """
    own = np.diag(square)[:, None]
    nearest = (square >= own * (1 - TIE)).all(axis=1)
    tied = (square <= own * (1 + TIE)).sum(axis=1)
    return float(np.sum(nearest / tied))


def main(draws: int = 40, seed: int = 1) -> None:
    """Print how far each reading is off, and what the paper's rule says of the columns of wdbc."""
    seeds = range(seed, seed + draws)
    print(f"links off in the root mean square of 12 DBRL cells, {draws} draws, seed {seed}")
    for split in (*(split for split in FILES if split.published), *OTHER_READINGS):
        for whole in (False, True):
            for direction, ours in recounted(split, seeds, whole).items():
                what = "the whole file" if whole else "the draw"
                print(f"{split.title}; {what} normalised; {direction}: {apart(ours, split):.1f}")
    print(f"columns of wdbc without a correlation of {RULE} or more: {', '.join(alone())}")
    for split in (WDBC, *OTHER_READINGS):
        print(f"columns left out, {split.title}: {', '.join(left_out(split))}")


if __name__ == "__main__":
    main()
