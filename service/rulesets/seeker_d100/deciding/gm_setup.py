"""The game master's stage: creation, options, cover, who takes part, the start."""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.kit.combatants import require_combatant
from service.engine.kit.creation import created_by, seat, take_up
from service.engine.log.canonical import encode
from service.engine.log.hashing import blob_digest
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.client_ids import ONCE, alike, require_unreserved
from service.engine.vocabulary.values import By
from service.errors import Malformed, Refused
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import (
    AddCombatant,
    Battle,
    Configure,
    CreateBattle,
    SetTerrain,
)
from service.rulesets.seeker_d100.content import Blob, content_blob, map_blob
from service.rulesets.seeker_d100.deciding.join_battle import (
    carries_battle,
    enter,
    require_entry,
    require_holding,
    tie,
)
from service.rulesets.seeker_d100.deciding.turns import (
    begin_next,
    begin_round,
    draw_late,
    draw_missing,
    order_entries,
    rules_of_order,
    settle,
)
from service.rulesets.seeker_d100.evolve import evolve, initial
from service.rulesets.seeker_d100.rule_inputs import (
    Blobs,
    armour_sample,
    armour_samples,
    cover_names,
)
from service.rulesets.seeker_d100.rules.armour import SK_ARM_4
from service.rulesets.seeker_d100.rules.initiative import canonical_deck
from service.rulesets.seeker_d100.state import BattleState
from service.rulesets.seeker_d100.terrain import CoverChange, Ground, overlaid

Effects = tuple[fx.Effect, ...]
CoverChanges = tuple[CoverChange, ...]


def create(action: CreateBattle, blobs: Blobs, by: By) -> Effects:
    """Event 1: the terms, hidden cover, combatants with their holds, seats, a prepared battle.

    Raises Refused or Malformed for what does not fit together.
    """
    is_prepared = action.battle is not UNSET or any(map(carries_battle, action.combatants))
    created = created_by(own.EncounterCreated, action, by, is_prepared=is_prepared)
    created = replace(created, setup=_prepared(action))
    told = EffectBuilder(initial(created), evolve)
    require_samples(told.rule, blobs)
    _hide_cover(told, blobs, action.hidden_cover)
    if action.battle is not UNSET:
        told.emit(fx.RoundBegan(round=action.battle.round))
    for index, combatant in enumerate(action.combatants):
        require_entry(told.rule, blobs, combatant, f"$.combatants[{index}]")
        enter(told, blobs, combatant, index + 1)
    for index, combatant in enumerate(action.combatants):
        require_holding(action.combatants, combatant, f"$.combatants[{index}]")
        tie(told, combatant, f"$.combatants[{index}]")
    seat(told, action.seats)
    if action.battle is not UNSET:
        _resume(told, action.battle)
    return (created, *told.effects)


def _prepared(action: CreateBattle) -> own.Prepared | UnsetType:
    """The cards left of a battle in progress. Raises Malformed for cards that cannot be."""
    battle = action.battle
    if battle is UNSET or not (battle.cards or battle.deck is not UNSET):
        return UNSET
    drawn = tuple(each.card for each in battle.cards)
    left = tuple(card for card in canonical_deck(action.options.deck) if card not in drawn)
    if battle.deck is UNSET:
        deck = left
    else:
        deck = battle.deck
        if len(set(deck)) != len(deck) or not set(deck) <= set(left):
            raise Malformed(path="$.battle.deck", allowed="cards that are not drawn, each once")
    return own.Prepared(deck=deck)


def _require_cards(rule: BattleState, battle: Battle) -> None:
    deck = canonical_deck(rule.options.deck)
    for index, each in enumerate(battle.cards):
        require_combatant(rule, each.combatant)
        earlier = battle.cards[:index]
        if each.combatant in [other.combatant for other in earlier]:
            raise Malformed(
                path=f"$.battle.cards[{index}].combatant", allowed="each combatant once"
            )
        where = f"$.battle.cards[{index}].card"
        if each.card not in deck:
            raise Malformed(path=where, allowed=f"0 to {len(deck) - 1}")
        if each.card in [other.card for other in earlier]:
            raise Malformed(path=where, allowed="each card once")


def _hide_cover(told: EffectBuilder[BattleState], blobs: Blobs, hidden: CoverChanges) -> None:
    if hidden:
        _require_changes(told.rule, blobs, hidden, "$.hidden_cover")
        told.emit(own.TerrainChanged(changes=overlaid((), hidden), secret=True, cause="setup"))


def _resume(told: EffectBuilder[BattleState], battle: Battle) -> None:
    """A battle in progress: whose card is which, and whose turn it is."""
    _require_cards(told.rule, battle)
    cards = {each.combatant: each.card for each in battle.cards}
    rules = rules_of_order(told.rule, cards)
    order = own.OrderSet(rules=rules, entries=order_entries(told.rule, cards))
    take_up(told, order, battle.turn, "a combatant with a card")


def configure(state: State[BattleState], action: Configure) -> Effects:
    """Options, map and content anew. Raises Malformed, Refused.

    Their blobs are `blobs(action)`. What sheets took from samples stays as it is.
    """
    options = state.rule.options if action.options is UNSET else action.options
    stated = (
        UNSET if action.map is UNSET else map_blob(action.map),
        UNSET if action.content is UNSET else content_blob(action.content),
    )
    digests = [UNSET if blob is UNSET else blob_digest(encode(blob)) for blob in stated]
    given: dict[str, object] = {
        digest: blob for digest, blob in zip(digests, stated, strict=True) if digest is not UNSET
    }
    told = EffectBuilder(state.rule, evolve)
    told.emit(
        own.OptionsSet(
            options=options, map=digests[0], content=digests[1], metadata=action.metadata
        )
    )
    require_samples(told.rule, {**state.blobs, **given})
    _require_deck(told.rule)
    return told.effects


def _require_deck(rule: BattleState) -> None:
    """A given deck or card must be of the deck that is chosen."""
    cards = (*(each.card for each in rule.cards), *(() if rule.deck is UNSET else rule.deck))
    if any(card >= rule.options.deck for card in cards):
        raise Malformed(path="$.options.deck", allowed="54, as its jokers are in play")


def require_samples(rule: BattleState, blobs: Blobs) -> None:
    """Every cover of the map has a value, its own or that of a sample.

    Raises Malformed, Refused("unknown_sample").
    """
    board = None if rule.map is UNSET else blobs.get(rule.map)
    if isinstance(board, Blob) and board.cover is not UNSET:
        for index, cover in enumerate(board.cover):
            _require_value(rule, blobs, cover, f"$.map.cover[{index}]")


def _require_value(rule: BattleState, blobs: Blobs, ground: Ground, path: str) -> None:
    if (ground.armour is UNSET) == (ground.sample is UNSET):
        raise Malformed(path=f"{path}.armour", allowed="armour or a sample")
    if ground.sample is not UNSET and armour_sample(rule, blobs, ground.sample) is None:
        raise Refused(
            "unknown_sample",
            rule=SK_ARM_4,
            path=f"{path}.sample",
            sample=ground.sample,
            allowed=[each.id for each in armour_samples(rule, blobs)],
        )


def _require_changes(rule: BattleState, blobs: Blobs, changes: CoverChanges, path: str) -> None:
    known = list(cover_names(rule, blobs))
    for index, change in enumerate(changes):
        where = f"{path}[{index}]"
        require_unreserved(change.feature, f"{where}.feature")
        if alike(change.feature, known) not in (None, change.feature):
            raise Malformed(path=f"{where}.feature", allowed=ONCE)
        known.append(change.feature)
        if change.terrain is UNSET:
            if not change.removed:
                raise Malformed(path=f"{where}.terrain", allowed="a cover, or removed")
        elif change.removed:
            raise Malformed(path=f"{where}.removed", allowed="nothing beside a cover")
        else:
            _require_value(rule, blobs, change.terrain, f"{where}.terrain")


def set_terrain(state: State[BattleState], action: SetTerrain) -> Effects:
    """Covers stated anew, or taken away. Raises Malformed, Refused("unknown_sample")."""
    _require_changes(state.rule, state.blobs, action.changes, "$.changes")
    changes = overlaid((), action.changes)
    return (own.TerrainChanged(changes=changes, secret=action.secret),)


def add_combatant(state: State[BattleState], action: AddCombatant, dice: Dice) -> Effects:
    """Somebody comes in; in a running battle he draws his card at once. Raises Refused."""
    told = EffectBuilder(state.rule, evolve)
    require_entry(state.rule, state.blobs, action.combatant, "$.combatant")
    enter(told, state.blobs, action.combatant, state.linear.next_number)
    require_holding((), action.combatant, "$.combatant")
    tie(told, action.combatant, "$.combatant")
    if state.rule.status == "running":
        draw_late(told, action.combatant.id, dice)
        settle(told, dice)
    return told.effects


def start(state: State[BattleState], dice: Dice) -> Effects:
    """The battle runs: whoever has no card draws one, and the first turn begins.

    Raises Refused("deck_exhausted").
    """
    told = EffectBuilder(state.rule, evolve)
    told.emit(fx.EncounterStarted())
    draw_missing(told, dice)
    if not told.rule.round:
        begin_round(told, dice)
    if told.rule.turn is UNSET:
        begin_next(told, None, dice)
    settle(told, dice)
    return told.effects
