"""Canonical texts and their hashes, made with nothing but the standard library.

A second reading of the contract. It made the published `canonical.json` (run this file to make it
again) and the tests hold both against the engine.
"""

import json
from hashlib import sha256
from pathlib import Path

VECTORS = Path(__file__).parents[2] / "service/api/docs/vectors/canonical.json"

VALUES: list[object] = [
    {},
    {"entries": []},
    {"b": 1, "a": 2, "a_1": 3, "a1": 4, "_": 5, "9": 6},
    {"n": 0},
    {"n": -1},
    {"n": 2**53 - 1, "m": 1 - 2**53},
    {"yes": True, "no": False},
    {"list": [3, 1, 2], "nested": [[], [[1]], {"z": {"y": {"x": []}}}]},
    {"text": ""},
    {"text": 'quote " backslash \\ slash /'},
    {"text": "\b\t\n\f\r"},
    {"text": "\x01\x1f\x7f"},
    {"text": "\u2028\u2029\ufeff"},
    {"text": "Засада под мостом"},
    # The same letter twice, composed and not: nothing is normalised.
    {"composed": "é", "not": "e\u0301"},
    {"text": "🎲🗡"},
    {"text": "<script>&amp;</script>"},
    {"salt": "00" * 16, "parts": [{"audience": "gm", "kind": "facts"}]},
    {"entries": [[["effects", 0, "combatant"], {"id": "lurker", "x": 3}]], "orders": []},
    {
        "action": {"combatant": "ann", "dx": -1, "dy": 0, "type": "step"},
        "at": "2026-11-21T20:00:00.000Z",
        "base": 6,
        "by": {"id": "ann", "kind": "seat", "role": "player", "seat": "ann"},
        "draws": [],
        "effects": [{"combatant": "ann", "end": {"x": 0, "y": 0}, "type": "moved"}],
        "encounter": "01939f5e-7c00-7abc-8def-0123456789ab",
        "prev": "00" * 32,
        "sealed": "ff" * 32,
        "seq": 7,
    },
]


def canonical(value: object) -> str:
    """Canonical JSON: sorted keys, no spaces, the shortest escapes, everything else as it is."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def vectors() -> list[dict[str, str]]:
    """All vectors, as the file has them."""
    texts = [canonical(value) for value in VALUES]
    return [{"text": text, "hash": event_hash(text.encode())} for text in texts]


def event_hash(body: bytes) -> str:
    """SHA-256 under the label of events."""
    return sha256(b"warlog/event/1" + b"\x00" + body).hexdigest()


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n", encoding="utf-8")
