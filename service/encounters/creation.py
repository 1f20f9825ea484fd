"""Event 1: a new encounter with its sealed seed, its seats and its blobs; made once for each key.

A map alone is checked here too, as a creation would take it.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, TypeVar
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from service.encounters.clock_and_ids import Sources, new_id, timestamp
from service.encounters.group_commit import once_stored
from service.encounters.held_back import NOTHING_HELD, HeldBack, default_version
from service.encounters.principal import Principal, by_of
from service.encounters.requests import CheckMapRequest, CreateRequest, convert, within
from service.encounters.responses import Replayable
from service.engine import hashing
from service.engine.battle import decide, fold
from service.engine.battle.creation import created_by
from service.engine.battle.linear import Linear, Seat
from service.engine.battle.seats import entitle
from service.engine.battle.setup import Header
from service.engine.battle.state import RuleState, State
from service.engine.dice.dice import SealedDice
from service.engine.log import canonical
from service.engine.log import event as events
from service.engine.log.event import SALT_BYTES, Sealer
from service.engine.map_check import MapReport
from service.engine.ruleset.definition import Ruleset, Rulesets, options_of, refusing
from service.engine.visibility.scope import RESERVED_SIDES
from service.engine.vocabulary.actions import CreateEncounter
from service.engine.vocabulary.client_ids import require_distinct
from service.engine.vocabulary.effects import EncounterCreated
from service.engine.vocabulary.values import By
from service.errors import ConflictingRequest, Malformed, Refused, UpgradeUnfinished
from service.eventstore.records import Blob, Created, Creation, NewEncounter, SeatRow, Secret
from service.eventstore.store import EventStore

A = TypeVar("A")

KEY_BYTES = 32


class CreationTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What goes into an encounter besides the action of its event 1; `blobs` stand by digest."""

    tenant: UUID
    by: By
    secret: Secret
    creation: Creation
    blobs: Mapping[str, object]


MAX_SIDES = 16
"""Sides of a battle, those that its setup brings included: each has its own dice."""


def draft(
    who: Principal,
    request: CreateRequest,
    creation: Creation,
    rulesets: Rulesets,
    sources: Sources,
    held: HeldBack,
) -> NewEncounter:
    """Decide event 1: everything the store needs to create it.

    Raises Malformed, Refused, UpgradeUnfinished.
    """
    ruleset = ruleset_of(request.ruleset, request.version, rulesets, held)
    _require_sound(request)
    is_seed_stated = request.seed is not UNSET
    seed = bytes.fromhex(request.seed) if request.seed is not UNSET else sources.random(KEY_BYTES)
    secret = Secret(seed=seed, seal_key=sources.random(KEY_BYTES))
    setup = convert(request.setup, ruleset.setup, "$.setup")
    with refusing(ruleset), within("$.setup"):
        blobs = ruleset.blobs(setup)
    bodies = tuple(canonical.encode(blob) for blob in blobs)
    header = Header(
        dice=request.dice,
        commitment=hashing.commitment(seed),
        seed="given" if is_seed_stated else "os",
        sides=request.sides,
        seats=request.seats,
        reveal_by_days=request.reveal_by_days,
        digests=tuple(hashing.blob_digest(body) for body in bodies),
        title=request.title,
        metadata=request.metadata,
    )
    with refusing(ruleset):
        action = _with_knowledge(ruleset.create(setup, header))
        held.require_options_known(ruleset, action.options)
    terms = CreationTerms(
        tenant=who.tenant,
        by=by_of(who, "gm"),
        secret=secret,
        creation=creation,
        blobs=dict(zip(header.digests, blobs, strict=True)),
    )
    with within("$.setup"):
        return decided(terms, ruleset, action, sources)


def ruleset_of(
    name: str, stated: str | UnsetType, rulesets: Rulesets, held: HeldBack = NOTHING_HELD
) -> Ruleset[RuleState]:
    """The ruleset asked for; if no version is stated, the newest that is not ahead nor held back.

    `rulesets` lists each slug's versions in the order of their release. Raises Refused, and
    UpgradeUnfinished where all versions are held back.
    """
    versions = [version for slug, version in rulesets if slug == name]
    if not versions:
        slugs = sorted({slug for slug, _ in rulesets})
        raise Refused("unknown_ruleset", ruleset=name, allowed=slugs)
    version = default_version(name, rulesets, held) if stated is UNSET else stated
    if version is None:
        raise UpgradeUnfinished(release=held.release, ruleset=name)
    if version not in versions:
        raise Refused("unknown_version", version=version, allowed=versions)
    return rulesets[name, version]


def _require_sound(request: CreateRequest) -> None:
    """The ids of sides and seats are sound as they are stated. Raises Malformed."""
    sides = [side.id for side in request.sides]
    if len(set(sides)) < len(sides) or RESERVED_SIDES & set(sides):
        raise Malformed(path="$.sides", allowed="unique ids other than everyone and gm")
    require_distinct_seats(request.seats)


def require_distinct_seats(seats: tuple[Seat, ...]) -> None:
    """The ids of seats are sound as they are stated. Raises Malformed."""
    require_distinct([seat.id for seat in seats], "$.seats")


def _with_knowledge(action: CreateEncounter) -> CreateEncounter:
    """Seats know the secrets of their sides and of their combatants' sides.

    They are judged by what the creation ends with: a setup may bring its own sides, such as
    those of the units on a map. Raises Refused("unknown_side"), ("unknown_combatant") or
    ("too_many_sides").
    """
    if len(action.sides) > MAX_SIDES:
        raise Refused("too_many_sides", limit=MAX_SIDES)
    seats = tuple(entitle(seat, action.sides, action.combatants) for seat in action.seats)
    return msgspec.structs.replace(action, seats=seats)


def decided(
    terms: CreationTerms, ruleset: Ruleset[RuleState], action: CreateEncounter, sources: Sources
) -> NewEncounter:
    """The encounter that this action begins, under a new id. Raises Malformed, Refused."""
    encounter: UUID = new_id(sources)
    by, secret = terms.by, terms.secret
    blank = fold.blank(ruleset, created_by(EncounterCreated, action, by))
    before = State(rule=blank, linear=Linear(), terms=ruleset.terms(terms.blobs))
    dice = SealedDice(b"", 1)
    with refusing(ruleset):
        effects = decide.decide(ruleset, before, action, by, 1, dice)
    event = ruleset.event(
        seq=1,
        base=0,
        encounter=str(encounter),
        at=timestamp(sources.now()),
        by=by,
        action=action,
        draws=(),
        effects=effects,
    )
    after, scopes = fold.unfold(ruleset, None, event)
    text_salts = sources.random(SALT_BYTES * (len(action.sides) + 2))
    sealer = Sealer(seal_key=secret.seal_key, text_salts=text_salts)
    sealed = events.seal(events.lay_out(event, scopes), hashing.NO_HASH, sealer)
    return NewEncounter(
        id=encounter,
        tenant=terms.tenant,
        ruleset=ruleset.slug,
        version=ruleset.version,
        status=after.rule.status,
        title=action.title or None,
        metadata=None if action.metadata is UNSET else action.metadata.encode(),
        secret=secret,
        seats=tuple(SeatRow(id=seat.id, role=seat.role) for seat in action.seats),
        blobs=tuple(
            Blob(digest=bytes.fromhex(digest), body=canonical.encode(blob))
            for digest, blob in terms.blobs.items()
        ),
        first=sealed,
        creation=terms.creation,
        reveal_by_days=action.reveal_by_days,
        is_timed=after.rule.options.has_time_limit,
    )


class CheckedMap(NamedTuple):
    """A report, and the ruleset by which the map was read."""

    ruleset: Ruleset[RuleState]
    report: MapReport


def check_map(tree: object, rulesets: Rulesets, held: HeldBack = NOTHING_HELD) -> CheckedMap:
    """The report on a map of a request body.

    Raises Malformed for what is no map of the ruleset at all; Refused("unknown_ruleset") or
    ("unknown_version"), UpgradeUnfinished.
    """
    request = convert(tree, CheckMapRequest)
    ruleset = ruleset_of(request.ruleset, request.version, rulesets, held)
    kind = options_of(ruleset)
    stated = {} if request.options is UNSET else request.options
    options = convert(stated, kind, "$.options")
    report = ruleset.check_map(convert(request.map, ruleset.map, "$.map"), options)
    for finding in (*report.problems, *report.warnings):
        finding.error.ruleset = (ruleset.slug, ruleset.version)
    return CheckedMap(ruleset, report)


async def created_once(
    store: EventStore,
    creation: Creation,
    draft: Callable[[], Awaitable[NewEncounter]],
    answer: Callable[[UUID, bool], Awaitable[Replayable[A]]],
) -> Replayable[A]:
    """Create what `draft` makes, unless the key has created something; `answer` tells of either.

    It is given the id of the encounter, and whether that was there before. Raises
    ConflictingRequest("idempotency_key_reused"), and what `draft`, the store and `answer` raise.
    """
    earlier = await store.log.created(creation.principal, creation.key)
    if earlier is None:
        drafted = await draft()
        outcome = await store.writer.create(drafted)
        if isinstance(outcome, Created):
            with once_stored():
                return await answer(drafted.id, False)
        earlier = outcome
    if earlier.fingerprint not in (b"", creation.fingerprint):
        raise ConflictingRequest("idempotency_key_reused", key=creation.key)
    return await answer(earlier.encounter_id, True)
