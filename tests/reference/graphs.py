"""Slow, obvious references of signatures, propagation and k-degree sequences: sets and dictionaries."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import exp, inf, sqrt


def adjacency(edges, order):
    """The set of neighbours of each node."""
    found = {v: set() for v in range(order)}
    for a, b in edges:
        if a != b:
            found[a].add(b)
            found[b].add(a)
    return found


def neighbours_degrees(graph, v):
    return tuple(sorted(len(graph[w]) for w in graph[v]))


def layers(graph, v, steps):
    """The nodes exactly 0, 1, ..., ``steps`` steps away."""
    found, seen = [{v}], {v}
    for _ in range(steps):
        following = {w for u in found[-1] for w in graph[u]} - seen
        seen |= following
        found.append(following)
    return found


def surroundings(graph, v, steps, limit=10**9):
    """(steps counted in full, nodes, edges, degrees) of what lies within so many steps, at most ``limit``.

    Where there is more, what lies nearer, with the sum of degrees in the whole graph, and these degrees.
    """
    reached = max(d for d in range(steps + 1) if d == 0 or len(set().union(*layers(graph, v, d))) <= limit)
    inside = set().union(*layers(graph, v, reached))
    if reached < steps:
        degrees = [len(graph[w]) for w in inside]
        return reached, len(inside), sum(degrees), tuple(sorted(Counter(degrees).items()))
    edges = sum(1 for a, b in combinations(sorted(inside), 2) if b in graph[a])
    degrees = Counter(len(graph[w] & inside) for w in inside)
    return reached, len(inside), edges, tuple(sorted(degrees.items()))


def risks(original, released, origin, signature):
    """1 / candidates of each original node that has its own node among them, else 0; None: not released."""
    home = {o: r for r, o in enumerate(origin) if o >= 0}
    seen = Counter(signature(released, v) for v in released)
    found = []
    for v in original:
        if v not in home:
            found.append(None)
            continue
        mine = signature(original, v)
        found.append(1 / seen[mine] if signature(released, home[v]) == mine else 0.0)
    return found


def best(here, other, partner, back, u, theta, allowed, free=None):
    """The node of the other graph that stands out as u's, by Narayanan and Shmatikov's score; or None.

    ``partner``: whom nodes here are mapped to; ``back``: the reverse; ``free``: a candidate, mapped or not.
    """
    scores = Counter()
    for w in here[u]:
        for v in other[partner[w]] if w in partner else ():
            if v not in back or back[v] == u or v == free:
                scores[v] += allowed(u, v)
    valued = {v: s / sqrt(len(here[u]) * len(other[v])) for v, s in scores.items() if s}
    order = sorted(valued.values(), reverse=True)
    if not order or (len(order) > 1 and order[0] <= order[1] * (1 + 1e-9)):
        return None
    if len(order) > 1:
        mean = sum(order) / len(order)
        deviation = sqrt(sum((s - mean) ** 2 for s in order) / len(order))
        if (order[0] - order[1]) / deviation < theta * (1 - 1e-9):
            return None
    return max(valued, key=valued.get)


def propagation(known, released, seeds, theta, allowed=lambda u, v: True, fixed=None, sweeps=100):
    """Sweep by sweep: nodes that are not mapped are looked at and mapped at once, then those that are.

    ``fixed``: the seeds that stay as they are (all of them when none are named).
    """
    partner = dict(seeds)
    fixed = set(seeds) if fixed is None else fixed
    for _ in range(sweeps):
        changed = 0
        for again in (False, True):
            back = {v: u for u, v in partner.items()}
            wanted = {}
            for u in known:
                if (u in partner) != again or u in fixed:
                    continue
                v = best(known, released, partner, back, u, theta, allowed)
                if v is None or partner.get(u) == v:
                    continue
                if best(released, known, back, partner, v, theta, lambda b, a: allowed(a, b), free=u) == u:
                    wanted[u] = v
            times = Counter(wanted.values())
            found = {u: v for u, v in wanted.items() if times[v] == 1}
            partner.update(found)
            changed += len(found)
        if not changed:
            break
    return partner


def k_degrees(degrees, k):
    """The least sum of increases that gives every value to k nodes at least: all groupings are tried."""
    order = sorted(degrees, reverse=True)
    n = len(order)

    def cost(start):
        if start == n:
            return 0
        found = inf
        for stop in range(start + k, n + 1):
            if n - stop == 0 or n - stop >= k:
                found = min(found, sum(order[start] - d for d in order[start:stop]) + cost(stop))
        return found

    return cost(0)


def clustering(graph):
    """The share of pairs of each node's neighbours that are tied to each other; ``graph``: a GraphContent."""
    ties = adjacency(zip(*(ends.tolist() for ends in graph.edges()), strict=True), graph.order)
    found = []
    for v in graph.nodes.tolist():
        pairs = list(combinations(sorted(ties[v]), 2))
        found.append(sum(b in ties[a] for a, b in pairs) / len(pairs) if pairs else 0.0)
    return found


def refined(known, released, now, like, allowed, kept, unit, own, sharpness):
    """One round of candidates that their neighbours vote for; ``now``, ``like``: weights of pairs (u, v)."""
    found = {}
    for u in known:
        scores = {}
        for v in released:
            rows = [max((now.get((a, b), 0) for b in released[v]), default=0) for a in known[u]]
            columns = [max((now.get((a, b), 0) for a in known[u]), default=0) for b in released[v]]
            votes = min(sum(rows), sum(columns)) / sqrt(max(len(known[u]) * len(released[v]), 1))
            score = votes + own * like.get((u, v), 0)
            if score > 0 and allowed(u, v):
                scores[v] = score
        beyond = sorted(scores.values(), reverse=True)[kept:]
        for v, score in scores.items():
            if not beyond or score > beyond[0]:
                found[u, v] = round(unit * exp(sharpness * (score / max(scores.values()) - 1)))
    return found
