"""Rounds, turns and cards: whose turn is next or passed over, and what a round begins with.

How this works. Cards give the order of turns, once for the battle or anew each round. A turn is one
action and ends with it. Turns of combatants that are out, or have spent the action of the round on
a reaction, are passed over. While nobody can act there is no turn; as soon as somebody can, a new
round begins. Hidden combatants draw from the same deck after all others, on their side's stream.
"""

from collections.abc import Mapping

from msgspec import UNSET

from service.engine.battle.roster import existing, is_out
from service.engine.battle.state import scope_of
from service.engine.kit import turns as kit
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.vocabulary import effects as fx
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.evolve import BattleEffects
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
from service.rulesets.seeker_d100.state import BattleState, Combatant, is_dead


def end_turn(resolution: Resolution, cause: str) -> None:
    """The present turn ends, and the next one begins."""
    effects = resolution.effects
    holder = effects.rule.turn
    if holder is UNSET:
        return
    effects.emit(fx.TurnEnded(combatant=holder, cause=cause))
    begin_next(resolution, holder)


def begin_next(resolution: Resolution, after: str | None) -> None:
    """Begin the next turn of somebody able, behind `after` or, if None, from the first card on."""
    effects = resolution.effects
    turn = kit.next_turn(
        effects,
        after,
        following=next_turn,
        is_anybody_able=_is_anybody_able(effects.rule),
        takes_turn=lambda combatant: _takes_turn(effects, combatant),
        begin_round=lambda: begin_round(resolution),
    )
    if turn is not None:
        effects.emit(fx.TurnBegan(combatant=turn))


def _is_anybody_able(rule: BattleState) -> bool:
    return any(not is_out(combatant) for combatant in rule.combatants)


def _takes_turn(effects: BattleEffects, combatant: str) -> bool:
    """Whether a combatant's turn begins; one passed over for a spent action is emitted as such."""
    owner = existing(effects.rule, combatant)
    is_spent, is_active = not owner.actions_left, not is_out(owner)
    if is_spent and is_active:
        effects.emit(
            fx.TurnEnded(rule=SK_REACT_1, combatant=combatant, cause="passed_over"),
        )
    return not is_passed_over(is_action_spent=is_spent, is_active=is_active)


def begin_round(resolution: Resolution) -> None:
    """Begin the next round, with new cards if rounds have their own; aims too old for it end."""
    effects = resolution.effects
    number = effects.rule.round + 1
    if number > 1 and is_drawn_in(number, redraw_each_round=effects.rule.options.redraw_each_round):
        _redraw(resolution)
    effects.emit(fx.RoundBegan(round=number))
    for combatant in effects.rule.combatants:
        if combatant.aim is not UNSET and is_aim_over(combatant.aim.round, number):
            effects.emit(
                own.ConditionLost(
                    rule=SK_AIM_2, combatant=combatant.id, condition="aim", cause="round_began"
                )
            )


def settle(resolution: Resolution) -> None:
    """Put the turn right after anything that may fell, remove or restore somebody.

    Not while an attack waits for answers: its attacker has the turn. An action that waits for the
    table's dice is no hindrance: it is judged anew when they arrive.
    """
    rule = resolution.rule
    is_waiting = any(group.suspended is not UNSET for group in rule.pending)
    if rule.status != "running" or is_waiting:
        return
    if rule.turn is UNSET:
        if _is_anybody_able(rule):
            begin_round(resolution)
            begin_next(resolution, None)
        return
    owner = existing(rule, rule.turn)
    if is_out(owner):
        end_turn(resolution, "felled")
    elif not owner.actions_left:
        end_turn(resolution, "passed_over")


def cards_left(rule: BattleState) -> tuple[int, ...]:
    """The cards not drawn yet, as they lie."""
    return canonical_deck(rule.options.deck) if rule.deck is UNSET else rule.deck


def draw_missing(resolution: Resolution) -> None:
    """A card for everybody who has none, and the new order.

    Where each round has its own cards, the dead draw none after the first round.
    Raises Refused("deck_exhausted") before any die is drawn.
    """
    rule = resolution.rule
    cards = {card.combatant: card.card for card in rule.cards}
    is_redrawn = rule.options.redraw_each_round and rule.round > 1
    newcomers = tuple(
        combatant
        for combatant in rule.combatants
        if combatant.id not in cards and not (is_redrawn and is_dead(combatant))
    )
    if newcomers or not rule.order:
        _draw_more(resolution, newcomers, None)


def draw_late(resolution: Resolution, combatant: str) -> None:
    """A card for a newcomer to a running battle, and the new order.

    Raises Refused("deck_exhausted") before any die is drawn.
    """
    _draw_more(resolution, (existing(resolution.rule, combatant),), combatant)


def _draw_more(
    resolution: Resolution, newcomers: tuple[Combatant, ...], joined: str | None
) -> None:
    effects = resolution.effects
    deck = cards_left(effects.rule)
    require_cards(len(deck), len(newcomers))
    cards = {card.combatant: card.card for card in effects.rule.cards}
    _set_order(effects, {**cards, **_draw(resolution, newcomers, deck)}, SK_INIT_1, joined)


def require_cards_of_next_round(rule: BattleState) -> None:
    """Where each round has its own cards, a full deck has one for everybody who is not dead.

    Raises Refused("deck_exhausted").
    """
    if rule.options.redraw_each_round:
        require_cards(rule.options.deck, len(_living(rule)))


def _living(rule: BattleState) -> tuple[Combatant, ...]:
    return tuple(combatant for combatant in rule.combatants if not is_dead(combatant))


def _redraw(resolution: Resolution) -> None:
    """New cards from a full deck for all but the dead, by number.

    Raises Refused("deck_exhausted") before any die is drawn.
    """
    effects = resolution.effects
    require_cards_of_next_round(effects.rule)
    deck = canonical_deck(effects.rule.options.deck)
    _set_order(effects, _draw(resolution, _living(effects.rule), deck), SK_INIT_6, None)


def _draw(
    resolution: Resolution, combatants: tuple[Combatant, ...], deck: tuple[int, ...]
) -> dict[str, int]:
    """A card each, by number: public combatants first, then those of each side that are hidden."""
    effects = resolution.effects
    scope = scope_of(effects.rule)
    streams = (EVERYONE_WORD, *scope.sides)
    cards: dict[str, int] = {}
    for combatant in sorted(
        combatants, key=lambda each: (streams.index(scope.subject(each.id)), each.number)
    ):
        stream = scope.stream_of(scope.subject(combatant.id))
        roll = resolution.dice.roll(1, len(deck), "card", stream=stream, combatant=combatant.id)
        card, deck = drawn_card(deck, roll.total)
        cards[combatant.id] = card
        effects.emit(
            own.Rolled(
                rule=SK_INIT_3,
                purpose="card",
                combatant=combatant.id,
                roll=roll,
                value=card_word(card),
            )
        )
    return cards


def _set_order(
    effects: BattleEffects, cards: Mapping[str, int], rule: str, joined: str | None
) -> None:
    """The new order of turns. Of a newcomer's card only those learn who may know the newcomer."""
    effects.emit(
        own.OrderSet(
            rule=rule,
            rules=rules_of_order(effects.rule, cards),
            entries=order_entries(effects.rule, cards),
            combatant=UNSET if joined is None else joined,
        )
    )


def rules_of_order(rule: BattleState, cards: Mapping[str, int]) -> tuple[str, ...]:
    """The rules that order the cards of public combatants; hidden cards must not be given away."""
    scope = scope_of(rule)
    return order_rules(
        card for combatant, card in cards.items() if scope.subject(combatant) == EVERYONE_WORD
    )


def order_entries(rule: BattleState, cards: Mapping[str, int]) -> tuple[own.OrderEntry, ...]:
    """The order of turns that cards give."""
    ace = rule.options.ace
    return tuple(
        own.OrderEntry(
            combatant=each, score=seniority(cards[each], ace), facts={"card": cards[each]}
        )
        for each in card_order(cards, ace)
    )
