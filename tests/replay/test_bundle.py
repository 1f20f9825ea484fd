"""A bundle holds what its viewer may read and nothing else, and no byte of it can be changed."""

import tracemalloc
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from service.encounters.receipts import Signer, kid_of
from service.engine.battle.state import State
from service.engine.log.parts import EMPTY_PART
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import actions as do
from service.replay.audit.bundle_audit import audit_bundle
from service.replay.audit.receipt_check import KeptHead
from service.replay.audit.trust import NOTHING_KEPT, Kept, TrustedKeys
from service.replay.bundle.format import (
    LINES,
    BundleEvent,
    BundleHeader,
    BundleReceipt,
    BundleSeal,
    blob_line,
    encoded,
)
from service.replay.bundle.reader import BundleReader, DamagedBundle
from service.replay.report.verdicts import LogProblem, ReceiptVerdict, Report
from tests.kit.table import SEED
from tests.replay.forger import seq_of
from tests.replay.memory_audit import SIGNER, bundle_of, rulesets_of
from tests.toy.battles import ambush, table_dice

AMBUSH = ambush()
TABLE_DICE = table_dice()
OBSERVER = Viewer()
RED = Viewer(sides=("red",))
BLUE = Viewer(sides=("blue",))
WHOLE = bundle_of(AMBUSH)
SEEN_BY_RED = bundle_of(AMBUSH, lambda seq: RED)
SEEN_BY_ALL = bundle_of(AMBUSH, lambda seq: OBSERVER)
RULESETS = rulesets_of(AMBUSH)


def audited(lines: list[bytes], kept: Kept = NOTHING_KEPT) -> Report:
    return audit_bundle(lines, RULESETS, kept=kept)


def events_in(lines: list[bytes]) -> list[BundleEvent]:
    return [line for line in map(LINES.decode, lines) if isinstance(line, BundleEvent)]


def header_in(lines: list[bytes]) -> BundleHeader:
    header = LINES.decode(lines[0])
    assert isinstance(header, BundleHeader)
    return header


# --- what is in it --------------------------------------------------------------------------------


def test_the_bundle_of_the_gm_audits_as_the_log_itself_does() -> None:
    report = audited(WHOLE)
    assert report.clean
    assert dict(report.counts) == {"match": 26, "override": 1}
    assert (report.viewer, report.receipt) == ("gm", "genuine")


@pytest.mark.parametrize("lines", [SEEN_BY_RED, SEEN_BY_ALL], ids=["a side's", "an observer's"])
def test_the_bundle_of_somebody_who_lacks_parts_is_sealed_but_sound(lines: list[bytes]) -> None:
    report = audited(lines)
    assert report.clean
    assert dict(report.counts) == {"sealed": 27}
    assert report.dice is not msgspec.UNSET
    assert report.dice.fairness == "verified"


def test_the_bodies_of_a_bundle_are_the_bytes_that_were_hashed() -> None:
    bodies = [bytes(event.event) for event in events_in(WHOLE)]
    assert bodies == [sealed.body for sealed in AMBUSH.sealed]


def test_a_viewer_gets_its_own_parts_of_every_event_empty_ones_included() -> None:
    names = {
        tuple((part.kind, part.audience) for part in event.parts)
        for event in events_in(SEEN_BY_RED)
    }
    assert names == {(("text", "everyone"), ("text", "red"), ("facts", "red"))}
    empty = [
        p for e in events_in(SEEN_BY_RED) for p in e.parts if bytes(p.body or b"") == EMPTY_PART
    ]
    assert empty


def test_nothing_of_the_other_side_stands_in_a_sides_bundle() -> None:
    assert b'"lurker"' in b"".join(bundle_of(AMBUSH, lambda seq: BLUE)[:4])
    contact = seq_of(AMBUSH, "strike", 2)
    before_contact = events_in(SEEN_BY_RED)[: contact - 1]
    assert b'"lurker"' not in b"".join(encoded(event) for event in before_contact)


def test_a_seat_that_was_given_a_side_later_gets_its_parts_from_then_on() -> None:
    since = seq_of(AMBUSH, "assign_control")
    lines = bundle_of(AMBUSH, lambda seq: RED if seq < since else Viewer(sides=("blue", "red")))
    assert [grant.since for grant in header_in(lines).viewer.grants] == [1, since]
    names = [len(event.parts) for event in events_in(lines)]
    assert names == [3] * (since - 1) + [5] * (28 - since)
    assert audited(lines).clean


def test_once_everything_is_open_everybody_gets_the_same_bundle() -> None:
    opened = bundle_of(TABLE_DICE)
    assert bundle_of(TABLE_DICE, lambda seq: OBSERVER) == opened
    assert dict(audit_bundle(opened, rulesets_of(TABLE_DICE)).counts) == {"match": 13}


def test_once_the_sides_are_open_the_gms_parts_stay_sealed() -> None:
    table = ambush()
    table.act(do.Reveal(seed=False, open="sides"))
    lines = bundle_of(table, lambda seq: OBSERVER)
    assert header_in(lines).viewer.grants[0].sides == ("red", "blue")
    assert dict(audited(lines).counts) == {"sealed": 28}
    assert b'"lurker"' in lines[2]


def test_a_bundle_says_whether_its_dice_can_be_checked() -> None:
    running = ambush()
    del running.sealed[-1]
    running.state = without_seed(running.state)
    assert header_in(WHOLE).dice.fairness == "verifiable"
    assert header_in(bundle_of(TABLE_DICE)).dice.fairness == "not_verified"
    assert header_in(bundle_of(running)).dice.fairness == "sealed"
    report = audited(bundle_of(running))
    assert report.clean
    assert report.dice is not msgspec.UNSET
    assert report.dice.fairness == "sealed"


def without_seed(state: State[Any]) -> State[Any]:
    linear = replace(state.linear, seed=msgspec.UNSET)
    return State(rule=state.rule, linear=linear, terms=state.terms)


def test_erased_text_stands_in_the_bundle_as_erased() -> None:
    table = ambush()
    seq = seq_of(table, "note")
    table.act(do.Erase(seqs=(seq,)))
    lines = bundle_of(table)
    erased = [p for p in events_in(lines)[seq - 1].parts if p.body is msgspec.UNSET]
    assert [(p.kind, p.audience) for p in erased] == [("text", "everyone"), ("text", "gm")]
    report = audited(lines)
    assert report.clean
    assert report.verdicts[seq - 1].verdict == "erased"


# --- what is done to it ---------------------------------------------------------------------------


def is_caught(lines: list[bytes]) -> bool:
    try:
        return not audited(lines).clean
    except DamagedBundle:
        return True


@pytest.mark.parametrize("lines", [WHOLE, SEEN_BY_RED], ids=["the GM's", "a side's"])
@given(place=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_no_bit_can_be_flipped_unseen(lines: list[bytes], place: int, bit: int) -> None:
    whole = b"".join(lines)
    at = place % len(whole)
    broken = whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
    assert is_caught(broken.splitlines(keepends=True))


@pytest.mark.parametrize("index", [0, 1, -1], ids=["header", "blob", "seal"])
@given(place=st.integers(0, 10**6), change=st.integers(1, 255))
def test_no_byte_around_the_events_can_be_changed_unseen(
    index: int, place: int, change: int
) -> None:
    line = WHOLE[index]
    at = place % len(line)
    lines = list(WHOLE)
    lines[index] = line[:at] + bytes([line[at] ^ change]) + line[at + 1 :]
    assert is_caught(lines)


@given(st.integers(0, len(WHOLE) - 1))
def test_no_line_can_be_taken_out_unseen(index: int) -> None:
    assert is_caught(WHOLE[:index] + WHOLE[index + 1 :])


@given(st.integers(0, len(WHOLE) - 2))
def test_no_two_lines_can_change_places_unseen(index: int) -> None:
    swapped = list(WHOLE)
    swapped[index], swapped[index + 1] = swapped[index + 1], swapped[index]
    assert is_caught(swapped)


@given(st.integers(0, len(b"".join(WHOLE)) - 1))
def test_no_end_can_be_cut_off_unseen(length: int) -> None:
    assert is_caught(b"".join(WHOLE)[:length].splitlines(keepends=True))


@given(st.binary(max_size=300))
def test_bytes_that_are_no_bundle_are_refused_and_nothing_worse(noise: bytes) -> None:
    with pytest.raises(DamagedBundle):
        audited(noise.splitlines(keepends=True))


def reason(lines: list[bytes]) -> tuple[int, str]:
    with pytest.raises(DamagedBundle) as caught:
        audited(lines)
    return caught.value.line, caught.value.reason


def test_parts_stand_in_their_order() -> None:
    for place, event in enumerate(events_in(WHOLE)):
        turned = replace(event, parts=(*event.parts[1:], event.parts[0]))
        lines = [*WHOLE[: 2 + place], encoded(turned)]
        assert reason(lines) == (3 + place, "wrong_parts")


def test_a_blob_that_no_event_names_is_found() -> None:
    stray = blob_line(b'{"cells":[]}')
    reader = BundleReader()
    for line in [*WHOLE[:2], encoded(stray), *WHOLE[2:]]:
        reader.feed(line)
    assert reader.finish().seq == len(events_in(WHOLE))
    assert reader.blob_fault == "unnamed_blob"
    with pytest.raises(DamagedBundle, match="unnamed_blob"):
        reader.finish_soundly()


def test_damage_is_named_with_its_line() -> None:
    assert reason([]) == (1, "truncated")
    assert reason([WHOLE[0][:-1]]) == (1, "truncated")
    assert reason(WHOLE[:-1]) == (30, "truncated")
    assert reason([b"{}\n"]) == (1, "unreadable")
    assert reason([b"[" * 100_000 + b"\n"]) == (1, "unreadable")
    no_utf8 = WHOLE[2].replace(b"effects", b"e\xe6fects")
    assert reason([*WHOLE[:2], no_utf8]) == (3, "unreadable")
    assert reason(WHOLE[1:]) == (1, "out_of_order")
    assert reason([*WHOLE, WHOLE[-1]]) == (31, "out_of_order")
    assert reason([WHOLE[0], WHOLE[1], WHOLE[1]]) == (3, "repeated_blob")
    assert reason([WHOLE[0], WHOLE[1].replace(b'"width":10', b'"width":11')]) == (2, "wrong_digest")
    assert reason([WHOLE[0].replace(b'":', b'": ', 1)]) == (1, "not_canonical")


@pytest.mark.parametrize(
    ("first", "second", "check"),
    [
        (b'"2026"', b'"2027"', "not_canonical"),
        (b"null", b'"2027"', "not_canonical"),
        (b"1.5", b'"2027"', "not_canonical"),
        (b'"\\ud800"', b'"2027"', "not_canonical"),
        (b"[" * 300 + b"]" * 300, b'"2027"', "not_canonical"),
        (b'"2026"', b"2027", "unreadable"),
        (b'"2026"', b'"\\ud800"', "unreadable"),
        (b'"2026"', b"[" * 300 + b"]" * 300, "unreadable"),
    ],
)
def test_of_a_key_that_stands_twice_the_last_value_counts(
    first: bytes, second: bytes, check: str
) -> None:
    at = WHOLE[2].index(b'"at":')
    end = WHOLE[2].index(b",", at)
    twice = b'"at":' + first + b',"at":' + second
    assert reason([*WHOLE[:2], WHOLE[2][:at] + twice + WHOLE[2][end:]]) == (3, check)
    header = WHOLE[0].replace(b'"format":1', b'"format":null,"format":1')
    assert reason([header]) == (1, "not_canonical")
    header = WHOLE[0].replace(b'"format":1', b'"format":1,"format":2')
    assert reason([header]) == (1, "unknown_format")


def test_a_later_format_is_told_as_such() -> None:
    assert reason([WHOLE[0].replace(b'"format":1', b'"format":2')]) == (1, "unknown_format")
    assert reason([WHOLE[0].replace(b'"format":1', b'"format":"old"')]) == (1, "unknown_format")


def test_of_a_later_format_nothing_else_is_opened() -> None:
    lists = 1_000_000
    line = b'{"a":[' + b"[]," * lists + b'[]],"format":2}\n'
    tracemalloc.start()
    assert reason([line]) == (1, "unknown_format")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * len(line)


def test_what_a_header_says_of_its_dice_must_follow_from_it() -> None:
    header = header_in(WHOLE)
    sealed = replace(header, dice=replace(header.dice, fairness="sealed"))
    assert reason([encoded(sealed)]) == (1, "wrong_fairness")


def test_a_viewer_must_be_one_that_the_writer_writes() -> None:
    header = header_in(SEEN_BY_RED)
    for viewer in (
        replace(header.viewer, kind="observer"),
        replace(header.viewer, grants=()),
        replace(header.viewer, grants=header.viewer.grants * 2),
    ):
        assert reason([encoded(replace(header, viewer=viewer))]) == (1, "wrong_viewer")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("ruleset", "chess"),
        ("version", "2"),
        ("commitment", "00" * 32),
    ],
)
def test_a_header_must_say_what_event_1_says(field: str, value: str) -> None:
    forged = replace(header_in(WHOLE), **{field: value})
    report = audited([encoded(forged), *WHOLE[1:]])
    assert field in [p.where for p in report.problems if p.code == "header_differs"]


def test_a_header_of_another_encounter_is_told_by_every_event() -> None:
    forged = replace(header_in(WHOLE), encounter="another")
    report = audited([encoded(forged), *WHOLE[1:]])
    assert report.counts["mismatch"] == 27


def test_a_seed_that_the_log_did_not_reveal_may_not_stand_in_the_header() -> None:
    forged = replace(header_in(WHOLE), seed=bytes(32).hex())
    report = audited([encoded(forged), *WHOLE[1:]])
    assert [p.code for p in report.problems] == ["header_differs", "seed_does_not_fit"]


def test_a_seed_that_was_left_out_is_missed() -> None:
    header = header_in(WHOLE)
    dice = replace(header.dice, fairness="sealed")
    forged = replace(header, seed=msgspec.UNSET, dice=dice)
    report = audited([encoded(forged), *WHOLE[1:]])
    assert [p.code for p in report.problems] == ["seed_missing"]


def test_a_part_that_was_left_out_is_missed() -> None:
    lines = list(WHOLE)
    event = events_in(WHOLE)[3]
    lines[5] = encoded(replace(event, parts=event.parts[:-1]))
    report = audited(lines)
    assert report.verdicts[3].verdict == "mismatch"
    assert report.verdicts[3].broken == ("entitlement",)


def test_a_part_that_the_viewer_may_not_read_does_not_belong_there() -> None:
    lines = list(SEEN_BY_RED)
    lines[2] = WHOLE[2]
    assert audited(lines).verdicts[0].broken == ("entitlement",)


def test_a_part_may_not_stand_there_twice_or_by_halves() -> None:
    event = events_in(WHOLE)[0]
    twice = replace(event, parts=(*event.parts, event.parts[0]))
    half = replace(event, parts=(replace(event.parts[0], salt=msgspec.UNSET), *event.parts[1:]))
    gone = replace(event.parts[-1], salt=msgspec.UNSET, body=msgspec.UNSET)
    for broken in (twice, half, replace(event, parts=(*event.parts[:-1], gone))):
        assert reason([*WHOLE[:2], encoded(broken)]) == (3, "wrong_parts")


def test_a_receipt_of_another_key_or_head_is_forged() -> None:
    seal = LINES.decode(WHOLE[-1])
    assert isinstance(seal, BundleSeal)
    forged = LogProblem(code="receipt_forged", where="seal")
    other_head = replace(seal, receipt=replace(seal.receipt, seq=seal.seq - 1))
    report = audited([*WHOLE[:-1], encoded(other_head)])
    assert (report.receipt, report.problems) == ("forged", (forged,))
    other_key = replace(seal, public_key="ab" * 32)
    report = audited([*WHOLE[:-1], encoded(other_key)])
    of_other = kid_of(bytes.fromhex("ab" * 32))
    assert report.receipt == "forged"
    assert report.problems == (
        forged,
        LogProblem(code="key_id_differs", where="seal", stored=SIGNER.kid, expected=of_other),
    )


def test_a_receipt_names_the_key_that_stands_beside_it() -> None:
    """Signed by the right key under the wrong name."""
    seal = LINES.decode(WHOLE[-1])
    assert isinstance(seal, BundleSeal)
    stranger = Signer(kid="0123456789abcdef", key=SIGNER.key)
    receipt = stranger.sign(seal.receipt.encounter, seal.seq, seal.hash)
    misnamed = replace(seal, receipt=msgspec.convert(msgspec.to_builtins(receipt), BundleReceipt))
    report = audited([*WHOLE[:-1], encoded(misnamed)])
    assert report.receipt == "genuine"
    assert report.problems == (
        LogProblem(
            code="key_id_differs", where="seal", stored="0123456789abcdef", expected=SIGNER.kid
        ),
    )


def test_a_log_that_was_cut_short_does_not_end_where_the_seal_says() -> None:
    report = audited([*WHOLE[:-2], WHOLE[-1]])
    assert "head_differs" in [p.code for p in report.problems]


OWN_KEY = {SIGNER.kid: SIGNER.key.public_key().public_bytes_raw()}
OTHER_KEY = {kid_of(bytes(32)): bytes(32)}


@pytest.mark.parametrize(
    ("trusted", "signer"),
    [
        (TrustedKeys(), "unknown"),
        (TrustedKeys(OTHER_KEY), "unknown"),
        (TrustedKeys({**OTHER_KEY, **OWN_KEY}), "trusted"),
        (TrustedKeys(OWN_KEY, is_demanded=True), "trusted"),
        # The right name for another key.
        (TrustedKeys({SIGNER.kid: bytes(32)}), "unknown"),
    ],
)
def test_who_signed_is_known_only_by_keys_from_elsewhere(trusted: TrustedKeys, signer: str) -> None:
    report = audited(WHOLE, Kept(trusted))
    assert (report.clean, report.receipt, report.signer) == (True, "genuine", signer)


def test_a_bundle_must_be_signed_with_the_key_that_is_demanded() -> None:
    report = audited(WHOLE, Kept(TrustedKeys(OTHER_KEY, is_demanded=True)))
    assert report.signer == "wrong"
    assert report.problems == (LogProblem(code="key_differs", where="seal", stored=SIGNER.kid),)


def test_heads_that_were_noted_are_held_against_a_bundle() -> None:
    hashes = {seq: event.hash for seq, event in enumerate(events_in(WHOLE), start=1)}
    last = max(hashes)
    heads = (KeptHead(3, hashes[3]), KeptHead(4, "0" * 64), KeptHead(last + 1, "1" * 64))
    report = audited(WHOLE, Kept(heads=heads))
    assert report.heads == (
        ReceiptVerdict(seq=3, hash=hashes[3], verdict="held"),
        ReceiptVerdict(seq=4, hash="0" * 64, verdict="differs", found=f"4-{hashes[4]}"),
        ReceiptVerdict(seq=last + 1, hash="1" * 64, verdict="beyond_head", found=str(last)),
    )
    assert report.problems == (
        LogProblem(
            code="kept_differs",
            where="heads[1]",
            stored=f"4-{hashes[4]}",
            expected=f"4-{'0' * 64}",
        ),
        LogProblem(
            code="kept_beyond_head",
            where="heads[2]",
            stored=str(last),
            expected=f"{last + 1}-{'1' * 64}",
        ),
    )


def test_a_reader_is_told_when_the_end_is_missing() -> None:
    reader = BundleReader()
    reader.feed(WHOLE[0])
    with pytest.raises(DamagedBundle):
        reader.finish()


def test_the_bundle_of_the_gm_does_not_hold_the_seal_key() -> None:
    assert bytes(range(32, 64)).hex().encode() not in b"".join(WHOLE)
    assert SEED.hex().encode() in WHOLE[0]
    assert GAME_MASTER.is_gm
