"""Equal values of a state become one object, and nothing is taken for what it only looks like."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Struct, UnsetType

from service.encounters.shared_values import shared


class Blade(Struct, frozen=True, kw_only=True):
    name: str | UnsetType = UNSET
    length: object = 0


class Pole(Struct, frozen=True, kw_only=True):
    name: str | UnsetType = UNSET
    length: object = 0


class Rack(Struct, frozen=True, kw_only=True):
    items: tuple[object, ...] = ()
    label: str = ""


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.integers(500, 502), st.sampled_from(["", "a"])
)
NAMES = st.one_of(st.just(UNSET), st.sampled_from(["sabre", "lance"]))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(Blade, name=NAMES, length=inner),
        st.builds(Pole, name=NAMES, length=inner),
        st.lists(inner, max_size=4).map(tuple),
    ),
    max_leaves=12,
)


@given(items=st.lists(VALUES, max_size=6).map(tuple))
def test_nothing_changes_but_the_objects(items: tuple[object, ...]) -> None:
    # `repr` distinguishes 1 from True, which are equal.
    assert repr(shared(Rack(items=items))) == repr(Rack(items=items))


def test_equal_values_become_one_object() -> None:
    encoded = b'{"items":[],"label":"%s"}'
    one, other = (msgspec.json.decode(encoded % b"lances", type=Rack) for _ in range(2))
    long, longer = int("90000"), int("90000")
    rack = shared(Rack(items=((one, Pole(length=long)), (other, Pole(length=longer)))))
    first, second = rack.items
    assert first is second
    assert shared(one).label is shared(other).label


def test_what_needs_no_change_is_left_as_it_is() -> None:
    rack = shared(Rack(items=(Blade(name="sabre", length=900),)))
    assert shared(rack) is rack
