"""About: what every mask, attack and measure says of itself, for readers who never met it."""

from __future__ import annotations

import re
from dataclasses import dataclass, is_dataclass, replace
from enum import StrEnum
from inspect import cleandoc
from typing import Any, cast

from unmask.parsing import written


class Direction(StrEnum):
    """Which way a value is worse for the people in the file."""

    HIGHER = "higher is worse"
    LOWER = "lower is worse"


@dataclass(frozen=True)
class Family:
    """Methods that answer one question: its name, its heading, and what it is about."""

    name: str
    title: str
    sentence: str


@dataclass(frozen=True)
class About:
    """What a method is called, which family it belongs to, what it does and where it comes from.

    ``sentence``: how it works or what it says, for a reader who never met it; ``source``: the publication;
    ``rank``: its place in the family's short table, from 1 on (0: it stands in the long one only);
    ``direction``: which way its value is worse; ``head``: the subject that stands for the others, where a
    measure speaks of several that are not of one kind; ``own_record``: it looks at a person's own released
    record, as only who has found it can; ``definition``: with the formula, see :func:`defined`.

    A class carries it as an attribute. Read from the class it is that of the method; read from an instance
    its title also says the parameters that differ from their defaults.

    >>> linkage = Family("linkage", "Linkage", "Which released record is whose?")
    >>> @dataclass(frozen=True)
    ... class Nearest:
    ...     about = About("nearest record", linkage, "The nearest record is taken.", "none")
    ...     weights: tuple[float, ...] | None = None
    >>> Nearest.about.title, Nearest().about.title, Nearest((2, 1)).about.title
    ('nearest record', 'nearest record', 'nearest record, weights=2+1')
    >>> Nearest.about.direction.value
    'higher is worse'
    """

    title: str
    family: Family
    sentence: str
    source: str
    rank: int = 0
    direction: Direction = Direction.HIGHER
    head: str | None = None
    own_record: bool = False
    definition: str = ""

    def __get__(self, method: object | None, kind: type | None = None) -> About:
        return self if method is None else self.of(method)

    def of(self, method: object) -> About:
        """The same with the parameters of this instance in the title.

        An instance's name says them; where the name is that of the class, they are written out. What is no
        dataclass has none.
        """
        name = getattr(type(method), "name", "")
        if isinstance(name, str):
            name = written(name, method) if is_dataclass(method) else name
        else:
            name = cast(Any, method).name
        return self.with_parameters(name.partition(":")[2])

    def with_parameters(self, parameters: str) -> About:
        """The same with these parameters in the title, if there are any."""
        return replace(self, title=f"{self.title}, {parameters}") if parameters else self


#: Marks of cross-references in docstrings, of which only the name is left.
_REFERENCE = re.compile(r":\w+:`~?(?:[\w.]*\.)?(\w+)`")


def defined(method: Any) -> About:
    """What a method says of itself, with its definition: what its class says before the first example.

    So the formula that a report shows is the one that stands beside the code.

    >>> from unmask.measures import KAnonymity
    >>> defined(KAnonymity()).definition[:81]
    'The smallest number of released records that share a key: k = min_i f_i (Samarati'
    """
    text = cleandoc(type(method).__doc__ or "").partition("\n>>>")[0].strip()
    if text.startswith(f"{type(method).__name__}("):
        text = ""  # which a dataclass writes by itself
    about: About = method.about
    return replace(about, definition=_REFERENCE.sub(r"\1", text).replace("``", ""))
