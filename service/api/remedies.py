"""What helps against each thing that the service cannot do, said in English and Russian.

Codes that are mended alike share one remedy. What only a rulebook refuses is not here: one remedy
serves all of that, since its sentence and its facts tell what would have been allowed.
"""

from typing import Final

from msgspec import Struct


class Remedy(Struct, frozen=True, kw_only=True):
    """What a caller can do about some codes, or about some ways to be malformed."""

    codes: tuple[str, ...]
    """The codes, or words of `why`."""
    en: str
    """What helps, in English."""
    ru: str
    """What helps, in Russian."""


OF_A_RULE: Final = Remedy(
    codes=(),
    en=(
        "Nothing was drawn or written. `rule` names the rule, whose text `GET /v1/rulesets/{slug}`"
        " has; `params` and `allowed` are the facts. `GET …/legal-actions` tells what may be done"
        " now, `POST …/preview` what it would do."
    ),
    ru=(
        "Ничего не брошено и не записано. `rule` — правило, его текст есть в `GET"
        " /v1/rulesets/{slug}`; `params` и `allowed` — обстоятельства. `GET …/legal-actions`"
        " говорит, что можно сейчас, `POST …/preview` — что из этого выйдет."
    ),
)
"""Against every refusal that a rulebook adds."""

REMEDIES: Final[tuple[Remedy, ...]] = (
    Remedy(
        codes=("malformed",),
        en="Mend what stands at `path`; `why` is one of the words below, each with its remedy.",
        ru="Исправьте то, что стоит в `path`; `why` — одно из слов ниже, при каждом свой совет.",
    ),
    Remedy(
        codes=("too_large",),
        en="Send less at once; `GET /v1/rulesets` tells all limits.",
        ru="Присылайте меньше за раз; все пределы называет `GET /v1/rulesets`.",
    ),
    Remedy(
        codes=("damaged_bundle",),
        en="Export the battle again and send the file as it came, neither edited nor cut off.",
        ru="Выгрузите бой заново и пришлите файл как есть, не правя и не обрезая.",
    ),
    Remedy(
        codes=(
            "request_timeout",
            "upload_too_slow",
            "upload_too_long",
            "answer_read_too_slowly",
        ),
        en="Ask again over a faster connection or for less; a write under the same key.",
        ru="Повторите по более быстрой связи или меньшими частями; запись — под тем же ключом.",
    ),
    Remedy(
        codes=("unsupported_media_type",),
        en="Set the header that is named to what `allowed` says: bodies are `application/json`.",
        ru="Поставьте в названный заголовок то, что в `allowed`: тела — `application/json`.",
    ),
    Remedy(
        codes=("not_acceptable",),
        en="Ask for one of `allowed` in `Accept`, or leave the header out.",
        ru="Назовите в `Accept` один из `allowed` или уберите заголовок.",
    ),
    Remedy(
        codes=("precondition_required", "idempotency_key_required"),
        en="Make a key for each thing that you want done and send it with every attempt at it.",
        ru="Заведите ключ на каждое дело и присылайте его с каждой попыткой.",
    ),
    Remedy(
        codes=("unauthenticated",),
        en=(
            "Check the token. If it was revoked, the operator makes another key, the game master"
            " another invitation."
        ),
        ru=(
            "Проверьте жетон. Если он отозван, новый ключ даёт хозяин сервиса, новое приглашение —"
            " ведущий."
        ),
    ),
    Remedy(
        codes=("scope_missing",),
        en="Use a key that has this scope; `GET /v1/me` tells those of yours.",
        ru="Возьмите ключ с этим правом; какие есть у вашего, говорит `GET /v1/me`.",
    ),
    Remedy(
        codes=("gm_only",),
        en="Ask the game master. A key acts as one where it sends no `Warlog-Seat`.",
        ru="Попросите ведущего. Ключ без `Warlog-Seat` действует как ведущий.",
    ),
    Remedy(
        codes=("own_token_only",),
        en="Send the token that the seat got for its invitation (`POST /v1/join`).",
        ru="Пришлите жетон, который место получило по приглашению (`POST /v1/join`).",
    ),
    Remedy(
        codes=("observer_cannot_act",),
        en="Ask the game master for the role of a player.",
        ru="Попросите у ведущего роль игрока.",
    ),
    Remedy(
        codes=("not_your_combatant", "not_your_side", "not_your_unit"),
        en="Name one of yours; the game master hands over control (`assign_control`) or acts.",
        ru="Назовите своего; ведущий может передать управление (`assign_control`) или сходить сам.",
    ),
    Remedy(
        codes=("not_your_decision",),
        en="Wait: whoever is asked answers, or the game master does.",
        ru="Подождите: отвечает тот, кого спросили, или ведущий.",
    ),
    Remedy(
        codes=("not_seated",),
        en="Read `GET /v1/me` again: the seat was given another role, or taken away.",
        ru="Прочитайте `GET /v1/me` заново: роль места сменили или место убрали.",
    ),
    Remedy(
        codes=("origin_not_listed",),
        en="The operator lists the page's origin with `warlog tenants origins`.",
        ru="Хозяин сервиса вносит источник страницы: `warlog tenants origins`.",
    ),
    Remedy(
        codes=("socket_only_tells",),
        en="Keep the socket for reading; actions go to `POST …/actions`.",
        ru="Через сокет только слушайте; действия — в `POST …/actions`.",
    ),
    Remedy(
        codes=("upgrade_required",),
        en="Open it as a WebSocket, or take `GET …/stream`, which every proxy lets through.",
        ru="Откройте его как WebSocket или возьмите `GET …/stream`: его пропускает любой прокси.",
    ),
    Remedy(
        codes=("not_found", "method_not_allowed"),
        en="Compare path and method with `/docs`; `Allow` lists the methods of an address.",
        ru="Сверьте путь и метод с `/docs`; методы адреса перечисляет `Allow`.",
    ),
    Remedy(
        codes=("unknown_encounter",),
        en="Check the id and whose key it is: what one has no part in is unknown to him, too.",
        ru="Проверьте id и ключ: неизвестным отвечает и бой, в котором вы не участвуете.",
    ),
    Remedy(
        codes=("unknown_event",),
        en="Ask for a seq from 1 to `head`; a later one with `wait` of the list of events.",
        ru="Берите seq от 1 до `head`; более позднего ждут параметром `wait` списка событий.",
    ),
    Remedy(
        codes=("unknown_ruleset", "unknown_version", "wrong_ruleset"),
        en="Take slug and version from `GET /v1/rulesets`; a battle keeps the ones it began with.",
        ru="Возьмите slug и версию из `GET /v1/rulesets`; у боя они те, с которыми он начат.",
    ),
    Remedy(
        codes=(
            "unknown_inspection",
            "unknown_seat",
            "unknown_side",
            "unknown_viewer",
            "unknown_timer",
        ),
        en="Name one of `allowed`.",
        ru="Назовите одно из `allowed`.",
    ),
    Remedy(
        codes=("unknown_invitation",),
        en="Ask the game master for another code (`POST …/seats/{seat}/invitation`).",
        ru="Попросите у ведущего другой код (`POST …/seats/{seat}/invitation`).",
    ),
    Remedy(
        codes=("unknown_map",),
        en="Leave the digest out to get the map that the battle was created with, if it has one.",
        ru="Не называйте хеш, и будет карта, с которой бой создан, если она у него есть.",
    ),
    Remedy(
        codes=("unknown_combatant", "unknown_unit", "off_map", "not_asked", "no_preview"),
        en="Read the state again: `GET …/legal-actions` has whom, what and where one may name.",
        ru="Прочитайте состояние: кого, что и где можно назвать, говорит `GET …/legal-actions`.",
    ),
    Remedy(
        codes=("encounter_not_running", "already_started", "already_created", "not_created"),
        en="Read `status` in the state: setting up comes before the start, acting after it.",
        ru="Прочитайте `status` в состоянии: готовят до начала, действуют после него.",
    ),
    Remedy(
        codes=("encounter_not_ended",),
        en="End the battle first (`end_encounter`), or ask again after it.",
        ru="Сначала закончите бой (`end_encounter`) или спросите после него.",
    ),
    Remedy(
        codes=("options_frozen",),
        en="Create another battle with other options; `configure` works before the start alone.",
        ru="Создайте бой с другими настройками; `configure` действует только до начала.",
    ),
    Remedy(
        codes=("audit_too_long", "audit_too_large"),
        en="Export the battle and run `warlog audit` on the file: offline it has no limit.",
        ru="Выгрузите бой и проверьте файл командой `warlog audit`: там пределов нет.",
    ),
    Remedy(
        codes=("fork_after_end",),
        en="Name an event before the end in `at`.",
        ru="Назовите в `at` событие до конца боя.",
    ),
    Remedy(
        codes=("simulation_too_long",),
        en="Ask for smaller `max_rounds`, or begin at a later event.",
        ru="Уменьшите `max_rounds` или начните с более позднего события.",
    ),
    Remedy(
        codes=("decision_pending",),
        en="Let `decisions` be answered first; the game master may answer or `force_pass`.",
        ru="Сначала нужен ответ на `decisions`; ведущий может ответить сам или дать `force_pass`.",
    ),
    Remedy(
        codes=("decision_closed",),
        en="Read `decisions` again: it was answered, ran out, or was rewound.",
        ru="Прочитайте `decisions` заново: на вопрос ответили, вышло время или его отмотали.",
    ),
    Remedy(
        codes=("wrong_choice",),
        en="Choose one of `allowed`: the open decision lists the same.",
        ru="Выберите одно из `allowed`: то же перечисляет открытый вопрос.",
    ),
    Remedy(
        codes=("no_time_limit", "extended_too_far"),
        en="`GET …/timers` tells what time runs; the limits are options of the battle.",
        ru="Какое время идёт, говорит `GET …/timers`; пределы задают настройки боя.",
    ),
    Remedy(
        codes=("seed_revealed", "nothing_to_reveal"),
        en="It is public for good: audit the battle, or fork it to play on.",
        ru="Это открыто навсегда: проверьте бой или сделайте ответвление, чтобы играть дальше.",
    ),
    Remedy(
        codes=("rewind_before_start", "rewind_not_allowed"),
        en="Go back less far; the game master may go back to any event since the start.",
        ru="Отматывайте ближе или попросите ведущего: он может к любому событию после начала.",
    ),
    Remedy(
        codes=("idempotency_key_reused",),
        en="Another request needs another key; the same request must be the same byte for byte.",
        ru="Другому запросу нужен другой ключ; повтор должен совпадать полностью.",
    ),
    Remedy(
        codes=("token_taken",),
        en="Make a token of 32 fresh random bytes for each code.",
        ru="К каждому коду делайте жетон из 32 новых случайных байт.",
    ),
    Remedy(
        codes=("too_many_devices",),
        en="Ask the game master for a new code: exchanged, it ends the other devices.",
        ru="Попросите у ведущего новый код: по обмену он отключит остальные устройства.",
    ),
    Remedy(
        codes=("too_many_forks",),
        en="Delete a fork, yours with its own token; the limits are `forks` and `seat_forks`.",
        ru="Удалите ветвь (свою - её жетоном); пределы: `forks` и `seat_forks`.",
    ),
    Remedy(
        codes=("too_many_forks_today",),
        en="Wait for `Retry-After`; deleting a fork gives none back. The limit is"
        " `seat_forks_per_day`.",
        ru="Подождите `Retry-After`: удаление ветви ничего не вернёт. Предел:"
        " `seat_forks_per_day`.",
    ),
    Remedy(
        codes=("in_progress",),
        en="Wait for `Retry-After` and send the same request under the same key.",
        ru="Подождите `Retry-After` и пришлите тот же запрос под тем же ключом.",
    ),
    Remedy(
        codes=("history_diverged",),
        en="Throw away what you keep of this battle and read it from the start: it was restored.",
        ru="Забудьте, что сохранили об этом бое, и прочитайте с начала: базу восстановили.",
    ),
    Remedy(
        codes=("precondition_failed",),
        en="Read what has happened since, and if you still want it, act with the new `ETag`.",
        ru="Прочитайте, что случилось, и если всё ещё хотите, действуйте с новым `ETag`.",
    ),
    Remedy(
        codes=("name_taken", "duplicate_combatant", "seat_taken"),
        en="Take another name; ids that differ in case alone count as the same.",
        ru="Возьмите другое имя; id, что различаются лишь регистром, считаются одним.",
    ),
    Remedy(
        codes=("unstorable",),
        en="Change the value that was sent last: the database can never keep it as it is.",
        ru="Измените присланное значение: таким база его не примет никогда.",
    ),
    Remedy(
        codes=("too_many_combatants", "too_many_sides", "too_many_seats"),
        en="Make do with as many as there may be, or play in several encounters.",
        ru="Уложитесь в предел или играйте несколькими боями.",
    ),
    Remedy(
        codes=("already_contributed",),
        en="One share for each seat is enough; go on.",
        ru="Хватит одной доли на место; продолжайте.",
    ),
    Remedy(
        codes=("faces_not_taken", "too_few_faces", "too_many_faces", "impossible_face"),
        en="Roll what the message names, and send just those faces (`/docs/guides/real-dice`).",
        ru="Бросьте названное и пришлите ровно эти грани (`/docs/guides/real-dice`).",
    ),
    Remedy(
        codes=("too_many_requests", "streams_full", "busy", "overloaded", "unavailable"),
        en="Wait for `Retry-After` and a random part of it more, then ask again.",
        ru="Подождите `Retry-After` и ещё случайную его часть, затем повторите.",
    ),
    Remedy(
        codes=("try_again", "encounter_busy"),
        en="Ask again under the same key: nothing was written.",
        ru="Повторите под тем же ключом: ничего не записано.",
    ),
    Remedy(
        codes=("too_many_streams",),
        en="Close a stream, or follow many battles in one (`GET /v1/stream`).",
        ru="Закройте поток или следите за многими боями в одном (`GET /v1/stream`).",
    ),
    Remedy(
        codes=(
            "audit_running",
            "simulation_running",
            "tenant_audits_running",
            "tenant_simulations_running",
            "too_many_bytes",
        ),
        en="Do one after the other: let what is under way come to its end, or break it off.",
        ru="Делайте по очереди: дождитесь конца начатого или прервите его.",
    ),
    Remedy(
        codes=("job_timed_out", "job_failed"),
        en="Ask for less at once; offline, `warlog audit` has no such limits.",
        ru="Просите меньше за раз; без сервиса у `warlog audit` таких пределов нет.",
    ),
    Remedy(
        codes=("pages_not_built",),
        en="Run `make pages`, or install a wheel, which contains the pages; the API needs none.",
        ru="Выполните `make pages` или установите wheel: страницы внутри; API их не требует.",
    ),
    Remedy(
        codes=("stopping", "outcome_unknown"),
        en="Send it again under the same key: what was done is answered, and not done twice.",
        ru="Повторите под тем же ключом: сделанное будет отвечено и не случится дважды.",
    ),
    Remedy(
        codes=("database_away", "database_slow", "database_read_only", "database_full"),
        en="Ask again later under the same key; `GET /health/ready` tells the operator more.",
        ru="Повторите позже под тем же ключом; хозяину больше скажет `GET /health/ready`.",
    ),
    Remedy(
        codes=("schema_mismatch", "newer_version"),
        en="The operator brings service and database to one release (`warlog migrate`).",
        ru="Хозяин приводит сервис и базу к одному выпуску (`warlog migrate`).",
    ),
    Remedy(
        codes=("upgrade_unfinished",),
        en=(
            "Ask again once the upgrade is finished, or do it as the release before would: the"
            " operator stops the old processes, then runs `warlog migrate --finish`."
        ),
        ru=(
            "Повторите, когда обновление завершат, или обойдитесь тем, что умеет прежний выпуск:"
            " хозяин останавливает старые процессы, затем вызывает `warlog migrate --finish`."
        ),
    ),
    Remedy(
        codes=("build_too_old",),
        en="The operator starts a newer release: `warlog doctor` names the lowest one allowed.",
        ru="Хозяин запускает выпуск новее: самый ранний допустимый называет `warlog doctor`.",
    ),
    Remedy(
        codes=("log_damaged",),
        en="Reading still works; `GET …/audit` names the place, the operator restores a backup.",
        ru="Читать можно; место называет `GET …/audit`, хозяин восстанавливает копию.",
    ),
    Remedy(
        codes=("internal_error",),
        en="Tell the operator the id in `instance`; asking again under the same key does no harm.",
        ru="Сообщите хозяину id из `instance`; повтор под тем же ключом не повредит.",
    ),
)
"""Against everything that the service itself cannot do."""

FORM_REMEDIES: Final[tuple[Remedy, ...]] = (
    Remedy(
        codes=("empty", "syntax", "not_an_object"),
        en="Send one JSON object, whole.",
        ru="Пришлите один объект JSON целиком.",
    ),
    Remedy(
        codes=("encoding", "nul", "lone_surrogate"),
        en="Send text in UTF-8, without U+0000 and without halves of surrogate pairs.",
        ru="Пришлите текст в UTF-8, без U+0000 и без половин суррогатных пар.",
    ),
    Remedy(
        codes=("duplicate_key", "unknown_field", "missing_field"),
        en="Give each field of the schema once, and no other; `/docs` lists them.",
        ru="Назовите каждое поле схемы один раз и никаких других; их перечисляет `/docs`.",
    ),
    Remedy(
        codes=("not_an_integer", "not_a_number", "not_whole", "integer_too_large"),
        en="Send a whole number in digits, without fraction, exponent or quotation marks.",
        ru="Пришлите целое число цифрами, без дроби, порядка и кавычек.",
    ),
    Remedy(
        codes=("misleading_name",),
        en="Leave line ends, control characters and direction marks out of the name.",
        ru="Уберите из имени переводы строк, управляющие знаки и знаки направления письма.",
    ),
    Remedy(
        codes=("guessable",),
        en="Take 32 bytes from the system's source of randomness.",
        ru="Возьмите 32 байта из системного источника случайности.",
    ),
    Remedy(
        codes=("too_deep", "too_many_bytes", "head_too_large"),
        en="Send less: what is kept has its limits, which `GET /v1/rulesets` tells.",
        ru="Пришлите меньше: пределы называет `GET /v1/rulesets`.",
    ),
    Remedy(
        codes=("wrong_type", "unknown_value", "wrong_form"),
        en="Send what the message says; the schema in `/docs` says the same.",
        ru="Пришлите то, что названо в сообщении; то же говорит схема в `/docs`.",
    ),
    Remedy(
        codes=("out_of_bounds", "too_small", "too_big", "too_short", "too_long", "wrong_length"),
        en="Stay within the bounds that are named; they are included.",
        ru="Оставайтесь в названных границах; сами границы допустимы.",
    ),
    Remedy(
        codes=("unknown_parameter", "repeated_parameter", "excluded_parameter"),
        en="Give each parameter of the call once, and leave out those that exclude one another.",
        ru="Дайте каждый параметр вызова один раз и уберите те, что исключают друг друга.",
    ),
    Remedy(
        codes=("missing_parameter",),
        en="Add the parameter to the query.",
        ru="Добавьте параметр в строку запроса.",
    ),
    Remedy(
        codes=("protocol",),
        en="Use a client that speaks HTTP/1.1, and look at what a proxy makes of the request.",
        ru="Возьмите клиент, что говорит по HTTP/1.1, и посмотрите, что делает с запросом прокси.",
    ),
)
"""Against the ways to be malformed, by their word."""


def remedies_by_code(remedies: tuple[Remedy, ...]) -> dict[str, Remedy]:
    """Code -> what helps."""
    return {code: remedy for remedy in remedies for code in remedy.codes}
