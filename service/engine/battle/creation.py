"""Event 1 of a battle: its terms, its seats, and a battle in progress that is taken up."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import UNSET, UnsetType

from service.engine.battle.continuation import continuation
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.linear import Seat
from service.engine.battle.roster import require_combatant
from service.engine.battle.seats import entitle
from service.engine.battle.setup import Header
from service.engine.battle.state import Combatant, RuleState, State, TableOptions
from service.engine.ruleset.definition import Ruleset, creation_type
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import CreateEncounter
from service.engine.vocabulary.values import By, ForkOf
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
        fork_of=action.fork_of,
        state=action.state,
    )


def continued_by(
    ruleset: Ruleset[R], there: State[R], fork_of: ForkOf, header: Header, by: By
) -> CreateEncounter:
    """The action of event 1 that takes up a battle of another log as it stood there.

    Options, sides, map and content are those of the battle; `header` says the rest.
    """
    state = continuation(ruleset, there, by, header.dice)
    return creation_type(ruleset)(
        ruleset=ruleset.slug,
        version=ruleset.version,
        dice=header.dice,
        commitment=header.commitment,
        seed="given" if header.seed == "given" else "os",
        sides=state.sides,
        seats=header.seats,
        options=state.options,
        map=state.map,
        content=state.content,
        reveal_by_days=header.reveal_by_days,
        title=header.title,
        metadata=header.metadata,
        fork_of=fork_of,
        state=state,
    )


def seat(effects: EffectBuilder[R], seats: tuple[Seat, ...]) -> None:
    """Emit the seats, each with the sides whose secrets it shares.

    Raises Refused("unknown_side") or ("unknown_combatant").
    """
    for each in seats:
        entitled_seat = entitle(each, effects.rule.sides, effects.rule.combatants)
        effects.emit(fx.SeatChanged(seat=entitled_seat))


def require_order(rule: RuleState, order: Sequence[str]) -> None:
    """What a battle in progress states as its order are combatants of it, each once.

    Raises Refused("unknown_combatant") or Malformed, checked in this order.
    """
    for combatant in order:
        require_combatant(rule, combatant)
    if len(set(order)) != len(order):
        raise Malformed(path="$.battle.order", allowed="each combatant once")


def take_up(
    effects: EffectBuilder[R], order: fx.OrderSet, turn: str | UnsetType, allowed: str
) -> None:
    """Emit the order of a battle in progress, if there is one, and whose turn it is.

    Raises Malformed, naming what is `allowed`, for a turn without a place in the order.
    """
    if turn is not UNSET and turn not in [entry.combatant for entry in order.entries]:
        raise Malformed(path="$.battle.turn", allowed=allowed)
    if order.entries:
        effects.emit(order)
    if turn is not UNSET:
        effects.emit(fx.TurnBegan(combatant=turn))
