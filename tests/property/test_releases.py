"""Properties of several releases: what following adds, and what an intersection may not depend on."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask import Column, Comparison, Kind, Masked, Microdata, Missing, Role, Scenario, Schema
from unmask.attacks import DBRL, RBRL
from unmask.attacks.rbrl import RankCriterion
from unmask.masks import Noise
from unmask.studies.releases import assess_releases
from unmask.studies.releases.intersection import Agreement, CandidateRecords, intersect

NUMBERS = tuple(f"x{j}" for j in range(5))
SCHEMA = Schema(
    (
        *(Column(name) for name in NUMBERS),
        Column("c", Kind.NOMINAL, Role.CONFIDENTIAL),
        Column("k", role=Role.IDENTIFIER),
    )
)
ATTACKS = [DBRL(), RBRL(RankCriterion.SUM)]


def file(n: int, levels: int, seed: int, decimals: int = 6) -> Microdata:
    """Numbers (few different ones if rounded to 0 decimals, so that there are ties) and a category."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.normal(size=n).round(decimals) for name in NUMBERS}
    return Microdata(
        SCHEMA, pl.DataFrame({**columns, "c": rng.integers(0, levels, n).astype(str), "k": np.arange(n)})
    )


def rate(found: Comparison, release: str, attack: str = "dbrl") -> float:
    return found.estimate(attack, release).number or 0.0


def shuffled(release: Masked, seed: int) -> Masked:
    order = np.random.default_rng(seed).permutation(len(release.data))
    return Masked(release.data.take(order), release.origin[order])


@settings(max_examples=10, deadline=None)
@given(n=st.integers(2, 40), seed=st.integers(0, 10**6), decimals=st.sampled_from([0, 6]))
def test_following_an_identical_release_adds_nothing(n: int, seed: int, decimals: int) -> None:
    data = file(n, 3, seed, decimals)
    same = Noise(a=0.3, attributes=NUMBERS).apply(data, np.random.default_rng(seed))
    found = assess_releases(data, same, [same], known=NUMBERS, attacks=ATTACKS, follow="order", seed=seed)
    for attack in ATTACKS:
        this = found.estimate(attack.name, "this").value
        for release in ("earlier 1", "combined", "averaged"):
            assert found.estimate(attack.name, release).value == pytest.approx(this)


def test_two_noisy_releases_are_as_good_as_one_of_less_noise() -> None:
    """The mean of two releases of noise a has noise a / sqrt 2; adding up differences gains less of it."""
    rates: dict[str, list[float]] = {"this": [], "combined": [], "averaged": [], "less": []}
    for seed in range(6):
        data = file(600, 600, 100 + seed)
        noise, less = Noise(a=0.6, attributes=NUMBERS), Noise(a=0.6 / np.sqrt(2), attributes=NUMBERS)
        found = assess_releases(
            data, noise, [noise], follow="order", known=NUMBERS, attacks=[DBRL()], seed=seed
        )
        for release in ("this", "combined", "averaged"):
            rates[release].append(rate(found, release))
        alone = assess_releases(
            data, less, [less], follow="order", known=NUMBERS, attacks=[DBRL()], seed=seed
        )
        rates["less"].append(rate(alone, "this"))
    mean = {name: float(np.mean(values)) for name, values in rates.items()}
    # 3600 people: the standard error of a rate is below 0.9 points.
    assert abs(mean["averaged"] - mean["less"]) < 0.035
    assert mean["combined"] > mean["this"] + 0.04
    assert mean["averaged"] > mean["combined"]


def test_a_release_of_much_noise_does_not_spoil_the_average() -> None:
    """Adding up differences lets the noisy release drown the other; the weighed average does not."""
    data = file(800, 800, 11)
    strong, weak = Noise(a=1.0, attributes=NUMBERS), Noise(a=0.3, attributes=NUMBERS)
    found = assess_releases(data, strong, [weak], follow="order", known=NUMBERS, attacks=[DBRL()], seed=1)
    assert rate(found, "combined") < rate(found, "earlier 1") - 0.1
    assert rate(found, "averaged") > rate(found, "earlier 1") - 0.02
    assert rate(found, "averaged") > rate(found, "this") + 0.3


@settings(max_examples=12, deadline=None)
@given(
    n=st.integers(3, 30),
    levels=st.integers(1, 40),
    seed=st.integers(0, 10**6),
    decimals=st.sampled_from([0, 6]),
    candidates=st.sampled_from([2, 5, 64]),
    missing=st.sampled_from(list(Missing)),
)
def test_row_order_does_not_matter(
    n: int, levels: int, seed: int, decimals: int, candidates: int, missing: Missing
) -> None:
    data = file(n, levels, seed, decimals)
    rng = np.random.default_rng(seed)
    releases = [
        Masked(
            file(n, levels, seed, decimals).replace(
                {"x0": pl.Series("x0", rng.normal(size=n).round(decimals))}
            ),
            np.arange(n),
        )
        for _ in range(2)
    ]
    values = []
    for follow in ("none", "confidential"):
        for shuffle in (None, 1, 2):
            seen = [r if shuffle is None else shuffled(r, seed + shuffle + i) for i, r in enumerate(releases)]
            found = assess_releases(
                data,
                seen[0],
                [seen[1]],
                scenario=Scenario(known=NUMBERS, missing=missing),
                attacks=ATTACKS,
                follow=follow,
                candidates=candidates,
                seed=seed,
            )
            values.append([row.estimate.number for row in found.document.table])
        assert values[-1] == pytest.approx(values[-3])
        assert values[-2] == pytest.approx(values[-3])


def slow_costs(
    this: CandidateRecords, earlier: CandidateRecords, left: np.ndarray, right: np.ndarray, missing: Missing
) -> np.ndarray:
    """The definition, target by target and pair by pair, every record a candidate in both releases."""
    out = this.cost.copy()
    for t in range(len(out)):
        belief = {
            int(s): np.exp(-(c - earlier.cost[t].min()))
            for s, c in zip(earlier.row[t], earlier.cost[t], strict=True)
        }
        for i, r in enumerate(this.row[t]):
            agreeing = [
                s
                for s in belief
                if all(agrees(a, b, missing) for a, b in zip(left[r], right[s], strict=True))
            ]
            floor = np.exp(-(earlier.beyond[t] - earlier.cost[t].min()))
            mean = np.mean([belief[s] for s in agreeing]) if agreeing else floor
            out[t, i] -= np.log(mean)
    return out


def agrees(a: int, b: int, missing: Missing) -> bool:
    if a < 0 or b < 0:
        both = a < 0 and b < 0
        return missing is not Missing.MISMATCH and (missing is not Missing.CATEGORY or both)
    return a == b


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    m=st.integers(1, 7),
    levels=st.integers(1, 4),
    attributes=st.integers(1, 2),
    missing=st.sampled_from(list(Missing)),
)
def test_the_intersection_is_its_definition(
    seed: int, m: int, levels: int, attributes: int, missing: Missing
) -> None:
    rng = np.random.default_rng(seed)

    def everybody() -> CandidateRecords:
        cost = np.sort(rng.exponential(1.0, (3, m)), axis=1)
        return CandidateRecords(np.array([rng.permutation(m) for _ in range(3)]), cost, cost[:, -1])

    this, earlier = everybody(), everybody()
    left, right = (rng.integers(-1, levels, (m, attributes)) for _ in range(2))
    agreement = Agreement(left, right, missing)
    expected = [
        sum(all(agrees(a, b, missing) for a, b in zip(x, y, strict=True)) for y in right) for x in left
    ]
    assert agreement.counts().tolist() == expected
    found = intersect(this, earlier, agreement)
    assert found.cost == pytest.approx(slow_costs(this, earlier, left, right, missing))
    assert found.row.tolist() == this.row.tolist()


def test_unique_confidential_values_intersect_as_well_as_records_are_followed() -> None:
    """If the confidential values tell everybody apart, costs of pairs add up as differences do."""
    data = file(400, 400, 5).replace({"c": pl.Series("c", [str(i) for i in range(400)])})
    noise = Noise(a=0.5, attributes=NUMBERS)
    rates = [
        assess_releases(data, noise, [noise], follow=follow, known=NUMBERS, attacks=[DBRL()], seed=2)
        for follow in ("order", "none")
    ]
    followed, intersected = (rate(found, "combined") for found in rates)
    assert intersected > rate(rates[0], "this")
    assert abs(followed - intersected) < 0.05
