"""Sorting, numbering and looking up, one row at a time."""

from __future__ import annotations


def order_of(labels):
    """The rows by their label; equal ones stay as they are."""
    return sorted(range(len(labels)), key=lambda row: labels[row])


def numbers_of(rows):
    """The number of each row among the distinct ones, in their order."""
    distinct = sorted(set(rows))
    return [distinct.index(row) for row in rows]


def place_within(values, begin, end, sought):
    """The first place from begin to end whose value is larger; end where none is."""
    return next((place for place in range(begin, end) if values[place] > sought), end)


def mid_rank(value, among):
    """The mean of the places that a value has, or would have, among those of a file, from 1 on."""
    below, same = sum(x < value for x in among), sum(x == value for x in among)
    return below + (same + 1) / 2


def partners_of(moves):
    """For each person how many others made the opposite move; None where exchanges do not explain them."""
    opposite = [(after, before) for before, after in moves]
    if sorted(opposite) != sorted(moves) or opposite == moves:
        return None
    return [moves.count(back) - (back == there) for there, back in zip(moves, opposite, strict=True)]
