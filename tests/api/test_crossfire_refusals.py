"""What refuses an attack of `crossfire-d6` is told in words, with its rule and what is possible."""

from typing import Any

import pytest

from tests.api.serving import Caller, problem
from tests.rulesets.crossfire_d6.duels import BLADE, GUN, A, T, at, shoot, strike
from tests.rulesets.crossfire_d6.examples import EXAMPLES

Tree = dict[str, Any]
DEAD = {"conditions": ["dead"]}
SHEATHED = {"weapons": [GUN, BLADE | {"ready": False}, {"id": "tail"}]}


@pytest.mark.parametrize(
    ("sheets", "action", "rule", "params", "details"),
    [
        (
            {},
            shoot(weapon="blade"),
            None,
            {"weapon": "blade", "kind": "melee", "needed": "ranged", "allowed": ["gun"]},
            (
                "Weapon 'blade' attacks hand to hand, and this attack is made at a distance;"
                " possible: gun.",
                "Оружием «blade» атакуют врукопашную, эта атака — на расстоянии; есть gun.",
            ),
        ),
        (
            {"a": SHEATHED},
            strike(),
            None,
            {"weapon": "blade", "allowed": ["tail"]},
            (
                "Weapon 'blade' is not ready: it is not loaded or not in hand; ready: tail.",
                "Оружие «blade» не готово: не заряжено или не в руках; готово: tail.",
            ),
        ),
        (
            {},
            shoot("a"),
            None,
            {"target": "a"},
            (
                "a cannot be its own target: name somebody else.",
                "Боец a не может быть собственной целью: назовите другого.",
            ),
        ),
        (
            {"t": DEAD},
            shoot(),
            "CF-SD-4",
            {"target": "t"},
            ("t is dead.", "Боец t уже мёртв."),
        ),
        (
            {"t": {"side": "red"}},
            shoot(),
            None,
            {"target": "t", "side": "red"},
            (
                "t is of the same side, red: it takes an enemy.",
                "Боец t — на той же стороне (red): нужен противник.",
            ),
        ),
        (
            {},
            strike(),
            "CF-RANGE-3",
            {"distance_ft": 10, "reach_ft": 5},
            (
                "The target is 10 ft away; the weapon reaches 5 ft.",
                "До цели 10 фт, оружие достаёт на 5 фт.",
            ),
        ),
    ],
)
def test_what_refuses_an_attack_is_told_in_both_languages(
    caller: Caller,
    sheets: Tree,
    action: Tree,
    rule: str | None,
    params: Tree,
    details: tuple[str, str],
) -> None:
    combatants = {"a": A | sheets.get("a", {}), "t": T | at(2, 0) | sheets.get("t", {})}
    stated = EXAMPLES.creation(EXAMPLES.complete({"combatants": combatants}))
    encounter = caller.create({"ruleset": "crossfire-d6", **stated})
    caller.act(encounter, {"type": "start_encounter"})
    for language, detail in zip(("en", "ru"), details, strict=True):
        answer = caller.post(f"{encounter}/actions", {"action": action}, accept_language=language)
        told = problem(answer)
        facts = {**told["params"], **{key: told[key] for key in {"allowed"} & told.keys()}}
        assert (told["detail"], told.get("rule"), facts) == (detail, rule, params)
