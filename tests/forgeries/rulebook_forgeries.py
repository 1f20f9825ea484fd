"""Outcomes changed in a battle of each rulebook, by whoever has every key of the service."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from service.engine.log.event import Event
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.melody_d6.lines import Line as MelodyLine
from tests.forgeries.bundle_forger import Forger
from tests.forgeries.bundle_forgeries import Forgery
from tests.forgeries.short_battles import BATTLES

Change = Callable[[Any], Any]


class Deed(NamedTuple):
    """An attack of a battle: its event, another outcome for it, and what explains its roll."""

    seq: int
    outcome: str
    line: Modifier


DEEDS: Final = {
    "melody": Deed(29, "miss", MelodyLine(rule="ML-SHOOT-4", amount=-1)),
    "seeker": Deed(13, "miss", Modifier(rule="SK-CHECK-1", amount=5)),
    "squad": Deed(17, "miss", Modifier(rule="SQ-SHOOT-5", amount=5)),
    "tactical": Deed(12, "critical", Modifier(rule="TD-PRONE-1", amount=4)),
}
HIDDEN: Final = "It lies in a part of the other side alone: whoever may read that finds it."


def of_the_rulebooks() -> Iterator[tuple[Forger, Forgery]]:
    """All forgeries of the short battles, each with its forger."""
    for name, battle in BATTLES.items():
        forger = Forger(battle(), f"bundle-{name}")
        for forgery in (*_of_an_attack(forger, name, DEEDS[name]), *_of_one_battle(forger, name)):
            yield forger, forgery


def place_of(forger: Forger, seq: int, kind: str) -> str:
    """The path of the first effect of a kind in the body of an event."""
    effects = json.loads(forger.table.sealed[seq - 1].body)["effects"]
    return f"$.effects[{[effect['type'] for effect in effects].index(kind)}]"


def with_first(kind: type[fx.Effect], change: Change) -> Callable[[Event], Event]:
    """The first effect of a kind changed."""

    def told(event: Event) -> Event:
        effects: list[Any] = list(event.effects)
        place = next(at for at, effect in enumerate(effects) if isinstance(effect, kind))
        effects[place] = change(effects[place])
        return replace(event, effects=tuple(effects))

    return told


def with_attack(**changes: Change) -> Callable[[Event], Event]:
    """Something in the detail of the first attack changed."""

    def told(attack: Any) -> Any:
        detail = attack.detail
        fields = {name: change(getattr(detail, name)) for name, change in changes.items()}
        return replace(attack, detail=replace(detail, **fields))

    return with_first(fx.AttackResolved, told)


def _other_face(rolled: Any) -> Any:
    face = rolled.faces[0] % rolled.sides + 1
    faces = (face, *rolled.faces[1:])
    return replace(rolled, faces=faces, total=sum(faces))


def _of_an_attack(forger: Forger, name: str, deed: Deed) -> Iterator[Forgery]:
    at = place_of(forger, deed.seq, "attack_resolved")
    line = forger.line_of(deed.seq)
    is_ours = name != "seeker"

    def told(
        kind: str, about: str, change: Callable[[Event], Event], *found: tuple[str, str] | None
    ) -> Iterator[Forgery]:
        for file, difference in zip((forger.gm, forger.red), found, strict=True):
            side = "gm" if file == forger.gm else "red"
            lines = forger.retold(deed.seq, change, file)
            shown = None
            if difference is not None:
                shown = {"check": difference[0], "line": line, "path": difference[1]}
            why = HIDDEN if shown is None else None
            yield Forgery(f"{name}_{kind}_{side}", about, file, lines, shown, why=why)

    faces = ("draws", f"{at}.detail.roll.faces[0]")
    yield from told("face", "A face is another.", with_attack(roll=_other_face), faces, faces)
    outcome = ("rules", f"{at}.outcome")
    change = with_first(fx.AttackResolved, lambda attack: replace(attack, outcome=deed.outcome))
    yield from told("outcome", "An attack ends otherwise.", change, outcome, outcome)
    count = len(_breakdown(forger, deed.seq))
    added = f"{at}.detail.breakdown[{count}]"
    hidden = "parts.facts.blue:" + added
    yield from told(
        "modifier",
        "A modifier that the roll does not have.",
        with_attack(breakdown=lambda lines: (*lines, deed.line)),
        ("rules", added if is_ours else hidden),
        ("rules", f"{at}.detail.pool") if is_ours else None,
    )
    pool = f"{at}.detail.pool"
    yield from told(
        "bonus",
        "More is added to the roll than its modifiers come to.",
        with_attack(pool=lambda pool: pool + 3),
        ("rules", pool if is_ours else "parts.facts.blue:" + pool),
        ("rules", pool) if is_ours else None,
    )


def _breakdown(forger: Forger, seq: int) -> Any:
    effects = forger.table.events[seq - 1].effects
    attack: Any = next(each for each in effects if isinstance(each, fx.AttackResolved))
    return attack.detail.breakdown


def _of_one_battle(forger: Forger, name: str) -> Iterator[Forgery]:
    match name:
        case "melody":
            yield from _of_blobs(forger)
            yield from _of_a_rally(forger)
        case "seeker":
            yield from _of_the_table(forger)
        case "squad":
            yield from _of_a_walk(forger)
        case "tactical":
            yield from _of_the_game_master(forger)
        case _:
            pass


def _found(check: str, line: int, path: str) -> dict[str, object]:
    return {"check": check, "line": line, "path": path}


def _of_blobs(forger: Forger) -> Iterator[Forgery]:
    whole = forger.bundles[forger.red]
    yield Forgery(
        "blob_order",
        "Map and content in each other's place.",
        forger.red,
        [whole[0], whole[2], whole[1], *whole[3:]],
        {"check": "blob_order", "where": "blobs"},
    )


def _of_a_rally(forger: Forger) -> Iterator[Forgery]:
    seq = 32
    at = place_of(forger, seq, "check_resolved")
    change = with_first(fx.CheckResolved, lambda check: replace(check, outcome="success"))
    for side, file in (("gm", forger.gm), ("red", forger.red)):
        yield Forgery(
            f"melody_rally_{side}",
            "A test that failed is told as passed.",
            file,
            forger.retold(seq, change, file),
            _found("rules", forger.line_of(seq), f"{at}.outcome"),
        )


def _of_the_table(forger: Forger) -> Iterator[Forgery]:
    """Dice of the table come from no seed; what effects tell of them must agree all the same."""
    seq = 13
    at = place_of(forger, seq, "hurt")

    def other(event: Event) -> Event:
        draw = event.draws[0]
        return replace(event, draws=(replace(draw, face=draw.face % draw.sides + 1),))

    for side, file in (("gm", forger.gm), ("red", forger.red)):
        yield Forgery(
            f"seeker_die_{side}",
            "A die of the table shows another face than the wound tells.",
            file,
            forger.retold(seq, other, file),
            _found("draws", forger.line_of(seq), f"{at}.source.roll.faces[0]"),
        )


def _of_a_walk(forger: Forger) -> Iterator[Forgery]:
    seq = 23
    at = place_of(forger, seq, "moved")

    def elsewhere(walk: Any) -> Any:
        return replace(walk, start=replace(walk.start, x=walk.start.x + 1))

    for side, file in (("gm", forger.gm), ("red", forger.red)):
        path = f"{at}.start" + (".x" if side == "gm" else "")
        yield Forgery(
            f"squad_walk_{side}",
            "Somebody walks from where he was not.",
            file,
            forger.retold(seq, with_first(fx.Moved, elsewhere), file),
            _found("rules", forger.line_of(seq), path),
        )


def _of_the_game_master(forger: Forger) -> Iterator[Forgery]:
    """A draw that is the game master's alone."""
    seq = 14

    def other(event: Event) -> Event:
        draws = [
            replace(draw, face=draw.face % draw.sides + 1) if draw.stream == 255 else draw
            for draw in event.draws
        ]
        return replace(event, draws=tuple(draws))

    path = "parts.facts.gm:$.draws[0].face"
    found = _found("draws", forger.line_of(seq), path)
    about = "A die of the game master's shows another face."
    lines = forger.retold(seq, other)
    yield Forgery("tactical_hidden_die_gm", about, forger.gm, lines, found)
    why = "The die is the game master's alone: whoever may read that part finds it."
    lines = forger.retold(seq, other, forger.red)
    yield Forgery("tactical_hidden_die_red", about, forger.red, lines, None, why=why)
