"""Where the work runs: an engine answers the questions that attacks and measures ask of a pairing.

Speed knobs live here and nowhere else; no engine, block size or number of threads changes an answer.
"""

from unmask.engines.base import Engine, Nearest, Strategy
from unmask.engines.local import LocalEngine

__all__ = ["Engine", "LocalEngine", "Nearest", "Strategy"]
