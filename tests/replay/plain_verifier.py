"""A verifier of bundles written from `/docs/specification` alone: nothing of the service is in it.

A second reading of the page. It finds the first difference of each published forgery, and none in
any bundle that the service wrote. Signatures are the one thing that it leaves to a library.
"""

import json
import re
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from service.api import docs
from tests.engine.plain_dice import dice_key
from tests.engine.plain_texts import canonical, event_hash
from tests.replay.plain_effects import (
    first_wrong_draw,
    first_wrong_roll,
    is_within,
    listed_draws,
    own_stream,
)
from tests.replay.plain_invariants import Invariants
from tests.replay.plain_parts import Misfit, part_names, places_of, readable, view, whole
from tests.replay.plain_retold import PlainRetold

Tree = dict[str, Any]
Finding = dict[str, Any]


def line_form(*, has_body: bool = True) -> jsonschema_rs.Draft202012Validator:
    """The published schema without what has another word; `has_body`: that of an event counts."""
    schema: Tree = json.loads(Path(docs.__file__).with_name("bundle-line.schema.json").read_bytes())
    shapes = schema["$defs"]
    shapes["value"] = {}  # canonical
    del shapes["body"]["properties"]["at"]["pattern"]  # canonical
    for each in ("if", "then", "else"):  # wrong_viewer
        del shapes["viewer"][each]
    shapes["part"]["required"] = ["kind", "audience"]  # wrong_parts
    shapes["event"]["properties"]["parts"]["items"] = {"$ref": "#/$defs/part"}
    if not has_body:
        shapes["event"]["properties"]["event"] = {}
    return jsonschema_rs.Draft202012Validator(schema)


FORM: Final = line_form()
FORM_BESIDE_BODY: Final = line_form(has_body=False)
DIGEST: Final = re.compile(r"[0-9a-f]{64}")
KEY: Final = re.compile(r"[a-z0-9_]+")
MOST: Final = 2**53 - 1
LONGEST: Final = 64 << 20
MOST_VALUES: Final = 4 << 20
DEEPEST: Final = 256
HALF_PAIR: Final = re.compile("[\ud800-\udfff]")
SIDE: Final = re.compile("[a-z0-9_]{1,20}")
MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)


AFTER_THE_END: Final = [
    "seed_revealed",
    "parts_opened",
    "revealed",
    "noted",
    "erased",
    "seat_changed",
    "control_changed",
]


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
            return "\0" not in value and not HALF_PAIR.search(value)
        case list():
            return all(map(is_canonical_value, value))
        case dict():
            return all(map(KEY.fullmatch, value)) and all(map(is_canonical_value, value.values()))
        case _:
            return False


def is_digest(value: object) -> bool:
    """Whether a value is 64 hex digits."""
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def is_origin(created: Tree) -> bool:
    """Whether a fork names the event that it continues."""
    origin = created["fork_of"]
    if not isinstance(origin, dict):
        return False
    return (
        isinstance(origin.get("encounter"), str)
        and is_within(origin.get("seq"), 1, 2**31 - 1)
        and is_digest(origin.get("hash"))
        and origin.get("status") in ("setup", "running")
    )


def is_moment(at: object) -> bool:
    """Whether this is RFC 3339 in UTC with milliseconds."""
    if not isinstance(at, str) or not MOMENT.fullmatch(at):
        return False
    try:
        datetime.fromisoformat(at)
    except ValueError:
        return False
    return True


def parsed(line: bytes, *, is_first: bool = False) -> Tree:
    """A line of a bundle. Raises Damaged."""
    if len(line) > LONGEST:
        raise Damaged("too_long")
    if not line.endswith(b"\n"):
        raise Damaged("truncated")
    if sum(map(line.count, (b"[", b"{", b","))) > MOST_VALUES:
        raise Damaged("too_long")
    try:
        value = json.loads(
            line.decode(), parse_float=_number, parse_int=_number, parse_constant=_no_number
        )
    except (ValueError, RecursionError) as error:
        raise Damaged("unreadable") from error
    found = value.get("format", 1) if is_first and isinstance(value, dict) else 1
    if not is_within(found, 1, 1) and not (isinstance(found, str) and HALF_PAIR.search(found)):
        raise Damaged("unknown_format")
    if not isinstance(value, dict) or nests_too_deeply(value):
        raise Damaged("unreadable")
    _require_canonical(value, line)
    return dict(value)


def _number(text: str) -> int | float:
    """A number that another writing would mend, such as 1.0, is the whole one."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _no_number(text: str) -> None:
    """NaN is no JSON. Raises ValueError."""
    raise ValueError(text)


def _require_canonical(value: Tree, line: bytes) -> None:
    """Raises Damaged; what canonical JSON cannot hold in a body or part is found later."""
    if HALF_PAIR.search(json.dumps(value, ensure_ascii=False)):
        raise Damaged("unreadable")
    if not FORM_BESIDE_BODY.is_valid(value):
        raise Damaged("unreadable")
    is_event = value["type"] == "event"
    if is_event and not is_canonical_value(value["event"]):
        return
    if not FORM.is_valid(value):
        raise Damaged("unreadable")
    if not is_canonical_value(value):
        if not is_event:
            raise Damaged("unreadable")
    elif canonical(value).encode() + b"\n" != line:
        raise Damaged("not_canonical")


def nests_too_deeply(value: object) -> bool:
    """Whether a value has more levels than a line may have."""
    level = [value]
    for _ in range(DEEPEST):
        lists = [each for each in level if isinstance(each, list)]
        lists += [list(each.values()) for each in level if isinstance(each, dict)]
        level = [inner for each in lists for inner in each]
    return any(isinstance(each, dict | list) for each in level)


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
    """What is first wrong with a bundle, as far as can be judged without the rules."""
    verifier = Verifier()
    for number, line in enumerate(lines, 1):
        try:
            found = verifier.take(parsed(line, is_first=number == 1))
        except Damaged as damaged:
            return {"check": str(damaged), "line": number}
        if found is not None:
            check, path = found
            return {"check": check, "line": number, "path": path}
    if verifier.seal is None:
        return {"check": "truncated", "line": len(lines) + 1}
    found = verifier.closing_difference(public_key)
    return None if found is None else {"check": found[0], "where": found[1]}


def has_unknown_types(lines: list[bytes]) -> bool:
    """Whether a bundle has a ruleset, version or type that the table does not have."""
    row: Tree | None = None
    for line in map(parsed, lines):
        if line["type"] != "event":
            continue
        body = line["event"]
        if body["seq"] == 1:
            created = body["effects"][0]
            row = places_of(created["ruleset"], created["version"])
        if row is None or _unknown_types(line, body, row):
            return True
    return False


def _unknown_types(line: Tree, body: Tree, row: Tree) -> set[str]:
    entries = [
        entry
        for part in line["parts"]
        if part["kind"] == "facts"
        for entry in part["body"]["entries"]
    ]
    actions = [body["action"]] if "action" in body else []
    actions += [value for path, value in entries if path == ["action"]]
    effects = [*body["effects"]]
    effects += [value for path, value in entries if len(path) == 2 and path[0] == "effects"]
    asked = {str(each["type"]) for each in actions if each["type"] not in row["actions"]}
    return asked | {str(each["type"]) for each in effects if each["type"] not in row["effects"]}


class Verifier:
    """Takes a bundle line by line."""

    def __init__(self) -> None:
        self.header: Tree = {}
        self.blobs: list[str] = []
        self.named: list[str] = []
        self.stated: set[str] = set()
        self.is_created = self.has_started = self.is_seed_out = False
        self.seq, self.prev = 0, "0" * 64
        self.ended: set[int] = set()
        self.seal: Tree | None = None
        self.created: Tree = {}
        self.sides: list[str] = []
        self.contributions: list[bytes] = []
        self.revealed: str | None = None
        self.emptied: set[int] = set()
        self.erased: set[int] = set()
        self.judged: list[str] = []
        self.seen: dict[str, dict[tuple[int, int, int], Tree]] = {}
        self.invariants: dict[str, Invariants] = {}
        self.retold: dict[str, PlainRetold] = {}

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
        self.blobs.append(blob["digest"])

    def _take_event(self, line: Tree) -> tuple[str, str] | None:
        names = [(part["kind"], part["audience"]) for part in line["parts"]]
        for part in line["parts"]:
            is_half = ("salt" in part) != ("body" in part)
            if is_half or (part["kind"] == "facts" and "body" not in part):
                raise Damaged("wrong_parts")
        if len(set(names)) != len(names):
            raise Damaged("wrong_parts")
        body = line["event"]
        created = self.created or next(iter(body["effects"]), {})
        sides: list[Tree] = created["sides"] if self._is_creation(created) else []
        order = part_names([side["id"] for side in sides])
        places = [order.index(name) for name in names if name in order]
        if places != sorted(places):
            raise Damaged("wrong_parts")
        found = self._broken_seal(line, body)
        self.seq, self.prev = self.seq + 1, line["hash"]
        was_out = self.is_seed_out
        found = found or self._against_log_rules(body)
        if found is None:
            key = self._key()
            self._collect(body)
            found = self._broken_part(line, names) or self._untimely_draws(line, was_out=was_out)
            found = found or self._wrong_draws(line, body, key)
        return found

    def _broken_seal(self, line: Tree, body: Tree) -> tuple[str, str] | None:
        if not is_canonical_value(body):
            return "canonical", "$"
        if not is_moment(body["at"]):
            return "canonical", "$.at"
        for part in line["parts"]:
            if "body" in part and not is_canonical_value(part["body"]):
                return "canonical", f"parts.{part['kind']}.{part['audience']}"
        if event_hash(canonical(body).encode()) != line["hash"]:
            return "hash", "hash"
        links = {"seq": self.seq + 1, "encounter": self.header["encounter"], "prev": self.prev}
        for name, value in links.items():
            if body[name] != value:
                return "chain", f"$.{name}"
        to = [effect.get("to") for effect in body["effects"] if effect["type"] == "rewound"]
        is_behind = bool(to) and not (type(to[0]) is int and 1 <= to[0] < body["seq"])
        if len(to) > 1 or is_behind or body["base"] != (to[0] if to else body["seq"] - 1):
            return "chain", "$.base"
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
        sealed = sha256(b"".join(map(bytes.fromhex, line["commits"]))).hexdigest()
        if sealed != line["event"]["sealed"]:
            return "commitment", "$.sealed"
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

    def _against_log_rules(self, body: Tree) -> tuple[str, str] | None:
        """What no log has at this place, whatever its ruleset."""
        for place, effect in enumerate(body["effects"]):
            if not self._may_be_here(effect):
                return "log_rules", f"$.effects[{place}]"
        kinds = [effect["type"] for effect in body["effects"]]
        has_ended = body["base"] in self.ended
        if has_ended or "encounter_ended" in kinds:
            self.ended.add(body["seq"])
        late = [kind not in AFTER_THE_END for kind in kinds]
        if has_ended and "rewound" not in kinds and any(late):
            return "log_rules", f"$.effects[{late.index(True)}]"
        if not self.is_created:
            return "log_rules", "$.effects[0]"
        return None

    def _untimely_draws(self, line: Tree, *, was_out: bool) -> tuple[str, str] | None:
        body = line["event"]
        opened = {(p["kind"], p["audience"]): p["body"] for p in line["parts"] if "body" in p}
        for at, draws in listed_draws(body, opened):
            if draws and (was_out or not self.has_started):
                return "log_rules", at
        return None

    def _may_be_here(self, effect: Tree) -> bool:
        match effect["type"]:
            case "encounter_created":
                is_due, self.is_created = not self.is_created, True
                if not is_due or self.seq != 1 or not self._is_creation(effect):
                    return False
                if not self._is_fork_or_none(effect):
                    return False
            case "contributed":
                return not self.has_started and is_digest(effect.get("value"))
            case "encounter_started":
                is_due, self.has_started = not self.has_started, True
                return is_due
            case "seed_revealed":
                is_due, self.is_seed_out = not self.is_seed_out, True
                return is_due and is_digest(effect.get("seed"))
            case "erased":
                seqs = effect.get("seqs")
                return isinstance(seqs, list) and all(
                    type(seq) is int and 1 <= seq < self.seq for seq in seqs
                )
            case _:
                pass
        if effect["type"] in ("encounter_created", "options_set"):
            if not all(is_digest(effect[name]) for name in ("content", "map") if name in effect):
                return False
            stated = [effect[name] for name in ("content", "map") if is_digest(effect.get(name))]
            self.stated |= set(stated)
            self.named += [each for each in stated if each not in self.named]
        return True

    def _is_fork_or_none(self, created: Tree) -> bool:
        """Whether a fork names what it continues, which is another log, and nothing else does."""
        if not isinstance(created.get("state"), dict):
            return "fork_of" not in created
        if "fork_of" not in created or not is_origin(created):
            return False
        return bool(created["fork_of"]["encounter"] != self.header["encounter"])

    def _is_creation(self, effect: Tree) -> bool:
        sides = effect.get("sides")
        if not isinstance(sides, list) or not isinstance(effect.get("dice"), dict):
            return False
        ids = [side.get("id") if isinstance(side, dict) else None for side in sides]
        return (
            all(isinstance(each, str) and SIDE.fullmatch(each) for each in ids)
            and len({*ids, "everyone", "gm"}) == len(ids) + 2
            and len(ids) <= 254
            and effect.get("seed") in ("os", "given")
        )

    def _key(self) -> bytes | None:
        """The key of the dice of the next event, as far as it can be known."""
        mode = self.created.get("dice", {}).get("mode")
        if "seed" not in self.header or mode != "sealed" or not self._has_seed():
            return None
        seed = bytes.fromhex(self.header["seed"])
        return dice_key(seed, self.header["encounter"], self.contributions)

    def _wrong_draws(self, line: Tree, body: Tree, key: bytes | None) -> tuple[str, str] | None:
        opened = {(p["kind"], p["audience"]): p["body"] for p in line["parts"] if "body" in p}
        for at, draws in listed_draws(body, opened):
            wrong = first_wrong_draw(draws, key, self.seq, at, own_stream(at, self.sides))
            if wrong is not None:
                return "draws", wrong
        row = places_of(self.created.get("ruleset"), self.created.get("version"))
        self.judged = [a for a in self.judged if a == "everyone" or ("facts", a) in opened]
        odd: str | None = None
        for audience in self.judged:
            is_whole = audience == "gm"
            try:
                told = (
                    whole(body, opened, self.sides, row)
                    if is_whole
                    else view(body, opened, audience, row)
                )
            except Misfit as misfit:
                return "parts", str(misfit)
            at = "$" if audience == "everyone" else f"{audience}:$"
            if not isinstance(told["effects"], list):
                told = {**told, "effects": []}
            wrong = first_wrong_roll(told, self.seen.setdefault(audience, {}), at)
            if row is not None:
                if audience not in self.retold:
                    rolls = row["rolls"]
                    self.retold[audience] = PlainRetold(rolls, self.created, is_whole=is_whole)
                wrong = wrong or self.retold[audience].first_wrong(told, at)
            if wrong is not None:
                return "draws", wrong
            table = self.invariants.setdefault(audience, Invariants(audience))
            path = table.first(told)
            odd = odd or (None if path is None else at + path)
        return None if odd is None else ("invariants", odd)

    def closing_difference(self, public_key: str | None) -> tuple[str, str] | None:
        """What is first wrong with the log as a whole."""
        header, seal = self.header, self.seal or {}
        dice = self.created["dice"]
        stated = {
            "ruleset": (header["ruleset"], self.created.get("ruleset")),
            "version": (header["version"], self.created.get("version")),
            "algorithm": (header["dice"]["algorithm"], dice.get("algorithm")),
            "mode": (header["dice"]["mode"], dice.get("mode")),
            "commitment": (header["commitment"], self.created.get("commitment")),
        }
        for where, (claim, fact) in stated.items():
            if claim != fact:
                return "header_differs", where
        granted = {side for grant in header["viewer"]["grants"] for side in grant["sides"]}
        if not granted <= set(self.sides):
            return "header_differs", "viewer"
        wrong = self._wrong_seed()
        wrong = wrong or self._wrong_blobs()
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

    def _wrong_blobs(self) -> tuple[str, str] | None:
        """Every blob is named, every stated one is there, and they stand in one of two orders."""
        self.named = [each for each in self.named if each in self.blobs]
        if set(self.named) != set(self.blobs):
            return "unnamed_blob", "blobs"
        if not self.stated <= set(self.blobs):
            return "missing_blob", "blobs"
        is_in_order = self.blobs in (sorted(self.blobs), self.named)
        return None if is_in_order else ("blob_order", "blobs")

    def _has_seed(self, told: str | None = None) -> bool:
        """Whether a seed, that of the header if none, is the one that event 1 committed to."""
        seed = bytes.fromhex(told or self.header["seed"])
        commitment = sha256(b"warlog/commit/1\0" + seed).hexdigest()
        return commitment == self.created.get("commitment")

    def _wrong_seed(self) -> tuple[str, str] | None:
        if "seed" not in self.header and self.revealed is None:
            return None
        if not self._has_seed(self.header.get("seed", self.revealed)):
            return "seed_does_not_fit", "seed"
        if "seed" not in self.header:
            return "seed_missing", "seed"
        return None if self.header["seed"] == self.revealed else ("header_differs", "seed")
