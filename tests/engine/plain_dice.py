"""The published dice, written out plainly: SHA-256 and byte strings, nothing of the service.

A second reading of the contract. It made the published `dice.json` (run this file to make it again)
and the tests hold both against the engine.
"""

import json
from hashlib import sha256
from pathlib import Path

VECTORS = Path(__file__).parents[2] / "service/api/docs/vectors/dice.json"


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104 by hand."""
    padded = (sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\x00")
    inner = sha256(bytes(b ^ 0x36 for b in padded) + message).digest()
    return sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


def dice_key(seed: bytes, encounter: str, contributions: list[bytes]) -> bytes:
    """HMAC(seed, label, zero, encounter id, entropy)."""
    entropy = sha256(b"".join(contributions)).digest() if contributions else b""
    return hmac_sha256(seed, b"warlog/dice/1" + b"\x00" + encounter.encode() + entropy)


def faces(key: bytes, seq: int, stream: int, sizes: list[int]) -> tuple[list[int], int, int]:
    """The faces of dice of these sizes, how many values were rejected, how many bytes read."""
    tape = b""
    for block in range(64):
        counters = seq.to_bytes(8, "big") + bytes([stream]) + block.to_bytes(4, "big")
        tape += hmac_sha256(key, counters)
    found, rejected, at = [], 0, 0
    for sides in sizes:
        width = 1
        while 256**width < sides:
            width += 1
        while True:
            value = int.from_bytes(tape[at : at + width], "big")
            at += width
            if value < sides * (256**width // sides):
                break
            rejected += 1
        found.append(value % sides + 1)
    return found, rejected, at


CASES: list[tuple[str, int, int, list[int]]] = [
    ("a die of one side still takes a byte", 3, 0, [1, 1, 6]),
    ("six-sided dice", 3, 0, [6] * 12),
    ("the same stream at the next event", 4, 0, [6] * 12),
    ("the first side's stream", 3, 1, [6] * 12),
    ("the GM's stream", 3, 255, [6] * 12),
    ("twenty sides", 5, 0, [20] * 12),
    ("a hundred sides", 6, 0, [100] * 12),
    ("255 sides: one value is rejected", 25, 0, [255] * 12),
    ("256 sides: a byte, nothing rejected", 8, 0, [256] * 12),
    ("257 sides: two bytes", 9, 0, [257] * 12),
    ("129 sides: almost half of the values are rejected", 10, 0, [129] * 24),
    ("65,536 sides: two bytes, nothing rejected", 11, 0, [65_536] * 6),
    ("a die of two bytes across the border of two blocks", 12, 0, [256] * 31 + [257, 6]),
    ("a thousand sides: two bytes, 65,000 and more are rejected", 3, 0, [1000] * 12),
    ("a large seq", 2**31 - 1, 0, [6, 20, 100, 257]),
]
SEED = bytes(range(32))
ENCOUNTER = "01939f5e-7c00-7abc-8def-0123456789ab"
CONTRIBUTIONS = [bytes([0xA0]) * 32, bytes([0xB1]) * 32]


def vectors() -> dict[str, object]:
    """All vectors, as the file has them."""
    key = dice_key(SEED, ENCOUNTER, CONTRIBUTIONS)
    listed = []
    for about, seq, stream, sizes in CASES:
        shown, rejected, read = faces(key, seq, stream, sizes)
        listed.append(
            {
                "about": about,
                "seq": seq,
                "stream": stream,
                "sides": sizes,
                "faces": shown,
                "rejected": rejected,
                "bytes_read": read,
            }
        )
    return {
        "seed": SEED.hex(),
        "encounter": ENCOUNTER,
        "contributions": [value.hex() for value in CONTRIBUTIONS],
        "entropy": sha256(b"".join(CONTRIBUTIONS)).hexdigest(),
        "commitment": sha256(b"warlog/commit/1" + b"\x00" + SEED).hexdigest(),
        "dice_key": key.hex(),
        "dice_key_without_contributions": dice_key(SEED, ENCOUNTER, []).hex(),
        "first_block_of_event_3_stream_0": hmac_sha256(
            key, (3).to_bytes(8, "big") + b"\x00" + bytes(4)
        ).hex(),
        "dice": listed,
    }


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n", encoding="utf-8")
