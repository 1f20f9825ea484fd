"""Faces told again: each belongs to one roll, and few rolls may tell it a second time."""

from typing import Any, Final

import pytest

from service.engine.ruleset.roll_places import roll_places
from service.replay.audit.retold_check import RetoldCheck
from service.replay.audit.roll_check import SeenDraws
from service.rulesets.crossfire_d6 import RULESET as CROSSFIRE
from service.rulesets.melody_d6 import RULESET as MELODY
from service.rulesets.seeker_d100 import RULESET as SEEKER

Tree = dict[str, Any]
ACTION: Final = {"type": "end_turn"}
ANSWER: Final = {"type": "answer"}
AT: Final = "$.effects[0].roll"


def roll(face: int = 4, seq: int = 0, sides: int = 6) -> Tree:
    """One die; `seq` is that of the event that named it, 0 for this one."""
    run = {"stream": 0, "number": 1} | ({"seq": seq} if seq else {})
    return {"sides": sides, "faces": [face], "total": face, "draws": [run]}


def event(action: Tree | None, *effects: Tree, sides: int = 0, base: int = -1) -> Tree:
    """An event, with a die of so many sides if there are any, which shows 4."""
    draw = {"stream": 0, "number": 1, "sides": sides, "face": 4, "purpose": "song"}
    tree: Tree = {"draws": [draw] if sides else [], "effects": list(effects), "base": base}
    return tree if action is None else {**tree, "action": action}


def created(mode: str, **fork: Any) -> Tree:
    return event(ACTION, {"type": "encounter_created", "dice": {"mode": mode}, **fork})


STARTED: Final = event({"type": "start_encounter"}, {"type": "encounter_started"})


def judged(ruleset: Any, *events: Tree, is_whole: bool = False) -> list[str | None]:
    """Where each event of a log shows faces that are not its own."""
    places = roll_places(ruleset.event, ruleset.retelling)
    seen = SeenDraws(since=1, retold=RetoldCheck(places, is_whole))
    found = []
    for seq, tree in enumerate(events, 1):
        base = seq - 1 if tree["base"] < 0 else tree["base"]
        wrong = seen.fold({**tree, "base": base}, seq, "$")
        found.append(None if wrong is None else wrong.path)
    return found


SUNG: Final = event({"type": "sing"}, {"type": "rolled", "roll": roll()}, sides=6)
TOLD: Final = event(ANSWER, {"type": "check_resolved", "roll": roll(seq=3)})


def test_a_song_that_waited_tells_its_dice_once() -> None:
    assert judged(MELODY, created("sealed"), STARTED, SUNG, TOLD) == [None] * 4
    found = judged(MELODY, created("sealed"), STARTED, SUNG, TOLD, TOLD)
    assert found == [None] * 4 + [f"{AT}.draws"]


def test_a_rewind_goes_back_to_what_waited() -> None:
    rewound = event({"type": "rewind"}, {"type": "rewound", "to": 3}, base=3)
    log = (created("sealed"), STARTED, SUNG, TOLD, rewound, TOLD)
    assert judged(MELODY, *log) == [None] * 6


def test_no_other_action_tells_the_dice_of_a_song() -> None:
    other = event(ACTION, {"type": "check_resolved", "roll": roll(seq=3)})
    log = (created("sealed"), STARTED, SUNG)
    assert judged(MELODY, *log, other)[3] == f"{AT}.draws"
    assert judged(MELODY, *log, event(ACTION), TOLD)[4] == f"{AT}.draws"
    # Of an action that is not shown nobody can say that it was none over open questions.
    assert judged(MELODY, *log, event(None), TOLD) == [None] * 5


def test_no_other_roll_tells_the_dice_of_a_song() -> None:
    other = event(ANSWER, {"type": "attack_resolved", "detail": {"roll": roll(seq=3)}})
    found = judged(MELODY, created("sealed"), STARTED, SUNG, other)
    assert found[3] == "$.effects[0].detail.roll.draws"


def test_where_the_service_rolls_no_attack_waits_for_dice() -> None:
    brought = event(ANSWER, {"type": "decision_closed", "roll": roll()}, sides=6)
    attack = event(ANSWER, {"type": "attack_resolved", "detail": {"roll": roll(seq=3)}})
    for mode, wrong in (("supplied", None), ("sealed", "$.effects[0].detail.roll.draws")):
        found = judged(CROSSFIRE, created(mode), STARTED, brought, attack)
        assert found == [None, None, None, wrong]


STANDING: Final = event(
    ACTION,
    {
        "type": "condition_gained",
        "condition": "standing_roll",
        "combatant": "ruth",
        "facts": {"natural": 4},
        "draw": {"stream": 0, "number": 1},
    },
    {"type": "attack_resolved", "target": "ruth", "answered": {"roll": roll(sides=100)}},
    sides=100,
)


def answered(target: str, seq: int, face: int = 4) -> Tree:
    told = {"roll": roll(face, seq, 100)}
    return event(ACTION, {"type": "attack_resolved", "target": target, "answered": told})


@pytest.mark.parametrize(
    ("between", "target", "wrong"),
    [
        (event(ACTION), "ruth", None),
        (event(ACTION), "rita", "$.effects[0].answered.roll.draws"),
        (
            event(ACTION, {"type": "round_began", "round": 2}),
            "ruth",
            "$.effects[0].answered.roll.draws",
        ),
        (
            event(
                ACTION,
                {"type": "condition_lost", "condition": "standing_roll", "combatant": "ruth"},
            ),
            "ruth",
            "$.effects[0].answered.roll.draws",
        ),
        (
            event(ACTION, {"type": "revealed", "combatant": {"id": "ruth", "side": "red"}}),
            "ruth",
            "$.effects[0].answered.roll.draws",
        ),
    ],
)
def test_a_roll_stands_for_its_bearer_until_it_ends(
    between: Tree, target: str, wrong: str | None
) -> None:
    log = (created("sealed"), STARTED, STANDING, between, answered(target, 3))
    assert judged(SEEKER, *log)[4] == wrong
    if wrong is None:
        assert judged(SEEKER, *log, answered(target, 3)) == [None] * 6


def fork(*kinds: str, status: str = "running", **group: Any) -> Tree:
    pending = [{"decisions": [{"kind": kind} for kind in kinds], **group}] if kinds else []
    sheet = {"id": "ruth", "standing_roll": {"natural": 4, "draw": {**roll(seq=1)["draws"][0]}}}
    state = {"combatants": [sheet], "pending": pending}
    return created("sealed", fork_of={"status": status}, state=state)


WAITED: Final = event(ANSWER, {"type": "check_resolved", "roll": roll(seq=1)})


def test_a_fork_tells_what_waited_in_the_log_before_once() -> None:
    assert judged(CROSSFIRE, fork("roll"), STARTED, WAITED) == [None] * 3
    assert judged(CROSSFIRE, fork("roll"), STARTED, WAITED, WAITED)[3] == f"{AT}.draws"
    assert judged(CROSSFIRE, fork("roll"), STARTED, event(ACTION), WAITED)[3] == f"{AT}.draws"
    assert judged(CROSSFIRE, fork("reaction"), STARTED, WAITED)[2] == f"{AT}.draws"
    assert judged(CROSSFIRE, fork(), STARTED, WAITED)[2] == f"{AT}.draws"


def test_where_nothing_is_shown_to_wait_only_an_action_that_is_not_shown_may_have_waited() -> None:
    hidden = {name: value for name, value in WAITED.items() if name != "action"}
    assert judged(CROSSFIRE, fork(), STARTED, hidden) == [None] * 3
    assert judged(CROSSFIRE, fork(status="setup"), STARTED, hidden)[2] == f"{AT}.draws"


def test_the_game_master_sees_the_faces_that_waited() -> None:
    for face, wrong in ((4, None), (5, f"{AT}.faces[0]")):
        declared = {"faces": [face], "draws": [{"stream": 0, "number": 1, "seq": 1}]}
        log = (fork("roll", declared=declared), STARTED, WAITED)
        assert judged(CROSSFIRE, *log, is_whole=True) == [None, None, wrong]
    assert judged(CROSSFIRE, fork("roll"), STARTED, WAITED, is_whole=True)[2] == f"{AT}.draws"


def test_everybody_sees_the_rolls_that_stand_when_a_fork_goes_on() -> None:
    log = (fork(), STARTED)
    at = "$.effects[0].answered.roll"
    assert judged(SEEKER, *log, answered("ruth", 1), answered("ruth", 1)) == [None] * 4
    assert judged(SEEKER, *log, answered("ruth", 1, 5))[2] == f"{at}.faces[0]"
    assert judged(SEEKER, *log, answered("rita", 1))[2] == f"{at}.draws"


def test_dice_told_again_by_an_action_that_is_not_shown_are_noted() -> None:
    places = roll_places(MELODY.event, MELODY.retelling)
    hidden = {name: value for name, value in TOLD.items() if name != "action"}
    for told, names in ((TOLD, ({(4, (3, 0, 1))}, set())), (hidden, (set(), {(4, (3, 0, 1))}))):
        check = RetoldCheck(places)
        seen = SeenDraws(since=1, retold=check)
        for seq, tree in enumerate((created("sealed"), STARTED, SUNG, told), 1):
            assert seen.fold({**tree, "base": seq - 1}, seq, "$") is None
        assert (check.waits_seen, check.waits_unseen) == names
