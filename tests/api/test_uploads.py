"""Bundles that are sent to be audited: the same as offline, streamed, bounded, and nothing kept."""

import gzip
import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import msgspec
import pytest
from structlog.testing import capture_logs

from service.encounters.principal import SCOPES
from service.engine import hashing
from service.engine.log import canonical
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.audit.audit_records import PIECE_BYTES, lines_of, piece_in
from service.replay.audit.bundle_audit import audit_bundle
from service.rulesets import RULESETS
from tests.api.people import OWN, UNSEEN, battle
from tests.api.people import RULESETS as RULESETS_PLAYED
from tests.api.serving import SHOT, Caller, Served, new_key, problem, settings_for
from tests.api.streaming import services_behind
from tests.patience import PATIENCE_SECONDS
from tests.replay.golden import FOLDER
from tests.soak import with_soak

NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"
PATH: Final = "/v1/audits"
GOLDEN: Final = FOLDER / "crossfire-d6-sealed.ndjson"
SMALL_BYTES: Final = 2 << 20


@pytest.fixture(scope="module")
def strict(database: Dsns) -> Iterator[Served]:
    """A service with less patience than usual."""
    with Served(settings_for(database, WARLOG_AUDIT_SECONDS="3")) as running:
        yield running


@pytest.fixture
def cramped(database: Dsns, token: str) -> Iterator[Caller]:
    """A caller of a service with less room than usual."""
    settings = settings_for(database, WARLOG_AUDIT_BYTES=str(SMALL_BYTES))
    with Served(settings) as running, Caller(running.url, token) as one:
        yield one


@pytest.fixture
def hasty(strict: Served, token: str) -> Iterator[Caller]:
    with Caller(strict.url, token) as one:
        yield one


@pytest.fixture
async def token(store: EventStore, tenant: UUID) -> str:
    return await new_key(store, tenant, SCOPES)


def sent(
    caller: Caller, body: Any, query: str = "", content_type: str = NDJSON, **headers: str
) -> httpx.Response:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return caller.http.post(
        PATH + query, content=body, headers={"Content-Type": content_type, **names}
    )


def offline(path: Path) -> Any:
    with path.open("rb") as lines:
        return json.loads(msgspec.json.encode(audit_bundle(lines, RULESETS)))


def as_they_came(report: Any) -> list[dict[str, Any]]:
    """The verdicts of a report without what later events say of them."""
    return [
        {name: value for name, value in verdict.items() if name != "undone_by"}
        for verdict in report["verdicts"]
    ]


def records(answer: httpx.Response) -> list[dict[str, Any]]:
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, NDJSON)
    assert answer.headers["Cache-Control"] == "no-store, no-transform"
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.parametrize(
    "name",
    with_soak(["crossfire-d6-sealed", "crossfire-d6-sealed-red"], ["squad-d100-sealed"]),
)
def test_the_report_is_that_of_an_audit_offline(caller: Caller, name: str) -> None:
    path = FOLDER / f"{name}.ndjson"
    answer = sent(caller, path.read_bytes())
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
    assert answer.json() == offline(path)


def test_records_tell_how_far_it_is_and_end_with_the_report(caller: Caller) -> None:
    body = GOLDEN.read_bytes()
    *rest, last = records(sent(caller, body, accept=NDJSON))
    assert rest == [{"type": "progress", "events": 57, "bytes": len(body)}]
    assert last == {"type": "report", "report": offline(GOLDEN)}
    answer = sent(caller, body, accept=SSE)
    assert answer.headers["Content-Type"] == SSE
    told = [block.split("\ndata: ") for block in answer.text.split("\n\n") if block]
    assert [(name, json.loads(data)) for name, data in told] == [
        ("event: progress", rest[0]),
        ("event: report", last),
    ]


def test_a_long_record_is_told_in_pieces() -> None:
    body = bytes(range(97, 123)) * PIECE_BYTES
    told = [piece_in(line) for line in lines_of("report", body)]
    assert [(kind, is_last) for kind, is_last, _ in told] == [
        *[("report", False)] * 25,
        ("report", True),
    ]
    assert b"".join(piece for _, _, piece in told) == body


@pytest.mark.parametrize("slug", with_soak([*RULESETS_PLAYED][:1], [*RULESETS_PLAYED][1:]))
def test_state_scene_and_explanation_are_what_the_service_shows_each_viewpoint(
    caller: Caller, slug: str
) -> None:
    encounter = battle(caller, slug)
    caller.act(encounter, {"type": "note", "text": "said", "gm_text": "whispered"})
    caller.act(encounter, {"type": "adjust", "changes": [{"type": "reveal", "combatant": UNSEEN}]})
    fighters = {each["id"]: each for each in caller.get(encounter).json()["state"]["combatants"]}
    side = fighters[OWN[slug]]["side"]
    with caller.seated("guest") as guest, caller.seated("vera") as vera:
        askers = {"everyone": guest, "gm": caller, side: vera}
        bundle = caller.get(f"{encounter}/bundle").content
        told = records(
            sent(
                caller,
                bundle,
                f"?include=scene,state,table,explanation&viewpoint={','.join(askers)}",
            )
        )
        events = [record for record in told if record["type"] == "event"]
        for seq, event in enumerate(events, start=1):
            assert event["verdict"]["verdict"] in {"match", "override"}
            views = [asker.get(f"{encounter}?at={seq}").json() for asker in askers.values()]
            scenes = [asker.get(f"{encounter}/scene?at={seq}").json() for asker in askers.values()]
            event_path = f"{encounter}/events/{seq}?explain=en"
            explanations = [asker.get(event_path).json() for asker in askers.values()]
            assert event["views"] == [
                {
                    "viewpoint": name,
                    "state": view["state"],
                    "decisions": view["decisions"],
                    "table": shared(view["table"]),
                    "scene": scene["scene"],
                    "explanation": explained["explanation"],
                }
                for name, view, scene, explained in zip(
                    askers, views, scenes, explanations, strict=True
                )
            ]
    assert UNSEEN not in json.dumps(events[1]["views"][0])
    assert UNSEEN in json.dumps(events[1]["views"][1])


def shared(table: dict[str, Any]) -> dict[str, Any]:
    """A table without what one seat alone is shown."""
    return {name: value for name, value in table.items() if not name.startswith("undo_")}


@pytest.mark.soak
def test_luck_is_told_as_the_service_tells_it(caller: Caller) -> None:
    encounter = caller.started()
    caller.act(encounter, SHOT)
    asked = caller.get(f"{encounter}/audit?include=luck").json()["luck"]
    bundle = caller.get(f"{encounter}/bundle").content
    assert sum(seat["rolls"] for seat in asked["seats"]) > 0
    assert sent(caller, bundle, "?include=luck").json()["luck"] == asked
    *_, last = records(sent(caller, bundle, "?include=verdict,luck"))
    assert last["report"]["luck"] == asked
    assert "luck" not in sent(caller, bundle).json()
    with caller.seated("vera") as vera:
        asked = vera.get(f"{encounter}/audit?include=luck").json()["luck"]
        bundle = vera.get(f"{encounter}/bundle").content
    assert sent(caller, bundle, "?include=luck").json()["luck"] == {**asked, "readers": ["vera"]}


@pytest.mark.soak
def test_a_bundle_of_a_side_shows_the_state_that_the_side_was_shown(caller: Caller) -> None:
    whole = (FOLDER / "crossfire-d6-sealed.ndjson").read_bytes()
    asked = "?include=state,table,scene&viewpoint="
    shown = [each["views"][0] for each in records(sent(caller, whole, f"{asked}red"))[:-2]]
    body = (FOLDER / "crossfire-d6-sealed-red.ndjson").read_bytes()
    told = [each["views"][0] for each in records(sent(caller, body, f"{asked}red"))[:-2]]
    assert len(told) == len(shown) == 57
    known = [pair for pair in zip(told, shown, strict=True) if "unknown_paths" not in pair[0]]
    assert [one for one, _ in known] == [other for _, other in known]
    assert len(known) > 10
    for one, other in zip(told, shown, strict=True):
        unknown = {each["path"] for each in one.get("unknown_paths", ())}
        assert {f"state.{name}" for name in other["state"].keys() - one["state"].keys()} <= unknown


def test_from_a_wrong_event_on_a_bundle_of_a_side_shows_no_state(caller: Caller) -> None:
    lines = (FOLDER / "crossfire-d6-sealed-red.ndjson").read_bytes().splitlines(keepends=True)
    body = b"".join([*lines[:30], lines[30].replace(b'"seq":', b'"seq":9', 1), *lines[31:]])
    events = [each for each in records(sent(caller, body, "?include=state")) if "views" in each]
    first = next(at for at, each in enumerate(events) if "unknown" in each["views"][0])
    seq = events[first]["verdict"]["seq"]
    assert events[first]["verdict"]["verdict"] == "mismatch"
    assert all("state" in each["views"][0] for each in events[:first])
    assert [each["views"] for each in events[first:]] == [
        [{"viewpoint": "viewer", "unknown": "parts_withheld", "unknown_since": seq}]
    ] * len(events[first:])


def test_of_a_bundle_of_a_side_only_its_own_viewpoints_are_shown(caller: Caller) -> None:
    body = (FOLDER / "crossfire-d6-sealed-red.ndjson").read_bytes()
    refused = problem(sent(caller, body, "?include=state&viewpoint=gm"))
    assert (refused["status"], refused["code"]) == (400, "malformed")
    assert refused["params"] == {"path": "query.viewpoint", "why": "unknown_value", "value": "gm"}
    assert refused["allowed"] == ["everyone", "red"]


def narrations(caller: Caller, name: str, viewpoint: str, language: str) -> list[str]:
    """What each event of a golden bundle is shown as."""
    body = (FOLDER / f"{name}.ndjson").read_bytes()
    query = f"?include=narration&viewpoint={viewpoint}"
    told = records(sent(caller, body, query, accept_language=language))
    views = [record["views"] for record in told if record["type"] == "event"]
    assert {(each["viewpoint"], *each.keys()) for [each] in views} == {
        (viewpoint, "viewpoint", "narration")
    }
    return [each["narration"] for [each] in views]


@pytest.mark.soak
def test_an_event_is_told_as_its_viewpoint_sees_it(caller: Caller) -> None:
    of_all = narrations(caller, "crossfire-d6-sealed", "everyone", "en")
    assert narrations(caller, "crossfire-d6-sealed-red", "everyone", "en") == of_all
    assert narrations(caller, "crossfire-d6-sealed", "gm", "en") != of_all
    russian = narrations(caller, "crossfire-d6-sealed", "gm", "ru")
    assert russian[4].startswith("Бой начался.")


def test_verdicts_alone_can_be_asked_for(caller: Caller) -> None:
    told = records(sent(caller, GOLDEN.read_bytes(), "?include=verdict"))
    verdicts = [record["verdict"] for record in told if record["type"] == "event"]
    assert verdicts == as_they_came(told[-1]["report"])
    refused = problem(
        sent(caller, GOLDEN.read_bytes(), "?include=verdict", accept="application/json")
    )
    assert (refused["code"], refused["allowed"]) == ("not_acceptable", [NDJSON, SSE])


def test_only_who_asks_for_it_trusts_the_keys_of_this_service(caller: Caller) -> None:
    bundle = caller.get(f"{caller.started()}/bundle").content
    assert sent(caller, bundle).json()["signer"] == "unknown"
    assert sent(caller, bundle, "?keys=own").json()["signer"] == "trusted"
    foreign = sent(caller, GOLDEN.read_bytes(), "?keys=own").json()
    assert (foreign["clean"], foreign["signer"]) == (True, "unknown")


def test_nothing_of_the_service_s_own_is_used(caller: Caller) -> None:
    """The bundle of a battle under way says nothing of dice that the service could check."""
    encounter = caller.started()
    caller.act(encounter, SHOT)
    bundle = caller.get(f"{encounter}/bundle").content
    dice = sent(caller, bundle).json()["dice"]
    assert (dice["fairness"], dice["checked"]) == ("sealed", 0)
    assert caller.get(f"{encounter}/audit").json()["dice"]["checked"] > 0


LINES: Final = GOLDEN.read_bytes().splitlines(keepends=True)
DAMAGED: Final[dict[str, tuple[bytes, int, str]]] = {
    "an empty body": (b"", 1, "truncated"),
    "no JSON": (b"bundle", 1, "unreadable"),
    "a gzip": (gzip.compress(GOLDEN.read_bytes()), 1, "unreadable"),
    "another object": (b'{"type":"note"}\n', 1, "unreadable"),
    "no seal": (b"".join(LINES[:-1]), len(LINES), "truncated"),
    "half a line": (b"".join(LINES[:5]) + LINES[5][:100], 6, "truncated"),
    "events before blobs": (
        b"".join([LINES[0], LINES[2], LINES[1], *LINES[3:]]),
        3,
        "out_of_order",
    ),
    "two headers": (LINES[0] * 2, 2, "out_of_order"),
    "a line twice behind the seal": (b"".join(LINES) + LINES[-1], len(LINES) + 1, "out_of_order"),
    "no UTF-8": (LINES[0].replace(b"crossfire", b"cross\xff\xfere"), 1, "unreadable"),
    "spaces": (LINES[0].replace(b":", b": ", 1), 1, "not_canonical"),
    "a deep object": (b'{"type":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n", 1, "unreadable"),
    "a deep event": (
        b"".join(LINES[:2]) + LINES[2].replace(b'"event":{', b'"event":{"a":' + b"[" * 100_000, 1),
        3,
        "unreadable",
    ),
}


ALWAYS: Final = {"half a line", "a deep event"}
"""Kinds of damage of every run; each starts a process."""


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        pytest.param(*case, id=name, marks=[] if name in ALWAYS else pytest.mark.soak)
        for name, case in DAMAGED.items()
    ],
)
def test_what_is_no_bundle_is_refused_by_its_line(
    caller: Caller, body: bytes, line: int, reason: str
) -> None:
    told = problem(sent(caller, body))
    assert (told["status"], told["code"]) == (400, "damaged_bundle")
    assert (told["params"]["line"], told["params"]["reason"]) == (line, reason)
    assert problem(sent(caller, body, accept=NDJSON, accept_language="ru"))["detail"].startswith(
        f"Строка {line} "
    )


@pytest.mark.soak
def test_events_out_of_order_are_found_and_told_where(caller: Caller) -> None:
    swapped = [*LINES[:4], LINES[5], LINES[4], *LINES[6:]]
    report = sent(caller, b"".join(swapped)).json()
    assert (report["clean"], report["first_failure"]["seq"]) == (False, 4)
    twice = [*LINES[:5], *LINES[4:]]
    assert sent(caller, b"".join(twice)).json()["clean"] is False


@pytest.mark.soak
def test_an_unknown_ruleset_version_is_unavailable(caller: Caller) -> None:
    body = LINES[0].replace(b'"version":"1"', b'"version":"9"') + b"".join(LINES[1:])
    report = sent(caller, body).json()
    assert (report["clean"], report["counts"]) == (False, {"unavailable": 57})


@pytest.mark.parametrize(
    ("content_type", "encoding", "header", "allowed"),
    [
        ("application/json", "identity", "Content-Type", NDJSON),
        ("", "identity", "Content-Type", NDJSON),
        (NDJSON, "gzip", "Content-Encoding", "identity"),
    ],
)
def test_a_body_of_another_type_is_refused(
    caller: Caller, content_type: str, encoding: str, header: str, allowed: str
) -> None:
    told = problem(sent(caller, b"{}", content_type=content_type, content_encoding=encoding))
    assert (told["status"], told["params"], told["allowed"]) == (415, {"header": header}, allowed)


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("?include=picture", "query.include"),
        ("?include=", "query.include"),
        ("?include=state,,scene", "query.include"),
        ("?viewpoint=a%20b", "query.viewpoint"),
        ("?keys=mine", "query.keys"),
        ("?key=own", "query.key"),
    ],
)
def test_a_slip_in_the_query_is_refused_by_name(caller: Caller, query: str, path: str) -> None:
    told = problem(sent(caller, b"{}", query))
    assert (told["status"], told["params"]["path"]) == (400, path)


def test_too_long_a_bundle_is_refused_before_or_as_it_comes(cramped: Caller) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"".join(LINES[:-1])
        for _ in range(SMALL_BYTES // 65_536):
            yield b"x" * 65_536

    for body in (b"{" * (SMALL_BYTES + 1), chunks()):
        told = problem(sent(cramped, body))
        assert (told["status"], told["code"]) == (413, "too_large")
        assert told["params"] == {"limit": SMALL_BYTES}
    # No other route takes more than it did.
    told = problem(cramped.post("/v1/encounters", {"title": "x" * (1 << 20)}))
    assert (told["status"], told["params"]) == (413, {"limit": 1 << 20})


class Half:
    """A client who sends the beginning of a bundle and keeps the rest."""

    def __init__(self, caller: Caller, *lines: bytes, accept: str = NDJSON) -> None:
        place = urlsplit(caller.url)
        self.socket = socket.create_connection((str(place.hostname), place.port or 80))
        self.socket.settimeout(PATIENCE_SECONDS)
        head = (
            f"POST {PATH} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {caller.token}\r\n"
            f"Content-Type: {NDJSON}\r\nAccept: {accept}\r\nContent-Length: 1000000\r\n\r\n"
        )
        self.socket.sendall(head.encode() + b"".join(lines))

    def __enter__(self) -> "Half":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def answer(self) -> tuple[int, Any]:
        response = http.client.HTTPResponse(self.socket)
        response.begin()
        return response.status, json.loads(response.read())


def wait_until(served: Served, jobs: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while services_behind(served).jobs.running != jobs:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_caller_has_one_audit_at_a_time_and_ends_it_by_leaving(
    served: Served, caller: Caller
) -> None:
    with Half(caller, *LINES[:10]):
        wait_until(served, 1)
        told = problem(sent(caller, GOLDEN.read_bytes()))
        assert (told["status"], told["code"]) == (429, "audit_running")
    # Long before its time for the rest of the bundle is over.
    wait_until(served, 0)
    assert sent(caller, GOLDEN.read_bytes()).status_code == 200


def test_a_caller_who_leaves_after_the_last_byte_ends_the_audit(
    served: Served, caller: Caller
) -> None:
    place = urlsplit(caller.url)
    body = b"".join(LINES[:-1]) + b"".join(LINES[-2:-1]) * 400
    client = socket.create_connection((str(place.hostname), place.port or 80))
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {caller.token}\r\n"
        f"Content-Type: {NDJSON}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    client.sendall(head.encode() + body)
    wait_until(served, 1)
    client.close()
    wait_until(served, 0)


def test_a_caller_who_sends_too_slowly_is_told_so(database: Dsns, token: str) -> None:
    settings = settings_for(database, WARLOG_REQUEST_SECONDS="1")
    with (
        Served(settings) as running,
        Caller(running.url, token) as one,
        Half(one, *LINES[:3]) as half,
    ):
        status, told = half.answer()
    assert (status, told["code"]) == (408, "request_timeout")


def test_an_audit_that_takes_too_long_is_ended(strict: Served, hasty: Caller) -> None:
    def endless() -> Iterator[bytes]:
        yield LINES[0]
        yield b"{"
        for _ in range(SMALL_BYTES // 40_000):
            time.sleep(0.2)
            yield b"x" * 40_000

    told = problem(sent(hasty, endless()))
    assert (told["status"], told["code"], told["params"]) == (422, "audit_too_long", {"seconds": 3})
    assert services_behind(strict).jobs.running == 0


def test_a_service_that_stops_ends_audits(database: Dsns, token: str) -> None:
    with Served(settings_for(database)) as running, Caller(running.url, token) as caller:
        jobs = services_behind(running).jobs
        half = Half(caller, *LINES[:10])
        wait_until(running, 1)
    assert jobs.running == 0
    with half:
        status, told = half.answer()
    assert (status, told["code"]) == (503, "stopping")


def test_the_log_tells_nothing_of_a_bundle(
    caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    canary = LINES[0].replace(b'"version":"1"', b'"version":"canary"')
    # Not from standard output: to read that while the service writes to it may end the process.
    with capture_logs() as told:
        assert sent(caller, canary + b"".join(LINES[1:])).status_code == 200
        assert sent(caller, b'{"canary":1}\n').status_code == 400
        deadline = time.monotonic() + PATIENCE_SECONDS
        while [each.get("call") for each in told].count("audit_bundle") < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)  # a line follows its answer
    assert "canary" not in repr(told) + caplog.text


def test_more_viewpoints_than_a_battle_has_are_refused_shortly(caller: Caller) -> None:
    header = json.loads(LINES[0])
    many = [f"s{number:018}" for number in range(14_000)]
    header["viewer"] = {"kind": "sides", "grants": [{"since": 1, "sides": many}]}
    body = b"".join([canonical.encode(header) + b"\n", *LINES[1:]])
    answer = sent(caller, body, "?include=state&viewpoint=gm", accept=NDJSON)
    assert (answer.status_code, problem(answer)["code"]) == (400, "malformed")
    assert len(answer.content) < 2_000


@pytest.mark.parametrize("behind", with_soak([8], [10]))
def test_a_part_that_points_into_nothing_is_told_and_ends_nothing(
    caller: Caller, behind: int
) -> None:
    lines = (FOLDER / "melody-d6-supplied.ndjson").read_bytes().splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if b'"type":"event"' in line)
    at = first + behind
    line = json.loads(lines[at])
    line["event"]["effects"] = []
    line["hash"] = hashing.event_hash(canonical.encode(line["event"]))
    body = b"".join([*lines[:at], canonical.encode(line) + b"\n", *lines[at + 1 :]])
    answer = sent(caller, body, "?include=narration,explanation", accept=NDJSON)
    assert answer.status_code == 200
    last = records(answer)[-1]
    assert (last["type"], last["report"]["clean"]) == ("report", False)
