"""Registries: the masks, attacks and measures that there are, by name; unmask's own and other packages'.

A room (``unmask.attacks``) registers what it exports. Another package registers a method as an entry point of
the group of that name::

    [project.entry-points."unmask.attacks"]
    nearest-age = "their_package:NearestAge"

Both name a class, whose parameters a user may give, or an instance.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, Generic, TypeVar, cast

from unmask.about import About, Family
from unmask.errors import ArgumentError, UnmaskError, unknown_name
from unmask.parsing import construct, form

Method = TypeVar("Method")
Shown = TypeVar("Shown", covariant=True)

OWN = "unmask"


@dataclass(frozen=True)
class Registered(Generic[Method]):
    """A method under its name: a class, or an instance where the name settles all parameters.

    A class whose text is no list of parameters reads it itself: ``of_text(text)``.
    ``package``: the distribution that registers it.
    """

    name: str
    method: Method | type[Method]
    package: str = OWN

    @property
    def about(self) -> About:
        """What the method says of itself."""
        return cast(Any, self.method).about  # type: ignore[no-any-return]

    @property
    def kind(self) -> type[Method]:
        """The class."""
        return self.method if isinstance(self.method, type) else type(self.method)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters that a user may give."""
        if not isinstance(self.method, type):
            return ()
        return tuple(field.name for field in dataclasses.fields(cast(Any, self.method)) if field.init)

    @property
    def form(self) -> str:
        """How the method is written, with the parameters that it must have."""
        return form(self.name, self.kind) if self.parameters else self.name

    def made(self, text: str | None = None, what: str = "method") -> Method:
        """The method as a text asks for it (without one: with every default)."""
        text = self.name if text is None else text
        if hasattr(self.kind, "of_text"):
            return cast(Any, self.kind).of_text(text)  # type: ignore[no-any-return]
        if self.parameters:
            return construct(text, what, {self.name: self.kind})
        if ":" in text:
            raise ArgumentError(f"{what} '{self.name}' takes no parameters", hint=f"write {self.name}")
        return self.method() if isinstance(self.method, type) else self.method


class Registry(Mapping[str, Registered[Method]]):
    """The methods of a room and of the packages that add to it, in the order of families and ranks.

    ``what`` is what a message calls a method, ``room`` the module that exports them and the group of entry
    points, ``does`` the functions of which a method has one at least; ``families`` come in this order.
    Exports that carry an :class:`~unmask.about.About` are registered; of a class with ``variants()`` each of
    these. A room whose order is another lists its methods itself (``own``). ``lack``: what else a method of
    the room must have and does not, in words. Nothing is looked up before the registry is first used.

    >>> from unmask.masks import REGISTRY
    >>> REGISTRY["noise"].form, REGISTRY["noise"].about.family.title
    ('noise:a=NUMBER', 'Perturbative masks')
    >>> REGISTRY.named("noise:a=0.1")
    Noise(a=0.1, attributes=None)
    >>> REGISTRY.named("nose:a=0.1")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: no mask is called 'nose'. Hint: did you mean 'noise'? Known: ...
    """

    def __init__(
        self,
        what: str,
        room: str,
        does: Sequence[str],
        families: Sequence[Family] = (),
        own: Sequence[Method] | None = None,
        lack: Callable[[object], str | None] = lambda _: None,
    ) -> None:
        self.what = what
        self.room = room
        self.does = does
        self.families = families
        self.own = own
        self.lack = lack

    def __getitem__(self, name: str) -> Registered[Method]:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, name: str) -> Registered[Method]:
        """The entry of that name; an error that knows the nearest one if there is none."""
        if name not in self:
            raise unknown_name(self.what, name, self)
        return self[name]

    def named(self, text: str) -> Method:
        """The method that a text asks for, by its name or with parameters."""
        return self.entry(text.partition(":")[0].strip()).made(text.strip(), self.what)

    def view(self, pick: Callable[[Registered[Method]], Shown | None]) -> View[Shown]:
        """What ``pick`` takes of each entry, by name; read when it is used, so that plug-ins are in it."""
        return View(lambda: ((name, pick(entry)) for name, entry in self.items()))

    def reload(self) -> None:
        """Look the plug-ins up again, for a package that was installed while the program runs."""
        self.__dict__.pop("_entries", None)

    @cached_property
    def _entries(self) -> dict[str, Registered[Method]]:
        found: dict[str, Registered[Method]] = {}
        for entry in (*self._own(), *self._plugged()):
            if entry.name in found:
                raise UnmaskError(
                    f"package '{entry.package}' registers the {self.what} '{entry.name}', "
                    f"which package '{found[entry.name].package}' has",
                    hint=f"rename it in '{entry.package}', or uninstall that package",
                )
            found[entry.name] = entry
        ordered = found.values() if self.own is not None else sorted(found.values(), key=self._place)
        return {entry.name: entry for entry in ordered}

    def _place(self, entry: Registered[Method]) -> tuple[int, str, float, bool, str]:
        """By family, then rank; what has none comes after, and other packages' after unmask's own."""
        about = entry.about
        known = [family.name for family in self.families]
        place = known.index(about.family.name) if about.family.name in known else len(known)
        return place, about.family.name, about.rank or float("inf"), entry.package != OWN, entry.name

    def _own(self) -> Iterator[Registered[Method]]:
        if self.own is not None:
            yield from (Registered(_own_name(method), method) for method in self.own)
            return
        exports = vars(import_module(self.room))
        for export in [value for name, value in exports.items() if not name.startswith("_")]:
            if isinstance(export, ModuleType):
                continue
            for method in _variants(export):
                if self._is_method(method):
                    yield Registered(_own_name(method), method)

    def _plugged(self) -> Iterator[Registered[Method]]:
        """The entry points of other packages, in an order that does not depend on the installation."""
        for point in sorted(entry_points(group=self.room), key=lambda point: (_package(point), point.name)):
            method = self._loaded(point)
            name = getattr(method, "name", point.name)
            if isinstance(name, str) and name != point.name:
                raise self._broken(point, f"it calls itself '{name}'")
            yield Registered(point.name, method, _package(point))

    def _loaded(self, point: EntryPoint) -> Any:
        try:
            method = point.load()
        except Exception as error:  # whatever another package does, its user gets one line
            raise self._broken(point, f"{type(error).__name__}: {error}") from error
        if not self._is_method(method):
            raise self._broken(point, f"it has no About, or none of {', '.join(self.does)}")
        lack = self.lack(method)
        if lack is not None:
            raise self._broken(point, lack)
        return method

    def _broken(self, point: EntryPoint, why: str) -> UnmaskError:
        return UnmaskError(
            f"the {self.what} '{point.name}' of package '{_package(point)}' cannot be used: {why}",
            hint="mend that package, or uninstall it",
        )

    def _is_method(self, export: object) -> bool:
        does = any(callable(getattr(export, function, None)) for function in self.does)
        return does and isinstance(getattr(export, "about", None), About)


class View(Mapping[str, Shown]):
    """Part of a registry by name, as a mapping that is read again at each use."""

    def __init__(self, read: Callable[[], Iterable[tuple[str, Shown | None]]]) -> None:
        self._read = read

    def __getitem__(self, name: str) -> Shown:
        return self._shown()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown())

    def __len__(self) -> int:
        return len(self._shown())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._shown()!r})"

    def _shown(self) -> dict[str, Shown]:
        return {name: shown for name, shown in self._read() if shown is not None}


def _variants(export: Any) -> Sequence[Any]:
    """The methods that an export stands for: its variants, where it is a class that lists some."""
    return export.variants() if isinstance(export, type) and hasattr(export, "variants") else (export,)


def _own_name(method: Any) -> str:
    """The name of a method; of a class that writes its name from its parameters, that of the defaults."""
    return str(method.name if isinstance(method.name, str) else method().name)


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "unknown"
