"""What stands on the decision page: each part from a document worked out by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import unmask
from tests.unit import made_documents
from tests.unit.report_data import METHODS, assessment, row, text, understood
from unmask.assessment.record_of_decision import Signature, record_html, record_markdown, record_of
from unmask.cli.decision import show_decision
from unmask.data.example import people
from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.report import page_of
from unmask.report.assessment.both_files import both_lines, both_reasons
from unmask.report.decision import decision
from unmask.report.decision.section import decision_section
from unmask.report.side_by_side import ReleaseSide, cautions, lines

RISK = "reidentification"
OWN = text("interval disclosure", "attribute", 1, own_record=True)
ALL, CHANGED = ["age", "town"], "leave out 'age'"


def attack(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "baseline": name == "guess", "notes": [], "standing": {}} | more


def found(name: str, value: float, **more: Any) -> dict[str, Any]:
    return row(value, attack=name, measure=RISK, baseline=1 / 1080, p_value=0.0) | more


CONCLUSION = {
    "attack": "dbrl",
    "people": 1000,
    "released": 1080,
    "rate": 0.65,
    "tested": 12,
    "notes": ["Only this attack was repeated."],
    "spread": {
        "attack": "dbrl",
        "people": 1080,
        "certain": 500,
        "likely": 100,
        "possible": 200,
        "none": 280,
        "half": 300,
        "most": 520,
        "points": [{"people": 0.0, "risk": 0.0}, {"people": 0.5, "risk": 0.9}, {"people": 1.0, "risk": 1.0}],
    },
    "changes": [
        {"name": CHANGED, "kind": "drop", "text": CHANGED, "lost": 0.4, "attribute": "age", "command": ""}
    ],
}
CURVES = [
    found("dbrl", 0.11, curve="facts", known=["age"]),
    found("dbrl", 0.02, curve="without", known=["town"], subject="age"),
    found("dbrl", 0.64, curve="without", known=["age"], subject="town"),
    found("dbrl", 0.9, curve="group", subject="town", people="North", n=60) | {"baseline": 0.6},
    found("dbrl", 0.02, curve="change", release=CHANGED),
]


def document(**parts: Any) -> AssessmentDocument:
    """An assessment in which dbrl finds 65 of 100; parts replace its own."""
    made = {
        "attacks": [attack("guess"), attack("dbrl")],
        "worst": "dbrl",
        "table": [found("guess", 1 / 1080, low=0.0, high=0.01), found("dbrl", 0.65), *CURVES],
        "conclusion": CONCLUSION,
        "understood": understood(),
    }
    return ASSESSMENT.build(assessment(**made | parts))


def test_the_answer_is_in_whole_people() -> None:
    page = decision(document())
    assert page.facts == (
        "An intruder who knows 2 facts about everyone finds 65 in 100; 1 fact (age): 11 in 100; "
        "guessing: 9 in 10,000."
    )
    assert "finds the right record of 702" in page.answer[0]


def test_a_share_that_is_not_everybody_is_never_called_so() -> None:
    page = decision(document(table=[found("dbrl", 0.9999, high=1.0), *CURVES]))
    assert "finds 9,999 in 10,000" in page.facts


def test_cards_come_in_the_order_of_whom_they_concern() -> None:
    secret = row(0.9, measure="sadr", baseline=0.1, meaning="Nine of ten are learned.")
    unique = row(1.0, measure="k-anonymity", unit="level", low=None, high=None)
    page = decision(document(table=[found("dbrl", 0.65), secret, unique, *CURVES]))
    assert [card.name for card in page.cards] == ["uniqueness", "attribute", "identity", "membership"]
    identity = next(card for card in page.cards if card.name == "identity")
    assert (identity.number, identity.why) == ("65 in 100", "Mostly through age.")
    assert identity.span is not None
    assert identity.span.baseline == pytest.approx(1 / 1080)
    assert "No policy was given" in page.rule


def test_a_card_without_a_number_says_why_and_is_never_0() -> None:
    page = decision(document())
    by_name = {card.name: card for card in page.cards}
    assert by_name["membership"].number == "not measured"
    assert "--holdout" in by_name["membership"].why
    assert all(card.beyond is None for name, card in by_name.items() if name != "identity")


def test_what_is_no_more_than_chance_is_called_nothing_beyond() -> None:
    page = decision(document(table=[found("dbrl", 0.65), row(0.2, measure="sadr", baseline=0.2), *CURVES]))
    card = next(card for card in page.cards if card.name == "attribute")
    assert card.beyond is False
    assert card.concern == 0.0


def test_what_the_owner_of_a_found_record_reads_is_no_answer_to_what_is_learned() -> None:
    """Unchanged values count for everybody, whoever is found: the card asks what is learned without that."""
    own = row(1.0, measure="interval-rank", baseline=0.1)
    blind = row(0.3, measure="sadr", baseline=0.25)
    methods = {"methods": METHODS | {"texts": METHODS["texts"] | {"interval-rank": OWN}}}
    page = decision(document(table=[found("dbrl", 0.65), own, blind, *CURVES], **methods))
    assert next(card for card in page.cards if card.name == "attribute").number == "30.0%"
    alone = decision(document(table=[found("dbrl", 0.65), own, *CURVES], **methods))
    assert next(card for card in alone.cards if card.name == "attribute").number == "100%"


def test_a_result_that_chance_gives_too_is_called_so() -> None:
    page = decision(document(table=[found("dbrl", 0.002, p_value=0.4), *CURVES]))
    assert "cannot be told apart from chance" in page.answer[1]
    assert next(card for card in page.cards if card.name == "identity").beyond is False


def test_what_may_make_numbers_too_low_comes_first() -> None:
    doubtful = understood(guessed=True, rows={"seen": False})
    trust = decision(document(understood=doubtful)).trust
    serious = [one.serious for one in trust]
    assert serious == sorted(serious, reverse=True)
    told = [one.text for one in trust if one.serious]
    assert any("every percentage is too low" in text for text in told)
    assert any("guessed" in text for text in told)


def test_an_attack_on_a_sample_or_without_a_number_is_told() -> None:
    lost = row(None, attack="rbrl-max", measure=RISK, reason="no target has a released record")
    table = [found("dbrl", 0.65), found("guess", 0.001, n=400), lost]
    attacks = [attack("guess"), attack("dbrl"), attack("rbrl-max")]
    trust = {one.text: one.serious for one in decision(document(table=table, attacks=attacks)).trust}
    assert trust["Tried on a sample of people, with wider intervals: guess."] is False
    assert trust["Without a number: rbrl-max."] is True


def test_who_through_what_and_what_helps() -> None:
    page = decision(document())
    assert page.who is not None
    assert page.who.sentences[1].startswith("300 people (27.8% of all) carry half of the risk")
    assert [(group.group, group.rate, group.others) for group in page.who.groups] == [
        ("North", "90 in 100", "60 in 100")
    ]
    assert page.through is not None
    assert [(line.attribute, line.text) for line in page.through.lines] == [
        ("age", "63 in 100 fewer"),
        ("town", "1 in 100 fewer"),
    ]
    assert page.helping is not None
    assert [(line.text, line.after, line.lost) for line in page.helping.lines] == [
        (CHANGED, "2 in 100", "40.0%")
    ]


def test_without_a_conclusion_these_parts_are_left_out() -> None:
    page = decision(document(conclusion=None, table=[found("dbrl", 0.65)]))
    assert (page.who, page.through, page.helping, page.facts) == (None, None, None, "")


VERDICT = {
    "policy": "office",
    "title": "Our office",
    "source": "Handbook, 2026.",
    "verdict": "exceeded",
    "criteria": [
        {
            "name": "found",
            "title": "people found",
            "measure": RISK,
            "bound": 0.05,
            "verdict": "exceeded",
            "why": "65.7% is more than 5%.",
            "scenario": "knows 2 attributes",
        }
    ],
}


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        ("exceeded", "The policy 'Our office' is exceeded: 1 of 1 criterion."),
        ("met", "Under the policy 'Our office', the one criterion is met, for this intruder"),
        ("not estimable", "Whether the policy 'Our office' is met is not estimable: 1 of 1 criterion has"),
    ],
)
def test_with_a_policy_the_verdict_is_the_first_sentence(verdict: str, told: str) -> None:
    criteria = [VERDICT["criteria"][0] | {"verdict": verdict}]  # type: ignore[index]
    page = decision(document(verdict=VERDICT | {"verdict": verdict, "criteria": criteria}))
    assert page.answer[0].startswith(told)
    assert page.rule == ""
    assert [card.name for card in page.cards] == ["identity", "attribute", "membership", "uniqueness"]


def test_the_terminal_shows_it_in_about_thirty_lines(capsys: pytest.CaptureFixture[str]) -> None:
    show_decision(document(verdict=VERDICT))
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) <= 36
    told = " ".join(printed.split())
    order = [
        "is exceeded",
        "65 in 100",
        "policy: exceeded",
        "Whose record is found?",
        "Who:",
        "Through what:",
        "Leave out",
    ]
    places = [told.index(part) for part in order]
    assert places == sorted(places)


def test_the_section_of_the_page_has_pictures_with_their_numbers_in_words() -> None:
    part = decision_section(document()).part
    assert "65 in 100; 95% interval" in part["pictures"]["identity"]  # type: ignore[index]
    assert 'points="0.0,150.0 75.0,15.0 150.0,0.0"' in str(part["spread"])


def test_a_record_holds_words_and_name_as_given_and_no_markup_of_others() -> None:
    made = document(verdict=VERDICT)
    record = record_of(made, Signature("Ann | Officer", "Not released.\nToo many are found."))
    markdown = record_markdown(record)
    assert "> Not released.\n> Too many are found." in markdown
    assert "Signed: Ann | Officer" in markdown
    assert "| people found | exceeded | 65.7% is more than 5%. |" in markdown
    page = record_html(record_of(made, Signature("<b>Ann</b>")), made)
    assert "&lt;b&gt;Ann" in page
    assert "<b>Ann" not in page


def test_both_files_stand_side_by_side_and_a_reason_is_told_once() -> None:
    def both(release: str, value: float | None, **more: Any) -> dict[str, Any]:
        numbers = {"unit": "count", "curve": "both", "release": release, "low": None, "high": None}
        return row(value, measure="k-anonymity", **numbers, **more)

    lost = both("released", None, reason="not applicable: values were changed", applicable=False)
    made = document(table=[found("dbrl", 0.65), both("original", 540.0), lost])
    (line,) = both_lines(made)
    assert (line.original, line.released) == ("540 (50.0%)", "not applicable")
    assert both_reasons(made) == ["Not applicable: values were changed."]


def test_sides_say_why_they_may_not_be_compared() -> None:
    one, other = (
        document(),
        document(worst="guess", table=[found("guess", 0.001, high=0.01)], conclusion=None),
    )
    sides = [ReleaseSide.of("careless", one), ReleaseSide.of("careful", other)]
    by_question = {line.question: line.answers for line in lines(sides)}
    assert by_question["whose record is found"] == ("65 in 100 (64.1% to 65.7%)", "1 in 1,000 (0% to 1.0%)")
    assert by_question["found by 1 fact"] == ("11 in 100 (age)", "")
    assert cautions(sides) == []
    again = ReleaseSide.of("again", document(scenario=one_fact()))
    told = cautions([sides[0], again])
    assert told[0] == "They have different intruders, so a difference need not come from the release."
    assert told[1] == "The intervals of what is found overlap: careless and again."


def one_fact() -> dict[str, Any]:
    return {
        "text": "knows 1 attribute",
        "attributes": [{"name": "age", "kind": "numeric"}],
        "missing": "mismatch",
    }


# ---- what the release is still good for ----


def with_losses(*rows: Any, **parts: Any) -> AssessmentDocument:
    table = [found("guess", 1 / 1080, low=0.0, high=0.01), found("dbrl", 0.65), *rows, *CURVES]
    return document(table=table, losses=list(dict.fromkeys(one["measure"] for one in rows)), **parts)


def test_what_is_lost_has_the_last_card_and_takes_no_part_in_the_order() -> None:
    page = decision(with_losses(*made_documents.of_loss("total-variation", 0.99, 0.05, 0.6, unit="share")))
    card = page.cards[-1]
    assert [one.name for one in page.cards[:-1]] == [one.name for one in decision(document()).cards]
    assert (card.name, card.number, card.risk) == ("losses", "99.0%", False)
    assert card.beside == "people drawn again: 5.0%; no relation: 60.0%"
    assert page.rule.endswith("a loss is no risk.")
    # Of the risks, none is one that a loss made.
    assert all(one.number != "99.0%" for one in page.cards[:-1])


def test_a_loss_that_chance_alone_makes_is_called_so() -> None:
    page = decision(with_losses(*made_documents.of_loss("total-variation", 0.06, 0.05, 0.6, unit="share")))
    assert page.cards[-1].beside.endswith("; no more than chance changes")


def test_without_a_loss_there_is_no_card() -> None:
    assert "losses" not in [card.name for card in decision(document()).cards]
    lost = row(None, measure="total-variation", reason="no attribute is in both files")
    assert "losses" not in [card.name for card in decision(with_losses(lost)).cards]
    assert "still good for" not in decision(document()).rule


def test_the_card_of_a_loss_is_drawn_between_its_references() -> None:
    shares = with_losses(*made_documents.of_loss("total-variation", 0.2, 0.05, 0.6, unit="share"))
    html = page_of(ASSESSMENT.text(shares))
    label = "Loss from 0 to 100%: this release 20.0%; people drawn again 5.0%; columns without relation 60.0%"
    assert label in html
    assert html.index('id="card-uniqueness"') < html.index('id="card-losses"')
    assert 'href="#losses"' in html
    assert 'id="losses"' in html
    levels = with_losses(*made_documents.of_loss("il1s", 1.2, 0.05, 0.6, unit="level"))
    assert decision(levels).cards[-1].span is None


def test_a_loss_is_no_finding_anywhere() -> None:
    from unmask.report.assessment.families import family_tables
    from unmask.report.assessment.short import unfounded, worst_findings

    lost = with_losses(*made_documents.loss_rows())
    assert (family_tables(lost), worst_findings(lost), unfounded(lost)) == ([], [], [])
    assert decision(lost).trust == decision(document()).trust


def test_a_synthetic_file_is_answered_by_what_it_gives_away() -> None:
    """Where no attack can be made, the first card and the answer tell of copies among the records."""
    everybody = people(900).frame
    original, others = everybody[:300], everybody[300:600]
    copied = pl.concat([others[:240], original[:60]])
    asked = {"synthetic": True, "known": ["age", "income", "region"], "measures": None}
    page = decision(unmask.assess(original, copied, holdout=everybody[600:], **asked).document)
    card = next(card for card in page.cards if card.name == "synthesis")
    assert card.question == "What does it give away of single people?"
    assert card.beyond
    assert "What it gives away most of single people is told by" in " ".join(page.answer)
