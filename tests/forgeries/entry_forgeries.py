"""Entries added to parts by whoever has every key of the service: parts only add.

Each entry sets what is there, or a text at no place of text. It lies in the event of an attack, and
all later events are hashed, linked and signed again.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from tests.forgeries.bundle_forger import Forger, Line, with_entries, with_entry
from tests.forgeries.bundle_forgeries import Forgery
from tests.forgeries.rulebook_forgeries import DEEDS

PartName = tuple[str, str]
COMMON_TEXT: Final = ("text", "everyone")
FACTS: Final = ("facts", "red")
TEXT: Final = ("text", "red")
GM_FACTS: Final = ("facts", "gm")
GM_TEXT: Final = ("text", "gm")
EVERYWHERE: Final = frozenset({"outcome_as_text", "outcome_as_fact", "outcome_as_gm_fact"})
"""Kinds that the battle of every rulebook has; that of `crossfire-d6` has all."""


class Kind(NamedTuple):
    """Entries that are added; `path` is where the difference is, that of the last by default."""

    name: str
    about: str
    entries: tuple[tuple[PartName, list[object]], ...]
    path: str = ""

    @property
    def is_of_gm(self) -> bool:
        """Whether only the whole bundle can have it."""
        return any(part[1] in ("gm", "blue") for part, _ in self.entries)


def of_added_entries(forger: Forger, name: str, seq: int, kind: str) -> Iterator[Forgery]:
    """The forgeries of one battle; event `seq` has an effect of a kind that has an outcome."""
    effects = json.loads(forger.table.sealed[seq - 1].body)["effects"]
    at = [effect["type"] for effect in effects].index(kind)
    prefix = "" if name == "crossfire" else f"{name}_"
    for each in _kinds(["effects", at]):
        if prefix and each.name not in EVERYWHERE:
            continue
        for ending, file in (("", forger.gm), ("_to_red", forger.red)):
            if not (ending and each.is_of_gm):
                yield _forged(forger, seq, each, f"{prefix}{each.name}{ending}", file)


def of_changed_texts(forger: Forger, seq: int) -> Iterator[Forgery]:
    """The reason of the end, shown otherwise behind an erased text: whoever decides again finds it.

    Event `seq` ends the encounter and states its reason in the action and in the effect.
    """
    place = ["effects", 0, "reason"]
    found = {
        "check": "rules",
        "line": forger.line_of(seq),
        "path": "parts.text.everyone:$.effects[0].reason",
    }

    def removed(entries: list[Any]) -> None:
        entries.remove(next(entry for entry in entries if entry[0] == place))

    def changed(entries: list[Any]) -> None:
        next(entry for entry in entries if entry[0] == place)[1] = "The sun won"

    abouts = {removed: "A text that the effect had is gone.", changed: "An effect has other words."}
    for change, about in abouts.items():

        def told(line: Line, change: Callable[[list[Any]], None] = change) -> None:
            with_entries(line, COMMON_TEXT, change)

        lines = forger.relined(seq, told)
        yield Forgery(f"text_{change.__name__}", about, forger.gm, lines, found)


def of_added_outcomes(forger: Forger, name: str) -> Iterator[Forgery]:
    """Those of a short battle of another rulebook."""
    return of_added_entries(forger, name, DEEDS[name].seq, "attack_resolved")


def _kinds(effect: list[Any]) -> Iterator[Kind]:
    outcome = [*effect, "outcome"]

    def one(name: str, about: str, part: PartName, path: list[Any], value: object) -> Kind:
        return Kind(name, about, ((part, [path, value]),))

    yield one("outcome_as_text", "A text turns a hit into a miss.", COMMON_TEXT, outcome, "miss")
    yield one("outcome_as_fact", "A side's facts turn a hit into a miss.", FACTS, outcome, "miss")
    about = "The game master's facts turn a hit into a miss."
    yield one("outcome_as_gm_fact", about, GM_FACTS, outcome, "miss")
    about = "A text of the game master's turns a hit into a miss."
    yield one("outcome_as_gm_text", about, GM_TEXT, outcome, "miss")
    about = "A side's text turns a hit into a miss."
    yield one("outcome_as_own_text", about, TEXT, outcome, "miss")
    about = "A text in the place of an effect."
    yield one("effect_as_text", about, COMMON_TEXT, effect, "miss")
    about = "The game master's facts in the place of an effect."
    yield one("effect_as_gm_fact", about, GM_FACTS, effect, {"type": "turn_ended"})
    about = "A text that is another action."
    yield one("action_as_text", about, COMMON_TEXT, ["action"], {"type": "end_turn"})
    about = "A text at a member that is a fact, and is not there."
    yield one("text_as_fact", about, COMMON_TEXT, [*effect, "reason"], "It was raining.")
    about = "A text at a member that no type has."
    yield one("text_nowhere", about, COMMON_TEXT, [*effect, "caption"], "Rain.")
    about = "A text beside the effects."
    yield one("text_beside", about, COMMON_TEXT, ["title"], "Rain.")
    about = "A text in who asked."
    yield one("text_of_actor", about, COMMON_TEXT, ["by", "name"], "Rosa")
    about = "A text that changes a die."
    yield one("face_as_text", about, COMMON_TEXT, ["draws", 0, "face"], "6")
    about = "A text in a die."
    yield one("text_in_die", about, COMMON_TEXT, ["draws", 0, "note"], "Loaded")
    about = "Facts that change a die."
    yield one("face_as_fact", about, FACTS, ["draws", 0, "face"], 6)
    about = "Facts that add to a die."
    yield one("fact_in_die", about, FACTS, ["draws", 0, "reroll"], True)
    about = "Facts that move an event elsewhere."
    yield one("seq_as_fact", about, FACTS, ["seq"], 1)
    about = "Facts in the place of all effects."
    yield one("effects_as_fact", about, FACTS, ["effects"], [])
    bonus = [*effect, "bonus"]
    yield Kind(
        "member_set_twice",
        "Facts that set the same member twice.",
        ((FACTS, [bonus, 1]), (FACTS, [bonus, 2])),
    )
    yield Kind(
        "sides_set_one_member",
        "Two sides that set the same member.",
        ((FACTS, [bonus, 1]), (("facts", "blue"), [bonus, 2])),
        "parts.facts.gm",
    )


def _forged(forger: Forger, seq: int, kind: Kind, name: str, file: str) -> Forgery:
    added: list[str] = []

    def change(line: Line) -> None:
        for (of, audience), entry in kind.entries:
            with_entry(line, (of, audience), entry)
            [part] = [p for p in line["parts"] if (p["kind"], p["audience"]) == (of, audience)]
            added.append(f"parts.{of}.{audience}.entries[{len(part['body']['entries']) - 1}]")

    lines = forger.relined(seq, change, file=file)
    path = kind.path or added[-1]
    found = {"check": "parts", "line": forger.line_of(seq), "path": path}
    return Forgery(name, kind.about, file, lines, found)
