"""Every attack and measure has a definition, which reports show: what its class says before its example."""

from __future__ import annotations

import pytest

from unmask import attacks, measures
from unmask.about import defined
from unmask.documents.sections import Methods
from unmask.registry import Registered

EVERY = [*attacks.REGISTRY.values(), *measures.REGISTRY.values()]


@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.name)
def test_a_method_has_a_definition_without_examples_and_marks(entry: Registered[object]) -> None:
    definition = defined(entry.made()).definition
    assert len(definition) > 50
    assert ">>>" not in definition
    assert "``" not in definition
    assert ":`" not in definition


def test_documents_carry_the_definition() -> None:
    about = defined(measures.KAnonymity())
    assert "k = min_i f_i" in Methods.of({"k-anonymity": about}).about("k-anonymity").definition
