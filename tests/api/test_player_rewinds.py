"""What a player may take back over HTTP: his own, and nothing that would tell of the unseen."""

import re
from typing import Any

import httpx
import pytest

from tests.api.serving import START, Caller, problem
from tests.kit.rig import Rig, there
from tests.kit.rigs import OF_COMBATANTS

Tree = dict[str, Any]
EARLIER = "rewind_not_allowed"


def begun(caller: Caller, rig: Rig, setup: Tree) -> str:
    """The address of one of the worlds, in which Ann has taken her step."""
    encounter = caller.create(
        {
            "ruleset": rig.ruleset.slug,
            "dice": there(rig.unseen_question).dice,
            "sides": [{"id": "red"}, {"id": "blue"}],
            "seats": [{"id": "ann", "role": "player", "sides": ["red"]}],
            "setup": setup,
        }
    )
    caller.act(encounter, START)
    with caller.seated("ann") as ann:
        ann.act(encounter, there(rig.unseen_question).step)
    return encounter


def shown(answer: httpx.Response) -> tuple[int, bytes]:
    """Status and body, whichever the encounter."""
    return answer.status_code, re.sub(
        rb"/encounters/[0-9a-f-]+", b"/encounters/<id>", answer.content
    )


@pytest.mark.parametrize("rig", OF_COMBATANTS, ids=repr)
def test_whether_somebody_unseen_is_asked_binds_nobody_and_frees_nobody(
    caller: Caller, rig: Rig
) -> None:
    first, second = (begun(caller, rig, setup) for setup in there(rig.unseen_question).worlds)
    with caller.seated("ann") as ann:
        for encounter in (first, second):
            ann.act(encounter, there(rig.unseen_question).deed)
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


@pytest.mark.parametrize("rig", OF_COMBATANTS, ids=repr)
def test_what_others_did_unseen_is_not_undone(caller: Caller, rig: Rig) -> None:
    encounter = begun(caller, rig, there(rig.unseen_question).worlds[0])
    back = {"action": {"type": "rewind", "to": 2}}
    with caller.seated("ann") as ann:
        noted = caller.act(encounter, {"type": "note", "gm_text": "he is by the door"})
        done = ann.post(f"{encounter}/actions", back)
        assert done.status_code == 201, done.text
        assert done.json()["version"] == noted["version"] + 1
        ann.act(encounter, there(rig.unseen_question).step)
        change = {"type": "hp", "combatant": there(rig.unseen_question).unseen, "value": 2}
        secret = caller.act(encounter, {"type": "adjust", "changes": [change]})
        refused = ann.post(f"{encounter}/actions", back)
        assert problem(refused)["params"] == {"to": 2, "earliest": secret["version"]}
