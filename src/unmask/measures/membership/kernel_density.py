"""Gaussian kernel densities of records, in the directions in which two files vary most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unmask.data.microdata import Floats, Microdata
from unmask.data.schema import Kind

#: Directions that are kept, and categories of an attribute that get a column each, the most frequent ones.
MOST_DIRECTIONS, MOST_COLUMNS = 10, 20
#: A direction that varies less than this, beside the first, is rounding.
ROUNDING = 1e-9
#: People whose density is summed at once.
BLOCK = 256


def coordinates(files: Sequence[Microdata], names: Sequence[str]) -> list[Floats]:
    """These files in whitened principal components of the last two, which are pooled.

    A number is a column of z-scores, a category a 0/1 column; a missing number is the mean, and a 0/1 column
    says so. The components are those of largest variance, ten at most, each divided by its deviation.
    """
    columns = [_encoded(files, name) for name in names]
    encoded = [np.column_stack([column[i] for column in columns]) for i in range(len(files))]
    pooled = np.concatenate(encoded[-2:])
    mean, spread = pooled.mean(axis=0), pooled.std(axis=0)
    scaled = [(part - mean) / np.where(spread > 0, spread, 1.0) for part in encoded]
    value, direction = np.linalg.eigh(np.atleast_2d(np.cov(np.concatenate(scaled[-2:]), rowvar=False)))
    kept = np.argsort(-value)[:MOST_DIRECTIONS]
    kept = kept[value[kept] > ROUNDING * max(float(value.max()), ROUNDING)]
    return [part @ direction[:, kept] / np.sqrt(value[kept]) for part in scaled]


def _encoded(files: Sequence[Microdata], name: str) -> list[Floats]:
    if files[0].schema[name].kind is Kind.NUMERIC:
        values = [file.numbers([name]) for file in files]
        usual = np.concatenate(values[-2:])
        middle = float(np.nanmean(usual)) if not np.isnan(usual).all() else 0.0
        return [np.hstack((np.where(np.isnan(v), middle, v), np.isnan(v))) for v in values]
    book = sorted({category for file in files for category in file.categories(name)})
    codes = [file.codes(name, book) for file in files]
    count = np.bincount(np.concatenate(codes[-2:]) + 1, minlength=len(book) + 1)
    frequent = np.argsort(-count, kind="stable")[:MOST_COLUMNS] - 1
    return [(part[:, None] == frequent).astype(np.float64) for part in codes]


def log_density(points: Floats, records: Floats) -> Floats:
    """The log of mean_r exp(-|x - r|^2 / (2 h^2)) / h^d, a density up to a constant; h = m^(-1/(d+4)).

    >>> near, far = log_density(np.array([[0.0], [3.0]]), np.array([[0.0], [0.1], [-0.1]]))
    >>> bool(near > far)
    True
    """
    m, d = records.shape
    h = m ** (-1.0 / (d + 4))
    length = (records**2).sum(axis=1)
    found = np.empty(len(points))
    for start in range(0, len(points), BLOCK):
        part = points[start : start + BLOCK]
        squared = (part**2).sum(axis=1)[:, None] + length - 2 * part @ records.T
        power = -np.maximum(squared, 0.0) / (2 * h * h)
        most = power.max(axis=1)
        found[start : start + BLOCK] = most + np.log(np.exp(power - most[:, None]).mean(axis=1))
    return np.asarray(found - d * np.log(h))
