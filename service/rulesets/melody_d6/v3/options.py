"""The options of version 3: the battle states one that was left out, to be seen there."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.setup import Header
from service.rulesets.melody_d6.actions import CreateBattle
from service.rulesets.melody_d6.options import Options
from service.rulesets.melody_d6.setup import Setup
from service.rulesets.melody_d6.setup import create as create_plain


def settled(options: Options, path: str) -> Options:
    """The options of a battle, given those that a request states."""
    is_left_out = options.detect_on_path is UNSET
    return replace(options, detect_on_path=True) if is_left_out else options


def create(setup: Setup, header: Header) -> CreateBattle:
    """The action of event 1. Raises what version 1 does."""
    before = replace(setup, options=replace(setup.options, detect_on_path=UNSET))
    created = create_plain(before, header)
    return replace(created, options=settled(setup.options, "$.setup.options"))
