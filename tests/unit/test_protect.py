"""The search for a protection: the cheapest that holds is found, and what is recommended is what goes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import unmask
from tests.unit.small_studies import number
from unmask.assessment.asked import requested_study
from unmask.assessment.request import Verb
from unmask.data.example import people
from unmask.documents.study import STUDY
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.masks import expand
from unmask.measures.estimate import Estimate
from unmask.studies.protection.candidates import candidates
from unmask.studies.protection.cell import CellWork, StudyCell
from unmask.studies.protection.content import replicate_seed
from unmask.studies.protection.lines import Protection, ProtectionLine, Step, lines
from unmask.studies.protection.protect import ProtectionStudy, protection_of, release_seed
from unmask.studies.protection.search import along_lines, checked
from unmask.studies.protection.trials import FRESH, Trials
from unmask.studies.protection.workshop import Workshop

PEOPLE = people(120)
KNOWN = ("age", "income", "sex")
FOUND = 'reading = "found"\nat_most = {}\nattacks = ["dbrl"]'
LOSS = 'reading = "loss"\nmeasures = ["total-variation"]\nat_most = {}'
ASKED: Any = {"known": KNOWN, "attacks": ["dbrl"], "losses": ["il1s"], "measures": ["reidentification"]}
SWAPS, NOISES = "rank-swapping:p={5,10,20,40,60}", "noise:a={0.1,0.2,0.4,0.8,1.6}"


@pytest.fixture
def policy(tmp_path: Path) -> Callable[..., str]:
    """Makes the file of a policy with these criteria."""

    def written(*criteria: str) -> str:
        path = tmp_path / "policy.toml"
        head = 'format = "unmask-policy"\nversion = 1\ntitle = "Ours"\nsource = "A book"\n'
        path.write_text(head + "".join(f"[[criterion]]\n{one}\n" for one in criteria))
        return str(path)

    return written


def protect(policy: str, masks: Sequence[str] = (SWAPS, NOISES), **more: Any) -> ProtectionStudy:
    least = more.pop("least", "il1s")
    asked = {**ASKED, "policy": policy, **more}
    request, given = requested_study(Verb.PROTECT, PEOPLE, masks, asked, 2, least)
    return protection_of(request, given, LocalEngine(threads=1))


def searching(policy: str, masks: Sequence[str] = (SWAPS, NOISES)) -> Trials:
    """Trials without a search; the workshop keeps its results in memory, and needs no closing."""
    request, given = requested_study(Verb.PROTECT, PEOPLE, masks, {**ASKED, "policy": policy}, 2, "il1s")
    workshop = Workshop(request, given, LocalEngine(threads=1))
    assert workshop.policy is not None
    return Trials(workshop, workshop.policy)


def test_lines_fit_the_kinds_of_attributes() -> None:
    numbers, categories = ("age", "income"), ("sex", "region")
    by_kind = {one: [line.name for line in lines(PEOPLE, one)] for one in (numbers, categories)}
    assert by_kind[categories] == ["pram", "global-recoding", "cart", "local-suppression"]
    assert by_kind[numbers][:5] == ["noise", "correlated-noise", "rank-swapping", "microaggregation", "bands"]
    both = lines(PEOPLE, (*numbers, *categories))
    names = [line.name for line in both]
    assert len(names) == len(set(names)) == 5 * 2 + 2 + 1
    assert "bands then global-recoding then local-suppression" in names
    for line in both:
        assert [one.rung for one in line.protections] == list(range(len(line)))
        for one in (line.protections[0], line.protections[-1]):
            assert set(one.attributes) == {*numbers, *categories}
            candidates([one.text], people(200))  # which refuses what cannot be applied


def test_named_masks_are_lines_as_they_are_written() -> None:
    found = lines(PEOPLE, KNOWN, [SWAPS, "pram:pd={0.9,0.5}", SWAPS])
    assert [line.name for line in found] == [SWAPS, "pram:pd={0.9,0.5}"]
    assert [one.text for one in found[1].protections] == ["pram:pd=0.9", "pram:pd=0.5"]


def test_an_attribute_is_left_out_or_protected_less() -> None:
    both = Protection("x", 6, (Step("noise", 6, ("age", "pay")), Step("pram", 6, ("sex",))))
    rest = both.without("sex")
    assert rest is not None
    assert rest.attributes == ("age", "pay")
    assert rest.text == Step("noise", 6, ("age", "pay")).text
    alone = rest.without("age")
    assert alone is not None
    assert alone.without("pay") is None  # nothing would be protected
    less = both.weaker("age")
    assert less is not None
    assert less.text == " then ".join(
        Step(*one).text for one in (("noise", 6, ("pay",)), ("pram", 6, ("sex",)), ("noise", 3, ("age",)))
    )
    weakest = Protection("x", 0, (Step("noise", 0, ("age",)),))
    together = Protection("x", 6, (Step("microaggregation", 6, ("age", "pay")),))
    assert weakest.weaker("age") is None
    assert together.weaker("age") is None  # its groups are formed by all attributes
    assert Protection("x", 0, (), "noise:a=1").without("age") is None


def test_every_line_is_halved_to_its_weakest_rung_that_is_enough(policy: Any) -> None:
    file = policy(FOUND.format(0.25))
    trials = searching(file)
    ladder = lines(PEOPLE, KNOWN, (SWAPS, NOISES))
    with patch("unmask.studies.protection.search._leave"):  # so that every line is followed to its end
        found = along_lines(trials, ladder)
    assert len(trials.tried) <= len(ladder) * ceil(log2(max(map(len, ladder)) + 1))
    every = searching(file)
    weakest = []
    for line in ladder:
        met = [trial for trial in every.quick(line.protections) if trial.met]
        assert 0 < len(met) < len(line)
        weakest.append(met[0])
    weakest.sort(key=lambda trial: trial.cost)
    assert [one.protection.text for one in found] == [one.protection.text for one in weakest]


@pytest.mark.parametrize("bound", [0.15, 0.3, 0.6])
def test_the_search_finds_what_trying_everything_finds(bound: float, policy: Any) -> None:
    file = policy(FOUND.format(bound))
    every = searching(file)
    texts = [text for masks in (SWAPS, NOISES) for text in expand(masks)]
    all_ = [every.check(Protection(text, 0, (), text), 2) for text in texts]
    best = min((one for one in all_ if one.met), key=lambda trial: trial.cost)
    found = protect(file)
    assert found.mask == best.protection.text
    section = found.document.recommendation
    assert section is not None
    assert len(section.attempts) < len(texts)


def test_a_line_that_was_left_is_taken_up_when_the_cheaper_one_does_not_hold(policy: Any) -> None:
    trials = searching(policy(FOUND.format(0.3)), ())
    cheap, dear = (
        ProtectionLine(
            name, tuple(Protection(name, rung, (), text) for rung, text in enumerate(expand(name)))
        )
        for name in ("noise:a={0.05,0.3}", "rank-swapping:p={30,60}")
    )
    assert along_lines(trials, (cheap, dear))
    check = trials.check

    def strict(protection: Protection, replicates: int) -> Any:
        trial = check(protection, replicates)
        if protection.line == cheap.name:  # as if everybody were found on everybody
            object.__setattr__(trial, "verdicts", ())
        return trial

    with patch.object(trials, "check", strict):
        found = checked(trials, (cheap, dear), 2)
    assert found is not None
    assert found.protection.line == dear.name


def test_the_choice_is_checked_on_everybody_with_fresh_draws(policy: Any) -> None:
    seen: list[tuple[str, int, int | None]] = []
    session = CellWork.outcome

    def noted(work: CellWork, part: Any) -> Any:
        seen.append((work.candidate.text, work._cell.replicate, work._cell.sample))
        return session(work, part)

    with patch.object(CellWork, "outcome", noted):
        found = protect(policy(FOUND.format(0.3)))
    own = {(draw, sample) for text, draw, sample in seen if text == found.mask}
    assert own == {(0, len(PEOPLE)), (FRESH, None), (FRESH + 1, None)}
    section = found.document.recommendation
    assert section is not None
    assert section.checked == 2
    risk = found.document.risk(str(found.mask))
    assert number(risk) <= 0.3
    assert risk is not None
    assert risk.high is not None
    assert risk.high <= 0.3  # the whole interval is below the bound


def test_the_seed_makes_the_very_release_that_was_checked(policy: Any) -> None:
    found = protect(policy(FOUND.format(0.3)))
    assert found.mask is not None
    assert found.seed == release_seed(0) == replicate_seed(0, FRESH)
    made = unmask.mask(
        PEOPLE.frame, found.mask, seed=found.seed, schema=PEOPLE.schema, keep_identifiers=False
    )
    trials = searching(policy(FOUND.format(0.3)))
    candidate = candidates([found.mask], PEOPLE)[-1]
    cell = StudyCell(candidate, FRESH, trials.workshop.intruders[0])
    looked_at = CellWork(
        trials.workshop.material, cell, LocalEngine(threads=1)
    ).session.files.masked.data.frame
    shared = [name for name in looked_at.columns if name in made.columns]
    assert set(KNOWN) <= set(shared)
    assert made.select(shared).cast(dict(looked_at.select(shared).schema)).equals(looked_at.select(shared))


def test_where_nothing_meets_the_policy_the_nearest_and_the_bound_are_told(policy: Any) -> None:
    found = protect(policy(FOUND.format(0.001), LOSS.format(0.9)))
    section = found.document.recommendation
    assert section is not None
    assert (found.mask, section.checked, section.binding) == (None, 0, "found")
    assert len(section.nearest) == 3
    assert section.sentences[0] == "Nothing that was tried meets the policy."
    assert f"'{section.nearest[0]}' comes near: The share of people found is" in section.sentences[1]
    assert "above the ceiling of 0.1%" in section.sentences[1]
    risks = {one.mask: one.risk for one in section.attempts}
    assert risks[section.nearest[0]] == min(risk for risk in risks.values() if risk is not None)


def test_a_bound_on_the_loss_counts(policy: Any) -> None:
    free = protect(policy(FOUND.format(0.3)), losses=["il1s", "total-variation"])
    lost = number(free.document.loss(str(free.mask), "total-variation"))
    bound = protect(policy(FOUND.format(0.3), LOSS.format(lost / 4)))
    section = bound.document.recommendation
    assert section is not None
    assert bound.mask is None or number(bound.document.loss(bound.mask, "total-variation")) <= lost / 4
    assert bound.mask != free.mask
    assert section.binding in ("found", "loss")


def test_the_answer_is_told_with_its_numbers(policy: Any) -> None:
    found = protect(policy(FOUND.format(0.3)))
    section = found.document.recommendation
    assert section is not None
    text = " ".join(section.sentences)
    assert f"'{found.mask}' costs least" in text
    assert f"Of {len(section.attempts)} protections tried" in text
    assert f"{100 * number(found.document.risk(str(found.mask))):.1f}% of the people" in text
    assert "checked with the attacks that were named on 2 draws" in text  # and not with all
    assert "another protection may cost less" in text
    assert STUDY.text(STUDY.read(found.to_json())) == found.to_json()
    assert protect(policy(FOUND.format(0.3))).to_json() == found.to_json()


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        ({"masks": ["noise:q=1"]}, "no parameter of mask 'noise' is called 'q'"),
        ({"masks": ["pram:p=5,attributes=age"]}, "mask 'pram:p=5,attributes=age': column 'age' is numeric"),
        ({"masks": ["noise:a={3..1}"]}, "the range '3..1' is empty"),
        ({"least": "il1"}, "no loss is called 'il1'. Hint: did you mean 'il1s'?"),
    ],
)
def test_what_cannot_be_is_refused_before_the_search(mistake: dict[str, Any], says: str, policy: Any) -> None:
    with pytest.raises(ArgumentError) as refused:
        protect(policy(FOUND.format(0.3)), **mistake)
    assert says in str(refused.value)


def test_what_cannot_be_told_is_no_cost(policy: Any) -> None:
    frame = PEOPLE.frame.select("sex", "region")
    asked = {**ASKED, "known": ["sex", "region"], "policy": policy(FOUND.format(0.3))}
    request, given = requested_study(Verb.PROTECT, frame, ["pram:p=5"], asked, 2, "il1s")
    with pytest.raises(ArgumentError, match="what a mask costs cannot be told by 'il1s': the files have no"):
        protection_of(request, given, LocalEngine(threads=1))
    # Only some masks declare what this loss is made of.
    masks = ["pram:pd={0.9,0.5}", "local-suppression:k={3,5}"]
    found = protect(policy(FOUND.format(0.3)), masks, losses=["ebil"], least="ebil", known=["sex", "region"])
    assert str(found.mask).startswith("pram")


def test_attributes_are_left_as_they_are_where_that_is_enough(policy: Any) -> None:
    found = protect(policy(FOUND.format(0.5)), masks=(), known=["age", "sex"])
    section = found.document.recommendation
    assert section is not None
    tried = {one.mask: one for one in section.attempts}
    assert found.mask in tried
    assert any("attributes=age+sex" not in mask and "sex" not in mask for mask in tried)
    cheaper = [
        one for one in tried.values() if one.loss is not None and one.loss < tried[str(found.mask)].loss
    ]
    assert not [one for one in cheaper if one.met]
    assert isinstance(found.document.loss(str(found.mask)), Estimate)


def test_a_policy_without_a_bound_on_attacks_is_told_to_have_none(policy: Callable[..., str]) -> None:
    told = "The policy sets no bound on what attacks find"
    asked: Any = {
        "known": ["sex", "region"],
        "measures": ["k-anonymity"],
        "losses": ["detail"],
        "least": "detail",
    }
    cells = protect(policy('reading = "smallest-class"\nat_least = 3'), ["global-recoding:p={2..6}"], **asked)
    section = cells.document.recommendation
    assert section is not None
    assert section.mask is not None
    assert told in " ".join(section.sentences)
    bounded = protect(policy(FOUND.format(0.5))).document.recommendation
    assert bounded is not None
    assert bounded.mask is not None
    assert told not in " ".join(bounded.sentences)
