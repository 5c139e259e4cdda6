"""What every registered method says of itself: a title, a sentence, a source, in the words of the house."""

from __future__ import annotations

import doctest
import inspect
import re

import pytest

from tests.contract.methods import ATTACKS, ENTRIES, LEARNED, MASKS
from unmask import attacks, masks
from unmask.attacks import UNION_ABOUT
from unmask.errors import UnmaskError
from unmask.registry import OWN

METHODS = [*ATTACKS, *LEARNED, *MASKS.values()]
ABOUTS = [
    *((entry.name, entry.about) for entry in ENTRIES),
    *((f"{method.name} {place}", method.about) for place, method in enumerate(METHODS)),
    *((f"{attack.name} hold-out", attack.about_holdout) for attack in LEARNED),
    ("union", UNION_ABOUT),
]
HE = re.compile(r"\b(he|his|him|himself)\b", re.IGNORECASE)
PROMISE = re.compile(r"\b(anonymous|safe|safely|guarantee[sd]?|secure)\b", re.IGNORECASE)
entries = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)


@pytest.mark.parametrize("about", [about for _, about in ABOUTS], ids=[name for name, _ in ABOUTS])
def test_it_has_a_title_a_sentence_and_a_source(about):
    assert about.title
    assert about.title[0] != " "
    assert re.match(r"[A-Z].*[.?]$", about.sentence)
    assert re.search(r"(19|20)\d\d", about.source), "no year of a source"
    assert about.source.endswith(".")
    for text in (about.title, about.sentence, about.family.title, about.family.sentence):
        assert not HE.search(text)
        assert not PROMISE.search(text)
        assert "\n" not in text


@entries
def test_the_class_cites_a_source_and_runs_an_example(entry):
    text = inspect.getdoc(entry.kind) or ""
    assert re.search(r"\b(19|20)\d\d\b", text), "no year of a source"
    assert doctest.DocTestParser().get_examples(text), "no example"
    assert not HE.search(text)


@entries
def test_the_name_describes_and_an_instance_begins_with_it(entry):
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", entry.name)
    assert not PROMISE.search(entry.name)
    for method in METHODS:
        if type(method) is entry.kind and entry.parameters:
            assert method.name.partition(":")[0] == entry.name


@pytest.mark.parametrize("registry", [attacks.REGISTRY, masks.REGISTRY], ids=["attacks", "masks"])
def test_families_and_ranks_give_every_method_a_place(registry):
    own = [entry.about for entry in registry.values() if entry.package == OWN]
    assert all(about.family in registry.families for about in own)
    places = [(about.family.name, about.rank) for about in own]
    assert len(set(places)) == len(places)
    assert all(rank > 0 for _, rank in places)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_parameters_are_in_the_title(method):
    changed = method.name.partition(":")[2]
    if changed and method.about.family.name not in ("mechanism", "rank"):
        assert method.about.title.endswith(f", {changed}")
    if method in MASKS.values():
        (text,) = [text for text, mask in MASKS.items() if mask is method]
        assert ":" not in text or method.about.title.endswith(f", {text.partition(':')[2]}")


@entries
def test_a_parameter_that_is_not_there_is_refused_in_one_line(entry):
    with pytest.raises(UnmaskError, match=f"'{entry.name}'.*Hint: ") as refused:
        entry.made(f"{entry.name}:nothing=1", "method")
    assert "\n" not in str(refused.value)
