"""The answers that a side may give to its question: shots on guard, rerolls, dampenings.

Of several warriors who could answer those are listed whom the caller controls.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of, existing
from service.engine.ruleset.legal_nodes import (
    Domain,
    LegalNode,
    ListedValue,
    TriedObjectDomain,
    answers,
    int_range,
    is_allowed,
    one_of,
    some_of,
    with_params,
)
from service.engine.vocabulary.actions import EndSideTurn
from service.engine.vocabulary.choices import PassChoice
from service.rulesets.melody_d6.actions import (
    Answer,
    AnyChoice,
    Charge,
    Dampen,
    GuardShot,
    Move,
    Reroll,
)
from service.rulesets.melody_d6.deciding import guard_shots, moves, songs
from service.rulesets.melody_d6.deciding.resolution import WaitingAction
from service.rulesets.melody_d6.legal_actions.attacks import weapons_of
from service.rulesets.melody_d6.legal_actions.ways import View
from service.rulesets.melody_d6.occupancy import enemies_of
from service.rulesets.melody_d6.points import PathPoint
from service.rulesets.melody_d6.questions import (
    DampenContext,
    GuardContext,
    Question,
    RerollContext,
)
from service.rulesets.melody_d6.remainders import MoveRemainder, RevealRemainder
from service.rulesets.melody_d6.rules.geometry import PERMILLE
from service.rulesets.melody_d6.rules.movement import Deed

Option = tuple[ListedValue, AnyChoice]
"""A choice as a member of a domain, and one complete choice of that kind."""

_QUARTERS: Final = (0, 250, 500, 750, 1000)
"""Points of each leg that are tried."""


class _Window(NamedTuple):
    """A window of the guards as somebody may know it."""

    view: View
    context: GuardContext


def answer_node(view: View, decision: Question, mine: Sequence[str]) -> LegalNode:
    """A question to a side with its answers; `mine` are the warriors that may be named in them.

    Options that cannot be taken are left out.
    """
    options = tuple(_options(view, decision, mine))
    example = Answer(decision_id=decision.id, choice=options[0][1])
    return answers((member for member, _ in options), example, decision, decision.context)


def _options(view: View, decision: Question, mine: Sequence[str]) -> Iterator[Option]:
    match decision.context:
        case GuardContext() as context:
            yield from _shots(_Window(view, context), mine)
        case RerollContext() as context:
            yield from _rerolls(view, decision, context)
        case DampenContext() as context:
            yield from _dampenings(view, decision, context, mine)
        case _:
            pass
    yield "pass", PassChoice()


def _is_possible(view: View, decision: Question, choice: Reroll | Dampen) -> bool:
    return is_allowed(lambda: songs.require_answer(view, decision, choice))


def _can_shoot(window: _Window, shot: GuardShot) -> bool:
    return is_allowed(partial(_require_shot, window, shot))


def _require_shot(window: _Window, shot: GuardShot) -> None:
    """What a shot is judged by, with what its chooser knows of the movement."""
    guard_shots.require_shooter(window.view, shot)
    waiting, remainder = _movement(window.view, window.context)
    guard_shots.require_answer(window.view, waiting, shot, remainder)


def _movement(
    view: View, context: GuardContext
) -> tuple[WaitingAction, MoveRemainder | RevealRemainder]:
    """The movement that waits for a window and what is left of it; nothing of another trigger."""
    mover = combatant_of(view.rule, context.movers[0]) if context.path else None
    if mover is None:
        return EndSideTurn(side=str(view.rule.turn_side)), RevealRemainder()
    start, *path = context.path
    deed: Deed = "move" if context.target is UNSET else "charge"
    remainder = MoveRemainder(
        combatant=mover.id,
        deed=deed,
        start=start,
        path=tuple(path),
        used=context.used,
    )
    reach = context.reach
    if reach is UNSET:
        reach = moves.reach_of(view.rule, mover, remainder)
    movement: WaitingAction = Move(combatant=mover.id, path=tuple(path))
    if context.target is not UNSET:
        movement = Charge(combatant=mover.id, target=context.target, path=tuple(path))
    return movement, replace(remainder, reach=reach)


def _shots(window: _Window, mine: Sequence[str]) -> Iterator[Option]:
    members: list[ListedValue] = []
    examples: list[GuardShot] = []
    for guard in (each for each in window.context.guards if each in mine):
        shots = _shots_of(window, guard)
        if shots:
            members.append(with_params(guard, {"weapon": _weapons(shots)}))
            examples.append(shots[0][0])
    if members:
        yield with_params("guard_shoot", {"combatant": one_of(members)}), examples[0]


Shot = tuple[GuardShot, Domain | None]
"""A shot that is accepted, and where on the way of a mover it may be."""


def _shots_of(window: _Window, guard: str) -> list[Shot]:
    """The shots of one guard that are accepted, by weapon and target."""
    view, context = window
    shooter = existing(view.rule, guard)
    found: list[Shot] = []
    for weapon in weapons_of(view, shooter, ranged=True):
        for enemy in enemies_of(view.rule, shooter.side):
            shot = GuardShot(combatant=guard, target=enemy.id, weapon=weapon)
            if guard_shots.is_met_on_way(view, context, enemy.id):
                found += _on_the_way(window, shot)
            elif _can_shoot(window, shot):
                found.append((shot, None))
    return found


def _on_the_way(window: _Window, shot: GuardShot) -> Iterator[Shot]:
    """A shot at whoever moves, at those points of its way where it is accepted."""
    context = window.context
    legs = len(context.path) - 1
    used = context.used.leg, context.used.permille
    tried = [used, *((leg, at) for leg in range(legs) for at in _QUARTERS if (leg, at) > used)]
    points = [PathPoint(leg=leg, permille=permille) for leg, permille in dict.fromkeys(tried)]
    accepted = [point for point in points if _can_shoot(window, replace(shot, path_point=point))]
    if not accepted:
        return
    domain = TriedObjectDomain(
        params={"leg": int_range(used[0], legs - 1), "permille": int_range(0, PERMILLE)},
        accepted=tuple(accepted),
        optional=_can_shoot(window, shot) or UNSET,
    )
    yield replace(shot, path_point=accepted[0]), domain


def _weapons(shots: Sequence[Shot]) -> Domain:
    weapons = dict.fromkeys(shot.weapon for shot, _ in shots)
    return one_of(
        with_params(
            weapon,
            {
                "target": one_of(
                    with_params(shot.target, {} if where is None else {"path_point": where})
                    for shot, where in shots
                    if shot.weapon == weapon
                )
            },
        )
        for weapon in weapons
    )


def _rerolls(view: View, decision: Question, context: RerollContext) -> Iterator[Option]:
    choices = [Reroll(source=source, dice=(0,)) for source in context.sources]
    possible = [each for each in choices if _is_possible(view, decision, each)]
    if possible:
        count = len(context.dice)
        dice = {"dice": some_of(range(count), 1, count)}
        sources = one_of(with_params(each.source, dice) for each in possible)
        yield with_params("reroll", {"source": sources}), possible[0]


def _dampenings(
    view: View, decision: Question, context: DampenContext, mine: Sequence[str]
) -> Iterator[Option]:
    choices = [Dampen(combatant=each) for each in context.dampeners if each in mine]
    possible = [each for each in choices if _is_possible(view, decision, each)]
    if possible:
        dampeners = one_of(each.combatant for each in possible)
        yield with_params("dampen", {"combatant": dampeners}), possible[0]
