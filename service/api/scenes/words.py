"""The words next to a picture: terms of the ruleset in the reader's language, and safe names.

Names and labels are what people wrote: `plain` leaves of them what neither ends a line nor turns
the direction of writing, so that a name cannot pretend to be something else; `isolated` keeps
letters that are written from the right from turning the words next to them.
"""

from collections.abc import Callable, Mapping
from typing import Final

from service.engine.narration.plain_text import isolated, plain
from service.engine.ruleset.definition import Catalogue
from service.engine.scene import Scene, SceneArea, SceneCombatant
from service.engine.vocabulary.catalogue import Language

Wording = Callable[[str], str]
"""A term in the reader's language; a word that is no term is given back as it is."""

_OWN: Final[Mapping[str, tuple[str, str]]] = {
    "attack": ("attack", "атака"),
    "blast": ("blast", "взрыв"),
    "cell": ("cells", "клетки"),
    "cell_5ft": ("cells of 5 feet", "клетки по 5 футов"),
    "cover": ("cover", "укрытие"),
    "dark": ("darkness", "темнота"),
    "full": ("fully under it", "полностью под ним"),
    "has_turn": ("has the turn", "ходит"),
    "height": ("height", "высота"),
    "hidden": ("hidden", "скрыт"),
    "interruption": ("stopped on the way", "остановка в пути"),
    "legend": ("Legend", "Условные знаки"),
    "line": ("line", "линия"),
    "metre": ("metres", "метры"),
    "part": ("partly under it", "частично под ним"),
    "path": ("way", "путь"),
    "scene": ("The battle after event {seq}", "Бой после события {seq}"),
    "scale": ("one sign is {step} by {step}", "один знак: {step} на {step}"),
    "smoke": ("smoke", "дым"),
    "solid": ("solid", "глухое препятствие"),
    "step": ("steps", "шаги"),
}
"""Words of pictures that no rulebook has; a rulebook's own term comes first."""

LONGEST_LABEL: Final = 24
"""Letters of a name next to its sign; the whole name is in the legend."""


def short(text: str) -> str:
    """The same, as long as there is room for."""
    cleaned = plain(text)
    return cleaned if len(cleaned) <= LONGEST_LABEL else f"{cleaned[: LONGEST_LABEL - 1]}…"


def words_in(language: Language, catalogue: Catalogue) -> Wording:
    """The words of a ruleset and of pictures in a language."""
    place = 0 if language == "en" else 1
    terms = {each: both[place] for each, both in _OWN.items()}
    terms |= {term.id: term.en if language == "en" else term.ru for term in catalogue.terms}
    return lambda word: terms.get(word, plain(word.replace("_", " ")))


def described(combatant: SceneCombatant, word: Wording) -> str:
    """A combatant in one line: name, side, health, conditions."""
    name = combatant.name if isinstance(combatant.name, str) else ""
    name_shown = isolated(plain(name)) or combatant.id
    about = [plain(combatant.side)]
    if isinstance(combatant.band, str):
        about.append(word(combatant.band))
    about += [word(condition) for condition in combatant.conditions]
    if combatant.hidden:
        about.append(word("hidden"))
    if combatant.has_turn:
        about.append(word("has_turn"))
    return f"{name_shown}: {', '.join(about)}"


def described_area(area: SceneArea, word: Wording) -> str:
    """An area in one line: what it is, and whose bases lie in it."""
    label = f" {isolated(plain(area.label))}" if isinstance(area.label, str) else ""
    about = [word(area.kind) + label]
    for coverage, under in (("full", area.full), ("part", area.part)):
        if under:
            about.append(f"{word(coverage)}: {', '.join(under)}")
    return "; ".join(about)


def sides_of(scene: Scene) -> tuple[str, ...]:
    """The sides that are seen, in the order in which they come first."""
    return tuple(dict.fromkeys(combatant.side for combatant in scene.combatants))
