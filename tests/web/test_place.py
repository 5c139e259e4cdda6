"""Place: no text leads out of the served folder, and a listing shows only what may be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.errors import ArgumentError
from unmask.web import place as places
from unmask.web.place import OutsideError, Place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A folder with files, hidden ones, and links of every kind, beside something that is not served."""
    above = tmp_path_factory.mktemp("above")
    (above / "secret.csv").write_text("age\n31\n")
    (above / "secrets").mkdir()
    (above / "secrets" / "more.csv").write_text("age\n31\n")
    root = above / "served"
    (root / "below" / "deeper").mkdir(parents=True)
    for name in ("people.csv", "Data.PARQUET", ".hidden.csv", "notes.docx", "below/other.csv", "a\\b.csv"):
        (root / name).write_text("age\n31\n")
    (root / ".git").mkdir()
    (root / "out.csv").symlink_to(above / "secret.csv")
    (root / "out").symlink_to(above / "secrets")
    (root / "in.csv").symlink_to(root / "below" / "other.csv")
    (root / "into").symlink_to(root / "below")
    (root / "gone.csv").symlink_to(root / "nowhere.csv")
    (root / "one").symlink_to(root / "two")
    (root / "two").symlink_to(root / "one")
    return Place.of(root)


@pytest.mark.parametrize(
    "text",
    [
        "..",
        "../secret.csv",
        "below/../../secret.csv",
        "below/..",
        "/etc/passwd",
        "//etc/passwd",
        "C:\\people.csv",
        "c:people.csv",
        "people.csv:stream",
        "sqlite:///people.db",
        "people.csv\0",
        "\0",
        "people\n.csv",
        "people\x1b[2J.csv",
        "\u202egpj.csv",
        "\ud800.csv",
        "out.csv",
        "out",
        "out/more.csv",
        "below/../out.csv",
    ],
)
def test_what_leads_out_is_refused_in_one_line(place: Place, text: str) -> None:
    with pytest.raises(OutsideError, match="leads out of the folder") as caught:
        place.inside(text)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value), "nothing that was typed is said again"


@pytest.mark.parametrize(
    "text", ["people.csv", "below/other.csv", "./people.csv", "", ".", "in.csv", "new/file.csv"]
)
def test_what_is_below_is_taken(place: Place, text: str) -> None:
    assert place.inside(text) == place.root / text


def test_a_backslash_is_a_part_of_a_name_where_the_system_has_it_so(place: Place) -> None:
    """And no way up: '..' between backslashes is one strange name."""
    if os.sep == "/":
        assert place.inside("a\\b.csv").is_file()
        assert place.inside("..\\secret.csv").parent == place.root


def test_a_loop_of_links_leads_nowhere(place: Place) -> None:
    for text in ("one", "one/people.csv"):
        try:
            found = place.inside(text)
        except OutsideError:
            continue
        assert not found.exists()


def test_an_endless_name_is_no_way_out(place: Place) -> None:
    try:
        found = place.inside("x" * 5000)
    except OutsideError:
        return
    assert found.parent == place.root


_PARTS = st.sampled_from(
    [
        "..",
        ".",
        "",
        "/",
        "\\",
        "below",
        "out",
        "into",
        "one",
        "people.csv",
        "out.csv",
        "~",
        "C:",
        "\0",
        "...",
        " ",
    ]
)


@given(
    st.one_of(
        st.text(),
        st.lists(_PARTS, max_size=8).map("/".join),
        st.lists(st.one_of(_PARTS, st.text(max_size=4)), max_size=6).map("".join),
    )
)
def test_whatever_the_text_the_path_is_below_the_folder(place: Place, text: str) -> None:
    try:
        path = place.inside(text)
    except OutsideError:
        return
    assert path.resolve().is_relative_to(place.root)


def test_a_place_is_a_folder_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for missing in (tmp_path / "nowhere", tmp_path / "file"):
        with pytest.raises(ArgumentError, match="is no folder"):
            Place.of(missing)


def test_the_served_folder_may_be_a_link_itself(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert Place.of(tmp_path / "link").root == tmp_path / "real"


def test_a_listing_shows_what_can_be_read_and_nothing_hidden(place: Place) -> None:
    found = place.listing("")
    assert found.folders == ("below", "into")
    names = [name for name, _ in found.files]
    assert names == sorted(["a\\b.csv", "Data.PARQUET", "in.csv", "people.csv"], key=str.lower)
    assert dict(found.files)["people.csv"] == 7
    assert found.above is None
    assert not found.more


def test_a_listing_of_a_folder_below_knows_the_way_back(place: Place) -> None:
    found = place.listing("below")
    assert (found.folder, found.above) == ("below", ".")
    assert found.folders == ("below/deeper",)
    assert found.files == (("below/other.csv", 7),)
    assert place.listing("below/deeper").above == "below"


@pytest.mark.parametrize("text", ["out", "..", "/", "one"])
def test_a_listing_does_not_leave_the_folder(place: Place, text: str) -> None:
    with pytest.raises(ArgumentError):
        place.listing(text)


@pytest.mark.parametrize("text", ["nowhere", "people.csv", "gone.csv"])
def test_only_a_folder_is_listed(place: Place, text: str) -> None:
    with pytest.raises(ArgumentError, match="no such folder"):
        place.listing(text)


def test_a_long_listing_says_that_there_is_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST_LISTED", 3)
    for number in range(5):
        (tmp_path / f"{number}.csv").touch()
    found = Place.of(tmp_path).listing("")
    assert len(found.files) == 3
    assert found.more


def test_a_name_that_is_no_text_is_not_listed(tmp_path: Path) -> None:
    if os.name == "posix":
        (tmp_path / os.fsdecode(b"caf\xe9.csv")).touch()
    (tmp_path / "b.csv").touch()
    assert [name for name, _ in Place.of(tmp_path).listing("").files] == ["b.csv"]
