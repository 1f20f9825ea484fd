"""The sentences of a report, in English and Russian; values are numbered."""

from typing import Final

from warlog.verifier.details import Language

SENTENCES: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "bundle": "encounter {0}, {1} {2}, {3} events, seen as {4}",
        "head": "head: event {0}, {1}",
        "trusted": "signed by the key {0}, which you trust",
        "unknown": (
            "signed by the key {0}, which only the bundle names: whoever made the bundle "
            "could have made it too; name the service's with --keys or --public-key"
        ),
        "wrong": "the key of the seal, {0}, is none that you trust",
        "none": "no signature over the head holds",
        "supplied": "dice: rolled at the table; {0} are told, and their fairness is not verified",
        "sealed": (
            "dice: {1} of the {0} dice that can be seen here were drawn again from the seed and fit"
        ),
        "absent": (
            "dice: none of the {0} dice that can be seen here were drawn again: the seed is "
            "not revealed"
        ),
        "misfit": (
            "dice: none of the {0} dice that can be seen here were drawn again: the seed "
            "does not fit"
        ),
        "rules": (
            "not checked: that effects follow from actions by the rules of the game, and "
            "that nothing was cut off or written anew by whoever has the service's keys "
            "(keep receipts)"
        ),
        "given": (
            "grindable: the creator gave the seed, so a holder of the seed could have chosen it"
        ),
        "nobody": "grindable: nobody contributed, so a holder of the seed could have chosen it",
        "withheld": "not checked: parts that are withheld here: {0}",
        "erased": "not checked: texts that were erased: {0}",
        "taken_up": (
            "not checked: {0} of these dice, which belong to the log that this one continues"
        ),
        "told_again": "not checked: that an action waited for {0} dice told again from event {1}",
        "unread": "not judged: comes after the first difference",
        "clock_went_back": "remark: the clock went back {0} times; no rule reads it",
        "kept": "{0} of event {1}: {2}",
        "found_one": "1 difference:",
        "found": "{0} differences, the first of them:",
        "place": "line {0}",
        "event": "event {0}",
        "clean": "clean",
        "clean_seen": "clean, as far as can be seen",
        "clean_unknown": "clean, but signed by nobody who is known here",
        "clean_seen_unknown": (
            "clean, as far as can be seen, but signed by nobody who is known here"
        ),
        "unavailable": "not everything could be judged",
        "wrong_end": "not clean",
        "heads": "noted head",
        "receipts": "receipt",
    },
    "ru": {
        "bundle": "бой {0}, {1} {2}, событий: {3}, глазами: {4}",
        "head": "конец журнала: событие {0}, {1}",
        "trusted": "подписано ключом {0}, которому вы доверяете",
        "unknown": (
            "подписано ключом {0}, который назван только в самой выгрузке: его мог создать "
            "и тот, кто её составил; назовите ключ сервиса через --keys или --public-key"
        ),
        "wrong": "ключа последней строки, {0}, нет среди тех, которым вы доверяете",
        "none": "верной подписи под концом журнала нет",
        "supplied": "кости: брошены за столом; названо {0}, их честность не проверена",
        "sealed": "кости: из {0} видимых здесь заново получены из зерна и совпали {1}",
        "absent": "кости: ни одна из {0} видимых здесь не получена заново: зерно не раскрыто",
        "misfit": "кости: ни одна из {0} видимых здесь не получена заново: зерно не подходит",
        "rules": (
            "не проверено: следуют ли последствия из действий по правилам игры и не отрезал "
            "ли и не переписал ли журнал владелец ключей сервиса (храните расписки)"
        ),
        "given": (
            "подбор возможен: зерно дал создатель, и тот, у кого оно было, мог его подобрать"
        ),
        "nobody": (
            "подбор возможен: вкладов никто не сделал, и тот, у кого было зерно, мог его подобрать"
        ),
        "withheld": "не проверено: части, которых в этой выгрузке нет: {0}",
        "erased": "не проверено: стёртые тексты: {0}",
        "taken_up": "не проверено: кости боя, который здесь продолжен, числом {0}",
        "told_again": (
            "не проверено: ждало ли действие костей, повторённых из события {1}, числом {0}"
        ),
        "unread": "не проверено: то, что идёт после первого расхождения",
        "clock_went_back": "замечание: часы шли назад, раз: {0}; правила их не читают",
        "kept": "{0} события {1}: {2}",
        "found_one": "1 расхождение:",
        "found": "расхождений: {0}, первые из них:",
        "place": "строка {0}",
        "event": "событие {0}",
        "clean": "чисто",
        "clean_seen": "чисто, насколько видно",
        "clean_unknown": "чисто, но подписано никем из известных здесь",
        "clean_seen_unknown": "чисто, насколько видно, но подписано никем из известных здесь",
        "unavailable": "проверить удалось не всё",
        "wrong_end": "не чисто",
        "heads": "отмеченный конец",
        "receipts": "расписка",
    },
}
