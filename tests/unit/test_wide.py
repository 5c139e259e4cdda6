"""Files of hundreds of columns and attributes of thousands of categories: nothing grows with their square."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Column, Kind, Microdata, Role, Scenario, Schema
from unmask.attacks import GuessedMechanism
from unmask.data.io import read
from unmask.data.io import table as io_table
from unmask.data.microdata import Masked
from unmask.data.understanding import keys as key_search
from unmask.data.understanding.columns import match_columns
from unmask.data.understanding.judging import MOST_EVIDENCE
from unmask.data.understanding.rows import row_order
from unmask.errors import ArgumentError, DataError
from unmask.intruder.dossier import Dossier
from unmask.linkage import redrawn
from unmask.linkage.agreement import comparisons
from unmask.linkage.inferred import Inferred
from unmask.linkage.mechanism import encode
from unmask.linkage.transitions import Declaration, Seen
from unmask.masks import PRAM, GlobalRecoding, LocalSuppression
from unmask.measures.attribute.matched import MOST_JUDGED, judged, unjudged_note
from unmask.measures.evidence import FileEvidence

RNG = np.random.default_rng


def numbers(n: int, d: int, seed: int = 1) -> pl.DataFrame:
    values = RNG(seed).normal(size=(n, d)).round(3)
    return pl.DataFrame({f"x{j}": values[:, j] for j in range(d)})


def places(n: int, categories: int, seed: int = 1) -> list[str]:
    return [f"place {i}" for i in RNG(seed).integers(0, categories, n)]


def files(n: int = 400, categories: int = 300, changed: float = 0.2) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A town of many categories, a fifth of them drawn again, and a number with noise."""
    town, other = places(n, categories), places(n, categories, seed=2)
    again = RNG(3).random(n) < changed
    age = RNG(4).integers(18, 90, n)
    original = pl.DataFrame({"town": town, "age": age})
    released = pl.DataFrame(
        {
            "town": [b if c else a for a, b, c in zip(town, other, again, strict=True)],
            "age": age + RNG(5).integers(-2, 3, n),
        }
    )
    return original, released


def test_rows_are_judged_over_some_columns_of_many():
    file = numbers(200, 300)
    noisy = file + numbers(200, 300, seed=2)
    found = row_order(file, noisy, file.columns)
    assert found.plausible
    assert f"over {MOST_EVIDENCE} columns" in found.sentence
    assert not row_order(file, noisy[RNG(1).permutation(200)], file.columns).plausible


def test_few_candidates_for_a_key_are_judged_and_those_called_one_first(monkeypatch):
    monkeypatch.setattr(key_search, "MOST_CANDIDATES", 3)
    order = RNG(9).permutation(60)
    columns = {f"c{j}": RNG(j).permutation(60) for j in range(6)} | {"person_id": np.arange(60)}
    original = pl.DataFrame(columns).with_columns(age=pl.Series(RNG(8).normal(size=60)))
    found = key_search.key_columns(original, original[order], original.columns)
    assert len(found) == 3
    assert found[0].name == "person_id"


def test_renames_are_not_looked_for_among_thousands_of_pairs():
    left = numbers(30, 60)
    right = left.rename({name: name.replace("x", "v") for name in left.columns})
    assert match_columns(left, right).alike == ()
    assert match_columns(left.select("x0"), right.select("v0")).alike == (("x0", "v0"),)


def test_a_file_that_is_too_wide_is_refused_before_it_is_read(monkeypatch, tmp_path):
    monkeypatch.setattr(io_table, "MOST_VALUES", 1000)
    numbers(5, 600).write_csv(tmp_path / "wide.csv")
    numbers(5, 600).write_parquet(tmp_path / "wide.parquet")
    for name in ("wide.csv", "wide.parquet"):
        with pytest.raises(DataError, match="600 columns and 5 records"):
            read(tmp_path / name)
    numbers(300, 5).write_csv(tmp_path / "long.csv")
    assert read(tmp_path / "long.csv").frame.shape == (300, 5)


def test_a_cell_may_hold_a_line_end_and_lines_may_be_blank(tmp_path):
    (tmp_path / "a.csv").write_bytes(b'name,age\r\n"Ann\nLee",31\n\nBo,2\n')
    assert read(tmp_path / "a.csv").frame.rows() == [("Ann\nLee", 31), ("Bo", 2)]


def test_an_intruder_who_would_know_thousands_of_attributes_is_refused():
    frame = pl.DataFrame({f"x{j}": np.zeros(7000) for j in range(300)})
    data = Microdata(Schema(tuple(Column(name) for name in frame.columns)), frame)
    with pytest.raises(ArgumentError, match=r"300 attributes of 7000 people.*--known"):
        Scenario().hold(data, data.schema, 0)
    assert len(Scenario(known=("x0", "x7")).hold(data, data.schema, 0)) == 1
    few = data.take(np.arange(500))
    assert len(Scenario().hold(few, few.schema, 0)) == 1


def test_of_many_attributes_the_known_and_confidential_ones_are_judged_first():
    frame = numbers(5, 300)
    role = {"x250": Role.CONFIDENTIAL}
    schema = Schema(
        tuple(Column(n, role=role.get(n, Role.QUASI_IDENTIFIER)) for n in frame.columns if n != "x299")
    )
    data = Microdata(schema, frame)
    evidence = FileEvidence(data, Masked.by_order(data, data), ("x298",))
    names = judged(evidence)
    assert len(names) == MOST_JUDGED
    assert {"x0", "x250", "x298"} <= set(names)
    assert list(names) == sorted(names, key=frame.columns.index)
    assert "200 of 299" in unjudged_note(evidence)[0]
    few = FileEvidence(data.only(["x0", "x1"]), Masked.by_order(data, data), ("x0",))
    assert judged(few) == ("x0", "x1")
    assert unjudged_note(few) == ()


@pytest.mark.parametrize("changed", [0.0, 0.2])
def test_a_long_attribute_is_attacked_as_with_a_table(monkeypatch, changed):
    asked = {"known": ["town", "age"], "attacks": [GuessedMechanism()], "measures": ["reidentification"]}
    original, released = files(changed=changed)
    usual = unmask.assess(original, released, truth="rows", **asked)
    monkeypatch.setattr(redrawn, "MOST_ENTRIES", 100)
    short = unmask.assess(original, released, truth="rows", **asked)
    assert usual.table().equals(short.table())
    assert usual.records().equals(short.records())


def test_a_long_attribute_has_no_table_of_all_pairs():
    n, k = 7000, 6500
    town = [f"place {i % k}" for i in range(n)]
    schema = Schema((Column("town", Kind.NOMINAL),))
    known = Microdata(schema, pl.DataFrame({"town": town}))
    change = unmask.check(*files(), truth="rows").changes[0]
    for declaration in (Declaration(()), Inferred((change,)).declare(Seen(known, known))):
        (term,) = encode(Dossier(known, known, unmask.Missing.MISMATCH), declaration, 0.0).terms
        assert term.table is None or term.table.size == 3 * k


def test_masks_declare_no_table_of_a_long_attribute(monkeypatch):
    monkeypatch.setattr(redrawn, "MOST_ENTRIES", 100)
    original, _ = files()
    schema = Schema((Column("town", Kind.NOMINAL), Column("sex", Kind.NOMINAL)))
    people = original.select("town").with_columns(sex=pl.Series(["f", "m"] * 200))
    data = Microdata(schema, people)
    for mask in (GlobalRecoding(p=2), LocalSuppression(k=2, attributes=("sex", "town"))):
        assert set(mask.transitions(data)) == {"sex"}
    (part,) = GlobalRecoding(p=2, attributes=("town",)).declare(Seen(data, data)).parts
    assert isinstance(part.transitions, redrawn.Redrawn)
    with pytest.raises(ArgumentError, match="too long for a table"):
        PRAM(p=5).apply(data, RNG(1))


def test_an_ordinal_attribute_of_many_levels_is_compared_by_groups():
    levels = tuple(map(str, range(9000)))
    data = Microdata(
        Schema((Column("rank", Kind.ORDINAL, levels=levels),)), pl.DataFrame({"rank": levels[::90]})
    )
    (compared,) = comparisons(Dossier(data, data, unmask.Missing.MISMATCH))
    assert compared.table is not None
    assert compared.table.shape == (3000, 3000)
    assert (compared.known == np.arange(0, 9000, 90) // 3).all()
