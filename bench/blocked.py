"""Linkage over all pairs beside Splink over blocked ones: `python -m bench.blocked [RECORDS ...]`.

The people of the bundled example and their rank-swapped release, ten attributes known. `prl` looks at every
pair. Splink blocks, as it is meant to: on the five categories, which this mask leaves as they are (the best
that blocking can do), and on age and hours; it learns u from random pairs and m by EM within each block, with
levels of agreement for numbers. Wall seconds on all cores, after a small run that loads and compiles
everything; right best links, ties shared.
"""

from __future__ import annotations

import logging
import sys
import time

import polars as pl

import unmask
from bench.febrl import scored
from unmask.data.example import people
from unmask.masks import RankSwapping
from unmask.randomness import generator

SIZES = (10_000, 100_000)
CATEGORIES = ("region", "sex", "education", "occupation", "health")
NUMBERS = ("age", "hours", "income", "rent", "commute")
#: Differences that still count as agreement, in standard deviations.
CUTS = (0.05, 0.2, 0.6)


def files(n: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The original and the released people, in their order."""
    original, mask = people(n), RankSwapping(p=5)
    return original.frame, mask.apply(original, generator(1, "mask", mask.name)).data.frame


def by_unmask(original: pl.DataFrame, released: pl.DataFrame) -> float:
    """Right best links of prl."""
    known = (*CATEGORIES, *NUMBERS)
    asked = {"known": known, "attacks": ["guess", "prl"], "truth": "person", "full": True}
    risk = unmask.assess(original, released, measures=["reidentification"], seed=1, **asked)
    (row,) = risk.document.table.where(attack="prl", measure="reidentification")
    return (row.estimate.number or 0.0) * len(original)


def by_splink(original: pl.DataFrame, released: pl.DataFrame) -> float:
    """Right best links of Splink."""
    import splink.comparison_level_library as cll
    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    logging.disable(logging.WARNING)
    spread = original.select(pl.col(NUMBERS).std()).row(0, named=True)
    near = {name: [cll.AbsoluteDifferenceLevel(name, cut * spread[name]) for cut in CUTS] for name in NUMBERS}
    numbers = [
        cl.CustomComparison([cll.NullLevel(name), cll.ExactMatchLevel(name), *near[name], cll.ElseLevel()])
        for name in NUMBERS
    ]
    blocks = [block_on(*CATEGORIES), block_on("age", "hours")]
    settings = SettingsCreator(
        link_type="link_only",
        unique_id_column_name="person",
        comparisons=[*(cl.ExactMatch(name) for name in CATEGORIES), *numbers],
        blocking_rules_to_generate_predictions=blocks[:1],
    )
    api = DuckDBAPI()
    tables = [f.select("person", *CATEGORIES, *NUMBERS).to_pandas() for f in (original, released)]
    linker = Linker([api.register(table) for table in tables], settings)
    linker.training.estimate_u_using_random_sampling(max_pairs=2e6, seed=1)
    for rule in blocks:
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    found = linker.inference.predict().as_duckdbpyrelation()
    columns = "person_l as a, person_r as b, match_weight as score, match_probability as probability"
    return scored(found.select(columns).pl(), 0)[0].correct


def main(*sizes: int) -> None:
    """Both on files of each size."""
    methods = {"prl, all pairs": by_unmask, "splink, blocked": by_splink}
    for method in methods.values():
        method(*files(2000))
    for n in sizes or SIZES:
        pair, seconds = files(n), []
        for name, method in methods.items():
            start = time.perf_counter()
            right = method(*pair)
            seconds.append(time.perf_counter() - start)
            print(f"{n:9,}  {name:16} {seconds[-1]:8.1f} s  {right:10,.1f} right of {n:,}", flush=True)
        print(f"{n:9,}  splink takes {seconds[1] / seconds[0]:.1f} times as long")


if __name__ == "__main__":
    main(*(int(size) for size in sys.argv[1:]))
