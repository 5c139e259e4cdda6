"""Numbers at the ends of floating point: no two people merge, no attack gives up, nothing is a traceback."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.data.anchor import Anchor, anchor_of, check_apart
from unmask.data.correspondence import Rounding
from unmask.data.io import from_any, to_toml
from unmask.data.io.inference import typed
from unmask.data.loading import companion_file, pair
from unmask.data.understanding.changes import What
from unmask.data.understanding.confirmed import understood_schema
from unmask.errors import DataError
from unmask.linkage.encodings import moments
from unmask.masks import Noise
from unmask.measures.estimate import NotEstimable

RNG = np.random.default_rng(11)
N = 300
LINKING = ("dbrl", "mahalanobis", "rbrl-sum", "rbrl-max")
BIG = 10**17 + RNG.permutation(5000)[:N]
TOWN = RNG.choice(["A", "B", "C"], N)


def _risks(original: pl.DataFrame, released: object, attacks: tuple[str, ...] = LINKING) -> dict[str, float]:
    found = unmask.assess(original, released, attacks=list(attacks), measures=["reidentification"])
    table = found.table().filter(measure="reidentification")
    return dict(zip(table["attack"], table["value"], strict=True))


@pytest.mark.parametrize(
    "values",
    [
        BIG,
        -BIG,
        BIG.astype(np.uint64) + np.uint64(2**63),
        1e-170 * (1 + RNG.random(N)),
        1e149 * (1 + RNG.random(N)),
        5e-324 * RNG.permutation(N),
    ],
    ids=["big", "negative", "unsigned", "tiny", "huge", "denormal"],
)
def test_different_people_stay_different(values: np.ndarray) -> None:
    people = pl.DataFrame({"x": values, "town": TOWN})
    risks = _risks(people, people)
    assert {risks[attack] for attack in LINKING} == {1.0}


def test_text_and_decimals_hold_big_numbers_too() -> None:
    decimals = pl.DataFrame({"x": pl.Series(BIG).cast(pl.Decimal(38, 0)), "town": TOWN})
    assert _risks(decimals, decimals, ("dbrl",))["dbrl"] == 1.0
    long = [f"0.{'1' * 17}{i:03}" for i in range(N)]
    for cells in (long, [cell.replace(".", ",") for cell in long]):
        with pytest.raises(DataError, match="'x' holds numbers of more than 16 digits"):
            typed(pl.Series("x", cells), decimal_comma=True)
    with pytest.raises(DataError, match="'x' holds numbers of more than 16 digits"):
        from_any(pl.DataFrame({"x": pl.Series(long).cast(pl.Decimal(38, 25))}))
    full = [repr(value) for value in RNG.random(N)]
    assert typed(pl.Series("x", full)).n_unique() == N
    assert (
        typed(pl.Series("x", ["0.10000000000000000000", "0.1", "0.100000000000000000000000"])).n_unique() == 1
    )


def test_big_numbers_with_noise_are_as_near_as_small_ones() -> None:
    noise = RNG.integers(-3, 4, N)
    near = [pl.DataFrame({"x": x, "town": TOWN}) for x in (BIG, BIG + noise)]
    small = [frame.with_columns(pl.col("x") - 10**17) for frame in near]
    assert _risks(*near) == _risks(*small)
    assert _risks(*near)["dbrl"] > 0.5


def test_numbers_of_1e_170_are_linked_as_their_like_of_1() -> None:
    x = RNG.random(N)
    y = x + RNG.normal(0, 0.01, N)
    files = [[pl.DataFrame({"x": v * scale, "town": TOWN}) for v in (x, y)] for scale in (1.0, 2.0**-565)]
    assert _risks(*files[0], (*LINKING, "prl")) == _risks(*files[1], (*LINKING, "prl"))


def test_a_release_in_a_tiny_unit_is_standardised() -> None:
    found = moments(np.array([1.0, 2.0, 3.0]) * 2.0**-600)
    assert found.deviation == pytest.approx(np.sqrt(2 / 3) * 2.0**-600)
    large = moments(np.array([1.0, 2.0, 3.0]) * 2.0**600)
    assert large.deviation == pytest.approx(np.sqrt(2 / 3) * 2.0**600)


def test_rounding_of_big_numbers_is_seen_and_written_in_their_own_unit() -> None:
    original = pl.DataFrame({"x": 10**17 + RNG.permutation(10**6)[:N], "town": TOWN})
    files = pair(original, original.with_columns(pl.col("x") // 1000 * 1000), None, None)
    assert files.understanding["x"].what is What.ROUNDED
    top = original.with_columns(pl.col("x").clip(None, 10**17 + 500_000))
    files = pair(original, top, None, None)
    rule = understood_schema(files.original.schema, files.understanding).in_release("x").correspondence
    assert isinstance(rule, Rounding)
    assert rule.top == 1e17 + 500_000
    assert "anchor" not in to_toml(files.original.schema)


def test_a_mask_and_a_file_beside_the_original_share_its_zero() -> None:
    original = pl.DataFrame({"x": BIG * 1000, "town": TOWN})
    assert _risks(original, Noise(a=0.001), ("dbrl",))["dbrl"] > 0.5
    files = pair(original, original, None, None)
    other = companion_file(original, files.original, "the population file")
    assert (other.numbers(["x"]) == files.original.numbers(["x"])).all()


def test_whole_numbers_that_no_zero_keeps_apart_are_refused() -> None:
    wide = pl.DataFrame({"x": [*range(N - 2), 2**62, 2**62 + 1], "town": TOWN})
    with pytest.raises(DataError, match=r"'x' of the original file .* \(--kind x=nominal"):
        pair(wide, wide, None, None)
    check_apart(pl.Series("x", [0, 2**62]), "the file")  # far apart, and still two


def test_ordinary_numbers_are_held_as_they_stand() -> None:
    for values in ([1, 2, 2**53 - 1], [0.1, 1e29], [0.0, 0.0], [1e-29], [], [None]):
        assert anchor_of(pl.Series(values, dtype=pl.Float64 if None in values else None)) == Anchor()


@pytest.mark.parametrize("where", ["both", "original", "released"])
def test_one_number_of_1e149_stops_no_measure(where: str) -> None:
    x, sick = RNG.normal(50, 10, N), RNG.integers(0, 3, N)
    wild = np.where(np.arange(N) == 3, 1e149, x)
    files = [
        pl.DataFrame({"x": wild if where in ("both", side) else x, "sick": sick, "town": TOWN})
        for side in ("original", "released")
    ]
    found = unmask.assess(
        *files,
        attacks=["dbrl", "rbrl-sum", "prl"],
        roles={"sick": "confidential"},
        measures=["reidentification", "model-disclosure", "interval-sd"],
    )
    table = found.table()
    assert table.filter(measure="model-disclosure")["value"].null_count() == 0
    assert table.filter(measure="reidentification", attack="rbrl-sum")["value"].item() > 0.5


def test_weights_of_more_people_than_there_are_tell_nothing() -> None:
    people = pl.DataFrame({"age": RNG.integers(18, 40, N), "town": TOWN, "weight": 1e149 * RNG.random(N)})
    found = unmask.assess(people, people, attacks=["guess"], measures=["log-linear-uniques", "zayatz"])
    for row in found.document.table.rows:
        if row.keys.measure in ("log-linear-uniques", "zayatz"):
            assert isinstance(row.estimate.value, NotEstimable)
            assert "'weight'" in row.estimate.value.reason
