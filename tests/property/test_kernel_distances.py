"""Kernel distances: the polynomial one is Euclidean among products; the Gaussian one links as Euclid does."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.schema_matching import kernel_distance
from unmask import Column, LocalEngine, Microdata, Schema
from unmask.attacks import DBRL
from unmask.attacks.kernel import PolynomialKernel
from unmask.intruder.dossier import Dossier
from unmask.linkage.polynomial import monomials, number_of_monomials

quick = settings(deadline=None, max_examples=40)
seeds = st.integers(0, 10**6)
ENGINE = LocalEngine()


def standardised(seed, n, d):
    values = np.random.default_rng(seed).normal(size=(n, d)).round(2)
    return (values - values.mean(axis=0)) / values.std(axis=0)


def linked(attack, known, released):
    files = [
        Microdata(
            Schema(tuple(Column(f"x{j}") for j in range(side.shape[1]))),
            pl.DataFrame(side, orient="row").rename(lambda name: name.replace("column_", "x")),
        )
        for side in (known, released)
    ]
    links = attack.prepare(Dossier(*files), np.random.default_rng(0), ENGINE).links()
    return np.column_stack([links.belief_in(np.full(len(known), row)) for row in range(len(released))])


@quick
@given(seed=seeds, d=st.integers(1, 4), degree=st.integers(2, 4))
def test_the_space_of_products_has_the_distance_of_the_kernel(seed, d, degree):
    x, y = np.random.default_rng(seed).normal(size=(2, d))
    left, right = (np.concatenate(list(monomials([v[None] for v in side], degree))) for side in (x, y))
    assert len(left) == number_of_monomials(d, degree)
    np.testing.assert_allclose(((left - right) ** 2).sum(), kernel_distance(x, y, degree), rtol=1e-9)


@settings(deadline=None, max_examples=15)
@given(seed=seeds, d=st.integers(1, 3), degree=st.sampled_from([2, 3]))
def test_the_attack_links_the_record_of_least_kernel_distance(seed, d, degree):
    known, released = standardised(seed, 9, d), standardised(seed + 1, 9, d)
    belief = linked(PolynomialKernel(degree), known, released)
    apart = np.array([[kernel_distance(b, a, degree) for a in released] for b in known])
    near = apart <= apart.min(axis=1, keepdims=True) * (1 + 1e-7) + 1e-12
    assert (belief[~near] == 0).all()
    np.testing.assert_allclose(belief.sum(axis=1), 1.0)


@quick
@given(seed=seeds, d=st.integers(1, 4), width=st.sampled_from([0.1, 1.0]))
def test_the_gaussian_kernel_links_the_records_that_euclid_links(seed, d, width):
    known, released = standardised(seed, 8, d), standardised(seed + 1, 8, d)
    squared = ((known[:, None, :] - released[None, :, :]) ** 2).sum(axis=2)
    gaussian = 2 - 2 * np.exp(-width * squared / 8)
    order = np.argsort(squared, axis=1, kind="stable")
    assert (np.diff(np.take_along_axis(gaussian, order, axis=1), axis=1) >= -1e-12).all()
    belief = linked(DBRL(), known, released)
    near = gaussian <= gaussian.min(axis=1, keepdims=True) * (1 + 1e-6) + 1e-9
    assert (belief[~near] == 0).all()


def test_the_polynomial_kernel_links_other_records_than_euclid():
    known, released = standardised(3, 40, 3), standardised(4, 40, 3)
    assert (linked(PolynomialKernel(), known, released) != linked(DBRL(), known, released)).any()
