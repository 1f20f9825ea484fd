"""What the story of suppressive fire says in both languages, and of each round alone."""

import pytest

from service.encounters.narrations import narration
from service.engine.log import canonical
from service.engine.narration.names import NO_NAMES
from service.engine.narration.narrator import narrate, narrator_of
from service.engine.vocabulary.catalogue import Language
from service.rulesets.squad_d100 import RULESET
from tests.kit.given_when_then import Given
from tests.kit.table import Table, tree_of
from tests.rulesets.squad_d100.duels import MISSES, RIFLE, duel, suppress

LANGUAGES: tuple[Language, ...] = ("en", "ru")


def stories(table: Table) -> list[str]:
    """The last event in both languages."""
    seq = len(table.events)
    shown = canonical.encode(table.shown(seq, "gm"))
    state, before, viewer = table.behind(seq), table.before(seq), table.viewer("gm")
    return [narration(RULESET, state, before, viewer, shown, language) for language in LANGUAGES]


def fired(*dice: int) -> Given:
    """S, suppressing T with these dice."""
    battle = duel({"weapons": [RIFLE]})
    battle.when(suppress(), dice=dice)
    return battle


@pytest.mark.rule("SQ-SUP-2")
def test_suppressive_fire_without_a_hit_says_how_many_rounds_missed() -> None:
    table = fired(*MISSES).table
    assert stories(table) == [
        "s: shooting phase. s, suppressive fire at t (gun): rounds without a hit, 15."
        " t is pinned down in its next turn, by s.",
        "s: фаза стрельбы. s → t, подавляющий огонь (gun): патронов без попадания — 15."
        " t: подавление на следующий ход; стрелок: s.",
    ]
    shown = tree_of(table.shown(len(table.events), "gm"))
    told = narrator_of(RULESET, "en").sentences(shown, NO_NAMES)
    misses = [each for each in told if each.text == "s, suppressive fire at t: miss, 50."]
    assert len(misses) == len(MISSES)
    assert all(each.is_detail for each in misses)


@pytest.mark.rule("SQ-SUP-3")
def test_many_hits_leave_out_neither_damage_nor_who_is_suppressed() -> None:
    english, russian = stories(fired(1, 1, 1, *MISSES[3:]).table)
    assert "rounds without a hit, 12." in english
    assert "Damage: t 30, broken limb, 70 left; t 30, broken limb, 40 left; t 30" in english
    assert "t is pinned down in its next turn, by s." in english
    assert english.endswith(" more.")
    assert "t: подавление на следующий ход; стрелок: s." in russian


@pytest.mark.rule("SQ-MAP-2")
def test_look_alikes_are_told_apart_by_their_code_points() -> None:
    fold = {"x": 1, "y": 0, "glyph": "\N{LATIN CAPITAL LETTER A}"}
    folds = [{**fold, "read_as": "\N{CYRILLIC CAPITAL LETTER A}"}]
    event = {"effects": [{"type": "glyphs_folded", "folds": folds}]}
    assert narrate(RULESET, event) == (
        "Signs of the map were read as others that they look like:"
        " (1, 0) A (U+0041) as \N{CYRILLIC CAPITAL LETTER A} (U+0410)."
    )
