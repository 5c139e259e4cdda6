"""The files of a request, by path or address, and how they belong together."""

from __future__ import annotations

from dataclasses import dataclass, field

from unmask.data.edits import ColumnEdit
from unmask.data.io.sources import Options
from unmask.data.shapes.named import shape_named
from unmask.errors import ArgumentError
from unmask.fields import settle
from unmask.intruder.follow import Follow

#: Stands for a file that was handed over as an object, which no other run can find again.
IN_MEMORY = "(in memory)"


@dataclass(frozen=True)
class RequestFiles:
    """The files, by path or database address, and how they belong together.

    ``released`` is empty where the request's mask makes the release; ``schema`` and ``released_schema``: of
    either file; ``columns``: what is said of single columns on top of that; ``truth``: a key column in both
    files, or "rows": row i is row i (without it, the files tell); ``synthetic``: no released record is
    anybody's, unless ``truth`` says whose record each stands for;
    ``follow``: how an intruder follows records from one release to another ("order", "key:COLUMN",
    "confidential", "none"); ``population``, ``holdout``, ``model``: what measures of the file may use;
    ``trust_model``: the model's file is one that may run any program when it is read (a pickle);
    ``ledger``: the book in which the earlier releases are recorded; ``sidecar``: whether the file that unmask
    leaves beside a release it makes is written and read; ``options``: how the files are read; ``shape``: how
    people are read from files that are no plain tables, as in "traces:id=user,time=hour,place=cell";
    ``released_shape``: the same of the released file, where its columns are others (None: as ``shape``);
    ``nodes``, ``released_nodes``: the tables of the nodes of a graph; ``pairs``: a file of two columns, whose
    name in the original is which in the release.
    """

    original: str
    released: str = ""
    schema: str | None = None
    truth: str | None = None
    synthetic: bool = False
    earlier: tuple[str, ...] = ()
    follow: str = "none"
    population: str | None = None
    holdout: str | None = None
    model: str | None = None
    ledger: str | None = None
    sidecar: bool = True
    options: Options = field(default_factory=Options)
    released_schema: str | None = None
    columns: tuple[ColumnEdit, ...] = ()
    trust_model: bool = False
    shape: str | None = None
    nodes: str | None = None
    released_nodes: str | None = None
    pairs: str | None = None
    released_shape: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.follow, Follow):
            object.__setattr__(self, "follow", str(self.follow))
        settle(self)
        if self.trust_model and self.model is None:
            raise ArgumentError("a model is to be trusted, and none is given", hint="name its file (--model)")
        self._check_shape()
        named = [edit.name for edit in self.columns]
        for name in named:
            if named.count(name) > 1:
                raise ArgumentError(f"column '{name}' is spoken of twice", hint="say it in one entry")

    def original_alone(self) -> RequestFiles:
        """The original as it is read here, without a release: what is masked, or studied.

        >>> RequestFiles("ties.csv", "b.csv", shape="graph:source=a,target=b").original_alone().shape
        'graph:source=a,target=b'
        """
        return RequestFiles(
            self.original,
            schema=self.schema,
            options=self.options,
            columns=self.columns,
            shape=self.shape,
            nodes=self.nodes,
        )

    def _check_shape(self) -> None:
        shape = None if self.shape is None else shape_named(self.shape)
        there = shape if self.released_shape is None else shape_named(self.released_shape)
        if there is not shape and (shape is None or there is None or there.name != shape.name):
            raise ArgumentError(
                "the released file is of another shape than the original",
                hint="give both files one shape, series, traces or graph; their columns may differ",
            )
        if shape is not None and there is not None and (shape.key is None) != (there.key is None):
            raise ArgumentError(
                "only one of the two files says who people are", hint="name the column of their names (id=)"
            )
        for name in ("nodes", "released_nodes"):
            if getattr(self, name) is not None and (shape is None or shape.name != "graph"):
                raise ArgumentError("a table of nodes is given, and no graph", hint="say --shape graph:...")
        if self.pairs is not None and (shape is None or shape.key is None):
            raise ArgumentError(
                "pairs of names are given, and no column of names",
                hint="say how people are read (--shape), with the column of their names as id",
            )
        if self.pairs is not None and self.truth is not None:
            raise ArgumentError("both pairs and a truth are given", hint="leave one of them out")

    @property
    def nobodys(self) -> bool:
        """Whether no released record is anybody's, so that there is nobody to find.

        Of a synthetic file whose synthesiser kept who is who, the truth is given.
        """
        return self.synthetic and self.truth is None
