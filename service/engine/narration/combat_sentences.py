"""Sentences for the effects of rolls and harm that rulesets share."""

from typing import Final

from service.engine.vocabulary.catalogue import GatheredSentence, Sentence

COMBAT_SENTENCES: Final[tuple[Sentence, ...]] = (
    # --- rolls ------------------------------------------------------------------------------
    Sentence(
        effect="rolled",
        when={"purpose": "initiative"},
        is_detail=True,
        en="[[{combatant:name}||Side {side:side}||Rolled]]: {purpose:term}[[ {roll:dice}]].",
        ru="[[{combatant:name}||Сторона {side:side}||Бросок]]: {purpose:term}[[ {roll:dice}]].",
    ),
    Sentence(
        effect="rolled",
        en="[[{combatant:name}||Side {side:side}||Rolled]]: {purpose:term}[[ {roll:dice}]]"
        "[[, that is {value:text}]].",
        ru="[[{combatant:name}||Сторона {side:side}||Бросок]]: {purpose:term}[[ {roll:dice}]]"
        "[[, то есть {value:text}]].",
    ),
    Sentence(effect="rolled", en="Dice are rolled.", ru="Бросок костей."),
    Sentence(
        effect="check_resolved",
        en="{combatant:name}, {check:term}: {outcome:term}[[, {roll:total}"
        "[[ against {opposed.roll:total}]]]].",
        ru="{combatant:name}, {check:term}: {outcome:term}[[, {roll:total}"
        "[[ против {opposed.roll:total}]]]].",
    ),
    Sentence(
        effect="check_resolved",
        en="A check[[: {outcome:term}]].",
        ru="Проверка[[: {outcome:term}]].",
    ),
    Sentence(
        effect="attack_resolved",
        en="[[{detail.attacker:name}||Somebody unseen]] attacks"
        "[[ {target:name}|| the place {place:place}]][[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.roll:total}[[ against {detail.against.needed}]]]].",
        ru="[[{detail.attacker:name}||Кто-то невидимый]] → [[{target:name}||место {place:place}"
        "||место]], атака[[ ({detail.item:item})]]: {outcome:term}[[, {detail.roll:total}"
        "[[ против {detail.against.needed}]]]].",
    ),
    Sentence(effect="attack_resolved", en="An attack.", ru="Атака."),
    Sentence(
        effect="area_resolved",
        en="[[{detail.attacker:name}: ]]{area.kind:term}[[ at {area.origin:place}]]"
        "[[, {detail.item:item}]]: [[<<victims; {target:name} — {outcome:term}>>"
        "||nobody whom you know of is there]].",
        ru="[[{detail.attacker:name}: ]]{area.kind:term}[[, место {area.origin:place}]]"
        "[[, {detail.item:item}]]: [[<<victims; {target:name} — {outcome:term}>>"
        "||никого, о ком вы знаете]].",
    ),
    Sentence(effect="area_resolved", en="An area is attacked.", ru="Атака по области."),
    # --- health -----------------------------------------------------------------------------
    Sentence(
        effect="hurt",
        en="{combatant:name}: {amount} damage[[ (dice {source.roll:dice})|| (dice {roll:dice})]]"
        "[[, {health} left]][[, {band:term}]].",
        ru="{combatant:name}: урон {amount}[[ (кости {source.roll:dice})|| (кости {roll:dice})]]"
        "[[, осталось {health}]][[, {band:term}]].",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Damage: <<effects; {combatant:name} {amount}[[, {health} left]]>>.",
            ru="Урон: <<effects; {combatant:name} {amount}[[, осталось {health}]]>>.",
        ),
    ),
    Sentence(
        effect="hurt",
        en="{combatant:name} takes damage[[ (dice {source.roll:dice})]][[: {band:term}]].",
        ru="{combatant:name}: получен урон[[ (кости {source.roll:dice})]][[, {band:term}]].",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Damage taken: <<effects, {combatant:name}[[ ({band:term})]]>>.",
            ru="Урон получен: <<effects, {combatant:name}[[ ({band:term})]]>>.",
        ),
    ),
    Sentence(
        effect="hurt",
        en="Somebody takes damage.",
        ru="Кем-то получен урон.",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Damage to combatants that you do not see: {effects:count}.",
            ru="Урон бойцам, которых вы не видите: {effects:count}.",
        ),
    ),
    Sentence(
        effect="healed",
        when={"amount": 0},
        en="{combatant:name}: {health} health, as before[[, {band:term}]].",
        ru="{combatant:name}: здоровье {health}, как и было[[, {band:term}]].",
    ),
    Sentence(
        effect="healed",
        en="{combatant:name}: {amount} health regained[[, {health} now]][[, {band:term}]].",
        ru="{combatant:name}: здоровье +{amount}[[, теперь {health}]][[, {band:term}]].",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Health regained: <<effects; {combatant:name} {amount}[[, {health} now]]>>.",
            ru="Здоровье: <<effects; {combatant:name} +{amount}[[, теперь {health}]]>>.",
        ),
    ),
    Sentence(
        effect="healed",
        en="{combatant:name} regains health[[: {band:term}]].",
        ru="{combatant:name}: здоровья стало больше[[, {band:term}]].",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Health regained: <<effects, {combatant:name}[[ ({band:term})]]>>.",
            ru="Здоровья стало больше: <<effects, {combatant:name}[[ ({band:term})]]>>.",
        ),
    ),
    Sentence(
        effect="healed",
        en="Somebody regains health.",
        ru="Чьего-то здоровья больше.",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Combatants that you do not see regain health: {effects:count}.",
            ru="Здоровья больше у бойцов, которых вы не видите: {effects:count}.",
        ),
    ),
    Sentence(
        effect="felled",
        en="{combatant:name} is out of the fight: {state:term}.",
        ru="{combatant:name}: вне боя, {state:term}.",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Out of the fight: <<effects, {combatant:name} ({state:term})>>.",
            ru="Вне боя: <<effects, {combatant:name} ({state:term})>>.",
        ),
    ),
    Sentence(
        effect="felled",
        en="Somebody is out of the fight.",
        ru="Кто-то вне боя.",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Out of the fight that you do not see: {effects:count}.",
            ru="Вне боя бойцов, которых вы не видите: {effects:count}.",
        ),
    ),
    # --- numbers, conditions, items, ties ---------------------------------------------------
    Sentence(
        effect="stat_changed",
        en="{combatant:name}: {stat:term} is {now} now.",
        ru="{combatant:name}: {stat:term} — теперь {now}.",
    ),
    Sentence(
        effect="stat_changed",
        en="{combatant:name}: {stat:term} is another now.",
        ru="{combatant:name}: {stat:term} — теперь другое значение.",
    ),
    Sentence(effect="stat_changed", en="A number is another now.", ru="Изменено число."),
    Sentence(
        effect="resource_changed",
        is_detail=True,
        en="[[{combatant:name}||Side {side:side}]][[, {item:item}]]: {resource:term},"
        " [[{now} left||another amount now]].",
        ru="[[{combatant:name}||Сторона {side:side}]][[, {item:item}]]: {resource:term},"
        " [[осталось {now}||теперь иначе]].",
    ),
    Sentence(
        effect="resource_changed",
        is_detail=True,
        en="Something is spent or regained.",
        ru="Что-то потрачено или возвращено.",
    ),
    Sentence(
        effect="condition_gained",
        en="{combatant:name} has a condition from now on: {condition:term}[[ {amount}]]"
        "[[ ({cause:cause})]].",
        ru="{combatant:name}: с этого события — {condition:term}[[ {amount}]][[ ({cause:cause})]].",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Conditions from now on: <<effects; {combatant:name} — {condition:term}"
            "[[ {amount}]]>>.",
            ru="Новые состояния: <<effects; {combatant:name} — {condition:term}[[ {amount}]]>>.",
        ),
    ),
    Sentence(
        effect="condition_gained",
        en="A condition holds.",
        ru="Новое состояние.",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Conditions that hold from now on: {effects:count}.",
            ru="Новых состояний: {effects:count}.",
        ),
    ),
    Sentence(
        effect="condition_lost",
        en="{combatant:name} has a condition no longer: {condition:term}[[ ({cause:cause})]].",
        ru="{combatant:name}: больше нет — {condition:term}[[ ({cause:cause})]].",
    ),
    Sentence(effect="condition_lost", en="A condition is over.", ru="Состояния больше нет."),
    Sentence(
        effect="item_changed",
        en="{combatant:name}, {item:item}: {change:cause}[[, lies at {place:place}]].",
        ru="{combatant:name}, {item:item}: {change:cause}[[, лежит на {place:place}]].",
    ),
    Sentence(effect="item_changed", en="An item changes hands.", ru="Предмет сменил место."),
    Sentence(
        effect="link_changed",
        when={"tied": True},
        en="{combatant:name} and {other:name}: {link:term} from now on[[, {amount}]].",
        ru="{combatant:name} и {other:name}: {link:term} — с этого события[[, {amount}]].",
    ),
    Sentence(
        effect="link_changed",
        en="{combatant:name} and {other:name}: {link:term} no longer.",
        ru="{combatant:name} и {other:name}: {link:term} — больше нет.",
    ),
    Sentence(effect="link_changed", en="A tie of two is another now.", ru="Изменена связь двоих."),
)
"""What was rolled, and what became of those concerned."""
