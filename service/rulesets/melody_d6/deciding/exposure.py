"""Whether a Melody takes hold of a warrior: the die of a template, then those of Resistance.

How this works. Who is partly under a template rolls first. Whoever is reached then rolls for each
Resistance that names the Melody, until one holds. All dice are about the warrior alone, so they
are known to those who may know of it; who sang stands apart and goes unseen with the singer.
"""

from typing import NamedTuple

from service.engine.battle.roster import existing
from service.engine.geometry.templates import Coverage
from service.engine.kit.streams import stream_for
from service.engine.vocabulary import effects as fx
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.melodies import Melody
from service.rulesets.melody_d6.rules.resistance import (
    ML_RES_2,
    MelodyWords,
    is_resistance_ignored,
    is_resisted,
    matching,
)
from service.rulesets.melody_d6.rules.songs import Classification
from service.rulesets.melody_d6.rules.templates import (
    ML_TPL_2,
    PART_NEEDS,
    is_affected_in_part,
    is_clear_of,
    is_under,
)
from service.rulesets.melody_d6.sheets import Resistance

D6 = 6


class Exposure(NamedTuple):
    """A Melody that reaches warriors, who sang it, and as what it counts."""

    melody: Melody
    singer: str
    classified: Classification

    @property
    def source(self) -> fx.Source:
        """Who did it, as effects tell it."""
        return fx.Source(combatant=self.singer, item=self.melody.id)


def takes_hold(resolution: Resolution, exposure: Exposure, victim: str, coverage: Coverage) -> bool:
    """Whether a warrior who is so far under the template is affected; `full` where there is none.

    Draws the die of the template, then those of Resistance, as far as they are needed.
    """
    if is_clear_of(coverage):
        return False
    if not is_under(coverage) and not _is_hit_in_part(resolution, exposure, victim):
        return False
    return not _resists(resolution, exposure, victim)


def _is_hit_in_part(resolution: Resolution, exposure: Exposure, victim: str) -> bool:
    effects = resolution.effects
    stream = stream_for(effects.rule, victim)
    roll = resolution.dice.roll(1, D6, "template", stream=stream, combatant=victim)
    is_hit = is_affected_in_part(roll.total)
    effects.emit(
        own.CheckResolved(
            rule=ML_TPL_2,
            check="template",
            combatant=victim,
            outcome="success" if is_hit else "failure",
            roll=roll,
            needed=PART_NEEDS,
            source=exposure.source,
        )
    )
    return is_hit


def _resists(resolution: Resolution, exposure: Exposure, victim: str) -> bool:
    """Whether a Resistance holds: each that names the Melody is rolled for until one does."""
    effects = resolution.effects
    melody, options = exposure.melody, effects.rule.options
    if is_resistance_ignored(
        exposure.classified,
        by_option=options.mp_ignores_resistance,
        by_melody=melody.mp_ignores_resistance,
    ):
        return False
    words = MelodyWords(melody.id, melody.colour, melody.tags)
    resistances = matching(existing(effects.rule, victim).resistances, words)
    return any(_holds(resolution, exposure, victim, each) for each in resistances)


def _holds(resolution: Resolution, exposure: Exposure, victim: str, resistance: Resistance) -> bool:
    effects = resolution.effects
    stream = stream_for(effects.rule, victim)
    roll = resolution.dice.roll(1, D6, "resistance", stream=stream, combatant=victim)
    holds = is_resisted(roll.total, resistance.value)
    effects.emit(
        own.CheckResolved(
            rule=ML_RES_2,
            check="resistance",
            combatant=victim,
            outcome="success" if holds else "failure",
            roll=roll,
            needed=resistance.value,
            source=exposure.source,
            resistance=resistance.to,
        )
    )
    return holds
