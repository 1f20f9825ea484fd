"""The effects of a battle as the worked examples tell them: one sentence each.

What is asked, and what nobody could answer, is distinguished (`opened`, `skipped`). No sentence is
made of effects that only say that movement, action, rerolls or attempts were spent, that a phase
began, that a question is closed, or what the game master did.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

Tree = dict[str, Any]

UNTOLD: Final = frozenset(
    {
        "adjusted",
        "decision_closed",
        "decision_opened",
        "encounter_started",
        "mask_declared",
        "order_set",
        "phase_changed",
        "song_dampening",
        "unit_spent",
        "window_skipped",
    }
)
SPENT: Final = frozenset({"action", "dampening", "movement", "rerolls"})


def told(effects: list[Tree]) -> Iterator[str]:
    """What happened, in sentences."""
    for effect in effects:
        kind = effect["type"]
        if kind in UNTOLD or (kind == "resource_changed" and effect["resource"] in SPENT):
            continue
        yield from SENTENCES[kind](effect)


def opened(effects: list[Tree]) -> Iterator[str]:
    """The questions that were opened: kind, side asked, and the trigger of a guard window."""
    for effect in effects:
        if effect["type"] == "decision_opened":
            decision = effect["decision"]
            trigger = decision.get("context", {}).get("trigger")
            yield " ".join(filter(None, (decision["kind"], decision.get("side"), trigger)))


def skipped(effects: list[Tree]) -> Iterator[str]:
    """The windows in which nobody could answer."""
    return (effect["kind"] for effect in effects if effect["type"] == "window_skipped")


def rules_named(value: Any) -> set[str]:
    """The ids of rules that stand in effects as `rule`, or in a list of `rules`."""
    if isinstance(value, list):
        return {rule for each in value for rule in rules_named(each)}
    if not isinstance(value, dict):
        return set()
    own = {value["rule"]} if isinstance(value.get("rule"), str) else set()
    listed = set(value["rules"]) if isinstance(value.get("rules"), list) else set()
    return own | listed | {rule for each in value.values() for rule in rules_named(each)}


def faces(roll: Tree) -> str:
    """The faces of a roll, each of which is drawn."""
    assert len(roll["faces"]) == sum(run.get("count", len(roll["faces"])) for run in roll["draws"])
    assert sum(roll["faces"]) >= roll["total"]
    return " ".join(map(str, roll["faces"]))


def where(place: Tree) -> str:
    """The two numbers of a point."""
    return f"{place['x']},{place['y']}"


def _check(effect: Tree) -> Iterator[str]:
    yield CHECKS[effect["check"]](effect)


def _sung(effect: Tree) -> str:
    reroll = effect.get("reroll")
    again = f"; {reroll['source']} {faces(reroll['roll'])}" if reroll else ""
    words = (
        effect["outcome"],
        effect.get("classification"),
        effect.get("automatic") and "automatic",
    )
    marks = " ".join(word for word in words if word and word != "none")
    if effect.get("automatic") == "none":
        marks = marks.removesuffix(" automatic")
    total = f"{effect['total']} of {effect['needed']}"
    who = f"{effect['check']} {effect['combatant']}"
    return f"{who}: {faces(effect['roll'])}{again} = {total}, {marks}"


def _tested(effect: Tree) -> str:
    if "roll" not in effect:
        sought = " ".join(each["target"] for each in effect["tested"])
        return f"out of reach {effect['combatant']} of {sought}"
    found = [each["target"] for each in effect["tested"] if each["detected"]]
    names = " ".join(found) or "nobody"
    return f"detection {effect['combatant']}: {faces(effect['roll'])} = {effect['total']}, {names}"


def _courage(effect: Tree) -> str:
    what = f"{effect['check']} {effect['unit']}"
    return f"{what}: {faces(effect['roll'])} of {effect['needed']}, {effect['outcome']}"


def _needing(effect: Tree) -> str:
    what = (effect["check"], effect["combatant"], effect.get("resistance"))
    needed = f" of {effect['needed']}" if effect["check"] != "template" else ""
    named = " ".join(filter(None, what))
    return f"{named}: {faces(effect['roll'])}{needed}, {effect['outcome']}"


CHECKS: Final[dict[str, Callable[[Tree], str]]] = {
    "song": _sung,
    "dampening": _sung,
    "detection": _tested,
    "panic": _courage,
    "rally": _courage,
    "mobility": _needing,
    "resistance": _needing,
    "template": _needing,
    "wound": _needing,
    "save": _needing,
}


def _attack(effect: Tree) -> Iterator[str]:
    detail = effect["detail"]
    what = "fight" if detail["mode"] == "fight" else "shot"
    who = " ".join(filter(None, (what, detail["attacker"], detail.get("item"))))
    own = f"{faces(detail['roll'])} [{_modifiers(detail)}]"
    if what == "fight":
        against = detail["against"]
        own += f" against {faces(against['roll'])} [melee{against['base']:+}]"
    yield f"{who} > {effect['target']}: {own} {effect['outcome']}"
    for part in ("wounds", "saves"):
        if part in detail:
            yield _harm(detail[part])


def _harm(further: Tree) -> str:
    outcome = "success" if further["successes"] else "failure"
    who = f"{further['purpose']} {further['target']}"
    return f"{who}: {faces(further['roll'])} of {further['needed']}, {outcome}"


def _modifiers(detail: Tree) -> str:
    name = "melee" if detail["mode"] == "fight" else "accuracy"
    base = [f"{name}{detail['base']:+}"] if detail.get("base") else []
    lines = [f"{each.get('note')}{each['amount']:+}" for each in detail.get("breakdown", ())]
    return " ".join([*base, *lines])


def _area(effect: Tree) -> Iterator[str]:
    """Whom a template covers; nothing if it is nobody."""
    victims = [f"{each['target']} {each['outcome']}" for each in effect["victims"]]
    if victims:
        yield " ".join((effect["area"]["kind"], *victims))


def _moved(effect: Tree) -> Iterator[str]:
    way = " ".join(map(where, effect["path"])) or where(effect["end"])
    assert way.endswith(where(effect["end"])), "the end is the last point of the way"
    text = f"{effect['combatant']} {effect['manner']} {way}"
    if effect["manner"] in ("move", "charge"):
        text += f" for {effect['cost']}"
    yield text if effect["complete"] else f"{text}, cut {effect['cause']}"


def _condition(effect: Tree) -> Iterator[str]:
    sign = "+" if effect["type"] == "condition_gained" else "-"
    words = [effect["combatant"], sign + effect["condition"]]
    words += [str(effect[name]) for name in ("amount", "item") if name in effect]
    if sign == "-" and effect["condition"] in ("masked", "on_guard"):
        words.append(effect["cause"])
    yield " ".join(words)


def _hurt(effect: Tree) -> Iterator[str]:
    yield f"{effect['combatant']} -{effect['amount']} to {effect['health']}"


def _rolled(effect: Tree) -> Iterator[str]:
    who = effect.get("combatant") or effect.get("side")
    if effect["purpose"] == "mistake":
        yield f"mistake {who}: {faces(effect['roll'])}"
    else:
        yield f"rolled {effect['purpose']} {who}: {faces(effect['roll'])}"


def _turn(effect: Tree) -> Iterator[str]:
    yield f"turn {effect['side']}" + (" ends" if effect["type"] == "turn_ended" else "")


def _activation(effect: Tree) -> Iterator[str]:
    yield f"activation {effect['unit']}" + (" ends" if effect["type"] == "activation_ended" else "")


def _ended(effect: Tree) -> Iterator[str]:
    yield f"ends {effect.get('winner', 'draw')}"


SENTENCES: Final[dict[str, Callable[[Tree], Iterator[str]]]] = {
    "action_stopped": lambda effect: iter(
        [f"{effect['combatant']} goes no further: {effect['code']}"]
    ),
    "activation_began": _activation,
    "activation_ended": _activation,
    "area_resolved": _area,
    "attack_resolved": _attack,
    "check_resolved": _check,
    "condition_gained": _condition,
    "condition_lost": _condition,
    "encounter_ended": _ended,
    "felled": lambda effect: iter([f"{effect['combatant']} {effect['state']}"]),
    "healed": lambda effect: iter(
        [f"{effect['combatant']} +{effect['amount']} to {effect['health']}"]
    ),
    "hurt": _hurt,
    "marker_placed": lambda effect: iter([f"song {effect['melody']} of {effect['combatant']}"]),
    "marker_removed": lambda effect: iter([f"song ends {effect['cause']}"]),
    "moved": _moved,
    "resource_changed": lambda effect: iter([f"{effect['side']} fp {effect['now']}"]),
    "rolled": _rolled,
    "stat_changed": lambda effect: iter(
        [f"{effect['combatant']} {effect['stat']} {effect['now']}"]
    ),
    "round_began": lambda effect: iter([f"round {effect['round']}"]),
    "turn_began": _turn,
    "turn_ended": _turn,
}
