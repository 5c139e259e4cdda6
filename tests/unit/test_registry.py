"""The registry: order, lookup, construction, views."""

from __future__ import annotations

import pytest

from unmask import attacks, masks
from unmask.about import defined
from unmask.assessment.experiments import attack_abouts
from unmask.attacks import DBRL, LEARNED, RBRL, Guess, LearnedDistance, RankCriterion
from unmask.documents.sections import Methods
from unmask.errors import ArgumentError, UnmaskError
from unmask.linkage.learning import Form
from unmask.registry import Registry


def test_the_order_is_that_of_families_and_ranks():
    assert list(attacks.ATTACKS) == ["guess", "dbrl", "mahalanobis", "rbrl-sum", "rbrl-max", "prl"]
    assert list(attacks.WITHOUT_COMMON) == ["guess", "structural", "alignment", "schema-matching"]
    assert list(attacks.REGISTRY)[-7:] == list(LEARNED)
    assert list(masks.MASKS)[:2] == ["noise", "correlated-noise"]


def test_an_entry_is_a_class_or_an_instance():
    assert attacks.REGISTRY["dbrl"].method is DBRL
    assert attacks.REGISTRY["dbrl"].parameters == ("weights", "scale")
    assert attacks.REGISTRY["rbrl-max"].method == RBRL(RankCriterion.MAX)
    assert attacks.REGISTRY["rbrl-max"].parameters == ()
    assert attacks.REGISTRY["guess"].made() == Guess()


@pytest.mark.parametrize("name", ["guess", "rbrl-max", "mahalanobis"])
def test_what_takes_no_parameters_says_so(name):
    with pytest.raises(ArgumentError, match=f"attack '{name}' takes no parameters. Hint: write {name}."):
        attacks.attack_named(f"{name}:alpha=2")


def test_two_exports_of_one_name_are_refused(monkeypatch):
    monkeypatch.setattr(masks, "Again", masks.Noise, raising=False)
    registry = Registry("mask", "unmask.masks", does=("apply",), families=())
    with pytest.raises(UnmaskError, match="registers the mask 'noise', which package 'unmask' has"):
        len(registry)


def test_a_view_is_read_again(monkeypatch):
    names = []
    registry = Registry("mask", "unmask.masks", does=("apply",), families=())
    view = registry.view(lambda entry: names.append(entry.name) or entry.kind)
    assert names == []
    assert view["noise"] is masks.Noise
    assert len(view) == len(masks.REGISTRY)


@pytest.mark.parametrize("name", LEARNED)
def test_a_learned_attack_says_the_same_by_name_and_by_hand(name):
    attack = attacks.attack_named(name)
    assert attack.about == LearnedDistance(attack.form, attack.space).about == LEARNED[name].about
    assert attack.about_holdout.title == f"{attack.about.title}, on other people"
    assert attack_abouts([attack]) == {name: defined(attack), f"{name}-holdout": attack.about_holdout}


def test_titles_by_the_names_of_a_document():
    strict = LearnedDistance(Form.WM, twins="strict")
    known = attacks.KnownMechanism(masks.Noise(a=0.1), belief="posterior", rivals=False, error=0.5)
    aware = attacks.MaskAware(masks.GlobalRecoding(p=2))
    methods = Methods.of({**attack_abouts([strict, known, aware]), "union": attacks.UNION_ABOUT})
    assert methods.title("learned-wm-holdout:twins=strict") == strict.about_holdout.title
    assert methods.title(known.name) == known.about.title
    assert known.about.title == "posterior of who knows the mask, noise:a=0.1, without rivals, error=0.5"
    assert methods.title(aware.name) == aware.about.title
    assert methods.title("union") == "all attacks together"
