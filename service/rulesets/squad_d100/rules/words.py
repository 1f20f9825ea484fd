"""Words of the rulebook that are no rule's own."""

from typing import Literal

Posture = Literal["standing", "kneeling"]

Kind = Literal["named", "alien", "mercenary", "civilian", "robot", "scientist", "engineer"]

Character = Literal[
    "vika_greshovski",
    "pavel_grachyov",
    "the_watchman",
    "warrant_officer_kutsenko",
    "kostya_lisitsin",
    "maxim_gander",
    "gennady_pereproshitko",
    "inga_rozhdestvenskaya",
    "sergei_sinitsa",
    "vasily_altshuller",
    "ivan_rusoslavov",
    "daniil_mitrofanov",
    "andrei_taganov",
    "radek_voronich",
    "yegor_shestiruky",
]

NoShot = Literal["no_rounds", "no_line", "suppressed", "reported"]
"""Why a watcher who noticed an enemy does not shoot: an empty magazine, something in between,
fire that pins it down, or a table without reaction shots."""
