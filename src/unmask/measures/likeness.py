"""Whether another file writes an attribute as the original does, and has people of the same kind in it.

Without pairs of records nothing tells that "F" there is "female" here, or that a sum is in thousands. Then no
record would be like anybody's, and a release that repeats everybody would look harmless.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from unmask.data.microdata import Floats, Microdata
from unmask.data.release_kind import ReleaseKind
from unmask.data.schema import Kind
from unmask.measures.evidence import FileEvidence
from unmask.measures.strangers import in_one_form, strangers

#: What a reader must not miss; reports show it first.
TOO_SMALL = "so that numbers may be too small"
#: Of fewer values nothing is said.
FEWEST = 20
#: From this distance of two distributions on, numbers are not of the same kind; of people, from this one on.
ELSEWHERE, OTHERS = 0.5, 0.1


def written_alike(evidence: FileEvidence, name: str) -> bool:
    """Whether the released values of an attribute can be held against those of the original.

    Not, if no category of the original is there although it has few, if the numbers lie elsewhere, or if
    there is no value at all.

    >>> import polars as pl, unmask
    >>> def file(words): return unmask.Microdata(unmask.Schema((unmask.Column("sex", "nominal"),)),
    ...     pl.DataFrame({"sex": words * 20}))
    >>> original, released = file(["female", "male"]), file(["F", "M"])
    >>> evidence = FileEvidence(original, unmask.Masked.of_nobody(released), ("sex",))
    >>> written_alike(evidence, "sex")
    False
    """

    def made() -> bool:
        original, released = evidence.original, evidence.released
        if _few(original, released, name):
            return True
        if released.frame[name].null_count() == len(released):
            return False
        if original.schema[name].kind is Kind.NUMERIC:
            return _apart(original, released, name) < ELSEWHERE
        return same_words(evidence, released, name)

    return evidence.cache.get(evidence, ("written alike", name), made)


def same_words(evidence: FileEvidence, data: Microdata, name: str) -> bool:
    """Whether another file has categories of the original; numbers are the same in all words."""
    original = evidence.original
    if original.schema[name].kind is Kind.NUMERIC or _few(original, data, name):
        return True
    ours = original.frame[name].drop_nulls()
    if 2 * int(ours.is_unique().sum()) > len(ours):  # as numbers of houses, which no two files share
        return True
    return not set(original.categories(name)).isdisjoint(data.categories(name))


def _few(original: Microdata, data: Microdata, name: str) -> bool:
    return min(len(data), len(original) - original.frame[name].null_count()) < FEWEST


def _apart(original: Microdata, data: Microdata, name: str) -> float:
    """How far two distributions of an attribute are apart, from 0 to 1; 0 where two samples might be so far.

    The largest difference of the shares of people up to a number, or of those with a category.
    """
    sides = [_shares(file, name, (original, data)) for file in (original, data)]
    n, m = (len(file) - file.frame[name].null_count() for file in (original, data))
    if min(n, m) < FEWEST:
        return 0.0
    chance = 2.0 * float(np.sqrt((n + m) / (n * m)))
    most = float(np.abs(sides[0] - sides[1]).max())
    return most if most > chance else 0.0


def _shares(data: Microdata, name: str, files: Sequence[Microdata]) -> Floats:
    if files[0].schema[name].kind is Kind.NUMERIC:
        numbers = [file.numbers([name])[:, 0] for file in (data, *files)]
        own, *every = (values[~np.isnan(values)] for values in numbers)
        return np.searchsorted(np.sort(own), np.concatenate(every), "right") / max(len(own), 1)
    book = tuple(sorted({category for file in files for category in file.categories(name)}))
    codes = data.codes(name, book)
    return np.bincount(codes[codes >= 0], minlength=len(book)) / max(int((codes >= 0).sum()), 1)


def likeness_notes(evidence: FileEvidence) -> Iterator[str]:
    """What the user must know of a synthetic release, or of a hold-out, that is not like the original."""
    if ReleaseKind.SYNTHETIC in evidence.kinds:
        names = in_one_form(evidence.original, evidence.released)
        other = [name for name in names if not written_alike(evidence, name)]
        if other:
            yield (
                f"{_listed(other)}: the release has no value of the original, or numbers that lie elsewhere, "
                f"as in another unit; left out where records are held against people, {TOO_SMALL}: say in a "
                "schema how it was recoded, or write both files alike"
            )
    yield from _of_holdout(evidence)


def _of_holdout(evidence: FileEvidence) -> Iterator[str]:
    holdout = evidence.holdout
    if holdout is None:
        return
    again = strangers(evidence).again
    if again:
        yield (
            f"{again:,} of {len(holdout):,} people of the hold-out are in the original file as well, or "
            "differ from somebody there in one attribute only; they are no control and were left out; if "
            f"more has changed of others, they were not seen, {TOO_SMALL}"
        )
    names = in_one_form(evidence.original, holdout)
    far = [name for name in names if _apart(evidence.original, holdout, name) > OTHERS]
    if far:
        yield (
            f"{_listed(far)}: the people of the hold-out are of another kind than those of the original, or "
            f"their values are written otherwise, {TOO_SMALL} or too large"
        )


def _listed(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + more
