"""CF-COVER, CF-ALLY and CF-OBSC: the cover penalty and its three causes.

How this works. Cover, an ally near the target and poor visibility are one penalty of two dice
under three names. Each rule makes its own line; `stacked_cover_penalty` then lets only the first
of them count, unless the encounter says that each does. A trick of the attacker removes a penalty,
and so does shooting without regard for an ally (reckless fire).
"""

from typing import Final, Literal

from msgspec import UNSET, Struct

from service.engine.geometry.features import Feature
from service.engine.vocabulary.breakdown import GroundPart, Modifier, cancelled
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.ground import Position
from service.rulesets.crossfire_d6.rules.position import CF_POS_9

CF_ALLY_1: Final = "CF-ALLY-1"
CF_ALLY_3: Final = "CF-ALLY-3"
CF_OBSC_1: Final = "CF-OBSC-1"

COVER_PENALTY: Final = -2
"""Dice of the cover penalty, whatever it is for: cover, a near ally or poor visibility."""

NOTE_ALREADY_APPLIED: Final = "cover_penalty_applied"
"""A cover penalty that another one has replaced."""

NOTE_IGNORED: Final = "penalty_ignored"
"""A penalty that a trick of the attacker removes."""

NOTE_RECKLESS: Final = "reckless_fire"
"""A penalty the attacker drops by shooting without regard for an ally."""

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


class NearAlly(Struct, frozen=True, kw_only=True):
    """An ally of the attacker near the target: same side, not the attacker, not dead.

    `number` is the order in which combatants came into being; the lower one wins a tie.
    """

    id: str
    number: int
    distance_ft: int
    ranged_defence: int


def near_allies(allies: tuple[NearAlly, ...], near_ft: int) -> tuple[NearAlly, ...]:
    """The allies within `near_ft` of the target (inclusive), nearest first, then by number."""
    near = (ally for ally in allies if ally.distance_ft <= near_ft)
    return tuple(sorted(near, key=lambda ally: (ally.distance_ft, ally.number)))


def ally_modifier(near: tuple[NearAlly, ...], *, is_reckless: bool = False) -> Modifier | None:
    """CF-ALLY-1: two dice less for shooting at a target near an ally; a cover penalty.

    `near` are the allies near the target. Reckless fire (CF-ALLY-3) shows the line with 0.
    Source: "по цели, которая находится вблизи вашего союзника … со штрафом укрытия -2к6".
    """
    if not near:
        return None
    line = Modifier(
        rule=CF_ALLY_1,
        amount=COVER_PENALTY,
        combatants=(near[0].id,),
        facts={"distance_ft": near[0].distance_ft},
    )
    return cancelled(line, NOTE_RECKLESS, CF_ALLY_3) if is_reckless else line


def without_ignored(
    lines: tuple[Modifier, ...], ignored_rules: frozenset[str]
) -> tuple[Modifier, ...]:
    """CF-ALLY-2: a trick removes the penalty of a rule; the line stays with 0 and a note.

    Penalties only, of any rule the attacker ignores; bonuses stay.
    Source: "Некоторые трюки позволяет этого избежать".
    """
    return tuple(
        cancelled(line, NOTE_IGNORED, "CF-ALLY-2")
        if line.amount < 0 and line.rule in ignored_rules
        else line
        for line in lines
    )


def ally_struck(total: int, near: tuple[NearAlly, ...]) -> NearAlly | None:
    """CF-ALLY-3: reckless fire that missed its target may hit the nearest ally instead.

    `near` is nearest first, ties by number (`near_allies`); only the first is in danger. He is hit,
    and takes the damage, if the total of the attack reaches his ranged defence.
    Source: "не подвергнув его опасности"; what follows from it is a default.
    """
    return near[0] if near and total >= near[0].ranged_defence else None


def require_reckless_allowed(*, is_allowed: bool) -> None:
    """Reckless fire needs the option `allow_reckless_fire`. Raises Refused("option_disabled")."""
    if not is_allowed:
        raise Refused("option_disabled", rule=CF_ALLY_3, option="allow_reckless_fire")


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
