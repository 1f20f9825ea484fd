"""Content: the sample is that of the rulebook, and what a creation brings fits together."""

import re

import msgspec
import pytest

from service.errors import Refused
from service.rulesets.melody_d6.content import Blob, Content
from service.rulesets.melody_d6.content_checks import content_blob, content_problems
from service.rulesets.melody_d6.sample import SAMPLE
from service.rulesets.melody_d6.weapons import is_quiet, is_ranged

Tree = dict[str, object]

WEAPONS = {
    "longbow": ("bow", 24000, 1, 3, 0, 1, True),
    "crossbow": ("crossbow", 20000, 1, 4, 1, 1, True),
    "darts": ("dart", 8000, 1, 3, 0, 1, True),
    "rifle": ("firearm", 24000, 1, 4, 1, 1, False),
    "silenced_pistol": ("firearm", 12000, 1, 3, 0, 1, True),
    "volley_gun": ("firearm", 16000, 3, 4, 0, 1, False),
    "blade": ("melee", None, 1, 3, 0, 1, False),
    "halberd": ("melee", None, 1, 4, 1, 1, False),
}
"""Class, range, shots, strength, what it takes off a save, damage, whether it is quiet."""

MELODIES = {
    "ember_march": ("red", 7, "point", "any", "small_round", 18000, True, "instant", "fire"),
    "drum_of_dread": ("orange", 8, "model", "enemy", None, 18000, True, "instant", "fear"),
    "dazzle_chord": ("yellow", 6, "ray", "any", "cone", 0, False, "instant", "light"),
    "mending_round": ("green", 6, "model", "friend", None, 8000, True, "instant", "life"),
    "veil_of_mist": ("sky", 7, "point", "any", "large_round", 12000, True, "lasting", "air"),
    "heavy_air": ("blue", 8, "point", "any", "large_round", 18000, True, "lasting", "air"),
    "thunder_shove": ("violet", 9, "ray", "any", "beam", 0, False, "instant", "thunder"),
}

EFFECTS: dict[str, tuple[list[object], list[object]]] = {
    "ember_march": (
        [{"kind": "wound", "strength": 4, "pen": 0, "damage": 1}],
        [{"kind": "wound", "strength": 6, "pen": 1, "damage": 1}],
    ),
    "drum_of_dread": ([{"kind": "panic", "modifier": 0}], [{"kind": "panic", "modifier": -2}]),
    "dazzle_chord": (
        [{"kind": "daze"}, {"kind": "reveal"}],
        [
            {"kind": "daze"},
            {"kind": "reveal"},
            {"kind": "wound", "strength": 3, "pen": 0, "damage": 1},
        ],
    ),
    "mending_round": ([{"kind": "heal", "amount": 1}], [{"kind": "heal", "amount": 2}]),
    "veil_of_mist": ([{"kind": "mod_hit_at", "delta": -1}], [{"kind": "mod_hit_at", "delta": -2}]),
    "heavy_air": ([{"kind": "mod_move", "delta": -2000}], [{"kind": "mod_move", "delta": -3000}]),
    "thunder_shove": (
        [
            {"kind": "push", "distance": 3000},
            {"kind": "wound", "strength": 3, "pen": 0, "damage": 1},
        ],
        [
            {"kind": "push", "distance": 3000},
            {"kind": "wound", "strength": 5, "pen": 1, "damage": 1},
        ],
    ),
}


def stated(value: object) -> object:
    return None if value is msgspec.UNSET else value


def tree(value: object) -> object:
    """As a client reads it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def test_the_weapons_of_the_sample() -> None:
    laid = {
        each.id: (
            each.kind,
            stated(each.range),
            each.shots,
            each.strength,
            each.pen,
            each.damage,
            is_quiet(each),
        )
        for each in SAMPLE.weapons
    }
    assert laid == WEAPONS
    assert [each.id for each in SAMPLE.weapons if not is_ranged(each)] == ["blade", "halberd"]


def test_the_melodies_of_the_sample() -> None:
    laid = {
        each.id: (
            each.colour,
            each.difficulty,
            each.targeting,
            each.target_side,
            stated(each.template),
            each.range,
            each.needs_los,
            each.duration,
            *each.tags,
        )
        for each in SAMPLE.melodies
    }
    assert laid == MELODIES
    assert {each.mistake_table for each in SAMPLE.melodies} == {"discord"}
    assert not any(each.mp_ignores_resistance for each in SAMPLE.melodies)


def test_the_effects_of_the_sample() -> None:
    laid = {each.id: (tree(each.effects), tree(each.mp_effects)) for each in SAMPLE.melodies}
    assert laid == EFFECTS


def test_the_templates_and_the_mistakes_of_the_sample() -> None:
    assert tree(SAMPLE.templates) == [
        {"shape": "disc", "id": "small_round", "radius": 1500},
        {"shape": "disc", "id": "large_round", "radius": 2500},
        {"shape": "beam", "id": "beam", "length": 8000, "half_width": 1000},
        {"shape": "cone", "id": "cone", "length": 9600, "half_width": 2800},
    ]
    (table,) = SAMPLE.mistake_tables
    wound = {"kind": "wound", "strength": 3, "pen": 0, "damage": 1}
    assert tree(table.rows) == [
        [{"scope": "singer", "effect": {"kind": "damage", "amount": 2}}],
        [{"scope": "singer", "effect": {"kind": "damage", "amount": 1}}],
        [{"scope": "singer", "effect": {"kind": "stun"}}],
        [{"scope": "around", "radius": 3000, "effect": wound}],
        [{"scope": "singer_unit", "effect": {"kind": "panic", "modifier": 0}}],
        [{"scope": "singer", "effect": {"kind": "hoarse", "rounds": 2}}],
    ]


def test_the_sample_is_sound_and_kept_whole() -> None:
    assert list(content_problems(SAMPLE)) == []
    assert content_blob(SAMPLE) == Blob(
        weapons=SAMPLE.weapons,
        melodies=SAMPLE.melodies,
        templates=SAMPLE.templates,
        mistake_tables=SAMPLE.mistake_tables,
    )


RIFLE: Tree = {"id": "rifle", "kind": "firearm", "range": 24000, "strength": 4}
BLADE: Tree = {"id": "blade", "kind": "melee", "strength": 3}
WOUND: Tree = {"kind": "wound", "strength": 3}
SLOW: Tree = {"kind": "mod_move", "delta": -1000}
SONG: Tree = {
    "id": "song",
    "colour": "red",
    "difficulty": 7,
    "targeting": "model",
    "effects": [WOUND],
    "mp_effects": [WOUND],
    "mistake_table": "table",
}
ROUND: Tree = {"shape": "disc", "id": "round", "radius": 1500}
BEAM: Tree = {"shape": "beam", "id": "beam", "length": 8000, "half_width": 1000}
TABLE: Tree = {"id": "table", "rows": [[], [], [], [], [], []]}


def content(**parts: list[Tree]) -> Content:
    """Content with a Melody that fits, but for the parts that are stated."""
    whole = {"melodies": [SONG], "templates": [ROUND, BEAM], "mistake_tables": [TABLE], **parts}
    return msgspec.convert(whole, Content)


def song(**fields: object) -> list[Tree]:
    return [SONG | fields]


def row(**entry: object) -> list[Tree]:
    """A table whose second face does this."""
    return [TABLE | {"rows": [[], [entry], [], [], [], []]}]


MELODY, ROWS = "$.content.melodies[0]", "$.content.mistake_tables[0].rows[1][0]"


@pytest.mark.parametrize(
    ("parts", "reason", "path"),
    [
        ({"weapons": [RIFLE, BLADE, RIFLE]}, "duplicate_id", "$.content.weapons[2].id"),
        ({"melodies": [SONG, SONG]}, "duplicate_id", "$.content.melodies[1].id"),
        (
            {"templates": [ROUND, BEAM | {"id": "round"}]},
            "duplicate_id",
            "$.content.templates[1].id",
        ),
        ({"mistake_tables": [TABLE, TABLE]}, "duplicate_id", "$.content.mistake_tables[1].id"),
        (
            {"weapons": [BLADE | {"silencer": True}]},
            "silencer_not_firearm",
            "$.content.weapons[0].silencer",
        ),
        (
            {"weapons": [{"id": "bow", "kind": "bow", "strength": 3}]},
            "range_missing",
            "$.content.weapons[0].range",
        ),
        ({"weapons": [BLADE | {"range": 1000}]}, "melee_with_range", "$.content.weapons[0].range"),
        ({"melodies": song(targeting="point")}, "template_missing", f"{MELODY}.template"),
        ({"melodies": song(targeting="ray")}, "template_missing", f"{MELODY}.template"),
        (
            {"melodies": song(targeting="ray", template="none")},
            "unknown_reference",
            f"{MELODY}.template",
        ),
        (
            {"melodies": song(targeting="point", template="beam")},
            "template_shape_mismatch",
            f"{MELODY}.template",
        ),
        (
            {"melodies": song(targeting="ray", template="round")},
            "template_shape_mismatch",
            f"{MELODY}.template",
        ),
        ({"melodies": song(template="round")}, "template_shape_mismatch", f"{MELODY}.template"),
        (
            {
                "melodies": song(
                    targeting="ray",
                    template="beam",
                    duration="lasting",
                    effects=[SLOW],
                    mp_effects=[SLOW],
                )
            },
            "lasting_ray",
            f"{MELODY}.duration",
        ),
        (
            {"melodies": song(duration="lasting", effects=[SLOW, WOUND], mp_effects=[SLOW])},
            "lasting_effect_kind",
            f"{MELODY}.effects[1].kind",
        ),
        (
            {"melodies": song(mp_effects=[WOUND, SLOW])},
            "lasting_effect_kind",
            f"{MELODY}.mp_effects[1].kind",
        ),
        ({"melodies": song(mp_effects=[])}, "mp_effects_missing", f"{MELODY}.mp_effects"),
        ({"melodies": song(mistake_table="none")}, "unknown_reference", f"{MELODY}.mistake_table"),
        ({"mistake_tables": row(scope="around", effect=WOUND)}, "mistake_rows", f"{ROWS}.radius"),
        (
            {"mistake_tables": row(scope="singer", radius=0, effect=WOUND)},
            "mistake_rows",
            f"{ROWS}.radius",
        ),
        (
            {"mistake_tables": row(scope="singer_unit", effect=WOUND)},
            "mistake_rows",
            f"{ROWS}.effect",
        ),
    ],
)
def test_content_that_does_not_fit_is_refused_by_place_and_reason(
    parts: dict[str, list[Tree]], reason: str, path: str
) -> None:
    stated = content(**parts)
    found = [
        (each.code, each.params["reason"], each.params["path"]) for each in content_problems(stated)
    ]
    assert found == [("invalid_setup", reason, path)]
    with pytest.raises(Refused) as refused:
        content_blob(stated)
    assert (refused.value.code, refused.value.params["reason"]) == ("invalid_setup", reason)


@pytest.mark.parametrize(
    "parts",
    [
        {"weapons": [RIFLE | {"silencer": True}]},
        {"melodies": song(targeting="point", template="round")},
        {"melodies": song(targeting="ray", template="beam")},
        {"melodies": song(duration="lasting", effects=[SLOW], mp_effects=[SLOW])},
        {"melodies": song(effects=[], mp_effects=[])},
        {"mistake_tables": row(scope="around", radius=0, effect=WOUND)},
        {"mistake_tables": row(scope="singer_unit", effect={"kind": "panic"})},
        {
            "mistake_tables": row(
                scope="around", radius=1000, effect={"kind": "hoarse", "rounds": 1}
            )
        },
    ],
)
def test_content_that_fits(parts: dict[str, list[Tree]]) -> None:
    assert list(content_problems(content(**parts))) == []


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        ({"weapons": [RIFLE | {"quiet": True}]}, "weapons[0]"),
        ({"weapons": [RIFLE | {"strength": 11}]}, "weapons[0].strength"),
        ({"weapons": [RIFLE | {"range": 999}]}, "weapons[0].range"),
        ({"weapons": [RIFLE | {"shots": 1.5}]}, "weapons[0].shots"),
        ({"melodies": song(difficulty=49)}, "melodies[0].difficulty"),
        ({"mistake_tables": [TABLE | {"rows": [[]] * 5}]}, "mistake_tables[0].rows"),
        (
            {"mistake_tables": row(scope="singer", effect=SLOW)},
            "mistake_tables[0].rows[1][0].effect.kind",
        ),
        (
            {"melodies": song(effects=[{"kind": "hoarse", "rounds": 2}])},
            "melodies[0].effects[0].kind",
        ),
    ],
)
def test_what_the_types_rule_out_names_its_place(parts: dict[str, list[Tree]], where: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=re.escape(f"`$.{where}`")):
        content(**parts)


def test_a_melody_must_say_what_monstrous_power_does() -> None:
    with pytest.raises(msgspec.ValidationError, match="mp_effects"):
        content(melodies=[{name: each for name, each in SONG.items() if name != "mp_effects"}])
