"""Two files with typing errors, linked by unmask, Splink and recordlinkage: `python -m bench.febrl`.

The FEBRL files 4a and 4b: 5000 people, everybody once in both; 4b has typing errors and missing values. The
social security number is left out: it would make the task trivial. Two tasks: eight attributes, and four of
them, because eight leave nearly nothing to tell the methods apart. Missing values say nothing for or against
a match in unmask (policy `ignore`) and in Splink; recordlinkage counts them as disagreement.

unmask compares all 25 million pairs. Splink is run on all pairs, and on those that agree on one attribute at
least of `BLOCKS`; recordlinkage on the latter. All pairs take it minutes and many gigabytes:
`--methods unmask "recordlinkage, all pairs"`. Times are whole calls, after a small run that loads and
compiles everything.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

import unmask
from bench.data import folder
from unmask import Column, Kind, Microdata, Schema
from unmask.attacks import PRL
from unmask.data.microdata import Ints
from unmask.data.missing import Missing
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.linkage.agreement import AttributeComparison, Exact, Similarity

STRINGS = ("given_name", "surname", "address_1", "suburb")
TASKS = {
    "eight": (
        "given_name",
        "surname",
        "street_number",
        "address_1",
        "suburb",
        "postcode",
        "state",
        "date_of_birth",
    ),
    "four": ("given_name", "surname", "suburb", "state"),
}
#: Candidate pairs of the packages that need blocking: those that agree on at least one of these.
BLOCKS = ("given_name", "surname", "suburb", "postcode", "date_of_birth")
#: Similarity of the levels: unmask and Splink have three and a rest, recordlinkage one threshold.
CUTS = (1.0, 0.92, 0.8)
THRESHOLD = 0.85


@dataclass(frozen=True)
class Score:
    """What a rule linked: pairs considered and linked, and how many of those are right."""

    rule: str
    considered: int
    linked: float
    correct: float


Scores = list[Score]


def people(file: str) -> pl.DataFrame:
    """One file: codes stay text, blank is missing, and `key` is the person (N of rec-N-org, rec-N-dup-0)."""
    frame = pl.read_csv(folder() / file, infer_schema=False)
    values = pl.col(TASKS["eight"]).str.strip_chars().replace("", None)
    return frame.select(pl.col("rec_id").str.extract(r"^rec-(\d+)-").alias("key"), values)


def by_unmask(a: pl.DataFrame, b: pl.DataFrame, names: Sequence[str], strings: bool = True) -> Scores:
    """Best links by `assess`, all three ways of counting ties."""
    risk = unmask.assess(
        a,
        b,
        scenario=Scenario(known=tuple(names), missing=Missing.IGNORE),
        attacks=["guess", attack(names, strings)],
        schema=schema(names),
        truth="key",
    )
    rows = [row for row in risk.document.table.attacks if row.keys.attack not in ("guess", "union")]
    ties = {"": "best link", "-strict": "best link, ties wrong", "-lenient": "best link, ties right"}
    return [
        Score(rule, len(a) * len(b), len(a), len(a) * (row.estimate.number or 0.0))
        for row in rows
        for end, rule in ties.items()
        if row.keys.measure == f"reidentification{end}"
    ]


def exact_only(a: pl.DataFrame, b: pl.DataFrame, names: Sequence[str]) -> Scores:
    """The same with every attribute equal or not."""
    return by_unmask(a, b, names, strings=False)[:1]


def decisions(a: pl.DataFrame, b: pl.DataFrame, names: Sequence[str]) -> Scores:
    """Pairs that unmask links by thresholds: a belief of at least 0.5, and the rule of Fellegi and Sunter."""
    known, released = (Microdata(schema(names), f.select(names)) for f in (a, b))
    matcher = attack(names).prepare(
        Dossier(known, released, Missing.IGNORE), np.random.default_rng(0), LocalEngine()
    )
    place = {key: row for row, key in enumerate(b["key"])}
    truth = np.array([place[key] for key in a["key"]])
    beliefs = matcher.posterior()
    each = beliefs.mass / beliefs.cls_size[beliefs.cls]
    alike = np.bincount(beliefs.row[beliefs.row >= 0], minlength=len(beliefs.indptr) - 1)  # targets a row
    records = np.repeat(alike, np.diff(beliefs.indptr)) * beliefs.cls_size[beliefs.cls]
    sure = records[each >= 0.5].sum()
    right = (beliefs.belief_in(truth) >= 0.5).sum()
    found = [Score("probability >= 0.5", len(a) * len(b), float(sure), float(right))]
    decision = matcher.decide(false_links=1e-6, missed=0.05)
    # A linked pair is one whose pattern weighs at least the upper threshold; so for the true pairs.
    levels = np.column_stack(
        [level(c, np.arange(len(a)), truth) for c in matcher.model.comparisons],
    )
    weight = {
        tuple(pattern): w
        for pattern, w in zip(
            matcher.model.counts.levels.tolist(), matcher.model.pattern_weights, strict=True
        )
    }
    linked = sum(weight[tuple(pattern)] >= decision.upper for pattern in levels.tolist())
    found.append(Score("decide(1e-6, 0.05)", len(a) * len(b), decision.linked, linked))
    return found


def level(c: AttributeComparison, known: Ints, released: Ints) -> Ints:
    """The agreement level of pairs of rows."""
    left, right = c.known[known], c.released[released]
    found = (left != right).astype(np.int64) if c.table is None else c.table[left, right].astype(np.int64)
    found[left < 0], found[right < 0] = c.missing_known, c.missing_released
    found[(left < 0) & (right < 0)] = c.missing_both
    return found


def attack(names: Sequence[str], strings: bool = True) -> PRL:
    """PRL with similarity for strings and equality for the others."""
    kinds = ((n, Similarity(cuts=CUTS) if strings and n in STRINGS else Exact()) for n in names)
    return PRL(agreements=tuple(kinds))


def schema(names: Sequence[str]) -> Schema:
    """Every attribute is a name."""
    return Schema(tuple(Column(name, Kind.NOMINAL) for name in names))


def by_recordlinkage(a: pl.DataFrame, b: pl.DataFrame, names: Sequence[str], full: bool = False) -> Scores:
    """ECM of recordlinkage: blocked pairs (or all), Jaro-Winkler of at least 0.85 or equality."""
    import recordlinkage

    left, right = (f.to_pandas().set_index("key") for f in (a, b))
    index = recordlinkage.Index()
    if full:
        index.full()
    else:
        for name in BLOCKS:
            if name in names:
                index.block(name)
    pairs = index.index(left, right)
    compare = recordlinkage.Compare()
    for name in names:
        if name in STRINGS:
            compare.string(name, name, method="jarowinkler", threshold=THRESHOLD, label=name)
        else:
            compare.exact(name, name, label=name)
    compared = compare.compute(pairs, left, right)
    classifier = recordlinkage.ECMClassifier()
    classifier.fit_predict(compared)
    probability = classifier.prob(compared)
    table = pl.DataFrame(
        {
            "a": pairs.get_level_values(0).to_numpy(),
            "b": pairs.get_level_values(1).to_numpy(),
            "score": probability.to_numpy(),
            "probability": probability.to_numpy(),
        }
    )
    return scored(table, len(pairs))


def recordlinkage_full(a: pl.DataFrame, b: pl.DataFrame, names: Sequence[str]) -> Scores:
    """All pairs by recordlinkage."""
    return by_recordlinkage(a, b, names, full=True)


def by_splink(a: pl.DataFrame, b: pl.DataFrame, names: Sequence[str], full: bool = False) -> Scores:
    """Splink in DuckDB: u by random pairs, m by EM over two blocks, blocked pairs (or all) predicted."""
    import logging

    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    logging.disable(logging.WARNING)
    blocks = ["1=1"] if full else [block_on(name) for name in BLOCKS if name in names]
    settings = SettingsCreator(
        link_type="link_only",
        unique_id_column_name="key",
        comparisons=[
            cl.JaroWinklerAtThresholds(name, list(CUTS[1:])) if name in STRINGS else cl.ExactMatch(name)
            for name in names
        ],
        blocking_rules_to_generate_predictions=blocks,
    )
    api = DuckDBAPI()
    tables = [f.select("key", *names).to_pandas() for f in (a, b)]
    linker = Linker([api.register(table) for table in tables], settings)
    training = linker.training
    certain = [block_on("given_name", "surname", names[-1]), block_on("surname", "suburb", names[-1])]
    training.estimate_probability_two_random_records_match(certain, recall=0.7)
    training.estimate_u_using_random_sampling(max_pairs=2e6, seed=1)
    for rule in (block_on("given_name"), block_on("surname")):
        training.estimate_parameters_using_expectation_maximisation(rule, record_sample_proportion=1.0)
    found = linker.inference.predict(threshold_match_weight=-20 if full else None).as_duckdbpyrelation()
    table = found.select(
        "key_l as a, key_r as b, match_weight as score, match_probability as probability"
    ).pl()
    return scored(table, len(a) * len(b) if full else len(table))


def splink_full(a: pl.DataFrame, b: pl.DataFrame, names: Sequence[str]) -> Scores:
    """Splink over every pair; those of a weight below -20 are not returned."""
    return by_splink(a, b, names, full=True)


def scored(pairs: pl.DataFrame, considered: int) -> Scores:
    """Pairs (a, b, score, probability): the best link of each a, ties shared, and all of at least 0.5."""
    right = pl.col("a") == pl.col("b")
    best = pairs.filter(pl.col("score") >= pl.col("score").max().over("a") - 1e-9)
    best = best.group_by("a").agg(right.mean().alias("right"))
    sure = pairs.filter(pl.col("probability") >= 0.5)
    return [
        Score("best link", considered, len(best), float(best["right"].sum())),
        Score("probability >= 0.5", considered, len(sure), float(sure.select(right.sum()).item())),
    ]


METHODS: dict[str, Callable[[pl.DataFrame, pl.DataFrame, Sequence[str]], Scores]] = {
    "unmask": by_unmask,
    "unmask, thresholds": decisions,
    "unmask, exact only": exact_only,
    "splink, all pairs": splink_full,
    "splink, blocked": by_splink,
    "recordlinkage, all pairs": recordlinkage_full,
    "recordlinkage, blocked": by_recordlinkage,
}
#: Minutes and many gigabytes, so only when named.
SLOW = "recordlinkage, all pairs"
DEFAULT = [name for name in METHODS if name != SLOW]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", nargs="*", choices=METHODS, default=DEFAULT)
    parser.add_argument("--tasks", nargs="*", choices=TASKS, default=list(TASKS))
    given = parser.parse_args()
    a, b = people("febrl4a.csv"), people("febrl4b.csv")
    few = a.head(500), b.filter(pl.col("key").is_in(a["key"].head(500).to_list()))
    for task in given.tasks:
        names = TASKS[task]
        print(f"\n{len(names)} attributes: {', '.join(names)}\n")
        print("| method | rule | pairs considered | linked | correct | precision | recall | F | time |")
        print("|---|---|---|---|---|---|---|---|---|")
        ours = None
        for name in given.methods:
            METHODS[name](*few, names)  # loads and compiles everything
            start = time.perf_counter()
            scores = METHODS[name](a, b, names)
            seconds = time.perf_counter() - start
            ours = ours or seconds
            for s in scores:
                precision, recall = s.correct / max(s.linked, 1), s.correct / len(a)
                f = 2 * s.correct / (s.linked + len(a))
                print(
                    f"| {name} | {s.rule} | {s.considered:,} | {s.linked:,.0f} | {s.correct:,.1f} "
                    f"| {precision:.4f} | {recall:.4f} | {f:.4f} | {seconds / ours:.1f} |",
                    flush=True,
                )
        print(f"\nTime 1 is {ours:.1f} s.")


if __name__ == "__main__":
    main()
