"""The methods that are held to the contracts: all that are registered, those of the example package too.

A method is held to them by being registered. What takes parameters is tried with its defaults, with those of
the texts here and of its own ``examples``, and attacks that are given a mask with every mask.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tests.plugin import installed
from unmask import Column, Kind, Microdata, Scenario, Schema, attacks, masks
from unmask.attacks import Attack, KnownMechanism, MaskAware, OneToOne, WorstCase
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.linkage.mechanism import Belief
from unmask.linkage.transitions import Declares, Transparent
from unmask.randomness import generator

#: Attacks with parameters; weights are for the four attributes of :func:`people`.
TEXTS = (
    "dbrl:weights=1+0.5+2+0",
    "owa:alpha=2.5",
    "owa:weights=0.1+0.2+0.3+0.4",
    "choquet:weights=3+1+2+2",
    "sugeno:alpha=1.5",
    "prl:share=fixed,values=frequency",
    "prl:share=free,non_matches=independent,missing=level",
    "one-to-one:over=rbrl-sum",
    "one-to-one:over=rbrl-max,power=0.5",
    "one-to-one:over=mahalanobis",
    "one-to-one:over=prl",
    "structural:operator=sugeno,family=e,normalisation=n1,missing=zero",
    "structural:link=prl",
    "structural:one_to_one=yes",
    "alignment:prior=0,ridge=0.1",
    "alignment:sample=20",
    "kernel:degree=3",
    "partitions:parts=3+5",
    "one-to-one:over=schema-matching",
    "one-attribute:place=2",
)
LEARNED_TEXTS = ("learned-wm:twins=strict", "learned-choquet:additivity=2")

with installed():
    _MASKS = {text: masks.parse(text) for entry in masks.REGISTRY.values() for text in entry.kind.examples}
    #: Every mask of plain tables that the registry can make of its examples, by the text; those of series,
    #: traces and graphs are held to a contract of their own (test_shapes).
    MASKS = {text: mask for text, mask in _MASKS.items() if not hasattr(mask, "shape")}
    SHAPED_MASKS = {text: mask for text, mask in _MASKS.items() if hasattr(mask, "shape")}
    _ALL = [entry.made() for entry in attacks.REGISTRY.values()]
    _REGISTERED = [attack for attack in _ALL if not hasattr(attack, "shape")]
    SHAPED_ATTACKS = [attack for attack in _ALL if hasattr(attack, "shape")]
    _GIVEN = [attacks.attack_named(text) for text in (*TEXTS, *LEARNED_TEXTS)]
    #: All entries, for what they say of themselves.
    ENTRIES = [*attacks.REGISTRY.values(), *masks.REGISTRY.values()]

# Without error, what a mask leaves alone must be equal: a constant release is then impossible for most.
MECHANISMS = [KnownMechanism(mask, error=0.5) for mask in MASKS.values() if isinstance(mask, Transparent)]
MECHANISMS += [
    KnownMechanism(MASKS["pram:p=9"], belief=Belief.POSTERIOR, error=0.5),
    KnownMechanism(MASKS["noise:a=0.5"], belief=Belief.POSTERIOR, rivals=False, error=0.5),
]
AWARE = [MaskAware(mask) for mask in MASKS.values() if isinstance(mask, Declares)]
AWARE += [OneToOne(MaskAware(MASKS["pram:p=9"]))]

#: Every attack that an intruder can make, and those that learn from the truth.
ATTACKS = [a for a in (*_REGISTERED, *_GIVEN) if isinstance(a, Attack)] + AWARE + MECHANISMS
LEARNED = [a for a in (*_REGISTERED, *_GIVEN) if isinstance(a, WorstCase)]

LEVELS = ("low", "middle", "high")
SCHEMA = Schema(
    (
        Column("age"),
        Column("income"),
        Column("town", Kind.NOMINAL),
        Column("class", Kind.ORDINAL, levels=LEVELS),
    )
)


def people(n=60, seed=0, missing=0.0, noise=0.0):
    rng = np.random.default_rng(seed)
    wobble = np.random.default_rng(seed + 1).normal(0, noise, (2, n))
    columns = {
        "age": rng.integers(20, 40, n) + wobble[0],
        "income": np.round(rng.lognormal(3, 1, n)) + wobble[1],
        "town": rng.choice(["A", "B", "C"], n).astype(object),
        "class": rng.choice(LEVELS, n).astype(object),
    }
    if missing:
        holes = np.random.default_rng(seed + 2).random((4, n)) < missing
        for column, hole in zip(columns.values(), holes, strict=True):
            column[hole] = None if column.dtype == object else np.nan
    return Microdata(SCHEMA, pl.DataFrame({name: column.tolist() for name, column in columns.items()}))


def released_of(original, noise=2.0):
    return Masked.by_order(original, people(len(original), noise=noise))


def ready(attack, dossier, truth, seed=3, engine=None):
    """The attack made ready; one that learns from the truth stops at good parameters, without a proof."""
    rng, engine = generator(seed, attack.name), engine or LocalEngine()
    if isinstance(attack, WorstCase):
        return attack.learn(dossier, truth, rng, engine, limit=30.0, prove=False)
    return attack.prepare(dossier, rng, engine)


def dense(attack, original, masked, *, shuffle=3, engine=None, scenario=None):
    """Belief of each target in each released record, with released records in the masked file's order."""
    dossier, truth, _ = (scenario or Scenario()).stage(original, masked, shuffle)
    matcher = ready(attack, dossier, truth, engine=engine)
    links = matcher.links()
    staged = np.column_stack(
        [links.belief_in(np.full(len(truth.row), r)) for r in range(len(dossier.released))]
    )
    order = generator(shuffle, "stage").permutation(len(masked.data))
    belief = np.empty_like(staged)
    belief[:, order] = staged
    return belief, matcher, truth
