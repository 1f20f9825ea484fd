"""What everybody is told alike is compressed; what only some may know never is."""

import gzip

import httpx
import pytest

from service.api.compression import takes_gzip
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


def test_what_is_somebody_s_alone_is_never_compressed(served: Served, caller: Caller) -> None:
    encounter = caller.started()
    for path in (encounter, f"{encounter}/events", f"{encounter}/bundle"):
        answer, body = raw(
            served.url + path, accept_encoding="gzip", authorization=f"Bearer {caller.token}"
        )
        assert answer.status_code == 200
        assert len(body) > 1_024
        assert "content-encoding" not in answer.headers


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
