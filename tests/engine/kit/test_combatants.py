"""Who may come into a battle, and what is left when somebody goes."""

from typing import Any

import pytest
from msgspec import UNSET

from service.engine.kit.combatants import remove, require_newcomer, require_side, take_out
from service.engine.vocabulary import effects as fx
from service.errors import Malformed, Refused
from tests.engine.kit.battle import battle, effects_on, somebody

ANN, BEN, CAL = somebody("ann"), somebody("ben", "blue"), somebody("cal")


def test_a_newcomer_with_a_new_id_and_a_known_side_may_come_in() -> None:
    require_newcomer(battle(ANN, BEN), CAL, 3, "$.combatant")


@pytest.mark.parametrize(
    ("newcomer", "most", "code", "facts"),
    [
        (ANN, 3, "duplicate_combatant", {"combatant": "ann", "taken": "ann"}),
        (somebody("cal", "green"), 2, "too_many_combatants", {"longest": 2}),
        (
            somebody("cal", "green"),
            3,
            "unknown_side",
            {"side": "green", "allowed": ["red", "blue"]},
        ),
    ],
)
def test_any_other_newcomer_is_refused_for_the_first_thing_that_is_wrong(
    newcomer: Any, most: int, code: str, facts: dict[str, object]
) -> None:
    with pytest.raises(Refused) as caught:
        require_newcomer(battle(ANN, BEN), newcomer, most, "$.combatant")
    assert (caught.value.code, caught.value.params) == (code, facts)


def test_a_newcomer_is_not_called_by_a_word_of_the_service() -> None:
    with pytest.raises(Malformed) as caught:
        require_newcomer(battle(), somebody("GM"), 3, "$.combatant")
    assert caught.value.params["path"] == "$.combatant.id"


def test_only_sides_of_the_battle_are_sides() -> None:
    require_side(battle(), "blue")
    with pytest.raises(Refused) as caught:
        require_side(battle(), "gm")
    assert caught.value.params == {"side": "gm", "allowed": ["red", "blue"]}


@pytest.mark.parametrize(
    ("turn", "order", "expected", "effects"),
    [
        (UNSET, (), (False, None), ()),
        ("ben", ("ann", "cal", "ben"), (False, None), ()),
        ("ann", ("ann", "ben"), (True, None), (fx.TurnEnded(combatant="ann", cause="removed"),)),
        ("ann", ("ben", "ann"), (True, "ben"), (fx.TurnEnded(combatant="ann", cause="removed"),)),
        ("ben", ("ben", "ann"), (False, "ben"), ()),
    ],
)
def test_whoever_is_removed_leaves_his_turn_to_the_one_behind(
    turn: Any, order: tuple[str, ...], expected: object, effects: tuple[fx.Effect, ...]
) -> None:
    builder = effects_on(battle(ANN, BEN, CAL, turn=turn, order=order))
    assert remove(builder, "ann") == expected
    assert builder.emitted == (*effects, fx.CombatantRemoved(combatant="ann"))
    assert [each.id for each in builder.rule.combatants] == ["ben", "cal"]


@pytest.mark.parametrize(
    ("status", "turn", "begun"),
    [
        ("running", "ann", ["ben"]),
        ("running", "ben", []),
        ("running", UNSET, []),
        ("setup", "ann", []),
    ],
)
def test_the_next_turn_begins_when_whoever_had_it_goes_from_a_running_battle(
    status: Any, turn: Any, begun: list[str]
) -> None:
    builder = effects_on(battle(ANN, BEN, status=status, turn=turn, order=("ben", "ann")))
    after: list[str | None] = []
    take_out(builder, "ann", after.append)
    assert (after, [each.id for each in builder.rule.combatants]) == (begun, ["ben"])


def test_who_is_not_in_the_battle_cannot_go() -> None:
    builder = effects_on(battle(ANN))
    with pytest.raises(Refused) as caught:
        take_out(builder, "ben", lambda _: None)
    assert (caught.value.code, caught.value.params) == ("unknown_combatant", {"combatant": "ben"})
    assert builder.emitted == ()
