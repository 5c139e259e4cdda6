"""Names: no class name stands for two things, and no text speaks of an intruder as of one man."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TEXTS = [
    *SOURCES,
    *sorted((ROOT / "src").rglob("*.jinja")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
]


def test_no_class_name_is_used_twice() -> None:
    homes = defaultdict(list)
    for path in SOURCES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_an_intruder_is_they() -> None:
    words = {
        path: re.findall(r"\b(?:he|his|him|himself)\b", path.read_text(encoding="utf-8")) for path in TEXTS
    }
    assert {str(path.relative_to(ROOT)): found for path, found in words.items() if found} == {}


def test_files_can_be_read_in_one_sitting() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {str(path.relative_to(ROOT)): n for path, n in lines.items() if n > 350} == {}
