"""Makes the published test vectors of the audit: a battle, its bundles, forgeries, receipts.

    .venv/bin/python -m tests.replay.audit_vectors      writes all of them again

How this works. One short battle of `crossfire-d6` is played and sealed by the service's own code;
what the files hold is taken from there. `canonical.json` and `dice.json` next to them are made by
`tests/engine/plain_texts.py` and `tests/engine/plain_dice.py`.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

from service.api import docs
from service.api.docs.text_places import table_bytes
from service.encounters.responses import Receipt
from service.engine import hashing
from service.engine.log import canonical
from service.engine.log import event as events
from service.engine.log.event import SealedEvent
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.values import By
from service.replay.audit.bundle_audit import audit_bundle
from service.replay.bundle.format import BundlePart, event_line
from service.rulesets import RULESETS
from service.rulesets.crossfire_d6 import RULESET
from tests.forgeries.asked_forgeries import of_asked_effects, of_own_origin, of_the_books
from tests.forgeries.bundle_forger import KEY, PUBLIC, SIDES, SIGNER, Forger
from tests.forgeries.bundle_forgeries import Forgery, forgeries
from tests.forgeries.entry_forgeries import of_added_entries, of_added_outcomes, of_changed_texts
from tests.forgeries.face_forgeries import of_forks, of_reused_faces
from tests.forgeries.forked_battles import FORKS
from tests.forgeries.further_forgeries import further_forgeries
from tests.forgeries.invariant_forgeries import of_the_invariants
from tests.forgeries.malformed_forgeries import of_malformed_forks, of_malformed_lines
from tests.forgeries.open_part_forgeries import of_open_parts
from tests.forgeries.reading_forgeries import (
    forgeries_of_readings,
    forks_of_readings,
    headers_of_readings,
)
from tests.forgeries.rulebook_forgeries import of_the_rulebooks
from tests.forgeries.seat_forgeries import of_decisions, of_seats
from tests.forgeries.settled_forgeries import settled_forgeries
from tests.forgeries.sheet_forgeries import of_the_sheets
from tests.forgeries.short_battles import BATTLES
from tests.forgeries.verdicts import expected_verdicts
from tests.kit.table import GM, SEAL_KEY, Table, bodies
from tests.replay.memory_audit import evidence_in_memory
from tests.replay.staging import BLUE, RED, seat_of, staged
from tests.rulesets.crossfire_d6.golden import action

FOLDER: Final = Path(docs.__file__).with_name("vectors")
NAMES: Final = (
    "bundle-gm.ndjson",
    "bundle-red.ndjson",
    *(f"bundle-{name}-{side}.ndjson" for name in BATTLES for side in ("gm", "red")),
    *(f"bundle-fork-{name}-{side}.ndjson" for name in FORKS for side in ("gm", "red")),
    "event.json",
    "forgeries.json",
    "places.json",
    "receipts.json",
    "views.json",
)
"""The files of this script."""
RIFLE: Final = {
    "id": "rifle",
    "kind": "ranged",
    "attack_dice": 3,
    "damage_dice": 2,
    "range_increment_ft": 40,
}
SEQS: Final = {"hidden": 6, "turn": 7, "rewind": 11, "shot": 12, "end": 16}
"""Events that are forged: a hidden move, an end of turn, a rewind, a shot, the end."""


def new_table(**options: str) -> Table:
    """The battle at seq 1: Rita against Bela, and Bina whom red does not see."""

    def fighter(name: str, side: str, x: int, y: int, **more: object) -> dict[str, object]:
        return {
            "id": name,
            "name": name.title(),
            "side": side,
            "place": {"x": x, "y": y},
            "health": 9,
            "health_max": 9,
            "ranged_defence": 8,
            "melee_defence": 8,
            "agi_pool": 2,
            "int_pool": 2,
            "weapons": [RIFLE],
        } | more

    tree = {
        "options": options,
        "map": {"form": "ascii", "rows": ["......", "..c...", "......"]},
        "combatants": [
            fighter("rita", "red", 0, 1),
            fighter("bela", "blue", 5, 1),
            fighter("bina", "blue", 4, 2, hidden=True),
        ],
    }
    setup: Any = msgspec.convert(tree, RULESET.setup)
    return staged(RULESET, setup, "Three at a crate", 0xA0)


def act(table: Table, by: By, **tree: object) -> None:
    """Act as a client writes it."""
    table.act(action(**tree), by)


def battle() -> Table:
    """Contributions, a hidden move, shots, a rewind, an override, an erasure, the seed."""
    table = new_table()
    act(table, RED, type="contribute", value="a1" * 32)
    act(table, BLUE, type="contribute", value="b2" * 32)
    act(table, GM, type="note", text="Rain. Дождь", gm_text="bina waits")
    act(table, GM, type="start_encounter")
    act(table, BLUE, type="move", combatant="bina", path=[{"x": 3, "y": 2}])
    act(table, BLUE, type="end_turn", combatant="bina")
    shoot(table, "bela", "rita")
    act(table, BLUE, type="end_turn", combatant="bela")
    shoot(table, "rita", "bela")
    act(table, GM, type="rewind", to=9)
    shoot(table, "rita", "bela")
    act(table, RED, type="end_turn", combatant="rita")
    wound = {"type": "hp", "combatant": "bina", "value": 7}
    act(table, GM, type="adjust", changes=[wound], reason="A splinter")
    act(table, GM, type="erase", seqs=[4])
    end = {"winner": "red", "reason": "The rain won", "reveal": "now", "open": "none"}
    act(table, GM, type="end_encounter", **end)
    return table


def rewritten() -> Table:
    """The same battle as somebody would rather have played it."""
    table = new_table()
    act(table, GM, type="start_encounter")
    shoot(table, "rita", "bela")
    act(table, GM, type="end_encounter", winner="red", reveal="now", open="none")
    return table


def shoot(table: Table, who: str, target: str) -> None:
    """A shot, by the player of whoever shoots."""
    asked = {"type": "ranged_attack", "combatant": who, "target": target, "weapon": "rifle"}
    act(table, seat_of(table, who), **asked)


def event_vector(table: Table, seq: int) -> dict[str, Any]:
    """An event with all its parts, their salts and commitments."""
    line = event_line(evidence_in_memory(table.sealed[seq - 1]), GAME_MASTER, SIDES)
    return {
        "seal_key": SEAL_KEY.hex(),
        "body": bytes(line.event).decode(),
        "hash": line.hash,
        "commits": line.commits,
        "parts": [
            {
                "kind": part.kind,
                "audience": part.audience,
                "salt": part.salt,
                "body": part_text(part),
            }
            for part in line.parts
        ],
    }


def part_text(part: BundlePart) -> str:
    """The canonical text of a part that was not erased."""
    assert part.body is not UNSET
    return bytes(part.body).decode()


def view_vectors() -> list[dict[str, Any]]:
    """Events that hide something from everybody, and how each audience sees them."""
    table = new_table(enemy_numbers="hidden", breakdowns="own")
    act(table, GM, type="start_encounter")
    shoot(table, "bela", "rita")
    wounds = [{"type": "hp", "combatant": name, "value": 7} for name in ("rita", "bina", "bela")]
    act(table, GM, type="adjust", changes=wounds, reason="A splinter")
    return [view_vector(table.sealed[seq - 1]) for seq in (2, 3, 4)]


def view_vector(sealed: SealedEvent) -> dict[str, Any]:
    """Body and parts of an event, and the canonical text of what each audience sees."""
    viewers = {"everyone": Viewer(), "gm": GAME_MASTER}
    viewers |= {side: Viewer(sides=(side,)) for side in SIDES}
    filled = bodies(sealed)
    return {
        "sides": list(SIDES),
        "body": sealed.body.decode(),
        "parts": [
            {"kind": part.kind, "audience": part.audience, "body": part_text(part)}
            for part in event_line(evidence_in_memory(sealed), GAME_MASTER, SIDES).parts
        ],
        "views": {
            name: events.view_of_event(sealed.body, filled, SIDES, viewer).decode()
            for name, viewer in viewers.items()
        },
    }


def receipt_vectors(table: Table) -> dict[str, Any]:
    """A receipt of a head alone, and those of three heads that were signed together."""
    heads = [
        (f"01939f5e-7c00-7abc-8def-{number:012x}", number, hashing.blob_digest(b"%d" % number))
        for number in (1, 2, 3)
    ]
    alone = SIGNER.sign(table.encounter, len(table.sealed), table.head)
    together = SIGNER.sign_together(heads)
    leaves = [hashing.receipt_leaf(head_text(receipt).encode()) for receipt in together]
    root = hashing.receipt_node(hashing.receipt_node(*leaves[:2]), leaves[2])
    return {
        "private_key": KEY.hex(),
        "public_key": PUBLIC.hex(),
        "kid": SIGNER.kid,
        "alone": {
            "head": head_text(alone),
            "signed": hashing.receipt_message(head_text(alone).encode()).hex(),
            "receipt": msgspec.to_builtins(alone),
        },
        "together": {
            "heads": [head_text(receipt) for receipt in together],
            "leaves": [leaf.hex() for leaf in leaves],
            "root": root.hex(),
            "signed": hashing.receipt_root(root).hex(),
            "receipts": [msgspec.to_builtins(receipt) for receipt in together],
        },
    }


def head_text(receipt: Receipt) -> str:
    """The canonical text that a receipt vouches for."""
    told = msgspec.to_builtins(receipt)
    return canonical.encode(
        {name: told[name] for name in ("encounter", "hash", "kid", "seq")}
    ).decode()


def forgery_vector(forgery: Forgery, true: list[bytes]) -> dict[str, Any]:
    """A forgery by its lines: the number of a true one, or the text of another."""
    numbers = {line: number for number, line in enumerate(true, 1)}
    told: dict[str, Any] = {
        "name": forgery.name,
        "about": forgery.about,
        "of": forgery.file,
        "lines": [numbers.get(line) or line.decode() for line in forgery.lines],
    }
    if forgery.difference is not None:
        told["difference"] = forgery.difference
    if forgery.unknown is not None:
        told["unknown"] = forgery.unknown
    if forgery.kept is not None:
        told["kept_receipt"] = forgery.kept
    if forgery.why is not None:
        told["why"] = forgery.why
    told["verdicts"] = expected_verdicts(forgery.difference, forgery.ruling)
    return told


def counts_in(lines: list[bytes]) -> dict[str, int]:
    """What the service's audit looked at in a true bundle."""
    report = audit_bundle(lines, RULESETS)
    assert report.dice is not UNSET
    return {
        "seen": report.dice.draws,
        "taken_up": report.dice.taken_up,
        "drawn_again": report.dice.checked,
        "withheld": report.withheld_parts,
        "erased": report.erased_texts,
    }


def all_forgeries() -> Iterator[tuple[Forgery, list[bytes]]]:
    """Every forgery with the lines of the true bundle that it was made of."""
    yield from forgeries_of_the_battle()
    for rulebook, forgery in of_the_rulebooks():
        yield forgery, rulebook.bundles[forgery.file]
    for name, play in BATTLES.items():
        rulebook = Forger(play(), f"bundle-{name}")
        forged = [*of_the_sheets(rulebook, name), *of_added_outcomes(rulebook, name)]
        if name != "seeker":
            # Where the table rolls, as there, every attack waits for its dice.
            forged += of_reused_faces(rulebook, name)
        forged += of_the_invariants(rulebook, name)
        forged += of_asked_effects(rulebook, name)
        forged += of_decisions(rulebook, name)
        if name == "seeker":
            forged += headers_of_readings(rulebook)
        for forgery in forged:
            yield forgery, rulebook.bundles[forgery.file]
    for name, play in FORKS.items():
        fork = Forger(play(), f"bundle-fork-{name}")
        for forgery in (*of_forks(fork, name), *forks_of_readings(fork, name)):
            yield forgery, fork.bundles[forgery.file]
        if name == "crossfire":
            for forgery in (*of_malformed_forks(fork, name), *of_own_origin(fork, name)):
                yield forgery, fork.bundles[forgery.file]


def forgeries_of_the_battle() -> Iterator[tuple[Forgery, list[bytes]]]:
    """Those of the battle of this script."""
    forger = Forger(battle())
    [other] = [Forger(play(), name) for name, play in BATTLES.items() if name == "tactical"]
    further = further_forgeries(forger, other, Forger(rewritten()), SEQS)
    for forgery in (*forgeries(forger, SEQS), *further):
        yield forgery, forger.bundles[forgery.file]
    for forgery in of_the_sheets(forger, "crossfire"):
        yield forgery, forger.bundles[forgery.file]
    added = of_added_entries(forger, "crossfire", SEQS["shot"], "attack_resolved")
    for forgery in (*added, *of_changed_texts(forger, SEQS["end"])):
        yield forgery, forger.bundles[forgery.file]
    for forgery in of_reused_faces(forger, "crossfire"):
        yield forgery, forger.bundles[forgery.file]
    for forgery in of_malformed_lines(forger, SEQS["shot"]):
        yield forgery, forger.bundles[forgery.file]
    for settled in (of_open_parts, settled_forgeries, forgeries_of_readings):
        for forgery in settled(forger, SEQS):
            yield forgery, forger.bundles[forgery.file]
    for kinds in (of_the_invariants, of_asked_effects, of_the_books, of_seats):
        for forgery in kinds(forger, "crossfire"):
            yield forgery, forger.bundles[forgery.file]


@cache
def vectors() -> dict[str, bytes]:
    """All files of this script by name."""
    table = battle()
    bundles = dict(Forger(table).bundles)
    for name, play in BATTLES.items():
        bundles |= Forger(play(), f"bundle-{name}").bundles
    for name, play in FORKS.items():
        bundles |= Forger(play(), f"bundle-fork-{name}").bundles
    forged = [forgery_vector(each, true) for each, true in all_forgeries()]
    trees = {
        "event.json": event_vector(table, 5),
        "views.json": view_vectors(),
        "receipts.json": receipt_vectors(table),
        "forgeries.json": {
            "public_key": PUBLIC.hex(),
            "forgeries": forged,
            "counts": {name: counts_in(lines) for name, lines in bundles.items()},
        },
    }
    texts = {name: json.dumps(tree, ensure_ascii=False, indent=1) for name, tree in trees.items()}
    return {
        **{name: b"".join(lines) for name, lines in bundles.items()},
        **{name: text.encode() + b"\n" for name, text in texts.items()},
        "places.json": table_bytes(RULESETS),
    }


def main() -> None:
    """Write all of them."""
    for name, body in vectors().items():
        (FOLDER / name).write_bytes(body)


if __name__ == "__main__":
    main()
