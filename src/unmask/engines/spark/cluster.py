"""A Spark session: opened with the settings that matter, or checked for them, before any work."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import finalize

from unmask import temporaries
from unmask.cache_folder import VARIABLE, NoCacheError, cache_folder
from unmask.engines.room import Room
from unmask.engines.watcher import Watcher
from unmask.errors import ArgumentError, MissingDependencyError, UnmaskError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: What must be the same on every machine: answers are compared to the bit.
ALIKE = ("unmask", "numpy", "numba", "polars")
#: The share of an executor's memory that the index of a release may take.
SHARE = 0.4
#: Arrays of fewer bytes stay in memory on the driver.
LEAST = 1 << 20
JAVA = "Java 17 of the system (Debian and Ubuntu: apt install openjdk-17-jre-headless)"

#: Settings of a session that is opened here. What Spark spills to disk is encrypted; workers stay, since each
#: would load the compiled kernels anew; the console is left to whoever calls.
SETTINGS = {
    "spark.io.encryption.enabled": "true",
    "spark.python.worker.reuse": "true",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
#: The lines that Spark writes before its own level counts are of no use to whoever assesses a release.
_LOGGING = """rootLogger.level = error
logger.worker.name = org.apache.spark.deploy
logger.worker.level = off
logger.lost.name = org.apache.spark.scheduler.TaskSchedulerImpl
logger.lost.level = off
logger.ending.name = org.apache.spark.scheduler.cluster
logger.ending.level = off
logger.rpc.name = org.apache.spark.rpc
logger.rpc.level = off
logger.network.name = org.apache.spark.network
logger.network.level = off
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %p %c{1}: %m%n
"""


class SparkError(UnmaskError):
    """A cluster that cannot be used as it is."""


@dataclass(frozen=True, eq=False)
class Cluster:
    """A session whose executors see the room's folder and run the same programs."""

    session: SparkSession
    room: Room
    cores: int
    memory: int  # bytes that the index of a release may take on an executor's machine
    remove: finalize[[Path], SparkSession]

    def close(self) -> None:
        """Remove the private folder."""
        self.remove()


def open_session(master: str | None = None) -> SparkSession:
    """A session on a master (None: the environment's, as spark-submit sets it, else this machine)."""
    require_spark()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("unmask")
    if master:
        builder = builder.master(master)
    elif not os.environ.get("SPARK_REMOTE") and "spark.master" not in os.environ.get(
        "PYSPARK_SUBMIT_ARGS", ""
    ):
        builder = builder.master(os.environ.get("MASTER") or "local[*]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    # The executors of this machine run the same Python; on others, its owner says which.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with suppress(NoCacheError):  # then every worker compiles its kernels
        builder = builder.config(f"spark.executorEnv.{VARIABLE}", str(cache_folder()))
    with tempfile.TemporaryDirectory() as folder:  # the logging is read when the session starts
        quiet = Path(folder) / "log4j2.properties"
        quiet.write_text(_LOGGING)
        option = f"-Dlog4j2.configurationFile=file:{quiet}"
        builder = builder.config("spark.driver.extraJavaOptions", option)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # of pandas, which is not used
                return builder.getOrCreate()
        except Exception as why:  # whatever Java and Spark think of
            raise SparkError(
                f"no Spark session could be opened on '{master or 'the usual master'}': {_first_line(why)}",
                hint="check the address of the master, as in spark=spark://host:7077 or spark=local[2]",
            ) from None


def require_spark() -> None:
    """Refuse, with what to do, where PySpark or Java is missing."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        raise MissingDependencyError("pyspark", "spark", "the Spark engine") from None
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise MissingDependencyError("pyarrow", "spark", "the Spark engine") from None
    home = os.environ.get("JAVA_HOME")
    if home and not shutil.which("java", path=str(Path(home) / "bin")):
        raise SparkError(
            f"JAVA_HOME is '{home}', and no Java is there", hint=f"set it to {JAVA}, or unset it"
        )
    if not home and shutil.which("java") is None:
        raise SparkError("Spark needs Java, and none is on this machine", hint=f"install {JAVA}")


class Executor(NamedTuple):
    """What one executor says of itself."""

    host: str
    sees: bool  # the folder, with the file that the driver wrote there
    writes: bool  # into it, so that the driver can read it
    versions: tuple[str, ...]
    keeps: bool  # compiled kernels
    memory: int  # bytes that are free on its machine


def checked(session: SparkSession, folder: str | os.PathLike[str] | None, watcher: Watcher) -> Cluster:
    """The session with a private folder that all its executors see, or an error that says what to do."""
    master = str(session.sparkContext.master)
    if folder is None and not master.startswith("local"):
        raise ArgumentError(
            "the executors of a cluster need a folder that all machines see",
            hint="name one of a shared file system (--scratch FOLDER, or SparkEngine(session, folder))",
        )
    home = Path(tempfile.gettempdir() if folder is None else folder)
    if not home.is_dir():
        raise ArgumentError(f"there is no folder '{home}'", hint="name one that all machines see")
    private = temporaries.new_folder(home)
    remove = finalize(session, temporaries.clear_folder, private)
    try:
        found = check_executors(session, private)
        _tell_settings(session, watcher)
    except BaseException:
        remove()
        raise
    cores = max(1, session.sparkContext.defaultParallelism)
    watcher.log(f"Spark {session.version} on {master}: {cores} cores; what travels lies in '{home}'")
    memory = int(SHARE * min(one.memory for one in found))
    return Cluster(session, Room(private, LEAST), cores, memory, remove)


def check_executors(session: SparkSession, folder: Path, shown_as: str | None = None) -> list[Executor]:
    """Refuse executors that do not see a folder of the driver's (under a name), or run other programs."""
    mark = os.urandom(8).hex()
    (folder / "mark").write_text(mark)
    context = session.sparkContext
    parts = 2 * max(1, context.defaultParallelism)
    try:
        found = (
            context.parallelize(range(parts), parts)
            .mapPartitionsWithIndex(_Look(shown_as or str(folder), mark))
            .collect()
        )
    except Exception as why:
        raise SparkError(
            f"the executors cannot run unmask: {_of_python(why)}",
            hint="install the same environment on every machine, and set PYSPARK_PYTHON to its Python",
        ) from None
    for one in found:
        if not (one.sees and one.writes):
            raise SparkError(
                f"the executor on '{one.host}' does not {'write into' if one.sees else 'see'} the folder for "
                "what travels",
                hint="name a folder of a shared file system (--scratch FOLDER)",
            )
        if one.versions != versions():
            differ = [
                n for n, a, b in zip(("python", *ALIKE), one.versions, versions(), strict=True) if a != b
            ]
            raise SparkError(
                f"the executor on '{one.host}' has another version of {', '.join(differ)} than the driver",
                hint="install the same environment on every machine: answers are the same to the bit",
            )
    return found


@dataclass(frozen=True)
class _Look:
    """Runs on an executor: what it sees and has."""

    folder: str
    mark: str

    def __call__(self, number: int, _: Iterable[int]) -> Iterator[Executor]:
        from unmask.engines.outside import at_hand
        from unmask.kernels.kernel_cache import kernel_folder

        there = Path(self.folder)
        try:
            sees = (there / "mark").read_text() == self.mark
        except OSError:
            sees = False
        try:
            (there / f"seen-{number}-{os.urandom(4).hex()}").write_text("")
            writes = True
        except OSError:
            writes = False
        yield Executor(platform.node(), sees, writes, versions(), kernel_folder() is not None, at_hand())


def versions() -> tuple[str, ...]:
    """The versions of what numbers depend on."""
    return (platform.python_version(), *(version(name) for name in ALIKE))


def _tell_settings(session: SparkSession, watcher: Watcher) -> None:
    """What the owner of a session should know; it is theirs, so nothing is changed."""
    conf = session.sparkContext.getConf()
    if conf.get("spark.io.encryption.enabled", "false") != "true":
        watcher.log("what Spark spills to disk is not encrypted: set spark.io.encryption.enabled")
    if conf.get("spark.python.worker.reuse", "true") != "true":
        watcher.log("every task loads the compiled kernels anew: set spark.python.worker.reuse")
    watcher.log(f"Spark's own temporary files: {conf.get('spark.local.dir') or tempfile.gettempdir()}")


def _of_python(why: BaseException) -> str:
    r"""The error of a worker's Python, which is the last line of its part of the message.

    >>> _of_python(ValueError("It failed\nModuleNotFoundError: No module named 'unmask'\n\tat org.apache"))
    "ModuleNotFoundError: No module named 'unmask'"
    """
    named = [line for line in str(why).splitlines() if re.match(r"[A-Za-z.]+(Error|Exception): ", line)]
    return named[-1][:200] if named else _first_line(why)


def _first_line(why: BaseException) -> str:
    """The first line of a message; Java's go on for pages."""
    return (str(why).strip().splitlines() or [type(why).__name__])[0][:200]
