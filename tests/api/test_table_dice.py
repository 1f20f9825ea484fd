"""The table's dice over HTTP: what a side must roll, whoever plays one combatant of it may roll."""

from typing import Any

import pytest

from tests.api.serving import START, Caller, problem
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.rulesets.crossfire_d6 import setups as crossfire

Tree = dict[str, Any]


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_whoever_plays_one_combatant_of_a_side_rolls_for_it(caller: Caller, rig: Rig) -> None:
    battle = rig.side_roll
    encounter = caller.create(
        {
            "ruleset": rig.ruleset.slug,
            "dice": "supplied",
            "sides": [{"id": "red"}, {"id": "blue"}],
            "seats": [
                {"id": "ann", "role": "player", "combatants": ["a"]},
                {"id": "bob", "role": "player", "combatants": ["t"]},
            ],
            "setup": battle.setup,
        }
    )
    caller.act(encounter, START)
    with caller.seated("ann") as ann, caller.seated("bob") as bob:
        players = {"ann": ann, "bob": bob}
        for by, deed in battle.deeds:
            players[by].act(encounter, deed)
        by, choice, faces = battle.answer
        assert answered(players[by], encounter, choice, faces).status_code == 201
        [decision] = caller.get(encounter).json()["decisions"]
        assert (decision["kind"], decision["side"]) == ("roll", "red")
        assert {"seat", "combatant"}.isdisjoint(decision)
        assert moves(ann) == (True, [decision])
        assert moves(bob) == (False, [])
        roll = {"type": "roll"}
        refused = answered(bob, encounter, roll, battle.faces)
        assert (refused.status_code, problem(refused)["code"]) == (403, "not_your_decision")
        done = answered(ann, encounter, roll, battle.faces)
        assert done.status_code == 201, done.text
        draws = done.json()["events"][0]["event"]["draws"]
        assert [draw["face"] for draw in draws] == list(battle.faces)


def answered(player: Caller, encounter: str, choice: Tree, faces: tuple[int, ...]) -> Any:
    """What comes of an answer to the one question that is open."""
    [decision] = player.get(encounter).json()["decisions"]
    action = {"type": "answer", "decision_id": decision["id"], "choice": choice}
    dice = {"dice": list(faces)} if faces else {}
    return player.post(f"{encounter}/actions", {"action": action, **dice})


def moves(player: Caller) -> tuple[bool, list[Tree]]:
    """Whether the battle waits for a player, and what it is asked."""
    [battle] = player.get("/v1/me").json()["battles"]
    return battle["is_my_move"], battle["decisions"]


SHOT = {"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"}


def refusal_of(player: Caller, encounter: str, dice: list[int], language: str) -> tuple[str, str]:
    """Code and sentence of the refusal of a shot with these faces."""
    body = {"action": SHOT, **({"dice": dice} if dice else {})}
    answer = player.post(f"{encounter}/actions", body, accept_language=language)
    refusal = problem(answer)
    return refusal["code"], refusal["detail"]


def test_whoever_sends_the_wrong_faces_is_told_what_to_do(caller: Caller) -> None:
    rifle = crossfire.rifle(attack_dice=2)
    people = [
        crossfire.fighter("a", "red", 0, 0, weapons=[rifle]),
        crossfire.fighter("t", "blue", 4, 0),
    ]
    setup = {"combatants": people, "battle": crossfire.in_progress("a", "t")}
    terms = {
        "ruleset": "crossfire-d6",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "seats": [{"id": "ann", "role": "player", "sides": ["red"]}],
        "setup": setup,
    }
    table, sealed = caller.create({**terms, "dice": "supplied"}), caller.create(terms)
    for encounter in (table, sealed):
        caller.act(encounter, START)
    with caller.seated("ann") as ann:
        for player, encounter, dice, code, english, russian in (
            (
                caller,
                sealed,
                [6, 6],
                "faces_not_taken",
                "No faces are taken with this action: the dice of this encounter are rolled by the"
                " service, leave yours out.",
                "Здесь грани не принимают: кости этого боя бросает сервис, пришлите"
                " действие без них.",
            ),
            (
                ann,
                table,
                [6, 6],
                "faces_not_taken",
                "No faces are taken with this action. Where the table rolls, a player sends the"
                " action without them: whoever has to roll is asked then, and the answer brings"
                " the faces.",
                "Здесь грани не принимают. Когда бросают за столом, игрок присылает"
                " действие без граней: потом спросят того, кто бросает, и ответ принесёт грани.",
            ),
            (
                caller,
                table,
                [1, 1, 1],
                "too_many_faces",
                "3 faces are too many: this takes 2, the last of them a d6 for 'attack'. Send just"
                " these in 'dice', in the order of rolling, and leave it out if there are none.",
                "Граней 3, это много: нужно 2 (последняя: к6, «атака»). Пришлите в «dice» только"
                " их, в порядке бросков; если их нет, «dice» не нужно.",
            ),
            (
                caller,
                table,
                [6, 7],
                "impossible_face",
                "Face 2 of 'dice' is 7, but 'attack' is rolled with a d6: 1 to 6 are possible. Look"
                " at the die again and send all faces anew, in the order of rolling.",
                "Грань 2 в «dice» равна 7, но бросают к6 («атака»): бывает от 1 до 6. Взгляните на"
                " кость ещё раз и пришлите все грани заново, в порядке бросков.",
            ),
        ):
            before = caller.head(encounter)
            assert refusal_of(player, encounter, dice, "en") == (code, english)
            assert refusal_of(player, encounter, dice, "ru") == (code, russian)
            assert caller.head(encounter) == before
