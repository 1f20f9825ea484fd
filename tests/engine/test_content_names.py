"""Things of the content are shown by their names in both languages, untrusted as all names are."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET

from service.engine.narration.names import LONGEST_NAME, NO_NAMES, Names, names_in
from service.engine.narration.narrator import narrate
from service.engine.vocabulary.content_names import ContentNames, Title, title_of
from service.rulesets.melody_d6 import RULESET as MELODY
from service.rulesets.melody_d6.content import NAMES, Blob
from service.rulesets.melody_d6.melodies import Melody
from service.rulesets.melody_d6.sample import SAMPLE
from service.rulesets.melody_d6.weapons import BilingualName, Weapon
from service.rulesets.seeker_d100 import RULESET as SEEKER
from service.rulesets.seeker_d100.content import BUILT_IN, content_blob

RAINBOW: Final = Blob(weapons=SAMPLE.weapons, melodies=SAMPLE.melodies, templates=())
SONG: Final[Mapping[str, Any]] = {
    "type": "check_resolved",
    "combatant": "lena",
    "check": "song",
    "melody": "drum_of_dread",
    "outcome": "success",
}
OVER: Final[Mapping[str, Any]] = {
    "type": "marker_removed",
    "marker": "s7",
    "combatant": "lena",
    "cause": "stopped",
}
IN_PLAY: Final[Mapping[str, Any]] = {"songs": [{"id": "s7", "melody": "heavy_air"}]}


def named(*ids: str, state: Mapping[str, object] = {}, content: object = RAINBOW) -> Names:
    """The names that the reader of an event with these ids knows."""
    return names_in(state, NAMES, content, frozenset(ids))


def melody(melody_id: str, name: BilingualName) -> Melody:
    return Melody(
        id=melody_id,
        name=name,
        colour="red",
        difficulty=7,
        targeting="model",
        effects=(),
        mp_effects=(),
        mistake_table="discord",
    )


def weapon(weapon_id: str, name: BilingualName) -> Weapon:
    return Weapon(id=weapon_id, name=name, kind="melee", strength=3)


def test_a_melody_is_told_by_its_name_in_either_language() -> None:
    event, names = {"effects": [SONG]}, named("drum_of_dread")
    assert narrate(MELODY, event, names) == "lena, song (Drum of Dread): success."
    assert narrate(MELODY, event, names, "ru") == "lena, Мелодия (Барабан ужаса): успех."


def test_without_any_content_at_hand_the_words_of_an_id_are_told() -> None:
    assert narrate(MELODY, {"effects": [SONG]}) == "lena, song (drum of dread): success."
    assert narrate(MELODY, {"effects": [SONG]}, named("drum_of_dread", content=None), "ru") == (
        "lena, Мелодия (drum of dread): успех."
    )


def test_a_melody_in_play_has_the_name_of_the_one_that_is_sung() -> None:
    event = {"effects": [OVER]}
    assert narrate(MELODY, event, named("s7", state=IN_PLAY)) == (
        "The Melody Heavy Air of lena is over (stopped)."
    )
    assert narrate(MELODY, event, named("s7", state=IN_PLAY), "ru") == (
        "lena: Мелодия Тяжёлый воздух прекращена (остановлено)."
    )
    assert narrate(MELODY, event, named("s7")) == "The Melody s7 of lena is over (stopped)."


def test_only_what_an_event_mentions_is_looked_for() -> None:
    assert set(named("drum_of_dread").content) == {
        ("melody", "drum_of_dread"),
        ("resistance", "drum_of_dread"),
        ("item", "drum_of_dread"),
    }
    assert named("nothing") == NO_NAMES


def test_an_id_that_two_kinds_have_is_told_by_a_name_where_its_kind_is_plain() -> None:
    horn, blast = BilingualName(en="Horn", ru="Дудка"), BilingualName(en="Blast", ru="Зов")
    blob = Blob(weapons=(weapon("horn", horn),), melodies=(melody("horn", blast),), templates=())
    content = named("horn", content=blob).content
    assert content["weapon", "horn"] == Title("Horn", "Дудка")
    assert content["melody", "horn"] == Title("Blast", "Зов")
    assert ("item", "horn") not in content


def test_names_of_the_content_are_made_harmless_as_all_that_people_wrote() -> None:
    name = BilingualName(en="Two\nlines\u202e and more", ru="\u05e9\u05e8\u05d4")
    blob = Blob(weapons=(), melodies=(melody("tune", name),), templates=())
    assert named("tune", content=blob).content["melody", "tune"] == Title(
        "Two lines and more", "\u2068\u05e9\u05e8\u05d4\u2069"
    )
    long = BilingualName(en="x" * 200, ru="\u200b")
    of_none = Blob(weapons=(), melodies=(melody("tune", long),), templates=())
    assert named("tune", content=of_none).content == {}
    cut = Blob(weapons=(weapon("tune", BilingualName(en="x" * 200, ru="ы")),), melodies=())
    [english] = {title.en for title in named("tune", content=cut).content.values()}
    assert english == f"{'x' * (LONGEST_NAME - 1)}…"


def test_a_name_in_one_language_is_told_in_the_other_too() -> None:
    assert title_of("Rifle", UNSET) == Title("Rifle", "Rifle")
    assert title_of(UNSET, "Ружьё") == Title("Ружьё", "Ружьё")
    assert title_of(UNSET, UNSET) is None


SHOT: Final[Mapping[str, Any]] = {
    "type": "attack_resolved",
    "target": "b",
    "outcome": "miss",
    "detail": {"attacker": "m", "mode": "attack", "item": "gun"},
}


def test_a_thing_without_a_name_is_called_by_the_sample_that_it_is_one_of() -> None:
    guns = [{"id": "gun", "sample": "w_revolver"}, {"id": "old", "sample": "w_rifle", "name": "N"}]
    blob, state = content_blob(BUILT_IN), {"combatants": [{"id": "m", "weapons": guns}]}
    names = names_in(state, SEEKER.content_names, blob, frozenset())
    assert names.items == {
        ("m", "gun"): Title("revolver", "револьвер"),
        ("m", "old"): Title("N", "N"),
    }
    assert narrate(SEEKER, {"effects": [SHOT]}, names) == "m, attack at b (revolver): miss."
    assert narrate(SEEKER, {"effects": [SHOT]}, names, "ru") == (
        "m → b, атака (револьвер): промах."
    )
    assert narrate(SEEKER, {"effects": [SHOT]}) == "m, attack at b (gun): miss."


def test_bare_hands_are_called_so_even_where_no_content_has_them() -> None:
    for blob in (None, content_blob(BUILT_IN), content_blob(type(BUILT_IN)())):
        names = names_in({}, SEEKER.content_names, blob, frozenset({"w_unarmed"}))
        assert names.item("m", "item", "w_unarmed", "ru") == "голые руки и ноги"


def test_content_of_any_other_shape_names_nothing() -> None:
    for junk in (None, 7, "songs", ["songs"], [{"id": ["s7"], "melody": {}}], [{"id": "s7"}]):
        assert named("s7", state={"songs": junk, "combatants": junk}) == NO_NAMES
    a_map = Blob(width=9, height=9, features=())
    assert named("drum_of_dread", content=a_map) == NO_NAMES
    assert ContentNames().titles(None, ["x"], {}) == {}
