"""The worked examples of this ruleset: what a step expects, and how a setup is completed.

Every battle is prepared (the order is that of the combatants and the first of them has the turn,
unless stated), so that starting it draws nothing. T is of the blue side, everybody else of the red
one. All effects of a step are compared: attacks and saves as lines of rules and numbers, with the
corner used and what each line meets; the others whole.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tests.kit.examples import Examples, RefusalData, Usual, at_paths

Tree = dict[str, Any]
Line = tuple[str | int, ...]
"""A line of a breakdown: the rule, what it adds, and the rules that made it otherwise."""

Where = tuple[int, int]


class Cover(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a report shows of cover; `lines` are those that meet something, by their ends."""

    grade: str = "none"
    ac: int = 0
    reflex: int = 0
    can_hide: bool = False
    sources: tuple[tuple[str, int, int], ...] = ()
    corner: Where | None = None
    lines: dict[str, tuple[str, ...]] = {}


class Concealment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a report shows of concealment."""

    percent: int = 0
    sources: tuple[Line, ...] = ()
    corner: Where | None = None
    lines: dict[str, tuple[str, ...]] = {}


class Attack(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack. `attack` and `ac` are base, lines and total; `dice` all that were rolled for it.

    What players are not shown of an attack at a cell is in `guess`: another attack, with what
    depends on who is there.
    """

    attacker: str = "a"
    item: str
    mode: str
    opportunity: bool = False
    target: str | None = None
    place: Where | None = None
    outcome: str
    rule: str | None = "TD-SD-2"
    distance_ft: int | None = None
    attack: tuple[int, tuple[Line, ...], int] | None = None
    ac: tuple[int, tuple[Line, ...], int] | None = None
    dice: tuple[tuple[int, int], ...] = ()
    cover: Cover | None = None
    concealment: Concealment | None = None
    partner: str | None = None
    obstructed_by: tuple[str, ...] = ()
    guess: "Attack | None" = None


class Save(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Reflex save: base, lines and what they come to with the die."""

    target: str
    outcome: str
    reflex: int
    lines: tuple[Line, ...] = ()
    die: int
    result: int
    cover: Cover


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come of a step.

    `effects` are all but attacks and areas, in their order; those that are common are words
    (see `whole`). `state` maps a path (`turn`, `t.health`) to the value after the step; null
    represents absent.
    """

    refused: RefusalData | None = None
    attacks: tuple[Attack, ...] = ()
    saves: tuple[Save, ...] = ()
    effects: tuple[Tree | str, ...] = ()
    state: Tree = {}


# --- the setup ------------------------------------------------------------------------------------


def completed(usual: Usual, setup: Tree) -> Tree:
    """The ruleset's own setup from one as the examples state it."""
    combatants = setup["combatants"]
    complete = {**setup, "combatants": [_sheet(usual, *each) for each in combatants.items()]}
    battle = complete.pop("battle")
    if battle is None:
        return complete
    order = battle.get("order", list(combatants))
    entries = [{"combatant": name} for name in order]
    return {**complete, "battle": {"round": 1, "turn": order[0], **battle, "order": entries}}


def _sheet(usual: Usual, name: str, stated: Tree) -> Tree:
    sheet = {"id": name, **usual.combatant, **usual.combatants.get(name, {}), **stated}
    weapons = [{**usual.weapons.get(each["id"], {}), **each} for each in sheet["weapons"]]
    return {**sheet, "weapons": weapons}


# --- what was seen --------------------------------------------------------------------------------


def seen(expect: Expect, effects: list[Tree], refusal: RefusalData | None, state: Tree) -> Expect:
    """What came of a step; of the state, as far as the step has an expectation about it."""
    resolved = [each for each in effects if each["type"] == "attack_resolved"]
    areas = [each for each in effects if each["type"] == "area_resolved"]
    others = [each for each in effects if each not in resolved and each not in areas]
    return Expect(
        refused=refusal,
        attacks=tuple(attack_of(each) for each in resolved),
        saves=tuple(save_of(each) for area in areas for each in area["victims"]),
        effects=tuple(_unkeyed(each) for each in others),
        state=at_paths(state, expect.state),
    )


def attack_of(effect: Tree) -> Attack:
    """An attack as the examples write it."""
    detail = effect["detail"]
    attack = Attack(
        attacker=detail["attacker"],
        item=detail["item"],
        mode=detail["mode"],
        opportunity=detail["opportunity"],
        target=effect.get("target"),
        place=where(effect.get("place")),
        outcome=effect["outcome"],
        rule=effect.get("rule"),
        distance_ft=detail["distance_ft"],
        attack=sum_of(detail, "pool"),
        obstructed_by=tuple(map(part, detail["obstructed_by"])),
        dice=dice_of(detail),
        guess=_guess_of(effect, detail) if "guess" in effect else None,
    )
    return replace(attack, **_about_the_target(detail, detail.get("against", {})))


def _guess_of(effect: Tree, detail: Tree) -> Attack:
    guess = effect["guess"]
    added = {**guess, "base": detail.get("base"), "breakdown": guess["attack_breakdown"]}
    attack = Attack(
        attacker=detail["attacker"],
        item=detail["item"],
        mode=detail["mode"],
        target=guess.get("target"),
        outcome=guess["outcome"],
        rule=None,
        attack=sum_of(added, "pool"),
        dice=dice_of({"miss_chance": guess["miss_chance"]} if "miss_chance" in guess else {}),
    )
    return replace(attack, **_about_the_target(guess, guess))


def _about_the_target(tree: Tree, against: Tree) -> Tree:
    """What an attack says that depends on who is attacked."""
    about: Tree = {"ac": sum_of(against, "needed")}
    if "cover" in tree:
        about["cover"] = cover_of(tree["cover"])
    if "concealment" in tree:
        about["concealment"] = concealment_of(tree["concealment"])
    about["partner"] = tree.get("flanking", {}).get("partner")
    return about


def save_of(victim: Tree) -> Save:
    """A Reflex save as the examples write it."""
    [die] = victim["roll"]["faces"]
    return Save(
        target=victim["target"],
        outcome=victim["outcome"],
        reflex=victim["base"],
        lines=lines_of(victim["breakdown"]),
        die=die,
        result=victim["result"],
        cover=cover_of(victim["cover"]),
    )


def sum_of(tree: Mapping[str, Any], total: str) -> tuple[int, tuple[Line, ...], int] | None:
    """Base, lines and total; None where nothing was added up."""
    if total not in tree:
        return None
    return tree["base"], lines_of(tree["breakdown"]), tree[total]


def lines_of(breakdown: list[Tree]) -> tuple[Line, ...]:
    """Rules and numbers of a breakdown or of a report's sources."""
    return tuple((line["rule"], line["amount"], *line.get("rules", ())) for line in breakdown)


def dice_of(tree: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """Sides and face of each die of an attack, in the order of their rolls."""
    rolls = [tree[name] for name in ("roll", "miss_chance") if name in tree]
    return tuple((roll["sides"], face) for roll in rolls for face in roll["faces"])


def cover_of(report: Tree) -> Cover:
    """A report about cover as the examples write it."""
    sources = [(each["rule"], each["ac"], each["reflex"]) for each in report["sources"]]
    return Cover(
        grade=report["grade"],
        ac=report["ac"],
        reflex=report["reflex"],
        can_hide=report["can_hide"],
        sources=tuple(sources),
        corner=where(report.get("corner")),
        lines=met_lines(report["lines"]),
    )


def concealment_of(report: Tree) -> Concealment:
    """A report about concealment as the examples write it."""
    return Concealment(
        percent=report["percent"],
        sources=lines_of(report["sources"]),
        corner=where(report.get("corner")),
        lines=met_lines(report["lines"]),
    )


def met_lines(lines: list[Tree]) -> dict[str, tuple[str, ...]]:
    """What each line meets, ground before creatures, by the corner at its end."""
    return {
        f"{line['end']['x']},{line['end']['y']}": (
            *map(part, line.get("ground", ())),
            *line.get("combatants", ()),
        )
        for line in lines
    }


def part(ground: Tree) -> str:
    """A cell as `2,0`, a border as `v2,0`."""
    kind = "" if ground["kind"] == "cell" else ground["kind"]
    return f"{kind}{ground['x']},{ground['y']}"


def where(place: Tree | None) -> Where | None:
    """Column and row of a cell or corner."""
    return None if place is None else (place["x"], place["y"])


def _unkeyed(effect: Tree) -> Tree:
    """The same without the id of the key that asked for what waits: each service has its own."""
    if "suspended" not in effect:
        return effect
    suspended = effect["suspended"]
    by = {name: value for name, value in suspended["by"].items() if name != "id"}
    return {**effect, "suspended": {**suspended, "by": by}}


# --- as it is stored ------------------------------------------------------------------------------


def written_out(expect: Expect) -> Expect:
    """What must come of a step, as it is stored."""
    return replace(expect, effects=tuple(whole(each) for each in expect.effects))


def whole(effect: Tree | str) -> Tree:
    """An effect as it is stored, from one as the examples write it."""
    if isinstance(effect, dict):
        return effect
    word, *about = effect.split()
    match word, about:
        case "spent", [combatant, resource]:
            return {
                "type": "resource_changed",
                "combatant": combatant,
                "resource": resource,
                "now": 0,
            }
        case "hurt", [combatant, amount, health, "by", attacker, "with", item]:
            return _hurt(combatant, int(amount), int(health), attacker, item)
        case "turn", [combatant]:
            return {"type": "turn_began", "combatant": combatant}
        case "ended", [combatant]:
            return {"type": "turn_ended", "combatant": combatant, "cause": "ended"}
        case _:
            raise ValueError(effect)


def _hurt(combatant: str, amount: int, health: int, attacker: str, item: str) -> Tree:
    """A wound of 0d6+1 at the usual 100 hit points, doubled by a critical hit."""
    facts = {"roll": 0, "bonus": amount, "damage": amount}
    report: Tree = {"combatant": attacker, "about": "damage", "facts": facts}
    if amount == 2:
        report["rules"] = ["TD-SD-2"]
    return {
        "type": "hurt",
        "rule": "TD-SD-3",
        "combatant": combatant,
        "amount": amount,
        "health": health,
        "band": "hurt",
        "breakdown": [],
        "cause": "attack",
        "source": {"combatant": attacker, "item": item},
        "reports": [report],
    }


EXAMPLES = Examples(
    file=Path(__file__).with_name("examples.json"),
    ids=tuple(f"TD-EX-{number:02}" for number in range(1, 29)),
    expect=Expect,
    completed=completed,
    seen=seen,
    written_out=written_out,
)
