"""How values become words of the command line, so that it reads the same values again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from unmask.assessment.equivalents.parts import number_text, refused
from unmask.data.edits import EVERY, ColumnEdit
from unmask.errors import ArgumentError
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.sources import Source
from unmask.parsing import construct, several, written

#: The words that a part of a request becomes.
Words = Callable[[Any], Iterator[str]]


def one(option: str, write: Callable[[Any], str] = str) -> Words:
    """An option with a value."""

    def say(value: Any) -> Iterator[str]:
        yield from (option, write(value))

    return say


def each(option: str, write: Callable[[Any], str] = str) -> Words:
    """An option that is given once for each value."""

    def say(values: Any) -> Iterator[str]:
        for value in values:
            yield from (option, write(value))

    return say


def flag(option: str) -> Words:
    """An option without a value."""

    def say(_: Any) -> Iterator[str]:
        yield option

    return say


def path_text(path: str) -> str:
    """The path of a file that is no address of a database."""
    if not path:  # which the command line takes for the present folder
        raise refused("a file of the request has no name")
    return path


def delimiter_text(delimiter: str) -> str:
    """A delimiter; a tab in the words that are read as one, since it would not be seen or copied."""
    return "\\t" if delimiter == "\t" else delimiter


def float_text(value: float) -> str:
    """A number that is read as one with a fraction."""
    text = number_text(value)
    if float(text) != value:  # a whole number that has more digits than one with a fraction
        raise refused("a number of the request has more digits than the command line reads")
    return text


def floats_text(values: tuple[float, ...]) -> str:
    """Several of them."""
    return ",".join(map(float_text, values))


def names_text(names: tuple[str, ...]) -> str:
    """Names as the command line reads them: cut at commas, without blanks around them.

    >>> names_text(("age", "sex"))
    'age,sex'
    >>> names_text(("pay, gross",))
    Traceback (most recent call last):
    unmask.errors.ArgumentError: a name or a code holds a separator or a blank at its end, and would be ...
    """
    for name in names:
        _check_word(name, ",")
    return ",".join(names)


def _check_word(word: str, separators: str) -> None:
    """Refuse a word that would be read as another one, or as several."""
    if not word or word != word.strip() or any(separator in word for separator in separators):
        raise refused("a name or a code holds a separator or a blank at its end, and would be read otherwise")


def methods_text(methods: tuple[str, ...]) -> str:
    """Methods with their parameters, as :func:`unmask.parsing.several` reads them."""
    text = ",".join(methods)
    if tuple(several(text)) != methods:
        raise refused("the text of a method would be read otherwise in a list")
    return text


def source_text(source: Source) -> str:
    """A source of the intruder's knowledge.

    >>> source_text(Source(("age", "pay, gross"), targets=0.1))
    'known=age+"pay, gross",targets=0.1'
    """
    text = written("source", source).partition(":")[2]
    try:
        same = construct(f"source:{text}", "source", {"source": Source}) == source
    except ArgumentError:
        same = False
    if not same:
        raise refused("a source of knowledge would be read otherwise")
    return text


def glimpse_text(glimpse: Glimpse) -> str:
    """What the intruder saw of series, traces or ties.

    >>> glimpse_text(Glimpse(points=4, clock=0.5))
    'points=4,clock=0.5'
    """
    return written("glimpse", glimpse).partition(":")[2]


def columns_words(edits: tuple[ColumnEdit, ...]) -> Iterator[str]:
    """What is said of single columns; the command line sorts them, which changes nothing."""
    for edit in edits:
        _check_word(edit.name, ",")
        if replace(edit) != edit or edit == ColumnEdit(edit.name):
            raise refused("a column is named that would be read otherwise, or of which nothing is said")
        if edit.role is not None:
            yield from ("--role", f"{edit.name}={edit.role}")
        if edit.kind is not None:
            yield from ("--kind", f"{edit.name}={edit.kind}")
        if edit.missing is not None:
            yield from ("--missing-code", _codes(edit.name, edit.missing))
        if edit.renamed is not None:
            _check_word(edit.renamed, ",=")
            yield from ("--renamed", f"{edit.name}={edit.renamed}")


def _codes(name: str, codes: tuple[str, ...]) -> str:
    for code in codes:
        _check_word(code, ",=+")
    text = "+".join(codes)
    return text if name == EVERY and codes else f"{name}={text}"
