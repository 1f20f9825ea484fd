"""What the modules of the verifier in Python make of the published vectors, as the .mjs next to
it.
"""

import json
from pathlib import Path
from typing import Any, Final

from warlog.verifier.canonical_json import canonical_bytes
from warlog.verifier.dice import Stream, commitment_to, dice_key
from warlog.verifier.digests import hex_digest, label
from warlog.verifier.ed25519 import signature_check
from warlog.verifier.json_reader import parsed
from warlog.verifier.keys import key_id
from warlog.verifier.parts import part_names, view_of
from warlog.verifier.receipts import is_signed, signed_bytes
from warlog.verifier.whole_view import whole_of

Tree = dict[str, Any]
EVENT: Final = label("warlog/event/1")
PART: Final = label("warlog/seal/1")


def results(vectors: Path) -> Tree:
    """All of them."""
    read = {file.stem: json.loads(file.read_text()) for file in vectors.glob("*.json")}
    return {
        "canonical": [_canonical(each["text"]) for each in read["canonical"]],
        "dice": _dice(read["dice"]),
        "event": _event(read["event"]),
        "views": [_views(each) for each in read["views"]],
        "receipts": _receipts(read["receipts"]),
    }


def _canonical(text: str) -> Tree:
    written = canonical_bytes(parsed(text))
    return {"text": written.decode(), "hash": hex_digest(EVENT, written)}


def _dice(vector: Tree) -> Tree:
    seed, encounter = vector["seed"], vector["encounter"]
    key = dice_key(seed, encounter, vector["contributions"])
    streams = [(Stream(key, each["seq"], each["stream"]), each) for each in vector["dice"]]
    return {
        "commitment": commitment_to(seed),
        "dice_key": key.hex(),
        "dice_key_without_contributions": dice_key(seed, encounter, ()).hex(),
        "first_block_of_event_3_stream_0": Stream(key, 3, 0).take(32).hex(),
        "faces": [list(map(stream.face, each["sides"])) for stream, each in streams],
    }


def _event(vector: Tree) -> Tree:
    return {
        "hash": hex_digest(EVENT, vector["body"].encode()),
        "commits": [
            hex_digest(PART, bytes.fromhex(part["salt"]), part["body"].encode())
            for part in vector["parts"]
        ],
        "sealed": hex_digest(*map(bytes.fromhex, vector["commits"])),
        "names": part_names(("red", "blue")),
    }


def _views(vector: Tree) -> Tree:
    parts = {f"{each['kind']}/{each['audience']}": parsed(each["body"]) for each in vector["parts"]}
    body = parsed(vector["body"])
    seen = {each: view_of(body, parts, each) for each in ("everyone", *vector["sides"])}
    views = {**seen, "gm": whole_of(seen, parts)}
    return {name: canonical_bytes(view).decode() for name, view in views.items()}


def _receipts(vector: Tree) -> Tree:
    check, key = signature_check(), vector["public_key"]
    heads = [vector["alone"]["receipt"], *vector["together"]["receipts"]]
    return {
        "kid": key_id(key),
        "signed": [signed_bytes(each).hex() for each in heads],
        "genuine": [is_signed(check, each, key) for each in heads],
        "forged": [is_signed(check, {**each, "seq": each["seq"] + 1}, key) for each in heads],
    }
