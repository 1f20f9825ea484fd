"""How this rulebook's effects are told; what is not here is told as in every ruleset."""

from typing import Final

from service.engine.vocabulary.catalogue import Sentence

SENTENCES: Final[tuple[Sentence, ...]] = (
    Sentence(
        effect="attack_resolved",
        when={"detail.opportunity": True},
        en="{detail.attacker:name} attacks {target:name} out of turn[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.result}[[ against {detail.against.needed}]]"
        "||, d20 {detail.roll:total}]][[, d% {detail.miss_chance:total}]].",
        ru="{detail.attacker:name} → {target:name}, внеочередная атака[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.result}[[ против {detail.against.needed}]]"
        "||, к20 {detail.roll:total}]][[, d% {detail.miss_chance:total}]].",
    ),
    Sentence(
        effect="attack_resolved",
        when={"detail.mode": "melee"},
        en="{detail.attacker:name} strikes at {target:name}[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.result}[[ against {detail.against.needed}]]"
        "||, d20 {detail.roll:total}]][[, d% {detail.miss_chance:total}]].",
        ru="{detail.attacker:name} → {target:name}, удар[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.result}[[ против {detail.against.needed}]]"
        "||, к20 {detail.roll:total}]][[, d% {detail.miss_chance:total}]].",
    ),
    Sentence(
        effect="attack_resolved",
        when={"detail.mode": "ranged"},
        en="{detail.attacker:name} shoots at {target:name}[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.result}[[ against {detail.against.needed}]]"
        "||, d20 {detail.roll:total}]][[, d% {detail.miss_chance:total}]].",
        ru="{detail.attacker:name} → {target:name}, выстрел[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.result}[[ против {detail.against.needed}]]"
        "||, к20 {detail.roll:total}]][[, d% {detail.miss_chance:total}]].",
    ),
    Sentence(
        effect="attack_resolved",
        en="{detail.attacker:name} attacks the cell {place:place}[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.result}||, d20 {detail.roll:total}]]"
        "[[; {guess.target:name} was there ({guess.outcome:term})]].",
        ru="{detail.attacker:name} → клетка {place:place}, атака[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.result}||, к20 {detail.roll:total}]]"
        "[[; там был боец: {guess.target:name} ({guess.outcome:term})]].",
    ),
    Sentence(
        effect="area_resolved",
        en="[[{detail.attacker:name}||Somebody unseen]][[ ({detail.item:item})]]: effect at"
        " {area.origin:place}[[, {area.radius} ft around]]:"
        " [[<<victims, {target:name} — save {outcome:term}[[ ({result}[[ against {needed}]])"
        "|| (d20 {roll:total})]]>>||nobody whom you know of is there]].",
        ru="[[{detail.attacker:name}||Кто-то невидимый]][[ ({detail.item:item})]]: эффект по"
        " области, место {area.origin:place}[[, радиус {area.radius} футов]]:"
        " [[<<victims, {target:name} — испытание: {outcome:term}[[ ({result}[[ против"
        " {needed}]])|| (к20 {roll:total})]]>>||никого, о ком вы знаете]].",
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
        effect="gravity_set",
        en="Gravity from now on: {gravity:term}.",
        ru="Тяготение с этого события: {gravity:term}.",
    ),
    Sentence(effect="gravity_set", en="Gravity is another now.", ru="Тяготение изменено."),
    Sentence(
        effect="link_changed",
        when={"link": "cover_override", "tied": True},
        en="{combatant:name}: cover against {other:name} by the game master's word: {value:term}.",
        ru="{combatant:name}: укрытие по решению ведущего — {value:term}; атакующий: {other:name}.",
    ),
    Sentence(
        effect="link_changed",
        when={"link": "concealment_override", "tied": True},
        en="{combatant:name}: concealment against {other:name} by the game master's word:"
        " {amount} %.",
        ru="{combatant:name}: вероятность промаха по решению ведущего — {amount} %;"
        " атакующий: {other:name}.",
    ),
    Sentence(
        effect="link_changed",
        when={"tied": False},
        en="{combatant:name} against {other:name}: the map counts again.",
        ru="{combatant:name}: снова по карте; атакующий: {other:name}.",
    ),
)
"""Sentences of this rulebook, the narrowest first."""
