"""CF-ALLY: shooting at a target near one's own people."""

from typing import Final

from msgspec import Struct

from service.engine.vocabulary.breakdown import Modifier, cancelled
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.general import COVER_PENALTY, NOTE_IGNORED, NOTE_RECKLESS

CF_ALLY_1: Final = "CF-ALLY-1"
CF_ALLY_3: Final = "CF-ALLY-3"


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


def require_reckless_allowed(*, is_reckless: bool, is_allowed: bool) -> None:
    """Reckless fire needs the option `allow_reckless_fire`. Raises Refused("option_disabled")."""
    if is_reckless and not is_allowed:
        raise Refused("option_disabled", rule=CF_ALLY_3, option="allow_reckless_fire")
