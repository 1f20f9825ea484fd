"""SK-OPP: two rolls against each other."""

from typing import Final, Literal, NamedTuple

from service.rulesets.seeker_d100.rules.checks import CheckRoll, is_success

SK_OPP_1: Final = "SK-OPP-1"

OpposedDie = Literal["high", "low"]
"""Which natural die wins at the same level."""

Winner = Literal["acting", "answering", "stalemate"]

Why = Literal["level", "die", "tie_to_attacker", "tie_to_holder"]
"""What decided: the levels, the natural dice, or that the other roll had to be the better one."""


class Verdict(NamedTuple):
    """Who won an opposed check and by what; a stalemate has no reason."""

    winner: Winner
    why: Why | None


STALEMATE = Verdict("stalemate", None)
"""Both failed: nothing happens."""


def opposed(acting: CheckRoll, answering: CheckRoll, die: OpposedDie) -> Verdict:
    """SK-OPP-1: who wins when both have rolled.

    Who alone succeeded wins; both failed: nobody; else the higher level, then the higher
    natural die (`low`: the lower one). The same die: the acting side, as the answer has to be
    the better roll.
    Source: «Если ваш бросок лучше броска атаки, ваш персонаж избегает повреждений».
    """
    if not is_success(acting.level) and not is_success(answering.level):
        return STALEMATE
    if acting.level != answering.level:
        return Verdict("acting" if acting.level > answering.level else "answering", "level")
    if acting.natural == answering.natural:
        return Verdict("acting", "tie_to_attacker")
    is_acting = (acting.natural > answering.natural) == (die == "high")
    return Verdict("acting" if is_acting else "answering", "die")


def plain_verdict(answering: CheckRoll) -> Verdict:
    """Who wins where the answer is a plain check: its success does, whatever the other rolled."""
    return Verdict("answering" if is_success(answering.level) else "acting", None)


OpposedOutcome = Literal["success", "failure", "stalemate"]


def answer_outcome(winner: Winner) -> OpposedOutcome:
    """The outcome of an opposed check for the answering side."""
    if winner == "stalemate":
        return "stalemate"
    return "success" if winner == "answering" else "failure"
