"""Tests that would be taken, with their exact chances."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from service.engine.kit.previews import odds_of
from service.engine.ruleset.definition import Odds
from service.rulesets.melody_d6.deciding.panic import steady_members
from service.rulesets.melody_d6.previews.face_sets import D6
from service.rulesets.melody_d6.previews.facts import ForeseenTest
from service.rulesets.melody_d6.previews.harm_odds import panic_chance
from service.rulesets.melody_d6.previews.knowledge import Asker
from service.rulesets.melody_d6.rules.mobility import passes_mobility
from service.rulesets.melody_d6.rules.panic import Member, nerve_of, spokesman_of
from service.rulesets.melody_d6.rules.resistance import is_resisted
from service.rulesets.melody_d6.rules.templates import PART_NEEDS, is_affected_in_part
from service.rulesets.melody_d6.sheets import Resistance
from service.rulesets.melody_d6.state import Combatant

FACES: Final = tuple(range(1, D6 + 1))


def odds_of_test(chance: Fraction) -> tuple[Odds, Odds]:
    """The chances of a test that succeeds with this one."""
    return odds_of("success", chance), odds_of("failure", 1 - chance)


def foreseen(check: str, combatant: str, chance: Fraction, needed: int) -> ForeseenTest:
    """A test of which everything is known."""
    odds = odds_of_test(chance)
    return ForeseenTest(check=check, combatant=combatant, needed=needed, odds=odds)


def template_chance() -> Fraction:
    """The chance that a warrior who is partly under a template is affected."""
    return Fraction(sum(is_affected_in_part(face) for face in FACES), D6)


def template_test(combatant: str) -> ForeseenTest:
    """The die of whoever is partly under a template: it succeeds where the warrior is affected."""
    return foreseen("template", combatant, template_chance(), PART_NEEDS)


def resistance_chance(value: int) -> Fraction:
    """The chance that a Resistance of this value holds."""
    return Fraction(sum(is_resisted(face, value) for face in FACES), D6)


def resistance_test(combatant: str, resistance: Resistance) -> ForeseenTest:
    """A die of Resistance: it succeeds where the Melody is resisted."""
    chance = resistance_chance(resistance.value)
    return foreseen("resistance", combatant, chance, resistance.value)


def mobility_test(asker: Asker, witness: Combatant) -> tuple[ForeseenTest, Fraction | None]:
    """The Mobility test of a witness, and the chance that it passes, where that is known."""
    if not asker.knows_numbers(witness):
        return ForeseenTest(check="mobility", combatant=witness.id), None
    six_fails = asker.rule.options.mobility_six_fails
    passing = sum(passes_mobility(face, witness.mobility, six_fails=six_fails) for face in FACES)
    chance = Fraction(passing, D6)
    return foreseen("mobility", witness.id, chance, witness.mobility), chance


def panic_test(
    asker: Asker, unit: str, modifier: int, without: str | None = None
) -> ForeseenTest | None:
    """The panic test of a unit, `without` one who is killed before; None where nobody tests."""
    members = [each for each in steady_members(asker.rule, unit) if each.id != without]
    if not members:
        return None
    named = _members(members)
    nerve = nerve_of(named, modifier)
    test = ForeseenTest(check="panic", combatant=spokesman_of(named, nerve.bearer).id)
    if not all(map(asker.knows_numbers, members)):
        return test
    odds = odds_of_test(1 - panic_chance(nerve.needed))
    return replace(test, needed=nerve.needed, odds=odds)


def _members(members: Sequence[Combatant]) -> list[Member]:
    return [Member(each.id, each.courage, each.hidden) for each in members]
