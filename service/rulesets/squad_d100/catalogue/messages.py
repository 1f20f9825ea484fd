"""What a refusal says; {names} are its parameters, {names:term} told in words of the catalogue."""

from typing import Final

from service.engine.vocabulary.catalogue import Message

MESSAGES: Final[tuple[Message, ...]] = (
    # --- the moment and the actor -----------------------------------------------------------------
    Message(
        code="not_your_turn",
        en="It is not the turn of {combatant}[[, but of {turn}]].",
        ru="Сейчас не ход бойца {combatant}[[, а ход бойца {turn}]].",
    ),
    Message(
        code="combatant_down",
        en="{combatant} is down and cannot act.",
        ru="Боец {combatant} выведен из строя и не может действовать.",
    ),
    Message(
        code="wrong_phase",
        en="{combatant} is in another phase of its turn: {phase:term}.",
        ru="Боец {combatant} в другой фазе хода: {phase:term}.",
    ),
    Message(
        code="shooting_phase_lost",
        en="The sprint has taken the place of the shooting phase.",
        ru="Спринт занял место фазы стрельбы.",
    ),
    Message(
        code="shooting_phase_used",
        en="The shooting phase of this turn is used already.",
        ru="Фаза стрельбы этого хода уже использована.",
    ),
    Message(
        code="already_sprinted",
        en="{combatant} has sprinted in this turn already.",
        ru="Боец {combatant} в этом ходу уже бежал.",
    ),
    Message(
        code="must_seek_cover",
        en="Suppressed, the combatant must move to the nearest cover[[; at ({x}, {y}) that would "
        "not be so]].",
        ru="Подавленный боец обязан двигаться к ближайшему укрытию[[; в клетке ({x}, {y}) это не "
        "так]].",
    ),
    # --- movement ---------------------------------------------------------------------------------
    Message(
        code="kneeling_cannot_move",
        en="{combatant} kneels and cannot step: it has to stand up first.",
        ru="Боец {combatant} стоит на колене и не может шагать: сначала нужно встать.",
    ),
    Message(
        code="already_kneeling",
        en="{combatant} kneels already.",
        ru="Боец {combatant} уже стоит на колене.",
    ),
    Message(
        code="not_kneeling",
        en="{combatant} does not kneel.",
        ru="Боец {combatant} не стоит на колене.",
    ),
    Message(
        code="out_of_map",
        en="({x}, {y}) is off the map.",
        ru="({x}, {y}) — за пределами карты.",
    ),
    Message(
        code="not_a_step",
        en="Step {step}, counted from 0, does not lead to a neighbouring cell: ({x}, {y}).",
        ru="Шаг {step} (счёт с нуля) ведёт не в соседнюю клетку: ({x}, {y}).",
    ),
    Message(
        code="cell_blocked",
        en="Nobody can stand in cell ({x}, {y}), and nothing can land there.",
        ru="В клетку ({x}, {y}) нельзя ни встать, ни попасть броском.",
    ),
    Message(
        code="cell_occupied",
        en="Somebody stands in cell ({x}, {y}).",
        ru="В клетке ({x}, {y}) кто-то стоит.",
    ),
    Message(
        code="corner_blocked",
        en="The corner on the way to ({x}, {y}) is closed.",
        ru="Угол на пути в клетку ({x}, {y}) закрыт.",
    ),
    Message(
        code="not_enough_mp",
        en="This takes {needed} movement points; {left} are left.",
        ru="Нужно очков перемещения: {needed}; осталось: {left}.",
    ),
    Message(
        code="not_a_door",
        en="There is no door in cell ({x}, {y}).",
        ru="В клетке ({x}, {y}) нет двери.",
    ),
    Message(
        code="not_adjacent",
        en="Cell ({x}, {y}) is {distance} cells away; a door must be next to the combatant.",
        ru="До клетки ({x}, {y}) расстояние {distance}; дверь должна быть рядом.",
    ),
    Message(
        code="nothing_here",
        en="There are no weapons and no ammunition in cell ({x}, {y}).",
        ru="В клетке ({x}, {y}) нет ни оружия, ни боеприпасов.",
    ),
    # --- shooting ---------------------------------------------------------------------------------
    Message(
        code="unknown_weapon",
        en="The combatant has no weapon '{weapon}'[[; it has {allowed}]].",
        ru="У бойца нет оружия «{weapon}»[[; есть {allowed}]].",
    ),
    Message(
        code="weapon_not_automatic",
        en="Weapon '{weapon}' is not automatic.",
        ru="Оружие «{weapon}» не автоматическое.",
    ),
    Message(
        code="same_weapon_twice",
        en="Two hands need two weapons; '{weapon}' is named twice.",
        ru="Для двух рук нужны два оружия, а «{weapon}» названо дважды.",
    ),
    Message(
        code="weapon_not_dual",
        en="Weapon '{weapon}' cannot be fired with one of two hands: only pistols and revolvers "
        "can.",
        ru="Из оружия «{weapon}» нельзя стрелять с двух рук: можно только из пистолетов и "
        "револьверов.",
    ),
    Message(
        code="bad_target_count",
        en="The action names {count} targets; it takes {allowed}.",
        ru="Целей названо {count}, а нужно {allowed}.",
    ),
    Message(
        code="not_enough_ammo",
        en="Weapon '{weapon}' has {rounds} rounds; this takes {needed}.",
        ru="В оружии «{weapon}» патронов: {rounds}; нужно: {needed}.",
    ),
    Message(
        code="unknown_target",
        en="There is no such target[[: {target}]].",
        ru="Такой цели нет[[: {target}]].",
    ),
    Message(
        code="target_self",
        en="One cannot attack oneself.",
        ru="Нельзя атаковать самого себя.",
    ),
    Message(
        code="target_down",
        en="{target} is down already.",
        ru="Боец {target} уже выведен из строя.",
    ),
    Message(
        code="not_a_target",
        en="In cell ({x}, {y}) there is neither explosive cargo nor fuel.",
        ru="В клетке ({x}, {y}) нет ни взрывоопасного груза, ни топлива.",
    ),
    Message(
        code="suppressed_arc",
        en="{combatant} is suppressed and cannot shoot in this direction.",
        ru="Боец {combatant} подавлен и не может стрелять в эту сторону.",
    ),
    Message(
        code="no_line_of_shot",
        en="Something stops the line of the shot.",
        ru="Линию выстрела что-то преграждает.",
    ),
    Message(
        code="no_grenade",
        en="The combatant has no grenade '{grenade}'[[; it has {allowed}]].",
        ru="У бойца нет гранаты «{grenade}»[[; есть {allowed}]].",
    ),
    Message(
        code="out_of_throw_range",
        en="The cell is {distance} cells away; the combatant throws {longest} at most.",
        ru="До клетки {distance}, а боец бросает не дальше {longest}.",
    ),
    Message(
        code="no_throw_line",
        en="Something stops the sight of cell ({x}, {y}): it cannot be thrown into.",
        ru="Клетка ({x}, {y}) не видна: бросить туда нельзя.",
    ),
    Message(
        code="out_of_reach",
        en="The target is {distance} cells away; the reach is {longest}.",
        ru="До цели {distance}, а рукопашная достаёт на {longest}.",
    ),
    # --- maps and set-up --------------------------------------------------------------------------
    Message(
        code="map_empty",
        en="There is no map: its text is empty, or none was laid.",
        ru="Карты нет: её текст пуст, или её не загрузили.",
    ),
    Message(
        code="map_ragged",
        en="Line {line} of the map has {width} characters; all lines must have {expected}.",
        ru="В строке {line} карты {width} знаков, а во всех должно быть {expected}.",
    ),
    Message(
        code="map_too_large",
        en="The map is {width} by {height}; at most {longest} by {longest} are possible.",
        ru="Размер карты {width} на {height}; возможно не больше {longest} на {longest}.",
    ),
    Message(
        code="map_too_explosive",
        en="Line {line}, column {column}: explosive cargo and fuel may be in {most} cells of a map "
        "at most.",
        ru="Строка {line}, столбец {column}: взрывоопасного груза и топлива на карте может быть не "
        "больше чем в {most} клетках.",
    ),
    Message(
        code="map_unknown_glyph",
        en="Line {line}, column {column}: {code_point} is no glyph of the legend[[; it looks like "
        "{looks_like_code_point} ({looks_like_meaning:term})]].",
        ru="Строка {line}, столбец {column}: знака {code_point} нет в легенде[[; он похож на "
        "{looks_like_code_point} ({looks_like_meaning:term})]].",
    ),
    Message(
        code="map_duplicate_named",
        en="The character is in the battle twice: {character:term}.",
        ru="Именной персонаж встречается дважды: {character:term}.",
    ),
    Message(
        code="map_bad_under",
        en="Entry {index} of the terrain below units cannot be used: {why:term}.",
        ru="Запись {index} о местности под бойцами не годится: {why:term}.",
    ),
    Message(
        code="map_bad_roster",
        en="Entry {index} of the roster cannot be used: {why:term}.",
        ru="Запись {index} списка бойцов не годится: {why:term}.",
    ),
    Message(
        code="map_is_print",
        en="This is the print of a battle: a creation takes the map of this answer, not the text "
        "as a whole.",
        ru="Это распечатка боя: при создании нужна карта из этого ответа, а не весь текст.",
    ),
    Message(
        code="map_hidden_on_floor",
        en="Nothing is said of what is under the hidden unit {combatant}: others will see empty "
        "floor there[[, and the id {telling_id} tells the cell once it is known]].",
        ru="Не сказано, что под скрытым бойцом {combatant}: другие увидят там пустое "
        "место[[, а id {telling_id} назовёт клетку, когда бойца раскроют]].",
    ),
    Message(
        code="no_cell",
        en="{combatant} stands nowhere yet.",
        ru="Боец {combatant} ещё нигде не стоит.",
    ),
    Message(
        code="no_reserved_cell",
        en="There is no free reserved place for {combatant}.",
        ru="Для бойца {combatant} нет свободного резервированного места.",
    ),
    Message(
        code="bad_universal_table",
        en="The universal table takes six columns of three ascending numbers from 0 to 100.",
        ru="В универсальной таблице нужны шесть столбцов по три возрастающих числа от 0 до 100.",
    ),
)
