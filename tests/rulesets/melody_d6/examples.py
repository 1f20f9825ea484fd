"""The worked examples of this ruleset: what a step expects, and how a setup is completed.

Every battle but those of a start is prepared: round 1, red's turn with 3 FP, the open activation
stated. A warrior who is stated with nothing has the defaults of the catalogue and is a separate
unit; a side of which nobody is named has one who stands far away. All that happens is compared,
described in sentences (`sentences.py`), but for what only says that something was spent.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from tests.kit.examples import Examples, RefusalData, Usual
from tests.rulesets.melody_d6.sentences import opened, rules_named, skipped, told

Tree = dict[str, Any]

FAR: Final = 119_000
"""Where the warrior is of whom nothing is said, in u, on a table of 120,000."""

FLAGS: Final = (
    *("masked", "exposed", "on_guard", "fleeing", "stunned", "dazed"),
    *("attacked", "fleeting"),
)


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come of a step.

    `told` are sentences, all of them in their order. `windows` are the questions that were opened,
    with the side that is asked; `skipped` those that nobody could answer, if it is stated. `rules`
    are some that effects or refusal must name. `state` maps a path (`w.health`, `red.fp`, `songs`)
    to the value after the step.
    """

    refused: RefusalData | None = None
    told: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    skipped: tuple[str, ...] | None = None
    rules: tuple[str, ...] = ()
    state: Tree = {}


# --- the setup ------------------------------------------------------------------------------------


def completed(usual: Usual, setup: Tree) -> Tree:
    """The ruleset's own setup from one as the examples state it."""
    people = _everybody(setup["combatants"])
    battle = setup["battle"]
    fp = {} if battle is None else {"red": 3, "blue": 0, **battle.get("fp", {})}
    complete: Tree = {
        "options": setup["options"],
        "map": _map(setup),
        "sides": _sides(setup.get("home", {}), fp),
        "units": _units(people, battle or {}),
        "combatants": [_sheet(usual, name, each) for name, each in people.items()],
    }
    if "songs" in setup:
        complete["songs"] = setup["songs"]
    if "melodies" in setup:
        complete["content"] = _content(usual.content, setup["melodies"])
    return complete if battle is None else {**complete, "battle": _battle(battle)}


def _everybody(combatants: Tree) -> Tree:
    """Whoever is named, and one of a side of which nobody is."""
    named = {each["side"] for each in combatants.values()}
    others = {f"far_{side}": {"side": side, "place": [FAR, FAR]} for side in ("red", "blue")}
    return combatants | {name: each for name, each in others.items() if each["side"] not in named}


def _map(setup: Tree) -> Tree:
    width, height = setup.get("map", [120_000, 120_000])
    features = [_feature(name, **each) for name, each in setup.get("features", {}).items()]
    return {"width": width, "height": height, "features": features}


def _feature(name: str, rectangle: list[int], **more: object) -> Tree:
    """A feature by two opposite corners."""
    west, north, east, south = rectangle
    corners = [(west, north), (east, north), (east, south), (west, south)]
    return {"id": name, "vertices": [{"x": x, "y": y} for x, y in corners], **more}


def _sides(home: Tree, fp: Mapping[str, int]) -> list[Tree]:
    edges = {"red": "west", "blue": "east", **home}
    sides: list[Tree] = [{"id": side, "home_edge": edges[side]} for side in ("red", "blue")]
    return [{**side, "fp": fp[side["id"]]} if fp else side for side in sides]


def _units(people: Tree, battle: Tree) -> list[Tree]:
    activated = {battle.get("unit"), *battle.get("activated", ())}
    members: dict[str, list[str]] = {}
    sides: dict[str, str] = {}
    for name, each in people.items():
        unit = each.get("unit", name)
        members.setdefault(unit, []).append(name)
        sides[unit] = each["side"]
    return [
        {
            "id": unit,
            "side": sides[unit],
            "kind": "lone" if len(names) == 1 else "squad",
            **({"activated": True} if unit in activated else {}),
        }
        for unit, names in members.items()
    ]


def _sheet(usual: Usual, name: str, stated: Tree) -> Tree:
    """A sheet as clients write it, from one with flags, `wounds` and a place of two numbers."""
    sheet = {"id": name, "unit": name, **usual.combatant, **stated}
    conditions = [flag for flag in FLAGS if sheet.pop(flag, False)]
    if sheet.get("hoarse_until"):
        conditions.append("hoarse")
    x, y = sheet.pop("place")
    health = {"health_max": sheet.pop("wounds")} if "wounds" in sheet else {}
    known = {field: value for field, value in sheet.items() if value is not None}
    return {**known, **health, "place": {"x": x, "y": y}, "conditions": conditions}


def _content(sample: Mapping[str, Any], melodies: Tree) -> Tree:
    """The sample set with further Melodies, each like one of it but for what it states."""
    known = {each["id"]: each for each in sample["melodies"]}
    added = []
    for name, each in melodies.items():
        changes = dict(each)
        added.append({**known[changes.pop("like")], **changes, "id": name})
    return {**sample, "melodies": [*sample["melodies"], *added]}


def _battle(battle: Tree) -> Tree:
    turn = battle.get("side", "red")
    complete: Tree = {"round": battle.get("round", 1), "first_side": "red", "turn_side": turn}
    if battle.get("unit"):
        complete |= {"turn_unit": battle["unit"], "phase": battle["phase"]}
        complete |= {"mask_declared": battle.get("mask_declared", False)}
    return complete


# --- what was seen --------------------------------------------------------------------------------


def seen(expect: Expect, effects: list[Tree], refusal: RefusalData | None, state: Tree) -> Expect:
    """What came of a step; of the state and the rules, as far as the step expects something."""
    named = rules_named(effects)
    if refusal is not None:
        named |= {refusal.rule} if refusal.rule else set()
        facts = expect.refused is not None and expect.refused.params
        refusal = refusal if facts else replace(refusal, params={})
    return Expect(
        refused=refusal,
        told=tuple(told(effects)),
        windows=tuple(opened(effects)),
        skipped=None if expect.skipped is None else tuple(skipped(effects)),
        rules=tuple(rule for rule in expect.rules if rule in named),
        state={path: value_at(state, path) for path in expect.state},
    )


def value_at(state: Tree, path: str) -> object:
    """The value of a state at a path: `songs` counts those in play, `red.fp`, `w.masked`."""
    if path == "songs":
        return len(state["songs"])
    whose, _, name = path.partition(".")
    forces = {each["side"]: each for each in state["forces"]}
    if whose in forces:
        return forces[whose][name]
    [sheet] = [each for each in state["combatants"] if each["id"] == whose]
    match name:
        case "place":
            return [sheet["place"]["x"], sheet["place"]["y"]]
        case "presence":
            gone = [word for word in ("out", "fled") if word in sheet["conditions"]]
            return gone[0] if gone else "table"
        case _ if name in FLAGS:
            return name in sheet["conditions"]
        case _:
            return sheet[name]


def written_out(expect: Expect) -> Expect:
    """What must come of a step, as it is."""
    return expect


EXAMPLES: Final = Examples(
    file=Path(__file__).with_name("examples.json"),
    ids=tuple(f"ML-EX-{number:02}" for number in range(1, 84)),
    expect=Expect,
    completed=completed,
    seen=seen,
    written_out=written_out,
)
