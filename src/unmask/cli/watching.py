"""The terminal's watcher: a progress bar on stderr with the time left, and log lines if asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from unmask.cli.progress import ProgressFile
from unmask.cli.terminal import err
from unmask.engines.watcher import Watcher
from unmask.visible import visible_line


class TerminalWatcher(Watcher):
    """A bar over the work of the part that is being done; shown on a terminal only.

    ``also``: who else hears how the work goes, terminal or not.
    """

    def __init__(self, progress: Progress, verbose: bool, also: Watcher | None = None) -> None:
        super().__init__()
        self._progress, self._verbose = progress, verbose
        self._also = Watcher() if also is None else also
        self._task = progress.add_task("reading", total=None)
        self._also.begin("reading")

    def begin(self, part: str) -> None:
        """The next part starts."""
        super().begin(part)
        self._progress.reset(self._task, description=visible_line(part), total=None)
        self._also.begin(part)

    def advance(self, done: int, total: int) -> None:
        """So much of the part is done."""
        super().advance(done, total)
        self._progress.update(self._task, completed=done, total=total)
        self._also.advance(done, total)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """The bar makes room while a result is shown."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()

    def log(self, line: str) -> None:
        """A line on stderr, for who asked how the work is done."""
        if self._verbose:
            err.print(visible_line(line))

    def tell(self, line: str) -> None:
        """A line on stderr above the bar, for who is waiting; not in a pipe, unless asked."""
        if self._verbose or err.is_terminal:
            err.print(visible_line(line), soft_wrap=True)
        self._also.tell(line)


@contextmanager
def watching(verbose: bool = False, progress: Path | None = None) -> Iterator[TerminalWatcher]:
    """A progress bar on stderr, gone when the work is done; ``progress``: a file that hears of it too."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    file: AbstractContextManager[Watcher | None] = (
        nullcontext() if progress is None else ProgressFile(progress)
    )
    with file as also, Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield TerminalWatcher(bar, verbose, also)
