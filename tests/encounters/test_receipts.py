"""Receipts: signed alone or together, verified by whoever has one and the public key."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import UNSET
from msgspec.structs import replace

from service.encounters.receipts import LogEnd, Signer, is_genuine, kid_of

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw()
SIGNER = Signer(kid=kid_of(PUBLIC), key=KEY)
SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 100, 128)
PAGES = ("audits.html", "audits.ru.html")

ALONE = (
    "c12ea0c8ca8bf9be9d946f229f1d32c732b1d728eda5388f1b022f06dfbe1a61"
    "2a7c8eb3aaded5941a5bc8645ddddc01b163a5c48ff9b7c1d20ff7b20a6c1a04"
)
TOGETHER = (
    "05e6e05aa4bca2934192e98fd93624daca9f47752024755110c5a15daa58410b"
    "00e61eda016fb4aaa1733bee721c96c79db4db954bc64c796e6480dcd143ac04"
)


def heads(count: int) -> list[LogEnd]:
    return [(f"encounter {n}", n + 1, sha256(bytes([n])).hexdigest()) for n in range(count)]


@pytest.mark.parametrize("count", SIZES)
def test_each_head_of_a_batch_has_a_receipt_that_verifies_alone(count: int) -> None:
    receipts = SIGNER.sign_together(heads(count))
    assert [(each.encounter, each.seq, each.hash) for each in receipts] == heads(count)
    assert all(is_genuine(each, PUBLIC) for each in receipts)
    assert len({each.sig for each in receipts}) == 1


@pytest.mark.parametrize("count", SIZES)
def test_a_path_is_as_long_as_the_tree_is_high(count: int) -> None:
    receipts = SIGNER.sign_together(heads(count))
    highest = (count - 1).bit_length()
    assert max(0 if each.path is UNSET else len(each.path) for each in receipts) == highest


def test_a_head_alone_is_signed_as_it_ever_was() -> None:
    [receipt] = SIGNER.sign_together(heads(1))
    assert receipt == SIGNER.sign(*heads(1)[0])
    assert msgspec.to_builtins(receipt).keys() == {"kid", "encounter", "seq", "hash", "sig"}


def test_receipts_of_today_verify_for_ever() -> None:
    [alone] = SIGNER.sign_together(heads(1))
    assert alone.sig == ALONE
    assert {each.sig for each in SIGNER.sign_together(heads(3))} == {TOGETHER}


def test_nothing_of_a_receipt_can_be_changed() -> None:
    one, other, third = SIGNER.sign_together(heads(3))
    [alone] = SIGNER.sign_together(heads(1))
    assert one.path is not UNSET
    forged = [
        replace(one, seq=9),
        replace(one, hash=other.hash),
        replace(one, encounter=other.encounter),
        replace(one, kid="0" * 16),
        replace(one, path=other.path),
        replace(one, path=one.path[1:]),
        replace(one, path=()),
        replace(one, path=(*one.path, "0" * 64)),
        replace(one, path=("no hash", *one.path[1:])),
        replace(one, path=UNSET),
        replace(one, format=UNSET),
        replace(one, format=UNSET, path=UNSET),
        replace(third, sig=alone.sig),
        replace(alone, format=2, path=()),
        replace(alone, path=()),
        replace(alone, format=2),
    ]
    assert [each for each in forged if is_genuine(each, PUBLIC)] == []
    other_key = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw()
    assert not is_genuine(one, other_key)


def test_a_node_is_no_head() -> None:
    """Whoever holds a receipt cannot make one for what is above it in the tree."""
    receipts = SIGNER.sign_together(heads(4))
    path = receipts[0].path
    assert path is not UNSET
    assert not is_genuine(replace(receipts[0], hash=path[0], path=path[1:]), PUBLIC)


def published(page: str) -> Callable[[dict[str, Any], str], None]:
    """The function that a page prints."""
    text = files("service.api").joinpath("docs", page).read_text(encoding="utf-8")
    found = re.search(r"<pre>(def verify.*?)</pre>", text, re.DOTALL)
    assert found is not None
    names: dict[str, Any] = {"json": json, "sha256": sha256, "Ed25519PublicKey": Ed25519PublicKey}
    exec(found[1], names)
    verify: Callable[[dict[str, Any], str], None] = names["verify"]
    return verify


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("count", [1, 2, 7])
def test_the_lines_on_the_page_verify_what_is_signed(page: str, count: int) -> None:
    verify = published(page)
    for receipt in SIGNER.sign_together(heads(count)):
        told = json.loads(msgspec.json.encode(receipt))
        verify(told, PUBLIC.hex())
        with pytest.raises(InvalidSignature):
            verify(told | {"seq": 99}, PUBLIC.hex())
