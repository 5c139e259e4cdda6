"""What work in several processes asks of an engine: how many cores it has, and to be quiet within a part.

An engine that does not tell is taken to have one, and is watched as it is.
"""

from __future__ import annotations

from unmask.engines.base import Engine


def cores(engine: Engine) -> int:
    """On how many cores of this machine an engine works.

    >>> from unmask.engines import LocalEngine
    >>> cores(LocalEngine(threads=3))
    3
    """
    return int(getattr(engine, "cores", 1))


def quiet(engine: Engine) -> Engine:
    """The same engine, which shows nothing of what goes on inside a part; who cancels is heard."""
    made: Engine = getattr(engine, "quiet", lambda: engine)()
    return made
