"""The answers open to a combatant that is asked: its decision and a domain for the choice."""

from collections.abc import Iterator

from msgspec import UNSET

from service.engine.battle.open_decisions import Decision
from service.engine.battle.state import State
from service.engine.ruleset.legal_nodes import (
    LegalNode,
    ListedValue,
    answers,
    one_of,
    one_of_points,
    with_params,
)
from service.engine.vocabulary.choices import PassChoice
from service.rulesets.seeker_d100.actions import (
    Answer,
    AnyChoice,
    DodgeChoice,
    ResistChoice,
    TakeCoverChoice,
)
from service.rulesets.seeker_d100.covers import covers_of
from service.rulesets.seeker_d100.deciding.waiting_attack import danger_of
from service.rulesets.seeker_d100.equipment import resisting_weapons
from service.rulesets.seeker_d100.places import point_at, spot_of
from service.rulesets.seeker_d100.reach import dives
from service.rulesets.seeker_d100.state import BattleState, Combatant, Reaction
from service.rulesets.seeker_d100.terrain import UNIT

Option = tuple[ListedValue, AnyChoice]
"""A choice as a member of a domain, and one complete choice of that kind."""


def answer_node(battle: State[BattleState], victim: Combatant, decision: Decision) -> LegalNode:
    """The question to a combatant, with all its answers.

    Options that cannot be taken are left out: no cover to get behind, no weapon to resist with.
    """
    options = tuple(_options(battle, victim, decision))
    example = Answer(decision_id=decision.id, choice=options[0][1])
    context = decision.context if isinstance(decision, Reaction) else UNSET
    return answers((member for member, _ in options), example, decision, context)


def _options(battle: State[BattleState], victim: Combatant, decision: Decision) -> Iterator[Option]:
    if "dodge" in decision.options:
        yield "dodge", DodgeChoice()
    if "resist" in decision.options:
        yield from _resists(battle.rule, victim)
    if "take_cover" in decision.options:
        yield from _dives(battle, victim, decision)
    yield "pass", PassChoice()


def _resists(rule: BattleState, victim: Combatant) -> Iterator[Option]:
    weapons = resisting_weapons(victim, rule.options)
    if weapons:
        params = {
            "weapon": one_of(weapons),
            "intent": one_of(("counter", "block"), optional=True),
        }
        yield with_params("resist", params), ResistChoice(weapon=weapons[0])


def _dives(battle: State[BattleState], victim: Combatant, decision: Decision) -> Iterator[Option]:
    context = decision.context if isinstance(decision, Reaction) else UNSET
    if context is UNSET:
        return
    points_by_cover = dives(spot_of(victim), danger_of(battle, context), covers_of(battle))
    if points_by_cover:
        members = [
            with_params(cover, {"to": one_of_points(points, UNIT)})
            for cover, points in points_by_cover
        ]
        cover, points = points_by_cover[0]
        example = TakeCoverChoice(cover=cover, to=point_at(points[0]))
        yield with_params("take_cover", {"cover": one_of(members)}), example
