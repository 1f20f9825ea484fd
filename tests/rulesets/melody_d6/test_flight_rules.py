"""ML-PANIC-3: how far one flees, and who leaves the table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.geometry.segments import Spot
from service.rulesets.melody_d6.rules.flight import Edge, Flight, Table, distance_to_edge, flight

TABLE = Table(36_000, 24_000)
EDGES: tuple[Edge, ...] = ("north", "south", "west", "east")


def anywhere(_: Spot) -> bool:
    return True


@pytest.mark.rule("ML-PANIC-3")
@pytest.mark.parametrize(
    ("edge", "start", "end"),
    [
        ("north", (9000, 12_000), (9000, 6000)),
        ("south", (9000, 12_000), (9000, 18_000)),
        ("west", (9000, 12_000), (3000, 12_000)),
        ("east", (9000, 12_000), (15_000, 12_000)),
    ],
)
def test_one_flees_straight_to_the_home_edge(edge: Edge, start: Spot, end: Spot) -> None:
    assert flight(start, 500, 6000, edge, TABLE, anywhere) == Flight(end, has_left=False)


@pytest.mark.rule("ML-PANIC-3")
@pytest.mark.parametrize(
    ("edge", "start", "left"),
    [
        ("west", (3000, 12_000), Flight((-3000, 12_000), has_left=True)),
        ("west", (6500, 12_000), Flight((500, 12_000), has_left=True)),
        ("west", (6501, 12_000), Flight((501, 12_000), has_left=False)),
        ("east", (29_500, 12_000), Flight((35_500, 12_000), has_left=True)),
        ("east", (29_499, 12_000), Flight((35_499, 12_000), has_left=False)),
        ("north", (9000, 6500), Flight((9000, 500), has_left=True)),
        ("north", (9000, 6501), Flight((9000, 501), has_left=False)),
        ("south", (9000, 17_500), Flight((9000, 23_500), has_left=True)),
        ("south", (9000, 17_499), Flight((9000, 23_499), has_left=False)),
    ],
)
def test_who_touches_the_edge_leaves_the_table(edge: Edge, start: Spot, left: Flight) -> None:
    assert flight(start, 500, 6000, edge, TABLE, anywhere) == left


@pytest.mark.rule("ML-PANIC-3")
def test_who_cannot_stay_goes_on_by_a_tenth_of_a_step() -> None:
    def beyond(spot: Spot) -> bool:
        return spot[0] <= 2750

    assert flight((9000, 12_000), 500, 6000, "west", TABLE, beyond) == Flight(
        (2700, 12_000), has_left=False
    )


@pytest.mark.rule("ML-PANIC-3")
def test_who_finds_no_place_leaves_the_table_by_going_on() -> None:
    fled = flight((9000, 12_000), 500, 6000, "west", TABLE, lambda _: False)
    assert fled == Flight((500, 12_000), has_left=True)


@pytest.mark.rule("ML-PANIC-3")
def test_who_cannot_move_stays_unless_it_touches_the_edge_already() -> None:
    assert flight((501, 12_000), 500, 0, "west", TABLE, anywhere) == Flight(
        (501, 12_000), has_left=False
    )
    assert flight((500, 12_000), 500, 0, "west", TABLE, anywhere) == Flight(
        (500, 12_000), has_left=True
    )


@pytest.mark.rule("ML-PANIC-3")
@given(
    x=st.integers(500, 35_500),
    y=st.integers(500, 23_500),
    move=st.integers(0, 20_000),
    edge=st.sampled_from(EDGES),
    free=st.integers(0, 36_000),
)
def test_a_flight_ends_on_the_table_where_one_may_stand_or_off_it(
    x: int, y: int, move: int, edge: Edge, free: int
) -> None:
    def may_stand(spot: Spot) -> bool:
        return distance_to_edge(spot, edge, TABLE) < free

    fled = flight((x, y), 500, move, edge, TABLE, may_stand)
    away = distance_to_edge(fled.end, edge, TABLE)
    assert fled.has_left == (away <= 500)
    assert fled.has_left or may_stand(fled.end)
    further = distance_to_edge((x, y), edge, TABLE) - away - move
    assert further >= 0
    assert further % 100 == 0
