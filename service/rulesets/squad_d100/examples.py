"""Requests that the OpenAPI document shows: a guard and a raider, aliens in a corridor."""

from typing import Final

from service.engine.examples import RequestExample, RequestExamples

_RIFLE: Final = {
    "id": "rifle",
    "kind": "automatic_rifle",
    "ap_class": 3,
    "damage": 20,
    "magazine": 30,
}
_PISTOL: Final = {
    "id": "pistol",
    "kind": "pistol",
    "ap_class": 1,
    "damage": {"count": 2, "sides": 10, "bonus": 4},
    "magazine": 8,
}
_GRENADE: Final = {"id": "frag", "damage": 15, "ap_class": 2, "radius": 1, "count": 2}
_GATE: Final = """\
██████████
█...█....█
█x..D....█
█...█....█
█..E█.~..█
█x.......█
█.....F..█
██████████
"""
_SHOT: Final = {
    "type": "aimed_shot",
    "combatant": "guard",
    "weapon": "rifle",
    "target": "raider",
}

EXAMPLES: Final = RequestExamples(
    create_encounter=(
        RequestExample(
            name="squad_d100",
            says="A battle under way: a guard in cover, and a raider across the yard",
            value={
                "ruleset": "squad-d100",
                "title": "The gate",
                "sides": [{"id": "squad"}, {"id": "raiders"}],
                "seats": [{"id": "olga", "role": "player", "sides": ["squad"]}],
                "setup": {
                    "map": {"text": _GATE},
                    "combatants": [
                        {
                            "id": "guard",
                            "kind": "mercenary",
                            "side": "squad",
                            "place": {"x": 1, "y": 5},
                            "posture": "kneeling",
                            "weapons": [_RIFLE],
                            "grenades": [_GRENADE],
                        },
                        {
                            "id": "raider",
                            "kind": "mercenary",
                            "side": "raiders",
                            "place": {"x": 7, "y": 5},
                            "armour_class": 4,
                            "weapons": [_PISTOL],
                        },
                    ],
                    "battle": {
                        "round": 2,
                        "order": [{"combatant": "guard"}, {"combatant": "raider"}],
                        "turn": "guard",
                    },
                },
            },
        ),
        RequestExample(
            name="squad_d100_pasted_map",
            says="A pasted map: Maxim Gander in cover, two aliens, one of them hidden",
            value={
                "ruleset": "squad-d100",
                "title": "The corridor",
                "sides": [{"id": "squad"}, {"id": "aliens"}],
                "seats": [{"id": "olga", "role": "player", "sides": ["squad"]}],
                "setup": {
                    "options": {"vigilance_reaction": "snap"},
                    "map": {
                        "text": "█████████\n█M.|...А█\n█..x..D.█\n█0..E..А█\n█████████\n",
                        "under": [{"x": 1, "y": 1, "glyph": "x"}],
                        "roster": [
                            {"glyph": "А", "accuracy": 45, "weapons": [_PISTOL]},
                            {"x": 7, "y": 3, "id": "lurker", "hidden": True},
                            {"glyph": "M", "weapons": [_RIFLE], "grenades": [_GRENADE]},
                        ],
                    },
                },
            },
        ),
    ),
    act=(
        RequestExample(
            name="squad_d100_start",
            says="Begin: whoever has no cell is put on a reserved one",
            value={"action": {"type": "start_encounter"}},
        ),
        RequestExample(
            name="squad_d100_stand",
            says="Stand up, for 8 movement points: nobody walks on his knees",
            value={"action": {"type": "stand", "combatant": "guard"}},
        ),
        RequestExample(
            name="squad_d100_move",
            says="Walk two cells; enemies on watch may test and shoot at every step",
            value={
                "action": {
                    "type": "move",
                    "combatant": "guard",
                    "path": [{"x": 2, "y": 5}, {"x": 3, "y": 5}],
                }
            },
        ),
        RequestExample(
            name="squad_d100_shoot",
            says="Shoot; the movement phase is over with it",
            value={"action": _SHOT},
        ),
    ),
    preview=(
        RequestExample(
            name="squad_d100",
            says="What would a shot do? The answer has the modifiers and the exact chances",
            value={"action": _SHOT},
        ),
    ),
    check_map=(
        RequestExample(
            name="a_pasted_map",
            says="A text with a character that only looks like a glyph, which this table folds",
            value={
                "ruleset": "squad-d100",
                "options": {"glyph_folding": "fold"},
                "map": {
                    "text": "█████\n█G.\N{CYRILLIC SMALL LETTER HA}█\n█████\n",
                    "roster": [{"glyph": "G", "agility": 40}],
                },
            },
        ),
    ),
)
