"""Which attacks are record linkage in the sense of Torra and Stokes (2012): claims compatible with the truth.

The files are so small that the true probability is known: all matchings of people to released records are
listed, each weighted by how likely the protection is to give that release. A claim is the attack's belief;
where it abstains it says nothing, which is a guess.

Two kinds of protection must be told apart. Where it only blurs (records become alike, values are recoded or
suppressed, all that is possible is equally near), the nearest records hold all that is possible, and every
attack must be compatible. Where it lies (PRAM and swapping put another person's value into a record), a
record that is farther away is possible too. An attack that believes in the nearest records alone excludes it,
so it is no record-linkage method for that protection: whoever believes less than true_i / n in a record i
contradicts every belief function that the truth obeys. An attack that knows the protection can be one.
"""

from __future__ import annotations

import dataclasses
from itertools import permutations

import numpy as np
import polars as pl
import pytest

from unmask import Column, Kind, Microdata, Missing, Scenario, Schema
from unmask.attacks import ATTACKS, DBRL, METHODS, OWA, Attack, Combined, Guess, MaskAware, Sugeno
from unmask.attacks.mechanism import KnownMechanism
from unmask.attacks.one_to_one import OneToOne
from unmask.attacks.structural import Structural
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.linkage.compatibility import compatible, completed
from unmask.linkage.transitions import Declared, Transitions
from unmask.masks import PRAM
from unmask.randomness import generator

TOWNS = ("A", "B", "C")
#: Attacks with parameters that suit two nominal attributes.
FITTING = (
    DBRL(weights=(1.0, 0.5)),
    OneToOne(),
    Structural(),
    OWA(alpha=2.5),
    Sugeno(alpha=1.5),
)


def registered():
    """The attacks that are made when none are named, those of METHODS that need no parameter, and more.

    Attacks that are handed the truth are not among them: no intruder can make them. Nor are those of series,
    traces and graphs, which take no plain table.
    """
    found = {attack.name: attack for attack in (*ATTACKS.values(), *FITTING)}
    for method in METHODS.values():
        if all(f.default is not dataclasses.MISSING for f in dataclasses.fields(method)):
            try:
                attack = method()
            except ArgumentError:
                continue  # one of several parameters must be given
            if isinstance(attack, Attack):
                found.setdefault(attack.name, attack)
    return [attack for attack in found.values() if not hasattr(attack, "shape")]


attacks = pytest.mark.parametrize("attack", registered(), ids=lambda a: a.name)


def file(rows, names=("town", "job")):
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in names[: len(rows[0])]))
    return Microdata(
        schema, pl.DataFrame(rows, schema=dict.fromkeys(schema.names(), pl.String), orient="row")
    )


def claims(attack, known, released, missing=Missing.MISMATCH):
    """The attack's probability for each target over the released records, in the order of the file given."""
    if isinstance(attack, DBRL) and attack.weights:
        attack = DBRL(attack.weights[: len(known.schema.columns)])
    masked = Masked.by_order(known, released)
    dossier, _, _ = Scenario(missing=missing).stage(known, masked, 0)
    try:
        links = attack.prepare(dossier, generator(0, attack.name), LocalEngine()).links()
    except ArgumentError as refusal:
        if "numeric" not in refusal.message:
            raise
        pytest.skip(f"{attack.name} needs numbers")
    order = generator(0, "stage").permutation(len(released))
    belief = np.empty((len(known), len(released)))
    for place, record in enumerate(order):
        belief[:, record] = links.belief_in(np.full(len(known), place))
    return np.array([completed(row) for row in belief])


def posterior(likelihood):
    """P(released record j is target i's), from the likelihood of j given i, all matchings alike before."""
    n = len(likelihood)
    total = np.zeros((n, n))
    for matching in permutations(range(n)):
        weight = np.prod([likelihood[i, j] for i, j in enumerate(matching)])
        total[np.arange(n), matching] += weight
    return total / total.sum(axis=1, keepdims=True)


def agreeing(known, released):
    """Likelihood 1 where the release may be the record: every value equal or suppressed."""
    return np.array(
        [[float(all(y in (None, x) for x, y in zip(b, a, strict=True))) for a in released] for b in known]
    )


def lacking(true, claimed):
    """Records that are possible, and in which the claim believes less than any belief function allows."""
    return (claimed < true / len(true) - 1e-9).any()


# --- protection that blurs: every attack is a record linkage ------------------------------------------------

DISTINCT = [("A", "x"), ("A", "y"), ("B", "x"), ("B", "y"), ("C", "x"), ("C", "y")]
TWINS = [("A", "x"), ("A", "x"), ("B", "y"), ("B", "y"), ("B", "y"), ("C", "x")]


@attacks
@pytest.mark.parametrize("rows", [DISTINCT, TWINS], ids=["distinct", "twins"])
def test_an_unchanged_file(attack, rows):
    true = posterior(agreeing(rows, rows))
    for truth, claimed in zip(true, claims(attack, file(rows), file(rows)), strict=True):
        assert compatible(truth, claimed).compatible


@attacks
@pytest.mark.parametrize("alike", [1, 3])
def test_an_unchanged_file_of_numbers(attack, alike):
    """Each record once or three times: the truth lies on those that are the same."""
    rng = np.random.default_rng(1)
    values = np.repeat(rng.permuted(np.tile(np.arange(8.0), (2, 1)), axis=1).T, alike, axis=0)
    numbers = Microdata(Schema((Column("age"), Column("pay"))), pl.DataFrame(values, schema=["age", "pay"]))
    true = np.kron(np.eye(8), np.full((alike, alike), 1 / alike))
    for truth, claimed in zip(true, claims(attack, numbers, numbers), strict=True):
        assert compatible(truth, claimed).compatible


@attacks
def test_a_constant_release(attack):
    """Everybody is equally likely, so only a guess is honest: believing more in anybody is refused."""
    rows = [("B", "y")] * 6
    for claimed in claims(attack, file(DISTINCT), file(rows)):
        assert compatible(np.full(6, 1 / 6), claimed).compatible
        np.testing.assert_allclose(claimed, 1 / 6)


@attacks
def test_suppressed_values_that_agree_with_everything(attack):
    """The truth need not be even over the records that fit; a belief shared by all that fit admits it."""
    released = [("A", None), (None, "y"), (None, "x"), ("B", None), (None, None), ("C", None)]
    likelihood = agreeing(DISTINCT, released)
    true = posterior(likelihood)
    assert len({round(p, 6) for p in true[0] if p > 0}) > 1  # it is not even
    found = [
        compatible(truth, claimed).compatible
        for truth, claimed in zip(
            true, claims(attack, file(DISTINCT), file(released), Missing.WILDCARD), strict=True
        )
    ]
    # A vote asks the records, too: of all that fit, it excludes those that others fit better.
    assert all(found) is not isinstance(attack, Combined)


@attacks
def test_a_recoded_attribute(attack):
    """A and B become one category that neither of them is: all records are equally far in that attribute."""
    known = [("A",), ("A",), ("B",), ("C",), ("C",)]
    released = [("AB",), ("AB",), ("AB",), ("C",), ("C",)]
    likelihood = np.array([[float((a == "AB") == (b in "AB")) for (a,) in released] for (b,) in known])
    for truth, claimed in zip(
        posterior(likelihood), claims(attack, file(known), file(released)), strict=True
    ):
        assert compatible(truth, claimed).compatible


# --- protection that lies: to exclude what is possible is not record linkage -----------------------------

KNOWN = [("A",), ("A",), ("B",), ("C",), ("C",)]
PRAMMED = [("A",), ("B",), ("B",), ("C",), ("A",)]
STAYS = 0.8


def pram_likelihood():
    return np.array([[STAYS if a == b else (1 - STAYS) / 2 for a in PRAMMED] for b in KNOWN])


@attacks
def test_pram_leaves_no_record_impossible(attack):
    """Every category may become every other: a claim is compatible, or excludes records that are possible."""
    true = posterior(pram_likelihood())
    assert (true > 0).all()
    for truth, claimed in zip(true, claims(attack, file(KNOWN), file(PRAMMED)), strict=True):
        assert compatible(truth, claimed).compatible != lacking(truth, claimed)


@pytest.mark.parametrize("seen_by", ["dbrl", "mask-aware"])
def test_nearest_records_are_not_record_linkage_under_pram(seen_by):
    """Nor does knowing that every change is possible help: the decision for the nearest drops the rest."""
    table = np.full((3, 3), (1 - STAYS) / 2) + np.eye(3) * (STAYS - (1 - STAYS) / 2)
    declared = Declared("pram", {"town": Transitions(TOWNS, TOWNS, table)})
    attack = ATTACKS["dbrl"] if seen_by == "dbrl" else MaskAware(declared)
    true = posterior(pram_likelihood())
    claimed = claims(attack, file(KNOWN), file(PRAMMED))
    assert not any(compatible(t, c).compatible for t, c in zip(true, claimed, strict=True))


def test_pram_seen_by_one_who_weighs_every_record_is_record_linkage():
    """Each record alone by its likelihood, whoever else claims it: not the truth, but honest."""
    likelihood = pram_likelihood()
    alone = likelihood / likelihood.sum(axis=1, keepdims=True)
    true = posterior(likelihood)
    assert not np.allclose(alone, true)
    answers = [compatible(t, c) for t, c in zip(true, alone, strict=True)]
    assert all(answer.compatible for answer in answers)


@pytest.mark.parametrize("rivals", [True, False])
def test_an_attack_that_knows_pram_and_believes_as_it_is_probable_is_record_linkage(rivals):
    matrix = np.full((3, 3), (1 - STAYS) / 2) + np.eye(3) * (STAYS - (1 - STAYS) / 2)
    attack = KnownMechanism(PRAM(matrix={"town": matrix.tolist()}), belief="posterior", rivals=rivals)
    claimed = claims(attack, file(KNOWN), file(PRAMMED))
    true = posterior(pram_likelihood())
    assert all(compatible(t, c).compatible for t, c in zip(true, claimed, strict=True))


@attacks
def test_swapped_values_deceive_whoever_looks_for_their_own(attack):
    """Two neighbours in order exchange their values for certain: the record that still looks right is not.

    The values are all there, so an attack that does not know of the swap believes in the wrong person's
    record, and no evidence supports it. Only one that believes nobody more than the true one is a record
    linkage here.
    """
    known = [(c,) for c in "ABCDEF"]
    true = np.eye(6)[[1, 0, 3, 2, 5, 4]]  # record j holds the value of its neighbour
    for person, (truth, claimed) in enumerate(
        zip(true, claims(attack, file(known), file(known)), strict=True)
    ):
        misled = claimed.max() > claimed[truth.argmax()] + 1e-9
        assert compatible(truth, claimed).compatible != misled
        if isinstance(attack, Guess):
            assert not misled
        elif isinstance(attack, DBRL):
            assert claimed[person] == 1.0


def test_a_guess_is_record_linkage_whatever_the_protection():
    rng = np.random.default_rng(0)
    claimed = claims(Guess(), file(DISTINCT), file(DISTINCT))[0]
    for truth in (np.eye(6)[2], np.full(6, 1 / 6), rng.dirichlet(np.ones(6)), rng.dirichlet(np.full(6, 0.1))):
        answer = compatible(truth, claimed)
        assert answer.compatible
