"""SK-CALL: parts of the body, and grenades over cover."""

import pytest

from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.seeker_d100.rules.called import (
    CalledIgnores,
    called_modifier,
    called_victims,
    cover_beyond,
    cover_modifier,
    does_protect,
    open_modifier,
    require_called_form,
    require_called_part,
    require_exposed,
)
from service.rulesets.seeker_d100.rules.cover import ALL_PARTS, CoverSegment, degree_of, exposed_by
from service.rulesets.seeker_d100.rules.words import ArmouredPart, BodyPart, CoverDegree, Delivery
from tests.rulesets.seeker_d100.setups import RULESET

WALL = CoverSegment(id="wall", start=(8, -5), end=(8, 5), degree="large", armour=15)


@pytest.mark.rule("SK-CALL-1")
@pytest.mark.parametrize(("degree", "amount"), [("partial", -20), ("large", -40)])
def test_cover_makes_a_called_shot_harder(degree: CoverDegree, amount: int) -> None:
    line = Modifier(rule="SK-CALL-1", amount=amount, note=f"{degree}_cover")
    assert cover_modifier(degree) == line
    assert called_modifier(degree, -20) == line


@pytest.mark.rule("SK-CALL-3")
@pytest.mark.parametrize("penalty", [-20, -1, -100])
def test_in_the_open_the_option_is_the_penalty(penalty: int) -> None:
    line = Modifier(rule="SK-CALL-3", amount=penalty)
    assert open_modifier(penalty) == line
    assert called_modifier(None, penalty) == line


@pytest.mark.rule("SK-CALL-3")
def test_an_open_penalty_of_nothing_is_no_line() -> None:
    assert open_modifier(0) is None
    assert called_modifier(None, 0) is None


@pytest.mark.rule("SK-CALL-2")
@pytest.mark.parametrize("part", ALL_PARTS)
def test_head_and_limbs_can_be_called(part: BodyPart) -> None:
    assert require_called_part(part) == part


@pytest.mark.rule("SK-CALL-2")
@pytest.mark.parametrize("part", ["torso", "tail", "HEAD", ""])
def test_nothing_else_can(part: str) -> None:
    with pytest.raises(Refused) as refused:
        require_called_part(part)
    assert (refused.value.code, refused.value.rule) == ("bad_body_part", "SK-CALL-2")
    assert refused.value.params == {
        "part": part,
        "allowed": ["head", "left_arm", "right_arm", "left_leg", "right_leg"],
    }


@pytest.mark.rule("SK-CALL-2")
def test_what_the_cover_hides_cannot_be_called() -> None:
    low = CoverSegment(
        id="low", start=(0, 0), end=(0, 1), degree="partial", armour=5, exposed=("head", "left_arm")
    )
    require_exposed("left_leg", ())
    require_exposed("head", (low,))
    with pytest.raises(Refused) as refused:
        require_exposed("left_leg", (low,))
    assert (refused.value.code, refused.value.rule) == ("part_not_exposed", "SK-CALL-2")
    assert refused.value.params == {
        "part": "left_leg",
        "cover": "low",
        "allowed": ["head", "left_arm"],
    }


@pytest.mark.rule("SK-CALL-1")
@pytest.mark.parametrize(
    ("delivery", "has_part", "field", "allowed"),
    [
        ("explosive", True, "part", ["over_cover"]),
        ("bullet", False, "over_cover", ["part"]),
        ("melee", False, "over_cover", ["part"]),
    ],
)
def test_explosives_are_called_over_cover_and_all_else_at_a_part(
    delivery: Delivery, has_part: bool, field: str, allowed: list[str]
) -> None:
    require_called_form(delivery, has_part=not has_part)
    with pytest.raises(Refused) as refused:
        require_called_form(delivery, has_part=has_part)
    assert (refused.value.code, refused.value.rule) == ("invalid_field", "SK-CALL-1")
    assert refused.value.params == {"field": field, "delivery": delivery, "allowed": allowed}


@pytest.mark.rule("SK-CALL-4")
@pytest.mark.parametrize(
    ("parts", "part", "ignores", "does"),
    [
        (("torso",), "left_leg", "uncovering", False),
        (("torso", "left_leg"), "left_leg", "uncovering", True),
        (("left_leg",), "right_leg", "uncovering", False),
        (("head",), "head", "uncovering", True),
        (("head",), "head", "all", False),
        ((), "head", "uncovering", False),
    ],
)
def test_only_armour_on_the_part_protects_it(
    parts: tuple[ArmouredPart, ...], part: BodyPart, ignores: CalledIgnores, does: bool
) -> None:
    assert does_protect(parts, part, ignores) == does


@pytest.mark.rule("SK-CALL-5")
def test_over_cover_only_what_is_beyond_the_burst_counts() -> None:
    assert cover_beyond((11, 0), (12, 0), [WALL]) is None
    assert cover_beyond((11, 0), (5, 0), [WALL]) == WALL


@pytest.mark.rule("SK-CALL-6")
@pytest.mark.parametrize(
    ("victims", "delivery", "struck"),
    [
        (("t", "v", "u"), "bullet", ("t",)),
        (("t",), "bullet", ("t",)),
        (("t", "v", "u"), "explosive", ("t", "v", "u")),
        ((), "bullet", ()),
    ],
)
def test_called_automatic_fire_hits_the_first_only(
    victims: tuple[str, ...], delivery: Delivery, struck: tuple[str, ...]
) -> None:
    assert called_victims(victims, delivery) == struck


def pane(
    name: str, *, degree: CoverDegree = "partial", exposed: tuple[BodyPart, ...]
) -> CoverSegment:
    return CoverSegment(id=name, start=(0, 0), end=(0, 1), degree=degree, armour=5, exposed=exposed)


def test_several_covers_hide_together() -> None:
    covers = (
        pane("bag", exposed=("head", "left_arm", "right_arm")),
        pane("car", degree="large", exposed=("head", "left_leg")),
    )
    assert degree_of(()) is None
    assert degree_of(covers[:1]) == "partial"
    assert degree_of(covers) == degree_of(covers[::-1]) == "large"
    assert exposed_by(()) == ("head", "left_arm", "right_arm", "left_leg", "right_leg")
    assert exposed_by(covers) == ("head",)
    require_exposed("head", covers)
    hidden: tuple[tuple[BodyPart, str], ...] = (("left_leg", "bag"), ("left_arm", "car"))
    for part, hiding in hidden:
        with pytest.raises(Refused) as refused:
            require_exposed(part, covers)
        assert refused.value.params == {"part": part, "cover": hiding, "allowed": ["head"]}


def test_over_cover_one_throws_and_does_not_shoot() -> None:
    # «бросить гранату через укрытие, чтобы взорвать на той стороне»
    [term] = [term for term in RULESET.catalogue.terms if term.id == "over_cover"]
    assert (term.en, term.ru) == ("throwing over cover", "бросок через укрытие")
