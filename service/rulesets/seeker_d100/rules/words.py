"""The words and small values that several chapters of the rulebook speak about."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from service.engine.visibility.audience import EVERYONE

Skill = Literal[
    "ranged", "athletics", "melee_weapon", "unarmed", "heavy_weapons", "demolitions", "dodge"
]
"""What a combatant can do, in per cent."""

AttackSkill = Literal[
    "ranged", "athletics", "melee_weapon", "unarmed", "heavy_weapons", "demolitions"
]
"""The skills a weapon may be used with."""

MELEE_SKILLS: Final[tuple[AttackSkill, ...]] = ("melee_weapon", "unarmed")

Delivery = Literal["melee", "bullet", "thrown", "arrow", "explosive"]
"""How an attack reaches its target; decides which answers are possible."""

AttackKind = Literal["attack", "called_shot", "disarm", "grapple"]
"""The attack actions."""

Intent = Literal["counter", "block"]
"""What a won resist does besides stopping the attack: `counter` deals damage, `block` nothing."""

ReactionOption = Literal["dodge", "resist", "take_cover", "pass"]
"""What may be answered to an attack; `pass` declines."""

Answered = Literal["dodge", "resist_counter", "resist_block"]
"""How somebody answers attacks, and what a roll that stands is worth."""

BodyPart = Literal["head", "left_arm", "right_arm", "left_leg", "right_leg"]
"""A part of the body that a called shot may be aimed at."""

ArmouredPart = Literal["torso", "head", "left_arm", "right_arm", "left_leg", "right_leg"]
"""A part of the body that a piece of armour may protect."""

CoverDegree = Literal["partial", "large"]
"""`partial` hides half of the body, `large` everything but the limbs or the head."""

Gait = Literal["jog", "run", "dash"]

FelledState = Literal["unconscious", "dead"]

D100: Final = 100
"""The sides of percentile dice; the face `00` is 100."""


class DamageDice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The damage of an ordinary weapon: `count` dice of `sides` sides and a fixed `bonus`."""

    count: Annotated[Annotated[int, Meta(ge=1, le=50)], EVERYONE] = 1
    """Dice that are rolled and added up."""
    sides: Annotated[Annotated[int, Meta(ge=1, le=1000)], EVERYONE]
    """Sides of each die."""
    bonus: Annotated[Annotated[int, Meta(ge=-1000, le=1000)], EVERYONE] = 0
    """Added to the sum of the dice, which is never below 0 (SK-DMG-2)."""


class Metres(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The radii in metres an attack may have, both ends included."""

    min: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE]
    """Smallest radius in metres; what an attack has that states none."""
    max: Annotated[Annotated[int, Meta(ge=1, le=100)], EVERYONE]
    """Largest radius in metres, at least `min`."""


class Shots(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many rounds one attack may fire, both ends included."""

    min: Annotated[Annotated[int, Meta(ge=1, le=1000)], EVERYONE] = 1
    """Fewest rounds of one attack; what it fires that states none."""
    max: Annotated[Annotated[int, Meta(ge=1, le=1000)], EVERYONE] = 1
    """Most rounds of one attack, at least `min`."""
