"""Hostile trials: bad input, corrupted bytes, kills, leaks and other orders of work, judged in one table.

``python -m tests.hostile`` (``make hunt``) makes them all, ``python -m tests.hostile --only NAME`` repeats
one, and the tests in this folder make a small part of every kind. The data flows one way: kinds give trials,
a bench runs them, what came of each is judged, and the judgements are one table.
"""
