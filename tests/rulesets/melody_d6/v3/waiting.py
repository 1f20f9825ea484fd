"""Battles in which an action of Ann's waits for answers, and changes while it does, by numbers.

Each kind of waiting action is a battle and what leads to it (`WAITING`). Red is Ann's.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from service.engine.vocabulary.values import DiceMode
from service.errors import Malformed, Refused
from tests.kit.random_battles import ask
from tests.kit.table import Table, seated
from tests.rulesets.melody_d6.golden import rectangle
from tests.rulesets.melody_d6.setups import battle_of, fighter
from tests.rulesets.melody_d6.v3.battles import THIRD

Tree = Mapping[str, Any]

REDS: Final = ("r1", "r2", "r3")
BLUES: Final = ("g1", "g2", "b3", "b4")
PEOPLE: Final = (*REDS, *BLUES)
WIDTH, HEIGHT = 20_000, 14_000
VOICE: Final = {"song_dice": 3, "song_bonus": 4, "dampen_bonus": 1}
MELODIES: Final = ("drum_of_dread", "ember_march", "thunder_shove", "mending_round", "heavy_air")


def someone(name: str, unit: str, x: int, y: int, *conditions: str, **more: Any) -> dict[str, Any]:
    """A warrior of three wounds with a rifle, which most of them carry."""
    side = "red" if name in REDS else "blue"
    sheet = fighter(name, side, 0, 0, unit=unit, place={"x": x, "y": y}, **more)
    return {**sheet, "conditions": list(conditions)}


def setup(unit: str, phase: str, **more: Any) -> Tree:
    """Three against four at a wall and a house; `more` are fields of warriors by id."""
    people = [
        someone("r1", "pack", 5000, 6000),
        someone("r2", "pack", 7000, 8200),
        someone("r3", "voice", 4000, 10_500, singer={**VOICE, "melodies": list(MELODIES)}),
        someone("g1", "watch", 12_000, 11_500, "on_guard"),
        someone("g2", "ambush", 11_000, 1500, "on_guard", weapons=["longbow"]),
        someone("b3", "b3", 12_000, 6000, courage=4),
        someone("b4", "b4", 18_000, 12_000, singer={**VOICE, "melodies": list(MELODIES)}),
    ]
    stated = [{**each, **more.get(each["id"], {})} for each in people]
    ground = [
        rectangle("wall", "low_wall", 3000, 6800, 11_000, 7200),
        rectangle("house", "building", 8000, 9500, 9500, 11_000),
    ]
    turn = {"round": 1, "first_side": "red", "turn_side": "red", "turn_unit": unit, "phase": phase}
    return battle_of(
        stated,
        map={"width": WIDTH, "height": HEIGHT, "features": ground},
        battle=turn,
        songs=more.get("songs", []),
        options=more.get("options", {}),
    )


def path(*spots: tuple[int, int]) -> list[Tree]:
    return [{"x": x, "y": y} for x, y in spots]


@dataclass(frozen=True)
class Waiting:
    """A battle about to begin, what Ann does in it, and what is answered before it waits."""

    setup: Tree
    deed: Tree
    answers: tuple[Tree, ...] = ()

    def begun(self, dice: DiceMode = "sealed") -> Table:
        """The battle in which Ann has asked for it."""
        table = seated(THIRD, self.setup, dice=dice)
        table.ask({"type": "start_encounter"})
        table.ask(self.deed, "ann")
        return table

    def table(self) -> Table:
        """The battle in which it waits; nothing may wait where the dice are against it."""
        table = self.begun()
        for choice in self.answers:
            if table.state.rule.pending:
                table.ask(answer_to(table, choice))
        return table


def answer_to(table: Table, choice: Tree) -> Tree:
    """The answer to the open question with this choice."""
    [decision] = table.state.rule.pending[-1].decisions
    return {"type": "answer", "decision_id": decision.id, "choice": choice}


def singer(name: str, rerolls: int) -> Tree:
    return {name: {"singer": {**VOICE, "rerolls_per_round": rerolls, "melodies": list(MELODIES)}}}


MOVE: Final = {"type": "move", "combatant": "r1"}
SING: Final = {"type": "sing", "combatant": "r3"}
DREAD: Final = {**SING, "melody": "drum_of_dread", "target": "b3"}
SHOT: Final = {
    "type": "guard_shoot",
    "combatant": "g1",
    "target": "r1",
    "weapon": "rifle",
    "path_point": {"leg": 0, "permille": 600},
}
DAMPEN: Final = {"type": "dampen", "combatant": "b4"}
VEIL: Final = {
    "id": "air",
    "melody": "heavy_air",
    "combatant": "b4",
    "round": 1,
    "shape": {"kind": "disc", "origin": {"x": 8000, "y": 4000}, "radius": 2500},
}
MASKED: Final = {"r1": {"conditions": ["masked"]}}

WAITING: Final[Mapping[str, Waiting]] = {
    "move": Waiting(setup("pack", "movement"), {**MOVE, "path": path((8000, 5000), (9800, 5500))}),
    "move into an area": Waiting(
        setup("pack", "movement", songs=[VEIL]), {**MOVE, "path": path((8000, 4000))}
    ),
    "move, masked": Waiting(
        setup("pack", "movement", **MASKED), {**MOVE, "path": path((10_500, 6000))}
    ),
    "move out of cover": Waiting(
        setup("pack", "movement", **MASKED), {**MOVE, "path": path((6000, 2000))}
    ),
    "move after a shot": Waiting(
        setup("pack", "movement"), {**MOVE, "path": path((10_500, 5800))}, (SHOT,)
    ),
    "charge": Waiting(
        setup("pack", "movement"),
        {**MOVE, "type": "charge", "target": "b3", "path": path((10_950, 6000))},
    ),
    "charge after a shot": Waiting(
        setup("pack", "movement", **MASKED),
        {**MOVE, "type": "charge", "target": "b3", "path": path((10_950, 6000))},
        (SHOT,),
    ),
    "mask": Waiting(setup("pack", "movement"), {"type": "mask", "combatants": ["r1", "r2"]}),
    "song, before its reroll": Waiting(setup("voice", "action", **singer("r3", 1)), DREAD),
    "song, before its dampening": Waiting(setup("voice", "action"), DREAD),
    "song at a place": Waiting(
        setup("voice", "action"),
        {**SING, "melody": "ember_march", "point": {"x": 12_000, "y": 6500}},
    ),
    "song that lasts": Waiting(
        setup("voice", "action"),
        {**SING, "melody": "heavy_air", "point": {"x": 12_000, "y": 6500}},
    ),
    "ray": Waiting(
        setup("voice", "action"),
        {**SING, "melody": "thunder_shove", "aim": {"x": 12_000, "y": 10_500}},
    ),
    "song at a friend": Waiting(
        setup("voice", "action"), {**SING, "melody": "mending_round", "target": "r2"}
    ),
    "dampening, before its reroll": Waiting(
        setup("voice", "action", **singer("b4", 1)), DREAD, (DAMPEN,)
    ),
    "dampening in play, before its reroll": Waiting(
        setup("voice", "action", songs=[VEIL], **singer("r3", 1)),
        {"type": "dampen_lasting", "combatant": "r3", "song": "air"},
    ),
    "end of the turn": Waiting(
        {**setup("pack", "movement"), "battle": {"round": 1, "turn_side": "red"}},
        {"type": "end_turn", "side": "red"},
    ),
    "reveal": Waiting(setup("pack", "movement", **MASKED), {"type": "unmask", "combatant": "r1"}),
}

# --- what the game master changes -----------------------------------------------------------------

WHO: Final = st.sampled_from(PEOPLE)
CONDITIONS: Final = ("masked", "exposed", "on_guard", "fleeing", "stunned", "dazed", "hoarse")
NUMBERS: Final = {
    "mobility": (0, 1, 4, 6),
    "move": (0, 3000, 5400, 6000, 9000),
    "sight": (2000, 24_000),
    "toughness": (1, 6),
    "courage": (2, 12),
    "health_max": (1, 5),
    "armour": (0, 4),
    "accuracy": (0, 6),
    "melee": (0, 6),
}
SPOTS: Final = (
    (5000, 6000),
    (5000, 4900),
    (6100, 6000),
    (8000, 5000),
    (9000, 5400),
    (9800, 6500),
    (10_700, 4700),
    (11_050, 6000),
    (12_000, 7100),
    (13_000, 6000),
    (4000, 12_000),
    (7000, 10_500),
    (19_400, 600),
    (19_400, 13_400),
    (600, 600),
)


def _of(kind: str, **fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"type": st.just(kind), "combatant": WHO, **fields})


def _stats() -> Iterator[st.SearchStrategy[dict[str, Any]]]:
    for name, values in NUMBERS.items():
        yield _of("stat", stat=st.just(name), value=st.sampled_from(values))


CHANGES: Final = st.one_of(
    _of("hp", value=st.integers(0, 3)),
    _of(
        "place",
        place=st.one_of(
            st.sampled_from([{"x": x, "y": y} for x, y in SPOTS]),
            st.fixed_dictionaries(
                {"x": st.integers(0, WIDTH), "y": st.integers(0, HEIGHT)},
            ),
        ),
    ),
    _of("condition", condition=st.sampled_from(CONDITIONS), holds=st.booleans()),
    _of(
        "resource",
        resource=st.sampled_from(("movement", "action", "rerolls")),
        value=st.integers(0, 1),
    ),
    st.one_of(*_stats()),
    _of("hide"),
    _of("reveal"),
    st.fixed_dictionaries(
        {
            "type": st.just("fp"),
            "side": st.sampled_from(("red", "blue")),
            "value": st.integers(0, 4),
        }
    ),
)
"""Every kind of change that the game master may make."""


def change(table: Table, changes: Sequence[Tree]) -> None:
    """The game master makes those that the rules allow, one by one, as long as something waits."""
    for each in changes:
        if not table.state.rule.pending:
            return
        with suppress(Refused, Malformed):
            ask(table, {"type": "adjust", "changes": [each]})


def settle(table: Table) -> None:
    """Everybody who is asked passes."""
    while table.state.rule.pending:
        table.ask(answer_to(table, {"type": "pass"}))
