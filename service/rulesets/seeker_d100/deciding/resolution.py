"""An action of this rulebook while it is worked out."""

from service.engine.kit import resolution
from service.rulesets.seeker_d100.state import BattleState


class Resolution(resolution.Resolution[BattleState]):
    """One action being worked out; each step takes it and leaves effects in it."""
