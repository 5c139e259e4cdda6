"""Texts of methods that say nothing that can be done: each is told in one short line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from unmask.attacks import attack_named
from unmask.errors import UnmaskError
from unmask.intruder.follow import Follow
from unmask.intruder.sources import Source
from unmask.masks import parse
from unmask.measures import measure_named
from unmask.parsing import construct

LONG = "a" * 100_000


def source(text: str) -> Source:
    return construct(f"source:{text}", "source", {"source": Source})


WRONG: dict[Callable[[str], object], tuple[str, ...]] = {
    parse: (
        *("", ":", "noise:", "noise:a", "noise:a=", "noise:=", "noise:a=0,1", "noise:a=1=2", "noise::a=1"),
        *("noise:a=nan", "noise:a=inf", "noise:a=-inf", "noise:a=1e400", "noise:a=-1e400", "noise:a=--1"),
        *(
            "noise:a=1_0",
            "noise:a=\uff11",
            "noise:a=\u0663",
            "noise:a=\u00b2",
            "noise:a=0x10",
            "\uff4eoise:a=1",
        ),
        *("noise:a=(0.1)", f"noise:a={'(' * 5000}0.1{')' * 5000}", f"noise:{'(' * 5000}", "noise(a=1)"),
        *("noise:a=1\n2", "noise:a=\x1b[31m", "noi\x00se:a=1", "noise:a=1,a=2", "noise:a=1,b=2"),
        *("noise:a=1,attributes=+", "noise:a=1,attributes=age+", 'noise:a=1,attributes="age'),
        *('noise:a=1,attributes=""', "microaggregation:k=3,groups=a|", "microaggregation:k=3+"),
        *("microaggregation:k=\uff13", "microaggregation:k=1_000", f"microaggregation:k={'9' * 5000}"),
        *("top-coding:limit=nan", "top-coding:limit=1e400", "rank-swapping:p=inf", "local-suppression:k=nan"),
        *(LONG, f"noise:{LONG}", f"noise:{LONG}=1", f"noise:a={LONG}"),
    ),
    attack_named: (
        *(
            "dbrl:x",
            "dbrl:x=1",
            "dbrl:weights=",
            "dbrl:weights=1+",
            "dbrl:weights=\uff11+1",
            "guess:",
            "dbrl(",
        ),
        *("prl:false_links=nan", "prl:missed=inf", "prl:share=x", "prl:agreements=age+x"),
        *("structural:quantifiers=((", "structural:one_to_one=perhaps", "learned-choquet:additivity=\uff11"),
        *(LONG, f"dbrl:{LONG}"),
    ),
    measure_named: ("", "\uff11", "k-anonymity:", "k-anonymity:k=nan", f"sadr:{LONG}", LONG),
    source: ("known=", "known=+", "targets=nan", "targets=1e400", "targets=\uff13", "error=inf", "x=1", LONG),
    Follow.parse: ("", "key:", "key:a,b", "order:x", LONG),
}
TRIALS = [(read, text) for read, texts in WRONG.items() for text in texts]


@pytest.mark.parametrize(("read", "text"), TRIALS, ids=[ascii(text[:30]) for _, text in TRIALS])
def test_a_wrong_text_is_told_in_one_short_line(read: Callable[[str], object], text: str) -> None:
    with pytest.raises(UnmaskError) as told:
        read(text)
    message = str(told.value)
    assert message.isprintable()
    assert ". Hint: " in message
    assert len(message) < 1000


def test_words_stand_for_a_flag() -> None:
    flags = [
        attack_named(f"structural:one_to_one={word}") for word in ("true", "Yes", "1", "false", "no", "0")
    ]
    assert [flag.one_to_one for flag in flags] == [True, True, True, False, False, False]  # type: ignore[attr-defined]
