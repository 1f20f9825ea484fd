"""Whatever is overruled while an action waits: it is as if asked for now, or it says it stops.

The expectation is decided by the rulebook itself: the action is asked for again, by the same seat,
in the battle in which it went on, where it has not been paid for, its steps made are behind it and
nobody has a reaction left.
"""

from collections import Counter
from copy import deepcopy
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.errors import Malformed, Refused
from service.rulesets.tactical_d20.actions import Move
from service.rulesets.tactical_d20.deciding import resumption
from tests.kit.table import Table, effects_of, tree_of
from tests.kit.two_worlds import UNKNOWING, compare
from tests.replay.memory_audit import audit
from tests.rulesets.tactical_d20.v3.setups import THIRD, stopped
from tests.rulesets.tactical_d20.v3.waiting_scenes import change, reply, scene, set_waiting
from tests.soak import with_soak

Tree = dict[str, Any]

SCENES = 60
"""Battles in one case."""


class Resumption(NamedTuple):
    """Where an action went on: the battle as it was, the effects before, the dice, the action."""

    state: State[Any]
    before: int
    dice: Any
    resumed: Any


class Witness:
    """Notes where actions that waited go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[Resumption] = []
        judge = resumption._may_go_on

        def judged(resolution: Any, resumed: Any) -> bool:
            here = resolution.effects
            dice = deepcopy(resolution.dice)
            self.seen.append(Resumption(here.state, len(here.emitted), dice, resumed))
            return judge(resolution, resumed)

        monkeypatch.setattr(resumption, "_may_go_on", judged)


def length(steps: list[tuple[int, int]], rule: str) -> int:
    """Feet of these steps."""
    diagonals = sum(1 for dx, dy in steps if dx and dy)
    return 5 * (len(steps) + (diagonals // 2 if rule == "alternating" else 0))


def steps_between(cells: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(x - u, y - v) for (u, v), (x, y) in pairwise(cells)]


def expected(there: Resumption) -> list[Tree]:
    """What must come of an action that continues: as of one asked for now, or that it stops."""
    action, by = there.resumed.action, there.resumed.by
    rule = there.state.rule
    actor = combatant_of(rule, action.combatant)
    made: Tree = {"steps": 0, "diagonals": 0}
    if isinstance(action, Move):
        made = msgspec.json.decode(there.resumed.remainder)
    paid = {"move_left": 1} if isinstance(action, Move) else {"standard_left": 1}
    people = tuple(
        replace(each, **paid, **({"speed_ft": 1000} if isinstance(action, Move) else {}))
        if each.id == action.combatant
        else replace(each, reaction_left=0)
        for each in rule.combatants
    )
    state = replace(there.state, rule=replace(rule, combatants=people, pending=()))
    rest = action
    if isinstance(action, Move):
        rest = replace(action, path=action.path[made["steps"] :])
    try:
        told = THIRD.decide(state, rest, by, there.dice.seq, there.dice)
    except Refused as refusal:
        outcome: list[Tree] = [stopped(action.combatant, refusal.code, refusal.rule)]
    else:
        outcome = tree_of(told)[1:]
    if actor is None or not isinstance(action, Move):
        return outcome
    return walked(outcome, actor, action, made, rule)


NOT_ACTING = ("unknown_combatant", "actor_incapacitated", "not_your_turn")


def walked(outcome: list[Tree], actor: Any, action: Move, made: Tree, rule: Any) -> list[Tree]:
    """The outcome of a walk, with what hangs on the steps made, in the order of the checks."""
    codes = [each["code"] for each in outcome if each["type"] == "action_stopped"]
    if any(code in NOT_ACTING for code in codes):
        return outcome
    if tree_of(actor.place) != made["place"]:
        return [stopped(action.combatant, "put_elsewhere", "TD-WAIT-2")]
    if "prone" in actor.conditions and len(action.path) > 1:
        return [stopped(action.combatant, "prone_cannot_walk")]
    if codes:
        return outcome
    cells = [(actor.place.x, actor.place.y), *((c.x, c.y) for c in action.path[made["steps"] :])]
    steps = [(1, 1)] * made["diagonals"] + [(1, 0)] * (made["steps"] - made["diagonals"])
    whole = length(steps + steps_between(cells), rule.options.diagonal_rule)
    if whole > actor.speed_ft:
        return [stopped(action.combatant, "path_too_long", "TD-GEO-2")]
    return outcome


def came(table: Table, there: Resumption) -> list[Tree]:
    """What came of it: the effects behind that point, without the turn's passing on."""
    effects = effects_of(table.events[-1])[there.before :]
    ends = [n for n, each in enumerate(effects) if each["type"] == "turn_ended"]
    return effects[: ends[0]] if ends else effects


def require_alike(told: list[Tree], wanted: list[Tree]) -> None:
    """The same effects; where somebody new is asked, the walk has come as far as a part of it."""
    questions = [n for n, each in enumerate(told) if each["type"] == "decision_opened"]
    if not questions:
        assert list(map(free, told)) == list(map(free, wanted))
        return
    legs = told[: questions[0]]
    [whole, *_] = wanted
    assert [each["type"] for each in legs] == ["moved"][: len(legs)]
    for leg in legs:
        assert leg["path"] == whole["path"][: len(leg["path"])]
        assert (leg["complete"], leg["cause"]) == (False, "opportunity")


def free(effect: Tree) -> Tree:
    """An effect without what is otherwise in the battle that is expected.

    Nobody has a reaction left there, and the cost in feet hangs on the diagonal steps made before.
    """
    if effect["type"] == "revealed":
        return {**effect, "combatant": {**effect["combatant"], "reaction_left": None}}
    return {name: value for name, value in effect.items() if name != "cost"}


def play(table: Table, dice: Random, witness: Witness, seen: Counter[str]) -> None:
    """Rulings and answers in turn until nothing waits; each continuation is held to its like."""
    for _ in range(12):
        if not table.state.rule.pending:
            return
        is_ruling = dice.random() < 0.5
        asked: Tree = (
            {"type": "adjust", "changes": [change(dice, "aaafgtu")]}
            if is_ruling
            else reply(table, dice)
        )
        witness.seen.clear()
        try:
            table.ask(asked)
        except (Refused, Malformed):
            continue
        for there in witness.seen:
            wanted, told = expected(there), came(table, there)
            require_alike(told, wanted)
            kind = type(there.resumed.action).__name__
            seen[f"{kind} {wanted[0].get('code', 'continues') if wanted else 'continues'}"] += 1


@pytest.mark.rule("TD-WAIT-1")
@pytest.mark.parametrize("case", with_soak([0], range(1, 60)))
def test_an_action_goes_on_as_if_asked_for_now_or_says_that_it_stops(
    case: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness, seen = Witness(monkeypatch), Counter[str]()
    for number in range(case * SCENES, (case + 1) * SCENES):
        dice = Random(number)
        table = scene(number)
        if set_waiting(table, dice, dice.choice(["ann", "ann", "gm"])):
            play(table, dice, witness, seen)
            assert audit(table).clean
    assert {"Move continues", "Attack continues"} <= seen.keys()
    assert [each for each in seen if not each.endswith("continues")]
    assert "Move put_elsewhere" in seen or case


@pytest.mark.rule("TD-WAIT-1")
@pytest.mark.parametrize("case", with_soak([0], range(1, 60)))
def test_nothing_that_its_seat_cannot_see_shows_in_how_it_ends(case: int) -> None:
    """Two battles that differ in secrets alone, until one of them is met."""
    ended = Counter[str]()
    for number in range(case * SCENES, (case + 1) * SCENES):
        dice = Random(number)
        one, other = scene(number, 0), scene(number, 1)
        waits = [set_waiting(table, Random(number)) for table in (one, other)]
        if waits != [True, True] or not is_alike(one, other):
            continue
        for _ in range(12):
            if not one.state.rule.pending:
                break
            asked: Tree = (
                {"type": "adjust", "changes": [change(dice, "aaafgtu")]}
                if dice.random() < 0.5
                else reply(one, dice)
            )
            if not all(is_taken(table, asked) for table in (one, other)):
                continue
            first, second = one.ask(asked), other.ask(asked)
            if has_met(first) or has_met(second):
                ended["met"] += 1
                break
            compare(one, other, first, second)
            ended.update(each["type"] for each in effects_of(first))
    assert ended["action_stopped"]


@pytest.mark.rule("TD-WAIT-1")
@pytest.mark.parametrize("case", with_soak([0], range(1, 60)))
def test_dice_of_the_table_are_asked_for_once_whatever_is_overruled(case: int) -> None:
    """Answers and shots wait for faces in turn with rulings; every face is drawn once."""
    ended = Counter[str]()
    for number in range(case * SCENES, (case + 1) * SCENES):
        dice = Random(number)
        table = scene(number, dice="supplied")
        set_waiting(table, dice)
        for _ in range(16):
            if not table.state.rule.pending:
                break
            brought = rolled(table, dice) or overruled_or_answered(table, dice)
            ended.update(brought)
        assert audit(table).clean
        draws = [(each.number, each.stream, e.seq) for e in table.events for each in e.draws]
        assert len(draws) == len(set(draws))
    assert {"attack_resolved", "action_stopped"} <= ended.keys()


def rolled(table: Table, dice: Random) -> list[str]:
    """What comes of the faces that are asked for, every other time; nothing where none are."""
    [question, *_] = table.state.rule.pending[-1].decisions
    if question.kind != "roll" or dice.random() < 0.5:
        return []
    by = question.seat if isinstance(question.seat, str) else SEAT_OF.get(question.side, "gm")
    faces = tuple(dice.randint(1, question.roll.sides) for _ in range(question.roll.count))
    asked = {"type": "answer", "decision_id": question.id, "choice": {"type": "roll"}}
    return [each["type"] for each in effects_of(table.ask(asked, by, faces))]


def overruled_or_answered(table: Table, dice: Random) -> list[str]:
    """What comes of a ruling, or of an answer of the one who is asked."""
    asked: Tree = {"type": "adjust", "changes": [change(dice, "aaafgtu")]}
    by = "gm"
    if table.state.rule.pending[-1].decisions[0].kind != "roll" and dice.random() < 0.6:
        asked, by = reply(table, dice), "bob"
    try:
        return [each["type"] for each in effects_of(table.ask(asked, by))]
    except (Refused, Malformed):
        return []


SEAT_OF = {"red": "ann", "blue": "bob"}


def is_alike(one: Table, other: Table) -> bool:
    """Whether those who know nothing were shown the same so far: no secret was met."""
    last = len(one.events)
    return last == len(other.events) and all(
        one.shown(last, by) == other.shown(last, by) for by in UNKNOWING
    )


def is_taken(table: Table, asked: Tree) -> bool:
    """Whether the game master may do this here."""
    try:
        table.preview(asked)
    except (Refused, Malformed):
        return False
    return True


def has_met(event: Any) -> bool:
    """Whether something hidden came out, which everybody may see."""
    return any(
        each["type"] == "revealed"
        or each.get("cause") in ("met", "contact")
        or each.get("outcome") == "obstructed"
        for each in effects_of(event)
    )
