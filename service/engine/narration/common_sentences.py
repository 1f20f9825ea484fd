"""Sentences for the effects that rulesets share, but for those of rolls and harm."""

from typing import Final

from service.engine.vocabulary.catalogue import Sentence

COMMON_SENTENCES: Final[tuple[Sentence, ...]] = (
    # --- the encounter ----------------------------------------------------------------------
    Sentence(
        effect="encounter_created",
        en="The battle is created[[: “{title:text}”]]; ruleset {ruleset}, dice {dice.mode:term}.",
        ru="Бой создан[[: «{title:text}»]]; правила {ruleset}, кости: {dice.mode:term}.",
    ),
    Sentence(effect="encounter_created", en="The battle is created.", ru="Бой создан."),
    Sentence(effect="encounter_started", en="The battle begins.", ru="Бой начался."),
    Sentence(
        effect="encounter_ended",
        en="The battle is over, side {winner:side} has won[[: “{reason:text}”]].",
        ru="Бой окончен, победа стороны {winner:side}[[: «{reason:text}»]].",
        is_outcome=True,
    ),
    Sentence(
        effect="encounter_ended",
        en="The battle is over, no side has won[[: “{reason:text}”]].",
        ru="Бой окончен, победителя нет[[: «{reason:text}»]].",
        is_outcome=True,
    ),
    Sentence(
        effect="contributed",
        en="{seat:seat} mixes 32 bytes of chance into the dice.",
        ru="{seat:seat}: вклад в кости, 32 байта.",
    ),
    Sentence(
        effect="contributed",
        en="Somebody mixes 32 bytes of chance into the dice.",
        ru="Вклад в кости, 32 байта.",
    ),
    Sentence(
        effect="seed_revealed",
        en="The seed of the dice is revealed[[: {seed}]].",
        ru="Зерно костей раскрыто[[: {seed}]].",
    ),
    Sentence(
        effect="parts_opened",
        when={"opened": "sides"},
        en="The hidden parts of all sides are open to every seat.",
        ru="Скрытые части всех сторон открыты каждому месту.",
    ),
    Sentence(
        effect="parts_opened",
        when={"opened": "all"},
        en="All hidden parts, those of the game master too, are open to every seat.",
        ru="Все скрытые части, и те, что были только у ведущего, открыты каждому месту.",
    ),
    Sentence(
        effect="parts_opened",
        en="No further hidden parts are opened.",
        ru="Новых открытых частей нет.",
    ),
    Sentence(
        effect="options_set",
        en="The terms of the battle are changed before it begins.",
        ru="Условия боя изменены до его начала.",
    ),
    # --- seats and remarks ------------------------------------------------------------------
    Sentence(
        effect="seat_changed",
        when={"removed": True},
        en="Seat {seat.id} is taken away.",
        ru="Место {seat.id} убрано.",
    ),
    Sentence(
        effect="seat_changed",
        en="Seat {seat.id}[[ (“{seat.name:text}”)]]: {seat.role:role}"
        "[[, sides {seat.sides:side}]][[, combatants {seat.combatants:name}]].",
        ru="Место {seat.id}[[ («{seat.name:text}»)]]: {seat.role:role}"
        "[[, стороны: {seat.sides:side}]][[, бойцы: {seat.combatants:name}]].",
    ),
    Sentence(effect="seat_changed", en="A seat is changed.", ru="Место изменено."),
    Sentence(
        effect="control_changed",
        en="Seat {seat:seat} controls[[ sides {sides:side}[[ and combatants {combatants:name}]]"
        "|| combatants {combatants:name}|| nobody]].",
        ru="Место {seat:seat} управляет:[[ стороны {sides:side}[[, бойцы {combatants:name}]]"
        "|| бойцы {combatants:name}|| никем]].",
    ),
    Sentence(
        effect="control_changed", en="Control of a seat is changed.", ru="Управление изменено."
    ),
    Sentence(
        effect="noted",
        en="Note: “{text:text}”.[[ For the game master: “{gm_text:text}”.]]",
        ru="Заметка: «{text:text}».[[ Для ведущего: «{gm_text:text}».]]",
    ),
    Sentence(
        effect="noted",
        en="Note for the game master: “{gm_text:text}”.",
        ru="Заметка для ведущего: «{gm_text:text}».",
    ),
    Sentence(
        effect="noted",
        en="A note without any text that you may read.",
        ru="Заметка, текста которой вам не видно или нет.",
    ),
    Sentence(
        effect="adjusted",
        en="The game master overrules: “{reason:text}”.",
        ru="Решение ведущего: «{reason:text}».",
    ),
    Sentence(
        effect="adjusted",
        en="The game master overrules; no reason is on record.",
        ru="Решение ведущего; причина не записана.",
    ),
    Sentence(
        effect="rewound",
        en="The battle goes back to what it was after event {to}; nothing is deleted.",
        ru="Бой возвращён к тому, что было после события {to}; ничего не удалено.",
    ),
    Sentence(
        effect="rewound",
        en="The battle goes back to an earlier event; nothing is deleted.",
        ru="Бой возвращён к более раннему событию; ничего не удалено.",
    ),
    Sentence(
        effect="erased",
        en="The free text of these events is erased: {seqs}.",
        ru="Свободный текст этих событий стёрт: {seqs}.",
    ),
    Sentence(effect="erased", en="Free text is erased.", ru="Свободный текст стёрт."),
    # --- who takes part, and turns ----------------------------------------------------------
    Sentence(
        effect="combatant_added",
        en="{combatant.id:name} is in the battle[[, side {combatant.side:side}]]"
        "[[, at {combatant.place:place}]].",
        ru="{combatant.id:name}: в бою[[, сторона {combatant.side:side}]]"
        "[[, место {combatant.place:place}]].",
    ),
    Sentence(effect="combatant_added", en="A combatant is in the battle.", ru="Новый боец."),
    Sentence(
        effect="combatant_removed",
        en="{combatant:name} is out of the battle.",
        ru="{combatant:name}: больше не в бою.",
        is_outcome=True,
    ),
    Sentence(
        effect="combatant_removed",
        en="A combatant is gone.",
        ru="Боец выведен из боя.",
        is_outcome=True,
    ),
    Sentence(
        effect="order_set",
        en="Order of turns: <<entries, [[{combatant:name}||{side:side}]][[ ({score})]]>>.",
        ru="Порядок ходов: <<entries, [[{combatant:name}||{side:side}]][[ ({score})]]>>.",
    ),
    Sentence(effect="order_set", en="The order of turns is set.", ru="Порядок ходов определён."),
    Sentence(effect="round_began", en="Round {round} begins.", ru="Начался раунд {round}."),
    Sentence(effect="round_began", en="A round begins.", ru="Начался раунд."),
    Sentence(
        effect="turn_began",
        en="The turn of {combatant:name} begins.",
        ru="{combatant:name}: начало хода.",
    ),
    Sentence(
        effect="turn_began",
        en="The turn of side {side:side} begins.",
        ru="Сторона {side:side}: начало хода.",
    ),
    Sentence(
        effect="turn_began",
        en="The turn of somebody whom you do not see begins.",
        ru="Начался ход того, кого вы не видите.",
    ),
    Sentence(
        effect="turn_ended",
        when={"cause": "ended"},
        en="The turn of [[{combatant:name}||side {side:side}||somebody whom you do not see]] is"
        " over.",
        ru="[[{combatant:name}: конец хода||Сторона {side:side}: конец хода"
        "||Окончен ход того, кого вы не видите]].",
    ),
    Sentence(
        effect="turn_ended",
        en="The turn of [[{combatant:name}||side {side:side}||somebody whom you do not see]] is"
        " over[[ ({cause:cause})]].",
        ru="[[{combatant:name}: конец хода||Сторона {side:side}: конец хода"
        "||Окончен ход того, кого вы не видите]][[ ({cause:cause})]].",
    ),
    Sentence(
        effect="phase_changed",
        en="[[{combatant:name}||{unit:name}||Somebody whom you do not see]]: {phase:term}.",
        ru="[[{combatant:name}||{unit:name}||Тот, кого вы не видите]]: {phase:term}.",
    ),
    Sentence(effect="phase_changed", en="Another phase begins.", ru="Начата другая фаза."),
    # --- places -----------------------------------------------------------------------------
    Sentence(
        effect="moved",
        when={"manner": "placed"},
        en="{combatant:name} is put at {end:place}.",
        ru="{combatant:name}: новое место {end:place}.",
    ),
    Sentence(
        effect="moved",
        en="{combatant:name}: {manner:term} to {end:place}[[ ({cause:cause})]].",
        ru="{combatant:name}: {manner:term} на {end:place}[[ ({cause:cause})]].",
    ),
    Sentence(effect="moved", en="Somebody moves.", ru="Чьё-то перемещение."),
    Sentence(
        effect="faced",
        en="{combatant:name} looks {facing:term}.",
        ru="{combatant:name}: направление взгляда — {facing:term}.",
    ),
    Sentence(effect="faced", en="Somebody looks another way.", ru="Направление взгляда изменено."),
    Sentence(
        effect="posture_changed",
        en="{combatant:name}: posture {posture:term}[[ ({cause:cause})]].",
        ru="{combatant:name}: поза — {posture:term}[[ ({cause:cause})]].",
    ),
    Sentence(effect="posture_changed", en="A posture is changed.", ru="Поза изменена."),
    Sentence(
        effect="marker_placed",
        en="A marker lies on the table: {kind:term}[[ at {shape.origin:place}]].",
        ru="На столе маркер: {kind:term}[[, место {shape.origin:place}]].",
    ),
    Sentence(effect="marker_placed", en="A marker lies on the table.", ru="На столе маркер."),
    Sentence(
        effect="marker_removed",
        en="Marker {marker} lies there no longer[[ ({cause:cause})]].",
        ru="Маркера {marker} больше нет[[ ({cause:cause})]].",
    ),
    Sentence(effect="marker_removed", en="A marker is gone.", ru="Маркера больше нет."),
    Sentence(
        effect="terrain_changed",
        en="The ground changes[[, places: {changes:count}]][[ ({cause:cause})]].",
        ru="Местность изменена[[, мест: {changes:count}]][[ ({cause:cause})]].",
    ),
    Sentence(
        effect="revealed",
        en="{combatant.id:name} comes to light[[ ({cause:cause})]].",
        ru="{combatant.id:name}: теперь на виду у всех[[ ({cause:cause})]].",
    ),
    Sentence(effect="revealed", en="Somebody comes to light.", ru="Кто-то теперь на виду."),
    Sentence(
        effect="hidden",
        en="{combatant:name} is hidden from the other sides from now on.",
        ru="{combatant:name}: скрыт от других сторон с этого события.",
    ),
    Sentence(effect="hidden", en="Somebody is hidden from now on.", ru="Кто-то теперь скрыт."),
    # --- questions --------------------------------------------------------------------------
    Sentence(
        effect="decision_opened",
        en="[[Seat {decision.seat:seat}||Side {decision.side:side}||The table]] is asked for dice:"
        " {decision.roll.count}d{decision.roll.sides}, {decision.roll.purpose:term}"
        "[[ (question {decision.id})]].",
        ru="Нужны кости: {decision.roll.count}к{decision.roll.sides},"
        " {decision.roll.purpose:term}"
        "[[; место {decision.seat:seat}||; сторона {decision.side:side}]]"
        "[[ (вопрос {decision.id})]].",
    ),
    Sentence(
        effect="decision_opened",
        en="[[{decision.combatant:name}||Side {decision.side:side}||Seat {decision.seat:seat}"
        "||Somebody]] is asked: {decision.kind:term}[[ — {decision.options:term}]]"
        "[[ (question {decision.id})]].",
        ru="[[{decision.combatant:name}||Сторона {decision.side:side}||Место {decision.seat:seat}"
        "||Кто-то]] — вопрос: {decision.kind:term}[[ ({decision.options:term})]]"
        "[[, {decision.id}]].",
    ),
    Sentence(effect="decision_opened", en="Somebody is asked.", ru="Задан вопрос."),
    Sentence(
        effect="decision_closed",
        when={"choice": "roll"},
        is_detail=True,
        en="Question {decision_id}: the dice are thrown[[, {roll:dice}]].",
        ru="Вопрос {decision_id}: кости брошены[[, {roll:dice}]].",
    ),
    Sentence(
        effect="decision_closed",
        en="Question {decision_id}: {choice:term}[[, {roll:dice}]][[ ({how:cause})]].",
        ru="Вопрос {decision_id}: {choice:term}[[, {roll:dice}]][[ ({how:cause})]].",
    ),
    Sentence(
        effect="decision_closed",
        en="Question {decision_id}: {how:cause}.",
        ru="Вопрос {decision_id}: {how:cause}.",
    ),
    Sentence(
        effect="decision_closed",
        en="Question {decision_id} is answered; how, is told once all have answered"
        "[[ ({sealed.how:cause})]].",
        ru="Вопрос {decision_id}: ответ дан; какой — станет известно, когда ответят все"
        "[[ ({sealed.how:cause})]].",
    ),
    Sentence(effect="decision_closed", en="A question is closed.", ru="Вопрос закрыт."),
    Sentence(
        effect="action_stopped",
        en="{combatant:name} goes no further: {code:term}.",
        ru="{combatant:name} не продолжает действие: {code:term}.",
    ),
    Sentence(
        effect="action_stopped",
        en="An action goes no further.",
        ru="Действие не продолжается.",
    ),
    Sentence(
        effect="window_skipped",
        is_detail=True,
        en="Nobody is asked: {kind:term}[[ ({why:term})]].",
        ru="Вопрос не задан: {kind:term}[[ ({why:term})]].",
    ),
    Sentence(effect="window_skipped", is_detail=True, en="Nobody is asked.", ru="Вопрос не задан."),
)
"""What people do with a battle, who has the turn, where things are, what is asked."""
