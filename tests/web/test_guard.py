"""Guard: who may ask, from where, and how; each of its promises."""

from __future__ import annotations

import hmac
from types import SimpleNamespace

import pytest

from tests.web.client import FORM, HOSTS, ORIGIN, PORT, Browser, TestClient, asked
from unmask.web import guard
from unmask.web.guard import ServerKeys


@pytest.fixture
def stranger(browser: Browser) -> TestClient:
    """A browser that has not opened the link."""
    return TestClient(browser.app, base_url=ORIGIN, follow_redirects=False)


@pytest.mark.parametrize(
    "host",
    [
        f"evil.example:{PORT}",
        f"127.0.0.1:{PORT + 1}",
        "127.0.0.1",
        f"127.0.0.1:{PORT}.evil.example",
        f"evil.example@127.0.0.1:{PORT}",
        f"0.0.0.0:{PORT}",
        "",
        f"127.0.0.1:{PORT}, evil.example",
    ],
)
def test_another_name_is_not_answered(browser: Browser, host: str) -> None:
    """DNS rebinding: a name of somebody else's that leads to this machine."""
    for path in ("/", "/open", "/assets/app.css"):
        answer = browser.http.get(path, headers={"host": host})
        assert answer.status_code == 400
    headers = {"host": host, "origin": f"http://{host}", "content-type": FORM}
    assert browser.http.post("/new", content="name=a", headers=headers).status_code == 400
    assert not (browser.root / "a").exists()


def test_no_host_and_two_hosts_are_not_answered(browser: Browser) -> None:
    for headers in ([], [("host", HOSTS[0]), ("host", f"evil.example:{PORT}")], [("host", HOSTS[0])] * 2):
        assert asked(browser.app, headers)[0] == 400


def test_the_own_names_are_answered_however_they_are_written(browser: Browser) -> None:
    for host in (*HOSTS, f"LocalHost:{PORT}"):
        assert browser.http.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        f"https://127.0.0.1:{PORT}",
        f"http://127.0.0.1:{PORT + 1}",
        "",
        "file://",
    ],
)
def test_a_page_of_another_site_cannot_ask(browser: Browser, origin: str) -> None:
    assert browser.http.get("/", headers={"origin": origin}).status_code == 403
    fields = f"form_token={browser.desk.keys.form}&name=theirs"
    headers = {"origin": origin, "content-type": FORM}
    assert browser.http.post("/new", content=fields, headers=headers).status_code == 403
    assert not (browser.root / "theirs").exists()


def test_two_origins_are_not_answered(browser: Browser) -> None:
    for second in ("http://evil.example", ORIGIN):
        two = [("host", HOSTS[0]), ("origin", second), ("origin", ORIGIN), ("cookie", browser.cookie)]
        assert asked(browser.app, two)[0] == 403


def test_a_form_that_does_not_say_its_origin_changes_nothing(browser: Browser) -> None:
    fields = f"form_token={browser.desk.keys.form}&name=mine"
    answer = browser.http.post("/new", content=fields, headers={"content-type": FORM})
    assert answer.status_code == 403
    assert "origin" in answer.text
    assert not (browser.root / "mine").exists()


def test_without_the_cookie_nothing_is_shown_or_changed(browser: Browser, stranger: TestClient) -> None:
    for path in ("/", "/p/x/files", "/assets/app.js", "/nowhere"):
        assert stranger.get(path).status_code == 401
        assert stranger.head(path).status_code == 401
    headers = {"origin": ORIGIN, "content-type": FORM}
    fields = f"form_token={browser.desk.keys.form}&name=mine"
    assert stranger.post("/new", content=fields, headers=headers).status_code == 401
    assert not (browser.root / "mine").exists()


@pytest.mark.parametrize("cookie", ["wrong", "", "é", "x" * 10_000, '"', "\x01", "=", ";;;"])
def test_a_wrong_cookie_opens_nothing(browser: Browser, stranger: TestClient, cookie: str) -> None:
    name = browser.cookie.partition("=")[0]
    sent = f"{name}={cookie}".encode("latin-1")
    assert asked(browser.app, [("host", HOSTS[0]), ("cookie", sent)])[0] == 401


@pytest.mark.parametrize("other", ['settings={"a": 1}', "_xsrf=2|a|b", "a b", "x=[1, 2]", "é=ü", "="])
def test_cookies_of_other_programs_do_not_lock_anybody_out(browser: Browser, other: str) -> None:
    """Cookies know no port: whatever else runs on this machine sends its own along."""
    for cookies in (f"{other}; {browser.cookie}", f"{browser.cookie}; {other}"):
        assert asked(browser.app, [("host", HOSTS[0]), ("cookie", cookies.encode())])[0] == 200


def test_two_servers_of_one_machine_do_not_share_a_cookie(browser: Browser) -> None:
    """Else opening the second would end the session of the first, since cookies know no port."""
    keys = ServerKeys()
    other = guard.Guard(browser.app, keys, ("127.0.0.1:9999",))
    query = f"token={keys.link}".encode()
    _, headers, _ = asked(other, [("host", "127.0.0.1:9999")], path="/open", query_string=query)
    assert headers["set-cookie"].partition("=")[0] != browser.cookie.partition("=")[0]


def test_the_link_works_once_and_a_new_one_is_told(browser: Browser, stranger: TestClient) -> None:
    told: list[str] = []
    keys = browser.desk.keys
    keys.renewed = lambda: told.append(keys.link)
    link = keys.link
    assert stranger.head("/open", params={"token": link}).status_code != 200, "a preview does not use it up"
    assert stranger.get("/open", params={"token": link}).status_code == 200
    assert stranger.get("/").status_code == 200
    assert told == [keys.link]
    assert keys.link != link
    assert stranger.get("/open", params={"token": link}).status_code == 403
    assert stranger.get("/open", params={"token": keys.link}).status_code == 200
    assert len(set(told)) == 2


@pytest.mark.parametrize("query", ["", "token=", "token=wrong", "token=%ff", "token=%00", "other=1"])
def test_a_wrong_link_opens_nothing(stranger: TestClient, query: str) -> None:
    answer = stranger.get(f"/open?{query}")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_the_cookie_is_for_no_script_and_no_other_site(browser: Browser, stranger: TestClient) -> None:
    answer = stranger.get("/open", params={"token": browser.desk.keys.link})
    parts = {part.strip() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= parts
    assert not any(part.lower().startswith(("domain", "expires", "max-age")) for part in parts)
    assert answer.headers["referrer-policy"] == "same-origin", (
        "no other site learns the address with the token"
    )
    assert len(browser.desk.keys.session) > 40


def test_secrets_compare_in_constant_time(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def spy(one: bytes, other: bytes) -> bool:
        compared.append(other)
        return hmac.compare_digest(one, other)

    spied = SimpleNamespace(compare_digest=spy, new=hmac.new)
    monkeypatch.setattr(guard, "hmac", spied)
    keys = ServerKeys()
    link = keys.link
    assert keys.exchange(link)
    browser.post("/new", name="a")
    expected = {link, browser.desk.keys.session, browser.desk.keys.form}
    assert {one.decode() for one in compared} == expected


def test_a_socket_is_not_answered(browser: Browser) -> None:
    """Nothing here speaks any other protocol, so that nothing has to check one."""
    for kind in ("websocket", "something-new"):
        headers = [("host", HOSTS[0]), ("origin", ORIGIN), ("cookie", browser.cookie)]
        assert asked(browser.app, headers, type=kind) == (0, {}, "")
