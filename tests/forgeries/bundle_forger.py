"""Forgers of bundles: one changes lines, one has every key of the service.

How this works. `rows` and `text` change lines and nothing else; `rehashed` hashes, links and signs
again; `retold` seals another event too, so that only dice, rolls, rules or a kept receipt object.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.encounters.receipts import Signer
from service.engine import hashing
from service.engine.log import canonical
from service.engine.log.event import Event
from service.engine.log.parts import part_names
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.replay.bundle.format import BundleReceipt, BundleSeal, encoded, event_line
from tests.kit.table import Table
from tests.replay.forger import with_event
from tests.replay.memory_audit import bundle_of

KEY: Final = bytes(range(32))
Line = dict[str, Any]
Difference = dict[str, Any]
SIDES: Final = ("red", "blue")


def signer_of(private: bytes) -> Signer:
    """A signer under the id that its key has."""
    return Signer.of(Ed25519PrivateKey.from_private_bytes(private))


SIGNER: Final = signer_of(KEY)
PUBLIC: Final = SIGNER.key.public_key().public_bytes_raw()


def seal_line(encounter: str, seq: int, head: str, signer: Signer = SIGNER) -> bytes:
    """The last line of a bundle that ends there."""
    receipt = signer.sign(encounter, seq, head)
    return encoded(
        BundleSeal(
            seq=seq,
            hash=head,
            receipt=BundleReceipt(
                kid=receipt.kid, encounter=encounter, seq=seq, hash=head, sig=receipt.sig
            ),
            public_key=signer.key.public_key().public_bytes_raw().hex(),
        )
    )


def bundle(table: Table, viewer: Viewer) -> list[bytes]:
    """The lines of the battle's bundle, signed by `SIGNER`."""
    lines = bundle_of(table, lambda seq: viewer)
    return [*lines[:-1], seal_line(table.encounter, len(table.sealed), table.head)]


class Forger:
    """Forges one battle; lines count from 1, as in the differences.

    `gm` and `red` are the names of its two bundles; every change is made to one of them.
    """

    def __init__(self, table: Table, name: str = "bundle") -> None:
        self.table = table
        self.gm, self.red = f"{name}-gm.ndjson", f"{name}-red.ndjson"
        self.viewers = {self.gm: GAME_MASTER, self.red: Viewer(sides=("red",))}
        self.bundles = {file: bundle(table, viewer) for file, viewer in self.viewers.items()}

    def line_of(self, seq: int) -> int:
        """The line of an event."""
        return 1 + len(self.table.blobs) + seq

    def rows(
        self, number: int, change: Callable[[Line], object], file: str | None = None
    ) -> list[bytes]:
        """The bundle with one line changed as JSON, and written canonically."""
        lines = list(self.bundles[file or self.gm])
        lines[number - 1] = changed_line(lines[number - 1], change)
        return lines

    def text(self, number: int, old: bytes, new: bytes) -> list[bytes]:
        """The bundle with some bytes of one line replaced, once."""
        lines = list(self.bundles[self.gm])
        assert old in lines[number - 1]
        lines[number - 1] = lines[number - 1].replace(old, new, 1)
        return lines

    def retold(
        self, seq: int, change: Callable[[Event], Event], file: str | None = None
    ) -> list[bytes]:
        """The bundle with one event changed, sealed and signed again from there on."""
        name = file or self.gm
        log = with_event(self.table, seq, change)
        later = [encoded(event_line(each, self.viewers[name], SIDES)) for each in log[seq - 1 :]]
        seal = seal_line(self.table.encounter, len(log), log[-1].hash)
        return [*self.bundles[name][: self.line_of(seq) - 1], *later, seal]

    def rehashed(
        self,
        seq: int,
        change: Callable[[Line], object],
        signer: Signer = SIGNER,
        file: str | None = None,
    ) -> list[bytes]:
        """The bundle with one body changed, hashed, linked and signed again, all parts kept."""
        return self.relined(seq, lambda line: change(line["event"]), signer, file)

    def relined(
        self,
        seq: int,
        change: Callable[[Line], object],
        signer: Signer = SIGNER,
        file: str | None = None,
    ) -> list[bytes]:
        """The bundle with one event's line changed, hashed, linked and signed again."""
        lines = self.rows(self.line_of(seq), change, file)
        head = ""
        for number in range(self.line_of(seq), len(lines)):
            line = json.loads(lines[number - 1])
            if head:
                line["event"]["prev"] = head
            head = hashing.event_hash(canonical.encode(line["event"]))
            lines[number - 1] = canonical.encode({**line, "hash": head}) + b"\n"
        lines[-1] = seal_line(self.table.encounter, len(self.table.sealed), head, signer)
        return lines


def changed_line(line: bytes, change: Callable[[Line], object]) -> bytes:
    """A line changed as JSON, and written canonically."""
    tree = json.loads(line)
    change(tree)
    return canonical.encode(tree) + b"\n"


def with_entry(line: Line, name: tuple[str, str], entry: list[object]) -> None:
    """One more entry in a part of an event's line, committed to again."""
    with_entries(line, name, lambda entries: entries.append(entry))


def with_entries(line: Line, name: tuple[str, str], change: Callable[[list[Any]], object]) -> None:
    """The entries of a part of an event's line changed, committed to again."""
    [part] = [each for each in line["parts"] if (each["kind"], each["audience"]) == name]
    change(part["body"]["entries"])
    place = part_names(SIDES).index(name)
    salt, body = bytes.fromhex(part["salt"]), canonical.encode(part["body"])
    line["commits"][place] = hashing.part_commit(salt, body).hex()
    line["event"]["sealed"] = hashing.sealed(bytes.fromhex("".join(line["commits"])))
