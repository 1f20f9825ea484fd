"""Rerolls of songs and dampenings: who is asked, what may be answered, the new dice (ML-SING-7).

How this works. Dice that may be rolled again are told first and the side is asked. What is rolled
again is told with the result: the old faces as `replaced`, the new ones in their places.
"""

from typing import Final, NamedTuple

from msgspec import UNSET

from service.engine.battle.decision_groups import UNNUMBERED
from service.engine.battle.roster import combatant_of, existing
from service.engine.battle.state import scope_of
from service.engine.kit.streams import stream_for
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.vocabulary.rolls import discounted
from service.engine.vocabulary.values import Roll
from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Reroll
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.windows import ask
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.occupancy import are_near, is_engaged
from service.rulesets.melody_d6.questions import Question, RerollContext
from service.rulesets.melody_d6.remainders import DampenRemainder, SongRemainder
from service.rulesets.melody_d6.rules.dampening import (
    ML_DAMP_6,
    automatic_result,
    may_reroll_dampening,
)
from service.rulesets.melody_d6.rules.songs import (
    ML_SING_7,
    ML_UI_1,
    Classification,
    RerollSource,
    SquadMate,
    classification,
    may_be_rerolled,
    may_impulse,
    may_reroll_ordinarily,
    require_dice_indexes,
    rerolled,
)
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    force_of,
    is_fleeing,
    is_on_table,
    is_stunned,
    members_of,
)

D6: Final = 6
REROLL: Final = "reroll"


def rerolls_left(warrior: Combatant) -> int:
    """Ordinary rerolls that a warrior has in this round; none without a voice."""
    if warrior.singer is UNSET:
        return 0
    if warrior.rerolls_left is UNSET:
        return warrior.singer.rerolls_per_round
    return warrior.rerolls_left


def song_sources(
    rule: BattleState, singer: Combatant, classified: Classification
) -> tuple[RerollSource, ...]:
    """Where the reroll of a song may come from, as the battle now is."""
    sources: list[RerollSource] = []
    if may_be_rerolled(classified, is_rerolled=False):
        fp, cost = force_of(rule, singer.side).fp, rule.options.ui_fp_cost
        if may_impulse(classified, fp, cost, _squad_mates(rule, singer)):
            sources.append("united_impulse")
        if may_reroll_ordinarily(classified, rerolls_left(singer)):
            sources.append("ordinary")
    return tuple(sources)


def _squad_mates(rule: BattleState, singer: Combatant) -> tuple[SquadMate, ...]:
    """The others of the singer's unit; a hidden one helps nobody but a singer who is hidden, too.

    It would tell of itself (default, not in the source text).
    """
    return tuple(
        SquadMate(
            is_on_table=is_on_table(mate),
            is_fleeing=is_fleeing(mate),
            is_stunned=is_stunned(mate),
            is_engaged=is_engaged(rule, mate),
            is_near=are_near(rule, singer, mate, rule.options.ui_radius),
        )
        for mate in members_of(rule, singer.unit)
        if mate.id != singer.id and (singer.hidden or not mate.hidden)
    )


def dampening_sources(dampener: Combatant, faces: tuple[int, ...]) -> tuple[RerollSource, ...]:
    """Where the reroll of a dampening may come from: the dampener's own alone."""
    automatic = automatic_result(faces)
    return ("ordinary",) if may_reroll_dampening(automatic, rerolls_left(dampener)) else ()


def ask_for_reroll(
    resolution: Resolution, context: RerollContext, remainder: SongRemainder | DampenRemainder
) -> None:
    """Tell the dice and ask the side that rolled them; the action waits."""
    rule = resolution.rule
    roller = existing(rule, context.combatant)
    audience = scope_of(rule).subject(roller.id)
    question = Question(
        id=UNNUMBERED,
        kind=REROLL,
        opened_by=0,
        side=roller.side,
        options=(REROLL, "pass"),
        default="pass",
        stream=UNSET if audience == EVERYONE_WORD else scope_of(rule).stream_of(audience),
        context=context,
    )
    ask(resolution, question, remainder)


def require_reroll(rule: BattleState, context: RerollContext, choice: Reroll) -> None:
    """The source is one of those offered that is still there, and the dice are some of the roll.

    Raises Refused("reroll_unavailable") or ("bad_die_index"), checked in this order.
    """
    sources, by_rule = sources_now(rule, context), _rule_of(context, choice.source)
    if choice.source not in sources:
        raise Refused(
            "reroll_unavailable", rule=by_rule, source=choice.source, allowed=list(sources)
        )
    require_dice_indexes(choice.dice, len(context.dice), by_rule)


def _rule_of(context: RerollContext, source: RerollSource) -> str:
    """The rule by which a reroll from this source is allowed."""
    if source == "united_impulse":
        return ML_UI_1
    return ML_SING_7 if context.roll == "song" else ML_DAMP_6


def sources_now(rule: BattleState, context: RerollContext) -> tuple[RerollSource, ...]:
    """The sources of a question that are there as the battle now is."""
    roller = combatant_of(rule, context.combatant)
    if roller is None:
        return ()
    there = (
        song_sources(rule, roller, classification(context.dice))
        if context.roll == "song"
        else dampening_sources(roller, context.dice)
    )
    return tuple(each for each in context.sources if each in there)


class Stood(NamedTuple):
    """Dice that stand: the first roll with what was replaced, the reroll, and the final faces."""

    roll: Roll
    reroll: own.Rerolled | None
    faces: tuple[int, ...]

    @property
    def total(self) -> int:
        """The sum of the final faces."""
        return sum(self.faces)

    @property
    def source(self) -> RerollSource | None:
        """Where the reroll came from, if there was one."""
        return None if self.reroll is None else self.reroll.source


def as_rolled(roll: Roll) -> Stood:
    """Dice that nobody rolls again."""
    return Stood(roll, None, roll.faces)


def roll_again(
    resolution: Resolution, roller: str, roll: Roll, choice: Reroll, purpose: str
) -> Stood:
    """Pay for a reroll and draw the new dice."""
    effects = resolution.effects
    _pay(effects, existing(effects.rule, roller), choice.source)
    stream = stream_for(effects.rule, roller)
    new = resolution.dice.roll(len(choice.dice), D6, purpose, stream=stream, combatant=roller)
    faces = rerolled(roll.faces, choice.dice, new.faces)
    again = own.Rerolled(
        source=choice.source, dice=choice.dice, before=roll.faces, after=faces, roll=new
    )
    return Stood(discounted(roll, "replaced", choice.dice), again, faces)


def _pay(effects: BattleEffects, roller: Combatant, source: RerollSource) -> None:
    if source == "ordinary":
        left = rerolls_left(roller) - 1
        effects.emit(
            own.ResourceChanged(rule=ML_SING_7, combatant=roller.id, resource="rerolls", now=left)
        )
        return
    rule = effects.rule
    left = force_of(rule, roller.side).fp - rule.options.ui_fp_cost
    effects.emit(own.ResourceChanged(rule=ML_UI_1, side=roller.side, resource="fp", now=left))
