"""What may be chosen in answer to a decision, named alike in every ruleset."""

from typing import Annotated, Literal

from msgspec import Struct

from service.engine.visibility.audience import EVERYONE


class Choice(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What an answer chooses; rulesets add their own choices."""


class RollChoice(Choice, frozen=True, kw_only=True, tag="roll"):
    """The dice were rolled: the faces stand beside the action, as `dice`.

    Without them the service rolls, where it does so in a fork of a battle whose table rolled.
    """


class PassChoice(Choice, frozen=True, kw_only=True, tag="pass"):
    """Decline; `reason` says whether somebody chose so or time ran out."""

    reason: Annotated[Literal["choice", "timeout"], EVERYONE] = "choice"
    """`choice` where somebody declined, `timeout` where the service did at the limit of the option
    `decision_seconds`."""
