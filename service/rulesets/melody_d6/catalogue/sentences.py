"""How this rulebook's effects are told; what is not here is told as in every ruleset."""

from typing import Final

from service.engine.vocabulary.catalogue import GatheredSentence, Sentence

_WHOSE: Final = "{combatant:name}, {check:term}[[ ({melody:thing})|| ({song:thing})]]: "
_DICE_EN: Final = (
    "[[, {reroll.before} → {reroll.after} ({reroll.source:term})[[, with modifiers {total}]]"
    "[[, needed {needed}]]||, {roll:dice}[[, with modifiers {total}]][[, needed {needed}]]]]."
)
_DICE_RU: Final = (
    "[[, {reroll.before} → {reroll.after} ({reroll.source:term})[[, с поправками {total}]]"
    "[[, нужно {needed}]]||, {roll:dice}[[, с поправками {total}]][[, нужно {needed}]]]]."
)
"""The dice of a test: of one that was rerolled all faces before and afterwards."""

SENTENCES: Final[tuple[Sentence, ...]] = (
    # --- sides, units, activations ----------------------------------------------------------
    Sentence(
        effect="force_set",
        en="Side {side:side}: home edge {home_edge:term}, {fp} FP.",
        ru="Сторона {side:side}: свой край — {home_edge:term}, очков FP — {fp}.",
    ),
    Sentence(effect="force_set", en="A side is set up.", ru="Сторона готова."),
    Sentence(
        effect="unit_formed",
        en="{unit.id} is in the battle[[ ({unit.kind:term}, side {unit.side:side})]].",
        ru="{unit.id}: в бою[[ ({unit.kind:term}, сторона {unit.side:side})]].",
    ),
    Sentence(effect="unit_formed", en="A unit is in the battle.", ru="В бою новый отряд."),
    Sentence(
        effect="unit_spent",
        en="{unit} counts as activated in this turn.",
        ru="{unit}: в этот ход уже считается активированным.",
    ),
    Sentence(effect="unit_spent", en="A unit counts as activated.", ru="Отряд уже активирован."),
    Sentence(
        effect="activation_began",
        en="[[{unit} (side {side:side})||A unit of side {side:side} that you do not see"
        "||A unit]] is activated.",
        ru="[[{unit}, сторона {side:side}||Отряд стороны {side:side}, которого вы не видите"
        "||Отряд]]: начало активации.",
    ),
    Sentence(
        effect="activation_ended",
        when={"cause": "ended"},
        en="The activation of [[{unit}||a unit that you do not see]] is over.",
        ru="[[{unit}||Отряд, которого вы не видите]]: конец активации.",
    ),
    Sentence(
        effect="activation_ended",
        en="The activation of [[{unit}||a unit that you do not see]] is over[[ ({cause:cause})]].",
        ru="[[{unit}||Отряд, которого вы не видите]]: конец активации[[ ({cause:cause})]].",
    ),
    # --- movement and masking ---------------------------------------------------------------
    Sentence(
        effect="moved",
        when={"complete": False},
        en="{combatant:name}: {manner:term}, so far to {end:place}[[ ({cause:cause})]].",
        ru="{combatant:name}: {manner:term}, пока до {end:place}[[ ({cause:cause})]].",
    ),
    Sentence(
        effect="mask_declared",
        en="About to mask: {combatants:name}.",
        ru="Готовятся замаскироваться: {combatants:name}.",
    ),
    Sentence(effect="mask_declared", en="Somebody is about to mask.", ru="Кто-то маскируется."),
    # --- attacks ----------------------------------------------------------------------------
    Sentence(
        effect="attack_resolved",
        when={"detail.mode": "fight"},
        en="{detail.attacker:name} fights {target:name}[[ ({detail.item:item})]]: {outcome:term}"
        "[[, {detail.roll:total}[[ {detail.pool:signed}]] against {detail.against.roll:total}"
        "[[ {detail.against.base:signed}]]]].",
        ru="{detail.attacker:name} → {target:name}, рукопашная[[ ({detail.item:item})]]:"
        " {outcome:term}[[, {detail.roll:total}[[ {detail.pool:signed}]] против"
        " {detail.against.roll:total}[[ {detail.against.base:signed}]]]].",
    ),
    Sentence(
        effect="attack_resolved",
        when={"detail.ambush": True},
        en="{detail.attacker:name} shoots at {target:name} from ambush[[ ({detail.item:item})]]:"
        " {outcome:term}[[, dice {detail.roll:dice}]][[, hits {detail.hits}]]"
        "[[; wound dice {detail.wounds.roll:dice}]][[; saves {detail.saves.roll:dice}]].",
        ru="{detail.attacker:name} → {target:name}, выстрел из засады[[ ({detail.item:item})]]:"
        " {outcome:term}[[, кости {detail.roll:dice}]][[, попаданий {detail.hits}]]"
        "[[; кости ранений {detail.wounds.roll:dice}]][[; спасброски {detail.saves.roll:dice}]].",
    ),
    Sentence(
        effect="attack_resolved",
        when={"detail.mode": "guard"},
        en="{detail.attacker:name}, on guard, shoots at {target:name}[[ ({detail.item:item})]]:"
        " {outcome:term}[[, dice {detail.roll:dice}]][[, hits {detail.hits}]]"
        "[[; wound dice {detail.wounds.roll:dice}]][[; saves {detail.saves.roll:dice}]].",
        ru="{detail.attacker:name} → {target:name}, выстрел в карауле[[ ({detail.item:item})]]:"
        " {outcome:term}[[, кости {detail.roll:dice}]][[, попаданий {detail.hits}]]"
        "[[; кости ранений {detail.wounds.roll:dice}]][[; спасброски {detail.saves.roll:dice}]].",
    ),
    Sentence(
        effect="attack_resolved",
        when={"detail.mode": "shot"},
        en="{detail.attacker:name} shoots at {target:name}[[ ({detail.item:item})]]:"
        " {outcome:term}[[, dice {detail.roll:dice}]][[, hits {detail.hits}]]"
        "[[; wound dice {detail.wounds.roll:dice}]][[; saves {detail.saves.roll:dice}]].",
        ru="{detail.attacker:name} → {target:name}, выстрел[[ ({detail.item:item})]]:"
        " {outcome:term}[[, кости {detail.roll:dice}]][[, попаданий {detail.hits}]]"
        "[[; кости ранений {detail.wounds.roll:dice}]][[; спасброски {detail.saves.roll:dice}]].",
    ),
    # --- tests ------------------------------------------------------------------------------
    Sentence(
        effect="check_resolved",
        when={"check": "mobility"},
        en="{combatant:name}, Mobility test: {outcome:term}"
        "[[, {roll:dice}[[, at most {needed}]]]].",
        ru="{combatant:name}, тест на Подвижность: {outcome:term}"
        "[[, {roll:dice}[[, не больше {needed}]]]].",
    ),
    Sentence(
        effect="check_resolved",
        when={"check": "detection"},
        en="{combatant:name} searches: {outcome:term}[[, {roll:dice}]]"
        "[[; looked for: <<tested, {target:name}>>]].",
        ru="{combatant:name}, обнаружение: {outcome:term}[[, {roll:dice}]]"
        "[[; искали: <<tested, {target:name}>>]].",
    ),
    Sentence(
        effect="check_resolved",
        when={"check": "resistance"},
        en="{combatant:name}, Resistance[[ ({resistance:thing})]]: {outcome:term}"
        "[[, {roll:dice}[[, at most {needed}]]]].",
        ru="{combatant:name}, Сопротивление[[ ({resistance:thing})]]: {outcome:term}"
        "[[, {roll:dice}[[, не больше {needed}]]]].",
    ),
    *(
        Sentence(
            effect="check_resolved",
            when={"check": check},
            en="[[{unit}||{combatant:name}]], {check:term}: {outcome:term}"
            "[[, {roll:dice}[[, at most {needed}]]]].",
            ru="[[{unit}||{combatant:name}]], {check:term}: {outcome:term}"
            "[[, {roll:dice}[[, не больше {needed}]]]].",
        )
        for check in ("panic", "rally")
    ),
    Sentence(
        effect="check_resolved",
        when={"classification": "terrible_mistake"},
        en=_WHOSE + "{classification:term}" + _DICE_EN,
        ru=_WHOSE + "{classification:term}" + _DICE_RU,
    ),
    Sentence(
        effect="check_resolved",
        when={"classification": "monstrous_power"},
        en=_WHOSE + "{outcome:term}, {classification:term}" + _DICE_EN,
        ru=_WHOSE + "{outcome:term}, {classification:term}" + _DICE_RU,
    ),
    Sentence(
        effect="check_resolved",
        when={"automatic": "failure"},
        en=_WHOSE + "automatic failure" + _DICE_EN,
        ru=_WHOSE + "автоматический провал" + _DICE_RU,
    ),
    Sentence(
        effect="check_resolved",
        when={"automatic": "success"},
        en=_WHOSE + "automatic success" + _DICE_EN,
        ru=_WHOSE + "автоматический успех" + _DICE_RU,
    ),
    Sentence(
        effect="check_resolved",
        en=_WHOSE + "{outcome:term}" + _DICE_EN,
        ru=_WHOSE + "{outcome:term}" + _DICE_RU,
    ),
    Sentence(
        effect="rolled",
        when={"purpose": "mistake"},
        en="[[{combatant:name}||Rolled]]: {purpose:term}[[ {roll:dice}]].",
        ru="[[{combatant:name}||Бросок]]: {purpose:term}[[ {roll:dice}]].",
    ),
    # --- Melodies ---------------------------------------------------------------------------
    Sentence(
        effect="marker_placed",
        en="{combatant:name} keeps a Melody in play: {melody:thing}[[ at {target:name}"
        "|| at {shape.origin:place}]].",
        ru="{combatant:name}: Мелодия {melody:thing} в игре[[, цель {target:name}"
        "||, место {shape.origin:place}]].",
    ),
    Sentence(
        effect="marker_removed",
        en="The Melody {marker:thing} of {combatant:name} is over[[ ({cause:cause})]].",
        ru="{combatant:name}: Мелодия {marker:thing} прекращена[[ ({cause:cause})]].",
    ),
    Sentence(
        effect="song_dampening",
        is_detail=True,
        en="The attempt of this round at the Melody {marker:thing} of {combatant:name} is made.",
        ru="{combatant:name}: попытка заглушить Мелодию {marker:thing} в этом раунде сделана.",
    ),
    Sentence(
        effect="song_dampening",
        is_detail=True,
        en="The attempt of this round at a Melody is made.",
        ru="Попытка заглушить Мелодию в этом раунде сделана.",
    ),
    Sentence(
        effect="area_resolved",
        en="{combatant:name}: {melody:thing} at [[{area.aim:place}||{area.origin:place}]]:"
        " [[<<victims, {target:name} — {outcome:term}>>||nobody whom you know of is under it]].",
        ru="{combatant:name}: {melody:thing}, место [[{area.aim:place}||{area.origin:place}]]:"
        " [[<<victims, {target:name} — {outcome:term}>>||под шаблоном никого, о ком вы знаете]].",
    ),
    # --- conditions and what is spent -------------------------------------------------------
    Sentence(
        effect="condition_gained",
        when={"condition": "melody"},
        en="{combatant:name} is under the Melody {item:thing}.",
        ru="{combatant:name}: под действием Мелодии {item:thing}.",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Under a Melody: <<effects; {combatant:name} — {item:thing}>>.",
            ru="Под действием Мелодии: <<effects; {combatant:name} — {item:thing}>>.",
        ),
    ),
    Sentence(
        effect="condition_gained",
        when={"condition": "hoarse"},
        en="{combatant:name} is hoarse until the end of round {amount}.",
        ru="{combatant:name}: хрипота до конца раунда {amount}.",
        is_outcome=True,
    ),
    Sentence(
        effect="condition_lost",
        when={"condition": "melody"},
        en="{combatant:name} is under the Melody {item:thing} no longer.",
        ru="{combatant:name}: больше не под действием Мелодии {item:thing}.",
    ),
    Sentence(
        effect="felled",
        when={"state": "fled"},
        en="{combatant:name} flees over the home edge of its side and has left the table.",
        ru="{combatant:name}: бегство за свой край стола, стол покинут.",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Fled over the home edge, off the table: <<effects, {combatant:name}>>.",
            ru="Бегство за свой край, стол покинут: <<effects, {combatant:name}>>.",
        ),
    ),
    Sentence(
        effect="resource_changed",
        when={"resource": "dampening"},
        is_detail=True,
        en="Side {side:side}: attempts to dampen lasting Melodies made in this round, {now}.",
        ru="Сторона {side:side}: сделано попыток заглушить длительные Мелодии в этом раунде —"
        " {now}.",
    ),
    Sentence(
        effect="resource_changed",
        when={"resource": "action"},
        is_detail=True,
        en="{combatant:name}: actions left, {now}.",
        ru="{combatant:name}: действий осталось — {now}.",
    ),
    Sentence(
        effect="resource_changed",
        when={"resource": "movement"},
        is_detail=True,
        en="{combatant:name}: movements left, {now}.",
        ru="{combatant:name}: движений осталось — {now}.",
    ),
)
"""Sentences of this rulebook, the narrowest first."""
