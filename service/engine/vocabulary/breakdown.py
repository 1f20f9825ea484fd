"""The ordered modifiers that explain a roll, suppressed ones included."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.engine.visibility.audience import (
    EVERYONE,
    RuleId,
)
from service.engine.vocabulary.recorded_words import (
    RecordedSubjectId,
)


class GroundPart(Struct, frozen=True, kw_only=True):
    """A marked cell, or the north (`h`) or west (`v`) side of a cell, at (x, y)."""

    kind: Annotated[Literal["cell", "h", "v"], EVERYONE]
    """`cell`: the cell itself. `h`: its north side. `v`: its west side."""
    x: Annotated[int, EVERYONE]
    """Column of the cell."""
    y: Annotated[int, EVERYONE]
    """Row of the cell."""


class Modifier(Struct, frozen=True, kw_only=True):
    """One line of a breakdown: the rule, what it adds, and what made it apply.

    `amount` is in the unit of the roll (dice of a pool, points, per cent). A line that a
    rule cancelled stays, with amount 0 and a `note` that says why (a term of the catalogue).
    `rules` are those that made something else of the line than `rule` alone would.
    `facts` are whole numbers by name, such as `distance_ft` or `increments`; `ground` are the
    parts of the ground that made it apply, such as the wall one is behind.
    """

    rule: Annotated[RuleId, EVERYONE]
    """Rule that this line follows from."""
    amount: Annotated[int, EVERYONE]
    """What it adds, with sign: dice of the pool in Crossfire d6, per cent of the chance in Seeker
    d100, points in Tactical d20 and where damage is explained. 0 for a cancelled line."""
    note: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Term of the catalogue that says why a line was cancelled or stated; absent where there is
    nothing to add."""
    combatants: Annotated[tuple[RecordedSubjectId, ...] | UnsetType, EVERYONE] = UNSET
    """Combatants that made it apply, such as near allies; absent where none did."""
    facts: Annotated[dict[str, int] | UnsetType, EVERYONE] = UNSET
    """Whole numbers behind it by name, the unit in the name where it has one (`distance_ft`);
    absent where there are none."""
    ground: Annotated[tuple[GroundPart, ...] | UnsetType, EVERYONE] = UNSET
    """Parts of the ground that made it apply; absent where none did."""
    rules: Annotated[tuple[RuleId, ...] | UnsetType, EVERYONE] = UNSET
    """Further rules that made the line what it is, such as one that cancelled, lowered or capped
    it; absent where none did."""


def total(lines: tuple[Modifier, ...]) -> int:
    """The sum of all lines; they add up with sign, order does not matter."""
    return sum(line.amount for line in lines)


def cancelled(line: Modifier, note: str, rule: str) -> Modifier:
    """The same line shown with amount 0, the reason, and the rule that cancelled it."""
    earlier = () if line.rules is UNSET else line.rules
    return msgspec.structs.replace(line, amount=0, note=note, rules=(*earlier, rule))
