"""The promises that every registered mask keeps."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import UnmaskError
from unmask.masks import MASKS, Mask, parse
from unmask.parsing import form

#: For every mask of numbers parameters that change the file; a new mask adds a line.
EXAMPLES = {
    "noise": "noise:a=0.5",
    "correlated-noise": "correlated-noise:a=0.5",
    "multiplicative-noise": "multiplicative-noise:b=0.5",
    "rank-swapping": "rank-swapping:p=30",
    "p-distribution-rank-swapping": "p-distribution-rank-swapping:p=30",
    "individual-ranking": "individual-ranking:k=3",
    "microaggregation": "microaggregation:k=3",
    "top-coding": "top-coding:share=0.3",
    "bottom-coding": "bottom-coding:share=0.3",
    "global-recoding": "global-recoding:bands=4",
}
#: The same for every mask of categories.
CATEGORICAL = {
    "top-coding": "top-coding:p=2",
    "bottom-coding": "bottom-coding:p=2",
    "global-recoding": "global-recoding:p=2",
    "pram": "pram:p=9",
    "local-suppression": "local-suppression:k=9",
}
#: Masks that refuse missing values, with a message that says what to do.
REFUSE_MISSING = {"microaggregation"}
masks = pytest.mark.parametrize("name", MASKS)
numeric = pytest.mark.parametrize("name", EXAMPLES)
categorical = pytest.mark.parametrize("name", CATEGORICAL)
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


def example(name, **parameters):
    return dataclasses.replace(parse(EXAMPLES.get(name) or CATEGORICAL[name]), **parameters)


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


def test_every_mask_has_an_example_here():
    assert set(EXAMPLES) | set(CATEGORICAL) == set(MASKS)


@masks
def test_it_is_a_frozen_dataclass_registered_under_its_name(name):
    kind = MASKS[name]
    assert kind.name == name
    assert isinstance(example(name), Mask)
    with pytest.raises(dataclasses.FrozenInstanceError):
        example(name).attributes = ("age",)
    assert hash(example(name)) == hash(example(name))


@masks
def test_its_name_describes_and_does_not_promise(name):
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    # k-anonymity is the name of a condition that can be checked.
    text = (name + (MASKS[name].__doc__ or "")).replace("k-anonymity", "")
    assert not re.search(r"anonym|safe|privat|protect|secur", text, re.IGNORECASE)


@masks
def test_its_docstring_has_a_source_and_an_example(name):
    text = inspect.getdoc(MASKS[name]) or ""
    assert re.search(r"\b(19|20)\d\d\b", text)
    assert doctest.DocTestParser().get_examples(text)


@numeric
def test_the_same_seed_gives_the_same_bytes(name):
    once, again = (masked(example(name), people()).data.frame for _ in range(2))
    assert once.equals(again)
    for column in ("age", "income"):
        assert once[column].to_numpy().tobytes() == again[column].to_numpy().tobytes()


@numeric
def test_it_changes_the_targets_and_nothing_else(name):
    file = people()
    before = file.frame.clone()
    released = masked(example(name), file)
    assert file.frame.equals(before)
    assert file.frame.schema == before.schema
    assert released.data.schema == file.schema
    assert released.data.frame.select("id", "town", "debt").equals(before.select("id", "town", "debt"))
    for column in ("age", "income"):
        assert released.data.frame[column].dtype == pl.Float64
        assert not np.array_equal(released.data.frame[column].to_numpy(), before[column].to_numpy())
    assert released.origin.tolist() == list(range(len(file)))


@numeric
def test_it_keeps_to_the_attributes_named(name):
    file = people()
    released = masked(example(name, attributes=("income",)), file).data.frame
    assert released.drop("income").equals(file.frame.drop("income"))
    assert not released["income"].equals(file.frame["income"])


@numeric
def test_missing_values_stay_missing_and_infect_nothing(name):
    gaps = pl.Series([None if i % 7 == 0 else float(i * i) for i in range(50)])
    file = people().replace({"income": gaps})
    if name in REFUSE_MISSING:
        with pytest.raises(UnmaskError, match=r"column 'income' .* missing values.*Hint: "):
            masked(example(name), file)
        return
    released = masked(example(name), file).data.frame
    assert released["income"].is_null().to_list() == gaps.is_null().to_list()
    assert released["age"].null_count() == 0
    assert not released["income"].is_nan().any()


@numeric
def test_a_column_without_values_stays_so(name):
    file = people().replace({"income": pl.Series([None] * 50, dtype=pl.Float64)})
    released = masked_or_refused(example(name), file)
    assert released is None or released.data.frame["income"].null_count() == 50


@numeric
def test_a_constant_column_stays_within_its_spread(name):
    file = people().replace({"income": pl.Series([0.1] * 50)})
    released = masked(example(name), file).data.frame["income"].to_numpy()
    if name == "multiplicative-noise":
        assert (np.abs(released / 0.1 - 1) <= 0.5).all()
    else:
        assert (released == 0.1).all()


@numeric
@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_file_of_few_records_is_masked_or_refused_in_one_line(name, n):
    released = masked_or_refused(example(name), people(n))
    assert released is None or np.isfinite(released.data.numbers(["age", "income"])).all()


@numeric
def test_a_file_without_numeric_quasi_identifiers_is_refused(name):
    with pytest.raises(UnmaskError, match="no numeric quasi-identifier"):
        masked(example(name), people().only(["id", "town"]))


@numeric
@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        (("incom",), "did you mean 'income'"),
        (("town",), "'town' is nominal"),
        (("age", "age"), "named twice"),
        ((), "no attribute is named"),
    ],
)
def test_attributes_that_do_not_fit_are_refused(name, attributes, message):
    with pytest.raises(UnmaskError, match=message):
        masked(example(name, attributes=attributes), people())


@masks
def test_its_required_parameters_are_told(name):
    assert form(name, MASKS[name]).startswith(f"{name}:")
    lacks = f"{name} needs one of its" if hasattr(MASKS[name], "one_of") else f"mask '{name}' lacks its"
    with pytest.raises(UnmaskError, match=f"{lacks} parameter.* write {name}:"):
        parse(name)


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


def sample(name, **parameters):
    return dataclasses.replace(parse(CATEGORICAL[name]), **parameters)


@categorical
def test_of_categories_the_same_seed_gives_the_same_file(name):
    once, again = (masked(sample(name), residents()).data for _ in range(2))
    assert once.frame.equals(again.frame)
    assert once.schema == again.schema


@categorical
def test_of_categories_it_changes_the_targets_and_nothing_else(name):
    file = residents()
    before = file.frame.clone()
    released = masked(sample(name), file)
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
def test_of_categories_it_keeps_to_the_attributes_named(name):
    file = residents()
    released = masked(sample(name, attributes=("school",)), file).data.frame
    assert released.drop("school").equals(file.frame.drop("school"))
    if name != "local-suppression":  # a single key that enough people share needs no suppression
        assert not released["school"].equals(file.frame["school"])


@categorical
def test_of_categories_missing_values_stay_missing(name):
    file = residents()
    gaps = (
        file.frame["town"]
        .to_frame()
        .with_row_index()
        .select(pl.when(pl.col("index") % 7 > 0).then(pl.col("town")))
    )
    file = file.replace({"town": gaps.to_series()})
    released = masked(sample(name), file).data.frame
    assert released["town"].filter(gaps.to_series().is_null()).is_null().all()
    if name != "local-suppression":
        assert released["town"].null_count() == gaps.to_series().null_count()
        assert released["job"].null_count() == 0
    empty = file.replace({"town": pl.Series([None] * len(file), dtype=pl.String)})
    assert masked(sample(name), empty).data.frame["town"].null_count() == len(file)


@categorical
@pytest.mark.parametrize("n", [1, 2, 3])
def test_of_categories_few_records_are_masked_or_refused_in_one_line(name, n):
    released = masked_or_refused(sample(name), residents(n))
    assert released is None or len(released.data) == n


@categorical
@pytest.mark.parametrize(
    ("attributes", "message"),
    [(("twon",), "did you mean 'town'"), (("town", "town"), "named twice"), ((), "no attribute is named")],
)
def test_of_categories_attributes_that_do_not_fit_are_refused(name, attributes, message):
    with pytest.raises(UnmaskError, match=message):
        masked(sample(name, attributes=attributes), residents())


@categorical
def test_it_declares_what_it_makes_possible_and_does_nothing_else(name):
    file = residents()
    released = masked(sample(name), file).data
    tables = sample(name).transitions(file)
    assert set(tables) == {"town", "school", "job", "ill"}
    for column, table in tables.items():
        before, after = file.codes(column, table.original), released.codes(column, table.released)
        assert (before >= 0).all()
        assert (after >= 0).all() or name == "local-suppression"
        assert (table.probability[before, after][after >= 0] > 0).all()
        assert (table.probability.sum(axis=1) <= 1 + 1e-12).all()


def test_importing_the_masks_compiles_nothing():
    code = "import sys, unmask.masks; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
