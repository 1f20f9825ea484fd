"""Every hash is the published formula, and no value of one kind can be read as another."""

import hmac
from hashlib import sha256

from service.engine import hashing

SEED = bytes(range(32))
ENCOUNTER = "01939f5e-7c00-7abc-8def-0123456789ab"
ZERO = b"\x00"


def test_the_hash_of_an_event_covers_its_bytes_under_a_label() -> None:
    assert hashing.event_hash(b"{}") == sha256(b"warlog/event/1" + ZERO + b"{}").hexdigest()


def test_the_commitment_does_not_give_the_dice_away() -> None:
    assert hashing.commitment(SEED) == sha256(b"warlog/commit/1" + ZERO + SEED).hexdigest()
    key = hashing.dice_key(SEED, ENCOUNTER, b"")
    message = b"warlog/dice/1" + ZERO + ENCOUNTER.encode()
    assert key == hmac.new(SEED, message, sha256).digest()
    assert key.hex() != hashing.commitment(SEED)


def test_contributions_are_mixed_in_log_order() -> None:
    first, second = bytes([1]) * 32, bytes([2]) * 32
    assert hashing.entropy(()) == b""
    assert hashing.entropy((first, second)) == sha256(first + second).digest()
    assert hashing.entropy((second, first)) != hashing.entropy((first, second))
    mixed = hashing.entropy((first,))
    message = b"warlog/dice/1" + ZERO + ENCOUNTER.encode() + mixed
    assert hashing.dice_key(SEED, ENCOUNTER, mixed) == hmac.new(SEED, message, sha256).digest()


def test_a_block_is_keyed_by_event_stream_and_number() -> None:
    counters = (7).to_bytes(8, "big") + (255).to_bytes(1, "big") + (3).to_bytes(4, "big")
    expected = hmac.new(SEED, counters, sha256).digest()
    assert hashing.stream_block(SEED, 7, 255, 3) == expected


def test_the_salt_of_facts_is_known_to_the_holder_of_the_seal_key_alone() -> None:
    message = b"warlog/salt/1" + ZERO + ENCOUNTER.encode() + ZERO + b"12" + ZERO + b"red"
    expected = hmac.new(SEED, message, sha256).digest()[:16]
    assert hashing.facts_salts(SEED, ENCOUNTER, 12, (b"red",)) == (expected,)


def test_a_part_is_committed_to_with_its_salt() -> None:
    salt, part = bytes(16), b'{"entries":[]}'
    commit = hashing.part_commit(salt, part)
    assert commit == sha256(b"warlog/seal/1" + ZERO + salt + part).digest()
    assert hashing.sealed(commit + commit) == sha256(commit + commit).hexdigest()


def test_a_receipt_is_signed_under_a_label_of_its_own() -> None:
    assert hashing.receipt_message(b"{}") == b"warlog/receipt/1" + ZERO + b"{}"


def test_heads_that_are_signed_together_are_leaves_nodes_and_a_root_under_labels_of_their_own() -> (
    None
):
    one, other = (
        sha256(b"warlog/receipt-leaf/2" + ZERO + body).digest() for body in (b"{}", b"[]")
    )
    assert [hashing.receipt_leaf(body) for body in (b"{}", b"[]")] == [one, other]
    node = sha256(b"warlog/receipt-node/2" + ZERO + min(one, other) + max(one, other)).digest()
    assert hashing.receipt_node(one, other) == hashing.receipt_node(other, one) == node
    assert hashing.receipt_root(node) == b"warlog/receipt-root/2" + ZERO + node


def test_a_blob_is_named_by_its_bytes_alone() -> None:
    assert hashing.blob_digest(b"{}") == sha256(b"{}").hexdigest()


def test_equal_bytes_of_different_kinds_have_different_hashes() -> None:
    value = bytes(32)
    hashes = {
        hashing.event_hash(value),
        hashing.commitment(value),
        hashing.blob_digest(value),
        hashing.part_commit(b"", value).hex(),
        hashing.dice_key(value, "", b"").hex(),
        hashing.facts_salts(value, "", 0, (b"",))[0].hex(),
    }
    assert len(hashes) == 6
