"""A package that is installed adds its methods: they are listed, run by name, and explained."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import unmask
from tests.cli.console import run
from tests.plugin import FOLDER, PACKAGE, installed
from unmask import attacks, masks, measures
from unmask.errors import UnmaskError

PEOPLE = pl.DataFrame({"age": [20.0, 31.0, 42.0, 55.0, 68.0], "pay": [3.0, 1.0, 4.0, 1.5, 9.0]})


@pytest.fixture
def plugin():
    with installed():
        yield


def test_without_the_package_its_names_are_unknown():
    with pytest.raises(UnmaskError, match="no attack is called 'one-attribute'"):
        attacks.attack_named("one-attribute")


def test_with_it_entries_say_whose_they_are(plugin):
    found = {e.name: e.package for e in (*attacks.REGISTRY.values(), *masks.REGISTRY.values())}
    assert found["one-attribute"] == found["rounding"] == PACKAGE
    assert found["dbrl"] == "unmask"
    assert "one-attribute" not in attacks.ATTACKS, "it is not made unless somebody names it"


@pytest.mark.parametrize(
    ("what", "name", "sentence"),
    [
        ("attacks", "one-attribute", "The intruder looks at a single attribute"),
        ("masks", "rounding:base=NUMBER", "Every number becomes the nearest multiple of a base."),
        ("measures", "unchanged-records", "The share of people whose known values are released exactly"),
    ],
)
def test_it_is_listed(plugin, what, name, sentence, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    out = " ".join(run("list", what).out.split())
    assert f" {name} {sentence}" in out
    assert f"(package {PACKAGE})" in out


def test_it_is_run_by_its_name_and_explained(plugin):
    risk = unmask.assess(
        PEOPLE, masks.parse("rounding:base=10"), known=["age", "pay"], attacks=["one-attribute:place=2"]
    )
    assert risk.worst().keys.attack == "one-attribute:place=2"
    assert risk.worst().estimate.value == pytest.approx(0.4)  # 1, 1.5, 3 and 4 become 0
    page = risk.to_html()
    about = attacks.REGISTRY["one-attribute"].about
    for text in (f"{about.title}, place=2", about.sentence, about.source):
        assert text in page


def test_its_mask_is_known_to_an_intruder(plugin):
    risk = unmask.assess(
        PEOPLE, masks.parse("rounding:base=2"), attacks=["guess"], mechanism="rounding:base=2"
    )
    assert "mechanism:rounding:base=2" in set(risk.table()["attack"])


def test_its_mask_is_run_from_the_command_line(plugin, tmp_path: Path):
    PEOPLE.write_csv(tmp_path / "people.csv")
    ran = run("mask", tmp_path / "people.csv", "--mask", "rounding:base=10", "-o", tmp_path / "out.csv")
    assert (ran.code, ran.err) == (0, "")
    assert pl.read_csv(tmp_path / "out.csv")["age"].to_list() == [20, 30, 40, 60, 70]


def test_its_measure_is_registered_and_taken(plugin):
    assert measures.REGISTRY["unchanged-records"].package == PACKAGE
    assert "unchanged-records" in measures.FILE_MEASURES
    risk = unmask.assess(PEOPLE, PEOPLE, measures=["unchanged-records"])
    assert [row.estimate.value for row in risk.document.table] == [1.0]
    assert risk.records()["unchanged-records"].to_list() == [1.0] * 5
    usual = unmask.assess(PEOPLE, PEOPLE, attacks=["guess"])
    assert usual.document.table.find(measure="unchanged-records").value == 1.0
    about, page = measures.REGISTRY["unchanged-records"].about, usual.to_html()
    for text in (about.title, about.sentence, about.source, about.family.title):
        assert text in page


def test_its_measure_says_about_which_kinds_of_release_it_speaks(plugin):
    measure = measures.FILE_MEASURES["unchanged-records"]
    file = unmask.Microdata(unmask.Schema((unmask.Column("age"),)), PEOPLE.select("age"))
    evidence = measures.FileEvidence(file, unmask.Masked.by_order(file, file), ("age",), recoded=("age",))
    assert measures.why_not(measure, evidence).reason.startswith("not applicable: the release made")


UNDECLARED = """
from unmask.about import About, Family

class Odd:
    about = About("odd", Family("odd", "Odd", "?"), "It is odd.", "None (2024).")
    name = "odd"
    def why_not(self, evidence): ...
    def rows(self, evidence, engine): ...
"""


def test_a_measure_that_does_not_say_it_is_refused(tmp_path):
    folder = package(tmp_path, "[unmask.measures]\nodd = undeclared_methods:Odd\n")
    (folder / "undeclared_methods.py").write_text(UNDECLARED)
    with installed(folder), pytest.raises(UnmaskError, match="cannot be used: it has no says_about"):
        measures.measure_named("k-anonymity")


def package(folder: Path, points: str, code: str = "") -> Path:
    """A package of its own with these entry points."""
    info = folder / "broken-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(points)
    (folder / "broken_methods.py").write_text(code)
    return folder


@pytest.mark.parametrize(
    ("point", "message"),
    [
        (
            "odd = no_such_module:Odd",
            "'odd' of package 'broken' cannot be used: ModuleNotFoundError",
        ),
        ("odd = broken_methods:Odd", "'odd' of package 'broken' cannot be used: AttributeError"),
        ("odd = math:pi", "'odd' of package 'broken' cannot be used: it has no About, or none of"),
        (
            "dbrl = unmask.attacks:DBRL",
            "'broken' registers the attack 'dbrl', which package 'unmask' has",
        ),
        ("odd = unmask.attacks.guess:GUESS", "it calls itself 'guess'"),
    ],
)
def test_a_broken_package_is_named_in_one_line(tmp_path, point, message, monkeypatch):
    monkeypatch.setattr("unmask.attacks.guess.GUESS", attacks.Guess(), raising=False)
    folder = package(tmp_path, f"[unmask.attacks]\n{point}\n")
    with installed(folder):
        with pytest.raises(UnmaskError, match=r"Hint: .*uninstall") as refused:
            attacks.attack_named("guess")
        assert message in str(refused.value)
        assert "\n" not in str(refused.value)
        ran = run("list", "attacks")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "dbrl" in attacks.REGISTRY


def test_nothing_is_looked_up_before_it_is_used(tmp_path):
    folder = package(tmp_path, "[unmask.masks]\nodd = no_such_module:Odd\n")
    with installed(folder):
        assert attacks.attack_named("guess").name == "guess"  # only masks are broken
        with pytest.raises(UnmaskError, match="the mask 'odd' of package 'broken'"):
            len(masks.REGISTRY)


def test_the_folder_is_what_an_installation_leaves():
    assert (FOLDER / "unmask_example-1.0.dist-info" / "entry_points.txt").exists()
