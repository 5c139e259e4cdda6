"""Protect: compare masks or search for one, look at the map, and write the release that was chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.responses import Response

from unmask.assessment.request import REPLICATES, Request, RequestFiles, Verb
from unmask.assessment.request_file import from_toml, to_toml
from unmask.data.io.sources import read_text
from unmask.data.io.write import check_target, write_text
from unmask.data.shapes.named import shape_named
from unmask.data.understanding.matching import ROWS
from unmask.documents import read_any
from unmask.documents.study import STUDY, StudyDocument
from unmask.errors import ArgumentError, UnmaskError
from unmask.losses import LOSSES
from unmask.losses import REGISTRY as ALL_LOSSES
from unmask.masks import expand
from unmask.measures.estimate import Estimate
from unmask.policies import bundled_policies
from unmask.report.losses.lines import lost
from unmask.report.numbers import percent
from unmask.report.study.places import MapPlaces
from unmask.report.study.verdicts import verdict_words
from unmask.studies.protection.choice import release_request
from unmask.studies.protection.measured import compared_by
from unmask.web import run as runs
from unmask.web.pages.offered import offered, own_masks, usual_masks
from unmask.web.pages.result import shown
from unmask.web.pages.run import assess_step
from unmask.web.project import PROTECTION, RUNS, Project, check_files, check_mask
from unmask.web.run import PROGRESS, REPORT, RESULT, RunFolder
from unmask.web.same import same
from unmask.web.visit import Visit, address, whole_number

RESULTS = "protection.results.db"


@dataclass(frozen=True)
class ListedCandidate:
    """A protection of a study, as the list shows it."""

    mask: str
    title: str
    found: str
    lost: str
    verdict: str
    remarks: str
    recommended: bool


def show(visit: Visit, error: str | None = None) -> Response:
    """What can be tried, and what came of the last try."""
    project = visit.project
    request = project.request
    if request is None:
        return visit.go(address(project, "files"))
    asked = project.protection
    if asked is not None and asked.files.shape != request.files.shape:
        asked = None  # the masks of other people
    run = project.latest("study", "protect")
    parts: dict[str, Any] = {"shown": None, "candidates": (), "written": ""}
    if run is not None:
        there = run.output and (project.place.root / run.output).is_file()
        parts = {"shown": shown(run), "candidates": _candidates(_document(run))}
        parts["written"] = run.output if there and run.output != request.files.released else ""
    again = visit.posted and bool(visit.said("verb"))  # the form that was refused is that of what to try
    usual = usual_masks(request)
    ticked = _said(visit) if again else asked.masks if asked is not None else usual[:4]
    return visit.page(
        "protect.html.jinja",
        422 if error else 200,
        step="protect",
        request=request,
        asked=asked,
        offered=offered(usual, ticked),
        own=visit.said("own") if again else own_masks(usual, ticked),
        policies=bundled_policies(),
        losses={name: loss.about for name, loss in LOSSES.items() if _counts(loss, request)},
        filled=_filled(visit, request if asked is None else asked),
        output=visit.said("output") or _place_for(project, request.files.original),
        version=project.version,
        same=None if asked is None else same(asked, project.path(PROTECTION)),
        error=error,
        **parts,
    )


def _filled(visit: Visit, last: Request) -> dict[str, str]:
    """What stands in the fields: as a form that was refused says, else as what was asked last does."""
    names = ("policy", "least", "replicates", "sample", "lines")
    if visit.posted and visit.said("verb"):
        return {name: visit.said(name) for name in names}
    lines = "ticked" if last.verb is Verb.PROTECT and last.masks else ""
    told = (last.policy or "", compared_by(last), str(last.replicates), str(last.sample or ""), lines)
    return dict(zip(names, told, strict=True))


def _counts(loss: object, request: Request) -> bool:
    """Whether a loss looks at what the masks of these files change."""
    shape = None if request.files.shape is None else shape_named(request.files.shape).name
    return getattr(loss, "shape", None) == shape


def _said(visit: Visit) -> tuple[str, ...]:
    """The masks that a form ticks, with the strengths that it gives them."""
    texts = (visit.said(f"mask-{place}") for place in visit.all_said("tick"))
    return tuple(text for text in texts if text)


def _place_for(project: Project, original: str) -> str:
    """A name for the protected file that is not taken yet."""
    path = Path(original)
    suffix = path.suffix if path.suffix in (".csv", ".parquet", ".sav", ".dta", ".xlsx") else ".csv"
    stem = path.with_suffix("").as_posix()
    names = (f"{stem}-protected{'' if i == 1 else f'-{i}'}{suffix}" for i in range(1, 10_000))
    return next(name for name in names if not (project.place.root / name).exists())


def _document(run: RunFolder) -> StudyDocument:
    _, document = read_any(read_text(run.folder / RESULT), (STUDY,))
    return document  # type: ignore[no-any-return]


def _candidates(document: StudyDocument) -> list[ListedCandidate]:
    """The protections of a study, those that cost least first."""
    places, least = MapPlaces(document), document.least
    chosen = document.recommendation
    apart = max(
        (_number(places.loss(one.mask, least)) for one in places.ordered if one.reference), default=1.0
    )
    found = []
    for one in places.ordered:
        if one.reference:
            continue
        risk, loss = places.found(one.mask, places.who[0]), places.loss(one.mask, least)
        best = chosen is not None and chosen.mask == one.mask
        remarks = {
            "recommended": best,
            "on the front": one.front,
            # Who would release it gives more away than columns in a random order, and gets less for it.
            "loses more than columns without relation": _number(loss) > apart,
        }
        found.append(
            ListedCandidate(
                one.mask,
                one.title,
                "not estimable" if risk is None or risk.number is None else percent(risk.number),
                "not estimable" if loss is None or loss.number is None else lost(loss.number, loss.unit),
                verdict_words(places, one, places.who[0]),
                ", ".join(remark for remark, holds in remarks.items() if holds),
                best,
            )
        )
    return found


def _number(estimate: Estimate | None) -> float:
    """A value; what has none is no reason for a remark."""
    return 0.0 if estimate is None or estimate.number is None else estimate.number


def start(visit: Visit) -> Response:
    """Compare the masks of the form, or search for the one that costs least under its policy."""
    project = visit.project
    try:
        project.check(visit.said("version"))
        asked = _asked(visit, project)
        search = asked.verb is Verb.PROTECT
        output = _output(project, visit.said("output")) if search else None
        project.save(asked)
        run = _begin(project, asked, output)
    except UnmaskError as error:
        return show(visit, str(error))
    return visit.go(address(project, "runs", run.name))


def _asked(visit: Visit, project: Project) -> Request:
    """The study or search of the form, before the intruder and under the schema of the project's request."""
    request = project.request
    if request is None:
        raise ArgumentError("there is no original file yet", hint="choose it under Files")
    search = visit.said("verb") == "protect"
    masks = _masks(visit)
    if search and not visit.said("policy"):
        raise ArgumentError("a search needs a bound to keep to", hint="choose a policy")
    if not search and not masks:
        raise ArgumentError("no mask is ticked", hint="tick at least one, or write one of your own")
    if visit.said("least"):
        ALL_LOSSES.named(visit.said("least"))  # which refuses what is none
    scenario = replace(request.scenario, sources=(), block=())
    return Request(
        request.files.original_alone(),
        Verb.PROTECT if search else Verb.STUDY,
        scenario,
        masks=() if search and visit.said("lines") != "ticked" else masks,
        policy=visit.said("policy") or None,
        least=visit.said("least") or None,
        replicates=_whole(visit.said("replicates"), REPLICATES),
        seed=request.seed,
        sample=_whole(visit.said("sample"), 0) or None,
    )


def _masks(visit: Visit) -> tuple[str, ...]:
    """The masks that are ticked or written, each of which must be one."""
    written = [line.strip() for line in visit.said("own").splitlines() if line.strip()]
    texts = tuple(dict.fromkeys((*_said(visit), *written)))
    for text in texts:
        for one in expand(text):
            check_mask(one)
    return texts


def _whole(text: str, usual: int) -> int:
    return whole_number(text, "a number of draws or people") if text else usual


def _truth(files: RequestFiles) -> str | None:
    """Who is who in a release that unmask made: its rows say it, of points and ties the names."""
    key = None if files.shape is None else shape_named(files.shape).key
    return ROWS if key is None else None


def _output(project: Project, name: str) -> str:
    """Where the protected file goes: below the folder, in a format that can be written, over no file."""
    path = project.place.inside(name)
    if not name or path.exists():
        raise ArgumentError(
            f"'{name}' is there already, or is no name", hint="choose another name for the file"
        )
    check_target(path, table=True)
    return name


def _begin(project: Project, asked: Request, output: str | None) -> RunFolder:
    run = runs.new_run(project.folder / RUNS)
    write_text(to_toml(asked.recorded()), run.folder / runs.REQUEST)
    at = project.place.relative(run.folder)
    step = ["run", f"{at}/{runs.REQUEST}", "--json", f"{at}/{RESULT}", "--html", f"{at}/{REPORT}"]
    step += ["--progress", f"{at}/{PROGRESS}", "--results", project.path(RESULTS)]
    if output is not None:
        step += ["-o", output]
    title = "Search for a protection" if output is not None else "Study of protections"
    runs.give(run, str(asked.verb), title, [step], output or "")
    return run


def release(visit: Visit) -> Response:
    """Write the release of a candidate that was picked, and assess it."""
    project = visit.project
    try:
        project.check(visit.said("version"))
        run = _released(visit, project)
    except UnmaskError as error:
        return show(visit, str(error))
    return visit.go(address(project, "runs", run.name))


def _released(visit: Visit, project: Project) -> RunFolder:
    """A run that makes the release as it was attacked, and then assesses it as any other."""
    request, source = project.request, project.latest("study", "protect")
    if request is None or source is None:
        raise ArgumentError("there is no study yet", hint="compare masks first")
    asked = from_toml(read_text(source.folder / runs.REQUEST))
    if asked.files.original != request.files.original:
        raise ArgumentError("the last study is of another original", hint="compare masks on this one first")
    making = release_request(asked, _document(source), visit.said("candidate"))
    output = _output(project, visit.said("output"))
    files = replace(
        request.files,
        released=output,
        truth=_truth(request.files),
        synthetic=False,
        released_schema=None,
        released_shape=None,
        released_nodes=None,
        pairs=None,
    )
    assessing = replace(request, files=files, mechanism=None)
    check_files(project.place, assessing)
    run = runs.new_run(project.folder / RUNS)
    write_text(to_toml(making), run.folder / "mask.toml")
    write_text(to_toml(assessing.recorded()), run.folder / runs.REQUEST)
    at = project.place.relative(run.folder)
    steps = [["run", f"{at}/mask.toml", "-o", output], assess_step(project, run)]
    runs.give(run, "assess", f"Release by {making.mask}, and its assessment", steps)
    project.save(assessing)
    return run
