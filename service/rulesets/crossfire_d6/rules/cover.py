"""CF-COVER and CF-OBSC: the cover penalty and its three causes.

How this works. Cover, an ally near the target and poor visibility are one penalty of two dice
under three names. Each rule makes its own line; `stacked_cover_penalty` then lets only the first
of them count, unless the encounter says that each does.
"""

from typing import Final, Literal

from msgspec import UNSET

from service.engine.geometry.features import Feature
from service.engine.vocabulary.breakdown import GroundPart, Modifier, cancelled
from service.rulesets.crossfire_d6.rules.allies import CF_ALLY_1
from service.rulesets.crossfire_d6.rules.general import COVER_PENALTY, NOTE_ALREADY_APPLIED
from service.rulesets.crossfire_d6.rules.ground import Position
from service.rulesets.crossfire_d6.rules.position import CF_POS_9

CF_OBSC_1: Final = "CF-OBSC-1"

CoverPenaltyMode = Literal["once", "separate"]

_KINDS: Final[dict[str, Literal["cell", "h", "v"]]] = {"cell": "cell", "H": "h", "V": "v"}
"""The kinds of features as the log writes them."""

_PENALTIES: Final = ("CF-COVER-2", CF_ALLY_1, CF_OBSC_1)


def gives_penalty(position: Position) -> bool:
    """CF-COVER-1: a target that is open against the attacker gives no cover penalty.

    One that is blocked gives none either: it cannot be shot at.
    Source: "Цели без укрытия уязвимы для дальнобойных атак".
    """
    return position == "in_cover"


def cover_modifier(
    position: Position, features: tuple[Feature, ...] = (), *, is_intervening: bool = False
) -> Modifier | None:
    """CF-COVER-2: two dice less against a target in cover against this attacker.

    Ranged attacks; melee attacks only where the option `cover_vs_melee` is on. `features` are
    those that give the cover; there are none where the game master says that he is covered.
    `is_intervening`: they lie between the two and next to neither (CF-POS-9).
    Source: "накладывает штраф -2к6 к броскам атаки по ней".
    """
    if not gives_penalty(position):
        return None
    return Modifier(
        rule="CF-COVER-2",
        amount=COVER_PENALTY,
        ground=tuple(map(ground_part, features)) or UNSET,
        rules=(CF_POS_9,) if is_intervening else UNSET,
    )


def ground_part(feature: Feature) -> GroundPart:
    """A feature as the log and answers write it."""
    return GroundPart(kind=_KINDS[feature.kind], x=feature.x, y=feature.y)


def stacked_cover_penalty(
    lines: tuple[Modifier, ...], mode: CoverPenaltyMode
) -> tuple[Modifier, ...]:
    """CF-COVER-4: cover, a near ally and poor visibility are all the cover penalty.

    In mode `once` the first of them that costs dice counts, the others stay with 0 and a note;
    in mode `separate` each counts. Lines come in the order of the breakdown; one that a trick
    has already brought to 0 is not "the first". Other lines are left alone.
    Source: "также накладывают штраф укрытия".
    """
    if mode == "separate":
        return lines
    result: list[Modifier] = []
    is_applied = False
    for line in lines:
        is_penalty = line.rule in _PENALTIES and line.amount < 0
        if is_penalty and is_applied:
            result.append(cancelled(line, NOTE_ALREADY_APPLIED, "CF-COVER-4"))
        else:
            result.append(line)
        is_applied = is_applied or is_penalty
    return tuple(result)


def visibility_modifier(
    *, is_smoke_on_line: bool, is_target_dark: bool, is_target_invisible: bool
) -> Modifier | None:
    """CF-OBSC-1: two dice less for a shot in poor visibility, once however many causes.

    Smoke on the line used, ends included; darkness in the cell at the target's end of it;
    or an invisible target. Ranged attacks only.
    Source: "темнота, дым или туман", "Плохая видимость (дым, туман, невидимость)".
    """
    if not (is_smoke_on_line or is_target_dark or is_target_invisible):
        return None
    return Modifier(
        rule=CF_OBSC_1,
        amount=COVER_PENALTY,
        facts={
            "smoke": int(is_smoke_on_line),
            "dark": int(is_target_dark),
            "invisible": int(is_target_invisible),
        },
    )
