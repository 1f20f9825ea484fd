"""What callers see of their own: the seat they speak for, their battles, and whose move it is."""

from typing import Annotated, Final
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, convert

from service.encounters.cache import LoadedEncounter
from service.encounters.cursors import read_cursor, write_cursor
from service.encounters.principal import Principal
from service.encounters.reads import Reads
from service.encounters.seats.messages import Me, MyBattle, MyKey, MySeat
from service.encounters.seats.service import SeatService
from service.encounters.views import raw, summary_of
from service.engine.battle import decisions
from service.engine.battle.open_decisions import Decision
from service.engine.battle.state import scope_of, viewer_of
from service.engine.battle.turn import TurnHolder, may_act_in
from service.engine.visibility import projection
from service.engine.visibility.audience import EVERYONE, MentionId, UnitMention
from service.engine.visibility.scope import Scope, Viewer, audience_of
from service.engine.vocabulary.values import By
from service.errors import NewerVersion, NotFound

_TERMS: Final = "running"
"""What cursors remember of this list."""


class _Turn(Struct, frozen=True, kw_only=True):
    """Whose turn it is, for the serializer."""

    combatant: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    side: Annotated[str | UnsetType, EVERYONE] = UNSET
    unit: Annotated[UnitMention | UnsetType, EVERYONE] = UNSET


async def me(
    reads: Reads, seats: SeatService, who: Principal, cursor: str | None, limit: int
) -> Me:
    """The seat and its encounter, or the key and a page of what is under way.

    A battle that this build cannot read is left out of the page, as is one that is deleted just
    then. Raises Malformed for a bad cursor.
    """
    after = None if cursor is None else read_cursor(cursor, "cursor", _TERMS)
    if who.encounter is not None:
        battle, by = await reads.load(who, who.encounter)
        return MySeat(seat=await seats.mine(battle, by), battle=battle_of(battle, by))
    rows = await reads.store.log.running(who.tenant, after=after, limit=limit + 1)
    page = rows[:limit]
    battles = [await _battle(reads, who, row.id) for row in page]
    return MyKey(
        key=str(who.key_id),
        scopes=tuple(sorted(who.scopes)),
        battles=tuple(battle for battle in battles if battle is not None),
        next=write_cursor(page[-1].created_at, page[-1].id, _TERMS) if len(rows) > limit else UNSET,
    )


async def _battle(reads: Reads, who: Principal, encounter: UUID) -> MyBattle | None:
    try:
        return battle_of(*await reads.load(who, encounter))
    except (NewerVersion, NotFound):
        return None


def battle_of(battle: LoadedEncounter, by: By) -> MyBattle:
    """Status of an encounter for a caller."""
    rule = battle.state.rule
    viewer = viewer_of(by, rule, battle.state.linear)
    scope = scope_of(rule)
    pending = rule.pending[-1].decisions if rule.pending else ()
    answerable = tuple(
        each
        for each in pending
        if viewer.may_know(audience_of(each, scope))
        and decisions.is_entitled(battle.state, each, by)
    )
    turn = battle.ruleset.turn(rule)
    visible = _visible_turn(turn, scope, viewer)
    return MyBattle(
        ruleset=battle.row.ruleset,
        encounter=summary_of(battle),
        is_my_move=_is_my_move(battle, by, turn, answerable),
        decisions=raw(projection.view(answerable, scope, viewer)),
        turn=visible.combatant,
        turn_side=visible.side,
        turn_unit=visible.unit,
    )


def _visible_turn(turn: TurnHolder | None, scope: Scope, viewer: Viewer) -> _Turn:
    """Whose turn it is, as far as the viewer may know."""
    if turn is None:
        return _Turn()
    whose = _Turn(combatant=turn.combatant, side=turn.side, unit=turn.unit)
    return convert(projection.view(whose, scope, viewer), _Turn)


def _is_my_move(
    battle: LoadedEncounter, by: By, turn: TurnHolder | None, answerable: tuple[Decision, ...]
) -> bool:
    """Whether the battle waits for the caller; for a GM only if it waits for no player."""
    rule, linear = battle.state.rule, battle.state.linear
    if rule.status != "running" or by.role == "observer":
        return False
    players = [_as_player(seat.id) for seat in linear.seats if seat.role == "player"]
    others = players if by.role == "gm" else []
    if rule.pending:
        return any(
            not any(decisions.is_entitled(battle.state, each, other) for other in others)
            for each in answerable
        )
    if turn is None or not may_act_in(battle.state, turn, by):
        return False
    return not any(may_act_in(battle.state, turn, other) for other in others)


def _as_player(seat: str) -> By:
    return By(kind="seat", id=seat, role="player", seat=seat)
