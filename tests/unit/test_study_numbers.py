"""From the draws of a mask to its rows: means, intervals, the largest risk, the front and the score."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy.stats import t

from tests.unit.small_studies import part_of
from unmask.documents.study import RISK, SCORE
from unmask.documents.table import row_plain
from unmask.measures.estimate import Curve, CurvePoint, Estimate, Keys, NotEstimable, Row, Unit
from unmask.studies.protection.cell import ATTACK, LOSS, MEASURE, Outcome, Part
from unmask.studies.protection.front import dominates, front
from unmask.studies.protection.score import WIDTHS, score
from unmask.studies.protection.summary import over_draws, summed_up

LOST = Estimate.none(NotEstimable("nobody is in the release"))


def about(value: float, by: float = 0.0, unit: Unit = Unit.SHARE) -> Estimate:
    return Estimate(value, value - by, value + by, 60, baseline=0.01, unit=unit)


def test_the_interval_of_the_mean_is_that_of_student_where_it_is_wider() -> None:
    values = [0.30, 0.34, 0.38]
    found = over_draws([about(value, 0.001) for value in values])
    half = t.ppf(0.975, 2) * np.std(values, ddof=1) / sqrt(3)
    assert found.value == pytest.approx(0.34)
    assert (found.low, found.high) == (pytest.approx(0.34 - half), pytest.approx(0.34 + half))
    assert (found.baseline, found.n) == (pytest.approx(0.01), 60)


def test_the_interval_is_that_of_people_where_that_is_wider() -> None:
    found = over_draws([about(0.30, 0.2), about(0.31, 0.2)])
    assert (found.low, found.high) == (pytest.approx(0.105), pytest.approx(0.505))


def test_a_single_draw_keeps_its_interval_or_has_none() -> None:
    assert over_draws([about(0.3, 0.1)]).high == pytest.approx(0.4)
    bare = over_draws([Estimate(0.3, None, None, 60)])
    assert (bare.value, bare.low, bare.high) == (0.3, None, None)


def test_an_interval_stays_where_its_numbers_can_be() -> None:
    share = over_draws([about(0.0), about(1.0)])
    assert (share.low, share.high) == (0.0, 1.0)
    level = over_draws([about(0.5, unit=Unit.LEVEL), about(3.5, unit=Unit.LEVEL)])
    assert level.low == 0.0
    assert level.high is not None
    assert level.high > 10
    below = over_draws([about(-1.0, unit=Unit.LEVEL), about(1.0, unit=Unit.LEVEL)])
    assert below.low is not None
    assert below.low < -10


def test_a_draw_without_a_number_leaves_none() -> None:
    found = over_draws([about(0.0), LOST, about(0.0)])
    assert (found.number, found.reason) == (None, "nobody is in the release")


def test_the_risk_is_the_mean_over_draws_of_the_largest_share() -> None:
    draws: dict[Part, list[Outcome]] = {
        (ATTACK, "guess"): [part_of("reidentification", 1.0, "guess")] * 2,
        (ATTACK, "dbrl"): [part_of("reidentification", v, "dbrl") for v in (0.2, 0.6)],
        (ATTACK, "prl"): [part_of("reidentification", v, "prl") for v in (0.4, 0.1)],
        (ATTACK, "learned-wm"): [part_of("reidentification", 0.9, "learned-wm", informed=["learned-wm"])] * 2,
        (ATTACK, "rbrl-max"): [part_of("claimed-precision", 0.95, "rbrl-max")] * 2,
    }
    rows = {(row.keys.measure, row.keys.attack): row.estimate.number for row in summed_up(draws)}
    assert rows[RISK, None] == pytest.approx((0.4 + 0.6) / 2)
    assert rows["reidentification", "dbrl"] == pytest.approx(0.4)
    assert rows["reidentification", "learned-wm"] == pytest.approx(0.9)


def test_of_attacks_that_have_no_number_the_others_tell_the_risk() -> None:
    none = {"rows": [row_plain(Row(Keys("reidentification", "dbrl"), LOST))]}
    good = part_of("reidentification", 0.4, "prl")

    def risk(*outcomes: list[Outcome]) -> Estimate:
        draws: dict[Part, list[Outcome]] = {(ATTACK, str(i)): part for i, part in enumerate(outcomes)}
        return next(row.estimate for row in summed_up(draws) if row.keys.measure == RISK)

    assert risk([none], [good]).number == pytest.approx(0.4)
    assert risk([none, good]).reason == "nobody is in the release"
    assert risk([none], [none]).reason == "nobody is in the release"
    assert risk([{"rows": []}]).reason == "no attack was made"
    assert risk([good, {"rows": []}]).reason == "no attack was made"


@pytest.mark.parametrize(
    ("part", "attack"), [("mechanism", "mechanism:noise:a=0.1"), ("learned", "learned-wm")]
)
def test_an_attack_that_failed_on_a_draw_has_a_row_without_a_number(part: str, attack: str) -> None:
    good = part_of("reidentification", 0.9, attack)
    failed = {"rows": [row_plain(Row(Keys("reidentification", part), LOST))]}
    (row,) = (row for row in summed_up({(ATTACK, part): [good, failed]}) if row.keys.measure != RISK)
    assert row.keys.attack == ("mechanism" if part == "mechanism" else attack)
    assert row.estimate.reason == "nobody is in the release"
    rows = summed_up({(ATTACK, part): [good, {"rows": []}]})  # on one it does not apply
    assert [row.keys.measure for row in rows] == [RISK]


def place(risk: float, loss: float, by: float = 0.02) -> tuple[Estimate, Estimate]:
    return about(risk, by), about(loss, 0.0)


def test_a_candidate_dominates_only_where_intervals_separate() -> None:
    assert dominates(place(0.1, 0.5), place(0.2, 0.5))
    assert dominates(place(0.1, 0.4), place(0.1, 0.5))
    assert not dominates(place(0.1, 0.5), place(0.13, 0.5))  # perhaps the same
    assert not dominates(place(0.1, 0.6), place(0.2, 0.5))  # at a cost
    assert not dominates(place(0.1, 0.5), place(0.1, 0.5))


def test_what_has_no_number_is_not_on_the_front() -> None:
    places = {"a": place(0.1, 0.5), "b": (LOST, about(0.0)), "c": (about(0.0), LOST), "d": place(0.5, 0.1)}
    assert front(places) == {"a", "d"}
    assert front({}) == frozenset()


def disclosed(**shares: float) -> Outcome:
    """Interval disclosure of each attribute, alike at all widths; and beyond those that the score takes."""
    rows = [Row(Keys("interval-rank"), about(1.0))]
    for name, share in shares.items():
        points = (*(CurvePoint(at, share) for at in WIDTHS), CurvePoint(50.0, 1.0))
        curve = Curve("the width", points)
        rows.append(Row(Keys("interval-rank", subject=name), Estimate(share, None, None, 60, curve=curve)))
    return {"rows": [row_plain(row) for row in rows]}


def parts(loss: float) -> dict[Part, list[Outcome]]:
    return {
        (LOSS, "il1s"): [part_of("il1s", loss)],
        (ATTACK, "dbrl"): [part_of("reidentification", 0.5, "dbrl")],
        (ATTACK, "prl"): [part_of("reidentification", 0.25, "prl")],
        (MEASURE, "interval-rank"): [disclosed(age=0.2, pay=0.6)],
    }


def test_the_score_is_half_loss_and_half_risk() -> None:
    found = score(parts(0.4))
    assert found is not None
    assert found.value == pytest.approx(100 * (0.5 * 0.4 + 0.5 / 8 + 0.25 / 8 + 0.4 / 4))
    capped = score(parts(7.0))
    assert capped is not None
    assert capped.value == pytest.approx(100 * (0.5 * 1.0 + 0.5 / 8 + 0.25 / 8 + 0.4 / 4))
    rows = {row.keys.measure: row.estimate.number for row in summed_up(parts(0.4))}
    assert rows[SCORE] == pytest.approx(39.375)


def test_there_is_no_score_without_all_of_its_parts() -> None:
    for lost in parts(0.4):
        some = {part: outcomes for part, outcomes in parts(0.4).items() if part != lost}
        assert score(some) is None
        none: Outcome = {"rows": [row_plain(Row(Keys(lost[1]), LOST))]}
        assert score({**parts(0.4), lost: [none]}) is None


def test_the_score_is_the_mean_over_draws() -> None:
    both = {part: [*one, *parts(0.8)[part]] for part, one in parts(0.4).items()}
    found = score(both)
    assert found is not None
    assert found.value == pytest.approx(39.375 + 100 * 0.5 * 0.2)
