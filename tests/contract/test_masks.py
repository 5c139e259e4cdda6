"""The promises that every registered mask keeps."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from tests.contract.methods import ENTRIES, MASKS
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import UnmaskError
from unmask.masks import Declares, Exec, Mask
from unmask.masks.base import NUMBERS
from unmask.masks.families import SYNTHETIC
from unmask.parsing import construct, form, written

SCHEMA = Schema(
    (
        Column("id", role=Role.IDENTIFIER),
        Column("age"),
        Column("income"),
        Column("town", Kind.NOMINAL),
        Column("debt", role=Role.CONFIDENTIAL),
    )
)


def people(n=50, seed=3):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "id": np.arange(n),
            "age": rng.integers(18, 90, n),
            "income": rng.lognormal(3, 1, n),
            "town": rng.choice(["A", "B"], n).tolist(),
            "debt": rng.normal(0, 1, n),
        }
    )
    return Microdata(SCHEMA, frame)


LEVELS = ("none", "primary", "secondary", "tertiary", "doctor")
CATEGORIES = Schema(
    (
        Column("id", role=Role.IDENTIFIER),
        Column("town", Kind.NOMINAL),
        Column("school", Kind.ORDINAL, levels=LEVELS),
        Column("job", Kind.NOMINAL, levels=("1", "2", "3", "4", "10")),
        Column("ill", Kind.NOMINAL, role=Role.CONFIDENTIAL),
    )
)


def residents(n=120, seed=4):
    rng = np.random.default_rng(seed)
    return Microdata(
        CATEGORIES,
        pl.DataFrame(
            {
                "id": np.arange(n),
                "town": rng.choice(["A", "B", "C", "D"], n, p=[0.4, 0.3, 0.2, 0.1]).tolist(),
                "school": rng.choice(LEVELS, n, p=[0.1, 0.2, 0.3, 0.2, 0.2]).tolist(),
                "job": rng.choice([1, 2, 3, 4, 10], n),
                "ill": rng.choice(["yes", "no"], n).tolist(),
            }
        ),
    )


def masked(mask, file, seed=1):
    return mask.apply(file, np.random.default_rng(seed))


def masked_or_refused(mask, file):
    """The released file, or None where the mask refuses in one line that says what to do."""
    try:
        return masked(mask, file)
    except UnmaskError as error:
        message = str(error)
    assert "Hint: " in message
    assert "\n" not in message
    return None


def changed(mask, file, columns):
    """Whether the mask takes the file and gives some of its columns other values, not only missing ones."""
    try:
        released = masked(mask, file).data.frame
    except UnmaskError:
        return False
    before = file.frame.cast({column: released[column].dtype for column in columns})
    return any((released[column] != before[column]).any() for column in columns)


def suppresses(mask, file):
    """Whether the mask takes the file and makes values missing."""
    try:
        return masked(mask, file).data.frame.null_count().sum_horizontal().item() > 0
    except UnmaskError:
        return False


NUMERIC = [text for text, mask in MASKS.items() if changed(mask, people(), ("age", "income"))]
SUPPRESSING = [text for text, mask in MASKS.items() if suppresses(mask, residents())]
CATEGORICAL = [*SUPPRESSING, *(t for t, m in MASKS.items() if changed(m, residents(), ("town", "job")))]
#: Masks that take numbers alone, and those that draw values anew, of any kind, missing ones among them.
OF_NUMBERS = [text for text in NUMERIC if getattr(MASKS[text], "kinds", NUMBERS) == NUMBERS]
DRAWN = [text for text, mask in MASKS.items() if mask.about.family == SYNTHETIC]
NEEDING = [text for text, mask in MASKS.items() if form(mask.name, type(mask)) != mask.name]
masks = pytest.mark.parametrize("text", MASKS)
of_numbers = pytest.mark.parametrize("text", OF_NUMBERS)
drawn = pytest.mark.parametrize("text", DRAWN)
numeric = pytest.mark.parametrize("text", NUMERIC)
categorical = pytest.mark.parametrize("text", CATEGORICAL)


def test_every_mask_that_needs_parameters_has_an_example():
    assert {text.partition(":")[0] for text in MASKS} == {
        e.name for e in ENTRIES if hasattr(e.kind, "apply") and not hasattr(e.kind, "shape")
    }
    copied = {text for text, mask in MASKS.items() if isinstance(mask, Exec)}
    assert {*NUMERIC, *CATEGORICAL} == {*MASKS} - copied, "an example changes nothing"


@masks
def test_it_is_a_frozen_dataclass_that_is_written_as_it_is_read(text):
    assert isinstance(MASKS[text], Mask)
    assert written(MASKS[text].name, MASKS[text]) == text
    with pytest.raises(dataclasses.FrozenInstanceError):
        MASKS[text].attributes = ("age",)
    assert hash(MASKS[text]) == hash(dataclasses.replace(MASKS[text]))


@numeric
def test_the_same_seed_gives_the_same_bytes(text):
    once, again = (masked(MASKS[text], people()).data.frame for _ in range(2))
    assert once.equals(again)
    for column in ("age", "income"):
        assert once[column].to_numpy().tobytes() == again[column].to_numpy().tobytes()


@numeric
def test_it_changes_the_targets_and_nothing_else(text):
    file = people()
    before = file.frame.clone()
    released = masked(MASKS[text], file)
    assert file.frame.equals(before)
    assert file.frame.schema == before.schema
    assert released.data.schema == file.schema
    others = ["id", "debt", *(["town"] if text in OF_NUMBERS else [])]
    assert released.data.frame.select(others).equals(before.select(others))
    for column in ("age", "income"):
        assert released.data.frame[column].dtype in (pl.Float64, before[column].dtype)
        assert not np.array_equal(released.data.frame[column].to_numpy(), before[column].to_numpy())
    assert released.origin.tolist() == list(range(len(file)))


@numeric
def test_it_keeps_to_the_attributes_named(text):
    file = people()
    released = masked(dataclasses.replace(MASKS[text], attributes=("income",)), file).data.frame
    assert released.drop("income").equals(file.frame.drop("income"))
    assert not released["income"].equals(file.frame["income"])


@of_numbers
def test_missing_values_stay_missing_and_infect_nothing(text):
    gaps = pl.Series([None if i % 7 == 0 else float(i * i) for i in range(50)])
    file = people().replace({"income": gaps})
    held = masked_or_refused(MASKS[text], file)
    if held is None:
        return
    released = held.data.frame
    assert released["income"].is_null().to_list() == gaps.is_null().to_list()
    assert released["age"].null_count() == 0
    assert not released["income"].is_nan().any()


@numeric
def test_a_column_without_values_stays_so(text):
    file = people().replace({"income": pl.Series([None] * 50, dtype=pl.Float64)})
    released = masked_or_refused(MASKS[text], file)
    assert released is None or released.data.frame["income"].null_count() == 50


@numeric
def test_a_constant_column_stays_within_its_spread(text):
    file = people().replace({"income": pl.Series([0.1] * 50)})
    released = masked(MASKS[text], file).data.frame["income"].to_numpy()
    if text.startswith("multiplicative-noise"):
        assert (np.abs(released / 0.1 - 1) <= 0.5).all()
    else:
        assert (released == (0.0 if text.startswith("rounding") else 0.1)).all()


@numeric
@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_file_of_few_records_is_masked_or_refused_in_one_line(text, n):
    released = masked_or_refused(MASKS[text], people(n))
    assert released is None or np.isfinite(released.data.numbers(["age", "income"])).all()


@of_numbers
def test_a_file_without_numeric_quasi_identifiers_is_refused(text):
    with pytest.raises(UnmaskError, match="no numeric quasi-identifier"):
        masked(MASKS[text], people().only(["id", "town"]))


@of_numbers
@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        (("incom",), "did you mean 'income'"),
        (("town",), "'town' is nominal"),
        (("age", "age"), "named twice"),
        ((), "no attribute is named"),
    ],
)
def test_attributes_that_do_not_fit_are_refused(text, attributes, message):
    with pytest.raises(UnmaskError, match=message):
        masked(dataclasses.replace(MASKS[text], attributes=attributes), people())


@pytest.mark.parametrize("text", NEEDING)
def test_its_required_parameters_are_said(text):
    name, kind = MASKS[text].name, type(MASKS[text])
    assert form(name, kind).startswith(f"{name}:")
    lacks = f"{name} needs one of its" if hasattr(kind, "one_of") else f"mask '{name}' lacks its"
    with pytest.raises(UnmaskError, match=f"{lacks} parameter.* write {name}:"):
        construct(name, "mask", {name: kind})


@masks
def test_no_value_of_a_record_is_said(text):
    """Neither in what it is called, nor in what it refuses."""
    frame = pl.DataFrame({"age": [771300.5, None, 771313.5], "town": ["Zq1", "Zq2", None]})
    file = Microdata(Schema((Column("age"), Column("town", Kind.NOMINAL))), frame)
    said = [MASKS[text].name, MASKS[text].about.title]
    for columns in (["age", "town"], ["age"], ["town"]):
        try:
            masked(MASKS[text], file.only(columns))
        except UnmaskError as refusal:
            said.append(str(refusal))
    assert not any(secret in part for secret in ("Zq", "7713") for part in said)


@categorical
def test_of_categories_the_same_seed_gives_the_same_file(text):
    once, again = (masked(MASKS[text], residents()).data for _ in range(2))
    assert once.frame.equals(again.frame)
    assert once.schema == again.schema


@categorical
def test_of_categories_it_changes_the_targets_and_nothing_else(text):
    file = residents()
    before = file.frame.clone()
    released = masked(MASKS[text], file)
    assert file.frame.equals(before)
    assert released.data.frame.columns == before.columns
    assert released.data.frame.select("id", "ill").equals(before.select("id", "ill"))
    for column in ("town", "school", "job"):
        text = released.data.frame[column].cast(pl.String)
        assert not text.equals(before[column].cast(pl.String))
        assert released.data.schema[column].kind is file.schema[column].kind
    assert released.data.schema["school"].levels == LEVELS
    assert released.origin.tolist() == list(range(len(file)))


@categorical
def test_of_categories_it_keeps_to_the_attributes_named(text):
    file = residents()
    released = masked(dataclasses.replace(MASKS[text], attributes=("school",)), file).data.frame
    assert released.drop("school").equals(file.frame.drop("school"))
    if text not in SUPPRESSING:  # a single key that enough people share needs no suppression
        assert not released["school"].equals(file.frame["school"])


@categorical
def test_of_categories_missing_values_stay_missing(text):
    file = residents()
    gaps = (
        file.frame["town"]
        .to_frame()
        .with_row_index()
        .select(pl.when(pl.col("index") % 7 > 0).then(pl.col("town")))
    )
    file = file.replace({"town": gaps.to_series()})
    released = masked(MASKS[text], file).data.frame
    if text not in DRAWN:
        assert released["town"].filter(gaps.to_series().is_null()).is_null().all()
    if text not in (*SUPPRESSING, *DRAWN):
        assert released["town"].null_count() == gaps.to_series().null_count()
        assert released["job"].null_count() == 0
    empty = file.replace({"town": pl.Series([None] * len(file), dtype=pl.String)})
    assert masked(MASKS[text], empty).data.frame["town"].null_count() == len(file)


@drawn
def test_a_missing_value_is_drawn_as_any_other(text):
    gaps = pl.Series([None if i % 3 == 0 else float(i * i) for i in range(300)])
    file = people(300).replace({"income": gaps})
    released = masked(MASKS[text], file).data.frame
    assert released["income"].is_null().to_list() != gaps.is_null().to_list()
    assert 50 < released["income"].null_count() < 150
    assert released["age"].null_count() == 0
    assert set(released["income"]) <= set(gaps)


@categorical
@pytest.mark.parametrize("n", [1, 2, 3])
def test_of_categories_few_records_are_masked_or_refused_in_one_line(text, n):
    released = masked_or_refused(MASKS[text], residents(n))
    assert released is None or len(released.data) == n


@categorical
@pytest.mark.parametrize(
    ("attributes", "message"),
    [(("twon",), "did you mean 'town'"), (("town", "town"), "named twice"), ((), "no attribute is named")],
)
def test_of_categories_attributes_that_do_not_fit_are_refused(text, attributes, message):
    with pytest.raises(UnmaskError, match=message):
        masked(dataclasses.replace(MASKS[text], attributes=attributes), residents())


@categorical
def test_it_declares_what_it_makes_possible_and_does_nothing_else(text):
    if not isinstance(MASKS[text], Declares):
        assert text in DRAWN
        return
    file = residents()
    released = masked(MASKS[text], file).data
    tables = MASKS[text].transitions(file)
    assert set(tables) == {"town", "school", "job", "ill"}
    for column, table in tables.items():
        before, after = file.codes(column, table.original), released.codes(column, table.released)
        assert (before >= 0).all()
        assert (after >= 0).all() or text in SUPPRESSING
        assert (table.probability[before, after][after >= 0] > 0).all()
        assert (table.probability.sum(axis=1) <= 1 + 1e-12).all()


def test_importing_the_masks_compiles_nothing():
    code = "import sys, unmask.masks; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
