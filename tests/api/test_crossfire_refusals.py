"""What refuses an attack of `crossfire-d6` is described in words, with its rule and what is
possible.
"""

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
            None,
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


SEATS = [
    {"id": "ann", "role": "player", "sides": ["red"]},
    {"id": "bob", "role": "player", "sides": ["blue"]},
]


@pytest.mark.parametrize("call", ["actions", "preview"])
def test_those_whom_a_refusal_means_are_told_by_the_names_that_the_asker_knows(
    caller: Caller, call: str
) -> None:
    combatants = {
        "a": A | {"name": "Mara"},
        "f": A | at(0, 1) | {"name": "Finn", "hidden": True},
        "t": T | DEAD | {"name": "Gregor"},
        "u": T | at(3, 3) | {"name": "Ulf"},
    }
    stated = EXAMPLES.creation(EXAMPLES.complete({"combatants": combatants})) | {"seats": SEATS}
    encounter = caller.create({"ruleset": "crossfire-d6", **stated})
    caller.act(encounter, {"type": "start_encounter"})

    def told(one: Caller, action: Tree) -> tuple[str, Tree]:
        answer = problem(one.post(f"{encounter}/{call}", {"action": action}))
        return answer["detail"], answer["params"]

    with caller.seated("ann") as ann, caller.seated("bob") as bob:
        assert told(ann, shoot()) == ("Gregor is dead.", {"target": "t"})
        assert told(ann, shoot("f")) == (
            "Finn is of the same side, red: it takes an enemy.",
            {"target": "f", "side": "red"},
        )
        assert told(bob, shoot("f") | {"combatant": "u"}) == (
            "There is no combatant 'f'.",
            {"combatant": "f"},
        )
        assert told(bob, shoot("t")) == ("Mara is not yours to act for.", {"combatant": "a"})
        assert told(bob, shoot() | {"combatant": "u"}) == (
            "It is not the turn of Ulf, but of Mara.",
            {"combatant": "u", "turn": "a"},
        )


def test_an_inspection_that_is_refused_names_whom_it_means(caller: Caller) -> None:
    combatants = {"a": A | {"name": "Mara"}, "t": T}
    stated = EXAMPLES.creation(EXAMPLES.complete({"combatants": combatants}))
    encounter = caller.create({"ruleset": "crossfire-d6", **stated})
    answer = caller.get(f"{encounter}/inspections/line?attacker=a&target=a")
    assert problem(answer)["detail"] == "Mara cannot be its own target: name somebody else."
