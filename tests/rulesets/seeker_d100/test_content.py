"""The samples of the rulebook are those of its tables."""

from msgspec import UNSET

from service.rulesets.seeker_d100.content import BUILT_IN
from service.rulesets.seeker_d100.rules.words import DamageDice, Metres
from service.rulesets.seeker_d100.weapons import WeaponSample

ORDINARY = {
    "w_unarmed": ("unarmed", 1, 4, -1),
    "w_knuckles": ("unarmed", 1, 4, 0),
    "w_knife": ("melee_weapon", 1, 4, 0),
    "w_combat_knife": ("melee_weapon", 1, 6, 0),
    "w_machete": ("melee_weapon", 1, 8, 0),
    "w_pistol_small": ("ranged", 1, 8, 0),
    "w_revolver": ("ranged", 1, 10, 0),
    "w_carbine": ("ranged", 1, 12, 0),
    "w_rifle": ("ranged", 1, 12, 2),
    "w_shotgun": ("ranged", 2, 10, 0),
}
LETHAL = {
    "w_smg": ("ranged", 10, (1, 3)),
    "w_assault_rifle": ("ranged", 10, (1, 3)),
    "w_heavy_rifle": ("ranged", 20, None),
    "w_lmg": ("heavy_weapons", 10, (3, 3)),
    "w_hmg": ("heavy_weapons", 20, (3, 3)),
    "w_grenade": ("athletics", 15, (10, 10)),
    "w_ied": ("demolitions", None, (10, 10)),
}


def samples() -> dict[str, WeaponSample]:
    return {sample.id: sample for sample in BUILT_IN.weapons}


def test_all_weapons_of_both_tables_are_there() -> None:
    assert list(samples()) == [*ORDINARY, *LETHAL]


def test_ordinary_weapons_have_skill_and_damage() -> None:
    for name, (skill, count, sides, bonus) in ORDINARY.items():
        sample = samples()[name]
        dice = DamageDice(count=count, sides=sides, bonus=bonus)
        assert (sample.skill, sample.damage) == (skill, dice)
        assert (sample.lethality, sample.radius) == (UNSET, UNSET)


def test_lethal_weapons_have_skill_rating_and_radius() -> None:
    for name, (skill, rating, radius) in LETHAL.items():
        sample = samples()[name]
        metres = UNSET if radius is None else Metres(min=radius[0], max=radius[1])
        assert (sample.skill, sample.radius) == (skill, metres)
        assert sample.lethality == (UNSET if rating is None else rating)
        assert sample.damage is UNSET


def test_only_the_grenade_is_delivered_otherwise_than_its_skill() -> None:
    stated = {name: each.delivery for name, each in samples().items() if each.delivery is not UNSET}
    assert stated == {"w_grenade": "explosive"}


def test_every_sample_has_its_name_in_both_languages() -> None:
    names = [(sample.en, sample.ru) for sample in BUILT_IN.weapons]
    names += [(sample.en, sample.ru) for sample in BUILT_IN.armour]
    assert all(isinstance(name, str) for pair in names for name in pair)
