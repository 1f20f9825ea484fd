"""How this rulebook's effects are told; what is not here is told as in every ruleset."""

from typing import Final

from service.engine.vocabulary.catalogue import Sentence

SENTENCES: Final[tuple[Sentence, ...]] = (
    Sentence(
        effect="attack_resolved",
        en="{detail.attacker:name}, {detail.mode:term} at {target:name}[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.roll:total}[[ against {detail.pool} %]]]]"
        "[[; {answered.combatant:name} answers with {answered.kind:term}"
        "[[ {answered.roll:total}|| {answered.natural}]]: {answered.outcome:term}"
        "[[, {answered.why:term}]]]].",
        ru="{detail.attacker:name} → {target:name}, {detail.mode:term}[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.roll:total}[[ против {detail.pool} %]]]]"
        "[[; {answered.combatant:name} в ответ — {answered.kind:term}"
        "[[ {answered.roll:total}|| {answered.natural}]]: {answered.outcome:term}"
        "[[, {answered.why:term}]]]].",
    ),
    Sentence(
        effect="area_resolved",
        en="[[{detail.attacker:name}||Somebody unseen]][[ ({detail.item:item})]]: attack at"
        " {area.origin:place}[[, {area.radius} m around]]: {outcome:term}"
        "[[, {detail.roll:total}[[ against {detail.pool} %]]]]"
        "[[; <<victims, {target:name} — {outcome:term}[[ ({answered.kind:term}:"
        " {answered.outcome:term})]]>>]].",
        ru="[[{detail.attacker:name}||Кто-то невидимый]][[ ({detail.item:item})]]: атака по"
        " области, место {area.origin:place}[[, радиус {area.radius} м]]: {outcome:term}"
        "[[, {detail.roll:total}[[ против {detail.pool} %]]]]"
        "[[; <<victims, {target:name} — {outcome:term}[[ ({answered.kind:term}:"
        " {answered.outcome:term})]]>>]].",
    ),
    Sentence(
        effect="check_resolved",
        en="{combatant:name}, {check:term}: {outcome:term}[[, {roll:total}"
        "[[ against {needed} %]]]][[; {opposed.combatant:name} — {opposed.roll:total}"
        "||; {opposed.combatant:name} — {opposed.natural}]][[, {why:term}]].",
        ru="{combatant:name}, {check:term}: {outcome:term}[[, {roll:total}"
        "[[ против {needed} %]]]][[; {opposed.combatant:name} — {opposed.roll:total}"
        "||; {opposed.combatant:name} — {opposed.natural}]][[, {why:term}]].",
    ),
    *(
        Sentence(
            effect="rolled",
            when={"purpose": "card", "value": joker},
            is_detail=True,
            en="{combatant:name} draws a card: {value:term}.",
            ru="{combatant:name}: карта — {value:term}.",
        )
        for joker in ("black_joker", "red_joker")
    ),
    Sentence(
        effect="rolled",
        when={"purpose": "card"},
        is_detail=True,
        en="{combatant:name} draws a card[[: {value:text}]].",
        ru="{combatant:name}: карта[[ {value:text}]].",
    ),
    Sentence(
        effect="rolled",
        when={"purpose": "digits"},
        is_detail=True,
        en="{combatant:name}: {roll:total} for the digits of its dice"
        "[[, damage to {target:name}]].",
        ru="{combatant:name}: {roll:total} ради цифр броска[[; урон получает {target:name}]].",
    ),
    Sentence(
        effect="moved",
        when={"complete": False},
        en="{combatant:name}: {manner:term}[[, {cost} m]], cut short at {end:place}"
        "[[ ({cause:cause})]].",
        ru="{combatant:name}: {manner:term}[[, {cost} м]], прервано на {end:place}"
        "[[ ({cause:cause})]].",
    ),
    Sentence(
        effect="moved",
        when={"complete": True},
        en="{combatant:name}: {manner:term}[[, {cost} m]], to {end:place}.",
        ru="{combatant:name}: {manner:term}[[, {cost} м]], на {end:place}.",
    ),
    Sentence(
        effect="condition_gained",
        when={"condition": "aim"},
        en="{combatant:name} aims[[: {amount} % with the next attack]].",
        ru="{combatant:name}: прицеливание[[, {amount} % к следующей атаке]].",
    ),
    Sentence(
        effect="condition_gained",
        when={"condition": "answering"},
        en="{combatant:name} is ready to answer attacks[[: {value:term}]][[ ({item:item})]].",
        ru="{combatant:name}: готовность ответить на атаки[[ — {value:term}]][[ ({item:item})]].",
    ),
    Sentence(
        effect="condition_gained",
        when={"condition": "standing_roll"},
        is_detail=True,
        en="{combatant:name}: the roll[[ {facts.natural}]][[ of {value:term}]] stands for this"
        " round.",
        ru="{combatant:name}: бросок[[ {facts.natural}]][[, {value:term},]] действует до конца"
        " раунда.",
    ),
    Sentence(
        effect="link_changed",
        when={"link": "hold", "tied": True},
        en="{other:name} has a hold on {combatant:name} now.",
        ru="{other:name} → {combatant:name}: захват удался.",
    ),
    Sentence(
        effect="link_changed",
        when={"link": "hold", "tied": False},
        en="{other:name} has no hold on {combatant:name} any more[[ ({cause:cause})]].",
        ru="{other:name} → {combatant:name}: захвата больше нет[[ ({cause:cause})]].",
    ),
)
"""Sentences of this rulebook, the narrowest first."""
