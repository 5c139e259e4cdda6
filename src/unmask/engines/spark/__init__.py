"""The engine of a cluster: the same tasks, on the executors of Spark.

Data flow: a task is a frozen dataclass of arrays (:class:`~unmask.engines.base.Task`). :mod:`.shipping`
writes its large arrays once to files of a folder that all machines see, and sends only where they lie;
:mod:`.work`, on an executor, maps those files into memory (one copy per machine, whatever the number of
workers), does its blocks and sends back its part, large arrays again as files; :mod:`.engine` merges the
parts in the order of the blocks, so that no number of executors and no order of their answers changes a bit.
:mod:`.cluster` opens a session and checks what matters before any work.
"""

from unmask.engines.spark.engine import SparkEngine

__all__ = ["SparkEngine"]
