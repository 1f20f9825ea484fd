"""Schemas of what the service itself takes and gives, with the rulesets' types put in place.

Some fields are kept as bytes or as plain JSON by the types that read and write them, because what
is in them is a ruleset's; `_overlay` says in the contract what that is.
"""

from collections.abc import Sequence
from typing import Final

from service.api.limits import ApiLimits
from service.api.openapi.rulesets import RulesetComponents, camel
from service.api.openapi.schemas import Schema, any_of, components, reference
from service.api.problems import Problem
from service.api.published import (
    KeySet,
    Liveness,
    ReadinessAnswer,
    RulesetDetail,
    RulesetList,
)
from service.api.streaming.tickets import TicketAnswer
from service.encounters.answers import (
    ActionsAnswer,
    CreatedAnswer,
    EncounterPage,
    EncounterView,
    EventPage,
    EventRecord,
    LegalAnswer,
    PreviewAnswer,
    TimersAnswer,
    TombstoneView,
)
from service.encounters.requests import (
    ActionItem,
    ActionList,
    CreateRequest,
    ExtendTimers,
    PauseTimers,
    PreviewRequest,
    ResumeTimers,
)
from service.encounters.seats.sitting import (
    ChangeSeatRequest,
    CreateSeatRequest,
    InvitationAnswer,
    JoinAnswer,
    JoinRequest,
    Me,
    SeatAnswer,
    SeatList,
)
from service.replay.verdicts import Report

_TAKEN: Final = (
    CreateRequest,
    ActionItem,
    ActionList,
    PreviewRequest,
    CreateSeatRequest,
    ChangeSeatRequest,
    JoinRequest,
    PauseTimers,
    ResumeTimers,
    ExtendTimers,
)
_TIMERS: Final = {"pause": "PauseTimers", "resume": "ResumeTimers", "extend": "ExtendTimers"}
_GIVEN: Final = (
    RulesetList,
    RulesetDetail,
    CreatedAnswer,
    EncounterPage,
    EncounterView,
    EventPage,
    TombstoneView,
    EventRecord,
    TicketAnswer,
    TimersAnswer,
    SeatAnswer,
    SeatList,
    InvitationAnswer,
    JoinAnswer,
    ActionsAnswer,
    PreviewAnswer,
    LegalAnswer,
    Liveness,
    ReadinessAnswer,
    KeySet,
    Problem,
)


def service_components(rulesets: Sequence[RulesetComponents]) -> dict[str, Schema]:
    """Every component that is not one ruleset's own."""
    _, taken = components(_TAKEN, str)
    _, given = components(_GIVEN, str)
    [me], asking = components([Me], str)
    _, audit = components([Report], lambda name: f"Audit{name}")
    told = {**taken, **given, **asking, "Me": me, **audit, **_plain()}
    told |= {
        "Action": any_of([ruleset.action for ruleset in rulesets]),
        "Event": any_of([ruleset.event for ruleset in rulesets]),
        "State": any_of([ruleset.state for ruleset in rulesets]),
        "Table": any_of([ruleset.table for ruleset in rulesets]),
        "Board": any_of([ruleset.board for ruleset in rulesets]),
        "Decision": any_of([ruleset.decision for ruleset in rulesets]),
        "Choice": any_of([ruleset.choice for ruleset in rulesets]),
    }
    for name, fields in _overlay().items():
        for field, schema in fields.items():
            said = told[name]["properties"][field].get("description")
            told[name]["properties"][field] = {**schema, **({"description": said} if said else {})}
    return told | _creations(told["CreateRequest"], rulesets)


def _creations(request: Schema, rulesets: Sequence[RulesetComponents]) -> dict[str, Schema]:
    """A creation of each ruleset with its own setup, told apart by `ruleset`."""
    named = {each.slug: f"{camel(each.slug)}CreateRequest" for each in rulesets}
    creations = {
        named[each.slug]: {
            **request,
            "properties": {
                **request["properties"],
                "ruleset": {"type": "string", "const": each.slug},
                "setup": reference(each.setup),
            },
        }
        for each in rulesets
    }
    mapping = {slug: reference(name)["$ref"] for slug, name in named.items()}
    union = {
        "oneOf": [reference(name) for name in named.values()],
        "discriminator": {"propertyName": "ruleset", "mapping": mapping},
    }
    return {**creations, "CreateRequest": union}


def _plain() -> dict[str, Schema]:
    return {
        "ActRequest": {
            "description": "One action, or a list of up to 32 that are applied in order.",
            "oneOf": [reference("ActionItem"), reference("ActionList")],
        },
        "TimersRequest": {
            "description": "What a game master does to the clock.",
            "oneOf": [reference(name) for name in _TIMERS.values()],
            "discriminator": {
                "propertyName": "do",
                "mapping": {word: reference(name)["$ref"] for word, name in _TIMERS.items()},
            },
        },
        "RulesetSchemas": {
            "type": "object",
            "properties": {
                "ruleset": {"type": "string"},
                "version": {"type": "string"},
                "schema": {"type": "object", "description": "JSON Schema 2020-12."},
            },
            "required": ["ruleset", "version", "schema"],
        },
        "BundleLine": {
            "type": "object",
            "description": "A line of a bundle: header, blob, event or seal.",
        },
        "AnyObject": {"type": "object"},
        "Text": {"type": "string"},
    }


def _overlay() -> dict[str, dict[str, Schema]]:
    """Component -> field -> what is in it."""
    decisions: Schema = {"type": "array", "items": reference("Decision")}
    actions: Schema = {
        "type": "array",
        "items": reference("ActionItem"),
        "minItems": 1,
        "maxItems": ApiLimits().actions_per_list,
    }
    samples: Schema = {"type": "array", "items": reference("Action")}
    nodes: Schema = {"type": "array", "items": {"type": "object"}}
    return {
        "ActionList": {"actions": actions},
        "ActionItem": {"action": reference("Action")},
        "PreviewRequest": {"action": reference("Action")},
        "GivenAnswer": {"choice": reference("Choice")},
        "PartRecord": {"body": {"type": "object"}},
        "EventRecord": {"event": reference("Event"), "seen": reference("Event")},
        "EncounterView": {
            "state": reference("State"),
            "table": reference("Table"),
            "decisions": decisions,
        },
        "ActionsAnswer": {"decisions": decisions},
        "Battle": {"decisions": decisions},
        "Stopped": {"problem": reference("Problem")},
        "PreviewAnswer": {"facts": {"type": "object"}},
        "LegalAnswer": {"actions": nodes, "samples": samples},
        "Problem": {"params": {"type": "object"}},
    }
