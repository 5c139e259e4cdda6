"""Starting is quick: heavy libraries come when they are needed. Counted in modules, not in seconds."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "polars", "scipy", "numba", "sklearn", "altair", "highspy", "pyarrow", "pandas", "jinja2")


def imported(code: str) -> set[str]:
    """The modules that are there after some code has run in a fresh interpreter."""
    probe = f"import sys\n{code}\nsys.stderr.write('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


HELP = """
import unmask.cli
sys.argv = ["unmask", {verb}"--help"]
try:
    unmask.cli.main()
except SystemExit:
    pass
"""


def test_import_brings_nothing_heavy() -> None:
    bare, ours = imported(""), imported("import unmask")
    assert not ours & set(HEAVY)
    # unmask itself, and what it needs to find its parts later.
    assert len(ours - bare) <= 40


@pytest.mark.parametrize("verb", ["", '"assess", ', '"ledger", "add", ', '"list", '])
def test_help_brings_nothing_heavy(verb: str) -> None:
    bare, ours = imported(""), imported(HELP.format(verb=verb))
    assert not ours & set(HEAVY)
    assert len(ours - bare) <= 400


def test_public_names_are_there_when_asked_for() -> None:
    import unmask

    for name in unmask.__all__:
        assert getattr(unmask, name) is not None
    assert dir(unmask) == sorted(unmask.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = unmask.nonsense
