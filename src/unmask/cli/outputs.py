"""The files that a command writes: checked before the work, each written whatever becomes of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from os.path import realpath
from pathlib import Path

from unmask.errors import ArgumentError, DataError, UnmaskError

#: What SQLite keeps beside a database while it is used.
_BESIDE = ("-journal", "-wal", "-shm")


def check_outputs(
    sources: Iterable[str | Path | None],
    targets: Sequence[Path | None],
    tables: Sequence[Path | None] = (),
) -> None:
    """Before the work starts, refuse outputs that cannot be written, and such as would write over a file.

    ``sources``: what the command reads, by path or address; ``tables``: targets whose suffix tells the format
    of a table.
    """
    from unmask.data.io.write import check_target

    named = [target for target in (*targets, *tables) if target is not None]
    for target in named:
        check_target(target, table=target in tables)
    used = [file for source in sources if source is not None for file in files_behind(source)]
    for target in named:
        if any(_same(target, file) for file in used):
            raise ArgumentError(
                f"'{target.name}' is read or written already by this command",
                hint="give every output a name of its own",
            )
        used.append(target)


def files_behind(source: str | Path) -> Iterator[Path]:
    """The files that a path or an address of a database may mean, with those that belong to them.

    >>> [str(path) for path in files_behind("people.csv")]
    ['people.csv']
    >>> [str(path) for path in files_behind("sqlite:people.db::persons")][:2]
    ['people.db', 'people.db-journal']
    >>> [str(path) for path in files_behind("book.xlsx::sheet")]
    ['book.xlsx::sheet', 'book.xlsx']
    """
    from unmask.data.io import READERS
    from unmask.data.io.sql import address_file, is_address, read_sqlite

    text = str(source)
    file = address_file(text)
    found = [] if file is None else [file]
    if "::" in text and not is_address(text):
        found.append(Path(text.partition("::")[0]))
    for path in found:
        yield path
        if is_address(text) or READERS.get(path.suffix.lower()) is read_sqlite:
            yield from (Path(f"{path}{end}") for end in _BESIDE)


def _same(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, through links too."""
    try:
        return realpath(one) == realpath(other) or one.samefile(other)
    except (OSError, ValueError):
        return False  # one of them is not there


def write_each(outputs: Iterable[tuple[Path | None, Callable[[Path], object]]]) -> list[Exception]:
    """Write every output that has a place; why some could not be written.

    One that fails keeps no other from being written: what was found may have taken hours.
    """
    failed: list[Exception] = []
    for path, written in outputs:
        if path is None:
            continue
        try:
            written(path)
        except MemoryError:
            failed.append(
                DataError(f"'{path.name}' cannot be written: not enough memory", hint="leave that output out")
            )
        except Exception as error:
            failed.append(error)
    return failed


def complain(failed: Sequence[Exception], advice: str = "") -> None:
    """Raise what kept outputs from being written, all of it in one error; ``advice`` is added to its hint.

    >>> complain([DataError("'a' cannot be written", hint="make room"), DataError("'b' cannot be written")])
    Traceback (most recent call last):
    unmask.errors.DataError: 2 outputs are lacking: 'a' cannot be written; 'b' cannot be written. Hint: make
    room.
    """
    if not failed:
        return
    told = [error for error in failed if isinstance(error, UnmaskError)]
    for error in failed:
        if not isinstance(error, UnmaskError):
            raise error
    hints = [error.hint for error in told if error.hint][:1] + ([advice] if advice else [])
    messages = "; ".join(error.message.rstrip(".") for error in told)
    number = f"{len(told)} outputs are lacking: " if len(told) > 1 else ""
    raise DataError(number + messages, hint="; ".join(hints) or None)
