"""Which web pages may use what is served over HTTP."""

from __future__ import annotations

import socket

import pytest

from dorosim.endpoint.web_origin import WebOrigins
from dorosim.ground.error import InputError

LISTED = (
    "http://dash.lan:3000",
    "https://*.example.com",
    "http://localhost:*",
    "vscode-webview://abc",
    "http://[fe80::1]",
)


def judge(origin, host="127.0.0.1:9090", listed=(), served="127.0.0.1"):
    origins = [origin] if isinstance(origin, str) else list(origin)
    return WebOrigins("ros.origins", listed, served).refusal(origins, [host] if isinstance(host, str) else host)


@pytest.mark.parametrize("host", ["127.0.0.1:9090", "sim.lan:9090", "evil.example", "", "[::1]:9090", [], ["a", "b"]])
def test_a_program_says_no_origin_and_may_call_the_machine_whatever_it_likes(host):
    assert judge((), host) is None


@pytest.mark.parametrize(
    ("origin", "host", "served"),
    [
        ("http://127.0.0.1:9090", "127.0.0.1:9090", "127.0.0.1"),
        ("http://127.0.0.1:19090", "127.0.0.1:19090", "0.0.0.0"),  # a container's port under another number
        ("http://localhost:9090", "localhost:9090", "127.0.0.1"),
        ("http://LOCALHOST:9090", "localhost.:9090", "127.0.0.1"),
        ("http://sim.localhost:9090", "sim.localhost:9090", "127.0.0.1"),
        ("http://[::1]:9090", "[0:0:0:0:0:0:0:1]:9090", "::1"),
        ("http://192.168.0.7:9090", "192.168.0.7:9090", "0.0.0.0"),
        ("http://[::ffff:192.168.0.7]:9090", "192.168.0.7:9090", "0.0.0.0"),
        ("http://lab-pc:9090", "lab-pc:9090", "lab-pc"),
        ("http://127.0.0.1", "127.0.0.1:80", "127.0.0.1"),
        ("https://127.0.0.1:443", "127.0.0.1", "127.0.0.1"),
        ("ws://127.0.0.1", "127.0.0.1:80", "127.0.0.1"),
    ],
)
def test_the_served_address_may(origin, host, served):
    assert judge(origin, host, served=served) is None


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://evil.example", "127.0.0.1:9090"),
        ("https://evil.example:9090", "127.0.0.1:9090"),
        ("http://127.0.0.1:3000", "127.0.0.1:9090"),  # what else is served on this machine
        ("http://localhost:9090", "127.0.0.1:9090"),
        ("http://127.0.0.1", "127.0.0.1:9090"),
        ("http://127.0.0.1:9090.evil.example", "127.0.0.1:9090"),
        ("http://127.0.0.1:9090@evil.example", "127.0.0.1:9090"),
        ("http://127.0.0.1:9090/", "127.0.0.1:9090"),
        ("http://evil.example:9090", "evil.example:9090"),  # a name that was made to point here
        ("http://localhost.evil.example:9090", "localhost.evil.example:9090"),
        ("http://127.0.0.1.evil.example:9090", "127.0.0.1.evil.example:9090"),
        ("http://lab-pc:9090", "lab-pc:9090"),
        ("null", "127.0.0.1:9090"),
        ("file://", "127.0.0.1:9090"),
        ("", "127.0.0.1:9090"),
        ("http://", ""),
        ("http://[::1", "[::1"),
        ("http://127.0.0.1:9090", []),
        ("http://127.0.0.1:9090", ["127.0.0.1:9090", "evil.example"]),
        (("http://127.0.0.1:9090", "http://evil.example"), "127.0.0.1:9090"),
        ("http://\x00:99999999", "127.0.0.1:9090"),
    ],
)
def test_other_pages_may_not_and_learn_which_setting_lets_them_in(origin, host):
    told = judge(origin, host)
    assert told is not None
    assert "ros.origins" in told or "more than one" in told
    assert told.isprintable()


@pytest.mark.parametrize("host", ["127.0.0.1:9090", "sim.lan:9090"])
@pytest.mark.parametrize(
    "origin",
    [
        *(
            "http://dash.lan:3000",
            "https://a.example.com",
            "https://a.b.example.com",
            "http://localhost",
            "HTTP://Dash.lan:3000",
        ),
        *("http://localhost:5173", "vscode-webview://abc", "http://[FE80:0::1]:80"),
    ],
)
def test_listed_pages_may(origin, host):
    assert judge(origin, host, LISTED) is None


@pytest.mark.parametrize(
    "origin",
    [
        *(
            "https://dash.lan:3000",
            "http://dash.lan",
            "http://dash.lan:3001",
            "https://example.com",
            "http://a.example.com",
        ),
        *(
            "https://evilexample.com",
            "https://a.example.com.evil",
            "https://localhost:5173",
            "null",
            "vscode-webview://abcd",
        ),
        "https://a.example.com:8443",
    ],
)
def test_a_list_lets_in_no_more_than_it_says(origin):
    assert judge(origin, listed=LISTED) is not None


def test_pages_without_an_origin_are_listed_by_name_and_a_star_is_for_all():
    assert judge("null", listed=["null"]) is None
    assert judge("http://evil.example", listed=["null"]) is not None
    assert judge("file://", listed=["file://"]) is None
    for origin in ("null", "http://evil.example", "file://", ""):
        assert judge(origin, "evil.example", ["*"]) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dash.lan",
        "dash.lan:3000",
        "http://",
        "https://*.",
        "http://a/b",
        "http://*example.com",
        "http://a:x",
        "http://192.168.0.*",
    ],
)
def test_what_is_no_origin_is_told_with_the_forms_that_there_are(text):
    with pytest.raises(InputError, match=r"ros\.origins") as error:
        WebOrigins("ros.origins", [text], "127.0.0.1")
    assert "http://localhost:*" in str(error.value)


def test_the_machines_own_name_counts_where_other_machines_reach_the_port():
    origin = f"http://{socket.gethostname()}:9090".lower()
    host = origin.removeprefix("http://")
    assert judge(origin, host, served="0.0.0.0") is None
    assert judge(origin, host, served="127.0.0.1") is not None
    assert judge(origin, host, served="localhost") is not None


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8080", "[::1]:8080", "localhost:8080", "lab-pc:8080", "dash.lan:3000", "a.example.com"]
)
def test_a_page_is_given_under_names_that_are_known(host):
    assert WebOrigins("view.origins", LISTED, "lab-pc").host_refusal([host]) is None


@pytest.mark.parametrize(
    "hosts", [["evil.example:8080"], ["example.com"], [""], [], ["[::1"], ["127.0.0.1:8080", "evil.example"]]
)
def test_a_page_is_not_given_under_others(hosts):
    told = WebOrigins("view.origins", LISTED, "127.0.0.1").host_refusal(hosts)
    assert told is not None
    assert "view.origins" in told
