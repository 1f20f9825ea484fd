"""Rounds, turns and cards: who is next, who is passed over, and what a round begins with.

How this works. Cards give the order of turns, once for the battle or anew each round. A turn is one
action and ends with it; whoever has spent the action of the round on a reaction is passed over, and
so is whoever is out. While nobody can act there is no turn; as soon as somebody can, a new round
begins. Hidden combatants draw from the same deck after all others, on their side's stream.
"""

from collections.abc import Mapping

from msgspec import UNSET

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import scope_of
from service.engine.dice.dice import Dice
from service.engine.kit import turns as kit
from service.engine.kit.combatants import existing
from service.engine.visibility.scope import EVERYONE_WORD
from service.engine.vocabulary import effects as fx
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.rules.aim import SK_AIM_2, is_aim_over
from service.rulesets.seeker_d100.rules.initiative import (
    SK_INIT_1,
    SK_INIT_3,
    SK_INIT_6,
    canonical_deck,
    card_order,
    card_word,
    drawn_card,
    is_drawn_in,
    order_rules,
    require_cards,
    seniority,
)
from service.rulesets.seeker_d100.rules.reactions import SK_REACT_1
from service.rulesets.seeker_d100.rules.turns import is_passed_over, next_turn
from service.rulesets.seeker_d100.state import BattleState, Combatant, is_dead, is_out

Battle = EffectBuilder[BattleState]


def end_turn(told: Battle, cause: str, dice: Dice) -> None:
    """The present turn ends, and the next one begins."""
    holder = told.rule.turn
    if holder is UNSET:
        return
    told.emit(fx.TurnEnded(combatant=holder, cause=cause))
    begin_next(told, holder, dice)


def begin_next(told: Battle, after: str | None, dice: Dice) -> None:
    """The turn of the first behind `after` (None: from the first card on) who can act, if any."""
    turn = kit.next_turn(
        told,
        after,
        following=next_turn,
        is_anybody_able=_is_anybody_able(told.rule),
        takes_turn=lambda combatant: _takes_turn(told, combatant),
        begin_round=lambda: begin_round(told, dice),
    )
    if turn is not None:
        told.emit(fx.TurnBegan(combatant=turn))


def _is_anybody_able(rule: BattleState) -> bool:
    return any(not is_out(combatant) for combatant in rule.combatants)


def _takes_turn(told: Battle, combatant: str) -> bool:
    """Whether a turn begins; one that is passed over for a spent action is told of."""
    owner = existing(told.rule, combatant)
    is_spent, is_active = not owner.actions_left, not is_out(owner)
    if is_spent and is_active:
        told.emit(
            fx.TurnEnded(rule=SK_REACT_1, combatant=combatant, cause="passed_over"),
        )
    return not is_passed_over(is_action_spent=is_spent, is_active=is_active)


def begin_round(told: Battle, dice: Dice) -> None:
    """The next round, with new cards if each has its own; an aim that was for the last is over."""
    number = told.rule.round + 1
    if number > 1 and is_drawn_in(number, redraw_each_round=told.rule.options.redraw_each_round):
        _redraw(told, dice)
    told.emit(fx.RoundBegan(round=number))
    for combatant in told.rule.combatants:
        if combatant.aim is not UNSET and is_aim_over(combatant.aim.round, number):
            told.emit(
                own.ConditionLost(
                    rule=SK_AIM_2, combatant=combatant.id, condition="aim", cause="round_began"
                )
            )


def settle(told: Battle, dice: Dice) -> None:
    """After anything that may fell, remove or restore somebody: the turn is where it belongs.

    Not while an attack waits for answers: its attacker has the turn. An action that waits for the
    table's dice does not hinder it: it is judged anew afterwards.
    """
    rule = told.rule
    is_waiting = any(group.suspended is not UNSET for group in rule.pending)
    if rule.status != "running" or is_waiting:
        return
    if rule.turn is UNSET:
        if _is_anybody_able(rule):
            begin_round(told, dice)
            begin_next(told, None, dice)
        return
    owner = existing(rule, rule.turn)
    if is_out(owner):
        end_turn(told, "felled", dice)
    elif not owner.actions_left:
        end_turn(told, "passed_over", dice)


def cards_left(rule: BattleState) -> tuple[int, ...]:
    """The cards nobody has drawn yet, as they lie."""
    return canonical_deck(rule.options.deck) if rule.deck is UNSET else rule.deck


def draw_missing(told: Battle, dice: Dice) -> None:
    """A card for everybody who has none, and the new order.

    In a later round of those that have cards of their own the dead are left out, as they are where
    such a round begins. Raises Refused("deck_exhausted") before any die is drawn.
    """
    rule = told.rule
    placed = {each.combatant: each.card for each in rule.cards}
    is_redrawn = rule.options.redraw_each_round and rule.round > 1
    newcomers = tuple(
        each
        for each in rule.combatants
        if each.id not in placed and not (is_redrawn and is_dead(each))
    )
    if newcomers or not rule.order:
        _draw_more(told, newcomers, None, dice)


def draw_late(told: Battle, combatant: str, dice: Dice) -> None:
    """A card for somebody who comes into a running battle, and the new order.

    Raises Refused("deck_exhausted") before any die is drawn.
    """
    _draw_more(told, (existing(told.rule, combatant),), combatant, dice)


def _draw_more(
    told: Battle, newcomers: tuple[Combatant, ...], joined: str | None, dice: Dice
) -> None:
    left = cards_left(told.rule)
    require_cards(len(left), len(newcomers))
    placed = {each.combatant: each.card for each in told.rule.cards}
    _set_order(told, {**placed, **_draw(told, newcomers, left, dice)}, SK_INIT_1, joined)


def _redraw(told: Battle, dice: Dice) -> None:
    """A full deck for all who are not dead; whoever is beyond its last card has no turn."""
    deck = canonical_deck(told.rule.options.deck)
    living = tuple(each for each in told.rule.combatants if not is_dead(each))
    _set_order(told, _draw(told, living[: len(deck)], deck, dice), SK_INIT_6, None)


def _draw(
    told: Battle, combatants: tuple[Combatant, ...], deck: tuple[int, ...], dice: Dice
) -> dict[str, int]:
    """A card each by number: those everybody knows first, then the sides' hidden ones."""
    scope = scope_of(told.rule)
    streams = (EVERYONE_WORD, *scope.sides)
    drawn: dict[str, int] = {}
    for combatant in sorted(
        combatants, key=lambda each: (streams.index(scope.subject(each.id)), each.number)
    ):
        stream = scope.stream_of(scope.subject(combatant.id))
        roll = dice.roll(1, len(deck), "card", stream=stream, combatant=combatant.id)
        card, deck = drawn_card(deck, roll.total)
        drawn[combatant.id] = card
        told.emit(
            own.Rolled(
                rule=SK_INIT_3,
                purpose="card",
                combatant=combatant.id,
                roll=roll,
                value=card_word(card),
            )
        )
    return drawn


def _set_order(told: Battle, cards: Mapping[str, int], rule: str, joined: str | None) -> None:
    """The new order; where one combatant joins it, that is for those to know who know him."""
    told.emit(
        own.OrderSet(
            rule=rule,
            rules=rules_of_order(told.rule, cards),
            entries=order_entries(told.rule, cards),
            combatant=UNSET if joined is None else joined,
        )
    )


def rules_of_order(rule: BattleState, cards: Mapping[str, int]) -> tuple[str, ...]:
    """The rules that cards of those whom everybody knows are in order by; others tell nothing."""
    scope = scope_of(rule)
    return order_rules(card for each, card in cards.items() if scope.subject(each) == EVERYONE_WORD)


def order_entries(rule: BattleState, cards: Mapping[str, int]) -> tuple[own.OrderEntry, ...]:
    """The order of turns that cards give."""
    ace = rule.options.ace
    return tuple(
        own.OrderEntry(
            combatant=each, score=seniority(cards[each], ace), facts={"card": cards[each]}
        )
        for each in card_order(cards, ace)
    )
