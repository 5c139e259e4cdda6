"""The documentation is true: its examples run, its commands parse, its reference follows the code."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.exceptions import TyperException
from typer.main import get_command

from unmask.cli.verbs import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GENERATED = DOCS / "reference"
PAGES = [ROOT / "README.md", *sorted(p for p in DOCS.rglob("*.md") if GENERATED not in p.parents)]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
FENCE = re.compile(r"^(<!-- run -->\n+)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^<!-- file (\S+) -->\n+```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HYPE = re.compile(r"\b(safe|safely|anonymous|guarantee[sd]?)\b", re.IGNORECASE)


def name(page):
    return str(page.relative_to(ROOT))


def blocks(page, language, marked=False):
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [text for mark, kind, text in found if kind == language and (mark or not marked)]


def write_files(page, folder):
    """The files that a page shows under a "file" mark are there for its examples."""
    for file, text in FILE.findall(page.read_text(encoding="utf-8")):
        (folder / file).write_text(text, encoding="utf-8")


def reference():
    spec = importlib.util.spec_from_file_location("docs_reference", DOCS / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", reference().pages())
def test_the_reference_follows_the_code(file):
    written = (GENERATED / file).read_text(encoding="utf-8")
    assert written == reference().pages()[file], "run: python docs/reference.py"


def test_the_reference_has_no_other_pages():
    assert sorted(p.name for p in GENERATED.glob("*.md")) == sorted(reference().pages())


@pytest.mark.parametrize("columns", ["40", "200"])
def test_the_reference_does_not_depend_on_the_terminal(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TERMINAL_WIDTH", columns)
    assert reference().command_line().rstrip() + "\n" == (GENERATED / "cli.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "pycon")], ids=name)
def test_python_examples(page, tmp_path, monkeypatch):
    """All examples of a page are one session."""
    monkeypatch.chdir(tmp_path)
    write_files(page, tmp_path)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "pycon")), {}, name(page), None, 0)
    told = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=told.append)
    assert test.examples
    assert not told, "".join(told)


COMMANDS = [
    (page, line[2:])
    for page in PAGES
    for block in blocks(page, "console")
    for line in block.splitlines()
    if line.startswith("$ ")
]


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=lambda value: getattr(value, "name", value))
def test_commands_parse(page, line):
    words = shlex.split(line)
    if words[0] != "unmask":
        assert words[0] in {"pip", "git", "make", "cd", "python", "export"}
        return
    verb, *arguments = words[1:]
    group = get_command(app)
    assert verb in group.commands
    try:
        group.commands[verb].make_context(verb, arguments)
    except TyperException as error:
        pytest.fail(f"{line}: {error.format_message()}")


def ran(line, folder):
    """What a command prints that must succeed."""
    unmask, environment = Path(sys.executable).parent / "unmask", {**os.environ, "COLUMNS": "80"}
    words = shlex.split(line)
    # What an earlier state of the code has kept in the user's folder proves nothing.
    kept = ["--results", "kept.db"] if words[0] == "protect" else []
    done = subprocess.run(
        [unmask, *words, *kept], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo, with which most pages start: made once, and copied for each of them."""
    folder = tmp_path_factory.mktemp("demo")
    return ran("demo", folder), folder / "demo"


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "console", marked=True)], ids=name)
def test_sessions(page, tmp_path, demo):
    """The blocks after a "run" mark are run, in order and in one folder; what they print is compared."""
    write_files(page, tmp_path)
    for block in blocks(page, "console", marked=True):
        for line, expected in re.findall(r"^\$ unmask (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            if line in ("demo", "demo --out demo"):
                shutil.copytree(demo[1], tmp_path / "demo")
            out = demo[0] if line.startswith("demo") else ran(line, tmp_path)
            pattern = ".*?".join(re.escape(" ".join(part.split())) for part in expected.split("[...]"))
            printed = " ".join(out.split())
            assert re.fullmatch(pattern.strip(), printed, re.DOTALL), f"$ unmask {line}\n{out}"


def test_the_home_page_shows_the_run_of_the_front_page():
    assert blocks(DOCS / "index.md", "console") == blocks(ROOT / "README.md", "console", marked=True)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_words_describe_and_never_promise(page):
    """No file is called what only a measure and a scenario could call it."""
    assert not HYPE.findall(page.read_text(encoding="utf-8"))


def test_readme_links_resolve():
    """The site's links are checked when it is built; the front page is not part of it."""
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_decision_on_layers_lists_those_that_are_checked():
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = checked["tool"]["importlinter"]["contracts"][0]["layers"]
    page = (DOCS / "decisions" / "0003-layers.md").read_text(encoding="utf-8")
    listed = re.findall(r"^    ([a-z_, ]+)$", page, re.MULTILINE)
    assert listed == [re.sub(" [|:] ", ", ", layer.replace("unmask.", "")) for layer in layers]


def compare_masks(*arguments):
    script = ROOT / "examples" / "compare_masks.py"
    ran = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return ran.stdout


def test_the_example_compares_masks():
    rows = [line for line in compare_masks("60").splitlines() if "%" in line]
    assert len(rows) == 10
    assert all(row.count("%") == 2 for row in rows[1:])


def test_the_tutorial_shows_what_the_example_prints():
    assert compare_masks() in blocks(DOCS / "tutorial.md", "text")


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: str(page.relative_to(DOCS)))
def test_every_page_says_of_which_kind_it_is(page):
    kind = r"\*(Tutorial|How-to|Explanation|Reference)( \((evidence|decision)\))?\.\* "
    assert re.match(kind, page.read_text(encoding="utf-8").splitlines()[2])
