"""What several verbs share: options that mean the same everywhere, and how their text is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from unmask.errors import ArgumentError

SchemaOption = Annotated[
    Path | None, typer.Option("--schema", help="Schema of the original file (TOML, from 'unmask describe').")
]
ReleasedSchemaOption = Annotated[
    Path | None,
    typer.Option(
        "--released-schema", help="Schema of the released file (TOML): its kinds, levels and missing codes."
    ),
]
RoleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--role",
        metavar="COLUMN=ROLE",
        help="Roles of single columns, as in income=confidential,name=identifier; the rest as in the schema.",
    ),
]
KindOption = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="COLUMN=KIND",
        help="Kinds of single columns, as in age=numeric,zip=code,born=date.",
    ),
]
MissingCodeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--missing-code",
        metavar="COLUMN=CODE",
        help="Codes that mean 'no value', as in age=999,income=9999+9998; 9999 without a column: in every "
        "one; income= without a code: income has none.",
    ),
]
RenamedOption = Annotated[
    list[str] | None,
    typer.Option(
        "--renamed",
        metavar="COLUMN=NAME",
        help="Columns with another name in the release, as in sex=gender.",
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Same seed, same result.")]
DelimiterOption = Annotated[str | None, typer.Option("--delimiter", help="Of CSV files; found by default.")]
EncodingOption = Annotated[str | None, typer.Option("--encoding", help="Of CSV files; found by default.")]
SheetOption = Annotated[str | None, typer.Option("--sheet", help="Sheet of an Excel file.")]
TableOption = Annotated[
    str | None,
    typer.Option("--table", help="Table or SELECT query of a database, or object of an .rda file."),
]
OriginalArgument = Annotated[str, typer.Argument(help="The original file (path, or database URI::table).")]
ReleasedArgument = Annotated[str, typer.Argument(help="The file that is to be released.")]
KnownOption = Annotated[
    str | None, typer.Option("--known", help="Attributes the intruder knows, separated by commas.")
]
TruthOption = Annotated[
    str | None,
    typer.Option(
        "--truth",
        help="Who is who: a key column in both files, or 'rows' to assert that row i is row i. Without it "
        "unmask finds out, and stops where it cannot.",
    ),
]
AttacksOption = Annotated[
    str | None, typer.Option("--attacks", help="Attacks, separated by commas; by default all.")
]
LossesOption = Annotated[
    str | None, typer.Option("--losses", help="Losses, separated by commas; by default all.")
]
NoSidecarOption = Annotated[
    bool,
    typer.Option("--no-sidecar", help="Take no notice of what unmask left beside the release it made."),
]
TargetsOption = Annotated[
    str | None,
    typer.Option(
        "--targets",
        metavar="NUMBER",
        help="How many people the intruder knows: a whole number, or a share below 1; by default everybody.",
    ),
]
ErrorOption = Annotated[
    float, typer.Option("--error", min=0, help="Error in what they know, in standard deviations.")
]
MissingOption = Annotated[
    str,
    typer.Option(
        "--missing",
        help="How missing values compare: mismatch, ignore, wildcard, category or suppressed; auto: as the "
        "two files suggest.",
    ),
]
FollowOption = Annotated[
    str,
    typer.Option(
        "--follow", help="How they follow records through releases: order, key:COLUMN, confidential, none."
    ),
]
SyntheticOption = Annotated[
    bool,
    typer.Option(
        "--synthetic",
        help="The release is synthetic: no record of it is a person's, unless --truth says whose.",
    ),
]
SampleOption = Annotated[
    int | None,
    typer.Option("--sample", min=1, help="Try the attacks on so many people only, drawn at random."),
]
BudgetOption = Annotated[
    float | None,
    typer.Option(
        "--budget",
        metavar="SECONDS",
        help="Seconds on one core for attacks and measures, by estimates: what does not fit is tried on a "
        "random sample of people. By default 60.",
    ),
]
FullOption = Annotated[
    bool, typer.Option("--full", help="No budget: everybody is tried, however long it takes.")
]
TrustModelOption = Annotated[
    bool,
    typer.Option("--trust-model", help="Read a model that may run any program (a pickle): only your own."),
]
TrustExecOption = Annotated[
    bool,
    typer.Option("--trust-exec", help="Run the program that a mask of the request names: only your own."),
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with a run of the same request that was ended half way.")
]
PolicyOption = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="POLICY",
        help="Judge the result: a policy file (TOML), or the name of a bundled one ('unmask list policies'). "
        "The exit code is 3 where a bound is exceeded or cannot be judged.",
    ),
]
AssessorOption = Annotated[
    str, typer.Option("--assessor", metavar="WHO", help="Who assesses the release, as the report names them.")
]
RecipientOption = Annotated[
    str, typer.Option("--recipient", metavar="WHOM", help="For whom the release is meant.")
]
HtmlOption = Annotated[Path | None, typer.Option("--html", help="Write a self-contained report.")]
ThreadsOption = Annotated[int | None, typer.Option("--threads", min=1, help="Threads; by default all cores.")]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help="Where the work runs: local (this machine), spark (the environment's master) or spark=MASTER. "
        "It changes no number.",
    ),
]
MemoryOption = Annotated[
    float | None,
    typer.Option(
        "--memory",
        metavar="GB",
        min=0.25,
        help="Gigabytes that may be taken (by default what is free); files that need more are worked on from "
        "the disk. With Spark: that the index of the release may take on one machine.",
    ),
]
ScratchOption = Annotated[
    Path | None,
    typer.Option(
        "--scratch",
        metavar="FOLDER",
        help="A folder for what does not fit the memory; with Spark, one that all machines see.",
    ),
]


SaveRequestOption = Annotated[
    Path | None, typer.Option("--save-request", help="Write what is asked as TOML, for 'unmask run'.")
]
RecordsOption = Annotated[
    Path | None,
    typer.Option(
        "--records",
        help="Write one row per person: .parquet, .csv, or a folder of Parquet files (no suffix).",
    ),
]
ProgressOption = Annotated[
    Path | None,
    typer.Option("--progress", help="Write how the work goes as JSON lines, for a program that watches it."),
]
VerboseOption = Annotated[
    bool,
    typer.Option(
        "--verbose",
        help="Show the evidence for what was understood of the files, and how each search is done.",
    ),
]

DetailsOption = Annotated[bool, typer.Option("--details", help="Also show all attacks and measures.")]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record-of-decision", help="Write a page for the file, to be signed: FILE.md and FILE.html."
    ),
]
SignedByOption = Annotated[
    str, typer.Option("--signed-by", help="Who decides: the name that the record of the decision carries.")
]
DecisionOption = Annotated[
    str, typer.Option("--decision", help="The decision in your own words, for its record.")
]


def reader(
    delimiter: str | None, encoding: str | None, sheet: str | None, table: str | None
) -> Callable[[str | Path], Any]:
    """How this command reads its files."""
    from unmask.data.io import read

    return lambda source: read(str(source), delimiter=delimiter, encoding=encoding, sheet=sheet, table=table)


def names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def methods(text: str | None) -> tuple[str, ...] | None:
    """Several methods with their parameters."""
    from unmask.parsing import several

    return None if text is None else tuple(several(text))


def numbers(option: str, text: str) -> tuple[float, ...]:
    """The numbers of a list; an empty list leaves its curve out."""
    try:
        return tuple(float(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise ArgumentError(f"{option} is '{text}'", hint="give numbers separated by commas") from None


def text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def number_of_targets(text: str | None) -> int | float | None:
    """A whole number is a count; a number with a point is a share, and must be below 1.

    >>> number_of_targets("1"), number_of_targets("0.5"), number_of_targets(None)
    (1, 0.5, None)
    """
    from unmask.intruder.sources import check_targets

    if text is None:
        return None
    try:
        targets = int(text) if text.strip().lstrip("+-").isdigit() else float(text)
    except ValueError:
        raise ArgumentError(
            f"--targets is '{text}'", hint="give a whole number, or a share below 1"
        ) from None
    check_targets(targets, "--targets")
    return targets


def column_edits(
    role: list[str] | None,
    kind: list[str] | None,
    missing_code: list[str] | None,
    renamed: list[str] | None = None,
) -> Any:
    """What --role, --kind, --missing-code and --renamed say of single columns.

    >>> [(edit.name, edit.missing) for edit in column_edits(None, None, ["age=98+99,-9", "pay="])]
    [('age', ('98', '99')), ('*', ('-9',)), ('pay', ())]
    """
    from unmask.data.edits import EVERY, edits_of

    codes: dict[str, tuple[str, ...]] = {}
    for part in _parts(missing_code):
        name, equals, listed = part.rpartition("=")
        name = name.strip() if equals else EVERY
        found = tuple(code.strip() for code in listed.split("+") if code.strip())
        codes[name] = (*codes.get(name, ()), *found)
    names = _said("--renamed", "name", renamed)
    return edits_of(_said("--role", "role", role), _said("--kind", "kind", kind), codes, names)


def _parts(texts: list[str] | None) -> list[str]:
    return [part.strip() for text in texts or () for part in text.split(",") if part.strip()]


def _said(option: str, what: str, texts: list[str] | None) -> dict[str, str]:
    """The word that is said of each column."""
    said: dict[str, str] = {}
    for part in _parts(texts):
        name, equals, word = (piece.strip() for piece in part.rpartition("="))
        if not equals or not name or not word:
            raise ArgumentError(f"{option} has '{part}'", hint=f"write COLUMN={what}, separated by commas")
        if said.setdefault(name, word) != word:
            raise ArgumentError(f"{option} gives '{name}' two {what}s", hint="keep one of them")
    return said


def schema_of(path: Path | None) -> Any:
    from unmask.data.io.schema_file import read_schema

    return None if path is None else read_schema(path)
