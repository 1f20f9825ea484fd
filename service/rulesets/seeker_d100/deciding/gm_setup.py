"""Creation, options, cover, newcomers and the start of a battle, as the game master states them."""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.creation import created_by, seat, take_up
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.roster import require_combatant
from service.engine.battle.state import State
from service.engine.hashing import blob_digest
from service.engine.kit.terrain import overlay
from service.engine.log.canonical import encode
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import StartEncounter
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
from service.rulesets.seeker_d100.content import (
    Blob,
    armour_sample,
    armour_samples,
    content_blob,
    map_blob,
)
from service.rulesets.seeker_d100.covers import cover_names
from service.rulesets.seeker_d100.deciding.join_battle import (
    carries_battle,
    enter,
    require_entry,
    require_holding,
    tie,
)
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.deciding.turns import (
    begin_next,
    begin_round,
    draw_late,
    draw_missing,
    order_entries,
    rules_of_order,
    settle,
)
from service.rulesets.seeker_d100.evolve import BattleEffects, evolve, initial
from service.rulesets.seeker_d100.rules.armour import SK_ARM_4
from service.rulesets.seeker_d100.rules.initiative import canonical_deck
from service.rulesets.seeker_d100.state import BattleState
from service.rulesets.seeker_d100.terrain import CoverChange, Ground, id_of_change

CoverChanges = tuple[CoverChange, ...]


def create(state: State[BattleState], action: CreateBattle, by: By) -> tuple[fx.Effect, ...]:
    """Event 1: the terms, hidden cover, combatants with their holds, seats, a battle in progress.

    Raises Refused or Malformed for statements that contradict each other.
    """
    is_prepared = action.battle is not UNSET or any(map(carries_battle, action.combatants))
    created = created_by(own.EncounterCreated, action, by, is_prepared=is_prepared)
    created = replace(created, setup=_prepared(action))
    effects = EffectBuilder(replace(state, rule=initial(created)), evolve)
    require_samples(effects.state)
    _hide_cover(effects, action.hidden_cover)
    if action.battle is not UNSET:
        effects.emit(fx.RoundBegan(round=action.battle.round))
    for index, combatant in enumerate(action.combatants):
        require_entry(effects.state, combatant, f"$.combatants[{index}]")
        enter(effects, combatant, index + 1)
    for index, combatant in enumerate(action.combatants):
        require_holding(action.combatants, combatant, f"$.combatants[{index}]")
        tie(effects, combatant, f"$.combatants[{index}]")
    seat(effects, action.seats)
    if action.battle is not UNSET:
        _resume(effects, action.battle)
    return (created, *effects.emitted)


def _prepared(action: CreateBattle) -> own.Prepared | UnsetType:
    """The cards left in a battle in progress. Raises Malformed for cards that are drawn already."""
    battle = action.battle
    if battle is UNSET or not (battle.cards or battle.deck is not UNSET):
        return UNSET
    drawn = tuple(drawn_card.card for drawn_card in battle.cards)
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
    for index, drawn in enumerate(battle.cards):
        require_combatant(rule, drawn.combatant)
        earlier = battle.cards[:index]
        if drawn.combatant in [other.combatant for other in earlier]:
            raise Malformed(
                path=f"$.battle.cards[{index}].combatant", allowed="each combatant once"
            )
        where = f"$.battle.cards[{index}].card"
        if drawn.card not in deck:
            raise Malformed(path=where, allowed=f"0 to {len(deck) - 1}")
        if drawn.card in [other.card for other in earlier]:
            raise Malformed(path=where, allowed="each card once")


def _hide_cover(effects: BattleEffects, hidden: CoverChanges) -> None:
    if hidden:
        _require_changes(effects.state, hidden, "$.hidden_cover")
        changes = overlay((), hidden, id_of_change)
        effects.emit(own.TerrainChanged(changes=changes, secret=True, cause="setup"))


def _resume(effects: BattleEffects, battle: Battle) -> None:
    """The order of turns and the turn of a battle in progress. Raises Malformed, Refused."""
    _require_cards(effects.rule, battle)
    cards = {card.combatant: card.card for card in battle.cards}
    rules = rules_of_order(effects.rule, cards)
    order = own.OrderSet(rules=rules, entries=order_entries(effects.rule, cards))
    take_up(effects, order, battle.turn, "a combatant with a card")


def configure(resolution: Resolution, action: Configure) -> None:
    """Options, map, content and metadata stated anew. Raises Malformed, Refused.

    Their blobs are `blobs(action)`. Combatants keep what they took from the samples before.
    """
    effects = resolution.effects
    options = effects.rule.options if action.options is UNSET else action.options
    inputs = (
        UNSET if action.map is UNSET else map_blob(action.map),
        UNSET if action.content is UNSET else content_blob(action.content),
    )
    digests = [UNSET if blob is UNSET else blob_digest(encode(blob)) for blob in inputs]
    new_blobs: dict[str, object] = {
        digest: blob for digest, blob in zip(digests, inputs, strict=True) if digest is not UNSET
    }
    effects.bring(new_blobs)
    effects.emit(
        own.OptionsSet(
            options=options, map=digests[0], content=digests[1], metadata=action.metadata
        )
    )
    require_samples(effects.state)
    _require_deck(effects.rule)


def _require_deck(rule: BattleState) -> None:
    """Raises Malformed if a card drawn or still to be drawn is not in the chosen deck."""
    cards = (*(each.card for each in rule.cards), *(() if rule.deck is UNSET else rule.deck))
    if any(card >= rule.options.deck for card in cards):
        raise Malformed(path="$.options.deck", allowed="54, as its jokers are in play")


def require_samples(battle: State[BattleState]) -> None:
    """Every cover of the map has an armour value, its own or a sample's.

    Raises Malformed, Refused("unknown_sample").
    """
    board = None if battle.rule.map is UNSET else battle.terms.blobs.get(battle.rule.map)
    if isinstance(board, Blob) and board.cover is not UNSET:
        for index, cover in enumerate(board.cover):
            _require_value(battle, cover, f"$.map.cover[{index}]")


def _require_value(battle: State[BattleState], ground: Ground, path: str) -> None:
    if (ground.armour is UNSET) == (ground.sample is UNSET):
        raise Malformed(path=f"{path}.armour", allowed="armour or a sample")
    if ground.sample is not UNSET and armour_sample(battle, ground.sample) is None:
        raise Refused(
            "unknown_sample",
            rule=SK_ARM_4,
            path=f"{path}.sample",
            sample=ground.sample,
            allowed=[sample.id for sample in armour_samples(battle)],
        )


def _require_changes(battle: State[BattleState], changes: CoverChanges, path: str) -> None:
    names = list(cover_names(battle))
    for index, change in enumerate(changes):
        where = f"{path}[{index}]"
        require_unreserved(change.feature, f"{where}.feature")
        if alike(change.feature, names) not in (None, change.feature):
            raise Malformed(path=f"{where}.feature", allowed=ONCE)
        names.append(change.feature)
        if change.terrain is UNSET:
            if not change.removed:
                raise Malformed(path=f"{where}.terrain", allowed="a cover, or removed")
        elif change.removed:
            raise Malformed(path=f"{where}.removed", allowed="nothing beside a cover")
        else:
            _require_value(battle, change.terrain, f"{where}.terrain")


def set_terrain(resolution: Resolution, action: SetTerrain) -> None:
    """Covers stated anew or taken away. Raises Malformed, Refused("unknown_sample")."""
    _require_changes(resolution.state, action.changes, "$.changes")
    changes = overlay((), action.changes, id_of_change)
    resolution.effects.emit(own.TerrainChanged(changes=changes, secret=action.secret))


def add_combatant(resolution: Resolution, action: AddCombatant) -> None:
    """A newcomer, with a card at once if the battle is running. Raises Refused, Malformed."""
    effects, state = resolution.effects, resolution.state
    require_entry(state, action.combatant, "$.combatant")
    enter(effects, action.combatant, state.linear.next_number)
    require_holding((), action.combatant, "$.combatant")
    tie(effects, action.combatant, "$.combatant")
    if effects.rule.status == "running":
        draw_late(resolution, action.combatant.id)
        settle(resolution)


def start(resolution: Resolution, _action: StartEncounter) -> None:
    """The start: everybody without a card draws one, and the first turn begins.

    Raises Refused("deck_exhausted").
    """
    effects = resolution.effects
    effects.emit(fx.EncounterStarted())
    draw_missing(resolution)
    if not effects.rule.round:
        begin_round(resolution)
    if effects.rule.turn is UNSET:
        begin_next(resolution, None)
    settle(resolution)
