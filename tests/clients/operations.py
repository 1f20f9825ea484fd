"""Every operation of the service: how both clients offer it, or why neither does.

How this works. A call is here once, with every option that the operation has; it is made with
both clients, and what goes out is compared, with each other and with the OpenAPI document. So an
operation, a parameter or a client's method that somebody adds alone is noticed.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tests.clients.tools import DOCUMENT

ENCOUNTER: Final = "00000000-0000-4000-8000-000000000001"
HEAD: Final = "3-0a1b2c3d"
BUNDLE: Final = '{"type":"header"}\n'
_NOTE: Final = {"type": "note", "text": "a"}
_CURSOR: Final = {"after": HEAD, "state": True, "scene": True, "narrate": "ru"}


class Method(NamedTuple):
    """A call of one client: the method of what, and its arguments.

    `on`: the `service`; a `battle` for the seat anna, read through the eyes of ben; or that battle
    `bare`, by its token alone.
    """

    on: str
    name: str
    args: tuple[Any, ...] = ()
    options: Mapping[str, Any] = MappingProxyType({})


class Offer(NamedTuple):
    """An operation in both clients."""

    python: Method
    javascript: Method


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def alike(on: str, name: str, *args: Any, **options: Any) -> Offer:
    """The same name and arguments in both, as each language writes them."""
    renamed = {"expecting": "ifMatch"}
    theirs = {renamed.get(each, _camel(each)): value for each, value in options.items()}
    return Offer(Method(on, name, args, options), Method(on, _camel(name), args, theirs))


_QUESTION: Final = {
    "attacker": "a",
    "target": "b",
    "mode": "melee",
    "combatant": "c",
    "melody": "m",
    "template": "t",
    "x": 1,
    "y": 2,
}
"""Every parameter of an inspection, though none takes all of them."""

OFFERS: Final = {
    "list_rulesets": alike("service", "rulesets"),
    "read_ruleset": alike("service", "ruleset", "crossfire-d6", version="1"),
    "read_ruleset_schema": alike("service", "ruleset_schema", "crossfire-d6", version="1"),
    "create_encounter": alike("service", "create_encounter", {"ruleset": "melody-d6"}, key="k"),
    "list_encounters": alike(
        "service",
        "encounters",
        cursor="c",
        limit=3,
        order="newest",
        status="running",
        ruleset="melody-d6",
        metadata="a:b",
    ),
    "read_encounter": alike("battle", "read", at=3),
    "delete_encounter": alike("bare", "delete"),
    "read_map": alike("battle", "read_map", digest="0" * 64),
    "read_scene": alike("battle", "read_scene", at=3),
    "create_fork": Offer(
        Method("battle", "fork", (3,), {"actions": [_NOTE], "options": {"title": "b"}, "key": "k"}),
        Method(
            "battle",
            "fork",
            ({"at": 3, "title": "b", "actions": [{"action": _NOTE}]},),
            {"key": "k"},
        ),
    ),
    "simulate": Offer(
        Method("battle", "simulate", (3, 10), {"options": {"seed": "s"}}),
        Method("battle", "simulate", ({"at": 3, "n": 10, "seed": "s"},)),
    ),
    "check_map": alike("service", "check_map", {"map": {"width": 2}}),
    "act": alike("battle", "act", _NOTE, dice=[3, 4], ruleset="melody-d6", key="k", expecting=HEAD),
    "preview": alike("battle", "preview", _NOTE, answers=[{"combatant": "mara"}]),
    "inspect": Offer(
        Method("battle", "inspect", ("cover",), _QUESTION),
        Method("battle", "inspect", ("cover", _QUESTION)),
    ),
    "list_legal_actions": alike(
        "battle", "legal_actions", combatant="a", unit="b", side="c", sample=3
    ),
    "list_timers": Offer(Method("battle", "timers"), Method("battle", "readTimers")),
    "change_timers": alike("battle", "change_timers", {"do": "pause"}, key="k"),
    "list_events": alike("battle", "events", limit=5, wait=2, **_CURSOR),
    "read_event": alike("battle", "event", 3, explain="ru"),
    "stream": alike("battle", "follow", **_CURSOR),
    "create_seat": alike("battle", "add_seat", {"id": "c", "role": "gm"}, invite=False, key="k"),
    "list_seats": alike("battle", "seats"),
    "read_seat": alike("battle", "read_seat", "c"),
    "change_seat": alike("battle", "change_seat", "c", {"name": "C"}, key="k", expecting=HEAD),
    "remove_seat": alike("battle", "remove_seat", "c", key="k", expecting=HEAD),
    "invite": alike("battle", "invite", "c"),
    "revoke_token": alike("battle", "revoke_token", "c"),
    "join": alike("service", "join", "7K3QF-9TX0M", token="ws_a"),
    "add_device": Offer(Method("service", "add_device"), Method("bare", "addDevice")),
    "me": alike("service", "me", cursor="c", limit=3, by="anna"),
    "audit_encounter": alike("battle", "audit", include="luck"),
    "audit_with_receipts": alike("battle", "audit", include="luck", receipts=[{"kid": "k"}]),
    "export_bundle": alike("battle", "bundle"),
    "audit_bundle": alike(
        "service", "audit_bundle", BUNDLE, include="luck", viewpoint="gm,red", keys="own"
    ),
    "signing_keys": Offer(Method("service", "signing_keys"), Method("service", "keys")),
}
"""Operations by the id that the document gives them."""

OTHER_FORMS: Final = (
    ("read_scene", alike("battle", "svg", at=3)),
    ("read_scene", alike("battle", "sketch", at=3)),
    ("list_events", alike("battle", "log", after=HEAD, narrate="ru")),
    ("act", alike("battle", "rewind", 3, key="k")),
    ("act", alike("battle", "answer", "d4.1", "pass", dice=[3], key="k")),
    ("audit_bundle", alike("service", "audit_records", BUNDLE, include="state", viewpoint="gm")),
)
"""Further calls of an operation."""

_OPERATING = "who runs the service asks for it, with what watches services"
_READING = "a document for people and for tools, at its own address"
REASONS: Final = {
    "socket": "the stream tells the same, also through proxies that know no sockets",
    "stream_many": "each battle is followed by itself, with its own document, cursor and end",
    "create_ticket": "both send the token in a header with the stream, browsers by `fetch`",
    "list_notes": "the state has all notes, what is followed the last 100",
    "live": _OPERATING,
    "ready": _OPERATING,
    "metrics": _OPERATING,
    "openapi": _READING,
    "asyncapi": _READING,
    "docs": _READING,
    "docs_asset": _READING,
    "docs_guide": _READING,
    "docs_guides": _READING,
    "root": _READING,
    "version_root": _READING,
}
"""Operations that no client offers, and why."""

PARAMETER_REASONS: Final = {
    "If-None-Match": "who wants to be told what changed follows the battle",
    "Last-Event-ID": "`after` says the same",
    "ticket": "the token goes in a header",
    "lastEventId": "`after` says the same",
    "notes": "what is followed has the last 100; an answer of one moment has all",
    "refusals": "a client reads the status of a refused stream",
}
"""Parameters that no client sends, and why."""


class Operation(NamedTuple):
    """What the document says of an operation."""

    method: str
    path: str
    parameters: frozenset[str]


def documented() -> dict[str, Operation]:
    """Every operation of the document by its id; parameters are those of query and header."""
    document = json.loads(DOCUMENT.read_bytes())
    shared = document["components"]["parameters"]
    operations = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            named = [
                shared[each["$ref"].rpartition("/")[2]] if "$ref" in each else each
                for each in operation.get("parameters", ())
            ]
            names = frozenset(each["name"] for each in named if each["in"] != "path")
            operations[operation["operationId"]] = Operation(method.upper(), path, names)
    return operations
