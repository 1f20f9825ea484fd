"""What sentences say of the tests of this rulebook, as the game master hears it."""

import pytest

from service.encounters.narrations import narration
from service.engine.log import canonical
from service.engine.narration.names import NO_NAMES
from service.engine.narration.narrator import narrator_of
from service.engine.vocabulary.catalogue import Language
from service.rulesets.melody_d6 import RULESET
from tests.kit.given_when_then import Given
from tests.kit.table import Table, tree_of
from tests.rulesets.melody_d6.choirs import Tree, answer, dampen, reroll, sing, voice
from tests.rulesets.melody_d6.skirmishes import in_turn, warrior

LANGUAGES: tuple[Language, ...] = ("en", "ru")


def story(table: Table) -> list[str]:
    """The last event in both languages."""
    seq = len(table.events)
    shown = canonical.encode(table.shown(seq, "gm"))
    state, before, viewer = table.behind(seq), table.before(seq), table.viewer("gm")
    return [narration(RULESET, state, before, viewer, shown, language) for language in LANGUAGES]


def require_told(battle: Given, *sentences: str) -> None:
    """The last event has these sentences, one in each language."""
    for sentence, text in zip(sentences, story(battle.table), strict=True):
        assert sentence in text


def sentences(table: Table, kind: str) -> list[list[str]]:
    """The sentences of effects of a kind in the last event, in both languages."""
    shown = tree_of(table.shown(len(table.events), "gm"))
    told = [narrator_of(RULESET, each).sentences(shown, NO_NAMES) for each in LANGUAGES]
    kinds = [each["type"] for each in shown["effects"]]
    return [[each.text for each, of in zip(one, kinds, strict=True) if of == kind] for one in told]


def choir(**numbers: int) -> Given:
    """A singer a1 with a squad-mate, whose activation is open, and an enemy singer b1."""
    singer = voice("ember_march", **numbers)
    mates = (
        warrior("a1", 10000, 10000, unit="A", singer=singer),
        warrior("a2", 13000, 10000, unit="A"),
    )
    enemy = warrior("b1", 39000, 10000, singer=voice("ember_march"))
    sides = [{"id": "a", "fp": 1}, {"id": "b"}]
    return in_turn(*mates, enemy, unit="A", phase="action", sides=sides)


SONG: Tree = sing("a1", "ember_march", point=(20000, 10000))


@pytest.mark.rule("ML-PANIC-1")
def test_courage_is_what_a_panic_test_may_show_at_most() -> None:
    battle = choir()
    battle.when({"type": "gm_panic_test", "unit": "A"}, dice=(6, 6))
    require_told(
        battle,
        "A, panic: failure, 6 6 = 12, at most 7.",
        "A, паника: провал, 6 6 = 12, не больше 7.",
    )


@pytest.mark.rule("ML-PANIC-4")
def test_courage_is_what_a_rally_may_show_at_most() -> None:
    fleeing = warrior("a1", 20000, 10000, conditions=["fleeing"])
    battle = in_turn(fleeing, warrior("b1", 39000, 10000), side="b")
    battle.when({"type": "end_turn", "side": "b"}, dice=(3, 4))
    require_told(
        battle,
        "A1, rally: success, 3 4 = 7, at most 7.",
        "A1, сбор: успех, 3 4 = 7, не больше 7.",
    )


@pytest.mark.rule("ML-RES-2")
def test_a_resistance_is_told_with_what_it_holds_against_and_its_highest_face() -> None:
    proof = warrior("b1", 20000, 10000, resistances=[{"to": "fire", "value": 2}])
    battle = in_turn(
        warrior("a1", 10000, 10000, singer=voice("ember_march")), proof, unit="A1", phase="action"
    )
    battle.when(SONG, dice=(4, 4, 2))
    require_told(
        battle,
        "b1, Resistance (fire): success, 2, at most 2.",
        "b1, Сопротивление (fire): успех, 2, не больше 2.",
    )


@pytest.mark.rule("ML-SING-7")
@pytest.mark.rule("ML-UI-2")
@pytest.mark.parametrize(
    ("first", "choice", "again", "told"),
    [
        (
            (2, 3),
            reroll("ordinary", 1),
            (4,),
            (
                "failure, 2, 3 → 2, 4 (ordinary reroll), with modifiers 6, needed 7.",
                "провал, 2, 3 → 2, 4 (обычный переброс), с поправками 6, нужно 7.",
            ),
        ),
        (
            (1, 1),
            reroll("united_impulse", 0, 1),
            (1, 1, 3),
            (
                "Terrible Mistake, 1, 1 → 1, 1 (United Impulse), with modifiers 2, needed 7.",
                "Ужасная Ошибка, 1, 1 → 1, 1 (Единый Порыв), с поправками 2, нужно 7.",
            ),
        ),
    ],
)
def test_a_song_rolled_again_is_told_with_all_its_dice_before_and_afterwards(
    first: tuple[int, ...], choice: Tree, again: tuple[int, ...], told: tuple[str, str]
) -> None:
    battle = choir(rerolls_per_round=1)
    battle.when(SONG, dice=first)
    answer(battle, choice, dice=again)
    begins = ("a1, song (Ember March): ", "a1, Мелодия (Марш углей): ")
    require_told(battle, *map("".join, zip(begins, told, strict=True)))


@pytest.mark.rule("ML-SING-5")
def test_monstrous_power_is_told_since_it_succeeds_below_the_difficulty() -> None:
    battle = choir(song_bonus=-10)
    battle.when(SONG, dice=(6, 6))
    require_told(
        battle,
        "a1, song (Ember March): success, Monstrous Power, 6 6 = 12, with modifiers 2, needed 7.",
        "a1, Мелодия (Марш углей): успех, Чудовищная Мощь, 6 6 = 12, с поправками 2, нужно 7.",
    )


@pytest.mark.rule("ML-SING-9")
def test_a_terrible_mistake_is_told_with_its_row() -> None:
    battle = choir()
    battle.when(SONG, dice=(1, 1))
    answer(battle, {"type": "pass"}, dice=(3,))
    require_told(
        battle,
        "Terrible Mistake, 1 1 = 2, with modifiers 2, needed 7. a1: mistake 3. ",
        "Ужасная Ошибка, 1 1 = 2, с поправками 2, нужно 7. a1: ошибка 3. ",
    )


@pytest.mark.rule("ML-DAMP-3")
@pytest.mark.rule("ML-DAMP-4")
@pytest.mark.parametrize(
    ("face", "told"),
    [
        (1, ("automatic failure, 1 1 = 2", "автоматический провал, 1 1 = 2")),
        (6, ("automatic success, 6 6 = 12", "автоматический успех, 6 6 = 12")),
    ],
)
def test_an_automatic_result_of_a_dampening_is_told(face: int, told: tuple[str, str]) -> None:
    battle = choir(song_bonus=10)
    battle.when(SONG, dice=(5, 5))
    answer(battle, {"type": "pass"})
    answer(battle, dampen("b1"), dice=(face, face))
    begins = ("b1, dampening (Ember March): ", "b1, глушение (Марш углей): ")
    require_told(battle, *map("".join, zip(begins, told, strict=True)))


@pytest.mark.rule("ML-LAST-5")
def test_the_dampening_of_a_melody_in_play_is_told_with_its_name() -> None:
    shape = {"kind": "disc", "origin": {"x": 20000, "y": 30000}, "radius": 2500}
    song = {"id": "s1", "melody": "heavy_air", "combatant": "b1", "shape": shape, "round": 1}
    battle = in_turn(
        warrior("a1", 10000, 10000, singer=voice("ember_march")),
        warrior("b1", 39000, 10000, singer=voice("heavy_air")),
        songs=[song],
    )
    battle.when({"type": "dampen_lasting", "combatant": "a1", "song": "s1"}, dice=(3, 4))
    assert sentences(battle.table, "resource_changed") == [
        ["Side a: attempts to dampen lasting Melodies made in this round, 1."],
        ["Сторона a: сделано попыток заглушить длительные Мелодии в этом раунде — 1."],
    ]
    require_told(
        battle,
        "a1, dampening (Heavy Air): failure, 3 4 = 7, with modifiers 7, needed 8.",
        "a1, глушение (Тяжёлый воздух): провал, 3 4 = 7, с поправками 7, нужно 8.",
    )


@pytest.mark.rule("ML-PANIC-3")
def test_a_flight_off_the_table_says_over_which_edge_it_leads() -> None:
    runner = warrior("a1", 3000, 12000, unit="A")
    battle = in_turn(runner, warrior("a2", 30000, 12000), warrior("b1", 39000, 10000))
    battle.when({"type": "gm_panic_test", "unit": "A"}, dice=(6, 6))
    require_told(
        battle,
        "a1 flees over the home edge of its side and has left the table.",
        "a1: бегство за свой край стола, стол покинут.",
    )
