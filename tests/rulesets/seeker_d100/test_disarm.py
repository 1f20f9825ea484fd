"""SK-DIS: knocking something out of somebody's hand."""

import pytest

from service.errors import Refused
from service.rulesets.seeker_d100.rules.disarm import held_after_drop, require_free_hand


@pytest.mark.rule("SK-DIS-1")
@pytest.mark.parametrize(
    ("held", "left"),
    [
        (("pistol",), ()),
        (("torch", "pistol"), ("torch",)),
        (("pistol", "pistol"), ("pistol",)),
    ],
)
def test_the_item_struck_falls(held: tuple[str, ...], left: tuple[str, ...]) -> None:
    assert held_after_drop("pistol", held) == left


@pytest.mark.rule("SK-DIS-1")
@pytest.mark.parametrize("held", [(), ("pistol",)])
def test_what_is_not_held_does_not_fall(held: tuple[str, ...]) -> None:
    with pytest.raises(Refused) as refused:
        held_after_drop("knife", held)
    assert (refused.value.code, refused.value.rule) == ("nothing_held", "SK-DIS-1")
    assert refused.value.params == {"item": "knife", "allowed": list(held)}


@pytest.mark.rule("SK-DIS-2")
@pytest.mark.parametrize(
    ("free", "needed", "is_enough"),
    [(0, 1, False), (1, 1, True), (2, 1, True), (1, 2, False), (2, 2, True)],
)
def test_disarming_needs_free_hands(free: int, needed: int, is_enough: bool) -> None:
    if is_enough:
        require_free_hand(free, needed)
        return
    with pytest.raises(Refused) as refused:
        require_free_hand(free, needed)
    assert (refused.value.code, refused.value.rule) == ("no_free_hand", "SK-DIS-2")
    assert refused.value.params == {"free_hands": free, "needed": needed}
