"""What counts as luck: shots that hit, fights won, songs, dampenings, detections, steady nerves."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from service.engine.kit.action_table import ForemostRoll
from service.engine.kit.outcomes import ATTACK, CHECK, ending_of, odds_shown, of_type
from service.engine.kit.previews import odds_of
from service.engine.ruleset.definition import Ending, Fact, Odds, Preview

_MISS: Final = "miss"


def shot_odds(preview: Preview) -> tuple[Odds, ...]:
    """The odds of a shot; a preview tells them by what becomes of its target."""
    odds = preview.odds
    if not odds:
        return odds
    missed = sum(
        (Fraction(int(each.num), int(each.den)) for each in odds if each.outcome == _MISS),
        Fraction(0),
    )
    return odds_of(_MISS, missed), odds_of("hit", 1 - missed)


def foremost_ending(effects: Sequence[Fact]) -> Ending | None:
    """How the foremost roll ended."""
    for attack in of_type(effects, ATTACK):
        return ending_of(attack)
    for check, outcome_of in _CHECKS.items():
        found = tuple(each for each in of_type(effects, CHECK) if each.get("check") == check)
        if found:
            return Ending(outcome_of(found), check, found)
    return None


def _outcome(checks: Sequence[Fact]) -> str:
    return str(checks[0].get("outcome"))


def _song(checks: Sequence[Fact]) -> str:
    classification = checks[0].get("classification")
    return _outcome(checks) if classification == "none" else str(classification)


def _detection(checks: Sequence[Fact]) -> str:
    tested = [each for check in checks for each in check.get("tested", ())]
    return "detected" if any(each.get("detected") for each in tested) else "undetected"


_CHECKS: Final[dict[str, Callable[[Sequence[Fact]], str]]] = {
    "song": _song,
    "dampening": _outcome,
    "panic": _outcome,
    "detection": _detection,
}

SHOT: Final = ForemostRoll(odds=shot_odds, ending=foremost_ending)

FOREMOST: Final = ForemostRoll(odds=odds_shown, ending=foremost_ending)
"""The foremost roll of any other action, against the odds that its preview shows."""

SUCCESSES: Final = frozenset({"hit", "success", "monstrous_power", "detected"})
