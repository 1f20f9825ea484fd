"""How somebody who is asked may answer: its open decision and a domain for the choice."""

from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from service.engine.battle.state import Decision
from service.engine.kit.action_nodes import LegalNode, node, one_of, with_params
from service.engine.vocabulary.actions import PassChoice
from service.rulesets.seeker_d100.actions import (
    Answer,
    AnyChoice,
    DodgeChoice,
    ResistChoice,
    TakeCoverChoice,
)
from service.rulesets.seeker_d100.legal_actions.moment import spot
from service.rulesets.seeker_d100.reach import dives, told
from service.rulesets.seeker_d100.rule_inputs import Blobs, arm_of, covers_of, point_of, spot_of
from service.rulesets.seeker_d100.rules.resist import is_melee_skill
from service.rulesets.seeker_d100.state import BattleState, Combatant, Reaction

Option = tuple[object, AnyChoice]
"""A choice as a member of a domain, and one complete choice of that kind."""


def answer_node(rule: BattleState, blobs: Blobs, asked: Combatant, decision: Decision) -> LegalNode:
    """The question to a combatant, with all its answers.

    Options that cannot be taken are left out: no cover to get behind, no weapon to resist with.
    """
    options = tuple(_options(rule, blobs, asked, decision))
    choice = {"type": one_of(member for member, _ in options)}
    listed = node(
        {"decision_id": one_of([decision.id]), "choice": {"params": choice}},
        Answer(decision_id=decision.id, choice=options[0][1]),
    )
    return {**listed, "decision": _told(decision)}


def _told(decision: Decision) -> dict[str, object]:
    context = decision.context if isinstance(decision, Reaction) else UNSET
    return {
        "id": decision.id,
        "kind": decision.kind,
        "options": decision.options,
        "default": decision.default,
        **({} if context is UNSET else {"context": msgspec.to_builtins(context)}),
    }


def _options(
    rule: BattleState, blobs: Blobs, asked: Combatant, decision: Decision
) -> Iterator[Option]:
    if "dodge" in decision.options:
        yield "dodge", DodgeChoice()
    if "resist" in decision.options:
        yield from _resists(rule, asked)
    if "take_cover" in decision.options:
        yield from _dives(rule, blobs, asked, decision)
    yield "pass", PassChoice()


def _resists(rule: BattleState, asked: Combatant) -> Iterator[Option]:
    arms = (arm_of(each, rule.options) for each in asked.weapons if not each.dropped)
    weapons = [arm.item for arm in arms if is_melee_skill(arm.skill)]
    if weapons:
        params = {
            "weapon": one_of(weapons),
            "intent": one_of(("counter", "block"), optional=True),
        }
        yield with_params("resist", params), ResistChoice(weapon=weapons[0])


def _dives(
    rule: BattleState, blobs: Blobs, asked: Combatant, decision: Decision
) -> Iterator[Option]:
    context = decision.context if isinstance(decision, Reaction) else UNSET
    if context is UNSET:
        return
    found = dives(point_of(asked), spot_of(context.origin), covers_of(rule, blobs))
    if found:
        members = [
            with_params(cover, {"to": one_of(told(point) for point in points)})
            for cover, points in found
        ]
        cover, points = found[0]
        example = TakeCoverChoice(cover=cover, to=spot(points[0]))
        yield with_params("take_cover", {"cover": one_of(members)}), example
