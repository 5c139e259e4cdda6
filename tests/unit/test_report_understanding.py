"""What was understood of the two files, on the pages: said once, in its place, without a value of anybody."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import polars as pl
import pytest

import unmask
from tests.unit.report_data import MEASURES, METHODS, assessment, change, row, text, understood
from unmask.documents import ASSESSMENT, AssessmentDocument
from unmask.documents.sections import Methods
from unmask.documents.understanding import UnderstandingSection
from unmask.report import html
from unmask.report.assessment.notes import notes
from unmask.report.intruder import about_mask
from unmask.report.understanding import MOST_ROWS, change_rows
from unmask.studies.releases import assess_releases

TITLE = "How the release came from the original"
EVIL = "</script><script>alert('x')</script>"


def attacked(**parts: Any) -> AssessmentDocument:
    rows = [row(0.5, attack="dbrl", measure=MEASURES[1], baseline=0.001, p_value=0.0)]
    attacks = [{"name": "dbrl", "baseline": False, "notes": [], "standing": {}}]
    return ASSESSMENT.build(assessment(table=rows, attacks=attacks, worst="dbrl") | parts)


def built(**parts: Any) -> AssessmentDocument:
    found = understood(**parts)
    return attacked(understood=found, notes=["first", *found["notes"]])


def body(page: str) -> str:
    """What a page shows in words; the drawings are full of coordinates."""
    words = re.sub(r"<svg.*?</svg>", "", page[page.index("<body>") : page.index("<footer>")], flags=re.DOTALL)
    return " ".join(words.split())


def test_the_section_stands_between_the_headline_and_the_notes() -> None:
    page = body(html(built()))
    places = [page.index(part) for part in ('class="headline"', TITLE, "Before you read", 'id="attacks"')]
    assert places == sorted(places)


def test_the_section_tells_rows_attributes_leftovers_and_guesses() -> None:
    page = body(html(built()))
    for part in (
        "<p>Records were paired by the key &#39;id&#39;, found in both files. 20 people of the original",
        '<th scope="row">age</th> <td>banded</td> <td>Its labels read as 9 bands.</td>',
        "<td>all pairs</td>",
        "Told by the pairs (numbers are rounded down to multiples of 10).</td>",
        "<td>noise, some suppressed</td>",
        "Unchanged: town.",
        "<strong>id</strong>: the key that tells who is who.",
        "kinds and roles of columns were guessed",
        "Key column &#39;id&#39; fits: 1080 of 1080 released values are in the original.",
        "Columns spelt otherwise in the release: Home (there home).",
        "Kinds of release: perturbed and recoded.",
    ):
        assert part in page


def test_what_the_section_says_no_note_repeats() -> None:
    assert notes(built()) == ["First."]
    assert len(notes(attacked(notes=understood()["notes"]))) == 2


@pytest.mark.parametrize("seen", [True, False])
def test_what_the_files_do_not_bear_out_is_told_in_strong_words(seen: bool) -> None:
    page = body(html(built(rows={"seen": seen})))
    assert ('<strong class="doubt">Records' in page) is not seen
    assert ("If that is wrong, every percentage is too low." in page) is not seen


def test_strength_counts_pairs_only_where_there_is_a_rule_and_a_pair() -> None:
    assert [line.strength for line in change_rows(section())] == ["all pairs", "98.0% of pairs", "no rule"]
    nobody = section(
        rows={"by": "nobody", "matched": 0}, changes=[change("a", "unknown"), change("b", "banded")]
    )
    assert [(line.attribute, line.strength) for line in change_rows(nobody)] == [("b", "no pairs")]


def section(**parts: Any) -> UnderstandingSection:
    found = built(**parts).understood
    assert found is not None
    return found


def test_a_long_table_is_folded() -> None:
    changes = [change(f"v{i}", "noise") for i in range(MOST_ROWS + 1)]
    page = body(html(built(changes=changes)))
    assert "<summary>Noise: v0, v1, v2, v3, v4, v5, v6, v7 and 5 more.</summary>" in page
    assert "<summary>Noise" not in body(html(built(changes=changes[1:])))


def test_names_cannot_break_out() -> None:
    left = [{"column": EVIL, "why": EVIL}]
    page = html(built(changes=[change(EVIL, EVIL, EVIL, rule=EVIL)], leftovers=left))
    assert EVIL not in page
    assert page.count("&lt;/script&gt;") >= 5


def test_the_intruder_who_knows_or_guesses_the_mask() -> None:
    families = [*METHODS["families"], {"name": "mechanism", "title": "Known masks", "sentence": ""}]
    texts = {
        "guessed-mechanism": text("a guess", "mechanism"),
        "mechanism:noise": text("a mask", "mechanism"),
    }
    methods = attacked(methods={"families": families, "texts": texts}).methods
    assert about_mask(["dbrl", "mechanism:noise", "guessed-mechanism"], methods) == [
        "In 1 of the attacks (a mask), the intruder knows how the file was protected.",
        "In 1 of the attacks (a guess), the intruder guesses how the file was protected.",
    ]
    assert about_mask(["dbrl"], Methods()) == []


# --- from files to pages --------------------------------------------------------------------------------

N = 60
ORIGINAL = pl.DataFrame(
    {
        "id": [f"zqid{i}" for i in range(N)],
        "age": [770_020 + i % 37 for i in range(N)],
        "pay": [771_003.5 + 7 * i for i in range(N)],
        "town": ["zqalone" if i == 3 else f"zqtown{i % 4}" for i in range(N)],
        "job": [f"zqjob{i % 5}" for i in range(N)],
        "flag": [f"zqflag{i * i % 3}" for i in range(N)],
    }
)
#: Bands, rounding, merged and renamed categories, a code that hides values, a new column; in another order.
RELEASED = ORIGINAL.with_columns(
    age=pl.when(pl.col("age") < 770_030).then(pl.lit("zqyoung")).otherwise(pl.lit("zqold")),
    pay=(pl.col("pay") / 100).round() * 100,
    town=pl.col("town").replace({"zqtown0": "zqnorth", "zqtown1": "zqnorth"}),
    job=pl.when(pl.int_range(pl.len()) % 9 == 0).then(pl.lit("zqhidden")).otherwise(pl.col("job")),
    badge=pl.int_range(pl.len()) + 772_000,
).sample(fraction=1, shuffle=True, seed=3)
#: Every value of a record looks like one of these, and nothing else does.
VALUE = re.compile(r"zq|77\d,?\d{3}")


def test_every_kind_of_document_tells_it_without_a_value() -> None:
    asked: dict[str, Any] = {"known": ["age", "pay", "town", "job"]}
    found = unmask.assess(ORIGINAL, RELEASED, attacks=["dbrl"], measures=["reidentification"], **asked)
    curves = unmask.knowledge_curves(
        ORIGINAL, RELEASED, grid=unmask.Grid(size=1, errors=(), shares=()), **asked
    )
    several = assess_releases(ORIGINAL, RELEASED, [RELEASED], attacks=["dbrl"], **asked)
    for result in (found, curves, several):
        told = result.document.understood
        assert told is not None
        assert told.rows.by == "key"
        kinds = {one.attribute: one.what for one in told.changes}
        assert (kinds["age"], kinds["pay"], kinds["town"]) == ("banded", "rounded", "recoded")
        assert {left.column for left in told.leftovers} >= {"id", "badge"}
        page, plain = result.to_html(), json.dumps(json.loads(result.to_json())["understood"])
        assert TITLE in page
        assert not VALUE.search(plain)
        assert not VALUE.search(body(page))


def test_the_same_files_are_understood_in_the_same_bytes() -> None:
    first, second = (UnderstandingSection.of(unmask.check(copy.copy(ORIGINAL), RELEASED)) for _ in range(2))
    assert first == second
