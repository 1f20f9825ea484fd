"""A second toy ruleset, in which sides have the turn and units act within it.

`activate_unit` gives a unit of that side its turn, `end_activation` and `end_turn` end those of the
unit and of the side; `shout` is done by several together and lifts the morale of their side, which
the game master may set; `dare` asks the other side. Nothing is rolled.
"""

from typing import Annotated, Any, ClassVar, Final

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.creation import created_by
from service.engine.battle.fold import EffectBuilder, reducer
from service.engine.battle.setup import Header
from service.engine.battle.state import (
    RuleState,
    State,
    TableOptions,
    UnitMember,
)
from service.engine.battle.turn import TurnHolder
from service.engine.dice.dice import Dice
from service.engine.kit.scene import draw_scene
from service.engine.log.event import Event
from service.engine.map_check import MapReport
from service.engine.ruleset.definition import Catalogue, Preview, Ruleset, nothing_legal
from service.engine.ruleset.legal_nodes import NodeSource, ready
from service.engine.visibility.audience import BEARER, EVERYONE, UnitMention
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By, Side, SideId
from service.errors import Refused
from tests.toy import dares
from tests.toy.dares import Answer, Closed, Dare
from tests.toy.side_legal import side_nodes, unit_node

Effects = tuple[fx.Effect, ...]
Sides = EffectBuilder["SidesState"]


class Trooper(UnitMember, frozen=True, kw_only=True):
    """A combatant of a unit, and nothing else."""


class Morale(Struct, frozen=True, kw_only=True):
    """How a side feels."""

    side: Annotated[SideId, EVERYONE]
    value: Annotated[int, EVERYONE]


class SidesState(RuleState, frozen=True, kw_only=True):
    """Whose turn it is, and within it which unit's; how the sides feel."""

    combatants: Annotated[tuple[Trooper, ...], EVERYONE] = ()
    side: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    unit: Annotated[UnitMention | UnsetType, EVERYONE] = UNSET
    morale: Annotated[tuple[Morale, ...], EVERYONE] = ()


class SidesSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a creation brings."""

    troopers: tuple[Trooper, ...]
    options: TableOptions = TableOptions()


class Create(do.CreateEncounter, frozen=True, kw_only=True, tag="create_encounter"):
    """Event 1."""

    combatants: Annotated[tuple[Trooper, ...], EVERYONE] = ()


class Activate(do.UnitAction, frozen=True, kw_only=True, tag="activate_unit"):
    """It is this unit's turn within that of its side."""


class EndActivation(do.UnitAction, frozen=True, kw_only=True, tag="end_activation"):
    """The unit's turn is over, that of its side continues."""

    ENDS_TURN: ClassVar[bool] = True


class Shout(do.JointAction, frozen=True, kw_only=True, tag="shout"):
    """Lift the morale of one's side, by as much as there are voices."""


class SetMorale(alter.TableChange, frozen=True, kw_only=True, tag="morale"):
    """A side feels like this."""

    side: Annotated[SideId, EVERYONE]
    value: Annotated[int, EVERYONE]


class Adjust(do.Adjust, frozen=True, kw_only=True, tag="adjust"):
    """The GM overrules."""

    changes: Annotated[
        Annotated[tuple[alter.SharedChange | SetMorale, ...], Meta(min_length=1)], EVERYONE, BEARER
    ]


Decided = (
    Activate
    | EndActivation
    | do.EndSideTurn
    | Shout
    | Dare
    | Answer
    | do.ForcePass
    | Adjust
    | do.StartEncounter
)
SidesAction = Decided | do.EngineAction


class TroopAdded(fx.CombatantAdded, frozen=True, kw_only=True, tag="combatant_added"):
    """A trooper is there."""

    combatant: Annotated[Trooper, EVERYONE, BEARER]


class TroopRevealed(fx.Revealed, frozen=True, kw_only=True, tag="revealed"):
    """A trooper everyone knows of now."""

    combatant: Annotated[Trooper, EVERYONE]


class TurnBegan(fx.TurnBegan, frozen=True, kw_only=True, tag="turn_began"):
    """A side's turn, or within it that of a unit."""

    unit: Annotated[UnitMention | UnsetType, EVERYONE] = UNSET


class TurnEnded(fx.TurnEnded, frozen=True, kw_only=True, tag="turn_ended"):
    """A side's turn is over, or within it that of a unit."""

    unit: Annotated[UnitMention | UnsetType, EVERYONE] = UNSET


SidesEffect = (
    fx.EncounterCreated
    | fx.EncounterStarted
    | fx.EncounterEnded
    | fx.Contributed
    | fx.SeedRevealed
    | fx.PartsOpened
    | TroopAdded
    | fx.SeatChanged
    | fx.ControlChanged
    | fx.RoundBegan
    | TurnBegan
    | TurnEnded
    | fx.ResourceChanged
    | TroopRevealed
    | fx.Hidden
    | fx.Hurt
    | fx.DecisionOpened
    | Closed
    | fx.Noted
    | fx.Adjusted
    | fx.Rewound
    | fx.Erased
)


class SidesEvent(Event, frozen=True, kw_only=True):
    """An event of this ruleset."""

    action: Annotated[SidesAction | Create, EVERYONE]
    effects: Annotated[tuple[SidesEffect, ...], EVERYONE]


def create(setup: SidesSetup, header: Header) -> Create:
    """Event 1's action."""
    return Create(
        ruleset="toy-sides",
        version="1",
        dice=header.dice,
        commitment=header.commitment,
        seed="given" if header.seed == "given" else "os",
        sides=(*header.sides, *_brought(setup.troopers, header.sides)),
        seats=header.seats,
        options=setup.options,
        combatants=setup.troopers,
        reveal_by_days=header.reveal_by_days,
        title=header.title,
    )


def _brought(troopers: tuple[Trooper, ...], sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """The sides of troopers that were not named, in the order in which they come."""
    known = {side.id for side in sides}
    new = dict.fromkeys(each.side for each in troopers if each.side not in known)
    return tuple(Side(id=side) for side in new)


def initial(created: fx.EncounterCreated) -> SidesState:
    """The blank state of event 1."""
    return SidesState(options=created.options, dice=created.dice.mode, sides=created.sides)


_Own = TurnBegan | TurnEnded | fx.ResourceChanged


def _own(rule: SidesState, effect: _Own) -> SidesState:
    match effect:
        case TurnBegan():
            return replace(rule, side=effect.side, unit=effect.unit)
        case TurnEnded():
            side = UNSET if effect.unit is UNSET else rule.side
            return replace(rule, side=side, unit=UNSET)
        case fx.ResourceChanged():
            others = tuple(each for each in rule.morale if each.side != effect.side)
            now = Morale(side=str(effect.side), value=effect.now)
            return replace(rule, morale=(*others, now))


evolve: Final = reducer(_own, _Own)


def turn(rule: SidesState) -> TurnHolder | None:
    """The unit's while there is one, else the side's."""
    if rule.side is UNSET:
        return None
    troop = [each for each in rule.combatants if each.side == rule.side and each.health > 0]
    if rule.unit is UNSET:
        ending: do.Action = do.EndSideTurn(side=rule.side)
        names = tuple(each.id for each in troop)
        return TurnHolder(combatants=names, side=rule.side, ending=ending)
    members = tuple(each.id for each in troop if each.unit == rule.unit)
    ending = EndActivation(unit=rule.unit)
    return TurnHolder(combatants=members, side=rule.side, unit=rule.unit, ending=ending)


def decide(state: State[SidesState], action: do.Action, by: By, seq: int, dice: Dice) -> Effects:
    """The rules."""
    told = EffectBuilder(state, evolve)
    cause = "timeout" if by.kind == "system" else "ended"
    match action:
        case Create():
            return _created(action, by)
        case do.StartEncounter():
            told.emit(fx.EncounterStarted())
            told.emit(fx.RoundBegan(round=1))
            told.emit(TurnBegan(side=state.rule.sides[0].id))
        case Activate():
            _activate(told, action.unit)
        case EndActivation():
            _require_turn(told.rule.unit == action.unit, unit=action.unit)
            told.emit(TurnEnded(side=told.rule.side, unit=action.unit, cause=cause))
        case do.EndSideTurn():
            _end_turn(told, action.side, cause)
        case Shout():
            _shout(told, action.combatants)
        case Dare():
            _require_turn(told.rule.side == action.side, side=action.side)
            dares.dare(told, action, by, seq)
        case Answer() | do.ForcePass():
            _lift(told, dares.answer(told, state, action, by), 1)
        case Adjust():
            _adjust(told, action)
        case _:
            raise Refused("unknown_action")
    return told.emitted


def _created(action: Create, by: By) -> Effects:
    created = created_by(fx.EncounterCreated, action, by)
    added = [
        TroopAdded(combatant=replace(trooper, number=number))
        for number, trooper in enumerate(action.combatants, 1)
    ]
    return (created, *added, *(fx.SeatChanged(seat=seat) for seat in action.seats))


def _require_turn(has_it: bool, **who: Any) -> None:
    if not has_it:
        raise Refused("not_your_turn", **who)


def _activate(told: Sides, unit: str) -> None:
    member = next(each for each in told.rule.combatants if each.unit == unit)
    has_it = member.side == told.rule.side and told.rule.unit is UNSET
    _require_turn(has_it, unit=unit)
    told.emit(TurnBegan(side=member.side, unit=unit))


def _end_turn(told: Sides, side: str, cause: str) -> None:
    _require_turn(told.rule.side == side and told.rule.unit is UNSET, side=side)
    ids = [each.id for each in told.rule.sides]
    told.emit(TurnEnded(side=side, cause=cause))
    following = (ids.index(side) + 1) % len(ids)
    if following == 0:
        told.emit(fx.RoundBegan(round=told.rule.round + 1))
    told.emit(TurnBegan(side=ids[following]))


def _shout(told: Sides, voices: tuple[str, ...]) -> None:
    shouting = [each for each in told.rule.combatants if each.id in voices]
    _require_turn(all(each.side == told.rule.side for each in shouting), combatants=voices)
    _lift(told, shouting[0].side, len(shouting))


def _lift(told: Sides, side: str, amount: int) -> None:
    before = next((each.value for each in told.rule.morale if each.side == side), 0)
    told.emit(fx.ResourceChanged(side=side, resource="morale", now=before + amount))


def _adjust(told: Sides, action: Adjust) -> None:
    told.emit(fx.Adjusted())
    for change in action.changes:
        match change:
            case SetMorale(side=side, value=value):
                told.emit(fx.ResourceChanged(side=side, resource="morale", now=value, cause="gm"))
            case alter.SetHp(combatant=who, value=value):
                told.emit(fx.Hurt(combatant=who, amount=0, health=value, band="hurt"))
            case alter.HideCombatant(combatant=who):
                told.emit(fx.Hidden(combatant=who))
            case alter.RevealCombatant(combatant=who):
                found = next(each for each in told.rule.combatants if each.id == who)
                told.emit(TroopRevealed(combatant=replace(found, hidden=False), cause="gm"))
            case _:
                raise Refused("unknown_change")


def _legal_of_side(view: State[SidesState], side: str, by: By) -> tuple[NodeSource, ...]:
    return ready(*side_nodes(view, side, by, turn(view.rule), Shout))


def _legal_of_unit(view: State[SidesState], unit: str, _: By) -> tuple[NodeSource, ...]:
    member = next(each for each in view.rule.combatants if each.unit == unit)
    begin, end = Activate(unit=unit), EndActivation(unit=unit)
    return ready(*unit_node(view, member, turn(view.rule), begin, end))


def _preview(state: State[SidesState], action: do.Action, by: By, answers: object = ()) -> Preview:
    return Preview(legal=True)


RULESET: Final[Ruleset[SidesState]] = Ruleset(
    slug="toy-sides",
    version="1",
    catalogue=Catalogue(rules=(), terms=(), messages=()),
    setup=SidesSetup,
    action=SidesAction,
    event=SidesEvent,
    state=SidesState,
    create=create,
    blobs=lambda setup: (),
    blob=Morale,
    map=Morale,
    check_map=lambda stated, _: MapReport(map=stated),
    initial=initial,
    decide=decide,
    evolve=evolve,
    binds=lambda state, viewer, action: False,
    legal_actions=nothing_legal,
    legal_of_unit=_legal_of_unit,
    legal_of_side=_legal_of_side,
    preview=_preview,
    scene=lambda source: draw_scene(source, (), unit="cell", is_grid=True, out=()),
    turn=turn,
)
RULESETS: Final[dict[tuple[str, str], Ruleset[Any]]] = {(RULESET.slug, RULESET.version): RULESET}
