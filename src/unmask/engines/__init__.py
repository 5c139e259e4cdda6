"""Where the work runs: an engine searches pairings and maps tasks over blocks for attacks and measures.

Speed knobs live here and nowhere else; no engine, block size or number of threads changes an answer.
"""

from unmask.engines.base import Engine, Index, Merge, Nearest, Strategy, Task
from unmask.engines.cache import Cache
from unmask.engines.local import LocalEngine
from unmask.engines.merge import added, joined, listed
from unmask.engines.watcher import Watcher

__all__ = [
    "Cache",
    "Engine",
    "Index",
    "LocalEngine",
    "Merge",
    "Nearest",
    "Strategy",
    "Task",
    "Watcher",
    "added",
    "joined",
    "listed",
]
