"""Singers and their Melodies for tests of songs."""

from typing import Any, Final

import msgspec

from service.rulesets.melody_d6.sample import SAMPLE
from tests.kit.given_when_then import Asked, Given, Refusal

Tree = dict[str, Any]

SAMPLE_TREE: Final[Tree] = msgspec.to_builtins(SAMPLE)
ALL_MELODIES: Final = tuple(each["id"] for each in SAMPLE_TREE["melodies"])

NO_REROLL: Final = {"type": "window_skipped", "kind": "reroll", "why": "nobody_eligible"}
NO_DAMPENING: Final = {"type": "window_skipped", "kind": "dampen", "why": "nobody_eligible"}


def voice(*melodies: str, **numbers: int) -> Tree:
    """What a singer can do; without Melodies all of the sample."""
    return {"melodies": list(melodies or ALL_MELODIES), **numbers}


def content(*melodies: Tree, rows: list[list[Tree]] | None = None) -> Tree:
    """The sample with further Melodies, each like one of it (`like`), and another mistake table."""
    known = {each["id"]: each for each in SAMPLE_TREE["melodies"]}
    added = []
    for each in melodies:
        changes = dict(each)
        added.append({**known[changes.pop("like")], **changes})
    tables = SAMPLE_TREE["mistake_tables"]
    if rows is not None:
        tables = [{**tables[0], "rows": rows}]
    return {
        **SAMPLE_TREE,
        "melodies": [*SAMPLE_TREE["melodies"], *added],
        "mistake_tables": tables,
    }


def sing(singer: str, melody: str, **at: Any) -> Tree:
    """A request to sing: `point`, `aim` as pairs, `target` as an id."""
    where = {
        name: value if name == "target" else {"x": value[0], "y": value[1]}
        for name, value in at.items()
    }
    return {"type": "sing", "combatant": singer, "melody": melody, **where}


def answer(battle: Given, choice: Tree, *, by: str = "gm", dice: tuple[int, ...] = ()) -> Asked:
    """Answer the open question."""
    [decision] = battle.table.state.rule.pending[-1].decisions
    return battle.when(
        {"type": "answer", "decision_id": decision.id, "choice": choice}, by=by, dice=dice
    )


def reroll(source: str, *dice: int) -> Tree:
    """The choice to roll these dice again."""
    return {"type": "reroll", "source": source, "dice": list(dice)}


def dampen(combatant: str) -> Tree:
    """The choice to dampen."""
    return {"type": "dampen", "combatant": combatant}


PASS: Final = {"type": "pass"}


def effects(asked: Asked) -> list[Tree]:
    """What happened; fails for a refusal."""
    assert not isinstance(asked.outcome, Refusal), asked.outcome
    return asked.outcome


def told(asked: Asked) -> list[str]:
    """What happened in short: type, and the words that say what.

    Without windows that nobody was asked in, and who is under a template.
    """
    untold = ("window_skipped", "area_resolved")
    return [_short(each) for each in effects(asked) if each["type"] not in untold]


def _short(effect: Tree) -> str:
    names = ("combatant", "unit", "check", "purpose", "resource", "condition", "item", "marker")
    words = [str(effect[name]) for name in (*names, "outcome", "state", "cause") if name in effect]
    if "decision" in effect:
        words.append(effect["decision"]["kind"])
    if "how" in effect:
        words.append(effect["how"])
    if "now" in effect:
        words.append(str(effect["now"]))
    return " ".join([effect["type"], *words])
