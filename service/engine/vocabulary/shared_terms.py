"""Words that all rulesets share, in both languages: actions, roles, states of an encounter.

What only one rulebook knows, or says in its own way, stands in the terms of its catalogue.
"""

from typing import Final

from service.engine.vocabulary.catalogue import Term

TERMS: Final[tuple[Term, ...]] = (
    # --- actions ----------------------------------------------------------------------------
    Term(id="create_encounter", en="creating an encounter", ru="создание боя"),
    Term(id="create_fork", en="forking", ru="создание ветви"),
    Term(id="simulate", en="simulating", ru="доигрывание"),
    Term(id="check_map", en="checking a map", ru="проверка карты"),
    Term(id="delete_encounter", en="deleting an encounter", ru="удаление боя"),
    Term(id="configure", en="setting up", ru="настройка"),
    Term(id="add_combatant", en="adding a combatant", ru="ввод бойца"),
    Term(id="remove_combatant", en="removing a combatant", ru="вывод бойца"),
    Term(id="assign_control", en="assigning control", ru="передача управления"),
    Term(id="add_seat", en="adding a seat", ru="добавление места"),
    Term(id="create_seat", en="adding a seat", ru="добавление места"),
    Term(id="change_seat", en="changing a seat", ru="изменение места"),
    Term(id="remove_seat", en="removing a seat", ru="удаление места"),
    Term(id="invite", en="inviting", ru="приглашение"),
    Term(id="revoke_token", en="revoking a token", ru="отзыв жетона"),
    Term(id="start_encounter", en="starting the battle", ru="начало боя"),
    Term(id="end_encounter", en="ending the battle", ru="окончание боя"),
    Term(id="set_terrain", en="changing the ground", ru="изменение местности"),
    Term(id="adjust", en="overruling", ru="решение ведущего"),
    Term(id="force_pass", en="passing for somebody", ru="пропуск за другого"),
    Term(id="reveal", en="revealing", ru="раскрытие"),
    Term(id="erase", en="erasing", ru="стирание"),
    Term(id="contribute", en="contributing to the dice", ru="вклад в кости"),
    Term(id="end_turn", en="ending the turn", ru="окончание хода"),
    Term(id="answer", en="answering", ru="ответ"),
    Term(id="rewind", en="rewinding", ru="перемотка"),
    Term(id="note", en="noting", ru="заметка"),
    Term(id="change_timers", en="changing timers", ru="изменение сроков"),
    Term(id="view", en="reading what a seat sees", ru="чтение глазами места"),
    Term(id="follow_many", en="following many encounters", ru="слежение за многими боями"),
    Term(id="stream_many", en="following many encounters", ru="слежение за многими боями"),
    # --- answers ----------------------------------------------------------------------------
    Term(id="pass", en="no answer", ru="без ответа"),
    Term(id="roll", en="dice of the table", ru="бросок за столом"),
    Term(id="sealed", en="rolled by the service", ru="бросает сервис"),
    # --- roles, states, timers --------------------------------------------------------------
    Term(id="gm", en="game master", ru="ведущий"),
    Term(id="player", en="player", ru="игрок"),
    Term(id="observer", en="observer", ru="наблюдатель"),
    Term(id="setup", en="not begun yet", ru="ещё не начат"),
    Term(id="running", en="running", ru="идёт"),
    Term(id="ended", en="over", ru="окончен"),
    Term(id="turn", en="the turn", ru="ход"),
    # --- what is wrong with a bundle --------------------------------------------------------
    Term(id="truncated", en="it ends too early", ru="обрыв"),
    Term(id="too_long", en="too long", ru="слишком длинная"),
    Term(id="unreadable", en="unreadable", ru="не читается"),
    Term(id="not_canonical", en="not in canonical form", ru="не в каноническом виде"),
    Term(id="out_of_order", en="out of order", ru="не на своём месте"),
    Term(id="unknown_format", en="of an unknown format", ru="неизвестный формат"),
    Term(id="wrong_fairness", en="wrong claim about the dice", ru="неверное слово про кости"),
    Term(id="wrong_viewer", en="impossible viewer", ru="невозможный зритель"),
    Term(id="wrong_digest", en="not what its digest says", ru="не то, что говорит дайджест"),
    Term(id="repeated_blob", en="here before", ru="уже была"),
    Term(id="unnamed_blob", en="no event names a blob", ru="вложение не названо событиями"),
    Term(id="wrong_parts", en="wrong parts", ru="неверные части"),
)
"""Every word of the rules that is not one rulebook's own."""

_BY_ID: Final = {term.id: term for term in TERMS}


def term_of(word: str) -> Term | None:
    """The service's own term for a word."""
    return _BY_ID.get(word)
