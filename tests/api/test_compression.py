"""What is compressed, for whom, and what its length shows."""

import gzip

import httpx
import pytest

from service.api.compression import blurred, takes_gzip
from service.api.headers import Headers
from tests.api.serving import Caller, Served

PUBLIC = ("/openapi.json", "/asyncapi.json", "/v1/rulesets/crossfire-d6", "/docs/docs.css")


def raw(url: str, **headers: str) -> tuple[httpx.Response, bytes]:
    """An answer and its body as it came over the wire."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with httpx.stream("GET", url, headers=sent) as answer:
        return answer, b"".join(answer.iter_raw())


@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_answer_is_compressed_for_who_takes_it(
    served: Served, caller: Caller, path: str
) -> None:
    key = {"authorization": f"Bearer {caller.token}"}
    plain, whole = raw(served.url + path, accept_encoding="identity", **key)
    small, body = raw(served.url + path, accept_encoding="zstd, br;q=1, gzip;q=0.5", **key)
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) == len(body) < len(whole) / 2
    assert gzip.decompress(body) == whole
    for answer in (plain, small):
        assert "Accept-Encoding" in answer.headers["vary"]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    "path",
    [
        "/docs",
        "/docs/docs.css",
        "/docs/effects",
        "/docs/guides",
        "/docs/guides/idempotency",
        "/docs/problems",
        "/docs/streams",
        "/docs/reference.js",
        "/openapi.json",
        "/asyncapi.json",
    ],
)
def test_the_documentation_is_sent_once_in_each_form(
    served: Served, path: str, language: str
) -> None:
    tags = []
    for encoding in ("identity", "gzip"):
        asked = {"accept_encoding": encoding, "accept_language": language}
        first, body = raw(served.url + path, **asked)
        tag = first.headers["etag"]
        again, nothing = raw(served.url + path, if_none_match=f'"x", {tag}', **asked)
        other, whole = raw(served.url + path, if_none_match='"x"', **asked)
        assert (first.status_code, other.status_code) == (200, 200)
        assert (again.status_code, again.headers["etag"], nothing) == (304, tag, b"")
        assert (other.headers["etag"], whole) == (tag, body)
        for name in ("vary", "cache-control", "content-security-policy"):
            assert again.headers.get(name) == first.headers.get(name)
        tags.append(tag)
    assert len(set(tags)) == 2
    assert tags[1] == f'{tags[0][:-1]}-gzip"'


@pytest.mark.parametrize("path", ["legal-actions", "events", "events?narrate=ru"])
def test_a_long_answer_of_somebody_s_own_is_compressed_for_who_takes_it(
    served: Served, caller: Caller, path: str
) -> None:
    url = f"{served.url}{caller.started()}/{path}"
    key = {"authorization": f"Bearer {caller.token}"}
    plain, whole = raw(url, accept_encoding="identity", **key)
    small, body = raw(url, accept_encoding="gzip, deflate, br", **key)
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) == len(body) < len(whole) / 2
    assert gzip.decompress(body) == whole
    for answer in (plain, small):
        assert "Accept-Encoding" in answer.headers["vary"]
    assert raw(url, accept_encoding="gzip", **key)[1] == body


def test_what_is_tagged_short_or_no_json_is_sent_as_it_is(served: Served, caller: Caller) -> None:
    encounter = caller.started()
    key = {"authorization": f"Bearer {caller.token}", "accept_encoding": "gzip"}
    for path in ("", "/events?limit=1&after=1", "/bundle"):
        answer, body = raw(served.url + encounter + path, **key)
        assert answer.status_code == 200
        assert len(body) == int(answer.headers.get("content-length", len(body)))
        assert "content-encoding" not in answer.headers


def test_equal_bodies_are_blurred_alike_and_others_not() -> None:
    """Asking again reveals nothing new, and the length hardly anything of what is in it."""
    bodies = [b"%04d" % number + b"x" * 4_000 for number in range(300)]
    assert [blurred(body) for body in bodies] == [blurred(body) for body in bodies]
    assert [gzip.decompress(blurred(body)) for body in bodies] == bodies
    names = {blurred(body)[10:].partition(b"\0")[0] for body in bodies}
    assert names == {b"-" * length for length in range(32)}


@pytest.mark.parametrize(
    ("header", "takes"),
    [
        (None, False),
        ("", False),
        ("gzip", True),
        ("GZIP", True),
        ("br, gzip", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0", False),
        ("gzip;q=0.001", True),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("identity", False),
    ],
)
def test_who_takes_gzip(header: str | None, takes: bool) -> None:
    pairs = [] if header is None else [(b"accept-encoding", header.encode())]
    assert takes_gzip(Headers(pairs)) is takes


@pytest.mark.parametrize("path", ["/", "/v1"])
def test_the_entrance_leads_to_the_documentation(served: Served, path: str) -> None:
    answer = httpx.get(served.url + path)
    assert (answer.status_code, answer.headers["Location"]) == (307, "docs")
    page = httpx.get(served.url + path, follow_redirects=True)
    assert (page.status_code, page.url.path) == (200, "/docs")
