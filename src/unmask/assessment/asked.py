"""The Python view of a request: keyword arguments, and objects where a request only has names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import Any, TypedDict, get_type_hints

from unmask.assessment.request import IN_MEMORY, Grid, Occasion, Request, RequestFiles, Verb
from unmask.attacks import Attack, WorstCase
from unmask.data.edits import ColumnEdit, edits_of
from unmask.data.schema import Schema
from unmask.errors import ArgumentError, DataError, clipped, unknown_name
from unmask.fields import instance, listed, shown
from unmask.intruder.follow import Follow
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.scenario import Scenario
from unmask.losses import Loss
from unmask.masks import Mask, as_mask
from unmask.measures import FileMeasure, Measure
from unmask.parsing import written

AnyAttack = Attack | WorstCase
AnyMeasure = Measure | FileMeasure

#: What is asked of a request by the same name.
_ALIKE = (
    *("candidates", "sample", "depth", "time_limit", "seed", "false_links", "missed", "budget", "full"),
    *("policy", "occasion"),
)


class AskedOfReleases(TypedDict, total=False):
    """What may be asked beside the files; every part is a part of :class:`Request`.

    ``known``: the attributes that the intruder knows (or give a whole ``scenario``); ``truth``: a key column
    in both files, or "rows": row i of one file is row i of the other (without it, the files tell);
    ``synthetic``: no released record is anybody's, unless ``truth`` says whose record each stands for;
    ``roles``, ``kinds``, ``missing_codes``: what is said of single columns, on top of a schema or without
    one, as in ``roles={"income": "confidential"}``,
    ``missing_codes={"age": ["999"]}`` ("*" stands for every column), ``renamed={"sex": "gender"}`` (their
    names in the release); ``released_schema``: of the released file; ``false_links``, ``missed``: the errors
    that probabilistic linkage admits when it divides all pairs; ``mechanism``: the mask that made the
    release, or its text; ``budget``: seconds that attacks and measures may take, by estimates, before they
    are tried on samples of people; ``full``: no budget; ``follow``: how records are followed from one release
    to another; ``sidecar``: whether what unmask left beside a release is read; ``trust_model``: the file of
    ``model`` is one's own, so that it is read although it might run any program (a pickle); ``policy``: the
    file of a policy, or the name of a bundled one; ``occasion``: who assesses the release, for whom, when;
    ``losses``: what the release is no longer good for; the quick ones, unless attacks or measures are named;
    ``shape``: how people are read from files that are no plain tables ("series:...", "traces:...",
    "graph:..."), ``released_shape``: the same of a release whose columns are others; ``nodes``,
    ``released_nodes``: the tables of a graph's nodes; ``pairs``: who is who, where names differ;
    ``glimpse``: what the intruder saw of series, traces or ties, as ``unmask.Glimpse(points=4)``.
    Files may be frames with the Arrow interface, paths or Microdata; methods may be objects or texts.
    """

    known: Sequence[str] | None
    scenario: Scenario | None
    attacks: Sequence[AnyAttack | str] | None
    measures: Sequence[AnyMeasure | str] | None
    losses: Sequence[Loss | str] | None
    schema: Schema | str | Path | None
    released_schema: Schema | str | Path | None
    roles: Mapping[str, str]
    kinds: Mapping[str, str]
    missing_codes: Mapping[str, Sequence[str | int]]
    renamed: Mapping[str, str]
    truth: str | None
    synthetic: bool
    mechanism: object
    follow: Follow | str
    population: object
    holdout: object
    model: object
    trust_model: bool
    sidecar: bool
    candidates: int
    sample: int | None
    depth: int
    time_limit: float
    seed: int
    false_links: float | None
    missed: float | None
    budget: float
    full: bool
    policy: str | Path | None
    occasion: Occasion
    shape: str | None
    released_shape: str | None
    nodes: object
    released_nodes: object
    pairs: object
    glimpse: Glimpse


class Asked(AskedOfReleases, total=False):
    """As :class:`AskedOfReleases`; ``earlier``: releases of the same people that are out already."""

    earlier: Sequence[object]


@dataclass(frozen=True, eq=False)
class Given:
    """What a caller hands over as objects: files in memory by their role, and methods by their name."""

    files: dict[str, object] = field(default_factory=dict)
    methods: dict[str, object] = field(default_factory=dict)


def requested(
    verb: Verb, original: object, released: object, asked: Asked, grid: Grid | None = None
) -> tuple[Request, Given]:
    """The request behind a call, and the objects that it was called with.

    >>> request, given = requested(Verb.ASSESS, "people.csv", "released.csv", {"known": ["age"], "seed": 1})
    >>> request.files.original, request.scenario.known, request.seed
    ('people.csv', ('age',), 1)
    """
    _check(asked)
    given = Given()
    mask = released if isinstance(released, Mask) else None
    files = RequestFiles(
        original=_file("original", original, given),
        released="" if mask is not None else _file("released", released, given),
        schema=_optional("schema", asked.get("schema"), given),
        truth=asked.get("truth"),
        synthetic=asked.get("synthetic", False),
        earlier=tuple(_file(f"earlier {i}", one, given) for i, one in enumerate(asked.get("earlier", ()), 1)),
        follow=asked.get("follow", "none"),  # type: ignore[arg-type]  # which takes either
        population=_optional("population", asked.get("population"), given),
        holdout=_optional("holdout", asked.get("holdout"), given),
        model=_optional("model", asked.get("model"), given),
        sidecar=asked.get("sidecar", True),
        released_schema=_optional("released schema", asked.get("released_schema"), given),
        columns=_columns(asked),
        trust_model=asked.get("trust_model", False),
        shape=asked.get("shape"),
        released_shape=asked.get("released_shape"),
        nodes=_optional("nodes", asked.get("nodes"), given),
        released_nodes=_optional("released nodes", asked.get("released_nodes"), given),
        pairs=_optional("pairs", asked.get("pairs"), given),
    )
    alike: dict[str, Any] = {name: value for name, value in asked.items() if name in _ALIKE}
    alike["losses"] = _names(asked.get("losses"), given)
    request = Request(
        files,
        verb,
        _scenario(asked),
        _names(asked.get("attacks"), given),
        _names(asked.get("measures"), given),
        _mask(asked.get("mechanism"), given),
        _mask(mask, given),
        Grid() if grid is None else grid,
        **alike,
    )
    return request, given


def requested_study(
    verb: Verb, original: object, masks: Sequence[object], asked: Asked, replicates: int, least: str | None
) -> tuple[Request, Given]:
    """The request behind a call that compares masks, and the objects that it was called with.

    >>> request, _ = requested_study(Verb.STUDY, "people.csv", ["noise:a={0.1,0.5}"], {"seed": 1}, 5, "il1s")
    >>> request.masks, request.files.released
    (('noise:a={0.1,0.5}',), '')
    """
    if isinstance(masks, str) or not isinstance(masks, Sequence):
        raise ArgumentError("masks is not a list", hint="write masks=['noise:a=0.1', ...]")
    request, given = requested(Verb.ASSESS, original, as_mask("noise:a=0"), asked)
    objects = {i: as_mask(one) for i, one in enumerate(masks) if not isinstance(one, str)}  # type: ignore[arg-type]
    names = tuple(_mask(objects.get(i, one), given) or "" for i, one in enumerate(masks))
    return replace(request, verb=verb, mask=None, masks=names, replicates=replicates, least=least), given


def _check(asked: Asked) -> None:
    """Refuse words that mean nothing here, and a text where a list of names belongs."""
    words = get_type_hints(Asked)
    for name in asked:
        if name not in words:
            raise unknown_name("argument", name, words)
    for name in ("known", "attacks", "measures", "losses"):
        if isinstance(asked.get(name), str):
            hint = f"write {name}=[{clipped(str(asked.get(name)))!r}]"
            raise ArgumentError(f"{name} is a text, not a list", hint=hint)
        if asked.get(name) is not None:
            listed(name, asked.get(name), object)
    earlier = asked.get("earlier", ())
    if isinstance(earlier, str) or not isinstance(earlier, Sequence):
        raise ArgumentError("earlier is not a list of releases", hint="write earlier=[...]")


def _columns(asked: Asked) -> tuple[ColumnEdit, ...]:
    """What is said of single columns."""
    for name in ("roles", "kinds", "missing_codes", "renamed"):
        if not isinstance(asked.get(name, {}), Mapping):
            raise ArgumentError(f"{name} does not go by column", hint=f"write {name}={{'age': ...}}")
    codes = {name: _codes(name, codes) for name, codes in asked.get("missing_codes", {}).items()}
    return edits_of(asked.get("roles", {}), asked.get("kinds", {}), codes, asked.get("renamed"))


def _scenario(asked: Asked) -> Scenario:
    """The scenario given, or that of an intruder who knows these attributes of everybody."""
    known, scenario, glimpse = asked.get("known"), asked.get("scenario"), asked.get("glimpse")
    instance("the glimpse", glimpse, Glimpse | None, "write unmask.Glimpse(points=4)")
    if scenario is None:
        return Scenario(known, glimpse=glimpse or Glimpse())  # type: ignore[arg-type]  # which makes it a tuple
    if glimpse is not None:
        raise ArgumentError("both a glimpse and a scenario are given", hint="put the glimpse into it")
    if known is not None:
        raise ArgumentError("both known and a scenario are given", hint="put known into the scenario")
    return scenario  # which the request checks


def _codes(name: str, codes: object) -> tuple[str, ...]:
    """The codes of a column, one or several, as texts."""
    several = (codes,) if isinstance(codes, str | int) else codes
    return tuple(str(code) for code in listed(f"missing_codes['{name}']", several, str | int))


def _file(role: str, source: object, given: Given) -> str:
    """The path of a file; an object is kept beside the request."""
    if isinstance(source, str | Path):
        return str(source)
    if source is None or isinstance(source, type):
        raise DataError(f"the {role} file is {shown(source)}", hint="give a frame, a path or Microdata")
    if role in ("schema", "released schema"):
        instance(f"the {role}", source, Schema, "give an unmask.Schema, or the path of a schema file")
    given.files[role] = source
    return IN_MEMORY


def _optional(role: str, source: object, given: Given) -> str | None:
    return None if source is None else _file(role, source, given)


def _names(methods: Sequence[object] | None, given: Given) -> tuple[str, ...] | None:
    """The names of methods; those that are objects are kept beside the request."""
    return None if methods is None else tuple(_name(method, given) for method in methods)


def _name(method: object, given: Given) -> str:
    if isinstance(method, str):
        return method.strip()
    _check_made(method)
    name = str(getattr(method, "name", type(method).__name__))
    given.methods[name] = method
    return name


def _check_made(method: object) -> None:
    """Refuse the class of a method, a number and the like, where an object or a text belongs."""
    if isinstance(method, type):
        hint = f"write {method.__name__}(...), with its parameters"
        raise ArgumentError(f"a method is {shown(method)}", hint=hint)
    if method is None or isinstance(method, Real | Collection):
        hint = "write its name, as in 'dbrl', or an object, as in unmask.attacks.DBRL()"
        raise ArgumentError(f"a method is {shown(method)}, not the text or the object of one", hint=hint)


def _mask(mask: object, given: Given) -> str | None:
    """A mask as text; the object is kept, since it may hold what no text can say."""
    if mask is None or isinstance(mask, str):
        return mask
    _check_made(mask)
    name = written(mask.name, mask) if isinstance(mask, Mask) else type(mask).__name__
    if given.methods.setdefault(name, mask) != mask:
        raise ArgumentError(f"two masks are called '{clipped(name)}'", hint="give each a name of its own")
    return name
