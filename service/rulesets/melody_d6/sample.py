"""The content set `sample-rainbow-v1`: weapons, Melodies, templates and mistakes to play with.

All of it is a default of this service, not in the source text, which has no Melodies.
"""

from typing import Final

from service.rulesets.melody_d6.content import Content
from service.rulesets.melody_d6.melodies import (
    BeamTemplate,
    ConeTemplate,
    DiscTemplate,
    Hoarseness,
    Melody,
    MelodyDamage,
    MelodyDaze,
    MelodyHeal,
    MelodyPanic,
    MelodyPush,
    MelodyReveal,
    MelodyStun,
    MelodyWound,
    MistakeEntry,
    MistakeTable,
    ModHitAt,
    ModMove,
)
from service.rulesets.melody_d6.weapons import BilingualName, Weapon

SAMPLE_NAME: Final = "sample-rainbow-v1"
"""What the rulebook calls this content."""

DISCORD: Final = "discord"
"""The mistake table of all its Melodies."""


def _named(en: str, ru: str) -> BilingualName:
    return BilingualName(en=en, ru=ru)


_WEAPONS: Final = (
    Weapon(
        id="longbow", name=_named("Longbow", "Длинный лук"), kind="bow", range=24_000, strength=3
    ),
    Weapon(
        id="crossbow",
        name=_named("Crossbow", "Арбалет"),
        kind="crossbow",
        range=20_000,
        strength=4,
        pen=1,
    ),
    Weapon(id="darts", name=_named("Darts", "Дротики"), kind="dart", range=8000, strength=3),
    Weapon(
        id="rifle",
        name=_named("Rifle", "Винтовка"),
        kind="firearm",
        range=24_000,
        strength=4,
        pen=1,
    ),
    Weapon(
        id="silenced_pistol",
        name=_named("Silenced pistol", "Пистолет с глушителем"),
        kind="firearm",
        silencer=True,
        range=12_000,
        strength=3,
    ),
    Weapon(
        id="volley_gun",
        name=_named("Volley gun", "Картечница"),
        kind="firearm",
        range=16_000,
        shots=3,
        strength=4,
    ),
    Weapon(id="blade", name=_named("Blade", "Клинок"), kind="melee", strength=3),
    Weapon(id="halberd", name=_named("Halberd", "Алебарда"), kind="melee", strength=4, pen=1),
)

_MELODIES: Final = (
    Melody(
        id="ember_march",
        name=_named("Ember March", "Марш углей"),
        colour="red",
        difficulty=7,
        targeting="point",
        template="small_round",
        range=18_000,
        tags=("fire",),
        effects=(MelodyWound(strength=4),),
        mp_effects=(MelodyWound(strength=6, pen=1),),
        mistake_table=DISCORD,
    ),
    Melody(
        id="drum_of_dread",
        name=_named("Drum of Dread", "Барабан ужаса"),
        colour="orange",
        difficulty=8,
        targeting="model",
        target_side="enemy",
        range=18_000,
        tags=("fear",),
        effects=(MelodyPanic(),),
        mp_effects=(MelodyPanic(modifier=-2),),
        mistake_table=DISCORD,
    ),
    Melody(
        id="dazzle_chord",
        name=_named("Dazzle Chord", "Слепящий аккорд"),
        colour="yellow",
        difficulty=6,
        targeting="ray",
        template="cone",
        needs_los=False,
        tags=("light",),
        effects=(MelodyDaze(), MelodyReveal()),
        mp_effects=(MelodyDaze(), MelodyReveal(), MelodyWound(strength=3)),
        mistake_table=DISCORD,
    ),
    Melody(
        id="mending_round",
        name=_named("Mending Round", "Круг исцеления"),
        colour="green",
        difficulty=6,
        targeting="model",
        target_side="friend",
        range=8000,
        tags=("life",),
        effects=(MelodyHeal(amount=1),),
        mp_effects=(MelodyHeal(amount=2),),
        mistake_table=DISCORD,
    ),
    Melody(
        id="veil_of_mist",
        name=_named("Veil of Mist", "Пелена тумана"),
        colour="sky",
        difficulty=7,
        targeting="point",
        template="large_round",
        range=12_000,
        duration="lasting",
        tags=("air",),
        effects=(ModHitAt(delta=-1),),
        mp_effects=(ModHitAt(delta=-2),),
        mistake_table=DISCORD,
    ),
    Melody(
        id="heavy_air",
        name=_named("Heavy Air", "Тяжёлый воздух"),
        colour="blue",
        difficulty=8,
        targeting="point",
        template="large_round",
        range=18_000,
        duration="lasting",
        tags=("air",),
        effects=(ModMove(delta=-2000),),
        mp_effects=(ModMove(delta=-3000),),
        mistake_table=DISCORD,
    ),
    Melody(
        id="thunder_shove",
        name=_named("Thunder Shove", "Громовой толчок"),
        colour="violet",
        difficulty=9,
        targeting="ray",
        template="beam",
        needs_los=False,
        tags=("thunder",),
        effects=(MelodyPush(distance=3000), MelodyWound(strength=3)),
        mp_effects=(MelodyPush(distance=3000), MelodyWound(strength=5, pen=1)),
        mistake_table=DISCORD,
    ),
)

_TEMPLATES: Final = (
    DiscTemplate(id="small_round", radius=1500),
    DiscTemplate(id="large_round", radius=2500),
    BeamTemplate(id="beam", length=8000, half_width=1000),
    ConeTemplate(id="cone", length=9600, half_width=2800),
)

_DISCORD: Final = MistakeTable(
    id=DISCORD,
    name=_named("Discord", "Разлад"),
    rows=(
        (MistakeEntry(scope="singer", effect=MelodyDamage(amount=2)),),
        (MistakeEntry(scope="singer", effect=MelodyDamage(amount=1)),),
        (MistakeEntry(scope="singer", effect=MelodyStun()),),
        (MistakeEntry(scope="around", radius=3000, effect=MelodyWound(strength=3)),),
        (MistakeEntry(scope="singer_unit", effect=MelodyPanic()),),
        (MistakeEntry(scope="singer", effect=Hoarseness(rounds=2)),),
    ),
)

SAMPLE: Final = Content(
    weapons=_WEAPONS, melodies=_MELODIES, templates=_TEMPLATES, mistake_tables=(_DISCORD,)
)
"""The content of a battle that brings none of its own."""
