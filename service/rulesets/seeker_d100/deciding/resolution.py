"""An action of this rulebook while it is worked out."""

from typing import TypeAlias

from service.engine.kit import resolution
from service.rulesets.seeker_d100.state import BattleState

Resolution: TypeAlias = resolution.Resolution[BattleState]
