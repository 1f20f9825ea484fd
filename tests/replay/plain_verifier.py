"""A verifier of bundles written from `/docs/specification` alone: nothing of the service is in it.

A second reading of the page. It finds the first difference of each published forgery, and none in
any bundle that the service wrote. Signatures are the one thing that it leaves to a library.
"""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.engine.plain_dice import dice_key, hmac_sha256
from tests.engine.plain_texts import canonical, event_hash
from tests.replay.plain_parts import part_names, readable, view, whole

Tree = dict[str, Any]
Finding = dict[str, Any]
FIELDS: Final[dict[str, tuple[str, str]]] = {
    "bundle": ("commitment dice encounter format ruleset version viewer", "seed"),
    "blob": ("body digest", ""),
    "event": ("commits event hash parts", ""),
    "seal": ("hash public_key receipt seq", ""),
}
"""The fields that a line of each type has, and those that it may have."""
KEY: Final = re.compile(r"[a-z0-9_]+")
MOST: Final = 2**53 - 1


class Damaged(Exception):
    """The bytes are no bundle; the argument is the word for it."""


# --- canonical JSON -------------------------------------------------------------------------------


def is_canonical_value(value: object) -> bool:
    """Whether canonical JSON can hold a value."""
    match value:
        case bool():
            return True
        case int():
            return abs(value) <= MOST
        case str():
            return "\0" not in value and not re.search("[\ud800-\udfff]", value)
        case list():
            return all(map(is_canonical_value, value))
        case dict():
            return all(map(KEY.fullmatch, value)) and all(map(is_canonical_value, value.values()))
        case _:
            return False


def parsed(line: bytes) -> Tree:
    """A line of a bundle. Raises Damaged."""
    if not line.endswith(b"\n"):
        raise Damaged("truncated")
    try:
        value = json.loads(line.decode())
    except ValueError as error:
        raise Damaged("unreadable") from error
    required, optional = FIELDS.get(value.get("type"), ("", ""))
    fields = {*required.split(), "type"}
    if not fields <= value.keys() <= fields | set(optional.split()):
        raise Damaged("unreadable")
    if canonical(value).encode() + b"\n" != line:
        raise Damaged("not_canonical")
    return dict(value)


# --- draws and rolls ------------------------------------------------------------------------------


def first_wrong_draw(draws: list[Tree], key: bytes | None, seq: int, at: str) -> str | None:
    """The path of the first draw that is not the next one of its stream."""
    tapes: dict[int, Iterator[int]] = {}
    counts: dict[int, int] = {}
    for index, draw in enumerate(draws):
        stream = draw["stream"]
        counts[stream] = counts.get(stream, 0) + 1
        if draw["number"] != counts[stream]:
            return f"{at}[{index}].number"
        face = draw["face"]
        if key is not None:
            face = next_face(tapes.setdefault(stream, tape(key, seq, stream)), draw["sides"])
        if draw["face"] != face or not 1 <= face <= draw["sides"]:
            return f"{at}[{index}].face"
    return None


def tape(key: bytes, seq: int, stream: int) -> Iterator[int]:
    """The bytes of a stream."""
    block = 0
    while True:
        counters = seq.to_bytes(8, "big") + bytes([stream]) + block.to_bytes(4, "big")
        yield from hmac_sha256(key, counters)
        block += 1


def next_face(source: Iterator[int], sides: int) -> int:
    """The next face of a die."""
    width = 1 if sides <= 256 else 2
    while True:
        value = int.from_bytes([next(source) for _ in range(width)], "big")
        if value < sides * (256**width // sides):
            return value % sides + 1


def rolls(value: Any, path: str) -> Iterator[tuple[str, Tree]]:
    """Every roll at any depth, with its path; keys in their order."""
    if isinstance(value, dict) and {"faces", "sides"} <= value.keys():
        yield path, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from rolls(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from rolls(inner, f"{path}[{index}]")


def named_draws(roll: Tree) -> list[Tree]:
    """The draws that the runs of a roll name, one by one; fewer or more than faces if wrong."""
    return [
        {**run, "number": run["number"] + nth}
        for run in roll["draws"]
        for nth in range(run.get("count", len(roll["faces"])))
    ]


def first_wrong_roll(event: Tree, seen: dict[tuple[int, int, int], Tree], at: str) -> str | None:
    """The path of the first roll, or else of the first draw, that does not fit in one view."""
    seq = event["seq"]
    unnamed = {(seq, draw["stream"], draw["number"]): draw for draw in event["draws"]}
    seen |= unnamed
    for path, roll in rolls(event["effects"], f"{at}.effects"):
        draws = named_draws(roll)
        if len(draws) != len(roll["faces"]):
            return path
        for place, draw in enumerate(draws):
            where = (draw.get("seq", seq), draw["stream"], draw["number"])
            if where not in seen or ("seq" not in draw and unnamed.pop(where, None) is None):
                return f"{path}.draws"
            if seen[where]["sides"] != roll["sides"]:
                return f"{path}.sides"
            if seen[where]["face"] != roll["faces"][place]:
                return f"{path}.faces[{place}]"
        counted = [f for f, d in zip(roll["faces"], draws, strict=True) if "uncounted" not in d]
        if sum(counted) != roll["total"]:
            return f"{path}.total"
    left = [event["draws"].index(draw) for draw in unnamed.values()]
    return f"{at}.draws[{left[0]}]" if left else None


# --- receipts -------------------------------------------------------------------------------------


def is_signed(receipt: Tree, public_key: bytes) -> bool:
    """Whether this key signed a receipt, alone (format 1) or with others (format 2)."""
    body = canonical({name: receipt[name] for name in ("encounter", "hash", "kid", "seq")}).encode()
    signed = b"warlog/receipt/1\0" + body
    if ("format" in receipt) != ("path" in receipt):
        return False
    if "path" in receipt:
        node = sha256(b"warlog/receipt-leaf/2\0" + body).digest()
        for beside in map(bytes.fromhex, receipt["path"]):
            pair = min(node, beside) + max(node, beside)
            node = sha256(b"warlog/receipt-node/2\0" + pair).digest()
        signed = b"warlog/receipt-root/2\0" + node
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(bytes.fromhex(receipt["sig"]), signed)
    except InvalidSignature:
        return False
    return True


# --- a bundle -------------------------------------------------------------------------------------


def first_difference(lines: list[bytes], public_key: str | None = None) -> Finding | None:
    """What is first wrong with a bundle, as far as can be told without the rules."""
    verifier = Verifier()
    for number, line in enumerate(lines, 1):
        try:
            found = verifier.take(parsed(line))
        except Damaged as damaged:
            return {"check": str(damaged), "line": number}
        if found is not None:
            check, path = found
            return {"check": check, "line": number, "path": path}
    if verifier.seal is None:
        return {"check": "truncated", "line": len(lines) + 1}
    found = verifier.closing_difference(public_key)
    return None if found is None else {"check": found[0], "where": found[1]}


class Verifier:
    """Takes a bundle line by line."""

    def __init__(self) -> None:
        self.header: Tree = {}
        self.blobs: set[str] = set()
        self.seq, self.prev = 0, "0" * 64
        self.seal: Tree | None = None
        self.created: Tree = {}
        self.sides: list[str] = []
        self.contributions: list[bytes] = []
        self.revealed: str | None = None
        self.emptied: set[int] = set()
        self.erased: set[int] = set()
        self.judged: list[str] = []
        self.seen: dict[str, dict[tuple[int, int, int], Tree]] = {}

    def take(self, line: Tree) -> tuple[str, str] | None:
        """The next line; what is first wrong with it. Raises Damaged."""
        kind = line["type"]
        is_begun = bool(self.header)
        in_order = {
            "bundle": not is_begun,
            "blob": is_begun and self.seq == 0,
            "event": is_begun,
            "seal": self.seq > 0,
        }
        if self.seal is not None or not in_order[kind]:
            raise Damaged("out_of_order")
        match kind:
            case "bundle":
                self._take_header(line)
            case "blob":
                self._take_blob(line)
            case "event":
                return self._take_event(line)
            case _:
                self.seal = line
        return None

    def _take_header(self, header: Tree) -> None:
        fairness = "verifiable" if "seed" in header else "sealed"
        if header["dice"]["mode"] == "supplied":
            fairness = "not_verified"
        if header["dice"]["fairness"] != fairness:
            raise Damaged("wrong_fairness")
        since = [grant["since"] for grant in header["viewer"]["grants"]]
        is_of_sides = header["viewer"]["kind"] == "sides"
        if since != sorted(set(since)) or bool(since) != is_of_sides:
            raise Damaged("wrong_viewer")
        self.header = header

    def _take_blob(self, blob: Tree) -> None:
        if sha256(canonical(blob["body"]).encode()).hexdigest() != blob["digest"]:
            raise Damaged("wrong_digest")
        if blob["digest"] in self.blobs:
            raise Damaged("repeated_blob")
        self.blobs.add(blob["digest"])

    def _take_event(self, line: Tree) -> tuple[str, str] | None:
        names = [(part["kind"], part["audience"]) for part in line["parts"]]
        for part in line["parts"]:
            is_half = ("salt" in part) != ("body" in part)
            if is_half or (part["kind"] == "facts" and "body" not in part):
                raise Damaged("wrong_parts")
        if len(set(names)) != len(names):
            raise Damaged("wrong_parts")
        body = line["event"]
        found = self._broken_seal(line, body)
        self.seq, self.prev = self.seq + 1, line["hash"]
        if found is None:
            key = self._key()
            self._collect(body)
            found = self._broken_part(line, names) or self._wrong_draws(line, body, key)
        return found

    def _broken_seal(self, line: Tree, body: Tree) -> tuple[str, str] | None:
        if not is_canonical_value(body):
            return "canonical", "$"
        if event_hash(canonical(body).encode()) != line["hash"]:
            return "hash", "hash"
        links = {"seq": self.seq + 1, "encounter": self.header["encounter"], "prev": self.prev}
        for name, value in links.items():
            if body[name] != value:
                return "chain", f"$.{name}"
        to = [effect["to"] for effect in body["effects"] if effect["type"] == "rewound"]
        if body["base"] != (to[0] if to else body["seq"] - 1):
            return "chain", "$.base"
        commits = b"".join(map(bytes.fromhex, line["commits"]))
        if sha256(commits).hexdigest() != body["sealed"]:
            return "commitment", "$.sealed"
        return None

    def _collect(self, body: Tree) -> None:
        for effect in body["effects"]:
            match effect["type"]:
                case "encounter_created":
                    self.created = effect
                    self.sides = [side["id"] for side in effect["sides"]]
                    self.judged = ["everyone", *self.sides, "gm"]
                case "contributed":
                    self.contributions.append(bytes.fromhex(effect["value"]))
                case "seed_revealed":
                    self.revealed = effect["seed"]
                case "erased":
                    self.erased |= set(effect["seqs"])
                case _:
                    pass

    def _broken_part(self, line: Tree, names: list[tuple[str, str]]) -> tuple[str, str] | None:
        expected = part_names(self.sides)
        if len(line["commits"]) != len(expected):
            return "commitment", "commits"
        commits = dict(zip(expected, line["commits"], strict=True))
        for name, part in zip(names, line["parts"], strict=True):
            if "body" not in part:
                self.emptied.add(self.seq)
            elif name in commits:
                opening = bytes.fromhex(part["salt"]) + canonical(part["body"]).encode()
                if sha256(b"warlog/seal/1\0" + opening).hexdigest() != commits[name]:
                    return "commitment", f"parts.{name[0]}.{name[1]}"
        if names != readable(self.header["viewer"], self.seq, self.sides):
            return "entitlement", "parts"
        return None

    def _key(self) -> bytes | None:
        """The key of the dice of the next event, as far as it can be known."""
        mode = self.created.get("dice", {}).get("mode")
        if "seed" not in self.header or mode != "sealed" or not self._has_seed():
            return None
        seed = bytes.fromhex(self.header["seed"])
        return dice_key(seed, self.header["encounter"], self.contributions)

    def _wrong_draws(self, line: Tree, body: Tree, key: bytes | None) -> tuple[str, str] | None:
        opened = {(p["kind"], p["audience"]): p["body"] for p in line["parts"] if "body" in p}
        listed = [("$.draws", body["draws"])]
        for (kind, audience), part in opened.items():
            draws = [v for path, v in part["entries"] if len(path) == 2 and path[0] == "draws"]
            if kind == "facts":
                listed.append((f"parts.facts.{audience}:$.draws", draws))
        for at, draws in listed:
            wrong = first_wrong_draw(draws, key, self.seq, at)
            if wrong is not None:
                return "draws", wrong
        self.judged = [a for a in self.judged if a == "everyone" or ("facts", a) in opened]
        for audience in self.judged:
            is_whole = audience == "gm"
            told = whole(body, opened, self.sides) if is_whole else view(body, opened, audience)
            at = "$" if audience == "everyone" else f"{audience}:$"
            wrong = first_wrong_roll(told, self.seen.setdefault(audience, {}), at)
            if wrong is not None:
                return "draws", wrong
        return None

    def closing_difference(self, public_key: str | None) -> tuple[str, str] | None:
        """What is first wrong with the log as a whole."""
        header, seal = self.header, self.seal or {}
        dice = self.created["dice"]
        stated = {
            "ruleset": (header["ruleset"], self.created["ruleset"]),
            "version": (header["version"], self.created["version"]),
            "algorithm": (header["dice"]["algorithm"], dice["algorithm"]),
            "mode": (header["dice"]["mode"], dice["mode"]),
            "commitment": (header["commitment"], self.created["commitment"]),
        }
        for where, (claim, fact) in stated.items():
            if claim != fact:
                return "header_differs", where
        granted = {side for grant in header["viewer"]["grants"] for side in grant["sides"]}
        if not granted <= set(self.sides):
            return "header_differs", "viewer"
        wrong = self._wrong_seed()
        if wrong is not None:
            return wrong
        if (seal["seq"], seal["hash"]) != (self.seq, self.prev):
            return "head_differs", "head"
        receipt, key = seal["receipt"], bytes.fromhex(seal["public_key"])
        head = (header["encounter"], seal["seq"], seal["hash"])
        is_of_head = (receipt["encounter"], receipt["seq"], receipt["hash"]) == head
        if not is_of_head or not is_signed(receipt, key):
            return "receipt_forged", "seal"
        if receipt["kid"] != sha256(key).hexdigest()[:16]:
            return "key_id_differs", "seal"
        if public_key is not None and public_key != seal["public_key"]:
            return "key_differs", "seal"
        return ("erased_without_event", "parts") if self.emptied - self.erased else None

    def _has_seed(self) -> bool:
        """Whether the seed of the header is the one that event 1 committed to."""
        seed = bytes.fromhex(self.header["seed"])
        commitment: str = self.created["commitment"]
        return sha256(b"warlog/commit/1\0" + seed).hexdigest() == commitment

    def _wrong_seed(self) -> tuple[str, str] | None:
        if "seed" not in self.header:
            return None if self.revealed is None else ("seed_missing", "seed")
        if not self._has_seed():
            return "seed_does_not_fit", "seed"
        return None if self.header["seed"] == self.revealed else ("header_differs", "seed")
