"""What the service says to people when it cannot do what was asked, in English and Russian.

Refusals that only one ruleset knows stand in that ruleset's catalogue; everything else is here,
by its code. Templates are those of `message_template.py`.
"""

from typing import Final

from service.api.refusal_texts import REFUSALS
from service.engine.vocabulary.catalogue import Language, Message

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
        code="damaged_bundle",
        en="Line {line} is none of a sound bundle: {reason:term}.",
        ru="Строка {line} не из целой выгрузки: {reason:term}.",
    ),
    Message(
        code="request_timeout",
        en="The request did not come whole within {seconds} seconds; nothing was done.",
        ru="Запрос не пришёл целиком (ждали секунд: {seconds}); ничего не сделано.",
    ),
    Message(
        code="upload_too_slow",
        en="Others wait, and over {seconds} seconds fewer than {rate} bytes a second came.",
        ru="Другие ждут, а за {seconds} с приходило меньше {rate} байт в секунду.",
    ),
    Message(
        code="upload_too_long",
        en="Others wait, and waiting for this upload took more than {seconds} seconds meanwhile.",
        ru="Другие ждут, а эта загрузка за это время заставила ждать больше {seconds} с.",
    ),
    Message(
        code="answer_read_too_slowly",
        en="Others wait, and over {seconds} seconds fewer than {rate} bytes a second were read.",
        ru="Другие ждут, а за {seconds} с прочитывалось меньше {rate} байт в секунду.",
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
        en="Send a valid key or token as 'Authorization: Bearer wk_...' or 'ws_...'"
        "[[; with it ask for another ticket: this one opens no stream since {expired_at}]].",
        ru="Пришлите действующий ключ или жетон: «Authorization: Bearer wk_...» или «ws_...»"
        "[[; по нему попросите новый билет: срок этого вышел {expired_at}]].",
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
        code="own_token_only",
        en="Only a seat with a token of its own may do this, not a key.",
        ru="Это может только место по собственному жетону, а не ключ.",
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
    Message(
        code="off_map",
        en="Cell ({x}, {y}) is off the map.",
        ru="Клетка ({x}, {y}) за пределами карты.",
    ),
    *REFUSALS,
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
        code="audit_running",
        en="An audit of yours is under way; wait for its end or leave it.",
        ru="Ваша проверка ещё идёт; дождитесь её конца или прервите её.",
    ),
    Message(
        code="simulation_running",
        en="A simulation of yours is under way; wait for its end or leave it.",
        ru="Ваше моделирование ещё идёт; дождитесь его конца или прервите его.",
    ),
    Message(
        code="tenant_audits_running",
        en="{limit} audits of your tenant are under way; wait until one of them ends.",
        ru="Уже идёт столько проверок вашего арендатора: {limit}; дождитесь конца одной из них.",
    ),
    Message(
        code="tenant_simulations_running",
        en="{limit} simulations of your tenant are under way; wait until one of them ends.",
        ru="Уже идёт столько моделирований вашего арендатора: {limit}; дождитесь конца одного.",
    ),
    Message(
        code="busy",
        en="Too much long work is under way; nothing was begun. Ask again in {retry_after} s.",
        ru="Слишком много долгой работы сразу; ничего не начато. Повторите через {retry_after} с.",
    ),
    Message(
        code="job_timed_out",
        en="The work took longer than {seconds} seconds and was ended; nothing was kept.",
        ru="Работа заняла больше {seconds} с и прервана; ничего не сохранено.",
    ),
    Message(
        code="job_failed",
        en="The work came to no end ({why}); nothing was kept.",
        ru="Работа не доведена до конца ({why}); ничего не сохранено.",
    ),
    Message(
        code="pages_not_built",
        en="The pages are not built; run `make pages` in the source tree of this service.",
        ru="Страницы не собраны; выполните `make pages` в исходном дереве этого сервиса.",
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
        en=(
            "The database takes no writes now[[: the subscription {subscriptions} writes into it]];"
            " nothing was written."
        ),
        ru=(
            "База данных сейчас не принимает записей[[: в неё пишет подписка {subscriptions}]];"
            " ничего не записано."
        ),
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
        code="upgrade_unfinished",
        en=(
            "Held back until the upgrade to {release} is finished.[[ Actions: {actions:term}.]]"
            "[[ Changes: {changes}.]][[ Options: {options}.]][[ Ruleset: {ruleset}.]]"
            " Nothing was written. The operator finishes it with 'warlog migrate --finish'."
        ),
        ru=(
            "Отложено до конца обновления до {release}.[[ Действия: {actions:term}.]]"
            "[[ Изменения: {changes}.]][[ Настройки: {options}.]]"
            "[[ Правила: {ruleset}.]] Ничего не записано. Хозяин завершает обновление командой"
            " «warlog migrate --finish»."
        ),
    ),
    Message(
        code="build_too_old",
        en="This process is of release {build}; the operator allows none before {lowest}.",
        ru="Этот процесс выпуска {build}, а хозяин не допускает выпусков до {lowest}.",
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
