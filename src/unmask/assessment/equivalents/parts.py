"""The parts of a request that a command or a call has to say: those that differ from their defaults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from unmask.assessment.request import Request, Verb
from unmask.assessment.request_file import check_files_named
from unmask.errors import ArgumentError, DataError
from unmask.masks import expand
from unmask.parsing import steps

#: What to do with a request that is more than a line of words can say.
SAVE = "save the request and use 'unmask run FILE'"

#: Said in another way than by an option or an argument of its own.
APART = ("verb", "files.original", "files.released")

#: The verbs whose release is a file, or made by the request's mask.
OF_A_RELEASE = (Verb.ASSESS, Verb.CHECK, Verb.LOSS, Verb.KNOWLEDGE, Verb.COMPARE)

#: The attack of knowledge curves, unless another one is named.
USUAL_ATTACK = ("dbrl",)


def changed(part: Any, within: str = "") -> Iterator[tuple[str, Any]]:
    """The fields that differ from their defaults, by path: a part that is not known here is never dropped.

    >>> from unmask.assessment.request import RequestFiles
    >>> dict(changed(Request(RequestFiles("people.csv", "released.csv", truth="rows"), seed=1)))
    {'files.original': 'people.csv', 'files.released': 'released.csv', 'files.truth': 'rows', 'seed': 1}
    """
    for field in fields(part):
        value, path = getattr(part, field.name), f"{within}{field.name}"
        if is_dataclass(value):
            yield from changed(value, f"{path}.")
        elif value != _default(field):
            yield path, value


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def refused(what: str, hint: str = SAVE) -> ArgumentError:
    """The error for a part that cannot be said."""
    return ArgumentError(what, hint=hint)


def sayable(request: Request) -> Request:
    """The request without passwords, if its files and masks are such that a text names them.

    >>> from unmask.assessment.request import RequestFiles
    >>> sayable(Request(RequestFiles("postgresql://me:secret@host/db::people", "b.csv"))).files.original
    'postgresql://me@host/db::people'
    """
    try:
        check_files_named(request)
    except DataError as error:
        raise refused(error.message, error.hint or SAVE) from None
    _check_masks(request)
    if request.verb in OF_A_RELEASE and not request.files.released and request.mask is None:
        raise refused("the request names no released file", "name one")
    return request.recorded()


def _check_masks(request: Request) -> None:
    """Refuse masks that a line to be copied should not start, or that no text makes again."""
    single = () if request.mask is None else (request.mask,)
    for text in (*single, *(one for several in request.masks for one in expand(several))):
        for step in steps(text):
            name = step.partition(":")[0].strip()
            if name == "exec":
                raise refused("a mask of the request runs a program", f"{SAVE[:-1]} --trust-exec'")
            if name == "function":
                raise refused("a mask of the request is a function of Python", "call unmask with it")


def number_text(value: float) -> str:
    """A number in digits, all of them."""
    try:
        return repr(value)
    except ValueError:  # thousands of digits, which Python does not write
        raise refused("a number of the request is too long to be written") from None
