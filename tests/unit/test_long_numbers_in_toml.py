"""A number of thousands of digits, which Python does not read, is a mistake in a document like any other."""

from __future__ import annotations

import pytest

from unmask.assessment.request_file import from_toml
from unmask.data.io.sidecar import parse_sidecar
from unmask.errors import DataError

LONG = "x = " + "9" * 10_000


def test_in_a_request() -> None:
    with pytest.raises(DataError, match="the request is not TOML"):
        from_toml(f'format = "unmask-request"\nversion = 1\n{LONG}\n')


def test_beside_a_release() -> None:
    with pytest.raises(DataError, match="is not TOML"):
        parse_sidecar(LONG, "a.csv.unmask.toml")
