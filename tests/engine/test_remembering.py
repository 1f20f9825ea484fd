"""What is remembered is what would be made anew, of these very values, and only so much of it."""

from hypothesis import given
from hypothesis import strategies as st

from service.engine.kit.identity_memo import Memory, remembered


class Thing:
    """Equal to any other, so that only its identity tells it apart."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return True


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_a_remembered_function_answers_as_the_function_itself(
    asked: list[tuple[int, int]],
) -> None:
    things = [Thing(number) for number in range(10)]

    def pair(first: Thing, second: Thing) -> tuple[int, int]:
        return first.number, second.number

    quick = remembered(3)(pair)
    for one, other in asked:
        assert quick(things[one], things[other]) == (one, other)


def test_a_question_is_answered_once_while_it_is_remembered() -> None:
    asked = []

    @remembered(2)
    def number_of(thing: Thing) -> int:
        asked.append(thing.number)
        return thing.number

    first, second, third = (Thing(number) for number in range(3))
    for thing in (first, second, first, second, third, first):
        number_of(thing)
    assert asked == [0, 1, 2, 0]


@given(st.lists(st.integers(0, 5)))
def test_objects_that_come_and_go_are_never_taken_for_one_another(numbers: list[int]) -> None:
    number_of = remembered(4)(lambda thing: thing.number)
    assert [number_of(Thing(number)) for number in numbers] == numbers


@given(st.lists(st.integers(0, 20)))
def test_a_memory_is_bounded(numbers: list[int]) -> None:
    memory: Memory[int] = Memory(5)
    for number in numbers:
        assert memory.keep(number, Thing(number)) == number
        assert len(memory) <= 5
    assert memory.find(Thing(0)) is None
