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

from unmask.errors import UnmaskError
from unmask.masks import MASKS, Mask, parse
from unmask.microdata import Microdata
from unmask.parsing import form
from unmask.schema import Column, Kind, Role, Schema

#: For every mask parameters that change the file; a new mask adds a line.
EXAMPLES = {
    "noise": "noise:a=0.5",
    "correlated-noise": "correlated-noise:a=0.5",
    "multiplicative-noise": "multiplicative-noise:b=0.5",
    "rank-swapping": "rank-swapping:p=30",
    "p-distribution-rank-swapping": "p-distribution-rank-swapping:p=30",
    "individual-ranking": "individual-ranking:k=3",
    "microaggregation": "microaggregation:k=3",
}
#: Masks that refuse missing values, with a message that says what to do.
REFUSE_MISSING = {"microaggregation"}
masks = pytest.mark.parametrize("name", MASKS)
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
    return dataclasses.replace(parse(EXAMPLES[name]), **parameters)


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
    assert set(EXAMPLES) == set(MASKS)


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
    assert not re.search(
        r"anonym|safe|privat|protect|secur", name + (MASKS[name].__doc__ or ""), re.IGNORECASE
    )


@masks
def test_its_docstring_has_a_source_and_an_example(name):
    text = inspect.getdoc(MASKS[name]) or ""
    assert re.search(r"\b(19|20)\d\d\b", text)
    assert doctest.DocTestParser().get_examples(text)


@masks
def test_the_same_seed_gives_the_same_bytes(name):
    once, again = (masked(example(name), people()).data.frame for _ in range(2))
    assert once.equals(again)
    for column in ("age", "income"):
        assert once[column].to_numpy().tobytes() == again[column].to_numpy().tobytes()


@masks
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


@masks
def test_it_keeps_to_the_attributes_named(name):
    file = people()
    released = masked(example(name, attributes=("income",)), file).data.frame
    assert released.drop("income").equals(file.frame.drop("income"))
    assert not released["income"].equals(file.frame["income"])


@masks
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


@masks
def test_a_column_without_values_stays_so(name):
    file = people().replace({"income": pl.Series([None] * 50, dtype=pl.Float64)})
    released = masked_or_refused(example(name), file)
    assert released is None or released.data.frame["income"].null_count() == 50


@masks
def test_a_constant_column_stays_within_its_spread(name):
    file = people().replace({"income": pl.Series([0.1] * 50)})
    released = masked(example(name), file).data.frame["income"].to_numpy()
    if name == "multiplicative-noise":
        assert (np.abs(released / 0.1 - 1) <= 0.5).all()
    else:
        assert (released == 0.1).all()


@masks
@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_file_of_few_records_is_masked_or_refused_in_one_line(name, n):
    released = masked_or_refused(example(name), people(n))
    assert released is None or np.isfinite(released.data.numbers(["age", "income"])).all()


@masks
def test_a_file_without_numeric_quasi_identifiers_is_refused(name):
    with pytest.raises(UnmaskError, match="no numeric quasi-identifier"):
        masked(example(name), people().only(["id", "town"]))


@masks
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
    with pytest.raises(UnmaskError, match=f"mask '{name}' lacks its parameter .* write {name}:"):
        parse(name)


def test_importing_the_masks_compiles_nothing():
    code = "import sys, unmask.masks; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
