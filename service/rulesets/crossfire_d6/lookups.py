"""What this rulebook works out of a battle and asks again: kept beside the state."""

from service.engine.battle.lookups import Lookups, Table
from service.rulesets.crossfire_d6.rules.ground import Board, Fighter

Allies = tuple[tuple[Fighter, int], ...]
"""Fighters, each with a distance in feet."""


class BattleLookups(Lookups):
    """The tables of one battle.

    `boards` by whether they hold what only the game master knows; `fighters` by id; `crowds`: all
    of them together; `allies` and `shooters` by the ids of an attacker and a target.
    """

    __slots__ = ("allies", "boards", "crowds", "fighters", "shooters")

    def __init__(self) -> None:
        super().__init__()
        self.boards: Table[bool, Board] = Table()
        self.fighters: Table[str, Fighter] = Table()
        self.crowds: Table[None, tuple[Fighter, ...]] = Table()
        self.allies: Table[tuple[str, str], Allies] = Table()
        self.shooters: Table[tuple[str, str], tuple[Fighter, ...]] = Table()
