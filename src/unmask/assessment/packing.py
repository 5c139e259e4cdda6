"""Results as bytes and back, exactly: unmask's dataclasses, plain values and arrays. Reading runs no code."""

from __future__ import annotations

import dataclasses
import importlib
import io
import json
from collections.abc import Mapping
from enum import Enum
from hashlib import sha256
from typing import Any

import numpy as np

#: The only package whose classes are made again from a file.
PACKAGE = "unmask."
_DIGEST = sha256().digest_size
_TREE = "tree"


class Damaged(Exception):  # noqa: N818  # never shown: what cannot be read is made again
    """The bytes are not what was packed."""


class Unpackable(Exception):  # noqa: N818  # never shown: what cannot be packed is not kept
    """The value holds something that is neither plain nor unmask's own."""


def pack(value: object) -> bytes:
    """The value as bytes, which start with their SHA-256.

    >>> from unmask.measures.estimate import Estimate
    >>> found = unpack(pack((Estimate(0.5, 0.2, 0.8, 2, per_record=np.array([1.0, np.nan])), "dbrl")))
    >>> found[0].value, found[0].per_record, found[1]
    (0.5, array([ 1., nan]), 'dbrl')
    """
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    tree = json.dumps(_tree(value, arrays))
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **{_TREE: np.frombuffer(tree.encode(), np.uint8)}, **arrays)
    body = stream.getbuffer()
    return b"".join((sha256(body).digest(), body))


def unpack(packed: bytes) -> Any:
    """The value that was packed.

    >>> unpack(pack("dbrl")[:-1])
    Traceback (most recent call last):
    unmask.assessment.packing.Damaged
    """
    digest, body = packed[:_DIGEST], packed[_DIGEST:]
    if sha256(body).digest() != digest:
        raise Damaged
    with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
        return _value(json.loads(arrays[_TREE].tobytes()), arrays)


def _tree(value: object, arrays: dict[str, np.ndarray[Any, Any]]) -> object:
    """Plain data: a list starts with what it stands for."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        name = f"a{len(arrays)}"
        arrays[name] = np.asarray(value)
        if arrays[name].dtype.hasobject:
            raise Unpackable
        return ["array" if isinstance(value, np.ndarray) else "scalar", name]
    if isinstance(value, Enum):
        return ["enum", _name(type(value)), value.value]
    if isinstance(value, tuple | list):
        items = [_tree(item, arrays) for item in value]
        if type(value) in (tuple, list):
            return [type(value).__name__, *items]
        return ["named", _name(type(value)), *items]
    if isinstance(value, Mapping):
        return ["dict", *([_tree(key, arrays), _tree(item, arrays)] for key, item in value.items())]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return ["data", _name(type(value)), *(_tree(getattr(value, field.name), arrays) for field in fields)]
    raise Unpackable


def _name(kind: type) -> str:
    if not kind.__module__.startswith(PACKAGE):
        raise Unpackable
    return f"{kind.__module__}:{kind.__qualname__}"


def _value(tree: Any, arrays: Mapping[str, Any]) -> object:
    if not isinstance(tree, list):
        return tree
    what, *rest = tree
    if what == "array":
        return arrays[rest[0]]
    if what == "scalar":
        return arrays[rest[0]][()]
    if what == "dict":
        return {_value(key, arrays): _value(item, arrays) for key, item in rest}
    if what == "enum":
        return _kind(rest[0])(rest[1])
    if what in ("tuple", "list"):
        items = [_value(item, arrays) for item in rest]
        return tuple(items) if what == "tuple" else items
    kind, values = _kind(rest[0]), [_value(item, arrays) for item in rest[1:]]
    if what == "named":
        return kind(*values)
    names = [field.name for field in dataclasses.fields(kind)]
    return kind(**dict(zip(names, values, strict=True)))


def _kind(name: str) -> Any:
    module, _, qualified = name.partition(":")
    if not module.startswith(PACKAGE):
        raise Damaged
    found: Any = importlib.import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    if not isinstance(found, type) or not (
        dataclasses.is_dataclass(found) or issubclass(found, Enum | tuple)
    ):
        raise Damaged
    return found
