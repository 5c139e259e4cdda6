"""Forms as they arrive: their token, their type, their size, their time; and methods that nobody needs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.client import FORM, HOSTS, ORIGIN, Browser, asked
from unmask.web import guard


def sent(browser: Browser, messages: list[dict[str, Any]]) -> tuple[int, str]:
    """What is answered to a form whose body comes in these messages."""
    headers = [("host", HOSTS[0]), ("origin", ORIGIN), ("cookie", browser.cookie), ("content-type", FORM)]
    status, _, text = asked(browser.app, headers, method="POST", path="/new", messages=messages)
    return status, text


def piece(body: bytes, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


@pytest.mark.parametrize(
    "token", ["", "form_token=", "form_token=wrong", "form_token=%C3%A9", "token=x", "form_token=%00"]
)
def test_a_form_without_its_token_changes_nothing(browser: Browser, token: str) -> None:
    answer = browser.send("/new", f"{token}&name=mine")
    assert answer.status_code == 403
    assert "load the page again" in answer.text
    assert not (browser.root / "mine").exists()


def test_the_token_of_the_cookie_is_not_that_of_forms(browser: Browser) -> None:
    keys = browser.desk.keys
    assert browser.send("/new", f"form_token={keys.session}&name=mine").status_code == 403
    assert keys.session not in browser.get("/").text
    assert keys.form in browser.get("/").text


def test_the_first_of_two_tokens_counts(browser: Browser) -> None:
    wrong_first = f"form_token=wrong&form_token={browser.desk.keys.form}&name=mine"
    assert browser.send("/new", wrong_first).status_code == 403


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "application/json", "multipart/form-data; boundary=x", "application/x-www-form"],
)
def test_other_types_of_content_are_refused(browser: Browser, kind: str) -> None:
    """Text and multipart are what a form of another site could send without being asked first."""
    headers = {"origin": ORIGIN, "content-type": kind}
    body = f"form_token={browser.desk.keys.form}&name=mine"
    assert browser.http.post("/new", content=body, headers=headers).status_code == 415
    assert not (browser.root / "mine").exists()


def test_the_type_may_say_its_letters(browser: Browser) -> None:
    headers = {"origin": ORIGIN, "content-type": f"{FORM}; charset=utf-8"}
    body = f"form_token={browser.desk.keys.form}&name=mine"
    assert browser.http.post("/new", content=body, headers=headers).status_code == 303


def test_a_form_that_is_too_large_is_not_read(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LARGEST_BODY", 2000)
    token = browser.desk.keys.form
    fits = f"form_token={token}&name=fits&x="
    assert browser.send("/new", fits + "x" * (2000 - len(fits))).status_code == 303
    assert browser.send("/new", f"form_token={token}&name=large&x=" + "x" * 2000).status_code == 413
    assert not (browser.root / "large").exists()


def test_an_endless_form_is_not_kept_in_memory(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LARGEST_BODY", 2000)
    pieces = [piece(b"x" * 1000, True) for _ in range(4)]
    assert sent(browser, pieces)[0] == 413


def test_a_form_that_does_not_come_is_not_waited_for(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "LONGEST_BODY", 0.05)
    whole = f"form_token={browser.desk.keys.form}&name=slow".encode()
    assert sent(browser, [piece(whole, True)])[0] == 408
    assert not (browser.root / "slow").exists()


def test_a_form_in_pieces_is_one_form(browser: Browser) -> None:
    whole = f"form_token={browser.desk.keys.form}&name=pieces".encode()
    pieces = [piece(whole[:9], True), piece(whole[9:], False)]
    assert sent(browser, pieces)[0] == 303
    assert (browser.root / "pieces").is_dir()


def test_half_of_a_form_is_none(browser: Browser) -> None:
    """Whoever sends it left: what came so far says less than they meant."""
    half = f"form_token={browser.desk.keys.form}&name=half".encode()
    assert sent(browser, [piece(half, True), {"type": "http.disconnect"}]) == (0, "")
    assert not (browser.root / "half").exists()


@pytest.mark.parametrize("body", [b"\xff\xfe", b"name=%ff", b"&".join([b"a=1"] * 50_001)])
def test_a_form_that_cannot_be_read_is_refused_in_a_line(browser: Browser, body: bytes) -> None:
    answer = browser.send("/new", body)
    assert answer.status_code == 400
    assert answer.text.count("\n") == 1


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_other_methods_are_refused(browser: Browser, method: str) -> None:
    for path in ("/", "/new", "/open", "/nowhere"):
        assert browser.http.request(method, path).status_code == 405


def test_a_page_takes_only_its_own_methods(browser: Browser) -> None:
    assert browser.get("/new").status_code == 405
    assert browser.post("/").status_code == 405
    assert browser.http.head("/").status_code == 200
