"""The shortest battles that show what forgers of each rulebook could want to change."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from service.engine.ruleset.definition import Ruleset
from service.rulesets.melody_d6 import RULESET as MELODY
from service.rulesets.squad_d100 import RULESET as SQUAD
from service.rulesets.tactical_d20 import RULESET as TACTICAL
from tests.kit.table import GM, Table
from tests.replay.staging import RED, staged
from tests.rulesets.melody_d6 import golden as melody
from tests.rulesets.seeker_d100 import golden as seeker
from tests.rulesets.squad_d100 import golden as squad
from tests.rulesets.tactical_d20 import golden as tactical


def opened(ruleset: Ruleset[Any], setup: Any, title: str, number: int) -> Table:
    """The battle at seq 1, at a table that shows all numbers."""
    options = replace(setup.options, enemy_numbers="shown", breakdowns="all")
    return staged(ruleset, replace(setup, options=options), title, number)


def at_the_low_walls() -> Table:
    """Melody d6: one turn of each side, songs and shots."""
    setup = melody.setup()
    # So wide that the digest of the map is above that of the content.
    setup = replace(setup, map=replace(setup.map, width=23_000))
    table = opened(MELODY, setup, "At the low walls", 0x1E4)
    table.act(melody.action(type="contribute", value="a1" * 32), RED)
    table.act(melody.action(type="start_encounter"))
    for _ in range(2):
        melody.play_turn(table)
    table.act(melody.action(type="end_encounter", reveal="now"))
    return table


def in_the_cargo_bay() -> Table:
    """Squad d100: shots, bursts and throws of two rounds."""
    table = opened(SQUAD, squad.setup(), "The cargo bay", 0xE4)
    table.act(squad.action(type="contribute", value="a1" * 32), RED)
    table.act(squad.action(type="start_encounter"))
    for _ in range(6):
        squad.play_turn(table)
    table.act(squad.action(type="end_encounter", reveal="now"))
    return table


def at_the_loading_dock() -> Table:
    """Seeker d100: the table rolls, attacks are answered."""
    table = seeker.new_table(5, "supplied")
    table.act(seeker.action(type="start_encounter"), GM, seeker.cards_of(table))
    for _ in range(3):
        seeker.play_turn(table)
    table.act(seeker.action(type="end_encounter", reveal="now"))
    return table


def in_the_yard() -> Table:
    """Tactical d20: attacks at creatures and one at a cell, whose d% is the game master's."""
    table = opened(TACTICAL, tactical.setup(), "The yard", 0xD5)
    table.act(tactical.action(type="contribute", value="a1" * 32), RED)
    table.act(tactical.action(type="start_encounter"))
    for _ in range(2):
        tactical.play_turn(table)
    tactical.search(table, "bina")
    table.act(tactical.action(type="end_encounter", reveal="now"))
    return table


BATTLES: Final[Mapping[str, Callable[[], Table]]] = {
    "melody": at_the_low_walls,
    "seeker": at_the_loading_dock,
    "squad": in_the_cargo_bay,
    "tactical": in_the_yard,
}
"""The battles by the word in the names of their bundles."""
