"""A battle that another encounter takes up: its rule state as the fork's event 1 holds it.

How this works. The state goes over whole, with all that waits in it. What points into the log that
it comes from is turned to the new one: decisions have ids of event 1, which counts as the one that
asked, and draws that were told before count as those of event 1. An action that waits for answers
or for dice goes on as the forker's, who is asked for the dice: he brings them, or has the service
roll them. Free text stays behind, since it may be erased where it is.
"""

from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from service.engine.battle import awaited_dice, decisions
from service.engine.battle.open_decisions import Decision, Suspended
from service.engine.battle.permission import is_to_resume
from service.engine.battle.state import RuleState, State
from service.engine.log import canonical
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.audience_plan import plan_of
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By, DiceMode, DrawRun

R = TypeVar("R", bound=RuleState)

FIRST: Final = 1
"""Event 1, which holds what is taken up."""


def standing_of(state: State[RuleState]) -> Literal["setup", "running"]:
    """How a battle stands that is taken up before its end: a fork that has not gone on yet of a
    running battle is a running one too."""
    return "running" if state.rule.status == "running" or is_to_resume(state) else "setup"


def continuation(ruleset: Ruleset[R], state: State[R], by: By, dice: DiceMode) -> R:
    """The rule state as an encounter of this game master takes it up, with dice of this kind."""
    taken: R = _turned(awaited_dice.taken_over(ruleset, state, by), by)
    taken = replace(taken, status="setup", dice=dice)
    if not taken.pending:
        return taken
    return ruleset.evolve(taken, fx.Rewound(to=FIRST, decisions=decisions.reissue(taken, FIRST)))


def _turned(value: Any, by: By) -> Any:
    """A value without free text, what points into its log turned to the new one."""
    if isinstance(value, tuple):
        return tuple([_turned(each, by) for each in value])
    if isinstance(value, Raw):
        return Raw(canonical.encode(_with_draws_turned(msgspec.json.decode(value))))
    if not isinstance(value, Struct):
        return value
    if isinstance(value, DrawRun):
        return replace(value, seq=FIRST)
    changes: dict[str, object] = {}
    for field in plan_of(type(value)).fields:
        before = getattr(value, field.attribute)
        after = UNSET if field.is_text else _turned(before, by)
        if after is not before:
            changes[field.attribute] = after
    if isinstance(value, Decision):
        changes["opened_by"] = FIRST
    if isinstance(value, Suspended):
        changes["by"] = by
    return replace(value, **changes) if changes else value


def _with_draws_turned(tree: object) -> object:
    """JSON values in which rolls (objects with `faces` and `draws`) name draws of event 1."""
    if isinstance(tree, list):
        return [_with_draws_turned(each) for each in tree]
    if not isinstance(tree, dict):
        return tree
    turned: dict[str, Any] = {name: _with_draws_turned(value) for name, value in tree.items()}
    if "faces" in turned and "draws" in turned:
        turned["draws"] = [{**run, "seq": FIRST} for run in turned["draws"]]
    return turned
