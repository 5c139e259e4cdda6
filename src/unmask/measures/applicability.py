"""Which kinds of release a measure says something about, and what is told of the others."""

from __future__ import annotations

from collections.abc import Sequence

from unmask.data.release_kind import ReleaseKind
from unmask.measures.base import FileMeasure, of_synthetic
from unmask.measures.estimate import NotEstimable
from unmask.measures.evidence import FileEvidence
from unmask.measures.families import MEMBERSHIP, SYNTHESIS, UNIQUENESS
from unmask.measures.phrases import percent
from unmask.measures.true_keys import MOST_TRUE, true_key_share

#: Of a measure that looks at the file as a whole, whoever its records are.
EVERY_KIND = frozenset(ReleaseKind)
#: Of one that compares people with their own released records, which a synthetic file does not have.
OWN_RECORDS = EVERY_KIND - {ReleaseKind.SYNTHETIC}
#: Of one that takes equal keys for the same person; a suppressed value agrees with every other.
TRUE_KEYS = OWN_RECORDS - {ReleaseKind.PERTURBED}
#: Of one that models how often each key occurs, and so cannot have keys that may be several.
COMPLETE_KEYS = TRUE_KEYS - {ReleaseKind.SUPPRESSED}

#: Why a measure does not apply, by what was done; {} stands for the attributes. The first that holds is told.
_REASONS = {
    ReleaseKind.SYNTHETIC: "no record of a synthetic release is anybody's, so being equal or close to one "
    "does not mean to be found",
    ReleaseKind.PERTURBED: "the release changed attributes that the intruder knows{}, so equal values do not "
    "mean the same person{share}",
    ReleaseKind.SUPPRESSED: "the release suppressed values of attributes that the intruder knows{}, and the "
    "measure needs every value",
    ReleaseKind.RECODED: "the release made attributes that the intruder knows coarser{}, and the measure "
    "needs values as they were",
    ReleaseKind.SAMPLE: "the release is a sample, and the measure needs everybody",
}

#: What people of each shape are found by, and the families whose measures would not see it.
_BY_CONTENT = {"series": "their series", "traces": "their traces", "graph": "their ties"}
_OF_ATTRIBUTES = (UNIQUENESS.name, MEMBERSHIP.name, SYNTHESIS.name)


def not_applicable(why: str) -> NotEstimable:
    """A value that does not exist because the measure says nothing about this kind of release.

    >>> not_applicable("the release is a sample").reason
    'not applicable: the release is a sample'
    """
    return NotEstimable(f"not applicable: {why}", declared=True, applicable=False)


def why_not(measure: FileMeasure, evidence: FileEvidence) -> NotEstimable | None:
    """Why a measure is not taken of these files; None if it is.

    Where nothing calls for it, that is the reason; else that it says nothing about this kind of release; else
    what it lacks.

    >>> import polars as pl
    >>> from unmask.data.microdata import Masked, Microdata
    >>> from unmask.data.schema import Column, Schema
    >>> from unmask.measures.anonymity import KAnonymity
    >>> file = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": [31, 54]}))
    >>> evidence = FileEvidence(file, Masked.by_order(file, file), ("age",), perturbed=("age",))
    >>> why_not(KAnonymity(), evidence).reason
    'not applicable: the release changed attributes that the intruder knows (age), so equal values do not
    mean the same person'
    """
    lack, unfit = measure.why_not(evidence), _why_not_applicable(measure, evidence)
    uncalled = lack is not None and not lack.declared
    return lack if unfit is None or uncalled else unfit


def _why_not_applicable(measure: FileMeasure, evidence: FileEvidence) -> NotEstimable | None:
    """Why a measure says nothing about this kind of release; None if it does.

    What was done to attributes that nobody knows does not matter here: a measure that also looks at others
    judges those one by one.
    """
    content = evidence.original.content
    if content is not None and _blind(measure):
        found_by = _BY_CONTENT[content.shape]
        return not_applicable(
            f"people are told apart by {found_by}, and the measure looks at their attributes, and at what is "
            "counted of them, alone"
        )
    known = evidence.released_known
    undeclared = kinds_of_keys(evidence) - measure.says_about
    for kind, reason in _REASONS.items():
        if kind in undeclared:
            changed = [name for name in known if name in evidence.changed(kind)]
            return not_applicable(reason.format(_listed(changed), share=_still_true(evidence)))
    return None


def _blind(measure: FileMeasure) -> bool:
    """Whether a measure that would say how people stand out does not look at content: it says too little."""
    return measure.about.family.name in _OF_ATTRIBUTES and getattr(measure, "shape", None) is None


def unasked(measures: Sequence[FileMeasure], evidence: FileEvidence) -> tuple[FileMeasure, ...]:
    """Those of these measures that are taken of such a release where nobody names any."""
    synthetic = ReleaseKind.SYNTHETIC in evidence.kinds
    return tuple(measure for measure in measures if synthetic or not of_synthetic(measure))


def kinds_of_keys(evidence: FileEvidence) -> frozenset[ReleaseKind]:
    """What was done to the known attributes, taken together.

    Whether they are perturbed is told by the pairs of records where these are known, not by the attributes
    one by one: a few changed values leave nearly all keys true, and a few in each of many attributes do not.
    """
    kinds, share = evidence.kinds_of(evidence.released_known), true_key_share(evidence)
    if share is None or ReleaseKind.SYNTHETIC in kinds:
        return kinds
    if share < MOST_TRUE:
        return kinds | {ReleaseKind.PERTURBED}
    return kinds - {ReleaseKind.PERTURBED}


def _still_true(evidence: FileEvidence) -> str:
    share = true_key_share(evidence)
    if share is None:
        return ""
    return f": {percent(share)} of the released records still have their person's values"


def changed_keys_note(evidence: FileEvidence) -> tuple[str, ...]:
    """What the user must know of keys of which a few are not true."""
    share = true_key_share(evidence)
    if share is None or not MOST_TRUE <= share < 1 or ReleaseKind.SYNTHETIC in evidence.kinds:
        return ()
    return (
        f"{percent(1 - share)} of the released records do not have their person's values of the known "
        "attributes; measures of keys count them as if they had, and so err on the high side",
    )


def _listed(names: Sequence[str], most: int = 6) -> str:
    """Names in brackets, the first ones of many.

    >>> _listed(["age", "pay"]), _listed(["age", "pay", "town"], most=1), _listed([])
    (' (age, pay)', ' (age and 2 more)', '')
    """
    if not names:
        return ""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f" ({', '.join(names[:most])}{more})"
