"""The ladders of the masks: every rung is a mask, and the last one changes more than the first."""

from __future__ import annotations

import numpy as np
import pytest

from unmask.data.example import people
from unmask.data.schema import Kind, Role
from unmask.errors import ArgumentError
from unmask.masks import MASKS, REGISTRY, Strength, at_strength, parse
from unmask.parsing import written

STRENGTHS = {name: kind.strength for name, kind in MASKS.items() if getattr(kind, "strength", None)}
strengths = pytest.mark.parametrize("name", STRENGTHS)
PEOPLE = people(300)
#: What is masked, where not all is: of a record that is drawn anew as a whole nothing is left at any rung.
SOME = {"cart": ("age", "income", "occupation")}


def change(mask, file):
    """The mean change of the values of quasi-identifiers: in deviations, or the share that is another one."""
    released = mask.apply(file, np.random.default_rng(1)).data
    changes = []
    for name in file.schema.names(Role.QUASI_IDENTIFIER):
        if file.schema[name].kind is Kind.NUMERIC:
            before, after = (data.numbers([name])[:, 0] for data in (file, released))
            far = np.abs(after - before) / before.std()
            changes.append(np.where(np.isnan(after), 1.0, far).mean())
        else:
            before, after = (data.frame[name].cast(str) for data in (file, released))
            changes.append((~before.eq_missing(after)).mean())
    return np.mean(changes)


def test_every_mask_of_unmask_says_its_strength_or_that_it_has_none():
    own = [entry.kind for entry in REGISTRY.values() if entry.package == "unmask"]
    assert all(kind.strength is None or isinstance(kind.strength, Strength) for kind in own)
    assert len(STRENGTHS) >= 12


@strengths
def test_every_rung_makes_a_mask_that_text_can_say(name):
    strength = STRENGTHS[name]
    assert 12 <= len(strength.ladder) <= 16
    for rung, value in enumerate(strength.ladder):
        mask = at_strength(name, rung, ("age",))
        assert getattr(mask, strength.parameter) == value
        assert mask.attributes == ("age",)
        assert set(mask.kinds) == set(strength.kinds)
        assert parse(written(mask.name, mask)) == mask


@strengths
def test_the_last_rung_changes_more_than_the_first(name):
    last = len(STRENGTHS[name].ladder) - 1
    weak, middle, strong = (
        change(at_strength(name, rung, SOME.get(name)), PEOPLE) for rung in (0, last // 2, last)
    )
    assert 0 < weak < strong
    assert weak < middle <= strong * 1.05


def test_what_is_no_rung_is_refused():
    for rung in (-1, 99, 1.0, True):
        with pytest.raises(ArgumentError, match=r"no such rung. Hint: give a whole number from 0 to 12"):
            at_strength("noise", rung)
    with pytest.raises(ArgumentError, match="did you mean 'noise'"):
        at_strength("nose", 1)
