"""Verifying with the library: sources, what was kept, what is missing, a battle of a service."""

import inspect
import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from tests.api.serving import START, Caller
from tests.clients.rechained import KEY, PUBLIC_KEY, Line, rechained
from tests.clients.remade_bundles import event_of
from tests.clients.verifier import GM, RED, bytes_case, judged
from tests.encounters.random_actions import battle
from warlog import (
    AsyncWarlog,
    MissingLibrary,
    Problem,
    Progress,
    Warlog,
    kept_receipts,
    read_bundle,
    verify,
)
from warlog.verifier.canonical_json import line_of
from warlog.verifier.ed25519 import signature_check
from warlog.verifier.json_reader import DeepReader, parsed
from warlog.verifier.line_forms import as_line

WHOLE: Final = RED.read_bytes()
DEEP: Final = 250


def pieces(size: int) -> Iterator[bytes]:
    for start in range(0, len(WHOLE), size):
        yield WHOLE[start : start + size]


SOURCES: Final[dict[str, Callable[[], Any]]] = {
    "path": lambda: RED,
    "file": lambda: io.BytesIO(WHOLE),
    "bytearray": lambda: bytearray(WHOLE),
    "memoryview": lambda: memoryview(WHOLE),
    "byte by byte": partial(pieces, 1),
    "by thousands": partial(pieces, 1000),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_sources_are_alike_and_progress_is_told(source: Callable[[], Any]) -> None:
    told: list[Progress] = []
    report = verify(source(), keys=PUBLIC_KEY, on_progress=told.append)
    assert report == verify(WHOLE, keys=PUBLIC_KEY)
    assert told[-1] == Progress(bytes=len(WHOLE), lines=19, events=16)
    assert told == sorted(told, key=lambda each: each.bytes)
    assert list(read_bundle(source())) == list(read_bundle(WHOLE))


def test_what_is_no_source_or_no_key_is_refused() -> None:
    for source in ("battle.ndjson", 5, None, [5], io.StringIO("text")):
        with pytest.raises(TypeError, match="source"):
            verify(source)  # type: ignore[arg-type]
    x = "A" * 42
    jwk = {"kty": "OKP", "crv": "Ed25519"}
    for keys in ("ab", 5, {}, {"keys": [{"x": 1}]}, {**jwk, "x": x}, {**jwk, "x": x + "B"}):
        with pytest.raises(ValueError, match="key"):
            verify(WHOLE, keys=keys)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has the id"):
        verify(WHOLE, keys={**jwk, "x": x + "A", "kid": "0" * 16})
    with pytest.raises(ValueError, match="SEQ-HASH"):
        verify(WHOLE, heads=["0-ab"])
    with pytest.raises(ValueError, match="no receipt"):
        verify(WHOLE, receipts=[{"seq": 1}])
    with pytest.raises(ValueError, match="entry 2"):
        kept_receipts(f'{{"receipt": {msgspec.json.encode(RECEIPT).decode()}}}\n\n{{}}')


RECEIPT: Final = msgspec.json.decode(GM.read_bytes().splitlines()[-1])["receipt"]


def test_who_asks_to_be_told_may_end_the_work() -> None:
    def enough(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify(WHOLE, on_progress=enough)


def test_without_the_library_for_signatures_it_is_told_which(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    with pytest.raises(MissingLibrary, match=r"pip install 'warlog-client\[verify\]'"):
        verify(WHOLE)
    assert len(list(read_bundle(WHOLE))) == 16


def test_signatures_that_a_careless_library_takes_are_none() -> None:
    check, message = signature_check(), b"message"
    public_key, signature = KEY.public_key().public_bytes_raw(), KEY.sign(b"message")
    order = 2**252 + 27742317777372353535851937790883648493
    beyond = int.from_bytes(signature[32:], "little") + order
    assert check(public_key, message, signature)
    for key, each in (
        (public_key, signature[:32] + beyond.to_bytes(32, "little")),
        (public_key, bytes([signature[0] ^ 1]) + signature[1:]),
        (b"\xff" * 32, signature),
        ((2**255 - 19).to_bytes(32, "little"), signature),
        ((1 | 1 << 255).to_bytes(32, "little"), signature),
    ):
        assert not check(key, message, each)


def nested(lines: list[Line]) -> None:
    """Let a body, a part's value and a part's path be as deep as they may be."""
    deep: Any = "x"
    for _ in range(DEEP):
        deep = {"a": deep}
    event_of(lines, 13)["event"]["effects"][0]["deep"] = deep
    part = next(each for each in event_of(lines, 12)["parts"] if each["kind"] == "facts")
    part["body"] = {
        "entries": [[["action", "deep"], deep], [["action", "deep", *"a" * (DEEP - 6), "b"], 1]]
    }


def test_what_nests_deeply_is_judged_from_any_depth_of_calls(tmp_path: Path) -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10 * DEEP)
    try:
        bundle = rechained(RED.name, nested)
    finally:
        sys.setrecursionlimit(limit)
    report = judged([bytes_case("deep", bundle)], tmp_path)["deep"]
    assert (report["clean"], report["counts"]["events"]) == (True, 16)
    deepest = limit - len(inspect.stack()) - 100
    assert below(deepest, lambda: msgspec.to_builtins(verify(bundle, keys=PUBLIC_KEY)))["clean"]
    seen = [each.told for each in read_bundle(bundle)]
    assert isinstance(seen[11]["action"]["deep"], dict)
    spoilt = bundle.replace(b'"a":' * 5, b'"A":' * 5, 1)
    judged([bytes_case("spoilt", spoilt)], tmp_path)


def below(calls: int, what: Callable[[], Any]) -> Any:
    """What a function gives back that so many others wait for."""
    return what() if calls == 0 else below(calls - 1, what)


TEXTS: Final = (
    *(
        "[]",
        "{}",
        "[[]]",
        '{"a":{}}',
        '[1,{"a":[true,false,null]},"\\"\\u00e4"]',
        ' { "a" : [ 1 ] } ',
    ),
    *("[", "]", "{", "}", "[1", "[1,]", "[,1]", '{"a"}', '{"a":}', '{"a":1,}', "{1:2}", "[1 2]"),
    *(
        "[}",
        '{"a":1]',
        "[]]",
        "[] 1",
        "",
        "[nul]",
        "[-]",
        "[01]",
        "[1.]",
        '["\\x"]',
        "[NaN]",
        '["\n"]',
    ),
    *("[1e400,-0,1.0,9007199254740993,0.5]", '["\\ud800"]', '{"a":1,"a":2}', "\ufeff[]", "[tru]"),
)


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_what_is_deep_is_read_as_everything_else(text: str) -> None:
    def read(how: Callable[[str], Any]) -> Any:
        try:
            return how(text)
        except ValueError:
            return "no JSON"

    assert repr(read(lambda each: DeepReader(each).value())) == repr(read(parsed))


def test_a_line_that_looks_odd_within_its_strings_is_sound() -> None:
    texts = (":null", ",null", "\\u0000", '":1', 'x":"', ",1234567890123456", "[1.5", '{"A":')
    line = msgspec.json.encode({"a": texts, "b": 9007199254740991})
    assert line_of(line, as_line) == ({"a": list(texts), "b": 9007199254740991}, None)


async def test_a_battle_is_fetched_and_verified(caller: Caller) -> None:
    with Warlog(caller.url, caller.token) as warlog:
        table = warlog.battle(warlog.create_encounter(battle("tactical-d20", "sealed")).encounter)
        receipt = table.act(START).receipt
        told: list[Progress] = []
        report = table.verify(receipts=[receipt], heads=[f"2-{receipt.hash}"])
        assert (report.clean, report.signer, report.counts.events) == (True, "trusted", 2)
        assert [each.verdict for each in (*report.receipts, *report.heads)] == ["held", "held"]
        assert report.bundle is not None
        assert report.bundle.viewer == "gm"
        theirs = warlog.battle(table.encounter, seat="rita").verify()
        assert theirs == table.verify(by="rita", on_progress=told.append)
        assert theirs.bundle is not None
        assert (theirs.clean, theirs.bundle.viewer) == (True, "sides")
        assert told[-1].events == 2
        assert table.verify(keys=PUBLIC_KEY, language="ru").signer == "wrong"
        keys = warlog.signing_keys()
        assert verify(table.bundle(), keys=keys).signer == "trusted"
        async with AsyncWarlog(caller.url, caller.token) as client:
            same = client.battle(table.encounter)
            assert await same.verify() == table.verify(keys=keys)
        with pytest.raises(Problem):
            warlog.battle("nowhere").verify()
