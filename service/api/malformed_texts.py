"""In how many ways input can be malformed, said in English and Russian.

The problem `malformed` has one of these words as `why`, so that a program can tell them apart.
Templates are those of `message_template.py`.
"""

from collections.abc import Mapping
from typing import Final

from service.engine.vocabulary.catalogue import Language, Message

FORMS: Final[tuple[Message, ...]] = (
    Message(code="empty", en="The body is empty.", ru="Тело запроса пусто."),
    Message(
        code="syntax",
        en="The body is not JSON: line {line}, column {column}.",
        ru="Тело запроса не JSON: строка {line}, столбец {column}.",
    ),
    Message(
        code="encoding",
        en="{path} is not UTF-8[[ at byte {byte}]].",
        ru="{path}: не UTF-8[[, байт {byte}]].",
    ),
    Message(
        code="not_an_object",
        en="The body must be a JSON object.",
        ru="Тело запроса должно быть объектом JSON.",
    ),
    Message(
        code="duplicate_key",
        en="{path} has the key '{key}' twice.",
        ru="{path}: ключ «{key}» стоит дважды.",
    ),
    Message(
        code="not_an_integer",
        en="{path} is {number}; numbers are integers, without fraction or exponent.",
        ru="{path}: {number}; числа только целые, без дроби и порядка.",
    ),
    Message(
        code="not_a_number",
        en="{path} is {number}, which is no number here.",
        ru="{path}: {number} здесь не число.",
    ),
    Message(
        code="integer_too_large",
        en="{path} is {number}; integers go from -{limit} to {limit}.",
        ru="{path}: {number}; целые — от -{limit} до {limit}.",
    ),
    Message(
        code="nul",
        en="{path} contains the character U+0000.",
        ru="{path} содержит символ U+0000.",
    ),
    Message(
        code="lone_surrogate",
        en="{path} contains half of a surrogate pair.",
        ru="{path} содержит половину суррогатной пары.",
    ),
    Message(
        code="misleading_name",
        en=(
            "{path} has the character {character}: a name is one line, without control characters"
            " and without characters that turn the direction of writing."
        ),
        ru=(
            "{path} содержит символ {character}: имя — это одна строка без управляющих символов и"
            " без символов, меняющих направление письма."
        ),
    ),
    Message(
        code="guessable",
        en="{path} is that of a token anybody would guess: make it of 32 fresh random bytes.",
        ru="{path}: такой жетон легко угадать; сделайте его из 32 новых случайных байт.",
    ),
    Message(
        code="too_deep",
        en="{path} is nested deeper than {limit} levels.",
        ru="{path}: вложенность больше {limit} уровней.",
    ),
    Message(
        code="too_many_bytes",
        en="{path} has {bytes} bytes; at most {limit} are kept.",
        ru="{path}: байт {bytes}, а хранится не больше {limit}.",
    ),
    Message(
        code="wrong_type",
        en="{path} must be {expected}[[, not {got}]].",
        ru="{path} — нужно: {expected}[[, прислано: {got}]].",
    ),
    Message(
        code="missing_field",
        en="{path} lacks the field '{field}'.",
        ru="{path}: нет поля «{field}».",
    ),
    Message(
        code="unknown_field",
        en="{path} has the field '{field}', which does not exist[[; there are {allowed}]].",
        ru="{path}: поля «{field}» не существует[[; есть {allowed}]].",
    ),
    Message(
        code="unknown_value",
        en="{path} has the value '{value}', which does not exist[[; there are {allowed}]].",
        ru="{path}: значения «{value}» не существует[[; есть {allowed}]].",
    ),
    Message(
        code="out_of_bounds",
        en="{path}[[ is {value} and]] must be from {least} to {most}.",
        ru="{path}[[: {value}]] — нужно от {least} до {most}.",
    ),
    Message(
        code="not_whole",
        en="{path} is “{value}”; it must be a whole number from {least} to {most}, in digits.",
        ru="{path}: «{value}» — нужно целое число от {least} до {most}, цифрами.",
    ),
    Message(
        code="too_small",
        en="{path} must be at least {least}.",
        ru="{path}: не меньше {least}.",
    ),
    Message(
        code="too_big",
        en="{path} must be at most {most}.",
        ru="{path}: не больше {most}.",
    ),
    Message(
        code="too_short",
        en="{path} must have a length of at least {least}.",
        ru="{path}: длина не меньше {least}.",
    ),
    Message(
        code="too_long",
        en="{path} must have a length of at most {most}.",
        ru="{path}: длина не больше {most}.",
    ),
    Message(
        code="wrong_length",
        en="{path} must have a length of {least}.",
        ru="{path}: длина должна быть {least}.",
    ),
    Message(
        code="wrong_form",
        en="{path}[[ is '{value}' and]] must be: {allowed}.",
        ru="{path}[[: «{value}»]] — нужно: {allowed}.",
    ),
    Message(
        code="unknown_parameter",
        en="{path} is no parameter of this call[[; it takes {allowed}]].",
        ru="{path}: такого параметра здесь нет[[; есть {allowed}]].",
    ),
    Message(
        code="repeated_parameter",
        en="{path} is given more than once.",
        ru="{path}: параметр задан несколько раз.",
    ),
    Message(
        code="excluded_parameter",
        en="{path} cannot be asked beside {other}.",
        ru="{path}: нельзя задать вместе с {other}.",
    ),
    Message(
        code="missing_parameter",
        en="{path} is required: {allowed}.",
        ru="{path}: обязательный параметр, {allowed}.",
    ),
    Message(
        code="head_too_large",
        en="More than {limit} bytes came without completing a head or a part of a body.",
        ru="Пришло больше {limit} байт, а ни заголовки, ни часть тела не завершились.",
    ),
    Message(
        code="protocol",
        en="The request cannot be read as HTTP.",
        ru="Запрос нельзя прочесть как HTTP.",
    ),
)

_BY_FORM: Final = {message.code: message for message in FORMS}


def form_of(why: str) -> Message | None:
    """What is said about input that is malformed in this way."""
    return _BY_FORM.get(why)


_TYPES: Final[Mapping[str, tuple[str, str]]] = {
    "string": ("text", "текст"),
    "integer": ("a whole number", "целое число"),
    "number": ("a number", "число"),
    "boolean": ("true or false", "true или false"),
    "array": ("a list", "список"),
    "object": ("an object", "объект"),
    "null": ("null", "null"),
}
"""Type of JSON -> what it is called in English and Russian."""


def types_told(facts: Mapping[str, object], language: Language) -> dict[str, object]:
    """The facts of malformed input, with the types of JSON among them in words."""
    return {
        name: _type_told(str(value), language) if name in {"expected", "got"} else value
        for name, value in facts.items()
    }


def _type_told(types: str, language: Language) -> str:
    """`integer | null` in words; another word is shown as it is."""
    told = [_TYPES.get(each, (each, each))[language == "ru"] for each in types.split(" | ")]
    either = " или " if language == "ru" else " or "
    return either.join(filter(None, (", ".join(told[:-1]), told[-1])))
