"""SQ-MAP-5 and the legend by code point: units, named characters, look-alikes of glyphs.

How this works. The glyphs are those of the source text, byte by byte: the alien is a Cyrillic
letter among Latin ones, Maxim Gander a Latin letter among Cyrillic ones. What merely looks like a
glyph is another character; the option `glyph_folding` says which of those are read as the glyph.
No two glyphs of the legend look alike, so that no fold is in doubt. Nothing is ever normalised.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from msgspec import Struct

from service.rulesets.squad_d100.rules.terrain import TERRAINS
from service.rulesets.squad_d100.rules.words import Character, Kind

SQ_MAP_5: Final = "SQ-MAP-5"

GlyphFolding = Literal["repair", "strict", "fold"]
"""Which look-alikes are read as glyphs: the two of the source text's own, none, or all that are
known.
"""


class UnitGlyph(Struct, frozen=True, kw_only=True):
    """What a glyph says of whoever stands on its cell; the side is what it is by default."""

    kind: Kind
    side: str
    character: Character | None = None
    name: str | None = None


def _named(character: Character, name: str) -> UnitGlyph:
    return UnitGlyph(kind="named", side="squad", character=character, name=name)


UNITS: Final[Mapping[str, UnitGlyph]] = MappingProxyType(
    {
        "\N{CYRILLIC CAPITAL LETTER A}": UnitGlyph(kind="alien", side="aliens"),
        "G": UnitGlyph(kind="mercenary", side="squad"),
        "i": UnitGlyph(kind="civilian", side="neutral"),
        "R": UnitGlyph(kind="robot", side="squad"),
        "S": UnitGlyph(kind="scientist", side="neutral"),
        "U": UnitGlyph(kind="engineer", side="neutral"),
        "\N{CYRILLIC CAPITAL LETTER VE}": _named("vika_greshovski", "Vika Greshovski"),
        "\N{CYRILLIC CAPITAL LETTER GHE}": _named("pavel_grachyov", "Pavel Grachyov"),
        "\N{CYRILLIC CAPITAL LETTER I}": _named("the_watchman", "The Watchman"),
        "\N{CYRILLIC CAPITAL LETTER KA}": _named(
            "warrant_officer_kutsenko", "Warrant Officer Kutsenko"
        ),
        "\N{CYRILLIC CAPITAL LETTER EL}": _named("kostya_lisitsin", "Kostya Lisitsin"),
        "\N{LATIN CAPITAL LETTER M}": _named("maxim_gander", "Maxim Gander"),
        "\N{CYRILLIC CAPITAL LETTER PE}": _named("gennady_pereproshitko", "Gennady Pereproshitko"),
        "\N{CYRILLIC CAPITAL LETTER ER}": _named("inga_rozhdestvenskaya", "Inga Rozhdestvenskaya"),
        "\N{CYRILLIC CAPITAL LETTER ES}": _named("sergei_sinitsa", "Sergei Sinitsa"),
        "\N{CYRILLIC CAPITAL LETTER TE}": _named("vasily_altshuller", "Vasily Altshuller"),
        "\N{CYRILLIC CAPITAL LETTER U}": _named("ivan_rusoslavov", "Ivan Rusoslavov"),
        "\N{CYRILLIC CAPITAL LETTER EF}": _named("daniil_mitrofanov", "Daniil Mitrofanov"),
        "\N{CYRILLIC CAPITAL LETTER TSE}": _named("andrei_taganov", "Andrei Taganov"),
        "\N{CYRILLIC CAPITAL LETTER CHE}": _named("radek_voronich", "Radek Voronich"),
        "\N{CYRILLIC CAPITAL LETTER SHA}": _named("yegor_shestiruky", "Yegor Shestiruky"),
    }
)
"""Units by glyph, in the order of the legend; sides are defaults, not in the source text."""

GLYPHS: Final = frozenset((*TERRAINS, *UNITS))
"""The code points of the legend."""

_REPAIRS: Final[Mapping[str, str]] = {
    "\N{LATIN CAPITAL LETTER A}": "\N{CYRILLIC CAPITAL LETTER A}",
    "\N{CYRILLIC CAPITAL LETTER EM}": "\N{LATIN CAPITAL LETTER M}",
}
"""The look-alikes of the two letters that the source text has from the other alphabet."""

_LIKENESSES: Final[Mapping[str, str]] = {
    "\N{LATIN CAPITAL LETTER B}": "\N{CYRILLIC CAPITAL LETTER VE}",
    "\N{LATIN CAPITAL LETTER C}": "\N{CYRILLIC CAPITAL LETTER ES}",
    "\N{LATIN CAPITAL LETTER K}": "\N{CYRILLIC CAPITAL LETTER KA}",
    "\N{LATIN CAPITAL LETTER P}": "\N{CYRILLIC CAPITAL LETTER ER}",
    "\N{LATIN CAPITAL LETTER T}": "\N{CYRILLIC CAPITAL LETTER TE}",
    "\N{LATIN CAPITAL LETTER Y}": "\N{CYRILLIC CAPITAL LETTER U}",
    "\N{CYRILLIC CAPITAL LETTER IE}": "\N{LATIN CAPITAL LETTER E}",
    "\N{CYRILLIC CAPITAL LETTER DZE}": "\N{LATIN CAPITAL LETTER S}",
    "\N{CYRILLIC CAPITAL LETTER HA}": "\N{LATIN CAPITAL LETTER X}",
    "\N{CYRILLIC SMALL LETTER HA}": "\N{LATIN SMALL LETTER X}",
    "\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}": "\N{LATIN SMALL LETTER I}",
    "\N{LATIN CAPITAL LETTER O}": "\N{DIGIT ZERO}",
    "\N{CYRILLIC CAPITAL LETTER O}": "\N{DIGIT ZERO}",
}
"""All other characters that are read as glyphs with `fold`."""

FOLDS: Final[Mapping[GlyphFolding, Mapping[str, str]]] = MappingProxyType(
    {"repair": _REPAIRS, "strict": {}, "fold": {**_REPAIRS, **_LIKENESSES}}
)
"""What is read as which glyph, by the option `glyph_folding`."""


def unit_of(glyph: str) -> UnitGlyph | None:
    """SQ-MAP-5: who stands on a cell with this glyph, one combatant each; None: it is terrain.

    The glyph of a named character is that character, whom a battle has once.
    Source: «Чужие (А)» … «Егор Шестирукий (Ш)».
    """
    return UNITS.get(glyph)


def meaning_of(glyph: str) -> str:
    """The character, kind or terrain that a glyph of the legend stands for, by its word."""
    unit = UNITS.get(glyph)
    if unit is None:
        return TERRAINS[glyph]
    return unit.kind if unit.character is None else unit.character


def glyph_of(kind: Kind, character: Character | None) -> str:
    """The glyph of a kind, or of a named character.

    Raises ValueError for a named one without a character.
    """
    for glyph, unit in UNITS.items():
        if unit.kind == kind and unit.character == character:
            return glyph
    raise ValueError(f"no glyph for {kind} {character}")
