"""All verbs of the command line, and what becomes of their errors: one line, and an exit code."""

from __future__ import annotations

import sys
from io import StringIO, TextIOWrapper
from typing import Annotated

import typer
from typer.exceptions import Abort, Exit, TyperException

from unmask.cli.assess import assess
from unmask.cli.check import check
from unmask.cli.compare import compare
from unmask.cli.files import describe, mask
from unmask.cli.knowledge import knowledge
from unmask.cli.ledger import ledger_app
from unmask.cli.loss import loss
from unmask.cli.match_schema import match_schema
from unmask.cli.protect import protect
from unmask.cli.report import report
from unmask.cli.requests import rerun, run
from unmask.cli.serve import serve
from unmask.cli.start import start
from unmask.cli.study import study
from unmask.cli.tour import demo, list_, reproduce
from unmask.errors import Cancelled, UnmaskError
from unmask.kernels.compilation import on_compilation
from unmask.visible import visible


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"unmask {version('unmask')}")
        raise Exit


app = typer.Typer(
    name="unmask",
    help="How many records of a protected file could an intruder re-identify, and what could they learn?",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for verb in (
    start,
    check,
    assess,
    compare,
    knowledge,
    loss,
    mask,
    describe,
    demo,
    report,
    run,
    rerun,
    study,
    protect,
    serve,
):
    app.command()(verb)
app.command("match-schema")(match_schema)
app.command("list")(list_)
app.command()(reproduce)
app.add_typer(ledger_app, name="ledger")

INTERRUPTED = 130


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit."),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line within a process that has other things to do after it."""
    code, line = outcome()
    sys.stderr.write(line)
    sys.exit(code)


def outcome() -> tuple[int, str]:
    """Do what the arguments ask; the exit code, and the line that stderr gets at the end, if any.

    A user's mistake is one line and exit code 2.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a column's name may not fit the terminal
    if sys.stderr.isatty():
        on_compilation(_say_compiling)
    try:
        # Without a verb, the help tells which there are.
        code = app(sys.argv[1:] or ["--help"], prog_name="unmask", standalone_mode=False)
        sys.stdout.flush()
    except UnmaskError as error:
        return 2, _complaint(str(error))
    except TyperException as error:
        return 2, _complaint(_usage(error))
    except Exit as stop:
        code = stop.exit_code
    except (KeyboardInterrupt, Abort, Cancelled):
        code = INTERRUPTED
    except BrokenPipeError:
        sys.stdout = StringIO()  # what is still held back cannot be written at the exit either
        code = 1
    except OSError as error:
        sys.stdout = StringIO()
        reason = error.strerror or "the system refused"
        return 2, _complaint(f"reading or printing failed: {reason}. Hint: check the space on the disk.")
    except MemoryError:
        return 2, _complaint("not enough memory. Hint: assess fewer targets (--targets) or fewer records.")
    if code == INTERRUPTED:  # typer makes this code of a Ctrl-C in a verb, and says nothing
        return INTERRUPTED, "interrupted\n"
    return (code if isinstance(code, int) else 0), ""


def _say_compiling(not_kept: str) -> None:
    if not_kept:
        sys.stderr.write(f"compiling, which may take minutes in each run, as nothing is kept: {not_kept}\n")
    else:
        sys.stderr.write("compiling, once: this may take minutes; later runs start sooner\n")


#: What an error shows of a long text at its beginning and its end, where the hint stands.
HEAD, TAIL = 800, 400


def _complaint(text: str) -> str:
    text = visible(" ".join(text.split()))
    if len(text) > HEAD + TAIL:
        text = f"{text[:HEAD]} ... {text[-TAIL:]}"
    return f"error: {text}\n"


#: What is told of a verb that knows plain tables only.
NO_SHAPES = (
    "'{}' takes plain tables, and no series, traces or graphs. Hint: 'unmask describe', 'mask', 'assess', "
    "'loss', 'check', 'study' and 'protect' take these."
)


def _usage(error: TyperException) -> str:
    """What is wrong with the arguments, and where they are explained."""
    message = error.format_message().replace("Value error, ", "").rstrip(".")
    context = getattr(error, "ctx", None)
    verb = context.command_path if context is not None else "unmask"
    if getattr(error, "option_name", None) in ("--shape", "--glimpse"):
        return NO_SHAPES.format(verb)
    end = "" if message.endswith("?") else "."
    return f"{message}{end} Hint: '{verb} --help' tells what may stand there."
