"""What the client decides, step by step, without a network and without a clock.

The steps of a generator are answered from a script; what it asked for in between is compared whole.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final

import msgspec
import pytest

from warlog import Event, Patience, Problem, Resync, Status, Unreachable
from warlog.battle_calls import Place, act, answer, read_state
from warlog.caller import Caller
from warlog.following import follow
from warlog.kept_battle import KeptBattle, digest
from warlog.service_calls import join, me
from warlog.steps import Ask, Lost, Open, Pause, Read, Reply, Request, Response, Step, Steps, Tell

CALLER: Final = Caller(
    url="http://table/",
    token="ws_x",
    chance=Random(1),
    patience=Patience(tries=4, first_seconds=1.0, longest_seconds=4.0),
)
LOST: Final = Lost(was_sent=True, why="cut")
UNSENT: Final = Lost(was_sent=False, why="refused")


class Script:
    """Answers steps, and keeps them."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.requests: list[Request] = []
        self.pauses: list[float] = []
        self.told: list[object] = []

    def run(self, steps: Steps[Any]) -> Any:
        """What the steps lead to; None where the script ends first."""
        reply: Reply = None
        try:
            while True:
                step = steps.send(reply)
                if not self._replies and not isinstance(step, Pause | Tell):
                    return None
                reply = self._reply(step)
        except StopIteration as stop:
            return stop.value

    def _reply(self, step: Step) -> Reply:
        match step:
            case Ask(request) | Open(request, _):
                self.requests.append(request)
                return self._replies.pop(0)
            case Read():
                return self._replies.pop(0)
            case Pause(seconds):
                self.pauses.append(seconds)
            case Tell(what):
                self.told.append(what)
        return None


def place(caller: Caller = CALLER) -> Place:
    return Place(caller=caller, encounter="e1", kept=KeptBattle())


def told(status: int, tree: object, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status=status, headers=named, body=msgspec.json.encode(tree))


def refusal(status: int, code: str, **headers: str) -> Response:
    return told(status, {"status": status, "code": code, "detail": code}, **headers)


def done(seq: int = 3) -> Response:
    receipt = {"kid": "k", "encounter": "e1", "seq": seq, "hash": "0", "sig": "0"}
    tree = {"ruleset": "r", "accepted": 1, "events": [], "version": seq, "etag": "3-0"}
    return told(201, tree | {"decisions": [], "receipt": receipt})


@pytest.mark.parametrize(
    "trouble",
    [
        LOST,
        UNSENT,
        refusal(503, "outcome_unknown"),
        refusal(429, "too_many_requests"),
        refusal(409, "in_progress"),
        Response(status=502, body=b"<html>"),
        Response(status=504),
    ],
    ids=repr,
)
def test_what_may_have_been_done_is_sent_again_under_the_same_key(trouble: Reply) -> None:
    script = Script(trouble, trouble, done())
    assert script.run(act(place(), {"type": "note", "text": "a"})).version == 3
    assert len(script.requests) == 3
    assert script.requests[0] == script.requests[1] == script.requests[2]
    assert script.requests[0].key is not None
    assert script.requests[0].headers["Idempotency-Key"] == script.requests[0].key
    assert [0.5 <= script.pauses[0] <= 1, 1 <= script.pauses[1] <= 2] == [True, True]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "malformed"),
        (401, "unauthenticated"),
        (404, "unknown_encounter"),
        (409, "decision_pending"),
        (409, "idempotency_key_reused"),
        (412, "version_conflict"),
        (422, "out_of_range"),
        (500, "internal_error"),
    ],
)
def test_a_no_is_a_no(status: int, code: str) -> None:
    script = Script(refusal(status, code))
    with pytest.raises(Problem) as raised:
        script.run(act(place(), {"type": "note"}))
    assert (raised.value.status, raised.value.code, script.pauses) == (status, code, [])


def test_each_call_has_a_key_of_its_own_unless_it_is_given() -> None:
    scripts = [Script(done()) for _ in range(3)]
    for script, key in zip(scripts, (None, None, "mine"), strict=True):
        script.run(act(place(), {"type": "note"}, key=key))
    keys = [script.requests[0].key for script in scripts]
    assert len({*keys}) == 3
    assert keys[2] == "mine"


def test_the_service_says_how_long_to_wait() -> None:
    script = Script(refusal(503, "busy", retry_after="3"), done())
    script.run(act(place(), {"type": "note"}))
    assert script.pauses == [3.0]
    long = Script(refusal(429, "too_many_requests", retry_after="600"))
    with pytest.raises(Problem) as raised:
        long.run(act(place(), {"type": "note"}))
    assert raised.value.retry_after == 600.0


def test_in_the_end_it_says_that_the_outcome_is_unknown() -> None:
    script = Script(*[LOST] * 4)
    with pytest.raises(Unreachable) as raised:
        script.run(act(place(), {"type": "note"}, key="mine"))
    assert (raised.value.outcome_unknown, raised.value.key) == (True, "mine")
    with pytest.raises(Unreachable) as certain:
        Script(*[UNSENT] * 4).run(act(place(), {"type": "note"}))
    assert certain.value.outcome_unknown is False
    with pytest.raises(Unreachable) as read:
        Script(*[LOST] * 4).run(read_state(place()))
    assert read.value.outcome_unknown is False


def test_a_join_is_sent_again_with_the_same_token() -> None:
    seat = {"encounter": "e1", "seat": "anna", "role": "player"}
    script = Script(LOST, told(201, seat))
    joined = script.run(join(CALLER, "7K3QF-9TX0M"))
    assert script.requests[0] == script.requests[1]
    assert joined.token.startswith("ws_")
    assert len(joined.token) == 46


def test_what_goes_out() -> None:
    script = Script(done())
    script.run(answer(place(), "d4.1", "roll", dice=[6, 1], key="k", by="anna"))
    [request] = script.requests
    assert request.url == "http://table/v1/encounters/e1/actions"
    assert dict(request.headers) == {
        "Accept": "application/json",
        "Accept-Language": "en",
        "Authorization": "Bearer ws_x",
        "Content-Type": "application/json",
        "Idempotency-Key": "k",
        "Warlog-Seat": "anna",
    }
    action = {"type": "answer", "decision_id": "d4.1", "choice": {"type": "roll"}}
    assert msgspec.json.decode(request.body or b"") == {"action": action, "dice": [6, 1]}
    asked = Script(LOST)
    asked.run(me(CALLER, limit=3))
    assert asked.requests[0].query == {"limit": "3"}


# Streams.

RECEIPT: Final = {"kid": "k", "encounter": "e1", "seq": 1, "hash": "0", "sig": "0"}
OPENED: Final = Response(status=200)
FOLLOWED: Final = Caller(url="http://table", chance=Random(1))


def document(seq: int) -> dict[str, Any]:
    return {"decisions": [], "state": {"seq": seq}, "table": {}}


def sent(kind: str, cursor: str, **fields: Any) -> bytes:
    body = msgspec.json.encode({"type": kind, "encounter": "e1", "ruleset": "r", **fields})
    name = f"id: {cursor}\n" if cursor else ""
    return f"{name}event: {kind}\ndata: ".encode() + body + b"\n\n"


def hello(seq: int, at: int, **fields: Any) -> bytes:
    common = {"etag": "0", "role": "gm", "presence": [], "decisions": [], "timers": []}
    more = {"receipt": RECEIPT, "state_url": "/", **fields}
    return sent("hello", f"{at}-{at:08x}", seq=seq, hash=f"{seq:064x}", **common, **more)


def event(seq: int, prev: int | None = None, patch: list[Any] | None = None) -> bytes:
    before = seq - 1 if prev is None else prev
    steps = [{"op": "replace", "path": "/state/seq", "value": seq}] if patch is None else patch
    return sent(
        "event",
        f"{seq}-{seq:08x}",
        seq=seq,
        hash=f"{seq:08x}" + "0" * 56,
        recorded_at="",
        event={"prev": f"{before:08x}" + "0" * 56, "action": {"type": "note"}, "effects": []},
        commits=[],
        parts=[],
        patch=steps,
    )


def followed(*replies: Reply, at: int | None = None) -> tuple[Script, KeptBattle]:
    here = Place(caller=FOLLOWED, encounter="e1", kept=KeptBattle())
    if at is not None:
        here.kept.stand(f"{at}-{at:08x}", document(at))
    script = Script(*replies)
    script.run(follow(here).steps)
    return script, here.kept


def seqs(records: Iterable[object]) -> list[int]:
    return [each.seq for each in records if isinstance(each, Event)]


def statuses(records: Iterable[object]) -> list[str]:
    return [each.status for each in records if isinstance(each, Status)]


def places(requests: Sequence[Request]) -> list[str | None]:
    return [each.query.get("after") for each in requests]


def test_it_goes_on_where_it_was_cut_off() -> None:
    begun = hello(5, 5, document=document(5))
    again = hello(7, 6, document_sha256=digest(document(6)))
    script, kept = followed(OPENED, begun, event(6), b"", LOST, OPENED, again, event(7), LOST)
    assert seqs(script.told) == [6, 7]
    assert places(script.requests) == [None, "6-00000006", "6-00000006"]
    assert statuses(script.told) == ["live", "offline", "offline", "catching_up", "live", "offline"]
    assert kept.document == document(7)


def test_pieces_may_be_cut_anywhere() -> None:
    whole = hello(5, 5, document=document(5)) + event(6) + event(7)
    pieces = [whole[at : at + 7] for at in range(0, len(whole), 7)]
    script, kept = followed(OPENED, *pieces)
    assert seqs(script.told) == [6, 7]
    assert kept.cursor == "7-00000007"


@pytest.mark.parametrize(
    "wrong",
    [event(8), event(7, prev=3), event(6), event(7, patch=[{"op": "remove", "path": "/gone"}])],
    ids=["a gap", "another history", "an event again", "a patch that does not fit"],
)
def test_what_does_not_continue_is_not_told_but_asked_for_again(wrong: bytes) -> None:
    begun = hello(6, 6, document=document(6))
    again = hello(7, 6, document_sha256=digest(document(6)))
    view = told(200, {"encounter": "e1", **document(6)})
    replies: list[Reply] = [OPENED, begun, wrong, OPENED, again]
    if b"gone" in wrong:
        replies.append(view)
    script, kept = followed(*replies, event(7))
    assert seqs(script.told) == [7]
    assert kept.document == document(7)
    assert script.requests[1].query["after"] == "6-00000006"


def test_a_state_that_is_not_the_services_is_asked_for() -> None:
    other = hello(6, 6, document_sha256=digest(document(66)))
    view = told(200, {"encounter": "e1", **document(66)})
    script, kept = followed(OPENED, other, view, at=6)
    assert kept.document == document(66)
    assert script.requests[1].url == "http://table/v1/encounters/e1"
    assert script.requests[1].query == {"at": "6", "notes": "100"}


@pytest.mark.parametrize("reply", [LOST, refusal(503, "try_again")], ids=["lost", "refused"])
def test_a_state_that_cannot_be_had_is_asked_for_again(reply: Reply) -> None:
    other = hello(7, 6, document_sha256=digest(document(66)))
    view = told(200, {"encounter": "e1", **document(66)})
    script, kept = followed(OPENED, other, reply, OPENED, other, view, event(7), at=6)
    assert [each.url.rpartition("/")[2] for each in script.requests] == ["stream", "e1"] * 2
    assert places(script.requests)[::2] == ["6-00000006", "6-00000006"]
    assert statuses(script.told)[0] == "offline"
    assert seqs(script.told) == [7]
    assert kept.document == document(7)


def test_where_even_that_differs_it_begins_anew() -> None:
    other = hello(6, 6, document_sha256=digest(document(66)))
    view = told(200, {"encounter": "e1", **document(67)})
    fresh = hello(6, 6, document=document(68))
    script, kept = followed(OPENED, other, view, OPENED, fresh, at=6)
    assert places(script.requests) == ["6-00000006", None, None]
    assert kept.document == document(68)


def test_another_history_is_said_and_read_from_its_present() -> None:
    diverged = refusal(409, "history_diverged")
    fresh = hello(2, 2, document=document(2))
    script, kept = followed(diverged, OPENED, fresh, at=9)
    assert [each.reason for each in script.told if isinstance(each, Resync)] == ["history_diverged"]
    assert places(script.requests) == ["9-00000009", None]
    assert (kept.document, kept.cursor) == (document(2), "2-00000002")


def page(*events: bytes) -> Response:
    bodies = [msgspec.json.decode(each.partition(b"data: ")[2]) for each in events]
    last = bodies[-1]
    following = f"{last['seq']}-{last['hash'][:8]}"
    return told(200, {"ruleset": "r", "events": bodies, "next": following, "head": 90})


FAR: Final = sent("resync", "", reason="too_far_behind", after="90-0000005a", document=document(90))


def test_what_a_stream_left_out_is_told_by_pages() -> None:
    plain = [event(seq, patch=[]) for seq in range(7, 91)]
    pages = page(*plain[:64]), page(*plain[64:])
    script, kept = followed(OPENED, hello(90, 90), FAR, *pages, event(91), at=6)
    assert seqs(script.told) == list(range(7, 92))
    assert kept.document == document(91)
    assert statuses(script.told) == ["catching_up", "live"]
    asked = [(each.query["after"], each.query["limit"]) for each in script.requests[1:]]
    assert asked == [("6-00000006", "64"), ("70-00000046", "20")]
    behind = [each for each in script.told if isinstance(each, Resync)]
    assert script.told.index(behind[0]) > script.told.index(
        next(each for each in script.told if isinstance(each, Event) and each.seq == 90)
    )


@pytest.mark.parametrize(
    "reply",
    [LOST, refusal(404, "unknown"), page(event(9)), page(event(7, prev=3, patch=[]))],
    ids=["no answer", "no page", "a gap", "another history"],
)
def test_pages_that_do_not_continue_are_asked_for_again(reply: Response) -> None:
    again = hello(7, 6, document_sha256=digest(document(6)))
    script, kept = followed(OPENED, hello(90, 90), FAR, reply, OPENED, again, event(7), at=6)
    assert seqs(script.told) == [7]
    assert [each.reason for each in script.told if isinstance(each, Resync)] == []
    assert script.requests[2].query["after"] == "6-00000006"
    assert kept.document == document(7)


@pytest.mark.parametrize("reason", ["revoked", "deleted"])
def test_it_ends_where_there_is_nothing_to_come_back_to(reason: str) -> None:
    begun = hello(5, 5, document=document(5))
    script, _ = followed(OPENED, begun, sent("bye", "", reason=reason), b"never read")
    assert len(script.requests) == 1
    assert getattr(script.told[-1], "reason", None) == reason


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_it_raises_what_no_patience_mends(status: int) -> None:
    with pytest.raises(Problem) as raised:
        followed(refusal(status, "no"))
    assert raised.value.status == status


def test_it_waits_longer_each_time_and_shorter_once_it_heard_something() -> None:
    script, _ = followed(*[UNSENT] * 6, OPENED, hello(5, 5, document=document(5)), event(6), LOST)
    assert [0.1 * 2**n <= pause <= 0.2 * 2**n for n, pause in enumerate(script.pauses[:6])] == (
        [True] * 6
    )
    assert script.pauses[6] <= 0.2


def test_records_of_a_later_version_are_left_out() -> None:
    begun = hello(5, 5, document=document(5), colour="red")
    script, _ = followed(OPENED, begun, sent("weather", "", rain=True), event(6))
    assert seqs(script.told) == [6]
    assert statuses(script.told) == ["live"]


def test_from_the_beginning_nothing_is_held_before_event_1() -> None:
    here = Place(caller=FOLLOWED, encounter="e1", kept=KeptBattle())
    greeting = hello(1, 0, document_sha256=digest({}))
    whole = [{"op": "add", "path": f"/{name}", "value": each} for name, each in document(1).items()]
    script = Script(OPENED, greeting, event(1, patch=whole))
    script.run(follow(here, after=0).steps)
    assert places(script.requests) == ["0"]
    assert here.kept.document == document(1)
