"""Masks one after the other: what they make, how they are written, and what they declare."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from tests.cli.console import run
from unmask.about import About
from unmask.attacks import KnownMechanism, MaskAware
from unmask.data.example import people
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError, UnmaskError
from unmask.intruder.scenario import Scenario
from unmask.linkage.transitions import Interval, Normal, Seen
from unmask.linkage.transparency import declares
from unmask.masks import PRAM, GlobalRecoding, Noise, Pipeline, TopCoding, as_mask, parse
from unmask.masks.families import PERTURBATIVE
from unmask.masks.release import as_released

TEXTS = (
    "noise:a=0.1 then pram:p=5",
    "noise:a=0.1,attributes=age+income then pram:p=5,attributes=town then local-suppression:k=3",
    'noise:a=0.1,attributes="now then later"+age then microaggregation:k=3+8,groups=age|income+"a{1}"',
    "global-recoding:mapping=1+low|2+low,attributes=v then top-coding:p=2",
)


class Reverse:
    """The records in the opposite order, the first of them left out; it says nothing of itself."""

    name = "reverse"
    about = About("reverse", PERTURBATIVE, "Records change places.", "a test, 2024.")

    def apply(self, original, rng):
        rows = np.arange(len(original))[:0:-1]
        return Masked(original.take(rows), rows)


def applied(mask, file, seed=1):
    return mask.apply(file, np.random.default_rng(seed))


@pytest.mark.parametrize("text", TEXTS)
def test_a_pipeline_is_written_as_it_is_read(text):
    mask = parse(text)
    assert isinstance(mask, Pipeline)
    assert mask.text == text
    assert parse(mask.text) == mask
    assert hash(parse(mask.text)) == hash(mask)
    assert as_mask(text) == mask


def test_then_is_a_word_by_itself_outside_quotes():
    assert parse("noise:a=1,attributes=then") == Noise(a=1, attributes=("then",))
    assert parse('noise:a=1,attributes="now then"') == Noise(a=1, attributes=("now then",))
    assert parse("noise:a=1\n  then\n  pram:p=2").parts == (Noise(a=1), PRAM(p=2))
    assert len(parse("noise:a=1 then pram:p=2 then pram:p=3").parts) == 3


@pytest.mark.parametrize("text", ["noise:a=1 then", "then noise:a=1", "noise:a=1 then then pram:p=2"])
def test_a_mask_that_is_missing_is_refused(text):
    with pytest.raises(ArgumentError, match=r"a mask is missing beside 'then'.*Hint: "):
        parse(text)


@pytest.mark.parametrize("parts", [(), "noise:a=1", (Noise,), ("noise:a=1",)])
def test_what_is_no_list_of_masks_is_refused(parts):
    with pytest.raises(ArgumentError, match=r"pipeline.*Hint: "):
        Pipeline(parts)


def test_a_pipeline_of_pipelines_is_one():
    noise, pram, coding = Noise(a=1), PRAM(p=2), TopCoding(p=2)
    assert Pipeline((Pipeline((noise, pram)), coding)) == Pipeline((noise, pram, coding))


def test_each_mask_is_applied_to_what_the_one_before_releases():
    file = people(200)
    mask = parse("noise:a=0.5,attributes=age then global-recoding:width=2 then local-suppression:k=3,"
                 "attributes=age+sex")  # fmt: skip
    found = applied(mask, file).data
    rng = np.random.default_rng(1)
    streams = rng.spawn(3)
    noisy = as_released(file, mask.parts[0].apply(file, streams[0])).data
    coarse = mask.parts[1].apply(noisy, streams[1]).data
    expected = mask.parts[2].apply(coarse, streams[2]).data
    assert found.frame.equals(expected.frame)
    assert found.schema == expected.schema
    kept = found.frame.filter(pl.col("age").is_not_null())["age"]
    assert 0 < len(kept) < 200, "whole ages repeat, so that not all of them are suppressed"


def test_a_later_mask_moves_no_earlier_one():
    file = people(100)
    texts = ("noise:a=0.5,attributes=age", "noise:a=0.5,attributes=income", "noise:a=0.1,attributes=rent")
    two, other, three = (
        as_released(file, applied(parse(text), file)).data.frame
        for text in (" then ".join(texts[:2]), f"{texts[0]} then {texts[2]}", " then ".join(texts))
    )
    assert two["age"].equals(other["age"])
    assert two["age"].equals(three["age"])
    assert two["income"].equals(three["income"])
    assert not two["age"].equals(file.frame["age"])


def test_the_same_seed_gives_the_same_file():
    mask = parse("noise:a=0.5 then pram:p=5 then local-suppression:k=2")
    assert applied(mask, people(80)).data.frame.equals(applied(mask, people(80)).data.frame)


def test_origins_lead_back_to_the_original():
    file = people(6)
    once = applied(Pipeline((Reverse(), Noise(a=0.0))), file)
    assert once.origin.tolist() == [5, 4, 3, 2, 1]
    twice = applied(Pipeline((Reverse(), Reverse())), file)
    assert twice.origin.tolist() == [1, 2, 3, 4]
    assert twice.data.frame["person"].to_list() == file.frame["person"].to_list()[1:5]


def test_a_first_mask_may_change_what_a_column_is():
    file = people(200)
    mask = parse("global-recoding:bands=3,attributes=age,release=label then pram:pd=0.2,attributes=age")
    made = applied(mask, file).data
    assert made.schema["age"].kind is Kind.ORDINAL
    assert made.frame["age"].n_unique() == 3
    with pytest.raises(UnmaskError, match="'age' is ordinal"):
        applied(Pipeline((mask.parts[0], Noise(a=1, attributes=("age",)))), file)


def test_it_says_what_its_masks_are():
    about = parse("noise:a=0.1 then pram:p=5").about
    assert about.title == "independent noise, a=0.1, then post-randomisation, p=5"
    assert "Kim" in about.source
    assert "Kooiman" in about.source


SCHEMA = Schema(
    (
        Column("id", role=Role.IDENTIFIER),
        Column("age"),
        Column("income"),
        Column("town", Kind.NOMINAL),
        Column("job", Kind.NOMINAL),
    )
)


def residents(n=150, seed=5):
    rng = np.random.default_rng(seed)
    columns = {
        "id": np.arange(n),
        "age": rng.integers(20, 60, n),
        "income": rng.normal(50, 20, n).round(),
        "town": rng.choice(list("ABCDEF"), n),
        "job": rng.choice(list("uvwxyz"), n),
    }
    return Microdata(SCHEMA, pl.DataFrame(columns))


def declared(text, file, **more):
    mask = as_mask(text)
    known = file.only(["age", "income", "town", "job"])
    return mask.declare(Seen(known, applied(mask, file).data.only(known.schema.names()), **more))


def test_masks_of_different_attributes_declare_what_each_does():
    both = declared("noise:a=0.5 then pram:p=8", residents())
    assert both.attributes == {"age", "income", "town", "job"}
    assert not both.notes
    alone = declared("noise:a=0.5", residents())
    for part, single in zip(both.parts, alone.parts, strict=False):
        assert part.attributes == single.attributes
        np.testing.assert_array_equal(part.covariance, single.covariance)


def test_of_an_attribute_that_two_masks_change_nothing_is_claimed():
    both = declared("rank-swapping:p=10 then noise:a=0.1,attributes=age", residents())
    of_age = [p for p in both.parts if not isinstance(p, Normal) and p.attribute == "age"]
    assert [type(part) for part in of_age] == [Interval]
    assert np.isneginf(of_age[0].low).all()
    assert np.isposinf(of_age[0].high).all()
    assert not [part for part in both.parts if isinstance(part, Normal)]
    assert "'age'" in both.notes[0]
    assert "'income'" not in both.notes[0]


def test_noise_before_a_suppression_is_still_noise():
    both = declared("noise:a=0.5 then local-suppression:k=3,attributes=age+town", residents())
    assert [part.attributes for part in both.parts if isinstance(part, Normal)] == [("age",), ("income",)]
    assert not both.notes


@pytest.mark.parametrize("targets", [None, 0.4])
@pytest.mark.parametrize(
    "first",
    ["noise:a=0.2", "multiplicative-noise:b=0.2", "global-recoding:bands=6", "individual-ranking:k=4"],
)
def test_beside_a_suppression_the_true_record_stays_possible_and_is_told_apart(first, targets):
    file = residents(200)
    mask = parse(f"{first},attributes=age+income then local-suppression:k=3,attributes=age+town")
    made = as_released(file, applied(mask, file))
    dossier, truth, _ = Scenario(targets=targets, missing=Missing.SUPPRESSED).stage(file, made, 2)
    matcher = KnownMechanism(mask).prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))
    assert 0 < made.data.frame["age"].null_count() < 170
    assert (matcher.standing(truth, 300).tied > 0).all()
    assert not any("makes no use" in note for note in matcher.notes)


def test_where_too_few_values_are_left_nothing_is_claimed():
    both = declared("noise:a=0.5 then local-suppression:k=20,attributes=age+income", residents(40))
    assert "'age'" in both.notes[0]
    assert not [part for part in both.parts if isinstance(part, Normal)]


def test_a_pipeline_of_masks_that_declare_nothing_declares_nothing():
    assert not declares(Pipeline((Reverse(), Reverse())))
    with pytest.raises(ArgumentError, match="does not declare what it does"):
        KnownMechanism(Pipeline((Reverse(), Reverse())))
    mixed = Pipeline((Reverse(), Noise(a=0.1)))
    assert declares(mixed)
    assert len(declared(mixed, residents()).notes) == 1


def found(file, mask, knows, known):
    attack = KnownMechanism(knows)
    risk = unmask.assess(file, mask, known=known, attacks=[attack], measures=["reidentification"])
    return risk.table().filter(measure="reidentification")["value"][0]


def test_who_knows_the_pipeline_finds_at_least_as_many_as_who_knows_one_mask_and_one_attribute_kind():
    file = residents(300)
    mask = parse("noise:a=0.3 then pram:pd=0.6")
    both = found(file, mask, mask, ["age", "income", "town", "job"])
    assert both >= found(file, mask, mask.parts[0], ["age", "income"])
    assert both >= found(file, mask, mask.parts[1], ["town", "job"])
    assert both > 0.2


@pytest.mark.parametrize("second", ["pram:pd=0.5", "local-suppression:k=4"])
def test_bands_that_another_mask_changes_rule_nobody_out(second):
    file = residents()
    mask = parse(f"global-recoding:bands=4,release=label,attributes=age then {second},attributes=age+town")
    attack = KnownMechanism(mask)
    known = ["age", "town", "job"]
    risk = unmask.assess(file, mask, known=known, attacks=[attack], measures=["reidentification"])
    (made,) = risk.document.attacks
    assert not any("no possible" in note or "cannot" in note for note in made.notes)
    assert any("of 'age'" in note for note in made.notes) == second.startswith("pram")


def test_tables_of_the_mask_aware_attack_leave_out_what_two_masks_change():
    file = residents()
    mask = parse("pram:p=8,attributes=town then global-recoding:p=2,attributes=town+job")
    assert set(mask.transitions(file)) == {"job"}
    single = parse("noise:a=1 then global-recoding:p=2")
    tables = single.transitions(file)
    assert set(tables) == {"town", "job"}
    one = GlobalRecoding(p=2).transitions(file)
    assert all(np.array_equal(tables[name].probability, one[name].probability) for name in tables)
    risk = unmask.assess(file, single, attacks=[MaskAware(single)], measures=["reidentification"])
    assert risk.table()["value"][0] > 0


def test_a_request_and_the_file_beside_a_release_speak_of_pipelines(tmp_path):
    path = tmp_path / "people.csv"
    people(120).frame.write_csv(path)
    text = "noise:a=0.3,attributes=income then pram:pd=0.5,attributes=region"
    out, request, document = tmp_path / "out.csv", tmp_path / "r.toml", tmp_path / "risk.json"
    assert run("mask", path, "--mask", text, "-o", out, "--save-request", request).code == 0
    before = out.read_bytes()
    assert f'mask = "{text}"' in (tmp_path / "out.csv.unmask.toml").read_text()
    assert run("run", request, "-o", out).code == 0
    assert out.read_bytes() == before
    assert run("assess", path, out, "--known", "income,region", "--json", document).code == 0
    assert f"mechanism:{text}" in document.read_text(), "the intruder knows the masks"
    named = run(
        "assess", path, out, "--no-sidecar", "--known", "income", "--mechanism", text, "--json", document
    )
    assert named.code == 0
    assert f"mechanism:{text}" in document.read_text()


def test_local_suppression_alone_needs_no_note():
    assert not declared("local-suppression:k=3 then local-suppression:k=5", residents()).notes
