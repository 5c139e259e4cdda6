"""run(): answer a request, whatever it asks."""

from __future__ import annotations

from pathlib import Path

from unmask.assessment.asked import Given
from unmask.assessment.request import Request, Verb
from unmask.assessment.request_file import check_files_named, from_toml
from unmask.assessment.results import Assessment
from unmask.assessment.session import Session
from unmask.assessment.store import Store
from unmask.data.io.sources import read_text
from unmask.engines import Engine
from unmask.errors import ArgumentError
from unmask.fields import instance
from unmask.masks import check_trusted, expand, parse
from unmask.studies.assess import assessment
from unmask.studies.knowledge import KnowledgeCurves, curves_of
from unmask.studies.loss import Losses, losses_found
from unmask.studies.protection.protect import protection_of
from unmask.studies.protection.study import Study, study_of
from unmask.studies.releases import Comparison, comparison

Result = Assessment | KnowledgeCurves | Comparison | Losses | Study


def run(
    request: Request | str | Path,
    given: Given | None = None,
    engine: Engine | None = None,
    store: Store | None = None,
) -> Result:
    """What a request asks for: an assessment, knowledge curves, a comparison of releases, losses, or a study.

    ``request``: also the path of one that ``--save-request`` wrote, as for 'unmask run'.
    ``store``: where finished parts of an assessment are kept, so that a run which was ended can go on.

    >>> from unmask.assessment.request import IN_MEMORY, RequestFiles
    >>> from unmask.data.example import people
    >>> asked = {"attacks": ("dbrl",), "measures": ("reidentification",), "mask": "noise:a=0.01"}
    >>> request = Request(RequestFiles(IN_MEMORY), **asked)
    >>> run(request, Given({"original": people(50)})).worst().estimate.value
    1.0
    """
    if isinstance(request, str | Path):
        request = from_toml(read_text(Path(request)))
        single = () if request.mask is None else (request.mask,)
        texts = [one for text in (*single, *request.masks) for one in expand(text)]
        check_trusted([parse(text) for text in texts], trusted=False)  # it may be somebody else's
    instance("the request", request, Request, "write Request(RequestFiles(original, released)), or a path")
    if given is None:
        check_files_named(request)
    if request.verb is Verb.STUDY:
        return study_of(request, given, engine)
    if request.verb is Verb.PROTECT:
        return protection_of(request, given, engine)
    session = Session(request, given, engine, store)
    if request.verb is Verb.ASSESS:
        return assessment(session)
    if request.verb is Verb.KNOWLEDGE:
        return curves_of(session)
    if request.verb is Verb.COMPARE:
        return comparison(session)
    if request.verb is Verb.LOSS:
        return losses_found(session)
    raise ArgumentError(
        f"'{request.verb}' gives no table of results", hint="run it on the command line: unmask run FILE"
    )
