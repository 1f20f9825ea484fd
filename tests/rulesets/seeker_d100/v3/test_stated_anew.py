"""What waited is as if it were stated now: any attack, any changes, any answers.

An attack that waited and that nobody answered has the effects of the same attack stated in the
battle of now, with what it has done so far given back, or stops with the refusal of that one.
"""

import contextlib
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.roster import with_combatant
from service.engine.battle.state import State
from service.engine.dice.dice import SuppliedDice
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DiceMode
from service.errors import Malformed, Refused
from service.rulesets.seeker_d100.actions import Armed
from service.rulesets.seeker_d100.state import BattleState
from tests.kit import table as kit
from tests.kit.random_battles import ask, random_answer
from tests.kit.table import GM, SEED, Table, tree_of
from tests.replay.memory_audit import audit
from tests.rulesets.seeker_d100.setups import Tree, battle_of, fighter, reply, wall, weapon
from tests.rulesets.seeker_d100.v3.setups import BLOW, DISARM, GRENADE, HOLD, PASS, RULESET, SHOT

ARMS: Final[tuple[Tree, ...]] = (
    weapon("w_machete"),
    weapon("w_revolver", range_m=20, ammo=3, shots={"min": 1, "max": 3}),
    weapon("w_grenade", delivery="explosive"),
    weapon("w_smg"),
    {"id": "axe", "skill": "athletics", "damage": {"sides": 6}, "range_m": 9},
)
BEFORE: Final[Tree] = {"step": {"to": {"x": 1, "y": 0}}}
AFTER: Final[Tree] = {"step": {"to": {"x": 0, "y": 2}, "when": "after"}}
POINT: Final[Tree] = {"point": {"x": 3, "y": 0}}
AT_POINT: Final = {name: value for name, value in GRENADE.items() if name != "target"} | POINT
CALLED: Final[Tree] = {**SHOT, "type": "called_shot", "part": "left_arm"}
OVER: Final[Tree] = {**GRENADE, "type": "called_shot", "over_cover": True}
ATTACKS: Final[tuple[Tree, ...]] = (
    *(BLOW, {**BLOW, **BEFORE}, {**BLOW, **AFTER}, {**BLOW, "weapon": "w_unarmed"}),
    *(SHOT, {**SHOT, **BEFORE}, {**SHOT, "shots": 3}, CALLED, {**CALLED, **BEFORE}),
    *({**SHOT, "weapon": "w_smg", "radius": 3}, {**SHOT, "weapon": "axe"}),
    *(GRENADE, {**GRENADE, **BEFORE}, AT_POINT, OVER),
    *(HOLD, {**HOLD, **BEFORE}, DISARM, {**DISARM, **AFTER}),
)
"""Every kind of attack that waits."""


def battle(dice: DiceMode, *, hides: bool, reveals: bool) -> Table:
    """a of Ann's among Bob's t and o and a friend, with covers near; nobody has acted."""
    people = [
        fighter("a", "red", 0, 0, weapons=list(ARMS), held_items=["w_machete"], hidden=hides),
        fighter("t", "blue", 2, 0, held_items=["torch"], helmet=True),
        fighter("o", "blue", 2, 1),
        fighter("f", "red", 1, 1),
    ]
    setup = {
        "combatants": people,
        "battle": battle_of(*people),
        "map": {"cover": [wall(4, name="door", armour=5, exposed=["head"]), wall(-2)]},
        "options": {"melee_reach_sq": 4, "attack_reveals": reveals},
    }
    table = kit.seated(RULESET, setup, dice=dice)
    table.ask({"type": "start_encounter"})
    return table


WHO: Final = st.sampled_from(["a", "a", "t", "t", "o"])
PLACES: Final = st.one_of(
    st.builds(lambda x, y: {"x": x, "y": y}, st.integers(-3, 6), st.integers(-2, 2)),
    st.just({"x": 31, "y": 0}),
)
CONDITIONS: Final = st.sampled_from(["unaware", "unconscious", "dead"])


def changes() -> st.SearchStrategy[Tree]:
    """One change of the game master's, of every kind."""
    kinds: list[dict[str, st.SearchStrategy[Any]]] = [
        {"type": st.just("place"), "place": PLACES},
        {"type": st.just("place"), "place": PLACES},
        {"type": st.just("hp"), "value": st.integers(0, 12)},
        {"type": st.just("condition"), "condition": CONDITIONS, "holds": st.booleans()},
        {
            "type": st.just("resource"),
            "resource": st.just("action"),
            "value": st.integers(0, 1),
        },
        {
            "type": st.just("resource"),
            "resource": st.just("ammo"),
            "item": st.just("w_revolver"),
            "value": st.integers(0, 3),
        },
        {"type": st.just("stat"), "stat": st.just("free_hands"), "value": st.integers(0, 2)},
        {"type": st.just("stat"), "stat": st.just("dodge"), "value": st.integers(0, 99)},
        {"type": st.just("hide")},
        {"type": st.just("reveal")},
        {"type": st.just("next_roll"), "amount": st.integers(-30, 30)},
        {
            "type": st.just("item"),
            "item": st.sampled_from(["torch", "w_machete"]),
            "held": st.booleans(),
        },
    ]
    return st.one_of([st.fixed_dictionaries({**kind, "combatant": WHO}) for kind in kinds])


SPOKEN: Final = st.lists(st.lists(changes(), min_size=1, max_size=2), min_size=1, max_size=3)
"""What the game master says while the attack waits, ruling by ruling."""
CASES: Final = {
    "attack": st.sampled_from(ATTACKS),
    "by": st.sampled_from(["gm", "ann"]),
    "spoken": SPOKEN,
    "hides": st.booleans(),
    "reveals": st.booleans(),
}


def overrule(table: Table, spoken: Sequence[Tree]) -> None:
    """The game master says this, if it is possible; he brings the dice that it takes."""
    with contextlib.suppress(Refused, Malformed):
        ask(table, {"type": "adjust", "changes": list(spoken)})


# --- as if it were stated now ---------------------------------------------------------------------


def is_close(effect: fx.Effect) -> bool:
    """Whether a question is closed."""
    return isinstance(effect, fx.DecisionClosed)


def at_the_end_of_the_questions(table: Table) -> tuple[BattleState, list[fx.Effect]]:
    """The battle behind the last answer of the last event, and what came of the attack then."""
    event = table.events[-1]
    last = max(n for n, effect in enumerate(event.effects) if is_close(effect))
    rule: Any = table.rules[event.seq - 1]
    for effect in event.effects[: last + 1]:
        rule = RULESET.evolve(rule, effect)
    return rule, list(event.effects[last + 1 :])


def given_back(rule: BattleState, attack: Any, *, was_hidden: bool) -> BattleState:
    """The battle in which the attack could be stated: it has done and paid nothing yet."""

    def restored(a: Any) -> Any:
        weapons = a.weapons
        if isinstance(attack, Armed):
            shots = attack.shots or 1
            weapons = tuple(
                replace(each, ammo=each.ammo + shots)
                if each.id == attack.weapon and isinstance(each.ammo, int)
                else each
                for each in weapons
            )
        place, step = a.place, attack.step
        if step and step.when == "before" and (place.x, place.y) == (step.to.x, step.to.y):
            place = replace(place, x=0, y=0)
        hidden = a.hidden or was_hidden
        return replace(a, actions_left=1, weapons=weapons, place=place, hidden=hidden)

    return with_combatant(rule, "a", restored)


def stated(
    table: Table, rule: BattleState, attack: Any, by: str, faces: Sequence[int]
) -> tuple[BattleState, list[fx.Effect]]:
    """What comes of the attack in a battle where it is stated and everybody passes."""
    seq = len(table.events)
    linear, terms = table.state.linear, table.state.terms
    dice = SuppliedDice(tuple(faces), seq)
    state: State[Any] = State(rule, linear, terms)
    builder: EffectBuilder[Any] = EffectBuilder(state, RULESET.evolve)
    for effect in RULESET.decide(builder.state, attack, table.who(by), seq, dice):
        builder.emit(effect)
    while builder.rule.pending:
        asked = builder.rule.pending[-1].decisions[0].id
        choice = {"type": "answer", "decision_id": asked, "choice": PASS}
        for effect in RULESET.decide(builder.state, table.read(choice), GM, seq, dice):
            builder.emit(effect)
    dice.finish()
    return builder.rule, list(builder.emitted)


def plain(value: object) -> Any:
    """JSON values without the numbers of draws."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: plain(each) for name, each in value.items() if name not in ("draw", "draws")}


DECLARED: Final = ("moved", "revealed", "resource_changed", "window_skipped")
"""What declares an attack: done already or again, the states of both show it."""


def outcome(effects: Sequence[fx.Effect]) -> list[Tree]:
    """What came of an attack, its declaration and questions left out."""
    told = [plain(tree_of(each)) for each in effects]
    return [
        each
        for each in told
        if each["type"] not in DECLARED and not each["type"].startswith("decision_")
    ]


def require_as_stated(table: Table, attack: Tree, by: str, *, was_hidden: bool) -> str:
    """The attack that just continued has come to what it would come to if it were stated now.

    The code with which it stopped, or `continued`.
    """
    ended, effects = at_the_end_of_the_questions(table)
    faces = [draw.face for draw in table.events[-1].draws]
    action = table.read(attack)
    now = given_back(ended, action, was_hidden=was_hidden)
    try:
        after, anew = stated(table, now, action, by, faces)
    except Refused as refusal:
        rule = refusal.rule or UNSET
        stopped = fx.ActionStopped(combatant="a", code=refusal.code, rule=rule)
        assert effects[0] == stopped
        assert faces == []
        assert {effect.__struct_config__.tag for effect in effects[1:]} <= {
            "condition_lost",
            "turn_ended",
            "turn_began",
            "round_began",
        }
        return refusal.code
    assert outcome(effects) == outcome(anew)
    assert plain(tree_of(table.state.rule)) == plain(tree_of(after))
    return "continued"


def with_faces(table: Table, action: Tree, by: str) -> None:
    """The action; where the game master asks for it, with the dice that it takes."""
    if by == "gm":
        ask(table, action)
    else:
        table.ask(action, by)


def is_asked(table: Table) -> bool:
    """Whether an attack waits for answers, and not for dice."""
    pending = table.state.rule.pending
    return bool(pending) and pending[-1].decisions[0].kind == "reaction"


def passed(table: Table) -> None:
    """Everybody who is asked passes."""
    while table.questions:
        ask(table, reply(table, table.questions[0][1], PASS))


def check_passed(
    attack: Tree, by: str, spoken: Sequence[Sequence[Tree]], *, hides: bool, reveals: bool
) -> str:
    """One attack, what the game master says, and no answers: how it ended."""
    table = battle("supplied", hides=hides, reveals=reveals)
    was_hidden = table.combatant("a").hidden and reveals
    with_faces(table, attack, by)
    if not is_asked(table):
        return "not asked"
    for ruling in spoken:
        if table.questions:
            overrule(table, ruling)
    passed(table)
    end = require_as_stated(table, attack, by, was_hidden=was_hidden)
    assert audit(table).clean
    return end


@given(**CASES)
@settings(max_examples=30)
def test_an_attack_that_nobody_answered_is_as_if_it_were_stated_now(**case: Any) -> None:
    check_passed(**case)


@pytest.mark.soak
@given(**CASES)
@settings(max_examples=4000)
def test_any_attack_that_nobody_answered_is_as_if_it_were_stated_now(**case: Any) -> None:
    check_passed(**case)


RULINGS: Final[tuple[Tree, ...]] = (
    *({"type": "place", "combatant": who, "place": {"x": 31, "y": 0}} for who in "at"),
    *({"type": "place", "combatant": who, "place": {"x": 1, "y": 2}} for who in "at"),
    {"type": "place", "combatant": "t", "place": {"x": 5, "y": 0}},
    *({"type": "condition", "combatant": who, "condition": "dead"} for who in "ato"),
    {"type": "condition", "combatant": "t", "condition": "unaware"},
    *({"type": "hide", "combatant": who} for who in "at"),
    {"type": "stat", "combatant": "a", "stat": "free_hands", "value": 0},
    {"type": "item", "combatant": "a", "item": "w_machete", "held": False},
    {"type": "item", "combatant": "t", "item": "torch", "held": False},
    {"type": "resource", "combatant": "a", "resource": "action", "value": 1},
    {"type": "resource", "combatant": "a", "resource": "ammo", "item": "w_revolver", "value": 0},
    {"type": "resource", "combatant": "t", "resource": "action", "value": 0},
    {"type": "next_roll", "combatant": "a", "amount": 20},
)
ENDS: Final = {
    *("continued", "actor_incapacitated", "out_of_reach", "out_of_range", "unknown_target"),
    *("target_dead", "unknown_weapon", "no_free_hand", "nothing_held", "step_too_far"),
    *("part_not_exposed",),
}


def test_each_attack_and_each_ruling_end_as_if_it_were_stated_now() -> None:
    ends = {
        check_passed(attack, "ann", [[ruling]], hides=False, reveals=True)
        for attack in ATTACKS
        for ruling in RULINGS
    }
    assert ends == ENDS


# --- with answers and the table's dice ------------------------------------------------------------


def check_answered(
    dice: DiceMode, attack: Tree, spoken: Sequence[Sequence[Tree]], number: int
) -> None:
    """One attack of Ann's, answers, dice of the table, and what the game master says between."""
    table = battle(dice, hides=False, reveals=True)
    luck, rulings = Random(number), list(spoken)
    table.ask(attack, "ann")
    while table.state.rule.pending:
        if rulings and luck.random() < 0.5:
            overrule(table, rulings.pop(0))
            continue
        action, by = random_answer(table, luck, lambda side: {"red": "ann", "blue": "bob"}[side])
        take(table, action, by, luck)
    drawn = [draw for event in table.events for draw in event.draws if draw.purpose == "attack"]
    assert len(drawn) <= 1
    assert audit(table, seed=SEED if dice == "sealed" else None).clean


def take(table: Table, action: Tree, by: str, luck: Random) -> None:
    """An answer, with the faces where it is one to a question for dice."""
    if by == "gm":
        ask(table, action)
        return
    faces: tuple[int, ...] = ()
    asked = table.state.rule.pending[-1].decisions[0]
    if asked.kind == "roll" and action["type"] == "answer":
        faces = tuple(luck.randint(1, asked.roll.sides) for _ in range(asked.roll.count))
    table.ask(action, by, faces)


ANSWERED: Final = {
    "dice": st.sampled_from(["supplied", "sealed"]),
    "attack": st.sampled_from(ATTACKS),
    "spoken": SPOKEN,
    "number": st.integers(0, 2**32),
}


@given(**ANSWERED)
@settings(max_examples=30)
def test_whatever_is_answered_and_ruled_ends_and_it_is_rolled_once(**case: Any) -> None:
    check_answered(**case)


@pytest.mark.soak
@given(**ANSWERED)
@settings(max_examples=4000)
def test_anything_that_is_answered_and_ruled_ends_and_it_is_rolled_once(**case: Any) -> None:
    check_answered(**case)
