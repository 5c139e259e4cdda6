"""Traces by an inverted index: for each point the people who left it, and what follows from that.

A trace is a list of codes, ascending; a posting list is a list of people, ascending. Who shares the most with
a trace is found without all pairs: its rarest points are looked up first, and as soon as what is left cannot
bring anybody else to the front, the few who were met are compared with it exactly. Values are always added up
in the order of the codes, so that no block, thread or order of the files changes a bit of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unmask.kernels.compiled import compiled, inner
from unmask.kernels.pairing import TIE

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

#: People of a posting list that are looked at in the time in which one trace is compared with a target.
TOGETHER = 64


class Lists(NamedTuple):
    """Lists of whole numbers, one after the other: list i is ``values[start[i] : start[i + 1]]``."""

    start: Ints
    values: Ints


class Scoring(NamedTuple):
    """The index of the released traces, each different one once, and how a shared point counts."""

    traces: Lists
    postings: Lists
    size: Ints  # people with each trace
    weight: Floats  # of each point
    norm: Floats  # of each trace: its sum of weights is divided by it
    power: float  # of the trace's own sum of weights, below 1, that the norm is


@compiled
def postings(traces: Lists, points: int) -> Lists:
    """The people who left each point, ascending."""
    start = np.zeros(points + 1, np.int64)
    for code in traces.values:
        start[code + 1] += 1
    for code in range(points):
        start[code + 1] += start[code]
    place = start[:-1].copy()
    people = np.empty(traces.values.size, np.int64)
    for person in range(traces.start.size - 1):
        for k in range(traces.start[person], traces.start[person + 1]):
            code = traces.values[k]
            people[place[code]] = person
            place[code] += 1
    return Lists(start, people)


@compiled
def fingerprints(traces: Lists) -> NDArray[np.uint64]:
    """Two mixed sums of the codes of each trace: equal for equal traces, and hardly ever for others."""
    n = traces.start.size - 1
    out = np.zeros((n, 2), np.uint64)
    for i in range(n):
        for k in range(traces.start[i], traces.start[i + 1]):
            for side in range(2):
                # The finalizer of splitmix64, from two different starts.
                x = np.uint64(traces.values[k]) + np.uint64(0x9E3779B97F4A7C15) * np.uint64(side + 1)
                x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                out[i, side] += x ^ (x >> np.uint64(31))
    return out


@compiled
def equal_to_last(traces: Lists, order: Ints) -> NDArray[np.bool_]:
    """Whether each trace, in this order, is the same as the one before it."""
    out = np.zeros(order.size, np.bool_)
    for i in range(1, order.size):
        a, b = order[i - 1], order[i]
        length = traces.start[a + 1] - traces.start[a]
        if length != traces.start[b + 1] - traces.start[b]:
            continue
        same = True
        for k in range(length):
            if traces.values[traces.start[a] + k] != traces.values[traces.start[b] + k]:
                same = False
                break
        out[i] = same
    return out


@inner
def _value(index: Scoring, codes: Ints, trace: int) -> float:
    """What a target and a released trace share, added up in the order of the codes."""
    k, stop = index.traces.start[trace], index.traces.start[trace + 1]
    total = 0.0
    for code in codes:
        low, high = k, stop  # the first released point that is not before this one
        while low < high:
            middle = (low + high) // 2
            if index.traces.values[middle] < code:
                low = middle + 1
            else:
                high = middle
        k = low
        if k == stop:
            break
        if index.traces.values[k] == code:
            total += index.weight[code]
            k += 1
    return total / index.norm[trace] if total > 0 else 0.0


@inner
def _met(
    index: Scoring, codes: Ints, order: Ints, bar: float, enough: int, partial: Floats, touched: Ints
) -> int:
    """Every trace that may have the value ``bar``, or, where that is below 0, be among the best.

    ``touched`` lists them, ``enough`` of them at most; returns how many they are. ``partial`` is 0 before and
    after. At first the rarest points are looked up; once those left cannot bring in anybody new, they only
    tell the traces met so far apart, as long as that is less work than to compare these one by one.
    """
    count, front, rest = 0, bar, 0.0
    for code in codes:
        rest += index.weight[code]
    done = False
    for place in order:
        first, last = index.postings.start[codes[place]], index.postings.start[codes[place] + 1]
        done = done or (front > 0 and not _reaches(_reach(index, rest), front))
        if count >= enough or (done and last - first > TOGETHER * count):
            break
        weight = index.weight[codes[place]]
        for k in range(first, last):
            trace = index.postings.values[k]
            if partial[trace] == 0.0:
                if done:
                    continue
                touched[count] = trace
                count += 1
            partial[trace] += weight
            if bar < 0 and partial[trace] / index.norm[trace] > front:
                front = partial[trace] / index.norm[trace]
        rest -= weight
        if done:
            count = _hopeful(index, partial, touched, count, rest, front)
    count = _hopeful(index, partial, touched, count, rest, front)
    for k in range(count):
        partial[touched[k]] = 0.0
    return count


@inner
def _reach(index: Scoring, rest: float) -> float:
    """The most that a trace can have of this sum: s / own^power <= s^(1 - power), as s <= own."""
    return float(max(rest, 0.0) ** (1 - index.power))


@inner
def _reaches(value: float, bar: float) -> bool:
    """Whether a bound reaches a value, but for more than what ties and sums may be off by."""
    return value * (1 + 4 * TIE) + 1e-12 >= bar


@inner
def _hopeful(index: Scoring, partial: Floats, touched: Ints, count: int, rest: float, bar: float) -> int:
    """Keep those that can reach the bar at all, at the start of ``touched``; forget the others."""
    kept = 0
    for k in range(count):
        trace = touched[k]
        if _reaches((partial[trace] + max(rest, 0.0)) / index.norm[trace], bar):
            touched[kept] = trace
            kept += 1
        else:
            partial[trace] = 0.0
    return kept


@compiled
def standing(index: Scoring, targets: Lists, truth: Ints, depth: int) -> tuple[Ints, Ints]:
    """How many people are closer to each target than its true trace (-1: none), and how many tie with it.

    Of those who are closer ``depth`` are counted at most. Where nobody shares a point with the target, it is
    linked to nobody: closer is ``depth``.
    """
    n, m = targets.start.size - 1, index.size.size
    partial, touched = np.zeros(m), np.empty(m, np.int64)
    closer, tied = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    people = index.size.sum()
    for i in range(n):
        if truth[i] < 0:
            continue
        codes = targets.values[targets.start[i] : targets.start[i + 1]]
        order = np.argsort(-index.weight[codes], kind="mergesort")
        true = _value(index, codes, truth[i])
        enough = m + 1 if true > 0 else depth
        count = _met(index, codes, order, true, enough, partial, touched)
        if true > 0:
            closer[i], tied[i] = _stands(index, codes, touched[:count], true, depth)
            continue
        above = 0
        for k in range(count):
            above += index.size[touched[k]]
        closer[i] = min(above, depth) if count else depth
        tied[i] = people - above if closer[i] < depth else 0
    return closer, tied


@inner
def _stands(index: Scoring, codes: Ints, met: Ints, true: float, depth: int) -> tuple[int, int]:
    """How many people are above the true value, and how many tie with it."""
    above, level, front, top = 0, 0, 0, true
    for trace in met:
        value = _value(index, codes, trace)
        top = max(top, value)
        if value > true * (1 + TIE):
            above += index.size[trace]
        elif value * (1 + TIE) >= true:
            level += index.size[trace]
    if above >= depth:
        return depth, 0
    if above > 0 or top <= true:
        return above, level
    for trace in met:  # nothing is closer: who ties with the best is who would be linked
        front += index.size[trace] if _value(index, codes, trace) * (1 + TIE) >= top else 0
    return 0, front


@compiled
def best_traces(index: Scoring, targets: Lists) -> tuple[Ints, Ints]:
    """Of each target how many traces share the largest value, and which, ascending."""
    n, m = targets.start.size - 1, index.size.size
    partial, touched = np.zeros(m), np.empty(m, np.int64)
    counts = np.zeros(n, np.int64)
    found = np.empty(max(n, 16), np.int64)
    used = 0
    for i in range(n):
        codes = targets.values[targets.start[i] : targets.start[i + 1]]
        order = np.argsort(-index.weight[codes], kind="mergesort")
        kept = _met(index, codes, order, -1.0, m + 1, partial, touched)
        met = np.sort(touched[:kept])
        values = np.empty(kept)
        best = 0.0
        for k in range(kept):
            values[k] = _value(index, codes, met[k])
            best = max(best, values[k])
        if used + kept > found.size:
            wider = np.empty(2 * (used + kept), np.int64)
            wider[:used] = found[:used]
            found = wider
        for k in range(kept):
            if values[k] * (1 + TIE) >= best:
                found[used] = met[k]
                used += 1
                counts[i] += 1
    return counts, found[:used].copy()
