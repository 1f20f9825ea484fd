"""Event 1 of a battle: its terms, its seats, and a battle in progress that is taken up."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.creation import created_by, creation_of, require_order, seat, take_up
from service.engine.battle.linear import Seat
from service.engine.battle.setup import Header
from service.engine.battle.state import TableOptions
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import CreateEncounter
from service.engine.vocabulary.values import By
from service.errors import Malformed, Refused
from tests.engine.kit.battle import SIDES, battle, effects_on, somebody

ANN, BEN = somebody("ann"), somebody("ben", "blue")
OPTIONS = TableOptions(enemy_numbers="hidden")
SEATS = (Seat(id="rita", role="player", sides=("red",)),)
HEADER = Header(
    dice="supplied",
    commitment="ab" * 32,
    seed="given",
    sides=SIDES,
    seats=SEATS,
    reveal_by_days=7,
    digests=("cd" * 32,),
    title="The mill",
    metadata="{}",
)
CREATION = CreateEncounter(
    ruleset="a-book",
    version="3",
    dice="supplied",
    commitment="ab" * 32,
    seed="given",
    sides=SIDES,
    seats=SEATS,
    options=OPTIONS,
    combatants=(ANN, BEN),
    reveal_by_days=7,
    title="The mill",
    metadata="{}",
)
KEY = By(kind="key", id="k", role="gm")


def test_a_creation_states_the_header_and_what_the_ruleset_adds() -> None:
    made = creation_of(CreateEncounter, ("a-book", "3"), HEADER, OPTIONS, (ANN, BEN))
    assert made == CREATION


def test_a_seed_that_nobody_gave_is_the_system_s() -> None:
    header = replace(HEADER, seed="os")
    made = creation_of(CreateEncounter, ("a-book", "3"), header, OPTIONS, (ANN, BEN))
    assert made == replace(CREATION, seed="os")


@pytest.mark.parametrize("is_prepared", [True, False])
def test_the_terms_are_those_of_the_creation(is_prepared: bool) -> None:
    creation = replace(CREATION, map="ef" * 32, content="01" * 32)
    created = created_by(fx.EncounterCreated, creation, KEY, is_prepared=is_prepared)
    assert created == fx.EncounterCreated(
        ruleset="a-book",
        version="3",
        dice=fx.DiceTerms(mode="supplied"),
        commitment="ab" * 32,
        seed="given",
        options=OPTIONS,
        sides=SIDES,
        map="ef" * 32,
        content="01" * 32,
        creator=KEY,
        reveal_by_days=7,
        prepared=is_prepared,
        title="The mill",
        metadata="{}",
    )


def test_seats_share_the_secrets_of_the_sides_they_act_for() -> None:
    effects = effects_on(battle(ANN, BEN))
    rita = Seat(id="rita", role="player", sides=("red",), knows=("blue",))
    bob = Seat(id="bob", role="player", sides=("red",), combatants=("ben",))
    eve = Seat(id="eve", role="observer")
    seat(effects, (rita, bob, eve))
    assert effects.emitted == (
        fx.SeatChanged(seat=replace(rita, knows=("red",))),
        fx.SeatChanged(seat=replace(bob, knows=("blue", "red"))),
        fx.SeatChanged(seat=eve),
    )


@pytest.mark.parametrize(
    ("controlled", "code", "facts"),
    [
        (
            {"sides": ("red", "green"), "combatants": ("cal",)},
            "unknown_side",
            {"side": "green", "allowed": ["red", "blue"]},
        ),
        ({"combatants": ("ann", "cal")}, "unknown_combatant", {"combatant": "cal"}),
    ],
)
def test_a_seat_for_what_is_not_there_is_refused(
    controlled: dict[str, Any], code: str, facts: dict[str, object]
) -> None:
    effects = effects_on(battle(ANN, BEN))
    with pytest.raises(Refused) as caught:
        seat(effects, (Seat(id="bob", role="player", **controlled),))
    assert (caught.value.code, caught.value.params) == (code, facts)


ORDER = fx.OrderSet(entries=(fx.OrderEntry(combatant="ben"), fx.OrderEntry(combatant="ann")))


@pytest.mark.parametrize(
    ("order", "turn", "effects"),
    [
        (ORDER, "ann", (ORDER, fx.TurnBegan(combatant="ann"))),
        (ORDER, UNSET, (ORDER,)),
        (fx.OrderSet(entries=()), UNSET, ()),
    ],
)
def test_a_battle_in_progress_has_its_order_and_its_turn(
    order: fx.OrderSet, turn: Any, effects: tuple[fx.Effect, ...]
) -> None:
    taken = effects_on(battle(ANN, BEN))
    take_up(taken, order, turn, "a combatant of the order")
    assert taken.emitted == effects
    assert (taken.rule.turn, taken.rule.order) == (turn, ("ben", "ann") if effects else ())


@pytest.mark.parametrize("order", [ORDER, fx.OrderSet(entries=())])
def test_the_turn_of_somebody_without_a_place_in_the_order_is_malformed(
    order: fx.OrderSet,
) -> None:
    taken = effects_on(battle(ANN, BEN))
    with pytest.raises(Malformed) as caught:
        take_up(taken, order, "cal", "a combatant of the order")
    assert caught.value.params == {"path": "$.battle.turn", "allowed": "a combatant of the order"}
    assert taken.emitted == ()


def test_the_order_of_a_battle_in_progress_names_its_combatants_each_once() -> None:
    rule = battle(somebody("ann"), somebody("ben"))
    require_order(rule, ["ben", "ann"])
    require_order(rule, [])
    with pytest.raises(Refused) as unknown:
        require_order(rule, ["ann", "ann", "cal"])
    assert (unknown.value.code, unknown.value.params) == ("unknown_combatant", {"combatant": "cal"})
    with pytest.raises(Malformed) as twice:
        require_order(rule, ["ann", "ben", "ann"])
    assert twice.value.params == {"path": "$.battle.order", "allowed": "each combatant once"}
