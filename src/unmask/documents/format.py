"""Formats: which kinds of document there are, which version is written, and how JSON is read back.

A document starts with its format and the version of the format. A version is raised when something that a
reader may lean on is renamed, removed or means something else; additions do not raise it. unmask reads every
version up to its own (older ones through an upgrade) and refuses newer ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from unmask.documents.codec import LARGEST, Unfit, build, plain
from unmask.errors import DataError

Document = TypeVar("Document")
Upgrade = Callable[[Mapping[str, Any]], Mapping[str, Any]]


#: Halves of characters, which stand for bytes that are no text.
_HALVES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, eq=False)
class Format(Generic[Document]):
    """One kind of document: its mark, what it is called, which command writes it, and its type.

    ``upgrades``: from each older version to the next; ``check`` looks at what types cannot tell, and names
    the part that does not fit.
    """

    mark: str
    version: int
    name: str
    command: str
    kind: type[Document]
    upgrades: Mapping[int, Upgrade]
    check: Callable[[Document], str | None] = lambda _: None

    def text(self, document: Document) -> str:
        """The document as JSON text; the same document gives the same bytes."""
        marked = {"format": self.mark, "version": self.version, **plain(document)}
        text = json.dumps(marked, indent=2, ensure_ascii=False) + "\n"
        # The name of a file may be no valid text; JSON can hold it as an escape.
        return _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", text)

    def read(self, text: str) -> Document:
        """The document in a JSON text, checked."""
        return self.build(_parsed(text, (self,))[1])

    def build(self, value: Mapping[str, Any]) -> Document:
        """The document that plain data describes, of this version or an older one."""
        version = self._version(value.get("version"))
        try:
            while version < self.version:
                value, version = self.upgrades[version](value), version + 1
            document = build(self.kind, value)
            where = self.check(document)
        except Unfit as unfit:
            raise (self._lacks if unfit.lacking else self._unfit)(unfit.where) from None
        except KeyError as lost:  # an upgrade asks for what every older document has
            raise self._lacks(str(lost.args[0])) from None
        except (TypeError, AttributeError):  # an older document that is none
            raise self._unfit("content") from None
        if where is not None:
            raise self._unfit(where)
        return document

    @property
    def _remedy(self) -> str:
        return f"write it again with '{self.command} ... --json FILE'"

    def _lacks(self, where: str) -> DataError:
        return DataError(f"the {self.name} lacks '{where}'", hint=self._remedy)

    def _unfit(self, where: str) -> DataError:
        return DataError(f"the {self.name}'s '{where}' is not what unmask writes", hint=self._remedy)

    def _version(self, found: object) -> int:
        if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= LARGEST:
            raise DataError(f"the {self.name} has no format version", hint=self._remedy)
        if found > self.version:
            raise DataError(
                f"the {self.name} has format version {found}, and this unmask reads up to {self.version}",
                hint="update unmask, or use the one that wrote the file",
            )
        return found


def read_any(text: str, formats: Sequence[Format[Any]]) -> tuple[Format[Any], Any]:
    """The document in a JSON text, and which of the formats it has."""
    found, value = _parsed(text, formats)
    return found, found.build(value)


def _parsed(text: str, formats: Sequence[Format[Any]]) -> tuple[Format[Any], dict[str, Any]]:
    *most, last = (f"'{one.command}'" for one in formats)
    hint = f"give a file that {' or '.join([', '.join(most), last] if most else [last])} wrote with --json"
    try:
        document = json.loads(text, parse_constant=_not_a_number)
        # A text may hold half of a character that no file can.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise DataError("the text is not JSON, or was cut off", hint=hint) from None
    mark = document.get("format") if isinstance(document, dict) else None
    found = next((one for one in formats if one.mark == mark), None)
    if found is None:
        expected = f"an unmask {formats[0].name}" if len(formats) == 1 else "a result of unmask"
        raise DataError(f"the JSON is not {expected}", hint=hint)
    return found, document


def _not_a_number(token: str) -> NoReturn:
    # Python reads NaN and Infinity, which JSON does not have and no share can be.
    raise ValueError(token)
