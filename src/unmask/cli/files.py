"""Verbs that make one file from another: mask, describe, report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unmask.cli.options import (
    DelimiterOption,
    EncodingOption,
    KindOption,
    MissingCodeOption,
    RoleOption,
    SaveRequestOption,
    SchemaOption,
    SeedOption,
    SheetOption,
    TableOption,
    column_edits,
    reader,
    text,
)
from unmask.cli.outputs import check_outputs, complain, files_behind, write_each
from unmask.cli.shape_options import NewNamesOption, NodesOption, ShapeOption
from unmask.errors import ArgumentError

if TYPE_CHECKING:
    from unmask.assessment.inputs import Inputs
    from unmask.assessment.request import Request
    from unmask.data.schema import Schema

#: How identifiers stay in a masked file.
KEEPING = "--keep-identifiers keeps them, in a file that is assessed and not published"


def mask(
    file: Annotated[str, typer.Argument(help="The file to mask.")],
    method: Annotated[str, typer.Option("--mask", help="Method and parameters, as in noise:a=0.1.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where the masked file goes (.csv, .parquet, .sav, .dta ...)."),
    ],
    schema: SchemaOption = None,
    role: RoleOption = None,
    kind: KindOption = None,
    missing_code: MissingCodeOption = None,
    shape: ShapeOption = None,
    nodes: NodesOption = None,
    pairs: NewNamesOption = None,
    seed: SeedOption = 0,
    no_sidecar: Annotated[
        bool,
        typer.Option(
            "--no-sidecar", help="Leave no OUTPUT.unmask.toml, which tells 'unmask assess' the mask."
        ),
    ] = False,
    keep_seed: Annotated[
        bool, typer.Option("--keep-seed", help="Note the seed there too: with it the mask can be undone.")
    ] = False,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", help="Release numbers with all digits, and below 0, as the method gives them."
        ),
    ] = False,
    keep_identifiers: Annotated[
        bool,
        typer.Option(
            "--keep-identifiers",
            help="Leave identifiers in: for a file that is assessed by them and not published.",
        ),
    ] = False,
    write_schema: Annotated[
        Path | None,
        typer.Option("--write-schema", help="Where the schema of the masked file goes, without the mask."),
    ] = None,
    save_request: SaveRequestOption = None,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Mask a file, and leave out identifiers. The rows keep their order, so that it can be assessed."""
    from unmask.assessment.request import Request, RequestFiles, Verb
    from unmask.data.io.sources import Options

    if no_sidecar and keep_seed:
        raise ArgumentError("the seed has no place", hint="leave out --no-sidecar, or --keep-seed")
    files = RequestFiles(
        file,
        schema=text(schema),
        sidecar=not no_sidecar,
        options=Options(delimiter, encoding, sheet, table),
        columns=column_edits(role, kind, missing_code),
        shape=shape,
        nodes=nodes,
    )
    request = Request(
        files, Verb.MASK, mask=method, exact=exact, seed=seed, keep_identifiers=keep_identifiers
    )
    write_masked(request, output, save_request, write_schema, keep_seed=keep_seed, pairs=pairs)


def write_masked(
    request: Request,
    output: Path | None,
    save_request: Path | None = None,
    write_schema: Path | None = None,
    *,
    keep_seed: bool = False,
    asked_in: Path | None = None,
    pairs: Path | None = None,
) -> None:
    """Make the file that a mask request asks for, and the one beside it that says how.

    ``asked_in``: the file that the request was read from, which no output replaces; ``pairs``: people of a
    shape get new names, and here it says who is who.
    """
    from unmask.assessment.asked import Given
    from unmask.assessment.inputs import Inputs
    from unmask.cli import terminal
    from unmask.cli.answer import check_savable, input_paths, save
    from unmask.data.io.replacing import Access
    from unmask.data.io.schema_file import to_toml
    from unmask.data.io.sidecar import sidecar_path
    from unmask.data.io.stored import Template
    from unmask.data.io.write import write, write_text
    from unmask.data.loading import original_frame
    from unmask.masks import parse
    from unmask.masks.frames import Wanted, masked_frame

    if output is None:
        raise ArgumentError("the masked file has no place", hint="name it with --output FILE")
    files, chosen = request.files, parse(request.mask or "")
    beside = sidecar_path(output) if files.sidecar else None
    check_outputs((*input_paths(request), asked_in), (save_request, write_schema, beside), (output, pairs))
    check_savable(request, save_request)
    inputs = Inputs(request, Given())
    if files.shape is not None:
        _write_shape(request, inputs, output, pairs)
        return
    if pairs is not None:
        raise ArgumentError(
            "a masked table names nobody", hint="leave --pairs out; it is for files with --shape"
        )
    held = original_frame(inputs.open("original"))
    wanted = Wanted(request.seed, request.exact, request.keep_identifiers)
    made = masked_frame(held, chosen, inputs.schema, wanted)
    template = Template(held.stored, made.origin, files.options.sheet)
    # Who may not read the original gets no copy of its records either, until somebody says so.
    access = Access.of(next(files_behind(files.original), None))

    def release(path: Path) -> None:
        write(made.frame, path, template, access)
        if beside is not None:
            _write_sidecar(beside, path, request, made.schema, request.seed if keep_seed else None)

    complain(
        write_each(
            (
                (output, release),
                (write_schema, lambda path: write_text(to_toml(made.schema), path)),
                (save_request, lambda path: save(request, path)),
            )
        )
    )
    if made.left_out:
        terminal.out.print(f"{made.told} ({KEEPING})", soft_wrap=True)
    elif made.told:
        terminal.out.print(made.told, soft_wrap=True)


def _write_shape(request: Request, inputs: Inputs, output: Path, pairs: Path | None) -> None:
    """Write the masked file of series, of traces or of edges, as wide or long as it was; and who is who."""
    import numpy as np

    from unmask.cli import terminal
    from unmask.data.io.replacing import ONLY_USER, Access
    from unmask.data.io.stored import Template
    from unmask.data.io.write import write
    from unmask.data.shapes.named import shape_named
    from unmask.masks import parse
    from unmask.masks.new_names import renamed
    from unmask.masks.shaped import NAMES_KEPT, NAMES_NEW, NODES_LEFT, masked_shape

    shape = shape_named(request.files.shape or "")
    held = inputs.file("original")
    nodes = None if request.files.nodes is None else inputs.file("nodes")
    made = masked_shape(held, nodes, shape, parse(request.mask or ""), request.seed)
    access = Access.of(next(files_behind(request.files.original), None))
    frame = made.frame
    template = Template({}, np.arange(frame.height), request.files.options.sheet)
    for note in made.notes:
        terminal.out.print(note, soft_wrap=True)
    if pairs is not None:
        frame, who = renamed(frame, shape.naming)
        write(who, pairs, access=ONLY_USER)
        terminal.out.print(NAMES_NEW.format(pairs), soft_wrap=True)
        if nodes is not None:
            terminal.out.print(NODES_LEFT, soft_wrap=True)
    elif shape.key is not None:
        terminal.out.print(NAMES_KEPT.format(shape.key), soft_wrap=True)
    write(frame, output, template, access)


def _write_sidecar(beside: Path, output: Path, request: Request, schema: Schema, seed: int | None) -> None:
    """Say how the released file was made, once it is there."""
    from importlib.metadata import version

    from unmask.assessment.inputs import sha256
    from unmask.data.io.replacing import ONLY_USER, PRIVATE
    from unmask.data.io.sidecar import Sidecar
    from unmask.data.io.write import write_text

    made = Sidecar(request.mask or "", schema, sha256(output), version("unmask"), seed)
    if seed is not None and beside.exists():
        beside.chmod(PRIVATE)  # the one before told no secret
    write_text(made.to_toml(), beside, None if seed is None else ONLY_USER)


def describe(
    file: Annotated[str, typer.Argument(help="The file to describe.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where the schema goes; by default stdout.")
    ] = None,
    role: RoleOption = None,
    kind: KindOption = None,
    missing_code: MissingCodeOption = None,
    shape: ShapeOption = None,
    nodes: NodesOption = None,
    delimiter: DelimiterOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    table: TableOption = None,
) -> None:
    """Propose a schema: the kind and the role of every column, with reasons, as commented TOML."""
    from unmask.data.edits import edited_proposal
    from unmask.data.io.schema_file import to_toml
    from unmask.data.io.write import write_text
    from unmask.data.shapes.named import shape_named
    from unmask.data.understanding.several_rows import several_rows

    check_outputs((file, nodes), (output,))
    edits, read = column_edits(role, kind, missing_code), reader(delimiter, encoding, sheet, table)
    held, lines = read(file), []
    if shape is not None:
        held = shape_named(shape).people(held, None if nodes is None else read(nodes))
    if held.content is not None:
        lines = [held.content.describe(), *held.content.notes]
    elif (several := several_rows(held.frame)) is not None:
        lines = [several]
    proposal = edited_proposal(held, edits)
    proposed = "".join(f"# {line}\n" for line in lines) + to_toml(proposal.schema, proposal.reasons)
    if output is None:
        sys.stdout.write(proposed)
    else:
        write_text(proposed, output)
