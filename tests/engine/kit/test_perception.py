"""What a player may know of a battle, as a state again."""

import pytest
from msgspec import UNSET

from service.engine.battle.linear import Linear, Seat
from service.engine.battle.state import Combatant, State, TableOptions, scope_of
from service.engine.battle.terms import NO_TERMS
from service.engine.kit.perception import knows_numbers, perceive
from service.engine.kit.resolution import perceive_for
from service.engine.visibility.scope import GAME_MASTER, OBSERVER, Viewer
from service.engine.vocabulary.values import By
from tests.engine.kit.battle import battle, somebody, state_of

ANN = somebody("ann")
LURKER = somebody("lurker", "blue", hidden=True)
RED, BLUE = Viewer(sides=("red",)), Viewer(sides=("blue",))


def test_a_state_in_which_nothing_is_hidden_is_perceived_as_it_is() -> None:
    state = state_of(battle(ANN))
    assert all(perceive(state, viewer) is state for viewer in (RED, OBSERVER, GAME_MASTER))


def test_the_game_master_and_its_own_side_perceive_who_is_hidden() -> None:
    state = state_of(battle(ANN, LURKER, turn="lurker", order=("lurker", "ann")))
    assert perceive(state, GAME_MASTER) is state
    assert perceive(state, BLUE) is state


@pytest.mark.parametrize("viewer", [RED, OBSERVER])
def test_others_perceive_neither_it_nor_its_turn(viewer: Viewer) -> None:
    state = state_of(battle(ANN, LURKER, turn="lurker", order=("lurker", "ann")))
    expected = state_of(battle(ANN, turn=UNSET, order=("ann",)))
    assert perceive(state, viewer) == expected


@pytest.mark.parametrize(
    ("numbers", "viewer", "combatant", "is_known"),
    [
        ("shown", OBSERVER, ANN, True),
        ("hidden", OBSERVER, ANN, False),
        ("hidden", RED, ANN, True),
        ("hidden", BLUE, ANN, False),
        ("hidden", GAME_MASTER, ANN, True),
    ],
)
def test_numbers_are_known_to_the_side_or_to_everyone(
    numbers: str, viewer: Viewer, combatant: Combatant, is_known: bool
) -> None:
    options = TableOptions(enemy_numbers="shown" if numbers == "shown" else "hidden")
    rule = battle(combatant, options=options)
    assert knows_numbers(combatant, scope_of(rule), viewer) is is_known


LURKERS = battle(ANN, LURKER, somebody("spy", hidden=True))
"""Of either side somebody is hidden."""


def known(by: By, *seats: Seat, asker: str = "ann") -> tuple[str, ...]:
    """Whom a caller may know of for whose action of `asker` the battle has these seats now."""
    state = State(rule=LURKERS, linear=Linear(seats=seats), terms=NO_TERMS)
    return tuple(each.id for each in perceive_for(state, by, asker).rule.combatants)


def test_what_waited_is_judged_on_what_its_seat_may_know_now() -> None:
    by = By(kind="seat", id="zoe", role="player", seat="zoe")
    red = Seat(id="zoe", role="player", sides=("red",), knows=("red",))
    blue = Seat(id="zoe", role="player", sides=("blue",), knows=("blue",))
    assert known(by, red) == ("ann", "spy")
    assert known(by, blue) == ("ann", "lurker")
    assert known(By(kind="key", id="k", role="gm")) == ("ann", "lurker", "spy")


@pytest.mark.parametrize(
    ("asker", "expected"),
    [("ann", ("ann", "spy")), ("lurker", ("ann", "lurker")), ("nobody", ("ann",))],
)
def test_what_a_seat_that_is_gone_asked_for_is_judged_on_what_the_side_may_know(
    asker: str, expected: tuple[str, ...]
) -> None:
    by = By(kind="seat", id="zoe", role="player", seat="zoe")
    other = Seat(id="yan", role="player", sides=("blue",), knows=("blue",))
    assert known(by, other, asker=asker) == expected
