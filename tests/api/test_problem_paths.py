"""What is wrong in a request is shown with its place there and with what is allowed."""

from typing import Any

import pytest

from tests.api.serving import START, Caller, problem
from tests.rulesets.crossfire_d6 import setups as crossfire
from tests.rulesets.seeker_d100 import setups as seeker

Tree = dict[str, Any]
WALL = {"id": "wall", "start": {"x": 5, "y": 0}, "end": {"x": 5, "y": 3}}
WEAPONS = (
    "w_unarmed, w_knuckles, w_knife, w_combat_knife, w_machete, w_pistol_small, w_revolver,"
    " w_carbine, w_rifle, w_shotgun, w_smg, w_assault_rifle, w_heavy_rifle, w_lmg, w_hmg,"
    " w_grenade, w_ied"
)
ARMOUR = (
    "heavy_armour, wall, thick_door, car_side, thick_wall, concrete, stone, armoured_car, sandbag,"
    " reinforced_wall, light_tank"
)


def sought(**more: Any) -> Tree:
    """A creation of seeker-d100: a and t next to each other, with the table's own dice."""
    people = more.pop("combatants", None) or two()
    battle = more.pop("battle", None) or seeker.battle_of(*people)
    return {
        "ruleset": "seeker-d100",
        "dice": "supplied",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "seats": [{"id": "ann", "role": "player", "sides": ["red"]}],
        "setup": {"combatants": people, "battle": battle, **more},
    }


def two(**first: Any) -> list[Tree]:
    return [seeker.fighter("a", "red", 0, 0, **first), seeker.fighter("t", "blue", 1, 0)]


def dealt(card: int) -> Tree:
    """Cards in progress, the first of them this one."""
    battle = seeker.battle_of(*two())
    battle["cards"][0]["card"] = card
    return battle


def fought(**more: Any) -> Tree:
    """A creation of crossfire-d6: a and t six cells apart."""
    people = [crossfire.fighter("a", "red", 0, 0), crossfire.fighter("t", "blue", 6, 0)]
    sides = [{"id": "red"}, {"id": "blue"}]
    return {"ruleset": "crossfire-d6", "sides": sides, "setup": {"combatants": people, **more}}


@pytest.mark.parametrize(
    ("creation", "code", "english", "russian"),
    [
        (
            sought(battle=dealt(53)),
            "malformed",
            "$.setup.battle.cards[0].card does not fit: 0 to 51.",
            "$.setup.battle.cards[0].card не подходит: от 0 до 51.",
        ),
        (
            sought(battle=dealt(54), options={"deck": 54}),
            "malformed",
            "$.setup.battle.cards[0].card must be at most 53.",
            "$.setup.battle.cards[0].card: не больше 53.",
        ),
        (
            sought(combatants=two(weapons=[seeker.weapon("w_spoon")])),
            "unknown_sample",
            "$.setup.combatants[0].weapons[0].sample: the set of weapons and armour has no sample"
            f" 'w_spoon'; it has {WEAPONS}.",
            "$.setup.combatants[0].weapons[0].sample: в наборе оружия и брони нет образца"
            f" «w_spoon»; есть {WEAPONS}.",
        ),
        (
            sought(combatants=two(body_armour={"sample": "jelly"})),
            "unknown_sample",
            "$.setup.combatants[0].body_armour.sample: the set of weapons and armour has no sample"
            f" 'jelly'; it has {ARMOUR}.",
            "$.setup.combatants[0].body_armour.sample: в наборе оружия и брони нет образца"
            f" «jelly»; есть {ARMOUR}.",
        ),
        (
            sought(map={"cover": [{**WALL, "sample": "jelly"}]}),
            "unknown_sample",
            "$.setup.map.cover[0].sample: the set of weapons and armour has no sample 'jelly'; it"
            f" has {ARMOUR}.",
            "$.setup.map.cover[0].sample: в наборе оружия и брони нет образца «jelly»; есть"
            f" {ARMOUR}.",
        ),
        (
            fought(map={"form": "ascii", "rows": ["....", "..?."]}),
            "malformed",
            "$.setup.map.rows[1] does not fit: . # c s d.",
            "$.setup.map.rows[1] не подходит: . # c s d.",
        ),
        (
            fought(battle={"order": [{"combatant": "a"}, {"combatant": "a"}]}),
            "malformed",
            "$.setup.battle.order does not fit: each combatant once.",
            "$.setup.battle.order не подходит: каждый боец один раз.",
        ),
    ],
    ids=["card", "joker", "weapon", "armour", "cover", "row", "order"],
)
def test_a_creation_that_does_not_fit_is_told_by_its_place(
    caller: Caller, creation: Tree, code: str, english: str, russian: str
) -> None:
    for language, detail in (("en", english), ("ru", russian)):
        answer = caller.post("/v1/encounters", creation, accept_language=language)
        refusal = problem(answer)
        assert (refusal["code"], refusal["detail"]) == (code, detail)
        assert refusal["params"]["path"] == detail.split()[0].rstrip(":")


@pytest.mark.parametrize("many", [False, True], ids=["alone", "in a list"])
def test_a_sample_that_an_action_names_is_told_by_its_place_there(
    caller: Caller, many: bool
) -> None:
    encounter = caller.create(sought())
    newcomer = seeker.fighter("n", "red", 9, 9, weapons=[seeker.weapon("w_spoon")])
    action = {"type": "add_combatant", "combatant": newcomer}
    body = {"actions": [{"action": action}]} if many else {"action": action}
    refusal = problem(caller.post(f"{encounter}/actions", body))
    place = "$.actions[0].action" if many else "$.action"
    assert (refusal["code"], refusal["params"]) == (
        "unknown_sample",
        {"path": f"{place}.combatant.weapons[0].sample", "sample": "w_spoon"},
    )
    assert refusal["allowed"] == WEAPONS.split(", ")


def test_faces_with_an_attack_that_first_asks_somebody_are_told_whose_answer_is_due(
    caller: Caller,
) -> None:
    encounter = caller.create(sought())
    caller.act(encounter, START)
    head = caller.head(encounter)
    blow = {"type": "attack", "combatant": "a", "weapon": "w_unarmed", "target": "t"}
    with caller.seated("ann") as ann:
        for who, language, code, params, detail in (
            (
                caller,
                "en",
                "too_many_faces",
                {"supplied": 2, "needed": 0, "asked": ["t"]},
                "2 faces are too many: this takes 0: an answer of t is due before more dice. Send"
                " just these in 'dice', in the order of rolling, and leave it out if there are"
                " none.",
            ),
            (
                caller,
                "ru",
                "too_many_faces",
                {"supplied": 2, "needed": 0, "asked": ["t"]},
                "Граней 2, это много: нужно 0; до других костей ждут ответа: t. Пришлите в «dice»"
                " только их, в порядке бросков; если их нет, «dice» не нужно.",
            ),
            (
                ann,
                "en",
                "faces_not_taken",
                {"supplied": 2, "role": "player"},
                "No faces are taken with this action. Where the table rolls, a player sends the"
                " action without them: whoever has to roll is asked then, and the answer brings"
                " the faces.",
            ),
            (
                ann,
                "ru",
                "faces_not_taken",
                {"supplied": 2, "role": "player"},
                "Здесь грани не принимают. Когда бросают за столом, игрок присылает"
                " действие без граней: потом спросят того, кто бросает, и ответ принесёт грани.",
            ),
        ):
            body = {"action": blow, "dice": [50, 3]}
            refusal = problem(who.post(f"{encounter}/actions", body, accept_language=language))
            assert (refusal["code"], refusal["params"]) == (code, params)
            assert refusal["detail"] == detail
    assert caller.head(encounter) == head
