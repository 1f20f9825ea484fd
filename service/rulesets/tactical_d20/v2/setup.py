"""A creation becomes event 1 as in version 1, under this version's number."""

from typing import Final

from msgspec.structs import replace

from service.engine.battle.setup import Header
from service.rulesets.tactical_d20 import setup as version_1
from service.rulesets.tactical_d20.actions import CreateBattle

VERSION: Final = "2"


def create(setup: version_1.Setup, header: Header) -> CreateBattle:
    """The action of event 1; `header.digests` names the blobs of the setup."""
    return replace(version_1.create(setup, header), version=VERSION)
