"""Presets: what intruders in words are taken to know, by the names of attributes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.data.example import SCHEMA
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import SchemaError
from unmask.intruder.presets import PRESETS
from unmask.intruder.scenario import Scenario


def schema(*names: str, confidential: tuple[str, ...] = ()) -> Schema:
    return Schema(
        (
            *(Column(name, Kind.NOMINAL, Role.QUASI_IDENTIFIER) for name in names),
            *(Column(name, Kind.NOMINAL, Role.CONFIDENTIAL) for name in confidential),
        )
    )


@pytest.mark.parametrize(
    "name",
    [
        "age",
        "AGEP",
        "Sex",
        "birthYear",
        "year_of_birth",
        "ZIP",
        "zipcode",
        "PostCode",
        "home_region",
        "marital-status",
    ],
)
def test_a_neighbour_sees_it(name: str) -> None:
    assert PRESETS["neighbour"].known(schema(name, "diagnosis")) == (name,)


@pytest.mark.parametrize("name", ["education", "OCCP", "income", "hours-per-week", "jobTitle", "salary_2020"])
def test_a_colleague_learns_it_and_a_neighbour_does_not(name: str) -> None:
    file = schema("age", name, "diagnosis")
    assert PRESETS["neighbour"].known(file) == ("age",)
    assert PRESETS["colleague"].known(file) == ("age", name)


@pytest.mark.parametrize(
    "name", ["diagnosis", "blood_type", "score", "x1", "agency", "sextant", "package", "percentage", "essex"]
)
def test_neither_knows_what_no_name_tells(name: str) -> None:
    file = schema("age", name)
    assert PRESETS["neighbour"].known(file) == PRESETS["colleague"].known(file) == ("age",)


@pytest.mark.parametrize("preset", PRESETS)
def test_where_no_name_fits_all_are_known(preset: str) -> None:
    """Knowing nothing would find nobody, which is no estimate of a risk."""
    file = schema("x1", "x2")
    assert PRESETS[preset].known(file) == ("x1", "x2")
    assert PRESETS[preset].scenario(file).known is None


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_confidential_is_known_by_nobody(preset: str) -> None:
    file = schema("age", "x1", confidential=("income", "sex"))
    assert not set(PRESETS[preset].known(file)) & {"income", "sex"}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_named_and_told(preset: str) -> None:
    one = PRESETS[preset]
    assert one.name == preset
    assert one.title
    assert one.sentence.endswith(".")
    scenario = one.scenario(SCHEMA)
    assert isinstance(scenario, Scenario)
    assert scenario.known is None or set(scenario.known) <= set(SCHEMA.names(Role.QUASI_IDENTIFIER))


def test_from_who_knows_least_to_who_knows_all() -> None:
    known = [set(PRESETS[name].known(SCHEMA)) for name in ("neighbour", "colleague", "owner")]
    assert known[0] < known[1] <= known[2]
    assert PRESETS["owner"].scenario(SCHEMA) == Scenario()
    company = PRESETS["company"].scenario(SCHEMA)
    assert (company.known, company.targets, company.error) == (None, 0.1, 0.05)


def test_a_file_without_quasi_identifiers_has_presets_too() -> None:
    for preset in PRESETS.values():
        assert preset.scenario(schema(confidential=("income",))).known is None


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12), min_size=1, max_size=6))
def test_whatever_columns_are_called_each_preset_knows_some(names: list[str]) -> None:
    try:
        file = schema(*names)
    except SchemaError:  # two of one name, or a name of nothing that can be seen
        return
    for preset in PRESETS.values():
        known = preset.known(file)
        assert known
        assert set(known) <= set(file.names())
        assert preset.scenario(file).known in (None, known)
