"""What a player may take back over HTTP: his own, and nothing that would tell of the unseen."""

import re
from typing import Any, NamedTuple

import httpx
import pytest

from tests.api.serving import START, Caller, problem
from tests.rulesets.crossfire_d6 import table as crossfire
from tests.rulesets.seeker_d100 import table as seeker

Tree = dict[str, Any]
EARLIER = "rewind_not_allowed"


class Attempt(NamedTuple):
    """A deed of Ann's that asks somebody unseen in one world, nobody in the other.

    `setups` are the two worlds, alike to her; `dice` how the table rolls.
    """

    slug: str
    dice: str
    setups: tuple[Tree, Tree]
    deed: Tree
    step: Tree


def grenade() -> Attempt:
    """A throw into the dark: in one world somebody is there who could dive for cover."""
    arms = [seeker.weapon("w_grenade")]
    known = [
        seeker.fighter("a", "red", 0, 0, weapons=arms),
        seeker.fighter("b", "red", 1, 0, weapons=arms),
        seeker.fighter("t", "blue", 0, 90),
    ]
    setups = []
    for place in (60, 200):
        people = [*known, seeker.fighter("h", "blue", place, 0, hidden=True)]
        cover = [seeker.wall(30)]
        setups.append(
            {"combatants": people, "map": {"cover": cover}, "battle": seeker.battle_of(*people)}
        )
    throw = {"type": "attack", "combatant": "b", "weapon": "w_grenade", "point": {"x": 60, "y": 0}}
    step = {"type": "move", "combatant": "a", "gait": "jog", "path": [{"x": 0, "y": 3}]}
    return Attempt("seeker-d100", "sealed", (setups[0], setups[1]), throw, step)


def hideout() -> Attempt:
    """Ann's a hides without any agility: whether anybody rolls against it is the enemy's number."""
    setups = []
    for wits in (3, 0):
        people = [
            crossfire.fighter("a", "red", 0, 0, agi_pool=0, pin_count=1),
            crossfire.fighter("t", "blue", 4, 0, int_pool=wits, weapons=[crossfire.rifle()]),
        ]
        options = {"enemy_numbers": "hidden", "hide_tie_succeeds": False}
        order = crossfire.in_progress("a", "t")
        setups.append({"combatants": people, "options": options, "battle": order})
    deed = {"type": "hide", "combatant": "a", "against": "t"}
    step = {"type": "set_facing", "combatant": "a", "facing": "S"}
    return Attempt("crossfire-d6", "supplied", (setups[0], setups[1]), deed, step)


ATTEMPTS = (grenade(), hideout())


def begun(caller: Caller, attempt: Attempt, setup: Tree) -> str:
    """The address of one of the worlds, in which Ann has taken her step."""
    encounter = caller.create(
        {
            "ruleset": attempt.slug,
            "dice": attempt.dice,
            "sides": [{"id": "red"}, {"id": "blue"}],
            "seats": [{"id": "ann", "role": "player", "sides": ["red"]}],
            "setup": setup,
        }
    )
    caller.act(encounter, START)
    with caller.seated("ann") as ann:
        ann.act(encounter, attempt.step)
    return encounter


def shown(answer: httpx.Response) -> tuple[int, bytes]:
    """Status and body, whichever the encounter."""
    return answer.status_code, re.sub(
        rb"/encounters/[0-9a-f-]+", b"/encounters/<id>", answer.content
    )


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.slug)
def test_whether_somebody_unseen_is_asked_binds_nobody_and_frees_nobody(
    caller: Caller, attempt: Attempt
) -> None:
    first, second = (begun(caller, attempt, setup) for setup in attempt.setups)
    with caller.seated("ann") as ann:
        for encounter in (first, second):
            ann.act(encounter, attempt.deed)
        asked, quiet = (caller.get(each).json()["decisions"] for each in (first, second))
        assert len(asked) == 1
        assert quiet == []
        assert ann.get(first).json()["decisions"] == []
        for to, code in (
            (1, "rewind_before_start"),
            (2, EARLIER),
            (3, EARLIER),
            (9, "unknown_event"),
        ):
            back = {"action": {"type": "rewind", "to": to}}
            refused = [ann.post(f"{encounter}/actions", back) for encounter in (first, second)]
            assert shown(refused[0]) == shown(refused[1])
            assert problem(refused[0])["code"] == code
            if code == EARLIER:
                assert problem(refused[0])["params"] == {"to": to, "earliest": 4}
        # What Ann did still stands, and so does the question of which she does not know.
        [left] = caller.get(first).json()["decisions"]
        assert (left["kind"], left.get("combatant")) == (
            asked[0]["kind"],
            asked[0].get("combatant"),
        )


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.slug)
def test_what_others_did_unseen_is_not_undone(caller: Caller, attempt: Attempt) -> None:
    encounter = begun(caller, attempt, attempt.setups[0])
    back = {"action": {"type": "rewind", "to": 2}}
    with caller.seated("ann") as ann:
        noted = caller.act(encounter, {"type": "note", "gm_text": "he is by the door"})
        done = ann.post(f"{encounter}/actions", back)
        assert done.status_code == 201, done.text
        assert done.json()["version"] == noted["version"] + 1
        ann.act(encounter, attempt.step)
        hidden = "h" if attempt.slug == "seeker-d100" else "t"
        change = {"type": "hp", "combatant": hidden, "value": 2}
        secret = caller.act(encounter, {"type": "adjust", "changes": [change]})
        refused = ann.post(f"{encounter}/actions", back)
        assert problem(refused)["params"] == {"to": 2, "earliest": secret["version"]}
