"""What a caller may know of the numbers that chances are made of."""

from msgspec import UNSET, UnsetType

from service.engine.battle.state import scope_of
from service.engine.kit import previews
from service.engine.kit.perception import knows_numbers
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.previews.harm_odds import Body
from service.rulesets.melody_d6.state import BattleState, Combatant


class Asker(previews.Asker[BattleState], frozen=True):
    """Who asks for a preview, and which numbers the caller may know."""

    @property
    def rule(self) -> BattleState:
        """The state as it is known."""
        return self.view.rule

    def knows_numbers(self, warrior: Combatant) -> bool:
        """Whether the numbers of a warrior are known."""
        return knows_numbers(warrior, scope_of(self.rule), self.viewer)

    def knows_health(self, warrior: Combatant) -> bool:
        """Whether its wounds are known."""
        return self.viewer.may_know(scope_of(self.rule).declared("health", warrior.side))

    def number(self, warrior: Combatant, value: int) -> int | UnsetType:
        """A number of a warrior, where it is known."""
        return value if self.knows_numbers(warrior) else UNSET

    def breakdown(
        self, warrior: Combatant, lines: tuple[Line, ...]
    ) -> tuple[Line, ...] | UnsetType:
        """The lines of a warrior's roll, where they are told."""
        may_know = self.viewer.may_know(scope_of(self.rule).declared("breakdown", warrior.side))
        return lines if may_know else UNSET

    def body(self, warrior: Combatant) -> Body | None:
        """What decides how hits on a warrior end, where all of it is known."""
        if not (self.knows_numbers(warrior) and self.knows_health(warrior)):
            return None
        return Body(warrior.toughness, warrior.armour, warrior.health, warrior.health_max)

    def unknown_of_body(self, warrior: Combatant) -> tuple[str, ...]:
        """Which of it is not."""
        numbers = () if self.knows_numbers(warrior) else ("toughness", "armour")
        return numbers if self.knows_health(warrior) else (*numbers, "health")
