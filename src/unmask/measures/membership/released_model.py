"""Membership inference against a released model: was this person among those it learned from?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from unmask.about import About
from unmask.data.microdata import Floats, Ints, Microdata, as_text
from unmask.data.release_kind import ReleaseKind
from unmask.engines import Engine
from unmask.measures.applicability import EVERY_KIND
from unmask.measures.attribute.models import seeded
from unmask.measures.estimate import NotEstimable, Row
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import MEMBERSHIP
from unmask.measures.membership import candidates
from unmask.measures.membership.candidates import Candidates
from unmask.measures.membership.recognition import Recognition, with_records
from unmask.randomness import generator

#: How many shadow models the intruder trains.
SHADOWS = 8


@dataclass(frozen=True)
class MembershipInModel:
    """Shadow models against a released classifier (Shokri, Stronati, Song and Shmatikov 2017).

    The intruder has people of the same kind: half of the hold-out. They train models like the released one
    on random halves of them, and see how each answers those it learned from (in) and the others (out). From
    the tuples (answer, in or out) a logistic regression learns to tell them apart; applied to the released
    model's answers it says who is a member. What it looks at: the log odds given to the right category, the
    largest probability, and the entropy of the answer.

    ``target``: the attribute that the model predicts; if not told, the one whose categories are the model's
    classes and which is not among its features. Members are people of the original file, non-members come
    from the other half of the hold-out. The model must know its features by name (it was trained on a frame).

    >>> import unmask
    >>> people = unmask.Microdata(unmask.Schema((unmask.Column("a"),)), pl.DataFrame({"a": [1.0, 2.0]}))
    >>> MembershipInModel().why_not(FileEvidence(people, unmask.Masked(people, np.arange(2)), ("a",))).reason
    'no released model is given'
    """

    target: str | None = None
    says_about: ClassVar[frozenset[ReleaseKind]] = EVERY_KIND  # it looks at the model, not at the release
    name: ClassVar[str] = "membership-model"
    about: ClassVar[About] = About(
        "membership, by shadow models",
        MEMBERSHIP,
        "Models like the released one, trained on other people, teach the intruder how a model answers those "
        "it has learned from.",
        "R. Shokri, M. Stronati, C. Song and V. Shmatikov (2017), Membership inference attacks against "
        "machine learning models, IEEE Symposium on Security and Privacy.",
        rank=3,
        head="AUC",
    )

    def why_not(self, evidence: FileEvidence) -> NotEstimable | None:
        """It needs a released model and a hold-out file."""
        if evidence.model is None:
            return NotEstimable("no released model is given")
        why = candidates.why_not(evidence)
        return None if why is None else NotEstimable(why.reason, declared=True)

    def rows(self, evidence: FileEvidence, engine: Engine) -> tuple[Row, ...]:
        """The figures of recognition; the first one carries the members' scores."""
        assert evidence.holdout is not None
        model: Any = evidence.model
        columns = _columns(model, evidence, self.target)
        if isinstance(columns, NotEstimable):
            return (Row.none(self.name, columns),)
        features, target = columns
        asked = _with_category(evidence, target)
        if isinstance(asked, NotEstimable):
            return (Row.none(self.name, asked),)
        rng = generator(evidence.seed, self.name)
        try:
            recognise = _learned(model, evidence.holdout.take(asked.reference), features, target, rng)
            members = recognise(model, evidence.original.take(asked.members))
            others = recognise(model, evidence.holdout.take(asked.others))
        except (TypeError, ValueError, AttributeError, LookupError, RuntimeError) as error:
            # The library's message may quote a value.
            reason = f"the model refused the file ({type(error).__name__})"
            return (Row.none(self.name, NotEstimable(reason)),)
        how = "an intruder with shadow models"
        found = Recognition(members, others, 0.5).rows(self.name, how, rng)
        per_record = np.full(len(evidence.original), np.nan)
        per_record[asked.members] = members
        return with_records(found, per_record)


def _columns(model: Any, evidence: FileEvidence, target: str | None) -> tuple[list[str], str] | NotEstimable:
    """The features and the target of the model, or why they cannot be told."""
    if not (hasattr(model, "predict_proba") and hasattr(model, "classes_") and hasattr(model, "fit")):
        return NotEstimable("the model is not a fitted classifier with predict_proba")
    if not hasattr(model, "feature_names_in_"):
        return NotEstimable("the model does not name its features: train it on a frame with column names")
    features = [str(name) for name in model.feature_names_in_]
    assert evidence.holdout is not None
    files = (evidence.original.frame, evidence.holdout.frame)
    lost = [name for name in features if any(name not in frame.columns for frame in files)]
    if lost:
        return NotEstimable(f"the original or the hold-out file lacks the model's feature '{lost[0]}'")
    classes = {str(c) for c in as_text(pl.Series("class", list(model.classes_))).to_list()}
    shared = [name for name in files[0].columns if name in files[1].columns and name not in features]
    found = {name: set(_labels(evidence.original, name).drop_nulls()) for name in shared}
    fitting = [name for name, categories in found.items() if categories and categories <= classes]
    if target is None and not fitting:
        return NotEstimable("no attribute of the original and the hold-out file has the model's classes")
    if target is None and len(fitting) > 1:
        return NotEstimable(f"{len(fitting)} attributes could be what the model predicts: name the target")
    if target is not None and target not in fitting:
        return NotEstimable(f"'{target}' is not an attribute with the model's classes")
    return features, target or fitting[0]


def _with_category(evidence: FileEvidence, target: str) -> Candidates | NotEstimable:
    """The candidates and the intruder's own people who have the attribute that the model predicts.

    Of others nobody can say how right the model is. Else why too few are left.
    """
    assert evidence.holdout is not None
    drawn = candidates.draw(evidence)
    inside, outside = (
        _labels(data, target).is_not_null().to_numpy() for data in (evidence.original, evidence.holdout)
    )
    members, others = drawn.members[inside[drawn.members]], drawn.others[outside[drawn.others]]
    reference = drawn.reference[outside[drawn.reference]]
    n = min(len(members), len(others))
    if min(n, len(reference)) < candidates.FEWEST:
        return NotEstimable(
            f"fewer than {candidates.FEWEST} people in the file or in a half of the hold-out have '{target}'"
        )
    if _labels(evidence.holdout, target).gather(reference).n_unique() < 2:
        reason = f"all of the intruder's own people have the same '{target}', so shadow models learn nothing"
        return NotEstimable(reason)
    return Candidates(members[:n], others[:n], reference)


def _learned(
    model: Any, people: Microdata, features: list[str], target: str, rng: np.random.Generator
) -> Any:
    """From a model and people to the probability that it learned from them, taught by shadow models."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    seen: list[Floats] = []
    inside: list[Ints] = []
    for _ in range(SHADOWS):
        learns = rng.permutation(len(people)) < len(people) // 2
        part = people.take(np.flatnonzero(learns))
        shadow = seeded(model, int(rng.integers(2**31)))
        shadow.fit(part.frame.select(features), part.frame[target].to_numpy())
        seen.append(_answers(shadow, people, features, target))
        inside.append(learns.astype(np.int64))
    teller = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    teller.fit(np.concatenate(seen), np.concatenate(inside))

    def recognise(asked: Any, whom: Microdata) -> Floats:
        return np.asarray(teller.predict_proba(_answers(asked, whom, features, target))[:, 1])

    return recognise


def _answers(model: Any, people: Microdata, features: list[str], target: str) -> Floats:
    """What the intruder sees of a model's answer: right category's log odds, largest probability, entropy."""
    answer = np.clip(model.predict_proba(people.frame.select(features)), 1e-12, 1.0)
    place = {label: j for j, label in enumerate(as_text(pl.Series("class", list(model.classes_))).to_list())}
    # A category that the model has never seen gets the least probability there is.
    right = np.array([place.get(label, -1) for label in _labels(people, target).to_list()])
    p = np.where(right >= 0, answer[np.arange(len(answer)), right], 1e-12)
    p = np.clip(p, 1e-12, 1 - 1e-12)
    entropy = -(answer * np.log(answer)).sum(axis=1)
    return np.column_stack((np.log(p / (1 - p)), answer.max(axis=1), entropy))


def _labels(people: Microdata, name: str) -> pl.Series:
    return as_text(people.frame[name])
