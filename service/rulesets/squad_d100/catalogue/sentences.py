"""How this rulebook's effects are told; what is not here is told as in every ruleset."""

from typing import Final

from service.engine.vocabulary.catalogue import GatheredSentence, Sentence

SENTENCES: Final[tuple[Sentence, ...]] = (
    # --- attacks ----------------------------------------------------------------------------
    Sentence(
        effect="attack_resolved",
        when={"outcome": "wasted", "detail.why": "target_down"},
        en="{detail.attacker:name}, {detail.mode:term} at {place:place}"
        "[[ ({detail.item:item})]]: a round in vain, the target is gone.",
        ru="{detail.attacker:name} → {place:place}, {detail.mode:term}"
        "[[ ({detail.item:item})]]: патрон впустую, цели больше нет.",
    ),
    Sentence(
        effect="attack_resolved",
        when={"outcome": "wasted"},
        en="{detail.attacker:name}, {detail.mode:term}[[ at {target:name}|| at {place:place}]]"
        "[[ ({detail.item:item})]]: a round in vain[[, {detail.why:term}]].",
        ru="{detail.attacker:name}[[ → {target:name}|| → {place:place}]], {detail.mode:term}"
        "[[ ({detail.item:item})]]: патрон впустую[[, {detail.why:term}]].",
    ),
    Sentence(
        effect="attack_resolved",
        when={"detail.mode": "suppression", "outcome": "miss"},
        is_detail=True,
        is_outcome=True,
        en="{detail.attacker:name}, {detail.mode:term} at {target:name}: {outcome:term}"
        "[[, {detail.roll:total}]].",
        ru="{detail.attacker:name} → {target:name}, {detail.mode:term}: {outcome:term}"
        "[[, {detail.roll:total}]].",
        gathered=GatheredSentence(
            en="{detail.attacker:name}, {detail.mode:term} at {target:name}"
            "[[ ({detail.item:item})]]: rounds without a hit, {effects:count}.",
            ru="{detail.attacker:name} → {target:name}, {detail.mode:term}"
            "[[ ({detail.item:item})]]: патронов без попадания — {effects:count}.",
            is_always=True,
        ),
    ),
    Sentence(
        effect="attack_resolved",
        en="{detail.attacker:name}, {detail.mode:term} at [[{target:name}||{place:place}]]"
        "[[ ({detail.item:item})]]: {outcome:term}[[, {detail.result}[[ against"
        " {detail.threshold}]]||, {detail.roll:total}]][[; comes down at"
        " {detail.landing:place}]][[; armour: {detail.armour.zone:term}]].",
        ru="{detail.attacker:name} → [[{target:name}||{place:place}]], {detail.mode:term}"
        "[[ ({detail.item:item})]]: {outcome:term}[[, {detail.result}[[ против"
        " {detail.threshold}]]||, {detail.roll:total}]][[; место падения"
        " {detail.landing:place}]][[; броня: {detail.armour.zone:term}]].",
    ),
    Sentence(
        effect="area_resolved",
        en="[[{detail.attacker:name}: blast||Blast]][[ ({detail.item:item})]] at"
        " {area.origin:place}: [[<<victims, {target:name} — {outcome:term}>>"
        "||nobody whom you know of is there]].",
        ru="[[{detail.attacker:name}: взрыв||Взрыв]][[ ({detail.item:item})]], место"
        " {area.origin:place}: [[<<victims, {target:name} — {outcome:term}>>"
        "||никого, о ком вы знаете]].",
    ),
    Sentence(
        effect="hurt",
        en="{combatant:name}: {amount} damage[[, {wording:term}]]"
        "[[ (dice {source.roll:dice})|| (dice {roll:dice})]][[, {health} left]][[, {band:term}]].",
        ru="{combatant:name}: урон {amount}[[, {wording:term}]]"
        "[[ (кости {source.roll:dice})|| (кости {roll:dice})]][[, осталось {health}]]"
        "[[, {band:term}]].",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Damage: <<effects; {combatant:name} {amount}[[, {wording:term}]]"
            "[[, {health} left]]>>.",
            ru="Урон: <<effects; {combatant:name} {amount}[[, {wording:term}]]"
            "[[, осталось {health}]]>>.",
        ),
    ),
    Sentence(
        effect="hurt",
        en="{combatant:name} takes damage[[: {wording:term}]][[ (dice {source.roll:dice})]]"
        "[[, {band:term}]].",
        ru="{combatant:name}: получен урон[[, {wording:term}]][[ (кости {source.roll:dice})]]"
        "[[, {band:term}]].",
        is_outcome=True,
        gathered=GatheredSentence(
            en="Damage taken: <<effects; {combatant:name}[[, {wording:term}]][[ ({band:term})]]>>.",
            ru="Урон получен: <<effects; {combatant:name}[[, {wording:term}]][[ ({band:term})]]>>.",
        ),
    ),
    # --- watch and suppression --------------------------------------------------------------
    Sentence(
        effect="check_resolved",
        when={"check": "vigilance"},
        en="{combatant:name}, on watch for {versus:name}: {outcome:term}"
        "[[, {roll:total}[[ against {needed}]]]].",
        ru="{combatant:name}, тест на бдительность: {outcome:term}"
        "[[, {roll:total}[[ против {needed}]]]]; мимо идёт {versus:name}.",
    ),
    # The glossary's word for `suppressed` is that for a target, which the enemy here is not.
    Sentence(
        effect="vigilance_no_shot",
        when={"why": "suppressed"},
        en="{combatant:name} has noticed {target:name} and does not shoot: suppressed in this"
        " direction.",
        ru="{combatant:name}: замечен {target:name}, выстрела нет — подавлен в эту сторону.",
    ),
    Sentence(
        effect="vigilance_no_shot",
        en="{combatant:name} has noticed {target:name} and does not shoot[[: {why:term}]].",
        ru="{combatant:name}: замечен {target:name}, выстрела нет[[ — {why:term}]].",
    ),
    Sentence(
        effect="vigilance_no_shot",
        en="Somebody on watch does not shoot.",
        ru="Кто-то в наблюдении не стреляет.",
    ),
    Sentence(
        effect="suppressed",
        en="{combatant:name} is pinned down in its next turn[[, by {by:name}]].",
        ru="{combatant:name}: подавление на следующий ход[[; стрелок: {by:name}]].",
        is_outcome=True,
    ),
    Sentence(effect="suppressed", en="Somebody is pinned down.", ru="Кто-то подавлен."),
    Sentence(
        effect="suppression_due",
        en="{combatant:name} is pinned down in this turn.",
        ru="{combatant:name}: подавление действует в этот ход.",
    ),
    Sentence(effect="suppression_due", en="Somebody is pinned down.", ru="Кто-то подавлен."),
    Sentence(
        effect="suppression_ended",
        en="{combatant:name} is pinned down no longer.",
        ru="{combatant:name}: подавления больше нет.",
    ),
    Sentence(
        effect="suppression_ended",
        en="Somebody is pinned down no longer.",
        ru="Кто-то больше не подавлен.",
    ),
    # --- ground, items, the map -------------------------------------------------------------
    Sentence(
        effect="moved",
        when={"manner": "walk"},
        en="{combatant:name} walks to {end:place}[[, {cost} points]][[ ({cause:cause})]].",
        ru="{combatant:name}: на {end:place}[[, очков {cost}]][[ ({cause:cause})]].",
    ),
    Sentence(
        effect="terrain_changed",
        when={"cause": "door"},
        en="A door is worked: <<changes, ({x}, {y})>>.",
        ru="Дверь открыта или закрыта: <<changes, ({x}, {y})>>.",
    ),
    Sentence(
        effect="items_taken",
        en="{combatant:name} picks up what lay at {place:place}[[: <<weapons, {id:thing}>>]]"
        "[[; grenades: <<grenades, {id:thing}>>]].",
        ru="{combatant:name}: подобрано на {place:place}[[: <<weapons, {id:thing}>>]]"
        "[[; гранаты: <<grenades, {id:thing}>>]].",
    ),
    Sentence(effect="items_taken", en="Something is picked up.", ru="Что-то подобрано."),
    Sentence(
        effect="glyphs_folded",
        en="Signs of the map were read as others that they look like"
        "[[: <<folds, ({x}, {y}) {glyph:sign} as {read_as:sign}>>]].",
        ru="Знаки карты прочитаны как похожие на них"
        "[[: <<folds, ({x}, {y}) {glyph:sign} как {read_as:sign}>>]].",
    ),
    Sentence(
        effect="map_stocked",
        en="The map brings along[[ units: {units:name}]][[; caches: {caches:count}]].",
        ru="Вместе с картой[[ пришли бойцы: {units:name}]][[; тайников: {caches:count}]].",
    ),
    # --- what is spent ----------------------------------------------------------------------
    Sentence(
        effect="resource_changed",
        when={"resource": "shooting"},
        is_detail=True,
        en="{combatant:name}: the shooting of this turn is [[{now} now||used or regained]].",
        ru="{combatant:name}: стрельба этого хода — [[теперь {now}||теперь иначе]].",
    ),
)
"""Sentences of this rulebook, the narrowest first."""
