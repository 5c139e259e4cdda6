"""Lines of protection: masks from weak to strong, of which a search looks for the weakest that is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from unmask.data.microdata import Microdata
from unmask.data.schema import Kind
from unmask.masks import MASKS, at_strength, expand, parse
from unmask.masks.strength import Laddered, Strength
from unmask.parsing import written

#: The rungs of every line, from the weakest on.
RUNGS = 13
#: Masks that are tried on numbers, and on categories; each of the former goes with each of the latter.
OF_NUMBERS = ("noise", "correlated-noise", "rank-swapping", "microaggregation", "bands")
OF_CATEGORIES = ("pram", "global-recoding")
#: Masks of both kinds at once.
OF_ALL = ("cart", "local-suppression")
#: Masks that treat every attribute by itself, so that one attribute may have another strength.
BY_ATTRIBUTE = ("noise", "rank-swapping", "bands", "pram", "global-recoding")

#: Numbers in at most so many bands of about as many records each, from weak to strong.
BANDS = (100, 64, 48, 32, 24, 16, 12, 10, 8, 6, 4, 3, 2)


@dataclass(frozen=True)
class Step:
    """One mask of a protection: which, how strong, on which attributes."""

    name: str
    rung: int
    attributes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The mask as text.

        >>> Step("noise", 0, ("age", "pay")).text, Step("bands", 12, ("age",)).text
        ('noise:a=0.02,attributes=age+pay', 'global-recoding:quantiles=2,attributes=age')
        """
        if self.name == "bands":
            method = replace(
                parse(f"global-recoding:quantiles={BANDS[self.rung]}"),  # type: ignore[type-var]
                attributes=self.attributes,
            )
            return written(method.name, method)
        mask = at_strength(self.name, _place(self.name, self.rung), self.attributes)
        return written(mask.name, mask)


@dataclass(frozen=True)
class Protection:
    """Masks one after the other, such as a search tries; ``line`` and ``rung``: where it stands."""

    line: str
    rung: int
    steps: tuple[Step, ...]
    given: str = ""

    @property
    def text(self) -> str:
        """All masks as one text."""
        return self.given or " then ".join(step.text for step in self.steps if step.attributes)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that are protected."""
        return tuple(name for step in self.steps for name in step.attributes)

    def without(self, attribute: str) -> Protection | None:
        """The same, with one attribute left as it is; None where nothing would be protected."""
        steps = tuple(_less(step, attribute) for step in self.steps)
        kept = tuple(step for step in steps if step.attributes)
        return replace(self, steps=kept) if kept and not self.given else None

    def weaker(self, attribute: str) -> Protection | None:
        """The same, with one attribute protected half as strongly; None where that cannot be."""
        for step in self.steps:
            if attribute in step.attributes and step.name in BY_ATTRIBUTE and step.rung > 0:
                own = Step(step.name, step.rung // 2, (attribute,))
                others = tuple(s for s in (_less(one, attribute) for one in self.steps) if s.attributes)
                return replace(self, steps=(*others, own))
        return None


@dataclass(frozen=True)
class ProtectionLine:
    """Protections of one kind from weak to strong."""

    name: str
    protections: tuple[Protection, ...]

    def __len__(self) -> int:
        return len(self.protections)


def lines(original: Microdata, known: Sequence[str], masks: Sequence[str] = ()) -> tuple[ProtectionLine, ...]:
    """The lines that fit these attributes; or, where masks are named, one line for each of these texts.

    The masks that a text with a range stands for are taken from weak to strong as they are written.

    >>> from unmask.data.example import people
    >>> [line.name for line in lines(people(50), ("sex", "region"))]
    ['pram', 'global-recoding', 'cart', 'local-suppression']
    >>> lines(people(50), ("sex",), ["pram:pd={0.9,0.5}"])[0].protections[1].text
    'pram:pd=0.5'
    """
    if masks:
        return tuple(_given(text, expand(text)) for text in dict.fromkeys(masks))
    if original.content is not None:
        return tuple(_of_content(original, original.content.shape))
    return tuple(_lines(original, tuple(known)))


def _given(name: str, masks: Sequence[str]) -> ProtectionLine:
    return ProtectionLine(name, tuple(Protection(name, rung, (), one) for rung, one in enumerate(masks)))


def _of_content(original: Microdata, shape: str) -> Iterator[ProtectionLine]:
    """The ladders of all masks of the shape of a file; a line is called as what changes along it."""
    for kind in MASKS.values():
        if issubclass(kind, Laddered) and getattr(kind, "shape", None) == shape:
            for ladder in kind.ladders(original):
                texts = [written(mask.name, mask) for mask in ladder]
                if texts:
                    yield _given(f"{texts[0]} to {texts[-1].partition(':')[2]}", texts)


def _lines(original: Microdata, known: tuple[str, ...]) -> Iterator[ProtectionLine]:
    numbers = tuple(name for name in known if original.schema[name].kind is Kind.NUMERIC)
    categories = tuple(name for name in known if name not in numbers)
    pairs = [
        (*((one, numbers),) * bool(numbers), *((other, categories),) * bool(categories))
        for one in (OF_NUMBERS if numbers else ("",))
        for other in (OF_CATEGORIES if categories else ("",))
    ]
    for parts in pairs:
        yield _line(parts)
    for name in OF_ALL:
        yield _line(((name, known),))
    if numbers:
        # The classical route to classes of records that are alike.
        yield _line((("bands", numbers), *((("global-recoding", categories),) * bool(categories)),
                     ("local-suppression", known)))  # fmt: skip


def _line(parts: Sequence[tuple[str, tuple[str, ...]]]) -> ProtectionLine:
    name = " then ".join(mask for mask, _ in parts)
    made = (
        Protection(name, rung, tuple(Step(mask, rung, names) for mask, names in parts))
        for rung in range(RUNGS)
    )
    return ProtectionLine(name, tuple(made))


def _less(step: Step, attribute: str) -> Step:
    return replace(step, attributes=tuple(name for name in step.attributes if name != attribute))


def _place(name: str, rung: int) -> int:
    """The rung of a mask's own ladder."""
    strength: Strength = MASKS[name].strength  # type: ignore[attr-defined]  # which all of these have
    return round(rung / (RUNGS - 1) * (len(strength.ladder) - 1))
