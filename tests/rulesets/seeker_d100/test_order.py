"""The order of the lines of an attack."""

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.rules.aim import aim_modifier
from service.rulesets.seeker_d100.rules.called import called_modifier
from service.rulesets.seeker_d100.rules.checks import chance_of, gm_modifier
from service.rulesets.seeker_d100.rules.grapple import held_modifier
from service.rulesets.seeker_d100.rules.order import attack_breakdown


def test_the_lines_of_an_attack_stand_in_their_order() -> None:
    lines = attack_breakdown(
        aim=aim_modifier(1, 2),
        called=called_modifier("large", -20),
        held=held_modifier("called_shot", "melee_weapon", is_held=True, bonus="melee"),
        gm=gm_modifier(5),
    )
    assert [(line.rule, line.amount) for line in lines] == [
        ("SK-AIM-1", 20),
        ("SK-CALL-1", -40),
        ("SK-GRAB-2", 20),
        ("SK-CHECK-1", 5),
    ]
    assert chance_of(50, lines) == 55


def test_what_adds_nothing_is_no_line() -> None:
    only = Modifier(rule="SK-CHECK-1", amount=-10, note="gm")
    lines = attack_breakdown(
        aim=aim_modifier(None, 2), called=called_modifier(None, 0), held=None, gm=gm_modifier(-10)
    )
    assert lines == (only,)
