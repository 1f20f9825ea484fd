"""How this rulebook's effects are told; what is not here is told as in every ruleset."""

from typing import Final

from service.engine.vocabulary.catalogue import Sentence

SENTENCES: Final[tuple[Sentence, ...]] = (
    Sentence(
        effect="attack_resolved",
        when={"detail.mode": "melee"},
        en="{detail.attacker:name} strikes at {target:name}[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.roll:total}[[ against {detail.against.needed}]]]].",
        ru="{detail.attacker:name} → {target:name}, удар[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.roll:total}[[ против {detail.against.needed}]]]].",
    ),
    Sentence(
        effect="attack_resolved",
        when={"detail.mode": "ranged"},
        en="{detail.attacker:name} shoots at {target:name}[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.roll:total}[[ against {detail.against.needed}]]]].",
        ru="{detail.attacker:name} → {target:name}, выстрел[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.roll:total}[[ против {detail.against.needed}]]]].",
    ),
    Sentence(
        effect="moved",
        when={"complete": False},
        en="{combatant:name} moves[[ {cost} ft]] to {end:place}, cut short[[: {cause:cause}]].",
        ru="{combatant:name}: перемещение[[, {cost} футов]], прервано на {end:place}"
        "[[: {cause:cause}]].",
    ),
    Sentence(
        effect="moved",
        when={"manner": "walk"},
        en="{combatant:name} moves[[ {cost} ft]] to {end:place}.",
        ru="{combatant:name}: перемещение[[, {cost} футов]], на {end:place}.",
    ),
    Sentence(
        effect="check_resolved",
        when={"check": "hide"},
        en="{combatant:name} tries to hide from {opposed.combatant:name}: {outcome:term}"
        "[[, {roll:total} against {opposed.roll:total}]].",
        ru="{combatant:name} — попытка скрыться; противник: {opposed.combatant:name};"
        " {outcome:term}[[, {roll:total} против {opposed.roll:total}]].",
    ),
    Sentence(
        effect="stat_changed",
        when={"stat": "suppression"},
        en="{combatant:name}: suppression is [[{now}||another]] now.",
        ru="{combatant:name}: подавление — теперь [[{now}||другое]].",
    ),
    Sentence(
        effect="stat_changed",
        when={"stat": "live_suppression"},
        is_detail=True,
        en="{combatant:name}: suppression that counts here is [[{now}||another]] now.",
        ru="{combatant:name}: подавление, действующее здесь, — теперь [[{now}||другое]].",
    ),
    Sentence(
        effect="stat_changed",
        when={"stat": "remembered_suppression"},
        is_detail=True,
        en="{combatant:name}: suppression remembered is [[{now}||another]] now.",
        ru="{combatant:name}: запомненное подавление — теперь [[{now}||другое]].",
    ),
    Sentence(
        effect="link_changed",
        when={"link": "hidden_from", "tied": True},
        en="{combatant:name} hides from {other:name} now.",
        ru="{combatant:name}: скрыт; противник: {other:name}.",
    ),
    Sentence(
        effect="link_changed",
        when={"link": "hidden_from", "tied": False},
        en="{combatant:name} hides from {other:name} no longer.",
        ru="{combatant:name}: больше не скрыт; противник: {other:name}.",
    ),
    Sentence(
        effect="link_changed",
        when={"link": "position_override", "tied": True},
        en="{combatant:name}: position against {other:name} by the game master's word:"
        " {value:term}.",
        ru="{combatant:name}: позиция по решению ведущего — {value:term}; противник: {other:name}.",
    ),
    Sentence(
        effect="link_changed",
        when={"link": "position_override"},
        en="{combatant:name}: position against {other:name} follows from the map again.",
        ru="{combatant:name}: позиция снова по карте; противник: {other:name}.",
    ),
    Sentence(
        effect="link_changed",
        when={"link": "shot_at"},
        en="{combatant:name} has shot at {other:name} in this round.",
        ru="{combatant:name} → {other:name}: выстрел в этом раунде уже был.",
    ),
)
"""Sentences of this rulebook, the narrowest first."""
