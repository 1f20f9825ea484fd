"""`warlog audit` and `warlog export`: files without a database, encounters with one."""

import asyncio
import base64
import json
import re
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.cli import run
from service.encounters.receipts import Signer, kid_of
from service.encounters.responses import Receipt
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.store import EventStore
from service.exits import Exit
from service.replay.audit.audit_records import BundleAuditOrder
from service.replay.audit.bundle_job import audit_fed
from tests.conftest import scratch_database, user_of
from tests.encounters.table import Table, end_turn, new_table, shoot
from tests.replay.golden import FOLDER
from tests.replay.memory_audit import SIGNER

SIGNING_KEY = SIGNER.key.public_key().public_bytes_raw()
GOLDEN = FOLDER / "crossfire-d6-sealed.ndjson"
SUPPLIED = FOLDER / "crossfire-d6-supplied.ndjson"


@pytest.fixture(scope="module")
async def database(server: str) -> AsyncIterator[Dsns]:
    """A database that no other test left logs in."""
    async with scratch_database(server) as dsns:
        await upgrade(dsns.owner, app_role=user_of(dsns.app), eraser_role=user_of(dsns.eraser))
        yield dsns


@pytest.fixture
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever tries to reach a database fails at once."""
    monkeypatch.setenv("WARLOG_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, database: Dsns) -> None:
    monkeypatch.setenv("WARLOG_DATABASE_URL", database.app)
    monkeypatch.setenv("WARLOG_MIGRATE_URL", database.owner)
    monkeypatch.setenv("WARLOG_ERASE_URL", database.eraser)


def played(database: Dsns) -> UUID:
    """A short battle in the database, its seed revealed."""

    async def play() -> UUID:
        store = await EventStore.open(database.app, eraser_url=database.eraser)
        table: Table = await new_table(store)
        encounter = await table.started()
        await table.act(encounter, shoot("r1", "b1"), end_turn("r1"))
        await table.act(encounter, {"type": "end_encounter", "reveal": "now"})
        await table.encounters.writes.settle()
        await store.close()
        return encounter

    return asyncio.run(play())


@pytest.fixture
def encounter(database: Dsns) -> UUID:
    return played(database)


# --- files ----------------------------------------------------------------------------------------

LOGGED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[")
"""How a line of the log begins, on a terminal."""


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """What a command printed, without what a service of another test logs in this process."""
    lines = capsys.readouterr().out.splitlines(keepends=True)
    return "".join(line for line in lines if not LOGGED.match(line))


@pytest.mark.usefixtures("no_database")
def test_a_sound_bundle_is_found_clean_without_any_database(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["audit", str(GOLDEN), "--public-key", SIGNING_KEY.hex()]) == Exit.OK
    told = said(capsys)
    assert "54 match" in told
    assert "2 override" in told
    assert "receipt over the head: genuine" in told
    assert "signed by a key that is trusted here" in told
    assert "dice: sealed; 114 of the 114 dice that can be seen here were drawn again" in told
    assert "last contributor: boris" in told
    assert told.startswith("clean\n")


def test_dice_of_the_table_are_said_to_prove_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", str(SUPPLIED)]) == Exit.UNVERIFIED
    assert (
        "that can be seen here could be checked: fairness was not verified"
        in capsys.readouterr().out
    )


def test_the_report_is_to_be_had_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", str(GOLDEN), "--json"]) == Exit.UNVERIFIED
    report = json.loads(said(capsys))
    assert (report["clean"], report["signer"]) == (True, "unknown")
    assert report["counts"] == {"match": 54, "override": 2, "erased": 1}
    assert len(report["verdicts"]) == 57


@pytest.mark.usefixtures("no_database")
def test_each_event_is_told_as_the_service_tells_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "--include",
        "verdict,state,table,scene,narration,explanation",
        "--viewpoint",
        "gm,everyone",
    ]
    assert run(["audit", str(GOLDEN), *words, "--json"]) == Exit.UNVERIFIED
    *told, last = map(json.loads, said(capsys).splitlines())
    assert len(told) == len(last["report"]["verdicts"])
    order = BundleAuditOrder(
        include=("verdict", "state", "table", "scene", "narration", "explanation"),
        viewpoints=("gm", "everyone"),
    )
    fed = BytesIO(msgspec.json.encode(order) + b"\n" + GOLDEN.read_bytes())
    events = [line[2:] for line in audit_fed(fed) if line.startswith(b"e.")]
    assert told == [json.loads(event) for event in events]


def test_verdicts_and_sentences_are_told_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--include", "narration", "--viewpoint", "gm,everyone", "--language", "ru"]
    assert run(["audit", str(GOLDEN), *words]) == Exit.UNVERIFIED
    told = said(capsys).splitlines()
    assert told[0] == "clean, but signed by nobody who is known here"
    assert told[9].startswith("     5  match            gm: Бой начался.")
    assert told[10].startswith("     5  match            everyone: Бой начался.")
    assert told[-1].startswith("signed by a key that only the bundle names")
    assert run(["audit", str(GOLDEN), "--include", "verdict"]) == Exit.UNVERIFIED
    assert said(capsys).splitlines()[5] == "     5  match"


def test_the_verdict_and_the_difference_come_before_the_events(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = tmp_path / "forged.ndjson"
    forged.write_bytes(GOLDEN.read_bytes().replace(b'"outcome":"hit"', b'"outcome":"miss"', 1))
    assert run(["audit", str(forged), "--include", "verdict"]) == Exit.WRONG
    told = said(capsys).splitlines()
    assert told[0] == "something is wrong"
    assert told[1].startswith("event ")
    first = told.index("     1  match")
    assert 1 < first < next(at for at, line in enumerate(told) if line.startswith("encounter "))
    assert told[-1].startswith("signed by a key")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--include", "pictures"],
            "--include takes verdict, state, table, scene, narration, explanation",
        ),
        (["--include", "state"], "--include state, table, scene and explanation need --json"),
        (["--viewpoint", "gm"], "--viewpoint is about what --include tells"),
        (
            ["--include", "narration", "--viewpoint", "green"],
            "--viewpoint: of this bundle there are everyone, gm, red, blue",
        ),
    ],
)
def test_what_cannot_be_told_is_a_wrong_call(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", str(GOLDEN), *words]) == Exit.USAGE
    assert message in capsys.readouterr().err


def test_overrides_rewinds_and_luck_are_told(
    no_database: None, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["audit", str(GOLDEN), "--luck"])
    told = " ".join(capsys.readouterr().out.split())
    assert "event 27 overruled in 2 places: She fell off the wall" in told
    assert "event 21: rewound from 20 to 17, by" in told
    assert ": undid 3 (18-20), brought back 0" in told
    assert "seat rolls undone successes expected by chance left out" in told
    assert "No seat has 30 rolls of known odds: too few to say who was lucky." in told


@pytest.mark.parametrize("more", [["--all"], ["--receipts", "kept"]])
def test_luck_is_of_one_log(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "--luck", *more]) == Exit.USAGE
    assert "--luck is of one log as it is" in capsys.readouterr().err


def test_a_forged_bundle_is_wrong_and_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = tmp_path / "forged.ndjson"
    forged.write_bytes(GOLDEN.read_bytes().replace(b'"outcome":"hit"', b'"outcome":"miss"', 1))
    assert run(["audit", str(forged)]) == Exit.WRONG
    told = capsys.readouterr().out
    first, second, third, *rest = told.splitlines()
    assert first == "something is wrong"
    assert re.fullmatch(r"event \d+: \S+\.outcome differs from what the rules give", second)
    assert third == "  mismatch"
    assert rest[1:4] == ['  stored      "miss"', '  recomputed  "hit"', "  broken: hash"]


def test_a_damaged_bundle_is_wrong_and_says_in_which_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.ndjson"
    cut.write_bytes(GOLDEN.read_bytes()[:5000])
    assert run(["audit", str(cut)]) == Exit.WRONG
    assert "is no sound bundle: line 3, truncated" in capsys.readouterr().err


def test_a_bundle_can_come_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(GOLDEN.read_bytes())))
    assert run(["audit", "-"]) == Exit.UNVERIFIED
    assert "54 match" in capsys.readouterr().out


def test_a_bundle_signed_by_another_key_than_the_one_named_is_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["audit", str(GOLDEN), "--public-key", "00" * 32]) == Exit.WRONG
    assert "a key that is none of those demanded" in capsys.readouterr().out


def test_a_bundle_of_an_unknown_version_cannot_be_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older = tmp_path / "older.ndjson"
    older.write_bytes(GOLDEN.read_bytes().replace(b'"version":"1"', b'"version":"0"', 1))
    assert run(["audit", str(older), "--json"]) == Exit.WRONG
    report = json.loads(said(capsys))
    assert [problem["where"] for problem in report["problems"]] == ["version"]
    assert report["counts"] == {"unavailable": 57}


@pytest.mark.parametrize("arguments", [[], ["x.ndjson"], ["--all", "x.ndjson"]])
def test_it_is_called_with_one_thing_to_audit(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", *arguments]) == Exit.USAGE
    assert capsys.readouterr().err != ""


# --- encounters -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("environment")
def test_a_stored_encounter_is_audited_by_its_id(
    encounter: UUID, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", str(encounter)]) == Exit.OK
    assert "5 match" in capsys.readouterr().out


@pytest.mark.usefixtures("environment")
def test_an_encounter_that_is_not_there_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = "01939f5e-7c00-7abc-8def-000000000000"
    assert run(["audit", nowhere]) == Exit.WRONG
    assert run(["export", nowhere]) == Exit.WRONG
    assert capsys.readouterr().err.count("there is no encounter") == 2


@pytest.mark.usefixtures("no_database")
def test_a_database_that_is_away_is_unavailable(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "01939f5e-7c00-7abc-8def-000000000000"]) == Exit.UNAVAILABLE
    assert "database" in capsys.readouterr().err


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize(
    ("viewer", "counts"),
    [("gm", {"match": 5}), ("observer", {"sealed": 5}), ("side:red", {"sealed": 5})],
)
def test_an_exported_bundle_audits_clean(
    encounter: UUID,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    viewer: str,
    counts: dict[str, int],
) -> None:
    path = tmp_path / "battle.ndjson"
    assert run(["export", str(encounter), "-o", str(path), "--viewer", viewer]) == Exit.OK
    assert [each.name for each in tmp_path.iterdir()] == ["battle.ndjson"]
    capsys.readouterr()
    assert run(["audit", str(path), "--json"]) == Exit.UNVERIFIED
    assert json.loads(said(capsys))["counts"] == counts


@pytest.mark.usefixtures("environment")
def test_a_file_that_cannot_be_written_is_a_wrong_call(
    encounter: UUID, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nowhere" / "battle.ndjson"
    assert run(["export", str(encounter), "-o", str(path)]) == Exit.USAGE
    assert capsys.readouterr().err == (
        f"warlog: cannot write {path} (No such file or directory); name another file with -o\n"
    )


@pytest.mark.usefixtures("environment")
def test_a_viewer_nobody_knows_is_a_wrong_call(
    encounter: UUID, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "battle.ndjson"
    arguments = ["export", str(encounter), "-o", str(path), "--viewer", "side:green"]
    assert run(arguments) == Exit.USAGE
    assert "side:red" in capsys.readouterr().err
    assert not path.exists()


# --- who signed -----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who trusts nobody yet: where their trusted keys would be kept."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    return tmp_path / "configuration" / "warlog" / "trusted-keys.json"


def key_set(*keys: bytes, **other: object) -> str:
    """Keys as the service publishes them."""
    listed = [
        {
            "kid": kid_of(key),
            "x": base64.urlsafe_b64encode(key).decode().rstrip("="),
            "created_at": "2026-01-01T00:00:00.000Z",
            "kty": "OKP",
            "crv": "Ed25519",
            "use": "sig",
            **other,
        }
        for key in keys
    ]
    return json.dumps({"keys": listed})


@pytest.mark.usefixtures("no_database")
def test_a_clean_bundle_of_an_unknown_signer_is_told_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["audit", str(GOLDEN)]) == Exit.UNVERIFIED
    told = capsys.readouterr().out
    assert "by a key that only the bundle names" in told
    assert told.startswith("clean, but signed by nobody who is known here\n")


@pytest.mark.usefixtures("no_database")
def test_a_key_that_was_pinned_is_known_until_it_is_taken_back(
    tmp_path: Path, configuration: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    published, other = tmp_path / "keys.json", bytes(32)
    published.write_text(key_set(other))
    assert run(["keys", "trust", str(published)]) == Exit.OK
    assert run(["audit", str(GOLDEN)]) == Exit.UNVERIFIED
    # The service has a new key; the old one stays.
    published.write_text(key_set(other, SIGNING_KEY))
    capsys.readouterr()
    assert run(["keys", "trust", str(published), "--json"]) == Exit.OK
    [added] = reports(capsys)
    assert (added["kid"], added["source"]) == (kid_of(SIGNING_KEY), str(published))
    assert run(["audit", str(GOLDEN)]) == Exit.OK
    capsys.readouterr()
    assert run(["keys", "trusted", "--json"]) == Exit.OK
    assert [each["kid"] for each in reports(capsys)] == [kid_of(other), kid_of(SIGNING_KEY)]
    assert configuration.is_file()
    assert run(["keys", "distrust", kid_of(SIGNING_KEY)]) == Exit.OK
    assert run(["keys", "distrust", kid_of(SIGNING_KEY)]) == Exit.WRONG
    assert run(["audit", str(GOLDEN)]) == Exit.UNVERIFIED


@pytest.mark.usefixtures("no_database")
def test_keys_that_are_named_are_demanded_whatever_was_pinned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, other = tmp_path / "own.json", tmp_path / "other.json"
    own.write_text(key_set(bytes(32), SIGNING_KEY))
    other.write_text(key_set(bytes(32)))
    assert run(["keys", "trust", str(own)]) == Exit.OK
    assert run(["audit", str(GOLDEN), "--keys", str(own)]) == Exit.OK
    assert run(["audit", str(GOLDEN), "--keys", str(other)]) == Exit.WRONG
    both = ["--keys", str(other), "--public-key", SIGNING_KEY.hex()]
    assert run(["audit", str(GOLDEN), *both]) == Exit.OK
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no set of Ed25519 keys"),
        ('{"keys": []}', "no set of Ed25519 keys (Expected `array` of length >= 1"),
        (key_set(bytes(31)), "is not a key of 32 bytes"),
        (key_set(bytes(32), x="+" * 43), "is not a key of 32 bytes"),
        (key_set(bytes(32), kty="RSA"), "Invalid enum value 'RSA' - at `$.keys[0].kty`"),
        (key_set(bytes(32), kid="0123"), "'0123' is not the id of its key"),
        ("[" * 5000, "no set of Ed25519 keys"),
    ],
)
def test_what_is_no_set_of_keys_is_a_wrong_call(
    tmp_path: Path, configuration: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text)
    for command in (["audit", str(GOLDEN), "--keys"], ["keys", "trust"]):
        assert run([*command, str(path)]) == Exit.USAGE
        told = capsys.readouterr()
        assert told.out == ""
        assert said in told.err
    assert not configuration.exists()


def test_keys_come_from_a_service_too(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(200, key_set(SIGNING_KEY)) as url:
        assert run(["audit", str(GOLDEN), "--keys", url]) == Exit.OK
        assert run(["keys", "trust", url]) == Exit.OK
    assert "over http:// anybody on the way" in capsys.readouterr().err
    assert run(["audit", str(GOLDEN)]) == Exit.OK
    assert run(["audit", str(GOLDEN), "--keys", url]) == Exit.USAGE
    assert "it cannot be reached" in capsys.readouterr().err
    with answering(404, "{}") as url:
        assert run(["audit", str(GOLDEN), "--keys", url]) == Exit.USAGE
    assert "it answered 404" in capsys.readouterr().err


@contextmanager
def answering(status: int, body: str) -> Iterator[str]:
    """The address of a server that answers everything so."""

    class Always(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Always) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/.well-known/warlog-keys.json"
        server.shutdown()


def test_a_damaged_file_of_pinned_keys_is_told(
    configuration: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configuration.parent.mkdir(parents=True)
    for text in ("{", '{"keys": [{"kid": "0", "x": "0", "source": ""}]}'):
        configuration.write_text(text)
        for command in (["audit", str(GOLDEN)], ["keys", "trusted"], ["keys", "distrust", "0"]):
            assert run(command) == Exit.USAGE
            assert "no pinned keys" in capsys.readouterr().err
        assert configuration.read_text() == text


@pytest.mark.usefixtures("no_database")
def test_noted_heads_find_a_log_that_was_cut_or_written_anew(
    capsys: pytest.CaptureFixture[str],
) -> None:
    events = [json.loads(line) for line in GOLDEN.read_text().splitlines()[1:-1]]
    hashes = [each["hash"] for each in events if each["type"] == "event"]
    sound = ["--public-key", SIGNING_KEY.hex(), "--head", f"12-{hashes[11].upper()}"]
    assert run(["audit", str(GOLDEN), *sound]) == Exit.OK
    assert "heads that were noted: 1 of 1 hold" in capsys.readouterr().out
    assert run(["audit", str(GOLDEN), *sound, "--head", f"900-{hashes[0]}"]) == Exit.WRONG
    told = capsys.readouterr().out
    assert f"heads[1]: the log once reached further than it does now; found {len(hashes)}" in told
    assert run(["audit", str(GOLDEN), "--head", f"2-{hashes[0]}"]) == Exit.WRONG
    assert (
        "heads[0]: the log was rewritten: another event stood here once" in capsys.readouterr().out
    )
    for wrong in ("12", "0-" + hashes[0], f"12-{hashes[0]}0", "x"):
        assert run(["audit", str(GOLDEN), "--head", wrong]) == Exit.USAGE
        assert "--head takes SEQ-HASH" in capsys.readouterr().err
    assert run(["audit", "--receipts", "kept", "--head", f"1-{hashes[0]}"]) == Exit.USAGE


# --- receipts -------------------------------------------------------------------------------------


@pytest.fixture
def signer(database: Dsns) -> Signer:
    """A key of the service's, as one that signed before."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes_raw()

    async def publish() -> None:
        store = await EventStore.open(database.app)
        await store.service_keys.publish(kid_of(public), public)
        await store.close()

    asyncio.run(publish())
    return Signer(kid=kid_of(public), key=key)


def signed(database: Dsns, signer: Signer, encounter: UUID, seq: int) -> dict[str, object]:
    """The receipt over the head that the log had at `seq`."""

    async def sign() -> Receipt:
        store = await EventStore.open(database.app)
        [event] = await store.log.events(encounter, after=seq - 1, limit=1)
        await store.close()
        return signer.sign(str(encounter), seq, event.hash.hex())

    receipt: dict[str, object] = msgspec.to_builtins(asyncio.run(sign()))
    return receipt


def reports(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said(capsys).splitlines()]


@pytest.mark.usefixtures("environment")
def test_receipts_are_read_as_clients_happen_to_keep_them(
    database: Dsns,
    signer: Signer,
    encounter: UUID,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, last = (signed(database, signer, encounter, seq) for seq in (1, 5))
    heartbeat = {"type": "heartbeat", "at": "2026-01-01T00:00:00.000Z", "receipt": first}
    lines, array = tmp_path / "kept.ndjson", tmp_path / "kept.json"
    lines.write_text(f"{json.dumps(heartbeat)}\n\n{json.dumps(last)}\n")
    array.write_text(json.dumps([heartbeat, last], indent=1))
    for path in (lines, array):
        for target in ([str(encounter)], []):
            assert run(["audit", *target, "--receipts", str(path), "--json"]) == Exit.OK
            [report] = reports(capsys)
            assert report["receipts"] == [
                {"seq": each["seq"], "hash": each["hash"], "verdict": "held"}
                for each in (first, last)
            ]
    assert run(["audit", "--receipts", str(lines)]) == Exit.OK
    assert "receipts that were kept: 2 of 2 hold" in capsys.readouterr().out


@pytest.mark.usefixtures("environment")
def test_receipts_alone_audit_every_encounter_they_name(
    database: Dsns,
    signer: Signer,
    encounter: UUID,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other, path = played(database), tmp_path / "kept.ndjson"
    kept = [signed(database, signer, each, 2) for each in (encounter, other, encounter)]
    path.write_text("".join(json.dumps(each) + "\n" for each in kept))
    assert run(["audit", "--receipts", str(path), "--json"]) == Exit.OK
    found = reports(capsys)
    assert [(each["encounter"], len(each["receipts"])) for each in found] == [
        (str(encounter), 2),
        (str(other), 1),
    ]
    assert run(["audit", str(other), "--receipts", str(path), "--json"]) == Exit.WRONG
    [report] = reports(capsys)
    assert [each["verdict"] for each in report["receipts"]] == [
        "of_another_encounter",
        "held",
        "of_another_encounter",
    ]
    nowhere = kept[0] | {"encounter": str(uuid4())}
    path.write_text(json.dumps(nowhere))
    assert run(["audit", "--receipts", str(path)]) == Exit.WRONG
    assert f"there is no encounter {nowhere['encounter']}" in capsys.readouterr().err


@pytest.mark.usefixtures("environment")
def test_receipts_are_held_against_a_bundle_with_the_key_that_the_reader_trusts(
    database: Dsns,
    signer: Signer,
    encounter: UUID,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bundle, path = tmp_path / "battle.ndjson", tmp_path / "kept.ndjson"
    assert run(["export", str(encounter), "-o", str(bundle)]) == Exit.OK
    path.write_text(json.dumps(signed(database, signer, encounter, 3)))
    command = ["audit", str(bundle), "--receipts", str(path), "--json", "--public-key"]
    capsys.readouterr()
    public = signer.key.public_key().public_bytes_raw().hex()
    assert run([*command, public.upper()]) == Exit.WRONG
    [report] = reports(capsys)
    assert [each["verdict"] for each in report["receipts"]] == ["held"]
    assert [each["code"] for each in report["problems"]] == ["key_differs"]
    assert run([*command, "key"]) == Exit.USAGE
    assert "64 hex digits" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file: it is empty"),
        ('{"seq": 1}', "line 1: no receipt ($: Object missing required field `kid`)"),
        ("{}\n", "line 1: no receipt"),
        ("[1]", "[0]: no receipt"),
        ('[\n{"seq": 1}', "the file: no JSON"),
        ("\nnonsense\n", "line 2: no JSON"),
        ('{"receipt": {"seq": 0}}', "line 1: no receipt"),
    ],
)
def test_a_file_that_holds_no_receipts_is_a_wrong_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    path = tmp_path / "kept.ndjson"
    path.write_text(text)
    assert run(["audit", "--receipts", str(path)]) == Exit.USAGE
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err


def test_receipts_are_not_for_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "--all", "--receipts", str(tmp_path / "none")]) == Exit.USAGE
    assert run(["audit", "--receipts", str(tmp_path / "none")]) == Exit.USAGE
    assert "No such file" in capsys.readouterr().err
