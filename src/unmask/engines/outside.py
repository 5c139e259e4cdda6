"""Work on files that do not fit in memory: an engine whose large arrays lie in files of a private folder.

Nobody has to choose. :func:`engine_for` compares what an assessment of the files would take with the memory
that is at hand, and gives an engine that works in memory where that is enough.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from unmask import temporaries
from unmask.engines.cache import Cache
from unmask.engines.local import LocalEngine
from unmask.engines.room import LEAST, Room
from unmask.engines.watcher import Watcher

#: Bytes that an assessment takes in memory for each value of its files, at the peak.
PER_VALUE = 120
#: The bytes of a value in a file of text, about, and of one in a Parquet file whose columns are not told.
PER_TEXT, PER_STORED = 8, 4
#: What a packed file unpacks to, about.
PACKED = 5
#: The share of the memory at hand that an assessment may fill.
SHARE = 0.7
#: What an engine keeps between experiments, in bytes of mapped files: they are the disk's, not the memory's.
KEPT = 1 << 40

_GROUPS, _OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def values_of(path: str | Path) -> int:
    """About how many values a file holds, told without reading it; 0 for what is no file.

    >>> import tempfile, polars as pl
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pl.DataFrame({"age": [31, 54], "pay": [1.5, 2.5]}).write_parquet(Path(folder) / "a.parquet")
    ...     values_of(Path(folder) / "a.parquet")
    4
    """
    file = Path(path)
    try:
        size = file.stat().st_size
    except (OSError, ValueError):
        return 0  # whoever opens it says what is wrong with it
    name = file.name.lower()
    if name.endswith((".parquet", ".pq")):
        return _stored(file, size)
    return size * (PACKED if name.endswith((".gz", ".zip")) else 1) // PER_TEXT


def _stored(path: Path, size: int) -> int:
    """The values of a Parquet file, as its own description says."""
    import polars as pl

    try:
        described = pl.scan_parquet(path.absolute(), glob=False)
        return len(described.collect_schema()) * int(described.select(pl.len()).collect().item())
    except (Exception, pl.exceptions.PanicException):  # a damaged file is told by its reader
        return size // PER_STORED


def needed(paths: Iterable[str | Path]) -> int:
    """About how many bytes of memory an assessment of these files takes, all in memory.

    >>> needed([])
    0
    """
    return PER_VALUE * sum(values_of(path) for path in paths)


def at_hand() -> int:
    """The bytes of memory that this process may still take: of the machine, and of its control group.

    >>> at_hand() > 0
    True
    """
    return min([_available(), *_group_limits()])


def _available() -> int:
    """What the system has free, or could free by writing files back."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows has no such function
        return 1 << 33


def _group_limits(root: Path = _GROUPS, own: Path = _OWN) -> Iterator[int]:
    """What the control groups of this process allow, in both versions of Linux's control groups.

    A group may hold more than its parents allow, so all of them are asked.
    """
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, _, rest = line.partition(":")
        kinds, _, place = rest.partition(":")
        if kinds == "":
            folder, limit = root, "memory.max"
        elif "memory" in kinds.split(","):
            folder, limit = root / "memory", "memory.limit_in_bytes"
        else:
            continue
        parts = Path(place.lstrip("/")).parts
        for depth in range(len(parts), -1, -1):
            with suppress(OSError, ValueError):  # "max": as much as there is
                yield int(folder.joinpath(*parts[:depth], limit).read_text(encoding="ascii"))


@contextmanager
def outside(
    threads: int | None = None,
    watcher: Watcher | None = None,
    least: int = LEAST,
    home: Path | None = None,
) -> Iterator[LocalEngine]:
    """An engine whose large arrays lie in a private folder, which is removed at the end, however that comes.

    ``least``: the bytes from which on an array is large; ``home``: where the folder is made (None: where the
    system has temporary files).

    >>> with outside() as engine:
    ...     engine.room.folder.is_dir()
    True
    >>> engine.room.folder.exists()
    False
    """
    with temporaries.folder(home) as folder:
        yield LocalEngine(threads, watcher=watcher or Watcher(), cache=Cache(KEPT), room=Room(folder, least))


@contextmanager
def engine_for(
    paths: Iterable[str | Path],
    threads: int | None = None,
    watcher: Watcher | None = None,
    memory: int | None = None,
    home: Path | None = None,
) -> Iterator[LocalEngine]:
    """An engine for an assessment of these files: in memory where they fit, else with arrays in mapped files.

    ``paths``: the files of the request, as :meth:`unmask.assessment.inputs.Inputs.paths` lists them; those of
    databases count nothing. ``memory``: the bytes that may be taken; None: what is at hand
    (:func:`at_hand`). ``home``: where the folder of mapped files is made. Answers are the same, to the bit.
    The mapped files go when the context ends; those of a process that was killed are swept by the next
    one (:mod:`unmask.temporaries`).

    >>> with engine_for([]) as engine:
    ...     engine.room.folder is None
    True
    """
    allowed = at_hand() if memory is None else memory
    if needed(paths) <= SHARE * allowed:
        yield LocalEngine(threads, watcher=watcher or Watcher())
        return
    with outside(threads, watcher, home=home) as engine:
        engine.watcher.tell("the files do not fit the memory: columns and indexes lie on the disk")
        yield engine
