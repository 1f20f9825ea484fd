"""Event 1 of a battle: its terms, its seats, and a battle in progress that is taken up."""

from typing import TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.setup import Header
from service.engine.battle.state import Combatant, RuleState, Seat, TableOptions, known_sides
from service.engine.kit.combatants import require_combatant, require_side
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import CreateEncounter
from service.engine.vocabulary.values import By
from service.errors import Malformed

A = TypeVar("A", bound=CreateEncounter)
E = TypeVar("E", bound=fx.EncounterCreated)
R = TypeVar("R", bound=RuleState)


def creation_of(
    kind: type[A],
    ruleset: tuple[str, str],
    header: Header,
    options: TableOptions,
    combatants: tuple[Combatant, ...],
) -> A:
    """The action of event 1 under a ruleset (slug and version), without map and content."""
    slug, version = ruleset
    return kind(
        ruleset=slug,
        version=version,
        dice=header.dice,
        commitment=header.commitment,
        seed="given" if header.seed == "given" else "os",
        sides=header.sides,
        seats=header.seats,
        options=options,
        combatants=combatants,
        reveal_by_days=header.reveal_by_days,
        title=header.title,
        metadata=header.metadata,
    )


def created_by(kind: type[E], action: CreateEncounter, by: By, *, is_prepared: bool = False) -> E:
    """The terms of the battle as a creation states them; nothing of them is checked."""
    return kind(
        ruleset=action.ruleset,
        version=action.version,
        dice=fx.DiceTerms(mode=action.dice),
        commitment=action.commitment,
        seed=action.seed,
        options=action.options,
        sides=action.sides,
        map=action.map,
        content=action.content,
        creator=by,
        reveal_by_days=action.reveal_by_days,
        prepared=is_prepared,
        title=action.title,
        metadata=action.metadata,
    )


def seat(battle: EffectBuilder[R], seats: tuple[Seat, ...]) -> None:
    """The seats take their places, each with the sides whose secrets it shares.

    Raises Refused("unknown_side") or ("unknown_combatant").
    """
    rule = battle.rule
    for each in seats:
        for side in each.sides:
            require_side(rule, side)
        for combatant in each.combatants:
            require_combatant(rule, combatant)
        knows = known_sides(each.sides, each.combatants, rule.combatants)
        battle.emit(fx.SeatChanged(seat=replace(each, knows=knows)))


def take_up(
    battle: EffectBuilder[R], order: fx.OrderSet, turn: str | UnsetType, allowed: str
) -> None:
    """A battle in progress goes on: its order, if there is one, and whose turn it is.

    Raises Malformed, with what is `allowed`, for the turn of somebody without a place in the order.
    """
    if turn is not UNSET and turn not in [entry.combatant for entry in order.entries]:
        raise Malformed(path="$.battle.turn", allowed=allowed)
    if order.entries:
        battle.emit(order)
    if turn is not UNSET:
        battle.emit(fx.TurnBegan(combatant=turn))
