"""The terminal's watcher: a progress bar on stderr with the time left, and log lines if asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from unmask.cli.terminal import err
from unmask.engines.watcher import Watcher
from unmask.visible import visible_line


class TerminalWatcher(Watcher):
    """A bar over the work of the part that is being done; shown on a terminal only."""

    def __init__(self, progress: Progress, verbose: bool) -> None:
        super().__init__()
        self._progress, self._verbose = progress, verbose
        self._task = progress.add_task("reading", total=None)

    def begin(self, part: str) -> None:
        """The next part starts."""
        super().begin(part)
        self._progress.reset(self._task, description=visible_line(part), total=None)

    def advance(self, done: int, total: int) -> None:
        """So much of the part is done."""
        super().advance(done, total)
        self._progress.update(self._task, completed=done, total=total)

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


@contextmanager
def watching(verbose: bool = False) -> Iterator[TerminalWatcher]:
    """A progress bar on stderr, gone when the work is done."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield TerminalWatcher(progress, verbose)
