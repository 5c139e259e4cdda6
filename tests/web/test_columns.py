"""Columns: from a form to a schema file and back, without losing a word."""

from __future__ import annotations

from html.parser import HTMLParser

import polars as pl
import pytest

from tests.web.client import Browser, begun
from tests.web.test_pages import error_of
from unmask.data.example import EDUCATION
from unmask.data.io.schema_file import read_schema, schema_in
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.web.project import Project

P = "/p/census"


class Form(HTMLParser):
    """What a browser would send of the form of columns, were it sent as it is shown."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._name: str | None = None
        self._select: str | None = None
        self._option: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        name = names.get("name") or ""
        if tag == "input" and "-" in name:
            self.fields[name] = names.get("value") or ""
        elif tag == "textarea" and "-" in name:
            self._name, self.fields[name] = name, ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and "selected" in names:
            self._option = self._select
            self.fields[self._select] = names.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        self._name = None if tag == "textarea" else self._name
        self._option = None if tag == "option" else self._option
        self._select = None if tag == "select" else self._select

    def handle_data(self, data: str) -> None:
        if self._name is not None:
            self.fields[self._name] += data.replace("\n", "\r\n")
        elif self._option is not None and not self.fields[self._option]:
            self.fields[self._option] = data


def form_of(browser: Browser) -> dict[str, str]:
    answer = browser.get(f"{P}/columns")
    assert answer.status_code == 200
    return Form(answer.text).fields


def numbers(fields: dict[str, str]) -> dict[str, str]:
    """The number of each column in the form, by its name."""
    return {value: name.partition("-")[2] for name, value in fields.items() if name.startswith("name-")}


@pytest.fixture
def project(browser: Browser) -> Project:
    return begun(browser, "census", "people.csv", "released.csv")


def test_a_form_as_it_is_shown_keeps_what_is_proposed(browser: Browser, project: Project) -> None:
    fields = form_of(browser)
    assert len(numbers(fields)) == 14
    assert project.schema is None
    answer = browser.post(f"{P}/columns", {**fields, "then": "intruder"})
    assert answer.headers["location"] == f"{P}/intruder"
    schema = project.schema
    assert schema is not None
    assert schema["person"].role is Role.IDENTIFIER
    assert schema["age"].kind is Kind.NUMERIC
    assert project.request is not None
    assert project.request.files.schema == "census/schema.toml"
    assert form_of(browser) == fields, "the page shows what was kept"
    again = browser.post(f"{P}/columns", fields)
    assert again.headers["location"] == f"{P}/columns"
    assert project.schema == schema


def test_what_a_person_says_comes_back_from_the_file(browser: Browser, project: Project) -> None:
    fields = form_of(browser)
    place = numbers(fields)
    fields[f"kind-{place['education']}"] = "ordinal"
    fields[f"levels-{place['education']}"] = "\r\n".join([*EDUCATION, "", "  unknown  "])
    fields[f"role-{place['income']}"] = "confidential"
    fields[f"missing-{place['income']}"] = "-9\r\n999"
    fields[f"kind-{place['region']}"] = "code"
    assert browser.post(f"{P}/columns", fields).status_code == 303
    schema = read_schema(project.folder / "schema.toml")
    assert schema["education"].levels == (*EDUCATION, "unknown")
    assert schema["education"].kind is Kind.ORDINAL
    assert schema["income"].role is Role.CONFIDENTIAL
    assert schema["income"].missing == ("-9", "999")
    assert schema["region"].word == "code"
    shown = form_of(browser)
    assert shown[f"kind-{place['education']}"] == "ordinal"
    assert shown[f"levels-{place['education']}"].split("\r\n") == [*EDUCATION, "unknown"]
    assert shown[f"role-{place['income']}"] == "confidential"
    assert shown[f"missing-{place['income']}"] == "-9\r\n999"


def test_a_schema_goes_out_and_comes_in_again(browser: Browser, project: Project) -> None:
    proposed = browser.get(f"{P}/columns/schema.toml").text
    assert browser.post(f"{P}/columns", form_of(browser)).status_code == 303
    kept = project.schema
    assert browser.get(f"{P}/columns/schema.toml").text == (project.folder / "schema.toml").read_text()
    text = proposed.replace('role = "confidential"', 'role = "ignored"')
    assert browser.post(f"{P}/columns/import", text=text).headers["location"] == f"{P}/columns"
    import tomllib

    assert project.schema == schema_in(tomllib.loads(text), "the schema")
    (browser.root / "given.toml").write_text(proposed)
    assert browser.post(f"{P}/columns/import", {"path": "given.toml"}).status_code == 303
    assert project.schema == kept


def test_what_the_form_does_not_show_stays(browser: Browser, project: Project) -> None:
    text = browser.get(f"{P}/columns/schema.toml").text.replace(
        'name = "age"', 'name = "age"\nminimum = 0\nmaximum = 120'
    )
    assert browser.post(f"{P}/columns/import", text=text).status_code == 303
    assert browser.post(f"{P}/columns", form_of(browser)).status_code == 303
    assert project.schema is not None
    assert (project.schema["age"].minimum, project.schema["age"].maximum) == (0, 120)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", ""),
        ("nonsense", ""),
        ("[" * 5000, ""),
        ("x = " + "9" * 5000, ""),
        ("[column]\nname = 1", ""),
        ("column = 3", ""),
        ('format = "unmask-schema"\nversion = 99', ""),
        ("", "../schema.toml"),
        ("", "/etc/passwd"),
        ("", "nowhere.toml"),
        ("", "below"),
        ("", "people.csv"),
    ],
)
def test_what_is_no_schema_is_refused_and_stays_in_the_form(
    browser: Browser, project: Project, text: str, path: str
) -> None:
    before = project.version
    answer = browser.post(f"{P}/columns/import", {"text": text, "path": path})
    assert answer.status_code == 422
    error_of(answer)
    assert project.version == before
    assert f'value="{path}"' in answer.text
    assert f">{text}</textarea>".replace('"', "&#34;") in answer.text


def test_several_lines_come_back_as_they_were(browser: Browser, project: Project) -> None:
    answer = browser.post(f"{P}/columns/import", text="one\r\ntwo\r\nthree")
    assert answer.status_code == 422
    assert ">one\ntwo\nthree</textarea>" in answer.text


def test_a_refused_form_keeps_what_was_typed(browser: Browser, project: Project) -> None:
    fields = form_of(browser)
    place = numbers(fields)
    fields[f"kind-{place['sex']}"] = "ordinal"
    fields[f"levels-{place['sex']}"] = "female\r\nmale\r\nfemale"
    fields[f"role-{place['age']}"] = "ignored"
    answer = browser.post(f"{P}/columns", fields)
    assert answer.status_code == 422
    assert "lists a level twice" in error_of(answer)
    assert Form(answer.text).fields == fields
    assert project.schema is None


@pytest.mark.parametrize(("name", "value"), [("kind-3", "nonsense"), ("role-3", ""), ("kind-3", "")])
def test_a_column_without_a_kind_or_role_is_refused(
    browser: Browser, project: Project, name: str, value: str
) -> None:
    answer = browser.post(f"{P}/columns", {**form_of(browser), name: value})
    assert answer.status_code == 422
    assert "no kind or no role" in error_of(answer)


def test_columns_that_changed_meanwhile_are_refused(browser: Browser, project: Project) -> None:
    fields = form_of(browser)
    frame = pl.read_csv(browser.root / "people.csv").rename({"age": "years"})
    frame.write_csv(browser.root / "people.csv")
    answer = browser.post(f"{P}/columns", fields)
    assert answer.status_code == 422
    assert "changed meanwhile" in error_of(answer)
    assert project.schema is None


def test_names_that_pages_show_otherwise_can_be_kept(browser: Browser) -> None:
    """A blank at its end, a line end, a sign that turns the order of letters: a table may have all that."""
    names = [" age ", "x\ny", "a\u202eb", "tab\tbed", "e\u0301"]
    frame = pl.DataFrame({name: [number % 3 + i for number in range(40)] for i, name in enumerate(names)})
    frame = frame.with_columns(pl.Series("sex", ["m\u202ex", "f"] * 20))
    frame.write_parquet(browser.root / "odd.parquet")
    project = begun(browser, "census", "odd.parquet")
    fields = form_of(browser)
    fields["kind-5"] = "ordinal"
    assert browser.post(f"{P}/columns", fields).status_code == 303
    assert project.schema is not None
    assert len(project.schema) == 6
    assert project.schema["sex"].levels == ("f", "m\u202ex")
    known = [value for name, value in fields.items() if name.startswith("name-")][:4]
    assert browser.post(f"{P}/intruder", {"known": known}).status_code == 303
    assert project.request is not None
    assert project.request.scenario.known == tuple(project.schema.names()[:4])


def test_another_original_has_none_of_the_old_columns(browser: Browser, project: Project) -> None:
    assert browser.post(f"{P}/columns", form_of(browser)).status_code == 303
    assert browser.post(f"{P}/intruder", {"known": ["age", "sex"]}).status_code == 303
    assert browser.post(f"{P}/files", {"pick": "original", "path": "below/other.csv"}).status_code == 303
    request = project.request
    assert request is not None
    assert request.files.schema is None
    assert request.scenario.known is None
    assert project.schema is None
    assert list(numbers(form_of(browser))) == ["age", "sex", "income"]
    exported = browser.get(f"{P}/columns/schema.toml").text
    assert "diagnosis" not in exported, "the schema that goes out is that of the file"
    assert browser.post(f"{P}/columns", form_of(browser)).status_code == 303
    assert project.schema is not None
    assert project.schema.names() == ("age", "sex", "income")


def test_a_schema_file_of_the_command_line_is_the_schema(browser: Browser, project: Project) -> None:
    """A request may use one elsewhere in the folder; what it says is where the form begins."""
    from dataclasses import replace

    from unmask.data.io.schema_file import to_toml

    text = to_toml(Schema((Column("age", minimum=0.0, role=Role.CONFIDENTIAL),)))
    (browser.root / "office.toml").write_text(text)
    assert project.request is not None
    project.save(replace(project.request, files=replace(project.request.files, schema="office.toml")))
    assert browser.get(f"{P}/columns/schema.toml").text == text
    fields = form_of(browser)
    assert fields[f"role-{numbers(fields)['age']}"] == "confidential"
    assert fields[f"role-{numbers(fields)['sex']}"] == "ignored"
    assert browser.post(f"{P}/columns", fields).status_code == 303
    assert project.schema is not None
    assert project.schema["age"].minimum == 0
    assert (browser.root / "office.toml").read_text() == text, "the project keeps a file of its own"
