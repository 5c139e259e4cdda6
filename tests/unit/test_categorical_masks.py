"""Masks of categories on files small enough to know the answer, and the attack that knows the mask."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unmask import Scenario, assess
from unmask.attacks import DBRL, MaskAware
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.errors import ArgumentError, UnmaskError
from unmask.linkage.transitions import Declared, Transitions
from unmask.masks import PRAM, BottomCoding, GlobalRecoding, LocalSuppression, TopCoding, parse

LEVELS = ("1", "2", "3", "4", "5")


def ordinal(values, levels=LEVELS):
    return Microdata(Schema((Column("v", Kind.ORDINAL, levels=levels),)), pl.DataFrame({"v": values}))


def nominal(values, levels=()):
    return Microdata(Schema((Column("v", Kind.NOMINAL, levels=levels),)), pl.DataFrame({"v": values}))


def numbers(values):
    return Microdata(Schema((Column("v"),)), pl.DataFrame({"v": values}))


def apply(mask, file, seed=1):
    return mask.apply(file, np.random.default_rng(seed)).data


def column(mask, file):
    return apply(mask, file).frame["v"].to_list()


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (TopCoding(p=1), [1, 2, 3, 4, 5]),
        (TopCoding(p=3), [1, 2, 3, 3, 3]),
        (TopCoding(p=9), [1, 1, 1, 1, 1]),
        (BottomCoding(p=2), [2, 2, 3, 4, 5]),
        (GlobalRecoding(width=2), [1, 1, 3, 3, 5]),
        (GlobalRecoding(width=3), [2, 2, 2, 4, 4]),
        (GlobalRecoding(mapping={"4": "4+", "5": "4+"}, attributes=("v",)), [1, 2, 3, 4, 4]),
        (GlobalRecoding(mapping={"3": "5", "4": "5"}, attributes=("v",)), [1, 2, 5, 5, 5]),
    ],
)
def test_ordinal_groups_are_released_as_one_of_their_categories(mask, expected):
    released = apply(mask, ordinal([1, 2, 3, 4, 5]))
    assert released.frame["v"].to_list() == expected
    assert released.schema["v"].levels == LEVELS


def test_nominal_groups_get_a_name_of_their_own():
    file = nominal(["10", "9", "2", "1", "10"], levels=("1", "2", "9", "10"))
    released = apply(TopCoding(p=2), file)
    assert released.frame["v"].to_list() == ["9|10", "9|10", "2", "1", "9|10"]
    assert released.schema["v"].levels == ("1", "2", "9|10")


def test_without_levels_categories_that_are_numbers_are_in_the_order_of_numbers():
    assert column(BottomCoding(p=2), nominal([10, 9, 2, 1])) == ["10", "9", "1|2", "1|2"]
    assert column(BottomCoding(p=2), nominal(["x10", "x9", "x2"])) == ["x10|x2", "x9", "x10|x2"]


def test_global_recoding_merges_the_rarest():
    assert column(GlobalRecoding(p=2), nominal(list("aaabbcdd"))) == [*"aaa", *["b|c"] * 3, *"dd"]
    # The neighbours with the fewest records are 4 and 5, though 1 alone is as rare as they are.
    assert column(GlobalRecoding(p=2), ordinal([1, 2, 2, 2, 3, 3, 4, 5])) == [1, 2, 2, 2, 3, 3, 4, 4]


def test_numbers_are_coded_by_limit_share_and_mean():
    file = numbers([1, 2, 3, 4, None, 10])
    assert column(TopCoding(limit=3, attributes=("v",)), file) == [1, 2, 3, 3, None, 3]
    assert column(TopCoding(share=0.4), file) == [1, 2, 3, 3, None, 3]
    assert column(TopCoding(share=0.4, replacement="mean"), file) == [1, 2, 3, 7, None, 7]
    assert column(BottomCoding(share=0.2), file) == [2, 2, 3, 4, None, 10]
    assert column(BottomCoding(share=0.4, replacement="mean"), file) == [1.5, 1.5, 3, 4, None, 10]
    assert column(TopCoding(share=0), file) == [1, 2, 3, 4, None, 10]


def test_numbers_are_put_into_bands():
    file = numbers([0, 4, 5, 6, None, 10])
    assert column(GlobalRecoding(bands=2), file) == [3, 3, 3, 8, None, 8]
    assert column(GlobalRecoding(breaks=(4, 5)), file) == [2, 2, 5, 8, None, 8]
    labelled = apply(GlobalRecoding(breaks=(4, 5), release="label"), file)
    assert labelled.frame["v"].to_list() == ["<=4", "<=4", "(4,5]", ">5", None, ">5"]
    assert labelled.schema["v"] == Column("v", Kind.ORDINAL, levels=("<=4", "(4,5]", ">5"))


def test_a_hierarchy_is_read_from_a_file(tmp_path):
    path = tmp_path / "towns.csv"
    path.write_text("town;county;country\nA;north;all\nB;north;all\nC;south;all\n")
    mask = GlobalRecoding(file=str(path), attributes=("v",))
    assert column(mask, nominal(["A", "B", "C", None])) == ["north", "north", "south", None]
    assert parse(f"global-recoding:file={path},level=2,attributes=v").level == 2
    assert (
        column(parse(f"global-recoding:file={path},level=2,attributes=v"), nominal(["A", "C"])) == ["all"] * 2
    )
    with pytest.raises(UnmaskError, match="lacks 1 of the 2 categories of 'v'"):
        column(mask, nominal(["A", "Z"]))
    with pytest.raises(UnmaskError, match=r"no level 3 .* Hint: give 4 columns"):
        column(GlobalRecoding(file=str(path), level=3, attributes=("v",)), nominal(["A"]))
    path.write_text("A,x,p\nB,x,q\n")
    with pytest.raises(UnmaskError, match=r"level 2 of the hierarchy .* splits a category of level 1"):
        column(GlobalRecoding(file=str(path), level=2, attributes=("v",)), nominal(["A", "B"]))
    path.write_text("A,x\nA,y\n")
    with pytest.raises(UnmaskError, match="lists a category twice"):
        column(mask, nominal(["A"]))
    with pytest.raises(UnmaskError, match="cannot be read"):
        column(GlobalRecoding(file=str(tmp_path / "no.csv"), attributes=("v",)), nominal(["A"]))


def test_pram_draws_with_the_probabilities_given():
    file = nominal(["a"] * 20_000 + ["b"] * 10)
    released = apply(PRAM(matrix={"v": [[0.7, 0.3], [0, 1]]}), file).frame["v"]
    assert released[:20_000].eq("b").mean() == pytest.approx(0.3, abs=0.02)
    assert released[20_000:].eq("b").all()


def test_pram_leaves_a_single_category_and_unused_levels_alone():
    assert column(PRAM(p=9), nominal(["a", "a", None])) == ["a", "a", None]
    matrix = PRAM(pd=0.2).matrices(nominal(["a", "c"] * 9, levels=("a", "b", "c")), np.random.default_rng(1))[
        "v"
    ]
    assert matrix[1].tolist() == [0, 1, 0]
    assert matrix[[0, 2], 1].tolist() == [0, 0]


def test_suppression_by_hand():
    people = Microdata(
        Schema(tuple(Column(name, Kind.NOMINAL) for name in ("town", "sex", "job"))),
        pl.DataFrame({"town": [*"AAAB"], "sex": [*"ffff"], "job": [*"xxyx"]}),
    )
    # Without its job the third record is compatible with the first two; so is the last without its town.
    released = apply(LocalSuppression(2), people).frame
    assert released.row(2) == ("A", "f", None)
    assert released.row(3) == (None, "f", "x")
    assert released[:2].equals(people.frame[:2])


def test_records_that_share_nothing_give_up_everything():
    people = Microdata(
        Schema(tuple(Column(name, Kind.NOMINAL) for name in ("a", "b"))),
        pl.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]}),
    )
    assert apply(LocalSuppression(3), people).frame.null_count().row(0) == (3, 3)
    assert column(LocalSuppression(2), numbers([1.5, 1.5, 2.5])) == [1.5, 1.5, None]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: TopCoding(),
            "top-coding needs one of its parameters p, limit, share. Hint: write top-coding:p=INTEGER",
        ),
        (lambda: TopCoding(p=2, share=0.1), "p and share are given, and one of them decides"),
        (lambda: TopCoding(p=0), "p is no whole number of at least 1"),
        (lambda: TopCoding(limit=3), "a limit is given, but not for which attributes"),
        (lambda: TopCoding(limit=np.nan, attributes=("v",)), "Hint: give a number that is finite"),
        (lambda: BottomCoding(share=1.5), "share=1.5 is out of range. Hint: give a number from 0 to 1"),
        (lambda: BottomCoding(share=0.1, replacement="median"), "replacement is not one of limit, mean"),
        (lambda: BottomCoding(p=2, replacement="mean"), "categories have no mean"),
        (lambda: GlobalRecoding(), "needs one of its parameters p, width, mapping, file, breaks, bands"),
        (lambda: GlobalRecoding(breaks=(3, 1)), "breaks do not rise"),
        (lambda: GlobalRecoding(bands=2, release="median"), "release is not one of mean, label"),
        (lambda: GlobalRecoding(mapping={"a": "b"}), "not for which attributes"),
        (lambda: GlobalRecoding(mapping=("ab", "cde"), attributes=("v",)), "not made of pairs"),
        (lambda: GlobalRecoding(mapping="ab", attributes=("v",)), "the mapping is no mapping"),
        (lambda: PRAM(), "pram needs one of its parameters p, pd, matrix"),
        (lambda: PRAM(p=11), "p=11 is out of range. Hint: give a number from 0 to 10"),
        (lambda: PRAM(matrix={"v": [[1, 0]]}), "the matrix of 'v' is not square"),
        (lambda: PRAM(matrix={"v": [[0.5, 0.6], [0, 1]]}), "add up to 1 in every row"),
        (lambda: PRAM(matrix={"v": [[1]]}, attributes=("v",)), "both matrix and attributes"),
        (lambda: PRAM(matrix="v"), "does not hold a matrix of numbers for each attribute"),
        (lambda: LocalSuppression(2, importance=3), "importance is not a tuple of numbers"),
        (lambda: LocalSuppression(0), "k must be a whole number of at least 1"),
        (lambda: LocalSuppression(2, importance=(0,)), "an importance is 0"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(make, message):
    with pytest.raises(ArgumentError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (GlobalRecoding(mapping={"1": "x", "3": "x"}, attributes=("v",)), "not made of neighbours"),
        (GlobalRecoding(mapping={"7": "x"}, attributes=("v",)), "names no category of 'v'"),
        (PRAM(matrix={"v": [[1]]}), "a matrix of 1 rows for the 5 categories of 'v'"),
        (TopCoding(share=0.1, attributes=("v",)), "'v' is ordinal, and this mask takes numeric columns"),
        (LocalSuppression(4), "k=4 exceeds the 3 records"),
        (LocalSuppression(2, importance=(1, 2)), "2 importances for 1 attributes"),
    ],
)
def test_files_that_do_not_fit_are_refused(mask, message):
    with pytest.raises(UnmaskError, match=message):
        apply(mask, ordinal([1, 2, 3]))


def test_masks_are_read_from_text():
    assert parse("top-coding:share=0.05,attributes=age") == TopCoding(share=0.05, attributes=("age",))
    assert parse("pram:pd=0.8,alpha=1") == PRAM(pd=0.8, alpha=1.0)
    assert parse("global-recoding:breaks=18+65") == GlobalRecoding(breaks=(18.0, 65.0))
    assert parse("global-recoding:mapping=1+low|2+low,attributes=v") == GlobalRecoding(
        mapping={"1": "low", "2": "low"}, attributes=("v",)
    )
    assert parse("local-suppression:k=3,importance=1+2") == LocalSuppression(3, (1.0, 2.0))


def reidentified(original, masked, attack, **scenario):
    risk = assess(original, masked, attacks=[attack], **scenario)
    found = risk.table().filter(measure="reidentification", attack=attack.name)
    return found["value"].item() * len(original)


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(3)
    schema = Schema(
        (
            Column("town", Kind.NOMINAL),
            Column("school", Kind.ORDINAL, levels=LEVELS),
            Column("job", Kind.NOMINAL),
            Column("age"),
        )
    )
    frame = pl.DataFrame(
        {
            "town": rng.choice([*"ABCDEFGH"], 200).tolist(),
            "school": rng.integers(1, 6, 200),
            "job": rng.choice([*"klmnopq"], 200).tolist(),
            "age": rng.integers(20, 60, 200),
        }
    )
    return Microdata(schema, frame)


@pytest.mark.parametrize(
    "mask",
    [TopCoding(p=4), BottomCoding(p=3), GlobalRecoding(p=4), GlobalRecoding(width=2), LocalSuppression(3)],
    ids=str,
)
def test_knowing_the_mask_never_makes_linkage_worse(people, mask):
    masked = mask.apply(people, np.random.default_rng(1))
    names = ("town", "school", "job")
    plain, aware = (reidentified(people, masked, a, known=names) for a in (DBRL(), MaskAware(mask)))
    assert aware >= plain
    if mask.name != "local-suppression":
        # Deterministic recoding leaves nothing in doubt but who shares one released combination.
        assert aware == pytest.approx(masked.data.frame.select(names).unique().height)


def test_where_everything_is_possible_knowing_the_mask_adds_nothing(people):
    mask = PRAM(p=9)
    masked = mask.apply(people, np.random.default_rng(1))
    assert reidentified(people, masked, MaskAware(mask)) == reidentified(people, masked, DBRL())


def test_declared_tables_serve_an_intruder_who_knows_few_people(people):
    mask = GlobalRecoding(p=4)
    masked = mask.apply(people, np.random.default_rng(1))
    declared = MaskAware(Declared(mask.name, mask.transitions(people)))
    scenario = Scenario(known=("town", "job"), targets=20)
    risk = assess(people, masked, attacks=[declared], scenario=scenario)
    assert risk.table().filter(measure="reidentification", attack=declared.name)["value"].item() > 0


def test_a_target_without_a_possible_record_abstains(people):
    nobody = Declared("nothing", {"town": Transitions(("A",), ("A",), np.zeros((1, 1)))})
    file = people.only(["town"])
    masked = PRAM(p=0).apply(file, np.random.default_rng(0))
    linked = reidentified(file, masked, MaskAware(nobody))
    assert linked == pytest.approx(len(set(file.frame["town"])) - 1)


def test_a_transition_table_has_the_shape_of_its_categories():
    with pytest.raises(ArgumentError, match="a transition table of shape"):
        Transitions(("a",), ("a", "b"), np.eye(2))
