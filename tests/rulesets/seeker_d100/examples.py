"""The worked examples of this ruleset: what a step expects, and how a setup is completed.

Unless a case states `"battle": null` the battle is prepared: the cards are given in the order of
the combatants (or of `battle.order`), so that starting it draws nothing. The refusal of a step or
all its effects are compared whole: lines of breakdowns, rolls, draws, reports, questions, turns.
"""

from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tests.kit.examples import Examples, RefusalData, Usual, at_paths
from tests.kit.given_when_then import rolled

Tree = dict[str, Any]

CARDS = tuple(sorted(range(52), key=lambda card: (-(card // 4), card % 4)))
"""The cards of a deck in the order in which they act, from the ace of spades down."""


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come of a step: a refusal or all its effects, whole.

    Rolls are written as the arguments of `rolled`, and what every turn brings as words (`spent a`,
    see `whole`). `state` maps a path (`turn`, `t.health`, `a.weapons.0.ammo`) to the value after
    the step; null represents absent.
    """

    refused: RefusalData | None = None
    effects: tuple[Tree | str, ...] = ()
    state: Tree = {}


def completed(usual: Usual, setup: Tree) -> Tree:
    """The ruleset's own setup from one as the examples state it."""
    combatants = setup["combatants"]
    complete = {**setup, "combatants": [_sheet(usual, *each) for each in combatants.items()]}
    battle = complete.pop("battle")
    if battle is None:
        return complete
    order = battle.pop("order", list(combatants))
    cards = [{"combatant": each, "card": card} for each, card in zip(order, CARDS, strict=False)]
    return {**complete, "battle": {"round": 1, "cards": cards, "turn": order[0], **battle}}


def _sheet(usual: Usual, name: str, stated: Tree) -> Tree:
    whole = {"id": name, **usual.combatant, **usual.combatants.get(name, {}), **stated}
    return {**whole, "skills": {**usual.combatant["skills"], **stated.get("skills", {})}}


def whole(effect: Tree | str) -> Tree:
    """An effect as it is stored, from one as the examples write it."""
    if isinstance(effect, dict):
        written: Tree = _rolled(effect)
        return written
    word, _, about = effect.partition(" ")
    match word:
        case "spent":
            action = {"resource": "action", "now": 0}
            return {"type": "resource_changed", "rule": "SK-TURN-2", "combatant": about, **action}
        case "unasked":
            skipped = {"rule": "SK-REACT-2", "kind": "reaction", "why": "nobody_eligible"}
            return {"type": "window_skipped", **skipped}
        case "ended":
            return {"type": "turn_ended", "combatant": about, "cause": "ended"}
        case "passed_over":
            passed = {"rule": "SK-REACT-1", "combatant": about, "cause": "passed_over"}
            return {"type": "turn_ended", **passed}
        case "round":
            return {"type": "round_began", "round": int(about)}
        case "turn":
            return {"type": "turn_began", "combatant": about}
        case _:
            raise ValueError(effect)


def _rolled(written: Any) -> Any:
    """The same with every roll as it is stored."""
    if isinstance(written, list):
        return [_rolled(each) for each in written]
    if not isinstance(written, dict):
        return written
    if "faces" in written:
        return rolled(written["sides"], *written["faces"], **_draws(written))
    return {name: _rolled(value) for name, value in written.items()}


def _draws(written: Tree) -> Tree:
    return {name: written[name] for name in ("number", "seq") if name in written}


def written_out(expect: Expect) -> Expect:
    """What must come of a step, as it is stored."""
    return replace(expect, effects=tuple(whole(each) for each in expect.effects))


def seen(expect: Expect, effects: list[Tree], refusal: RefusalData | None, state: Tree) -> Expect:
    """What came of a step; of the state, as far as the step has an expectation about it."""
    return Expect(
        refused=refusal,
        effects=tuple(_unkeyed(each) for each in effects),
        state=at_paths(state, expect.state),
    )


def _unkeyed(effect: Tree) -> Tree:
    """The same without the id of the key that asked for what waits: each service has its own."""
    if "suspended" not in effect:
        return effect
    suspended = effect["suspended"]
    by = {name: value for name, value in suspended["by"].items() if name != "id"}
    return {**effect, "suspended": {**suspended, "by": by}}


EXAMPLES = Examples(
    file=Path(__file__).with_name("examples.json"),
    ids=tuple(f"SK-EX-{number:02}" for number in range(1, 41)),
    expect=Expect,
    completed=completed,
    seen=seen,
    written_out=written_out,
)
