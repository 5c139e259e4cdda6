"""Content keys: what a finished part of a study is known by, so that nothing is computed twice."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from hashlib import sha256
from os.path import isfile

import numpy as np
import polars as pl

from unmask.assessment.inputs import sha256 as file_sha256
from unmask.assessment.inputs import versions
from unmask.assessment.request import Occasion, Request, RequestFiles
from unmask.assessment.request_file import to_plain
from unmask.data.microdata import Microdata
from unmask.data.shapes.content import Content
from unmask.documents.codec import plain
from unmask.errors import UnmaskError
from unmask.intruder.scenario import Scenario
from unmask.parsing import steps
from unmask.randomness import generator


def fingerprint(data: Microdata) -> str:
    """A digest of a file as it was understood: the same for the same values under the same schema.

    >>> from unmask.data.example import people
    >>> fingerprint(people(20)) == fingerprint(people(20)), fingerprint(people(20)) == fingerprint(people(21))
    (True, False)
    """
    schema = json.dumps(plain(data.schema.columns), sort_keys=True, default=str)
    beside = "" if data.content is None else content_digest(data.content)
    return sha256(f"{schema}{frame_digest(data.frame)}{beside}".encode()).hexdigest()


def content_digest(content: Content) -> str:
    """A digest of what people have beside their rows."""
    digest = sha256(content.shape.encode())
    for field in fields(content):  # type: ignore[arg-type]  # contents are dataclasses
        value = getattr(content, field.name)
        arrays = value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()
        digest.update(f"\x1f{field.name}\x1f{len(arrays)}\x1f".encode() + arrays)
    return digest.hexdigest()


def frame_digest(frame: pl.DataFrame) -> str:
    """A digest of the values of a frame, wherever they lie in memory.

    >>> frame_digest(pl.DataFrame({"age": [31, None]})) == frame_digest(pl.DataFrame({"age": [31, 54]}))
    False
    """
    digest = sha256()
    for column in frame:
        digest.update(f"{column.name}\x1f{column.dtype}\x1f{len(column)}".encode())
        digest.update(column.is_null().to_numpy().tobytes())
        for part in _content(column.drop_nulls()):
            digest.update(part)
    return digest.hexdigest()


def _content(column: pl.Series) -> Iterator[bytes]:
    """The values of a column that lacks none: numbers as they are, all others as texts with their lengths."""
    if column.dtype.is_numeric() and not column.dtype.is_decimal():
        yield column.to_numpy().tobytes()
    else:
        texts = column.cast(pl.String)
        yield texts.str.len_bytes().to_numpy().tobytes()
        yield "".join(texts.to_list()).encode()


def says_all(text: str, method: object, make: Callable[[str], object]) -> bool:
    """Whether a text makes the same method again: nobody can tell later what an object was.

    >>> from unmask.masks import Function, Noise, as_mask
    >>> says_all("noise:a=0.1", Noise(a=0.1), as_mask), says_all("function:abs", Function(abs), as_mask)
    (True, False)
    """
    try:
        return make(text) == method
    except UnmaskError:
        return False


def mask_content(text: str) -> str:
    """A mask as text; of one that runs a program, with the digests of the files that its command names.

    A script may change under its name.

    >>> mask_content("noise:a=0.1")
    'noise:a=0.1'
    """
    commands = [step.partition(":")[2] for step in steps(text) if step.startswith("exec:")]
    files = [word for command in commands for word in shlex.split(command) if isfile(word)]  # noqa: PTH113  # never raises
    return "\x1f".join((text, *map(file_sha256, files)))


def replicate_seed(seed: int, replicate: int) -> int:
    """The seed of a replicate: the same for every mask, so that masks are compared under the same chance.

    >>> replicate_seed(0, 1) == replicate_seed(0, 1), replicate_seed(0, 1) == replicate_seed(0, 2)
    (True, False)
    """
    return int(generator(seed, "replicate", str(replicate)).integers(2**31))


def common_content(request: Request, file: str, more: dict[str, str] | None = None) -> str:
    """What all parts of a study depend on: the file, how attacks are tried, and the versions."""
    asked = to_plain(
        replace(
            Request(RequestFiles("")),
            sample=request.sample,
            depth=request.depth,
            time_limit=request.time_limit,
            budget=request.budget,
            full=request.full,
            occasion=Occasion(),
        )
    )
    content = {"file": file, "asked": asked, "versions": versions(), **(more or {})}
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def part_key(
    common: str, mask: str, seed: int, intruder: Scenario | None, part: tuple[str, str], how: str
) -> str:
    """The key of one part: an attack or a measure of one mask, drawn with one seed, before one intruder.

    A loss has no intruder (None): what an intruder knows does not change the release. ``how``: what else the
    part depends on, such as the parameters of a measure.
    """
    content = [common, mask, seed, None if intruder is None else plain(intruder), list(part), how]
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
