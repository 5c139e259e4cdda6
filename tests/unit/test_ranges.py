"""Texts with braces that stand for many masks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.errors import ArgumentError
from unmask.masks import expand


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("noise:a=0.1", ["noise:a=0.1"]),
        ("noise:a={0.1,0.5,1}", ["noise:a=0.1", "noise:a=0.5", "noise:a=1"]),
        ("k={3..6}", ["k=3", "k=4", "k=5", "k=6"]),
        ("k={5..20..5}", ["k=5", "k=10", "k=15", "k=20"]),
        ("k={5..19..5}", ["k=5", "k=10", "k=15"]),
        ("a={0.1..0.5..0.1}", ["a=0.1", "a=0.2", "a=0.3", "a=0.4", "a=0.5"]),
        ("a={0..1..0.25}", ["a=0", "a=0.25", "a=0.5", "a=0.75", "a=1"]),
        ("a={-1..1}", ["a=-1", "a=0", "a=1"]),
        ("a={3..1..-1}", ["a=3", "a=2", "a=1"]),
        ("a={10..10}", ["a=10"]),
        ("k={1, 2, 5..15..5}", ["k=1", "k=2", "k=5", "k=10", "k=15"]),
        ("a={1,2},b={x,y}", ["a=1,b=x", "a=1,b=y", "a=2,b=x", "a=2,b=y"]),
        ("noise:a={1,2} then pram:p={3,4}",
         ["noise:a=1 then pram:p=3", "noise:a=1 then pram:p=4",
          "noise:a=2 then pram:p=3", "noise:a=2 then pram:p=4"]),
        ("attributes={age+income,age}", ["attributes=age+income", "attributes=age"]),
        ('attributes={"a,b",c}', ['attributes="a,b"', "attributes=c"]),
        ('attributes="a{1,2}"', ['attributes="a{1,2}"']),
        ("k={1,1,2}", ["k=1", "k=2"]),
        ("exec:mask {original} {released} {seed} --k {2,3}",
         ["exec:mask {original} {released} {seed} --k 2", "exec:mask {original} {released} {seed} --k 3"]),
    ],
)  # fmt: skip
def test_braces_are_expanded_in_the_order_in_which_they_are_written(text, expected):
    assert list(expand(text)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a={}", "holds an empty value"),
        ("a={1,}", "holds an empty value"),
        ("a={1,2", "not closed"),
        ("a=1}", "not opened"),
        ("a={1,{2,3}}", "a brace stands in a brace"),
        ("a={5..1}", "is empty"),
        ("a={5..1..1}", "leads away"),
        ("a={1..5..-1}", "leads away"),
        ("a={1..5..0}", "is 0"),
        ("a={0.1..0.5}", "no step"),
        ("a={a..c}", "no range of numbers"),
        ("a={1..5..2..3}", "no range of numbers"),
        ("a={1..nan}", "no range of numbers"),
        ("a={1..1000000000}", "1,000,000,000 masks, more than 10,000"),
        ("a={1..101},b={1..100}", "10,100 masks"),
    ],
)
def test_what_is_no_range_is_refused_in_one_line(text, message):
    with pytest.raises(ArgumentError, match=f"{message}.*Hint: ") as refused:
        expand(text)
    assert "\n" not in str(refused.value)


def test_ten_thousand_masks_are_not_too_many():
    assert len(expand("a={1..100},b={1..100}")) == 10_000


@given(st.integers(-99, 99), st.integers(1, 40), st.integers(1, 99), st.integers(0, 4))
def test_decimals_are_those_of_arithmetic_with_whole_numbers(first, count, step, places):
    """Without the noise of floating point: every number is the nearest float of a whole number over 10^d."""

    def written(number):
        sign, digits = "-" if number < 0 else "", str(abs(number)).rjust(places + 1, "0")
        return f"{sign}{digits[: len(digits) - places]}" + (f".{digits[-places:]}" if places else "")

    last = first + step * (count - 1)
    found = expand(f"{{{written(first)}..{written(last)}..{written(step)}}}")
    assert [float(text) for text in found] == [float(written(first + step * i)) for i in range(count)]
