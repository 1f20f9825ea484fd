"""Schemas of what the service itself takes and gives, with the rulesets' types put in place.

How this works. Some fields are kept as bytes or as plain JSON by the types that read and write
them, because what is in them is a ruleset's; `_filled` says in the contract what that is. The
envelopes, which hold such fields, have one component per ruleset.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from service.api import problem_texts
from service.api.discovery import (
    KeySet,
    Liveness,
    ReadinessAnswer,
    RulesetDetail,
    RulesetList,
)
from service.api.limits.published_limits import ApiLimits
from service.api.openapi.components import ComponentKey, ComponentKind, Envelope, Group, assembled
from service.api.openapi.legal_nodes import NODE, domains, nodes
from service.api.openapi.rulesets import (
    camel,
    common_actions,
    decision_of,
    group_of,
    name_in_ruleset,
    options_of,
)
from service.api.openapi.schemas import Direction, Schema, any_of, one_of
from service.api.problems import Problem
from service.api.streaming.tickets import TicketAnswer
from service.encounters.requests import (
    ActionItem,
    ActionList,
    CreateRequest,
    GivenAnswer,
    PreviewRequest,
    TimersRequest,
)
from service.encounters.responses import (
    ActionsAnswer,
    CreatedAnswer,
    EncounterPage,
    EncounterView,
    EventPage,
    EventRecord,
    InspectionAnswer,
    LegalAnswer,
    PartRecord,
    PreviewAnswer,
    SceneAnswer,
    Stopped,
    TimersAnswer,
    TimerView,
    TombstoneView,
)
from service.encounters.seats.messages import (
    ChangeSeatRequest,
    CreateSeatRequest,
    InvitationAnswer,
    JoinAnswer,
    JoinRequest,
    Me,
    MyBattle,
    SeatAnswer,
    SeatList,
)
from service.engine.battle.state import Linear, RuleState
from service.engine.log.parts import Part
from service.engine.ruleset import Ruleset
from service.live import records
from service.live.records import EventOut, Hello
from service.replay.audit.receipt_check import AuditRequest
from service.replay.bundle.format import (
    BundleBlob,
    BundleEvent,
    BundleHeader,
    BundlePart,
    BundleSeal,
)
from service.replay.report import verdicts
from service.replay.report.verdicts import (
    DiceReport,
    DieStatistics,
    EventVerdict,
    ReceiptVerdict,
    Report,
)

_TAKEN: Final = (
    CreateSeatRequest,
    ChangeSeatRequest,
    JoinRequest,
    AuditRequest,
)
_TOLD: Final = (
    RulesetList,
    EncounterPage,
    SceneAnswer,
    TombstoneView,
    TicketAnswer,
    TimersAnswer,
    SeatAnswer,
    SeatList,
    InvitationAnswer,
    JoinAnswer,
    Liveness,
    ReadinessAnswer,
    KeySet,
    Problem,
    Report,
    Part,
    records.Heartbeat,
    records.PresenceChange,
    records.TimersChange,
    records.Resync,
    records.Bye,
)
_TIMERS: Final[Schema] = {"type": "array", "items": ComponentKey(TimerView, "told").reference}

ENVELOPES: Final = (
    Envelope(CreateRequest, "taken"),
    Envelope(RulesetDetail, "told", tag="slug"),
    *(
        Envelope(kind, "told")
        for kind in (
            EncounterView,
            CreatedAnswer,
            EventRecord,
            EventPage,
            ActionsAnswer,
            PreviewAnswer,
            InspectionAnswer,
            LegalAnswer,
            MyBattle,
            Hello,
            EventOut,
        )
    ),
)
"""What has one component per ruleset."""

_ACTING: Final = (ActionItem, ActionList, PreviewRequest)
_BUNDLED: Final = (BundleHeader, BundleBlob, BundleEvent, BundleSeal)
_NAMES: Final[Mapping[ComponentKind, str]] = {
    Report: "AuditReport",
    DiceReport: "AuditDiceReport",
    DieStatistics: "AuditDieStatistics",
    EventVerdict: "AuditEventVerdict",
    ReceiptVerdict: "AuditReceiptVerdict",
    verdicts.LogProblem: "AuditProblem",
    EventOut: "EventTold",
}


def service_components(rulesets: Sequence[Ruleset[RuleState]]) -> dict[str, Schema]:
    """Every component of the documents by name, whether a document needs it or not."""
    groups = [_of_no_ruleset(rulesets), *map(_of_ruleset, rulesets)]
    return assembled(groups, ENVELOPES, _name_of)


def _name_of(place: ComponentKey) -> str:
    """The name of a component in the documents."""
    own = None if isinstance(place.kind, str) else _NAMES.get(place.kind)
    return camel(place.ruleset) + (own or name_in_ruleset(place))


def _of_no_ruleset(rulesets: Sequence[Ruleset[RuleState]]) -> Group:
    """What belongs to no ruleset, and what is one of several rulesets' by no discriminator."""
    common = ComponentKey("CommonAction", "taken")
    slugs = [ruleset.slug for ruleset in rulesets]
    return Group(
        taken=(*_TAKEN, ActionItem, ActionList),
        told=_TOLD,
        unions={
            common: common_actions(rulesets),
            ComponentKey("TimersRequest", "taken"): TimersRequest,
            ComponentKey("Me", "told"): Me,
        },
        plain=_plain(slugs, rulesets),
        fields=_placed("", "taken", _in_common_requests(common, slugs))
        | _placed("", "told", {**_FILLED, **_in_problems(rulesets)}),
    )


def _of_ruleset(ruleset: Ruleset[RuleState]) -> Group:
    """What is a ruleset's: its own types, and the envelopes around them."""
    group, slug = group_of(ruleset), ruleset.slug
    told = tuple(envelope.kind for envelope in ENVELOPES if envelope.direction == "told")
    lines = {
        str(kind.__struct_config__.tag): ComponentKey(kind, "told", slug).reference
        for kind in _BUNDLED
    }
    return Group(
        slug=slug,
        taken=(*group.taken, CreateRequest, *_ACTING),
        told=(
            *group.told,
            *told,
            *_BUNDLED,
            *(each.answer for each in ruleset.inspections),
        ),
        unions=group.unions,
        plain={
            **nodes(ruleset),
            ComponentKey("BundleLine", "told", slug): {
                "description": "A line of a bundle: header, blob, event or seal.",
                **one_of("type", lines),
            },
        },
        fields={
            **group.fields,
            **_placed(slug, "taken", _in_requests(ruleset)),
            **_placed(slug, "told", {**_FILLED, **_in_answers(ruleset)}),
        },
        own=frozenset({*told, CreateRequest, *_ACTING, BundleHeader}),
    )


def _placed(
    slug: str, direction: Direction, fields: Mapping[ComponentKind, Mapping[str, Schema]]
) -> dict[ComponentKey, Mapping[str, Schema]]:
    return {ComponentKey(kind, direction, slug): filled for kind, filled in fields.items()}


_FILLED: Final[Mapping[ComponentKind, Mapping[str, Schema]]] = {
    PartRecord: {"body": ComponentKey(Part, "told").reference},
    BundlePart: {"body": ComponentKey(Part, "told").reference},
    Stopped: {"problem": ComponentKey(Problem, "told").reference},
    Hello: {"timers": _TIMERS},
    records.TimersChange: {"timers": _TIMERS},
}
"""What is in fields that hold JSON, and is the same in all rulesets."""


def _in_problems(
    rulesets: Sequence[Ruleset[RuleState]],
) -> dict[ComponentKind, Mapping[str, Schema]]:
    """What problems may say: every code there is, and facts of a few kinds."""
    fact = ComponentKey("Fact", "told").reference
    codes = {message.code for message in problem_texts.MESSAGES}
    codes |= {message.code for each in rulesets for message in each.catalogue.messages}
    return {
        Problem: {
            "code": {"type": "string", "enum": sorted(codes)},
            "params": {"type": "object", "additionalProperties": fact},
            "allowed": fact,
        },
        EventVerdict: {"params": {"type": "object", "additionalProperties": fact}},
    }


def _in_common_requests(
    action: ComponentKey, slugs: Sequence[str]
) -> dict[ComponentKind, Mapping[str, Schema]]:
    """What is in the fields of requests that every ruleset takes."""
    named: Schema = {"type": "string", "enum": list(slugs)}
    return {
        ActionItem: {"ruleset": named, "action": action.reference},
        ActionList: {"ruleset": named, "actions": _listed("")},
    }


def _listed(slug: str) -> Schema:
    """The actions of a list."""
    return {
        "type": "array",
        "items": ComponentKey(ActionItem, "taken", slug).reference,
        "minItems": 1,
        "maxItems": ApiLimits().actions_per_list,
    }


def _in_requests(ruleset: Ruleset[RuleState]) -> dict[ComponentKind, Mapping[str, Schema]]:
    """What is in the fields of requests that a ruleset reads."""
    slug = ruleset.slug
    named: Schema = {"type": "string", "const": slug}
    action = ComponentKey("Action", "taken", slug).reference
    return {
        CreateRequest: {
            "ruleset": named,
            "setup": ComponentKey(ruleset.setup, "taken", slug).reference,
        },
        ActionItem: {"ruleset": named, "action": action},
        ActionList: {"ruleset": named, "actions": _listed(slug)},
        PreviewRequest: {"ruleset": named, "action": action},
        GivenAnswer: {"choice": ComponentKey("Choice", "taken", slug).reference},
    }


def _in_answers(ruleset: Ruleset[RuleState]) -> dict[ComponentKind, Mapping[str, Schema]]:
    """What is in the fields of answers that a ruleset fills."""
    slug = ruleset.slug
    named: Schema = {"type": "string", "const": slug}
    event = ComponentKey(ruleset.event, "told", slug).reference
    decisions: Schema = {
        "type": "array",
        "items": ComponentKey(decision_of(ruleset), "told", slug).reference,
    }
    action = ComponentKey("Action", "taken", slug).reference
    return {
        RulesetDetail: {
            "slug": named,
            "options": ComponentKey(options_of(ruleset), "told", slug).reference,
        },
        EncounterView: {
            "ruleset": named,
            "state": ComponentKey(ruleset.state, "told", slug).reference,
            "table": ComponentKey(Linear, "told", slug).reference,
            "decisions": decisions,
        },
        CreatedAnswer: {"ruleset": named},
        EventRecord: {"ruleset": named, "event": event, "seen": event},
        EventOut: {"ruleset": named, "event": event, "seen": event},
        EventPage: {"ruleset": named},
        ActionsAnswer: {"ruleset": named, "decisions": decisions},
        PreviewAnswer: {
            "ruleset": named,
            "facts": ComponentKey(ruleset.facts, "told", slug).reference,
        },
        InspectionAnswer: {
            "ruleset": named,
            "answer": any_of(
                [ComponentKey(each.answer, "told", slug).reference for each in ruleset.inspections]
            ),
        },
        LegalAnswer: {
            "ruleset": named,
            "actions": {"type": "array", "items": ComponentKey(NODE, "told", slug).reference},
            "samples": {"type": "array", "items": action},
        },
        MyBattle: {"ruleset": named, "decisions": decisions},
        Hello: {"ruleset": named, "decisions": decisions, "timers": _TIMERS},
        BundleHeader: {"ruleset": named},
        BundleBlob: {"body": ComponentKey(ruleset.blob, "told", slug).reference},
        BundleEvent: {"event": event},
    }


def _plain(
    slugs: Sequence[str], rulesets: Sequence[Ruleset[RuleState]]
) -> dict[ComponentKey, Schema]:
    """Unions over rulesets that nothing tells apart, and what is no type."""
    acting = [
        ComponentKey(kind, "taken", slug).reference
        for kind in (ActionItem, ActionList)
        for slug in ("", *slugs)
    ]
    previews = [ComponentKey(PreviewRequest, "taken", slug).reference for slug in slugs]
    boards = [ComponentKey(ruleset.blob, "told", ruleset.slug).reference for ruleset in rulesets]
    lines = [ComponentKey("BundleLine", "told", slug).reference for slug in slugs]
    return {
        **domains(),
        ComponentKey("ActRequest", "taken"): {
            "description": (
                "One action, or a list of up to 32 that are applied in order: of the encounter's"
                " ruleset, or such as every ruleset has."
            ),
            **any_of(acting),
        },
        ComponentKey("PreviewRequest", "taken"): {
            "description": "An action of the encounter's ruleset.",
            **any_of(previews),
        },
        ComponentKey("Board", "told"): {
            "description": "A map, or other content, of the encounter's ruleset.",
            **any_of(boards),
        },
        ComponentKey("BundleLine", "told"): {
            "description": "A line of a bundle; the first one names the ruleset.",
            **any_of(lines),
        },
        ComponentKey("Picture", "told"): {
            "type": "string",
            "description": "A picture of a scene with a legend, for people.",
        },
        ComponentKey("RulesetSchemas", "told"): {
            "type": "object",
            "properties": {
                "ruleset": {"type": "string", "description": "Slug of the ruleset."},
                "version": {"type": "string", "description": "Its version, the newest."},
                "schema": {"type": "object", "description": "JSON Schema 2020-12."},
            },
            "required": ["ruleset", "version", "schema"],
        },
        ComponentKey("Fact", "told"): {
            "description": "What a problem states: a word, a number, a claim, or several of them.",
            "anyOf": [
                {"type": "string"},
                {"type": "integer"},
                {"type": "boolean"},
                {"type": "array", "items": {"description": "Any JSON value."}},
                {"type": "object", "additionalProperties": {"description": "Any JSON value."}},
            ],
        },
        ComponentKey("AnyObject", "told"): {"type": "object"},
        ComponentKey("Text", "told"): {"type": "string"},
    }
