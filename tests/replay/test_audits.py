"""The service's own audit and its bundles, over a real database that somebody tampers with."""

import secrets
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace as changed

from service.encounters.loader import ENGINE_VERSION
from service.errors import NotFound
from service.eventstore.connection import Connection
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_stored
from service.replay.audit.bundle_audit import audit_bundle
from service.replay.audit.event_auditor import Auditor, Charge
from service.replay.audit.trust import Kept, TrustedKeys
from service.replay.bundle.format import LINES, BundleHeader
from service.replay.bundle.writer import bundle_stored
from service.replay.log.stored_log import blobs_of, evidence_of, stored_events
from service.replay.report.chances import Ratio
from service.replay.report.luck import LuckReport
from service.replay.report.verdicts import EventVerdict, LogProblem
from service.rulesets import RULESETS
from tests.encounters.table import SIGNER, Table, creation, end_turn, fighter, new_table, shoot
from tests.replay.tampering import (
    adding_text,
    after,
    audit,
    battle,
    bundle,
    failure,
    replacing,
    without_guard,
)

# --- honest logs ----------------------------------------------------------------------------------


async def test_the_gm_is_told_every_verdict(table: Table) -> None:
    report = await audit(table, await battle(table))
    assert report.clean
    assert [v.verdict for v in report.verdicts] == ["match"] * 4 + ["override"] + ["match"] * 6
    assert report.viewer == "gm"
    assert report.dice is not msgspec.UNSET
    assert (report.dice.fairness, report.dice.last_contributor) == ("verified", "rita")
    assert report.warnings == ()


@pytest.mark.parametrize("seat", ["rita", "bob", "olaf"])
async def test_a_seat_is_given_the_services_word_and_no_reasons(table: Table, seat: str) -> None:
    report = await audit(table.seat(seat), await battle(table))
    assert report.clean
    assert dict(report.counts) == {"match": 11}
    verdicts = tuple(
        changed(each, undoing=msgspec.UNSET, undone_by=msgspec.UNSET) for each in report.verdicts
    )
    assert verdicts == tuple(EventVerdict(seq=n, verdict="match") for n in range(1, 12))


async def test_an_audit_of_somebody_elses_encounter_finds_none(
    table: Table, store: EventStore
) -> None:
    encounter = await battle(table)
    stranger = await new_table(store)
    for attempt in (audit, bundle):
        with pytest.raises(NotFound):
            await attempt(stranger, encounter)


async def test_what_a_seat_is_told_is_the_same_in_two_worlds(table: Table) -> None:
    reports = []
    for x in (3, 4):
        encounter = await table.create(
            creation(
                fighter("r1", "red", 0, 0),
                fighter("b1", "blue", 6, 0),
                fighter("b2", "blue", x, 3, hidden=True),
                seed="5a" * 32,
            )
        )
        await table.act(encounter, {"type": "start_encounter"})
        await table.act(encounter, end_turn("r1"))
        await table.act(encounter, end_turn("b1"))
        path = [{"x": x, "y": 2}]
        await table.act(encounter, {"type": "move", "combatant": "b2", "path": path})
        report = await audit(table.seat("rita"), encounter)
        reports.append(changed(report, encounter="", hash=""))
    assert reports[0] == reports[1]


async def test_the_bundle_of_the_gm_audits_as_the_stored_log_does(table: Table) -> None:
    encounter = await battle(table)
    await table.act(encounter, {"type": "end_encounter", "reveal": "now"})
    lines = await bundle(table, encounter)
    offline = audit_bundle(lines, RULESETS, kept=Kept(own_key()))
    stored = await audit(table, encounter)
    assert changed(offline, receipt=msgspec.UNSET, signer=msgspec.UNSET) == stored
    assert (offline.receipt, offline.signer) == ("genuine", "trusted")


def own_key() -> TrustedKeys:
    return TrustedKeys({SIGNER.kid: SIGNER.key.public_key().public_bytes_raw()}, is_demanded=True)


@pytest.mark.parametrize("seat", ["rita", "bob", "olaf"])
async def test_the_bundle_of_a_seat_is_sealed_and_sound(table: Table, seat: str) -> None:
    encounter = await battle(table)
    lines = await bundle(table.seat(seat), encounter)
    report = audit_bundle(lines, RULESETS)
    assert report.clean
    assert dict(report.counts) == {"sealed": 11}
    assert (b'"b2"' in b"".join(lines)) == (seat == "bob")
    assert b"gets nearer" not in b"".join(lines)


async def test_once_everything_is_open_every_seat_gets_the_whole_bundle(table: Table) -> None:
    encounter = await battle(table)
    await table.act(encounter, {"type": "end_encounter", "reveal": "now", "open": "all"})
    bodies = [(await bundle(table.seat(seat), encounter)) for seat in ("rita", "olaf")]
    assert bodies[0] == bodies[1] == await bundle(table, encounter)
    report = audit_bundle(bodies[0], RULESETS)
    assert dict(report.counts) == {"match": 11, "override": 1}


async def test_a_bundle_ends_at_the_head_it_was_begun_at(table: Table) -> None:
    encounter = await battle(table)
    lines = await bundle_stored(table.encounters.reads, table.who, encounter)
    first = await anext(lines)
    await table.act(encounter, {"type": "note", "text": "Meanwhile"})
    rest = [line async for line in lines]
    report = audit_bundle([first, *rest], RULESETS)
    assert report.clean
    assert report.head == 11


async def test_an_unrevealed_seed_is_not_in_a_bundle(table: Table, store: EventStore) -> None:
    encounter = await battle(table)
    secret = await store.log.secret(encounter)
    assert secret is not None
    whole = b"".join(await bundle(table, encounter))
    assert secret.seed.hex().encode() not in whole
    assert secret.seal_key.hex().encode() not in whole
    header = LINES.decode(whole.splitlines()[0])
    assert isinstance(header, BundleHeader)
    assert header.dice.fairness == "sealed"


async def test_erased_text_leaves_both_clean(table: Table) -> None:
    encounter = await battle(table)
    await table.act(encounter, {"type": "erase", "seqs": [1, 11]})
    report = await audit(table, encounter)
    assert report.clean
    assert [v.seq for v in report.verdicts if v.verdict == "erased"] == [1, 11]
    lines = await bundle(table, encounter)
    assert b"Rain" not in b"".join(lines)
    assert audit_bundle(lines, RULESETS).clean


async def test_a_map_that_was_laid_later_is_in_the_bundle_and_judged(table: Table) -> None:
    encounter = await table.create()
    rows = ["........", "..#....."]
    await table.act(encounter, {"type": "configure", "map": {"form": "ascii", "rows": rows}})
    await table.act(encounter, {"type": "start_encounter"})
    await table.act(encounter, shoot("r1", "b1"))
    assert (await audit(table, encounter)).clean
    lines = await bundle(table, encounter)
    report = audit_bundle(lines, RULESETS)
    assert report.clean
    assert dict(report.counts) == {"match": 4}
    without = [line for line in lines if b'"type":"blob"' not in line]
    missed = failure(audit_bundle(without, RULESETS))
    assert (missed.seq, missed.verdict) == (2, "mismatch")
    assert str(missed.path).startswith("blobs.")


async def test_the_tables_own_dice_audit_with_what_players_were_asked_for(table: Table) -> None:
    encounter = await table.started(creation(dice="supplied"))
    acted = await table.seat("rita").act(encounter, shoot("r1", "b1"))
    while decisions := msgspec.json.decode(acted.answer.decisions):
        answer = {"type": "answer", "decision_id": decisions[0]["id"], "choice": {"type": "roll"}}
        dice = [6] * decisions[0]["roll"]["count"]
        acted = await table.seat("rita").act(encounter, answer, dice=dice)
    report = await audit(table, encounter)
    assert report.clean
    assert report.dice is not msgspec.UNSET
    assert report.dice.fairness == "not_verified"


# --- logs somebody was at -------------------------------------------------------------------------


async def flip(connection: Connection, encounter: UUID) -> None:
    await connection.execute(
        "UPDATE event SET body = replace(body::text, '\"needed\":12', '\"needed\":13')::json"
        " WHERE encounter_id = $1 AND seq = 4",
        encounter,
    )


async def delete(connection: Connection, encounter: UUID) -> None:
    await connection.execute("DELETE FROM event WHERE encounter_id = $1 AND seq = 4", encounter)


async def reorder(connection: Connection, encounter: UUID) -> None:
    for old, new in ((4, 400), (5, 4), (400, 5)):
        await connection.execute(
            "UPDATE event SET seq = $3, base = $3 - 1 WHERE encounter_id = $1 AND seq = $2",
            encounter,
            old,
            new,
        )


async def test_a_flipped_value_is_named_with_both(
    table: Table, store: EventStore, database: Dsns
) -> None:
    report = await after(database, store, await battle(table), flip)
    verdict = failure(report)
    assert (verdict.seq, verdict.verdict, verdict.broken) == (4, "mismatch", ("hash",))
    assert str(verdict.path).endswith(".needed")
    assert (verdict.stored, verdict.recomputed) == (msgspec.Raw(b"13"), msgspec.Raw(b"12"))
    assert report.counts["mismatch"] == 1


async def test_a_seat_is_told_that_an_event_does_not_hold_and_nothing_more(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await battle(table)
    await after(database, store, encounter, flip)
    report = await audit(table.seat("rita"), encounter)
    assert not report.clean
    assert failure(report) == EventVerdict(seq=4, verdict="sealed_mismatch")


async def test_a_deleted_event_is_named(table: Table, store: EventStore, database: Dsns) -> None:
    report = await after(database, store, await battle(table), delete)
    verdict = failure(report)
    assert (verdict.seq, verdict.verdict, verdict.path) == (5, "mismatch", "$.seq")


async def test_events_in_each_others_place_are_named(
    table: Table, store: EventStore, database: Dsns
) -> None:
    report = await after(database, store, await battle(table), reorder)
    verdict = failure(report)
    assert (verdict.verdict, verdict.path) == ("mismatch", "$.seq")
    assert "chain" in verdict.broken


async def test_a_base_that_is_not_the_events_own_is_named(
    table: Table, store: EventStore, database: Dsns
) -> None:
    async def rebase(connection: Connection, encounter: UUID) -> None:
        await connection.execute(
            "UPDATE event SET base = 3 WHERE encounter_id = $1 AND seq = 9", encounter
        )

    verdict = failure(await after(database, store, await battle(table), rebase))
    assert (verdict.seq, verdict.verdict, verdict.path, verdict.broken) == (
        9,
        "mismatch",
        "base",
        ("chain",),
    )


async def test_a_log_that_was_cut_short_does_not_reach_its_head(
    table: Table, store: EventStore, database: Dsns
) -> None:
    async def cut(connection: Connection, encounter: UUID) -> None:
        await connection.execute("DELETE FROM event WHERE encounter_id = $1 AND seq > 9", encounter)

    report = await after(database, store, await battle(table), cut)
    assert [problem.code for problem in report.problems] == ["head_differs"]
    assert report.head == 9
    assert not report.clean


@pytest.mark.parametrize(
    "path", [["effects", 1, "outcome"], ["effects", 1, "reason"], ["effects", 1]]
)
async def test_a_text_that_is_a_fact_is_caught_behind_an_erased_text(
    table: Table, store: EventStore, database: Dsns, path: list[str | int]
) -> None:
    encounter = await battle(table)
    await table.act(encounter, {"type": "erase", "seqs": [1]})
    report = await after(database, store, encounter, adding_text(4, path, "miss"))
    found = failure(report)
    assert (found.seq, found.verdict) == (4, "sealed_mismatch")
    assert found.path == "parts.text.everyone.entries[0]"


async def test_a_log_rewritten_with_all_hashes_is_caught_by_the_rules(
    table: Table, store: EventStore, database: Dsns
) -> None:
    rewrite = replacing('"needed":12', '"needed":13', after=3)
    report = await after(database, store, await battle(table), rewrite)
    verdict = failure(report)
    assert (verdict.seq, verdict.verdict, verdict.broken) == (4, "mismatch", ())
    assert str(verdict.path).endswith(".needed")
    assert report.problems == ()


@pytest.mark.parametrize("change", ["DELETE FROM event_part", "UPDATE event_part SET body = '{}'"])
async def test_a_part_that_was_removed_or_changed_is_named_without_its_content(
    table: Table, store: EventStore, database: Dsns, change: str
) -> None:
    async def tamper(connection: Connection, encounter: UUID) -> None:
        where = "encounter_id = $1 AND seq = 10 AND kind = 'facts' AND audience = 'blue'"
        assert await connection.execute(f"{change} WHERE {where}", encounter) != "UPDATE 0"

    report = await after(database, store, await battle(table), tamper)
    verdict = failure(report)
    assert (verdict.seq, verdict.verdict, verdict.path) == (
        10,
        "sealed_mismatch",
        "parts.facts.blue",
    )


async def test_another_seed_is_not_the_one_that_was_committed_to(
    table: Table, store: EventStore, database: Dsns
) -> None:
    async def reseed(connection: Connection, encounter: UUID) -> None:
        seed = secrets.token_bytes(32)
        await connection.execute(
            "UPDATE secret SET seed = $2 WHERE encounter_id = $1", encounter, seed
        )

    report = await after(database, store, await battle(table), reseed)
    assert [problem.code for problem in report.problems] == ["seed_does_not_fit"]


async def test_another_ruleset_than_event_1_says_is_told(
    table: Table, store: EventStore, database: Dsns
) -> None:
    async def rename(connection: Connection, encounter: UUID) -> None:
        await connection.execute("UPDATE encounter SET version = '0' WHERE id = $1", encounter)

    report = await after(database, store, await battle(table), rename)
    assert [(p.code, p.where) for p in report.problems] == [("header_differs", "version")]
    assert dict(report.counts) == {"unavailable": 11}


async def test_a_snapshot_that_is_not_the_state_of_the_log_is_told(
    table: Table, database: Dsns
) -> None:
    encounter = await battle(table)
    await table.encounters.writes.settle()
    seqs = await table.encounters.reads.store.snapshots.seqs(encounter, ENGINE_VERSION)
    assert seqs == (7,)
    assert (await audit(table, encounter)).clean
    async with without_guard(database) as connection:
        await connection.execute(
            "UPDATE snapshot SET state = replace(convert_from(state, 'UTF8'), $2, $3)::bytea"
            " WHERE encounter_id = $1",
            encounter,
            '"health":30',
            '"health":40',
        )
    report = await audit(table, encounter)
    assert report.problems == (LogProblem(code="snapshot_differs", where="snapshot 7"),)
    assert not report.clean


async def test_every_flipped_byte_of_a_stored_body_is_named(
    table: Table, store: EventStore
) -> None:
    """Without a database in between: what lies before the auditor is changed, byte by byte."""
    encounter = await battle(table)
    row = await store.log.head(encounter)
    secret = await store.log.secret(encounter)
    assert row is not None
    log = [
        evidence_of(stored, str(encounter), secret, ("red", "blue"))
        async for stored in stored_events(store.log, row)
    ]
    body = log[3].body
    for at in range(0, len(body), 37):
        flipped = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        tampered = [*log[:3], changed(log[3], body=flipped)]
        verdicts = await judged(store, encounter, tampered)
        assert [v.verdict for v in verdicts[:3]] == ["match"] * 3
        assert verdicts[3].verdict == "mismatch", at
        assert "hash" in verdicts[3].broken


async def judged(store: EventStore, encounter: UUID, log: list[Any]) -> list[EventVerdict]:
    secret = await store.log.secret(encounter)
    assert secret is not None
    charge = Charge(encounter=str(encounter), ruleset="crossfire-d6", version="2", seed=secret.seed)
    auditor = Auditor(RULESETS, charge, await blobs_of(store.log, encounter))
    return [auditor.judge(each) for each in log]


async def test_luck_is_told_by_the_odds_that_each_could_have_known(
    table: Table, store: EventStore
) -> None:
    encounter = await battle(table)
    row = await store.log.head(encounter)
    assert row is not None
    events = [msgspec.json.decode(each.body) async for each in stored_events(store.log, row)]
    rita_hits, gm_hits = (
        int(effect["outcome"] in {"hit", "critical"})
        for event in events
        for effect in event["effects"]
        if effect["type"] == "attack_resolved"
    )
    told = {}
    for name in ("gm", "rita", "olaf"):
        caller = table if name == "gm" else table.seat(name)
        report = await audit_stored(caller.encounters.reads, caller.who, encounter, with_luck=True)
        assert isinstance(report.luck, LuckReport)
        told[name] = [
            (each.seat, each.rolls, each.undone, each.successes, each.expected, each.left_out)
            for each in report.luck.seats
        ]
    nothing: dict[str, int] = {}
    known = ("rita", 1, 0, rita_hits, Ratio(num="7319", den="7776"), nothing)
    assert told == {
        "gm": [("gm", 1, 1, gm_hits, Ratio(num="7319", den="7776"), nothing), known],
        "rita": [("gm", 1, 1, gm_hits, Ratio(num="7319", den="7776"), nothing), known],
        "olaf": [
            ("gm", 0, 0, 0, Ratio(num="0", den="1"), {"not_yours": 1}),
            ("rita", 0, 0, 0, Ratio(num="0", den="1"), {"not_yours": 1}),
        ],
    }
