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
from service.api.map_answer import MapAnswer
from service.api.openapi.components import ComponentKey, ComponentKind, Envelope, Group, assembled
from service.api.openapi.legal_nodes import NODE, domains, nodes
from service.api.openapi.rulesets import (
    camel,
    common_actions,
    decision_of,
    edition_of,
    group_of,
    name_in_ruleset,
)
from service.api.openapi.schemas import Direction, Schema, any_of, one_of
from service.api.problems import Problem
from service.api.streaming.audit_stream import AuditFailure
from service.api.tickets import TicketAnswer
from service.encounters.forks.messages import MOST_ACTIONS, ForkAnswer, ForkRequest
from service.encounters.requests import (
    ActionItem,
    ActionList,
    CheckMapRequest,
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
    NotePage,
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
from service.encounters.simulations.messages import SimulationAnswer, SimulationRequest
from service.engine.battle.linear import Linear
from service.engine.battle.state import RuleState
from service.engine.log.parts import Part
from service.engine.ruleset.definition import LegalActions, Ruleset, options_of
from service.live import records
from service.live.records import EventOut, Hello
from service.replay.audit.audit_records import (
    AuditConclusion,
    AuditedEvent,
    AuditedView,
    AuditProgress,
)
from service.replay.audit.receipt_check import AuditRequest
from service.replay.bundle.format import (
    BundleBlob,
    BundleEvent,
    BundleHeader,
    BundlePart,
    BundleSeal,
)
from service.replay.report import verdicts
from service.replay.report.chances import Ratio, Remark, TailChance
from service.replay.report.differences import DrawDifference
from service.replay.report.interventions import Override, Rewinding, SeqRun
from service.replay.report.luck import LuckReport, SeatLuck
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
_AUDITED: Final = (AuditProgress, AuditedEvent, AuditConclusion, AuditFailure)
"""The records of the audit of a bundle that was sent."""

_TOLD: Final = (
    RulesetList,
    EncounterPage,
    SceneAnswer,
    NotePage,
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
    SimulationAnswer,
    Problem,
    Report,
    *_AUDITED,
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
    Envelope(CheckMapRequest, "taken"),
    Envelope(RulesetDetail, "told", tag="slug"),
    *(
        Envelope(kind, "told")
        for kind in (
            EncounterView,
            CreatedAnswer,
            ForkAnswer,
            EventRecord,
            EventPage,
            ActionsAnswer,
            PreviewAnswer,
            InspectionAnswer,
            LegalAnswer,
            MapAnswer,
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
    DrawDifference: "AuditDrawDifference",
    Override: "AuditOverride",
    Rewinding: "AuditRewinding",
    SeqRun: "AuditSeqRun",
    Ratio: "AuditRatio",
    TailChance: "AuditTailChance",
    Remark: "AuditRemark",
    LuckReport: "AuditLuckReport",
    SeatLuck: "AuditSeatLuck",
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
    slugs = tuple(dict.fromkeys(ruleset.slug for ruleset in rulesets))
    return Group(
        requests=(*_TAKEN, ActionItem, ActionList, ForkRequest, SimulationRequest),
        responses=_TOLD,
        unions={
            common: common_actions(rulesets),
            ComponentKey("TimersRequest", "taken"): TimersRequest,
            ComponentKey("Me", "told"): Me,
        },
        plain=_plain(rulesets),
        fields=_placed("", "taken", _in_common_requests(common, slugs))
        | _placed("", "told", {**_FILLED, **_in_problems(rulesets)}),
    )


def _of_ruleset(ruleset: Ruleset[RuleState]) -> Group:
    """What is a ruleset's: its own types, and the envelopes around them."""
    group = group_of(ruleset)
    edition = group.edition
    envelopes = tuple(envelope.kind for envelope in ENVELOPES if envelope.direction == "told")
    lines = {
        str(kind.__struct_config__.tag): ComponentKey(kind, "told", edition).reference
        for kind in _BUNDLED
    }
    return Group(
        slug=group.slug,
        edition=edition,
        requests=(*group.requests, CreateRequest, CheckMapRequest, *_ACTING),
        responses=(
            *group.responses,
            *envelopes,
            *_BUNDLED,
            LegalActions,
            *(inspection.answer for inspection in ruleset.inspections),
        ),
        unions=group.unions,
        plain={
            **nodes(ruleset),
            ComponentKey("BundleLine", "told", edition): {
                "description": "A line of a bundle: header, blob, event or seal.",
                **one_of("type", lines),
            },
        },
        fields={
            **group.fields,
            **_placed(edition, "taken", _in_requests(ruleset)),
            **_placed(edition, "told", {**_FILLED, **_in_answers(ruleset)}),
        },
        own=frozenset(
            {*envelopes, CreateRequest, CheckMapRequest, *_ACTING, BundleHeader, LegalActions}
        ),
    )


def _placed(
    edition: str, direction: Direction, fields: Mapping[ComponentKind, Mapping[str, Schema]]
) -> dict[ComponentKey, Mapping[str, Schema]]:
    return {ComponentKey(kind, direction, edition): filled for kind, filled in fields.items()}


_FILLED: Final[Mapping[ComponentKind, Mapping[str, Schema]]] = {
    PartRecord: {"body": ComponentKey(Part, "told").reference},
    BundlePart: {"body": ComponentKey(Part, "told").reference},
    Stopped: {"problem": ComponentKey(Problem, "told").reference},
    AuditFailure: {"problem": ComponentKey(Problem, "told").reference},
    AuditedView: {
        "state": {"type": "object"},
        "decisions": {"type": "array", "items": {"type": "object"}},
        "table": {"type": "object"},
    },
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
    codes |= {message.code for ruleset in rulesets for message in ruleset.catalogue.messages}
    return {
        Problem: {
            "code": {"type": "string", "enum": sorted(codes)},
            "params": {"type": "object", "additionalProperties": fact},
            "allowed": fact,
        },
        EventVerdict: {"params": {"type": "object", "additionalProperties": fact}},
    }


_SENT_ALONG: Final[Schema] = {
    "type": "array",
    "items": ComponentKey("SentAction", "taken").reference,
    "maxItems": MOST_ACTIONS,
}


def _in_common_requests(
    action: ComponentKey, slugs: Sequence[str]
) -> dict[ComponentKind, Mapping[str, Schema]]:
    """What is in the fields of requests that every ruleset takes."""
    named: Schema = {"type": "string", "enum": list(slugs)}
    return {
        ActionItem: {"ruleset": named, "action": action.reference},
        ActionList: {"ruleset": named, "actions": _listed("")},
        ForkRequest: {"ruleset": named, "actions": _SENT_ALONG},
        SimulationRequest: {"ruleset": named, "actions": _SENT_ALONG},
    }


def _listed(edition: str) -> Schema:
    """The actions of a list."""
    return {
        "type": "array",
        "items": ComponentKey(ActionItem, "taken", edition).reference,
        "minItems": 1,
        "maxItems": ApiLimits().actions_per_list,
    }


def _in_requests(ruleset: Ruleset[RuleState]) -> dict[ComponentKind, Mapping[str, Schema]]:
    """What is in the fields of requests that a ruleset reads."""
    edition = edition_of(ruleset)
    named: Schema = {"type": "string", "const": ruleset.slug}
    action = ComponentKey("Action", "taken", edition).reference
    return {
        CreateRequest: {
            "ruleset": named,
            "setup": ComponentKey(ruleset.setup, "taken", edition).reference,
        },
        CheckMapRequest: {
            "ruleset": named,
            "options": ComponentKey(options_of(ruleset), "taken", edition).reference,
            "map": ComponentKey("Map", "taken", edition).reference,
        },
        ActionItem: {"ruleset": named, "action": action},
        ActionList: {"ruleset": named, "actions": _listed(edition)},
        PreviewRequest: {"ruleset": named, "action": action},
        GivenAnswer: {"choice": ComponentKey("Choice", "taken", edition).reference},
    }


def _in_answers(ruleset: Ruleset[RuleState]) -> dict[ComponentKind, Mapping[str, Schema]]:
    """What is in the fields of answers that a ruleset fills."""
    edition = edition_of(ruleset)
    named: Schema = {"type": "string", "const": ruleset.slug}
    event = ComponentKey(ruleset.event, "told", edition).reference
    decisions: Schema = {
        "type": "array",
        "items": ComponentKey(decision_of(ruleset), "told", edition).reference,
    }
    action = ComponentKey("Action", "taken", edition).reference
    legal: Schema = {"type": "array", "items": ComponentKey(NODE, "told", edition).reference}
    return {
        RulesetDetail: {
            "slug": named,
            "options": ComponentKey(options_of(ruleset), "told", edition).reference,
        },
        EncounterView: {
            "ruleset": named,
            "state": ComponentKey(ruleset.state, "told", edition).reference,
            "table": ComponentKey(Linear, "told", edition).reference,
            "decisions": decisions,
        },
        CreatedAnswer: {"ruleset": named},
        ForkAnswer: {"ruleset": named},
        EventRecord: {"ruleset": named, "event": event, "seen": event},
        EventOut: {"ruleset": named, "event": event, "seen": event},
        EventPage: {"ruleset": named},
        ActionsAnswer: {"ruleset": named, "decisions": decisions},
        PreviewAnswer: {
            "ruleset": named,
            "facts": ComponentKey(ruleset.facts, "told", edition).reference,
        },
        InspectionAnswer: {
            "ruleset": named,
            "answer": any_of(
                [
                    ComponentKey(inspection.answer, "told", edition).reference
                    for inspection in ruleset.inspections
                ]
            ),
        },
        LegalAnswer: {
            "ruleset": named,
            "actions": legal,
            "actors": {
                "type": "array",
                "items": ComponentKey(LegalActions, "told", edition).reference,
            },
            "samples": {"type": "array", "items": action},
        },
        LegalActions: {"actions": legal},
        MapAnswer: {
            "ruleset": named,
            "map": ComponentKey("Map", "told", edition).reference,
        },
        MyBattle: {"ruleset": named, "decisions": decisions},
        Hello: {"ruleset": named, "decisions": decisions, "timers": _TIMERS},
        BundleHeader: {"ruleset": named},
        BundleBlob: {"body": ComponentKey(ruleset.blob, "told", edition).reference},
        BundleEvent: {"event": event},
    }


def _plain(rulesets: Sequence[Ruleset[RuleState]]) -> dict[ComponentKey, Schema]:
    """Unions over rulesets that nothing distinguishes, and what is no type."""
    editions = [edition_of(ruleset) for ruleset in rulesets]
    acting = [
        ComponentKey(kind, "taken", edition).reference
        for kind in (ActionItem, ActionList)
        for edition in ("", *editions)
    ]
    items = [ComponentKey(ActionItem, "taken", edition).reference for edition in ("", *editions)]
    previews = [ComponentKey(PreviewRequest, "taken", edition).reference for edition in editions]
    boards = [
        ComponentKey(ruleset.blob, "told", edition_of(ruleset)).reference for ruleset in rulesets
    ]
    lines = [ComponentKey("BundleLine", "told", edition).reference for edition in editions]
    return {
        **domains(),
        ComponentKey("ActRequest", "taken"): {
            "description": (
                "One action, or a list of up to 32 that are applied in order: of the encounter's"
                " ruleset, or such as every ruleset has."
            ),
            **any_of(acting),
        },
        ComponentKey("SentAction", "taken"): {
            "description": "An action of the encounter's ruleset, or one that every ruleset has.",
            **any_of(items),
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
        ComponentKey("Bundle", "taken"): {
            "type": "string",
            "description": (
                "A bundle: JSON objects, one to a line, each line ended by a line feed. The page"
                " `/docs/specification` says what is in them."
            ),
        },
        ComponentKey("AuditRecord", "told"): {
            "description": "A record of an audit under way; `report` or `problem` is the last.",
            **one_of(
                "type",
                {
                    str(kind.__struct_config__.tag): ComponentKey(kind, "told").reference
                    for kind in _AUDITED
                },
            ),
        },
        ComponentKey("Picture", "told"): {
            "type": "string",
            "description": "A picture of a scene with a legend, for people.",
        },
        ComponentKey("ExplanationPage", "told"): {
            "type": "string",
            "description": "Why an event came out as it did, for people: lines of 78 columns.",
        },
        ComponentKey("RulesetSchemas", "told"): {
            "type": "object",
            "properties": {
                "ruleset": {"type": "string", "description": "Slug of the ruleset."},
                "version": {"type": "string", "description": "Its version that is described."},
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
