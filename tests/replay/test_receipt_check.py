"""What clients kept finds what no audit of the log alone can find."""

from typing import Final
from uuid import UUID

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET
from msgspec.structs import replace as changed

from service.encounters.receipts import Signer, kid_of
from service.encounters.requests import convert
from service.encounters.responses import Receipt
from service.eventstore.connection import Connection
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.audit.audits import audit_stored
from service.replay.audit.bundle_audit import audit_bundle
from service.replay.audit.receipt_check import KeptReceipt
from service.replay.audit.trust import Kept, TrustedKeys
from service.replay.report.verdicts import LogProblem, ReceiptRuling, ReceiptVerdict, Report
from service.rulesets import RULESETS
from tests.encounters.table import SIGNER, Table
from tests.replay.tampering import Tamper, after, audit, battle, bundle, replacing

HEAD = "UPDATE encounter SET head_seq = 10, head_hash = {} WHERE id = $1".format(
    "(SELECT hash FROM event WHERE encounter_id = $1 AND seq = 10)"
)
GONE: Final = ("event", "event_part")


async def cut(connection: Connection, encounter: UUID) -> None:
    """The last event goes, and the head with it."""
    for table in GONE:
        await connection.execute(
            f"DELETE FROM {table} WHERE encounter_id = $1 AND seq > 10", encounter
        )
    await connection.execute(HEAD, encounter)


async def receipts_of(store: EventStore, encounter: UUID, *seqs: int) -> tuple[Receipt, ...]:
    """What clients learned when the log ended there."""
    events = await store.log.events(encounter, limit=100)
    hashes = {event.seq: event.hash.hex() for event in events}
    return tuple(SIGNER.sign(str(encounter), seq, hashes[seq]) for seq in seqs)


async def witnessed(table: Table, encounter: UUID, *receipts: Receipt) -> Report:
    return await audit_stored(table.encounters.reads, table.who, encounter, receipts)


def verdict(receipt: Receipt, ruling: ReceiptRuling, found: str | None = None) -> ReceiptVerdict:
    return ReceiptVerdict(
        seq=receipt.seq, hash=receipt.hash, verdict=ruling, found=UNSET if found is None else found
    )


async def test_receipts_of_an_honest_log_hold(table: Table, store: EventStore) -> None:
    encounter = await battle(table)
    acted = await table.act(encounter, {"type": "note", "text": "Kept"})
    assert isinstance(acted.answer.receipt, Receipt)
    kept = (*await receipts_of(store, encounter, 7, 1, 7), acted.answer.receipt)
    report = await witnessed(table, encounter, *kept)
    assert report.receipts == tuple(verdict(receipt, "held") for receipt in kept)
    assert changed(report, receipts=UNSET) == await audit(table, encounter)
    assert report.clean


async def test_receipts_that_were_signed_together_hold_each_by_itself(
    table: Table, store: EventStore
) -> None:
    encounter = await battle(table)
    events = await store.log.events(encounter, limit=3)
    heads = [(str(encounter), event.seq, event.hash.hex()) for event in events]
    for receipt in SIGNER.sign_together(heads):
        kept = convert(msgspec.to_builtins(receipt), KeptReceipt)
        [ruling] = (await witnessed(table, encounter, kept)).receipts or ()
        assert ruling == verdict(receipt, "held")
        [ruling] = (await witnessed(table, encounter, changed(kept, path=()))).receipts or ()
        assert ruling == verdict(receipt, "forged")


@pytest.mark.parametrize(
    ("tamper", "ruling"),
    [
        (cut, "beyond_head"),
        (replacing('"at":"20', '"at":"19', after=10), "differs"),
        (replacing('"at":"20', '"at":"19'), "differs"),
    ],
    ids=["the last event deleted", "the last event written anew", "nearly all written anew"],
)
async def test_what_an_audit_alone_cannot_find_a_receipt_finds(
    table: Table, store: EventStore, database: Dsns, tamper: Tamper, ruling: ReceiptRuling
) -> None:
    encounter = await battle(table)
    early, late = await receipts_of(store, encounter, 1, 11)
    assert (await after(database, store, encounter, tamper)).clean
    report = await witnessed(table, encounter, early, late)
    now = [event.hash.hex() for event in await store.log.events(encounter, limit=100)]
    instead = "10" if ruling == "beyond_head" else f"11-{now[-1]}"
    assert report.receipts == (verdict(early, "held"), verdict(late, ruling, instead))
    assert report.problems == (
        LogProblem(
            code=f"receipt_{ruling}",
            where="receipts[1]",
            stored=instead,
            expected=f"11-{late.hash}",
        ),
    )
    assert not report.clean


async def test_a_body_that_no_longer_has_the_hash_beside_it_does_not_pass_for_the_one_signed(
    table: Table, store: EventStore, database: Dsns
) -> None:
    async def rewrite(connection: Connection, encounter: UUID) -> None:
        await connection.execute(
            'UPDATE event SET body = replace(body::text, \'"at":"20\', \'"at":"19\')::json'
            " WHERE encounter_id = $1 AND seq = 7",
            encounter,
        )

    encounter = await battle(table)
    [kept] = await receipts_of(store, encounter, 7)
    await after(database, store, encounter, rewrite)
    report = await witnessed(table, encounter, kept)
    assert report.receipts is not UNSET
    assert [each.verdict for each in report.receipts] == ["differs"]


async def test_receipts_that_prove_nothing_are_each_told_by_what_is_wrong(
    table: Table, store: EventStore
) -> None:
    encounter, other = await battle(table), await battle(table)
    [kept] = await receipts_of(store, encounter, 7)
    [elsewhere] = await receipts_of(store, other, 7)
    stranger = Ed25519PrivateKey.generate()
    unknown = Signer(kid=kid_of(stranger.public_key().public_bytes_raw()), key=stranger)
    receipts = (
        changed(kept, seq=8),
        changed(kept, hash="0" * 64),
        changed(kept, encounter=str(other)),
        changed(kept, kid="another"),
        unknown.sign(str(encounter), 7, kept.hash),
        changed(unknown.sign(str(encounter), 7, kept.hash), kid=SIGNER.kid),
        elsewhere,
        kept,
    )
    rulings: tuple[ReceiptRuling, ...] = (
        "forged",
        "forged",
        "forged",
        "of_unknown_key",
        "of_unknown_key",
        "forged",
        "of_another_encounter",
        "held",
    )
    report = await witnessed(table, encounter, *receipts)
    assert report.receipts == tuple(map(verdict, receipts, rulings))
    assert report.problems == tuple(
        LogProblem(code=f"receipt_{ruling}", where=f"receipts[{index}]")
        for index, ruling in enumerate(rulings)
        if ruling != "held"
    )


@pytest.mark.parametrize("seat", ["rita", "olaf"])
async def test_a_seat_is_told_what_became_of_its_receipts(
    table: Table, store: EventStore, database: Dsns, seat: str
) -> None:
    encounter = await battle(table)
    kept = await receipts_of(store, encounter, 4, 11)
    await after(database, store, encounter, cut)
    report = await witnessed(table.seat(seat), encounter, *kept)
    assert report.receipts == (verdict(kept[0], "held"), verdict(kept[1], "beyond_head", "10"))
    assert report.problems == (LogProblem(code="receipt_beyond_head", where="receipts[1]"),)


async def test_receipts_are_held_against_a_bundle_by_its_own_key_or_by_one_from_elsewhere(
    table: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await battle(table)
    kept = await receipts_of(store, encounter, 3, 11)
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes_raw()
    trusted = Signer(kid=kid_of(public), key=key).sign(str(encounter), 3, kept[0].hash)
    await after(database, store, encounter, cut)
    lines = await bundle(table.seat("olaf"), encounter)
    report = audit_bundle(lines, RULESETS, kept=Kept(receipts=(*kept, trusted)))
    assert report.receipts == (
        verdict(kept[0], "held"),
        verdict(kept[1], "beyond_head", "10"),
        verdict(trusted, "of_unknown_key"),
    )
    demanded = TrustedKeys({kid_of(public): public}, is_demanded=True)
    report = audit_bundle(lines, RULESETS, kept=Kept(demanded, receipts=(*kept, trusted)))
    assert report.receipts == (
        verdict(kept[0], "of_unknown_key"),
        verdict(kept[1], "of_unknown_key"),
        verdict(trusted, "held"),
    )
