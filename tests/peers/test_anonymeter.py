"""Singling out, linkability and inference beside anonymeter 1.1.0, on ten people worked through by hand.

anonymeter needs numpy below 1.27 and unmask 2.0 or later, so that they cannot be installed together. What it
counts on these people is written here; it was computed in an environment of its own, with pandas frames of
PEOPLE (ori), OTHERS (control) and RELEASED (syn), each count from ``.evaluate(...).results()``:

    SinglingOutEvaluator(ori, syn, 500, control=control, seed=1), mode "univariate": n_success, n_control
    LinkabilityEvaluator(ori, syn, (["age"], ["pay"]), 10, k, control)
    InferenceEvaluator(ori, syn, ["age"], secret, regression=secret == "pay", n_attacks=10, control=control)

No two released records are equally far from a person where it matters, so that its sort decides nothing, and
with one attribute on each side all distances order records alike. For more, and for real files:
``python -m bench.anonymeter``.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.measures import FileEvidence
from unmask.measures.synthetic import Linkability, NearestInference, Predicates, SinglingOut
from unmask.measures.synthetic.excess import SuccessRate

PEOPLE = pl.DataFrame(
    {
        "age": [21, 25, 30, 35, 38, 43, 47, 52, 58, 66],
        "pay": [12, 15, 40, 23, 31, 28, 55, 47, 36, 19],
        "town": list("abcabcabcd"),
    }
)
OTHERS = pl.DataFrame(
    {
        "age": [22, 26, 31, 35, 39, 44, 48, 51, 59, 63],
        "pay": [13, 17, 37, 24, 33, 27, 51, 44, 39, 21],
        "town": list("bcabcabcab"),
    }
)
RELEASED = pl.DataFrame(
    {
        "age": [21, 25, 30, 36, 38, 45, 47, 53, 58, 70],
        "pay": [12, 15, 40, 29, 31, 20, 55, 49, 36, 24],
        "town": list("abcbaccbad"),
    }
)
BOTH = pytest.mark.parametrize("people", [PEOPLE, OTHERS], ids=["people", "others"])


def file(frame: pl.DataFrame, secret: str = "") -> Microdata:
    return Microdata(
        Schema(
            tuple(
                Column(
                    name,
                    Kind.NUMERIC if frame[name].dtype.is_numeric() else Kind.NOMINAL,
                    Role.CONFIDENTIAL if name == secret else Role.QUASI_IDENTIFIER,
                )
                for name in frame.columns
            )
        ),
        frame,
    )


def hits(measure, people, released, known, secret="", subject="success") -> tuple[float, int]:
    """Right tries, and all tries. The others are tried as if they were the original: they are too few to be a
    hold-out."""
    evidence = FileEvidence(file(people, secret), Masked.of_nobody(file(released, secret)), known, seed=1)
    rows = {row.keys.subject: row.estimate for row in measure.rows(evidence, LocalEngine())}
    found = rows[subject]
    return found.value * found.n, found.n


def singled_out(people: pl.DataFrame) -> tuple[float, int]:
    return hits(SinglingOut(Predicates.UNIVARIATE, limit=500), people, RELEASED, tuple(RELEASED.columns))


def inferred(people: pl.DataFrame, released: pl.DataFrame, secret: str) -> tuple[float, int]:
    names = ["age", secret]
    subject = f"{secret}, success"
    return hits(NearestInference(), people.select(names), released.select(names), ("age",), secret, subject)


@pytest.mark.parametrize(("people", "theirs"), [(PEOPLE, 16), (OTHERS, 1)], ids=["people", "others"])
def test_as_many_predicates_single_somebody_out(people, theirs):
    assert singled_out(people) == (pytest.approx(theirs), 25)


@pytest.mark.parametrize(
    ("people", "k", "theirs"),
    [(PEOPLE, 1, 7), (OTHERS, 1, 3), (PEOPLE, 2, 7), (OTHERS, 2, 8)],
)
def test_as_many_are_linked(people, k, theirs):
    names = ["age", "pay"]
    subject = "known and others, success"
    found = hits(Linkability(k), people.select(names), RELEASED.select(names), ("age",), subject=subject)
    assert found == (pytest.approx(theirs), 10)


@pytest.mark.parametrize(
    ("people", "secret", "theirs"),
    [(PEOPLE, "pay", 7), (OTHERS, "pay", 0), (PEOPLE, "town", 6), (OTHERS, "town", 2)],
)
def test_as_many_secrets_are_told(people, secret, theirs):
    assert inferred(people, RELEASED, secret) == (pytest.approx(theirs), 10)


@BOTH
def test_a_debt_is_told_as_often_as_a_pay(people):
    # Of pay below 0 anonymeter counts 10 of 10 as told, of the people and of the others.
    below = [frame.with_columns(-pl.col("pay")) for frame in (people, RELEASED)]
    assert inferred(*below, "pay") == inferred(people, RELEASED, "pay")


def test_people_of_whom_there_are_two_are_not_singled_out():
    # anonymeter drops the second of two rows that are alike: with everybody twice it still counts 16.
    assert singled_out(pl.concat([PEOPLE, PEOPLE])) == (0, 25)


def test_the_share_is_of_the_25_predicates_that_there_are():
    # With 500 wanted, the attack rate of anonymeter is 0.0356: (16 + z^2/2) / (500 + z^2).
    right, n = singled_out(PEOPLE)
    assert right / n == pytest.approx(0.64)


def test_nobody_of_forty_is_a_rate_of_nothing():
    # In anonymeter success_rate(40, 0, 0.95) is 0.0438, by which it makes every risk smaller.
    assert SuccessRate.of(np.zeros(40)).value == 0.0
