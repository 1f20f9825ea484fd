"""What a creation of version 3 states of a battle."""

from typing import Final

from service.engine.battle.setup import Header
from service.engine.vocabulary import effects as fx
from service.rulesets.tactical_d20 import setup as before
from service.rulesets.tactical_d20.evolve import initial_as
from service.rulesets.tactical_d20.v3.actions import CreateBattle
from service.rulesets.tactical_d20.v3.state import BattleState, Options

VERSION: Final = "3"


class Setup(before.Setup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle to create. `battle` makes it a prepared one: a battle in progress.

    Without a map the ground is free and has no edge.
    """

    options: Options = Options()
    """What this table chooses among the rules' variants; what is left out has its default."""


def create(setup: Setup, header: Header) -> CreateBattle:
    """The action of event 1; `header.digests` names the blobs of the setup."""
    return before.create_as(CreateBattle, VERSION, setup, header)


def initial(created: fx.EncounterCreated) -> BattleState:
    """The blank state that event 1 fills. Raises UnknownEffect for terms of another ruleset."""
    return initial_as(BattleState, created)
