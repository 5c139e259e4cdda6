"""The release of a candidate: the very draw that was attacked, so that what was found of it holds."""

from __future__ import annotations

from unmask.assessment.request import Request, Verb
from unmask.documents.study import StudyDocument
from unmask.errors import ArgumentError
from unmask.studies.protection.content import replicate_seed
from unmask.studies.protection.protect import release_seed


def release_request(request: Request, document: StudyDocument, mask: str) -> Request:
    """The request that writes the release of one candidate of a study or a search.

    The recommended mask of a search is drawn as in its last check, any other one as in its first draw.

    >>> from unmask.assessment.request import RequestFiles
    >>> from unmask.data.example import people
    >>> from unmask.studies.protection.study import study
    >>> asked = {"known": ["age"], "attacks": ["dbrl"], "losses": ["il1s"], "least": "il1s"}
    >>> found = study(people(50), ["noise:a=0.5"], replicates=1, **asked).document
    >>> from unmask.assessment.request import RequestFiles
    >>> files = RequestFiles("people.csv")
    >>> release_request(Request(files, Verb.STUDY, masks=("noise:a=0.5",)), found, "noise:a=0.5").verb.value
    'mask'
    """
    candidate = document.candidate(mask)
    if candidate is None or candidate.reference:
        raise ArgumentError("that is no protection of this study", hint="choose one of those that it lists")
    chosen = document.recommendation
    recommended = chosen is not None and chosen.mask == mask
    seed = release_seed(request.seed) if recommended else replicate_seed(request.seed, 0)
    return Request(request.files.original_alone(), Verb.MASK, mask=mask, seed=seed)
