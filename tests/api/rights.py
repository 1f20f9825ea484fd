"""What everybody may do, written down once more: calls, and the action types of every ruleset.

`ROWS` and `DEEDS` are the tables, `QUESTIONS` a request of each call that works for whoever may
make it. A test holds them to the service: neither a call or an action type without a row nor a row
that changed goes unnoticed.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tests.api.examples import EXAMPLES
from tests.api.people import (
    OWN,
    RULESETS,
    THEIRS,
    UNSEEN,
    Row,
    Tree,
    World,
    battle,
    creation,
    fresh_seat,
    id_of,
)
from tests.kit.rig import Deeds
from tests.kit.rigs import RIGS, rig_of

OPEN: Final = Row("open", "open")
READ: Final = Row("read", "read")
PLAY: Final = Row("play", "play")
RUN: Final = Row("play", "gm")
KEYS: Final = Row("read", "none")
KEYS_PLAY: Final = Row("play", "none")
KEYS_AND_FORKER: Final = Row("play", "forker")
OWN_TOKEN: Final = Row("none", "read")

ROWS: Final[Mapping[str, Row]] = {
    "list_rulesets": OPEN,
    "read_ruleset": OPEN,
    "read_ruleset_schema": OPEN,
    "create_encounter": KEYS_PLAY,
    "create_fork": RUN,
    "simulate": RUN,
    "check_map": KEYS_PLAY,
    "list_encounters": READ,
    "read_encounter": READ,
    "read_map": READ,
    "list_notes": READ,
    "read_scene": READ,
    "inspect": READ,
    "delete_encounter": KEYS_AND_FORKER,
    "act": PLAY,
    "preview": READ,
    "list_legal_actions": READ,
    "list_timers": READ,
    "change_timers": RUN,
    "list_events": READ,
    "read_event": READ,
    "stream": READ,
    "socket": READ,
    "stream_many": KEYS,
    "create_ticket": READ,
    "create_seat": RUN,
    "list_seats": READ,
    "read_seat": READ,
    "change_seat": RUN,
    "remove_seat": RUN,
    "invite": RUN,
    "revoke_token": RUN,
    "join": OPEN,
    "add_device": OWN_TOKEN,
    "me": READ,
    "audit_encounter": READ,
    "audit_with_receipts": READ,
    "export_bundle": READ,
    "audit_bundle": READ,
    "live": OPEN,
    "ready": OPEN,
    "metrics": OPEN,
    "signing_keys": OPEN,
    "openapi": OPEN,
    "asyncapi": OPEN,
    "docs": OPEN,
    "docs_asset": OPEN,
    "docs_guide": OPEN,
    "docs_guides": OPEN,
    "root": OPEN,
    "version_root": OPEN,
}
"""Who may make which call."""

JUDGED: Final = frozenset({"act", "preview"})
"""Calls that carry an action: an observer is shown that it cannot act."""


class Question(NamedTuple):
    """A request that works for whoever may make it."""

    path: str
    body: object = None
    status: int = 200
    query: str = ""


SHOT: Final = EXAMPLES["preview"][0].value
NOTE: Final = {"action": {"type": "note", "text": "somebody was here"}}


def simple(path: str, **more: Any) -> Callable[[World, bool], Question]:
    """A request about the battle that may be repeated."""
    return lambda world, _: Question(world.here + path, **more)


def plain(path: str, **more: Any) -> Callable[[World, bool], Question]:
    """A request about nothing in particular."""
    return lambda *_: Question(path, **more)


def doomed(world: World, is_let_in: bool) -> Question:
    """To delete: what may be deleted, for whom may delete."""
    return Question(battle(world.owner, RULESETS[0]) if is_let_in else world.here)


def to_leave(world: World, is_let_in: bool) -> Question:
    return Question(f"{world.here}/seats/{fresh_seat(world) if is_let_in else 'guest'}")


def to_come(world: World, _: bool) -> Question:
    seat = {"id": f"s{secrets.token_hex(6)}", "role": "observer"}
    return Question(f"{world.here}/seats", {"seat": seat}, 201)


QUESTIONS: Final[Mapping[str, Callable[[World, bool], Question]]] = {
    "list_rulesets": plain("/v1/rulesets"),
    "read_ruleset": plain("/v1/rulesets/crossfire-d6"),
    "read_ruleset_schema": plain("/v1/rulesets/crossfire-d6/schema"),
    "create_encounter": lambda *_: Question("/v1/encounters", creation(RULESETS[0]), 201),
    "create_fork": simple("/forks", body={"at": 1}, status=201),
    "simulate": simple("/forks/simulations", body={"at": 1, "n": 1, "max_rounds": 1}),
    "check_map": plain("/v1/maps", body=EXAMPLES["check_map"][0].value),
    "list_encounters": plain("/v1/encounters"),
    "read_encounter": simple(""),
    "read_map": simple("/map"),
    "list_notes": simple("/notes"),
    "read_scene": simple("/scene"),
    "inspect": simple("/inspections/line", query="attacker=hunter&target=raider"),
    "delete_encounter": doomed,
    "act": simple("/actions", body=NOTE, status=201),
    "preview": simple("/preview", body=SHOT),
    "list_legal_actions": simple("/legal-actions", query="combatant=hunter"),
    "list_timers": simple("/timers"),
    "change_timers": simple("/timers", body={"do": "resume"}),
    "list_events": simple("/events"),
    "read_event": simple("/events/1"),
    "stream": simple("/stream"),
    "socket": simple("/socket", status=426),
    "stream_many": lambda world, _: Question("/v1/stream", query=f"encounters={id_of(world.here)}"),
    "create_ticket": simple("/tickets", status=201),
    "create_seat": to_come,
    "list_seats": simple("/seats"),
    "read_seat": simple("/seats/vera"),
    "change_seat": simple("/seats/spare", body={"name": "Spare"}),
    "remove_seat": to_leave,
    "invite": simple("/seats/spare/invitation", status=201),
    "revoke_token": simple("/seats/spare/token"),
    "join": plain("/v1/join", body={"code": "00000-00000"}, status=404),
    "add_device": plain("/v1/me/devices", status=201),
    "me": plain("/v1/me"),
    "audit_encounter": simple("/audit"),
    "audit_with_receipts": simple("/audit", body=EXAMPLES["audit_with_receipts"][0].value),
    "export_bundle": simple("/bundle"),
    # No bundle: who is let in learns so.
    "audit_bundle": plain("/v1/audits", body={}, status=415),
    "live": plain("/health/live"),
    "ready": plain("/health/ready"),
    "metrics": plain("/metrics"),
    "signing_keys": plain("/.well-known/warlog-keys.json"),
    "openapi": plain("/openapi.json"),
    "asyncapi": plain("/asyncapi.json"),
    "docs": plain("/docs"),
    "docs_asset": plain("/docs/problems"),
    "docs_guide": plain("/docs/guides/idempotency"),
    "docs_guides": plain("/docs/guides"),
    "root": plain("/", status=307),
    "version_root": plain("/v1", status=307),
}

BATTLE: Final = "{encounter:str}"
SEVERAL: Final = frozenset({"stream_many"})
"""Calls about encounters that their address does not name."""


class Deed(NamedTuple):
    """An action type: who may ask for it, and one that can be read."""

    who: str
    fields: Tree


def common(slug: str) -> dict[str, Deed]:
    """What every ruleset takes."""
    return {
        "end_turn": Deed("player", rig_of(slug).deeds.ending or {"combatant": OWN[slug]}),
        "answer": Deed("player", {"decision_id": "d99.1", "choice": {"type": "pass"}}),
        "contribute": Deed("player", {"value": "0" * 64}),
        "note": Deed("player", {"text": "somebody was here"}),
        "rewind": Deed("player", {"to": 2}),
        "configure": Deed("gm", {}),
        "add_combatant": Deed("gm", {"combatant": creation(slug)["setup"]["combatants"][1]}),
        "remove_combatant": Deed("gm", {"combatant": THEIRS[slug]}),
        "assign_control": Deed("gm", {"seat": "spare"}),
        "add_seat": Deed("gm", {"seat": {"id": "vera", "role": "gm"}}),
        "change_seat": Deed("gm", {"seat": "vera", "role": "gm"}),
        "remove_seat": Deed("gm", {"seat": "vera"}),
        "start_encounter": Deed("gm", {}),
        "adjust": Deed("gm", {"changes": [{"type": "reveal", "combatant": UNSEEN}]}),
        "force_pass": Deed("gm", {"decision_id": "d99.1"}),
        "end_encounter": Deed("gm", {"reveal": "now"}),
        "reveal": Deed("gm", {}),
        "erase": Deed("gm", {"seqs": [1]}),
    }


def own(deeds: Deeds) -> dict[str, Deed]:
    """What a ruleset takes in addition."""
    player = {name: Deed("player", fields) for name, fields in deeds.player.items()}
    return player | {name: Deed("gm", fields) for name, fields in deeds.master.items()}


DEEDS: Final[Mapping[str, Mapping[str, Deed]]] = {
    rig.ruleset.slug: {**common(rig.ruleset.slug), **own(rig.deeds)} for rig in RIGS
}
"""Every action type of every ruleset."""
