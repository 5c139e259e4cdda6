"""From a dossier and its truth to a learned distance and the lesson about it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.kernels.pairing import Pairing
from unmask.linkage.aggregations import Sum
from unmask.linkage.blocking import Blocks, blocks_of
from unmask.linkage.decisions import NearestRecord
from unmask.linkage.learning import meaning
from unmask.linkage.learning.bilinear import Bilinear
from unmask.linkage.learning.distances import Distances
from unmask.linkage.learning.forms import DistanceFamily, Form, Weights
from unmask.linkage.learning.learner import Grade, LearnedParameters, learn
from unmask.linkage.learning.lesson import Lesson, Twins
from unmask.linkage.learning.measures import Additive, Measures
from unmask.linkage.learning.settling import Pupils
from unmask.linkage.spaces import Space, ranked, standardised

#: Up to so many attributes all fuzzy measures are tried (2^d - 1 numbers), beyond it the 2-additive ones.
FULL_MEASURE = 8
#: A k-additive measure, too, is 2^d numbers to the engine.
MOST_ATTRIBUTES = 16
#: From more targets than this a random sample is learned from.
MOST_TARGETS = 5_000
SAMPLE = 1_000
#: The share of the time that goes to each form that a richer one contains.
CONTAINED = 0.2


class Encoding(StrEnum):
    """What differences are taken of: standardised values (and squared), or mid-ranks (and not squared)."""

    VALUES = "values"
    RANKS = "ranks"


@dataclass(frozen=True, eq=False, kw_only=True)
class LearnedRecord(NearestRecord):
    """The nearest record under a learned distance, and what was learned."""

    lesson: Lesson
    cut: bool = False  # whether the clock ended a part of the search


@dataclass(frozen=True, eq=False)
class _Class:
    """Two encoded files, whom to learn from, and how many released records are identical to each own one."""

    space: Space
    power: int
    engine: Engine
    blocks: Blocks | None
    pupils: Pupils
    alike: Ints

    def distances(self, family: DistanceFamily) -> Distances:
        """The distances of a family, made ready for searches."""
        return Distances(family, self.engine, self.blocks)

    def family(self, form: Form, additivity: int | None) -> Weights | Measures | Additive | Bilinear:
        """The distances of a form over these files."""
        if form is Form.BILINEAR:
            return _bilinear(self.space, self.power)
        base = self.space.pairing(Sum(power=self.power))
        return (
            _measures(base, additivity) if form is Form.CHOQUET else Weights(base, ordered=form is Form.OWA)
        )


def teach(
    dossier: Dossier,
    truth: Truth,
    rng: np.random.Generator,
    engine: Engine,
    *,
    form: Form,
    encoding: Encoding = Encoding.VALUES,
    additivity: int | None = None,
    twins: Twins = Twins.EXPECTED,
    targets: Ints | None = None,
    limit: float = 60.0,
    prove: bool = True,
) -> LearnedRecord:
    """The distance of this form that re-identifies most of the targets, found within the limit in seconds.

    Record i is re-identified if C(d(a_i, b_j)) > C(d(a_i, b_i)) for all j != i: linear inequalities in the
    parameters of C (Abril, Navarro-Arribas and Torra 2012). Of more than MOST_TARGETS targets a random
    SAMPLE is learned from; rivals are always all the released records, except, with shared twins, those that
    are identical to b_i, and in the expected reading those that no parameters tell from it.
    """
    if not limit > 0:
        raise ArgumentError(f"the limit is {limit:g} seconds", hint="give a time above 0")
    whole, asked = _prepare(dossier, truth, rng, engine, encoding, targets)
    seeds = rng.integers(2**63, size=len(Form))
    people = (whole.pupils.targets.tobytes(), whole.pupils.own.tobytes())
    lessons = ("learned", encoding, twins, prove, limit, seeds.tobytes(), *people)
    remembered: dict[Form, LearnedParameters] = engine.cache.get(dossier, lessons, dict)
    course = _Course(whole, _collapsed(whole, twins), twins, additivity, seeds, prove, remembered)
    learned, distances = course.learned(form, limit), course.distances(form)
    counted = float if twins is Twins.EXPECTED else round
    family = distances.family
    weights, pairs, parameters = _explained(form, family, learned.theta)
    lesson = Lesson(
        form=form.value,
        records=len(whole.pupils.targets),
        found=counted(learned.found),
        bound=None if learned.bound is None else counted(learned.bound),
        ceiling=int((whole.alike == 1).sum()),
        margin=learned.margin,
        attributes=dossier.attributes,
        weights=weights,
        interactions=pairs,
        parameters=parameters,
        twins=twins.value,
    )
    notes = (*whole.space.notes, *_remarks(lesson, asked, family))
    return LearnedRecord(distances.index(learned.theta), notes, whole.blocks, lesson=lesson, cut=learned.cut)


def _prepare(
    dossier: Dossier,
    truth: Truth,
    rng: np.random.Generator,
    engine: Engine,
    encoding: Encoding,
    targets: Ints | None,
) -> tuple[_Class, int]:
    """Encode both files, choose whom to learn from (of how many), and mind the blocks."""
    from unmask.engines.prepare import distinct

    if encoding is Encoding.VALUES:
        space, power = standardised(dossier, cache=engine.cache), 2
    else:
        space, power = ranked(dossier, cache=engine.cache), 1
    asked = np.arange(len(truth.row)) if targets is None else np.asarray(targets, dtype=np.int64)
    present = chosen = asked[truth.row[asked] >= 0]
    if len(present) > MOST_TARGETS:
        chosen = np.sort(rng.choice(present, SAMPLE, replace=False))
    known_block = np.zeros(len(dossier.known), np.int64)
    released_block = np.zeros(len(dossier.released), np.int64)
    blocks = blocks_of(dossier)
    if blocks is not None:
        known_block, released_block = blocks.known, blocks.released
        # Block -1 is nobody else's: two records in it are not in the same one.
        beyond = max(known_block.max(), released_block.max()) + 1
        released_block = np.where(released_block < 0, beyond + np.arange(len(released_block)), released_block)
    pupils = Pupils(chosen, truth.row[chosen], known_block[chosen], released_block)
    twins = distinct(space.released, released_block)
    return _Class(space, power, engine, blocks, pupils, twins.size[twins.group[pupils.own]]), len(present)


def _collapsed(whole: _Class, reading: Twins) -> _Class:
    """The same with each class of identical released records of a block once, unless they are rivals."""
    from unmask.engines.prepare import distinct

    if reading is Twins.STRICT:
        return whole
    pupils, blocks = whole.pupils, whole.blocks
    twins = distinct(whole.space.released, pupils.released_block)
    if blocks is not None:
        blocks = Blocks(blocks.known, blocks.released[twins.first])
    once = replace(
        pupils,
        own=twins.group[pupils.own],
        released_block=pupils.released_block[twins.first],
        size=twins.size if reading is Twins.EXPECTED else None,
    )
    space = replace(whole.space, released=whole.space.released[twins.first])
    return _Class(space, whole.power, whole.engine, blocks, once, np.ones_like(whole.alike))


@dataclass(frozen=True, eq=False)
class _Course:
    """Files to learn from and to be graded on; each form has a seed of its own, wherever it is learned.

    What was learned of a form is remembered for those that contain it: where time ends a search, less of it
    would not do.
    """

    whole: _Class
    ready: _Class  # in which identical records are one
    twins: Twins
    additivity: int | None
    seeds: Ints
    prove: bool
    remembered: dict[Form, LearnedParameters]
    made: dict[Form, Distances] = field(default_factory=dict)

    def distances(self, form: Form) -> Distances:
        """The distances of a form over the whole files; the indexes of the last ones are kept."""
        if form not in self.made:
            self.made[form] = self.whole.distances(self.whole.family(form, self.additivity))
        return self.made[form]

    def learned(self, form: Form, limit: float) -> LearnedParameters:
        """Learn; the richer forms start from the best of the forms that they contain."""
        begun = time.monotonic()
        family = self.ready.family(form, self.additivity)
        starts: list[Floats] = []
        cut = False
        if not isinstance(family, Weights):
            plain = self.contained(Form.WM, CONTAINED * limit)
            starts.append(family.additive(plain.theta))
            cut |= plain.cut
        if isinstance(family, Measures):
            ordered = self.contained(Form.OWA, CONTAINED * limit)
            starts.append(family.symmetric(ordered.theta))
            cut |= ordered.cut
        shared = self.twins is Twins.EXPECTED
        alike = self.whole.alike if self.twins is Twins.SHARED else np.ones_like(self.whole.alike)
        found = learn(
            self.ready.distances(family),
            self.ready.pupils,
            np.random.default_rng(int(self.seeds[list(Form).index(form)])),
            grade=Grade(self.distances(form), self.whole.pupils, None if shared else alike),
            limit=max(limit - (time.monotonic() - begun), limit / 10),
            prove=self.prove,
            starts=tuple(starts),
        )
        found = replace(found, cut=found.cut or cut)
        self.remembered[form] = found
        return found

    def contained(self, form: Form, limit: float) -> LearnedParameters:
        """The parameters of a form that another contains, as they were learned before or are learned now."""
        if form not in self.remembered:
            self.learned(form, limit)
        return self.remembered[form]


def _measures(base: Pairing, additivity: int | None) -> Measures | Additive:
    d = base.known.shape[1]
    if d > MOST_ATTRIBUTES:
        raise ArgumentError(
            f"a Choquet integral over {d} attributes weighs 2^{d} sets",
            hint=f"name at most {MOST_ATTRIBUTES} known attributes, or learn a weighted mean (learned-wm)",
        )
    if additivity is None:
        return Measures(base) if d <= FULL_MEASURE else Additive(base, 2)
    return Additive(base, min(additivity, d))


def _bilinear(space: Space, power: int) -> Bilinear:
    if power != 2:
        raise ArgumentError(
            "a bilinear form squares differences, and rank differences are not squared",
            hint="learn it from values (learned-bilinear)",
        )
    return Bilinear(space)


def _explained(
    form: Form, family: DistanceFamily, theta: Floats
) -> tuple[tuple[float, ...], tuple[tuple[int, int, float], ...], tuple[float, ...]]:
    """Weights, interactions and parameters of a lesson."""
    if isinstance(family, Bilinear):
        matrix = family.matrix(theta)
        pairs = tuple(
            (i, j, float(matrix[i, j])) for i in range(len(matrix)) for j in range(i + 1, len(matrix))
        )
        return tuple(np.diag(matrix).tolist()), pairs, tuple(matrix.ravel().tolist())
    parameters = family.pairing(theta).params
    if form is Form.CHOQUET:
        weights = meaning.shapley(parameters)
        return tuple(weights.tolist()), tuple(meaning.interactions(parameters)), tuple(parameters.tolist())
    return tuple(parameters.tolist()), (), tuple(parameters.tolist())


def _remarks(lesson: Lesson, asked: int, family: DistanceFamily) -> tuple[str, ...]:
    """What the user must know about this lesson."""
    notes = [f"learned with the right answers of {lesson.records:,} people in hand"]
    if lesson.records < asked:
        notes.append(
            f"a sample of {lesson.records:,} of {asked:,} people; the bound is for those learned from"
        )
    if isinstance(family, Additive):
        notes.append(f"only sets of up to {family.k} attributes count together")
    return tuple(notes)
