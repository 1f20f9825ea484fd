"""Says in our own words, in both languages, why a value does not fit.

The decoder shows it in one English sentence; each kind of sentence it knows is taken apart here
into a word (`why`) and facts. What other rooms say was allowed is a short English phrase, whose
Russian is here too. What is not known is passed on as it is.
"""

import ast
import re
from collections.abc import Mapping
from typing import Final

from service.engine.vocabulary.patterns import published

_FORMS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (why, re.compile(pattern))
    for why, pattern in (
        ("missing_field", r"Object missing required field `(?P<field>.*)`"),
        ("unknown_field", r"Object contains unknown field `(?P<field>.*)`"),
        ("unknown_value", r"Invalid (?:enum )?value '?(?P<value>.*?)'?"),
        ("too_small", r"Expected `(?P<expected>.*)` >= (?P<least>-?[0-9]+)"),
        ("too_big", r"Expected `(?P<expected>.*)` <= (?P<most>-?[0-9]+)"),
        ("too_short", r"Expected `(?P<expected>.*)` of (?:at least )?length >= (?P<least>[0-9]+)"),
        ("too_long", r"Expected `(?P<expected>.*)` of (?:at most )?length <= (?P<most>[0-9]+)"),
        ("wrong_length", r"Expected `(?P<expected>.*)` of length (?P<least>[0-9]+), got [0-9]+"),
        ("wrong_form", r"Expected `str` matching regex (?P<allowed>.*)"),
        ("wrong_type", r"Expected `(?P<expected>.*)`, got `(?P<got>.*)`"),
    )
)

_JSON_TYPES: Final = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "NoneType": "null",
    "list": "array",
    "dict": "object",
    "bytes": "string",
    "date": "string",
    "time": "string",
    "datetime": "string",
    "duration": "string",
    "decimal": "string",
    "uuid": "string",
}
"""The decoder's word for a type -> the type of JSON; its other words are those of JSON."""


def taken_apart(sentence: str) -> Mapping[str, object] | None:
    """`why` and the facts of a decoder's sentence; None for one of another kind."""
    for why, pattern in _FORMS:
        match = pattern.fullmatch(sentence)
        if match:
            facts = {name: _fact(name, value) for name, value in match.groupdict().items()}
            return {"why": why, **facts}
    return None


def _fact(name: str, value: str) -> object:
    """A piece of a decoder's sentence, as `params` has it."""
    match name:
        case "least" | "most":
            return int(value)
        case "expected" | "got":
            return " | ".join(_JSON_TYPES.get(word, word) for word in value.split(" | "))
        case "allowed":
            return published(ast.literal_eval(value))
        case _:
            return value


_PHRASES: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(english), russian)
    for english, russian in (
        (r"(-?\d+) to (-?\d+)", r"от \1 до \2"),
        (r"(\d+) to (\d+) actions", r"действия, от \1 до \2"),
        (r"(\d+) to (\d+) encounters", r"бои, от \1 до \2"),
        (r"the id of an earlier event", r"id одного из прежних событий"),
        (r"(\d+) and more", r"\1 и больше"),
        (r"(\d+) at most", r"не больше \1"),
        (r"(\d+) characters", r"знаков \1"),
        (r"0 or 1, without an item", r"0 или 1, без предмета"),
        (r"1 and more for a weapon one can shoot with", r"1 и больше для стрелкового оружия"),
        (
            r"5 and more for a ranged weapon, absent for a melee one",
            r"5 и больше для стрелкового оружия, для оружия ближнего боя не указывается",
        ),
        (r"absent for a ranged weapon", r"для стрелкового оружия не указывается"),
        (r"only with wall", r"только вместе с wall"),
        (r"only with cover and without wall", r"только вместе с cover и без wall"),
        (r"either area or radius_ft, dc and damage", r"либо area, либо radius_ft, dc и damage"),
        (r"items, not bare hands", r"предметы, но не голые руки"),
        (r"false for bare hands", r"false для голых рук"),
        (r"54, as its jokers are in play", r"54: её джокеры в игре"),
        (r"a combatant with a card", r"боец, у которого есть карта"),
        (r"a cover, or removed", r"укрытие или removed"),
        (r"a feature, or removed", r"элемент местности или removed"),
        (r"the singer, where a ray begins", r"Певец, от которого идёт шаблон"),
        (r"the singer of the Melody", r"Певец этой Мелодии"),
        (r"a cursor of an earlier page", r"next прежней страницы"),
        (
            r"a cursor of this list, in this order, so filtered",
            r"next этого же списка: в том же порядке и с теми же фильтрами",
        ),
        (r"a skill, or a sample that has one", r"навык или образец с навыком"),
        (r"a value or a sample", r"значение или образец"),
        (r"armour or a sample", r"armour или образец"),
        (r"at least one cell or border", r"хотя бы одна клетка или граница"),
        (r"absent with dual, else one", r"отсутствует при dual, иначе одно"),
        (
            r"absent with dodge, else a melee weapon of its own or w_unarmed",
            r"отсутствует при dodge, иначе своё оружие ближнего боя или w_unarmed",
        ),
        (r"two with dual, else absent", r"два при dual, иначе отсутствует"),
        (r"one for named, else absent", r"один для named, иначе отсутствует"),
        (
            r"one for rounds and grenades, else absent",
            r"один для rounds и grenades, иначе отсутствует",
        ),
        (r"x and y", r"x и y"),
        (r"cards that are not drawn, each once", r"невытянутые карты, каждая один раз"),
        (
            r"role, sides, combatants, name or metadata",
            r"role, sides, combatants, name или metadata",
        ),
        (r"each card once", r"каждая карта один раз"),
        (r"each combatant once", r"каждый боец один раз"),
        (r"a combatant of the order", r"боец из порядка ходов"),
        (r"each id once", r"каждый id один раз"),
        (r"ids other than (\w+): it is yours", r"id, кроме \1: это ваше место"),
        (r"no faces of dice", r"без выпавших граней"),
        (
            r"an action other than rewind and those of seats",
            r"действие, кроме rewind и действий с местами",
        ),
        (r"each id once, in one case", r"каждый id один раз, в одном регистре"),
        (
            r"no such option before version (\d+) of ([a-z0-9-]+)",
            r"до версии \1 \2 такой опции нет",
        ),
        (r"each stated once", r"каждое указано один раз"),
        (r"either part or over_cover: true", r"либо part, либо over_cover: true"),
        (r"either (\w+) or (\w+)", r"либо \1, либо \2"),
        (r"inside the bounds", r"в пределах карты"),
        (r"nothing beside a cover", r"рядом с укрытием ничего"),
        (r"seq or seq-hash8", r"seq или seq-hash8"),
        (r"text or gm_text", r"text или gm_text"),
        (r"somebody else, who holds nobody", r"другой боец, который никого не удерживает"),
        (
            r"somebody else, active, who holds nobody and whom nobody holds",
            r"другой боец, в строю, который никого не удерживает и которого никто не удерживает",
        ),
        (
            r"whoever states held_by with this combatant as holder",
            r"тот, у кого в held_by этот боец указан как holder",
        ),
        (r"the weapon whose rounds these are", r"оружие, чьи это патроны"),
        (r"unaware, unconscious, dead", r"одно из unaware, unconscious, dead"),
        (r"an id other than everyone, gm and system", r"id, кроме everyone, gm и system"),
        (r"unique ids other than everyone and gm", r"неповторяющиеся id, кроме everyone и gm"),
    )
)


def in_russian(allowed: str) -> str:
    """What was allowed, as Russian says it; names and patterns are alike in all languages."""
    for english, russian in _PHRASES:
        match = english.fullmatch(allowed)
        if match:
            return match.expand(russian)
    return allowed
