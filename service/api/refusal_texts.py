"""What the rules of every encounter and the moment refuse, said in English and Russian.

Templates are those of `message_template.py`.
"""

from typing import Final

from service.engine.vocabulary.catalogue import Message

REFUSALS: Final[tuple[Message, ...]] = (
    # --- not now -------------------------------------------------------------------------------
    Message(
        code="encounter_not_running",
        en="The encounter is not running[[: {status:term}]].",
        ru="Бой не идёт[[: {status:term}]].",
    ),
    Message(
        code="audit_too_long",
        en="The audit would take longer than {seconds} seconds; 'warlog audit' does it offline.",
        ru="Проверка длится больше {seconds} с; файл можно проверить и без сервиса.",
    ),
    Message(
        code="audit_too_large",
        en="The audit would take more memory than {limit} bytes; 'warlog audit' does it offline.",
        ru="Проверке не хватает {limit} байт памяти; файл можно проверить и без сервиса.",
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
        code="fork_after_end",
        en="The encounter had ended at event {at}: a fork continues an earlier one.",
        ru="На событии {at} бой уже был окончен: продолжить можно только более раннее.",
    ),
    Message(
        code="simulation_too_long",
        en="Not one battle was over within {seconds} seconds: ask for fewer rounds.",
        ru="Ни один бой не окончился за {seconds} с: запросите меньше раундов.",
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
        en="The seed of this battle is revealed: {action:term} is no longer possible in it.",
        ru="Зерно этого боя раскрыто: {action:term} — здесь уже нельзя.",
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
        code="token_taken",
        en="The token of this hash is taken: make another one and send its hash.",
        ru="Жетон с таким отпечатком уже занят: сделайте другой и пришлите его отпечаток.",
    ),
    Message(
        code="too_many_devices",
        en=(
            "The seat is open on {limit} devices, as many as there may be. A new code from the game"
            " master ends them all."
        ),
        ru=(
            "Место открыто на всех возможных устройствах (их {limit}). Новый код от ведущего"
            " отключит их все."
        ),
    ),
    Message(
        code="too_many_forks",
        en="There are {limit} forks already: delete one first.",
        ru="Ветвей уже {limit}: сначала удалите какую-нибудь.",
    ),
    Message(
        code="too_many_forks_today",
        en="The seat has made {limit} forks today, as many as a day allows.",
        ru="Место создало сегодня {limit} ветвей: больше за день нельзя.",
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
)
