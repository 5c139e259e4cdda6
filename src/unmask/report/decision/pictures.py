"""Small pictures of the decision page, as SVG: they need no script, print, and follow the page's colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unmask.documents.conclusion import SpreadSection
from unmask.report.decision.cards import BetweenReferences, Span, span_words
from unmask.report.numbers import count, percent

if TYPE_CHECKING:
    from markupsafe import Markup

WIDTH, HEIGHT = 240.0, 26.0
SIDE = 150.0


def picture(span: Span | BetweenReferences) -> Markup:
    """A share on a line from 0 to 1: itself, and upright marks for what it is compared with.

    A share of people has its interval; a loss has none, and two references.
    """
    if isinstance(span, BetweenReferences):
        told = [f"this release {percent(span.value)}"]
        told += [] if span.again is None else [f"people drawn again {percent(span.again)}"]
        told += [] if span.apart is None else [f"columns without relation {percent(span.apart)}"]
        label = f"Loss from 0 to 100%: {'; '.join(told)}"
        return _line(span.value, (span.value, span.value), (span.again, span.apart), label)
    label = f"From 0 to 100 in 100: {span_words(span)}"
    return _line(span.value, (span.low, span.high), (span.baseline,), label)


def _line(value: float, interval: tuple[float, float], marks: tuple[float | None, ...], words: str) -> Markup:
    from markupsafe import Markup, escape

    middle = HEIGHT / 2
    low, high = interval
    parts = [
        f'<line class="axis" x1="0" x2="{WIDTH:g}" y1="{middle:g}" y2="{middle:g}"/>',
        f'<line class="interval" x1="{_at(low)}" x2="{_at(high)}" y1="{middle:g}" y2="{middle:g}"/>',
        f'<circle class="value" cx="{_at(value)}" cy="{middle:g}" r="5"/>',
    ]
    for mark in marks:
        if mark is not None:
            at = _at(min(1.0, max(0.0, mark)))
            parts.append(f'<line class="baseline" x1="{at}" x2="{at}" y1="3" y2="{HEIGHT - 3:g}"/>')
    label = escape(words)
    # Half a circle more on both sides, so that 0 and 1 are not cut.
    box = f"-6 0 {WIDTH + 12:g} {HEIGHT:g}"
    return Markup(
        f'<svg class="span" role="img" aria-label="{label}" viewBox="{box}" '
        f'width="{WIDTH + 12:g}" height="{HEIGHT:g}">{"".join(parts)}</svg>'
    )


def spread_picture(spread: SpreadSection) -> Markup:
    """How much of the risk the riskiest people carry: a curve above the diagonal of equal shares."""
    from markupsafe import Markup, escape

    points = " ".join(f"{p.people * SIDE:.1f},{(1 - p.risk) * SIDE:.1f}" for p in spread.points)
    label = escape(
        f"The riskiest {percent(spread.half / spread.people)} of the people carry half of the risk; "
        f"{count(spread.most)} people carry four fifths of it. The straight line is equal risk for all."
    )
    return Markup(
        f'<svg class="spread" role="img" aria-label="{label}" viewBox="-4 -4 {SIDE + 8:g} {SIDE + 8:g}" '
        f'width="{SIDE + 8:g}" height="{SIDE + 8:g}">'
        f'<rect class="axis" x="0" y="0" width="{SIDE:g}" height="{SIDE:g}"/>'
        f'<line class="baseline" x1="0" y1="{SIDE:g}" x2="{SIDE:g}" y2="0"/>'
        f'<polyline class="interval" points="{points}"/></svg>'
    )


def _at(share: float) -> str:
    return f"{share * WIDTH:.1f}"
