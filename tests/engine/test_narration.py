"""Every effect of every ruleset has its sentence, in both languages, from what is seen alone."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import UNSET

from service.api.negotiation import LANGUAGES
from service.engine.narration.combat_sentences import COMBAT_SENTENCES
from service.engine.narration.common_sentences import COMMON_SENTENCES
from service.engine.narration.names import NO_NAMES, Names, names_in
from service.engine.narration.narrator import EffectSentence, narrate, narrator_of
from service.engine.narration.story import FEWEST_OTHERS, MOST_SENTENCES
from service.engine.narration.template import Voice, compiled
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.catalogue import Language, Sentence
from tests.engine.golden_views import BUNDLES, SLUGS, known_words, views
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS, rig_of

SHARED = (*COMBAT_SENTENCES, *COMMON_SENTENCES)
CYRILLIC = {chr(letter) for letter in range(0x0400, 0x0500)}


def effects_of(rig: Rig) -> Iterator[type[fx.Effect]]:
    """Every effect that an event of a ruleset may hold."""
    listed, _ = get_args(get_type_hints(rig.ruleset.event)["effects"])
    yield from get_args(listed)


def tag(effect: type[fx.Effect]) -> str:
    return str(effect.__struct_config__.tag)


def ruleset_of(slug: str) -> Ruleset[Any]:
    return rig_of(slug).ruleset


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_no_effect_is_without_a_sentence_that_needs_no_fact_at_all(rig: Rig) -> None:
    told = (*rig.ruleset.catalogue.sentences, *SHARED)
    for effect in effects_of(rig):
        bare = {"effects": [{"type": tag(effect)}]}
        assert [each.effect for each in told if each.effect == tag(effect)], tag(effect)
        for language in LANGUAGES:
            [sentence] = narrator_of(rig.ruleset, language).sentences(bare, NO_NAMES)
            assert sentence.text != f"{narrator_of(rig.ruleset, language).word(tag(effect))}."


def test_shared_effects_are_told_without_any_ruleset() -> None:
    shared = {tag(each) for each in vars(fx).values() if is_effect(each)}
    assert shared - {each.effect for each in SHARED} == set()


def is_effect(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, fx.Effect) and value is not fx.Effect


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_sentences_name_the_effects_of_their_ruleset_and_are_in_both_languages(rig: Rig) -> None:
    known = {tag(effect) for effect in effects_of(rig)}
    for sentence in rig.ruleset.catalogue.sentences:
        assert sentence.effect in known
        assert_two_languages(sentence)


def test_shared_sentences_are_in_both_languages() -> None:
    for sentence in SHARED:
        assert_two_languages(sentence)


def assert_two_languages(sentence: Sentence) -> None:
    assert not CYRILLIC & set(sentence.en)
    assert sentence.en != sentence.ru
    for text in (sentence.en, sentence.ru):
        compiled(text)
        assert text.endswith((".", ".]]"))
    if sentence.gathered is not UNSET:
        assert not CYRILLIC & set(sentence.gathered.en)
        assert CYRILLIC & set(sentence.gathered.ru)
        for text in (sentence.gathered.en, sentence.gathered.ru):
            compiled(text)
            assert "<<effects" in text or "{effects:count}" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", SLUGS)
def test_whole_battles_are_told_in_terms_of_the_catalogues(slug: str, language: Language) -> None:
    narrator = narrator_of(ruleset_of(slug), language)
    known = known_words(ruleset_of(slug))
    unknown: set[str] = set()

    def noticed(word: str) -> str:
        unknown.update({word} - known)
        return word

    voice = Voice(noticed, noticed, noticed, NO_NAMES, language)
    for viewer in (GAME_MASTER, Viewer(), Viewer(sides=("red",))):
        for kind in ("sealed", "supplied", "rewound", "overruled"):
            bundle = f"{slug}-{kind}.ndjson"
            if not (BUNDLES / bundle).exists():
                continue
            for event in views(bundle, viewer):
                for effect in event["effects"]:
                    assert narrator.sentence(effect, voice).text
                assert not set("{}[]<>|") & set(narrator.story(without_texts(event), NO_NAMES))
    assert unknown == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", SLUGS)
def test_no_story_of_a_battle_leaves_out_who_is_out_of_the_fight(
    slug: str, language: Language
) -> None:
    narrator = narrator_of(ruleset_of(slug), language)
    for event in views(f"{slug}-sealed.ndjson", GAME_MASTER):
        story = narrator.story(event, NO_NAMES)
        for effect in event["effects"]:
            if effect["type"] == "felled":
                assert effect["combatant"] in story
            if effect["type"] == "encounter_ended":
                assert story.endswith(narrator.sentence(effect, narrator.voice(NO_NAMES)).text)


def without_texts(event: dict[str, Any]) -> dict[str, Any]:
    """Texts of people may hold any sign."""
    texts = {"title", "text", "gm_text", "reason"}
    effects = [
        {name: value for name, value in effect.items() if name not in texts}
        for effect in event["effects"]
    ]
    return {**event, "effects": effects}


HIT: Mapping[str, Any] = {
    "seq": 9,
    "effects": [
        {
            "type": "attack_resolved",
            "target": "b",
            "outcome": "hit",
            "detail": {
                "attacker": "m",
                "item": "gun",
                "mode": "ranged",
                "roll": {"sides": 6, "faces": [6, 6, 5], "total": 17},
                "against": {"target": "b", "needed": 15},
            },
        },
        {"type": "hurt", "combatant": "b", "amount": 4, "health": 3, "band": "badly_hurt"},
        {"type": "resource_changed", "combatant": "m", "resource": "actions", "now": 0},
    ],
}
STATE: dict[str, Any] = {
    "combatants": [
        {"id": "m", "name": "Юля", "weapons": [{"id": "gun", "name": "винтовка"}]},
        {"id": "b", "name": "Лёня"},
    ],
    "sides": [{"id": "red", "name": "Заря"}],
}


def test_an_attack_is_told_with_names_and_numbers() -> None:
    ruleset, names = ruleset_of("crossfire-d6"), names_in(STATE)
    assert narrate(ruleset, HIT, names, "ru") == (
        "Юля → Лёня, выстрел (винтовка): попадание, 17 против 15."
        " Лёня: урон 4, осталось 3, тяжело ранен."
    )
    assert narrate(ruleset, HIT) == (
        "m shoots at b (gun): hit, 17 against 15. b: 4 damage, 3 left, badly hurt."
    )


def test_what_is_not_seen_is_not_told() -> None:
    ruleset = ruleset_of("crossfire-d6")
    unseen = {"effects": [{"type": "attack_resolved", "target": "b", "outcome": "miss"}]}
    assert narrate(ruleset, unseen) == "Somebody unseen attacks b: miss."
    assert narrate(ruleset, {"effects": []}) == "Something happens that you do not see."
    assert narrate(ruleset, {"effects": [{"type": "turn_began"}]}, NO_NAMES, "ru") == (
        "Начался ход того, кого вы не видите."
    )


def test_suppression_whose_number_is_hidden_is_told_as_another() -> None:
    changed = {"type": "stat_changed", "combatant": "b", "stat": "suppression"}
    told = {"effects": [changed]}
    assert narrate(ruleset_of("crossfire-d6"), told) == "b: suppression is another now."
    assert narrate(ruleset_of("crossfire-d6"), told, NO_NAMES, "ru") == (
        "b: подавление — теперь другое."
    )


def test_what_was_spent_is_told_where_there_is_nothing_else() -> None:
    [*_, spent] = HIT["effects"]
    ruleset = ruleset_of("crossfire-d6")
    assert narrate(ruleset, {"effects": [spent]}) == "m: actions, 0 left."
    assert narrator_of(ruleset, "ru").sentences({"effects": [spent]}, NO_NAMES) == [
        EffectSentence("m: действия, осталось 0.", is_detail=True)
    ]


@pytest.mark.parametrize("slug", SLUGS)
def test_what_the_game_master_grants_is_told_though_it_is_a_detail_elsewhere(slug: str) -> None:
    granted = {"type": "resource_changed", "combatant": "m", "resource": "x", "now": 2}
    told = narrate(
        ruleset_of(slug), {"effects": [{"type": "adjusted"}, {**granted, "cause": "gm"}]}
    )
    assert told == "The game master overrules; no reason is on record. m: x, 2 left."
    assert narrate(ruleset_of(slug), {"effects": [{"type": "adjusted"}, granted]}) == (
        "The game master overrules; no reason is on record."
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_the_game_master_is_one_at_the_table_and_a_reason_elsewhere(slug: str) -> None:
    seat = {"type": "seat_changed", "seat": {"id": "rosa", "role": "gm"}}
    hidden = {"type": "turn_ended", "combatant": "m", "cause": "gm"}
    assert narrate(ruleset_of(slug), {"effects": [seat, hidden]}, NO_NAMES, "ru") == (
        "Место rosa: ведущий. m: конец хода (решение ведущего)."
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_seats_are_told_by_their_names(slug: str) -> None:
    names = Names(seats={"anna": "Anna K."})
    ruleset = ruleset_of(slug)
    mixed = {"type": "contributed", "seat": "anna", "value": "00"}
    given = {"type": "control_changed", "seat": "anna", "sides": ["red"]}
    asked = {
        "type": "decision_opened",
        "decision": {"id": "7", "seat": "anna", "roll": {"count": 2, "sides": 6, "purpose": "x"}},
    }
    told = [narrate(ruleset, {"effects": [each]}, names) for each in (mixed, given, asked)]
    assert told == [
        "Anna K. mixes 32 bytes of chance into the dice.",
        "Seat Anna K. controls sides red.",
        "Seat Anna K. is asked for dice: 2d6, x (question 7).",
    ]
    assert narrate(ruleset, {"effects": [mixed]}) == (
        "anna mixes 32 bytes of chance into the dice."
    )


def test_seats_of_one_name_are_told_apart_by_their_ids() -> None:
    seats = [{"id": "a", "name": "Ann"}, {"id": "b", "name": "Ann"}, {"id": "c", "name": "Cy"}]
    assert names_in({"seats": seats}).seats == {"a": "Ann (a)", "b": "Ann (b)", "c": "Cy"}


def test_health_that_stays_as_it_was_is_not_told_as_regained() -> None:
    ruleset = rig_of("tactical-d20").ruleset
    judged = {"type": "healed", "combatant": "t", "amount": 0, "health": -12, "band": "down"}
    event = {"effects": [judged]}
    assert narrate(ruleset, event) == "t: -12 health, as before, down."
    assert narrate(ruleset, event, language="ru") == "t: здоровье -12, как и было, повержен."


def test_many_effects_are_counted() -> None:
    effects = [{"type": "round_began", "round": number} for number in range(1, 401)]
    story = narrate(ruleset_of("crossfire-d6"), {"effects": effects})
    assert story == " ".join(
        [
            *(f"Round {number} begins." for number in range(1, MOST_SENTENCES)),
            f"And {400 - MOST_SENTENCES + 1} more.",
        ]
    )


SHELLED = 60
"""Combatants in the blast of these tests."""


def blast(*, health: int | None = None) -> dict[str, Any]:
    """An event in which a blast hurts everybody, fells every third, and ends the battle."""
    struck = [f"g{number}" for number in range(SHELLED)]
    victims = [{"target": each, "outcome": "hit"} for each in struck]
    effects: list[dict[str, Any]] = [
        {"type": "area_resolved", "area": {"kind": "blast"}, "victims": victims}
    ]
    for number, each in enumerate(struck):
        told = {} if health is None else {"amount": 5, "health": health}
        effects.append({"type": "hurt", "combatant": each, "band": "hurt", **told})
        effects.append({"type": "posture_changed", "combatant": each, "posture": "prone"})
        if number % 3 == 0:
            effects.append({"type": "felled", "combatant": each, "state": "dead"})
    return {"effects": [*effects, {"type": "encounter_ended", "winner": "red"}]}


def test_a_long_story_names_everybody_who_is_hurt_and_who_is_dead_and_who_has_won() -> None:
    ruleset = ruleset_of("tactical-d20")
    [area, *_] = narrator_of(ruleset, "en").sentences(blast(), NO_NAMES)
    dead = ", ".join(f"g{number} (dead)" for number in range(0, SHELLED, 3))
    prone = [f"g{number}: posture prone." for number in range(MOST_SENTENCES - 1 - 3 - 1)]
    known = "; ".join(f"g{number} 5, 2 left" for number in range(SHELLED))
    assert narrate(ruleset, blast(health=2)) == " ".join(
        [
            area.text,
            f"Damage: {known}.",
            prone[0],
            f"Out of the fight: {dead}.",
            *prone[1:],
            "The battle is over, side red has won.",
            f"And {SHELLED - len(prone)} more.",
        ]
    )
    unknown = ", ".join(f"g{number} (hurt)" for number in range(SHELLED))
    assert f"Damage taken: {unknown}." in narrate(ruleset, blast())
    russian = narrate(ruleset, blast(health=2), language="ru")
    everyone = "; ".join(f"g{number} 5, осталось 2" for number in range(SHELLED))
    fallen = ", ".join(f"g{number} (мёртв)" for number in range(0, SHELLED, 3))
    assert f" Урон: {everyone}. " in russian
    assert f" Вне боя: {fallen}. " in russian


def test_a_long_story_counts_outcomes_of_combatants_that_its_reader_does_not_see() -> None:
    unseen = {"effects": [{"type": kind} for kind in ("felled", "hurt") for _ in range(30)]}
    assert narrate(ruleset_of("crossfire-d6"), unseen) == (
        "Out of the fight that you do not see: 30. Damage to combatants that you do not see: 30."
    )


def test_outcomes_of_many_kinds_leave_room_for_what_led_to_them() -> None:
    kinds = ("hurt", "healed", "felled", "condition_gained", "combatant_removed")
    known = {"combatant": "a", "state": "dead", "condition": "prone", "amount": 1}
    outcomes = [{"type": kind, **known} for kind in kinds for _ in range(2)]
    others = [{"type": "round_began", "round": number} for number in range(1, 10)]
    story = narrate(ruleset_of("tactical-d20"), {"effects": [*others, *outcomes]})
    assert story == " ".join(
        [
            *(f"Round {number} begins." for number in range(1, FEWEST_OTHERS + 1)),
            "Damage: a 1; a 1.",
            "Health regained: a 1; a 1.",
            "Out of the fight: a (dead), a (dead).",
            "Conditions from now on: a — prone 1; a — prone 1.",
            *["a is out of the battle."] * 2,
            f"And {len(others) - FEWEST_OTHERS} more.",
        ]
    )


def test_names_that_mislead_are_told_with_their_ids() -> None:
    sheets = [
        {"id": "a", "name": "Goblin"},
        {"id": "b", "name": "Goblin"},
        {"id": "c", "name": "a"},
        {"id": "d", "name": "Bork\u202e\n"},
        {"id": "e"},
    ]
    assert names_in({"combatants": sheets}).combatants == {
        "a": "Goblin (a)",
        "b": "Goblin (b)",
        "c": "a (c)",
        "d": "Bork",
    }


def test_whoever_comes_in_is_called_by_its_name() -> None:
    sheet = {"id": "m", "name": "Mara", "side": "red", "place": {"x": 1, "y": 2}}
    event = {"effects": [{"type": "combatant_added", "combatant": sheet}]}
    assert narrate(ruleset_of("crossfire-d6"), event, Names(sides={"red": "Dawn"})) == (
        "Mara is in the battle, side Dawn, at (1, 2)."
    )


JUNK: tuple[Any, ...] = (None, 7, True, "x", [], {}, [None], [[1]], {"x": []}, -(10**40), "\u0000")


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_facts_of_any_shape_are_told_somehow(rig: Rig) -> None:
    paths = ("combatant", "target", "detail", "roll", "entries", "victims", "place", "end", "area")
    for language in LANGUAGES:
        for effect in effects_of(rig):
            for junk in JUNK:
                facts = {"type": tag(effect), **dict.fromkeys(paths, junk), "now": junk}
                deep = {"type": tag(effect), "detail": dict.fromkeys(("roll", "attacker"), junk)}
                assert narrate(rig.ruleset, {"effects": [facts, deep, junk]}, NO_NAMES, language)
    for junk in JUNK:
        assert narrate(rig.ruleset, {"effects": junk})
        assert narrate(rig.ruleset, {"effects": [{"type": junk}]})
        assert names_in({"combatants": junk, "sides": junk}) == NO_NAMES


@pytest.mark.parametrize(
    "template", ["[[a", "a]]", "<<a, {b}", ">>", "{a:no}", "<<a, b||c>>"], ids=repr
)
def test_templates_that_do_not_close_are_refused(template: str) -> None:
    with pytest.raises(ValueError, match=r"missing|nothing|form|unpack"):
        compiled(template)


def test_of_alternatives_the_first_is_told_of_which_all_is_there() -> None:
    voice = Voice(str, str, str, NO_NAMES, "en")
    told = compiled("[[{a}, [[{b}||no b]]||no a]]<<list; {x}[[ ({y})]]>>")
    assert told(voice, {"a": 1, "list": [{"x": "u"}, {"y": "v"}, {"x": "w", "y": 2}]}) == (
        "1, no bu; w (2)"
    )
    assert told(voice, {"list": []}) is None


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (1, "(13000, -450)"),
        (1000, "(13, -0.45)"),
        (4000, "(3.25, -0.1125)"),
        (10**6, "(0.013, -0.00045)"),
        (7, "(1857.142857, -64.285714)"),
    ],
)
def test_places_are_told_in_the_length_that_people_count_in(length: int, told: str) -> None:
    voice = Voice(str, str, str, NO_NAMES, "ru", length)
    assert compiled("{at:place}")(voice, {"at": {"x": 13000, "y": -450}}) == told


def test_places_of_melody_are_told_in_steps() -> None:
    placed = {
        "type": "marker_placed",
        "combatant": "m",
        "melody": "drum",
        "shape": {"origin": {"x": 1501, "y": 2000}},
    }
    told = narrate(ruleset_of("melody-d6"), {"effects": [placed]}, NO_NAMES, "en")
    assert told == "m keeps a Melody in play: drum at (1.501, 2)."


def test_a_watcher_who_is_pinned_down_is_not_told_to_have_noticed_a_target_that_is() -> None:
    noticed = {"type": "vigilance_no_shot", "combatant": "v", "target": "n", "why": "suppressed"}
    event, squad = {"effects": [noticed]}, ruleset_of("squad-d100")
    assert narrate(squad, event) == (
        "v has noticed n and does not shoot: suppressed in this direction."
    )
    assert narrate(squad, event, NO_NAMES, "ru") == (
        "v: замечен n, выстрела нет — подавлен в эту сторону."
    )


@pytest.mark.parametrize(
    ("why", "told", "told_in_russian"),
    [
        ("target_down", "the target is gone", "цели больше нет"),
        ("shooter_down", "shooter down", "стрелок выведен из строя"),
    ],
)
def test_a_round_fired_in_vain_at_an_object_is_told_with_the_objects_cell(
    why: str, told: str, told_in_russian: str
) -> None:
    detail = {"attacker": "s", "mode": "snap", "item": "gun", "why": why}
    wasted = {"type": "attack_resolved", "outcome": "wasted", "place": {"x": 6, "y": 0}}
    event, squad = {"effects": [{**wasted, "detail": detail}]}, ruleset_of("squad-d100")
    assert narrate(squad, event) == f"s, snap shot at (6, 0) (gun): a round in vain, {told}."
    assert narrate(squad, event, NO_NAMES, "ru") == (
        f"s → (6, 0), выстрел навскидку (gun): патрон впустую, {told_in_russian}."
    )
