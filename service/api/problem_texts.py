"""What the service says to people when it cannot do what was asked, in English and Russian.

Refusals that only one ruleset knows stand in that ruleset's catalogue; everything else is here,
by its code. Templates are those of `message_template.py`.
"""

from typing import Final

from service.api.negotiation import Language
from service.engine.vocabulary.catalogue import Message

MESSAGES: Final[tuple[Message, ...]] = (
    # --- cannot be read ------------------------------------------------------------------------
    Message(
        code="malformed",
        en="{path} does not fit[[: {allowed}]].",
        ru="{path} не подходит[[: {allowed}]].",
    ),
    Message(
        code="too_large",
        en="The body is longer than the {limit} bytes allowed.",
        ru="Тело запроса длиннее допустимых {limit} байт.",
    ),
    Message(
        code="request_timeout",
        en="The request did not come whole within {seconds} seconds; nothing was done.",
        ru="Запрос не пришёл целиком (ждали секунд: {seconds}); ничего не сделано.",
    ),
    Message(
        code="unsupported_media_type",
        en="The header {header} must be {allowed}.",
        ru="Заголовок {header} должен быть {allowed}.",
    ),
    Message(
        code="not_acceptable",
        en="None of the media types in Accept is made here; there are {allowed}.",
        ru="Ни один тип из Accept здесь не отдаётся; есть {allowed}.",
    ),
    Message(
        code="precondition_required",
        en="Send Idempotency-Key or If-Match, so that nothing can happen twice by accident.",
        ru="Пришлите Idempotency-Key или If-Match, чтобы ничто не случилось дважды по ошибке.",
    ),
    Message(
        code="idempotency_key_required",
        en="Send an Idempotency-Key, so that nothing is created twice by accident.",
        ru="Пришлите Idempotency-Key, чтобы ничто не создалось дважды по ошибке.",
    ),
    # --- who asks ------------------------------------------------------------------------------
    Message(
        code="unauthenticated",
        en="Send a valid key or token as 'Authorization: Bearer wk_...' or 'ws_...'.",
        ru="Пришлите действующий ключ или жетон: «Authorization: Bearer wk_...» или «ws_...».",
    ),
    Message(
        code="scope_missing",
        en="The key lacks the scope '{scope}'.",
        ru="У ключа нет права «{scope}».",
    ),
    Message(
        code="gm_only",
        en="Only the game master may do this ({action:term}).",
        ru="Это может только ведущий ({action:term}).",
    ),
    Message(
        code="observer_cannot_act",
        en="An observer only watches.",
        ru="Наблюдатель только смотрит.",
    ),
    Message(
        code="not_your_combatant",
        en="{combatant} is not yours to act for.",
        ru="Боец {combatant} не под вашим управлением.",
    ),
    Message(
        code="not_your_side",
        en="Side '{side}' is not yours to act for.",
        ru="Сторона «{side}» не под вашим управлением.",
    ),
    Message(
        code="not_your_unit",
        en="Unit '{unit}' is not yours to act for.",
        ru="Отряд «{unit}» не под вашим управлением.",
    ),
    Message(
        code="not_your_decision",
        en="Question {decision_id} is asked of somebody else.",
        ru="Ответа на вопрос {decision_id} ждут не от вас.",
    ),
    Message(
        code="not_seated",
        en="The role of seat '{seat}' is not '{role:term}' any more; ask again.",
        ru="Роль места «{seat}» изменилась (была: {role:term}); спросите снова.",
    ),
    Message(
        code="origin_not_listed",
        en="Pages of {origin} may not connect: the tenant does not list this origin.",
        ru="Страницам {origin} подключаться нельзя: арендатор не назвал этот источник.",
    ),
    Message(
        code="socket_only_tells",
        en="A socket only tells: send what you do to POST .../actions.",
        ru="Сокет только рассказывает: действия шлите в POST .../actions.",
    ),
    Message(
        code="upgrade_required",
        en="This address speaks {allowed} only; a proxy may have dropped the Upgrade header.",
        ru="Этот адрес говорит только по {allowed}; заголовок Upgrade мог потеряться на прокси.",
    ),
    # --- is not there --------------------------------------------------------------------------
    Message(
        code="not_found",
        en="There is nothing at this address.",
        ru="По этому адресу ничего нет.",
    ),
    Message(
        code="method_not_allowed",
        en="The method {method} does not exist here[[; there are {allowed}]].",
        ru="Метода {method} здесь нет[[; есть {allowed}]].",
    ),
    Message(
        code="unknown_encounter",
        en="There is no such encounter.",
        ru="Такого боя нет.",
    ),
    Message(
        code="unknown_event",
        en="There is no such event[[; the log ends at {head}]].",
        ru="Такого события нет[[; журнал кончается на {head}]].",
    ),
    Message(
        code="unknown_inspection",
        en="This ruleset has no inspection of that name[[; it has {allowed}]].",
        ru="У этой системы правил нет такого вопроса[[; есть {allowed}]].",
    ),
    Message(
        code="unknown_map",
        en="The encounter has no map or content of this digest.",
        ru="У боя нет карты или содержимого с таким отпечатком.",
    ),
    Message(
        code="wrong_ruleset",
        en="{path} names another ruleset than the encounter's, {allowed}.",
        ru="{path} называет не ту систему правил: в этой битве {allowed}.",
    ),
    Message(
        code="unknown_ruleset",
        en="There is no ruleset '{ruleset}'[[; there are {allowed}]].",
        ru="Системы правил «{ruleset}» нет[[; есть {allowed}]].",
    ),
    Message(
        code="unknown_version",
        en="The ruleset has no version {version}[[; it has {allowed}]].",
        ru="У системы правил нет версии {version}[[; есть {allowed}]].",
    ),
    Message(
        code="unknown_seat",
        en="There is no seat '{seat}'[[; there are {allowed}]].",
        ru="Места «{seat}» нет[[; есть {allowed}]].",
    ),
    Message(
        code="unknown_invitation",
        en="There is no such invitation: it may have been used, replaced or run out.",
        ru="Такого приглашения нет: возможно, им уже воспользовались, его сменили или оно истекло.",
    ),
    Message(
        code="unknown_side",
        en="There is no side '{side}'[[; there are {allowed}]].",
        ru="Стороны «{side}» нет[[; есть {allowed}]].",
    ),
    Message(
        code="unknown_viewer",
        en="There is no viewer '{viewer}'[[; there are {allowed}]].",
        ru="Зрителя «{viewer}» нет[[; есть {allowed}]].",
    ),
    Message(
        code="unknown_combatant",
        en="There is no combatant '{combatant}'.",
        ru="Бойца «{combatant}» нет.",
    ),
    Message(
        code="unknown_unit",
        en="There is no unit '{unit}'.",
        ru="Отряда «{unit}» нет.",
    ),
    # --- not now -------------------------------------------------------------------------------
    Message(
        code="encounter_not_running",
        en="The encounter is not running[[: {status:term}]].",
        ru="Бой не идёт[[: {status:term}]].",
    ),
    Message(
        code="already_started",
        en="The encounter has already started.",
        ru="Бой уже начался.",
    ),
    Message(
        code="already_created",
        en="The encounter exists already.",
        ru="Бой уже создан.",
    ),
    Message(
        code="not_created",
        en="A log begins with the creation of its encounter.",
        ru="Журнал начинается с создания боя.",
    ),
    Message(
        code="encounter_not_ended",
        en="The encounter has not ended yet.",
        ru="Бой ещё не окончен.",
    ),
    Message(
        code="options_frozen",
        en="The options have been frozen since the encounter started.",
        ru="Настройки заморожены с начала боя.",
    ),
    Message(
        code="decision_pending",
        en="A question must be answered first[[: {decisions:term}]].",
        ru="Сначала нужно ответить на вопрос[[: {decisions:term}]].",
    ),
    Message(
        code="decision_closed",
        en="Question {decision_id} is not open.",
        ru="На вопрос {decision_id} ответа не ждут.",
    ),
    Message(
        code="no_time_limit",
        en="The options of this encounter limit neither decisions nor turns.",
        ru="Настройки этого боя не ограничивают ни решений, ни ходов.",
    ),
    Message(
        code="seed_revealed",
        en="The seed is revealed: actions that need dice are taken no more.",
        ru="Зерно раскрыто: действия, которым нужны кости, больше не принимаются.",
    ),
    Message(
        code="rewind_before_start",
        en="A rewind goes no further back than the start of the battle.",
        ru="Перемотать можно не дальше начала боя.",
    ),
    Message(
        code="idempotency_key_reused",
        en="The Idempotency-Key '{key}' was used for another request.",
        ru="Ключ Idempotency-Key «{key}» уже послужил другому запросу.",
    ),
    Message(
        code="in_progress",
        en="The request with this Idempotency-Key is under way; ask again.",
        ru="Запрос с этим Idempotency-Key ещё выполняется; спросите снова.",
    ),
    Message(
        code="history_diverged",
        en="The log holds another event {seq} than you have seen; read it again from the start.",
        ru="В журнале другое событие {seq}, чем вы видели; прочтите его с начала.",
    ),
    Message(
        code="precondition_failed",
        en="The log has moved on: its head is {head}.",
        ru="Журнал ушёл вперёд: его конец {head}.",
    ),
    Message(
        code="name_taken",
        en="The name is taken.",
        ru="Имя занято.",
    ),
    Message(
        code="unstorable",
        en="The database does not take this value.",
        ru="База данных не принимает этого значения.",
    ),
    # --- common refusals -----------------------------------------------------------------------
    Message(
        code="duplicate_combatant",
        en="There is a combatant '{taken}' already; another id differs in more than case.",
        ru="Боец «{taken}» уже есть; другой id должен отличаться не только регистром.",
    ),
    Message(
        code="too_many_combatants",
        en="An encounter holds {longest} combatants at most.",
        ru="В бою не больше {longest} бойцов.",
    ),
    Message(
        code="seat_taken",
        en="There is, or was, a seat '{taken}' here; take an id that differs in more than case.",
        ru="Место «{taken}» здесь есть или было; возьмите id, другой не только регистром.",
    ),
    Message(
        code="too_many_sides",
        en="A battle has at most {limit} sides.",
        ru="В бою не больше {limit} сторон.",
    ),
    Message(
        code="too_many_seats",
        en="An encounter has {limit} seats at most.",
        ru="В бою не больше {limit} мест.",
    ),
    Message(
        code="unknown_timer",
        en="No time is running for this[[: {timer:term}]][[; it is for {allowed:term}]].",
        ru="Здесь время не идёт[[: {timer:term}]][[; оно идёт для: {allowed:term}]].",
    ),
    Message(
        code="extended_too_far",
        en="No more than {limit} seconds can be left.",
        ru="Больше {limit} секунд оставить нельзя.",
    ),
    Message(
        code="no_preview",
        en="There is nothing to preview of the action '{action:term}'.",
        ru="Действие «{action:term}» заранее не просчитывается.",
    ),
    Message(
        code="not_asked",
        en="This action would ask nothing of {combatant}.",
        ru="При этом действии бойца {combatant} ни о чём не спрашивают.",
    ),
    Message(
        code="rewind_not_allowed",
        en="You may rewind to event {earliest} at the earliest.",
        ru="Вам можно перемотать не дальше события {earliest}.",
    ),
    Message(
        code="already_contributed",
        en="{seat} has already contributed to the dice.",
        ru="{seat}: вклад в кости уже внесён.",
    ),
    Message(
        code="nothing_to_reveal",
        en="Nothing of this is hidden any more.",
        ru="Ничего из этого больше не скрыто.",
    ),
    Message(
        code="wrong_choice",
        en="Question {decision_id} has other answers: {allowed:term}.",
        ru="На вопрос {decision_id} можно ответить только так: {allowed:term}.",
    ),
    Message(
        code="faces_not_taken",
        en="No faces are taken with this action[[: the dice of this encounter are {dice:term}, "
        "leave yours out]][[. Where the table rolls, a {role:term} sends the action without them: "
        "whoever has to roll is asked then, and the answer brings the faces]].",
        ru="Здесь грани не принимают[[: кости этого боя {dice:term}, пришлите действие "
        "без них]][[. Когда бросают за столом, {role:term} присылает действие без граней: потом "
        "спросят того, кто бросает, и ответ принесёт грани]].",
    ),
    Message(
        code="too_few_faces",
        en="{supplied} faces are too few: roll {missing} more d{sides} for '{purpose:term}' and "
        "send all {needed} in 'dice', beside the action, in the order of rolling.",
        ru="Граней {supplied}, этого мало: бросьте ещё {missing}к{sides} для «{purpose:term}» и "
        "пришлите все {needed} в «dice», рядом с действием, в порядке бросков.",
    ),
    Message(
        code="too_many_faces",
        en="{supplied} faces are too many: this takes {needed}[[, the last of them a d{sides} for "
        "'{purpose:term}']][[: an answer of {asked} is due before more dice]]. Send just these in "
        "'dice', in the order of rolling, and leave it out if there are none.",
        ru="Граней {supplied}, это много: нужно {needed}[[ (последняя: к{sides}, "
        "«{purpose:term}»)]][[; до других костей ждут ответа: {asked}]]. Пришлите в «dice» "
        "только их, в порядке бросков; если их нет, «dice» не нужно.",
    ),
    Message(
        code="impossible_face",
        en="Face {die} of 'dice' is {face}, but '{purpose:term}' is rolled with a d{sides}: 1 to "
        "{sides} are possible. Look at the die again and send all faces anew, in the order of "
        "rolling.",
        ru="Грань {die} в «dice» равна {face}, но бросают к{sides} («{purpose:term}»): бывает "
        "от 1 до {sides}. Взгляните на кость ещё раз и пришлите все грани заново, в порядке "
        "бросков.",
    ),
    # --- not at present ------------------------------------------------------------------------
    Message(
        code="too_many_requests",
        en="More than {limit} of these requests a minute; wait {retry_after} s.",
        ru="Больше {limit} таких запросов в минуту; подождите {retry_after} с.",
    ),
    Message(
        code="unavailable",
        en="The service cannot do this now; ask again.",
        ru="Сейчас сервис этого не может; спросите снова.",
    ),
    Message(
        code="try_again",
        en="Others wrote to this encounter all the time; ask again.",
        ru="В этот бой всё время писали другие; спросите снова.",
    ),
    Message(
        code="encounter_busy",
        en="Somebody holds this encounter in the database; nothing was written. Ask again.",
        ru="Этот бой занят в базе данных кем-то другим; ничего не записано. Спросите снова.",
    ),
    Message(
        code="streams_full",
        en="The service follows as many streams as it can; ask again in {retry_after} s.",
        ru="Сервис ведёт столько потоков, сколько может; спросите снова через {retry_after} с.",
    ),
    Message(
        code="too_many_streams",
        en="More than {limit} streams of one caller; close one.",
        ru="Больше {limit} потоков у одного вызывающего; закройте какой-нибудь.",
    ),
    Message(
        code="overloaded",
        en="Too many requests are waiting; nothing was written. Ask again.",
        ru="Слишком много запросов ждут очереди; ничего не записано. Спросите снова.",
    ),
    Message(
        code="stopping",
        en="This process stops; nothing was written. Ask again.",
        ru="Этот процесс завершается; ничего не записано. Спросите снова.",
    ),
    Message(
        code="too_many_bytes",
        en="More than {limit} bytes of one caller's requests are not whole; finish one first.",
        ru="Больше {limit} байт незавершённых запросов одного вызывающего; завершите один из них.",
    ),
    Message(
        code="database_away",
        en="The database cannot be reached; nothing was written. Ask again.",
        ru="База данных недоступна; ничего не записано. Спросите снова.",
    ),
    Message(
        code="database_slow",
        en=(
            "The database took too long[[: no write has been committed for {uncommitted_seconds}"
            " seconds]]; nothing was written. Ask again."
        ),
        ru=(
            "База данных не успела ответить[[: ни одна запись не зафиксирована (секунд:"
            " {uncommitted_seconds})]]; ничего не записано. Спросите снова."
        ),
    ),
    Message(
        code="database_read_only",
        en="The database takes no writes now; nothing was written.",
        ru="База данных сейчас не принимает записей; ничего не записано.",
    ),
    Message(
        code="database_full",
        en="The database has no room left; nothing was written.",
        ru="В базе данных нет места; ничего не записано.",
    ),
    Message(
        code="schema_mismatch",
        en="The database's schema does not serve this build: update one of them.",
        ru="Схема базы данных не подходит этой версии сервиса: обновите базу или сам сервис.",
    ),
    Message(
        code="outcome_unknown",
        en="The connection broke during the write. Ask again under the same Idempotency-Key.",
        ru="Связь прервалась во время записи. Спросите снова с тем же Idempotency-Key.",
    ),
    Message(
        code="log_damaged",
        en="The log of this encounter is damaged; its audit says where.",
        ru="Журнал этого боя повреждён; где, скажет проверка.",
    ),
    Message(
        code="newer_version",
        en="This encounter was written by a newer build of the service.",
        ru="Этот бой записан более новой версией сервиса.",
    ),
    Message(
        code="internal_error",
        en="The service met a fault of its own; the id in 'instance' names it in the log.",
        ru="В сервисе случилась ошибка; в журнале её называет id из «instance».",
    ),
)
"""Every code that is not one ruleset's own."""

TITLES: Final[dict[int, tuple[str, str]]] = {
    400: ("The request cannot be read", "Запрос нельзя прочесть"),
    401: ("Who are you?", "Кто вы?"),
    403: ("You may not do this", "Вам этого нельзя"),
    404: ("Not found", "Не найдено"),
    405: ("No such method here", "Такого метода здесь нет"),
    406: ("Not available in this form", "В таком виде не отдаётся"),
    408: ("The request did not come whole", "Запрос не пришёл целиком"),
    409: ("Not at this moment", "Не в этот момент"),
    412: ("The encounter has moved on", "Бой ушёл вперёд"),
    413: ("The request is too large", "Запрос слишком велик"),
    415: ("The request is not JSON", "Запрос не в JSON"),
    422: ("The rules do not allow it", "Правила этого не допускают"),
    426: ("Another protocol is required", "Нужен другой протокол"),
    428: ("A precondition is required", "Нужно предусловие"),
    429: ("Too many requests", "Слишком много запросов"),
    500: ("A fault of the service", "Ошибка сервиса"),
    503: ("Not possible at present", "Сейчас невозможно"),
}
"""Status -> title in English and Russian."""

_BY_CODE: Final = {message.code: message for message in MESSAGES}


def message_of(code: str) -> Message | None:
    """The service's own message for a code."""
    return _BY_CODE.get(code)


def title_of(status: int, language: Language) -> str:
    """The title of every problem of this status."""
    english, russian = TITLES[status]
    return russian if language == "ru" else english
