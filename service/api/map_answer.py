"""What is shown of a map that was looked at, in the caller's language."""

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.json import encode

from service.api.problems import Phrasebook, facts_of, sentence_of
from service.encounters.creation import CheckedMap
from service.engine.map_check import MapFinding
from service.engine.vocabulary.catalogue import Language

_PLACE = frozenset({"path", "x", "y", "line", "column"})
"""What is next to the facts of a problem."""


class MapProblem(Struct, frozen=True, kw_only=True):
    """Something that is wrong with a map, or that its author may want to know."""

    code: str
    """What it is, as a creation with this map would be refused."""
    detail: str
    """The same as a sentence, in the language asked for."""
    path: str | UnsetType = UNSET
    """Where it is in the request, as a JSON path; absent where x and y say it."""
    x: int | UnsetType = UNSET
    """Column in the text or drawing, from 0; absent where it is about no place in one."""
    y: int | UnsetType = UNSET
    """Row in the text or drawing, from 0; absent where it is about no place in one."""
    line: int | UnsetType = UNSET
    """The same row as an editor counts lines, from 1."""
    column: int | UnsetType = UNSET
    """The same column as an editor counts them, from 1."""
    params: dict[str, object] = {}
    """The facts of it, by name."""


class MapAnswer(Struct, frozen=True, kw_only=True):
    """What was found on looking at a map; nothing was kept."""

    ruleset: str
    """Slug of the ruleset by which it was read."""
    version: str
    """Version of that ruleset."""
    problems: tuple[MapProblem, ...]
    """What is wrong, up to 100; a creation is refused with the first. None: it is sound."""
    warnings: tuple[MapProblem, ...] = ()
    """What is not wrong, but may tell more than its author wants to, up to 100."""
    map: Raw | UnsetType = UNSET
    """The map as a creation would take it; absent where something is wrong."""


def map_answer(checked: CheckedMap, language: Language, phrasebook: Phrasebook) -> MapAnswer:
    """The answer to a check."""
    report = checked.report

    def told(finding: MapFinding) -> MapProblem:
        return _problem_of(finding, language, phrasebook)

    return MapAnswer(
        ruleset=checked.ruleset.slug,
        version=checked.ruleset.version,
        problems=tuple(map(told, report.problems)),
        warnings=tuple(map(told, report.warnings)),
        map=UNSET if report.map is None else Raw(encode(report.map)),
    )


def _problem_of(finding: MapFinding, language: Language, phrasebook: Phrasebook) -> MapProblem:
    error = finding.error
    facts = facts_of(error)
    path = facts.get("path")
    return MapProblem(
        code=error.code,
        detail=sentence_of(error, facts, language, phrasebook),
        path=path if isinstance(path, str) else UNSET,
        x=UNSET if finding.x is None else finding.x,
        y=UNSET if finding.y is None else finding.y,
        line=UNSET if finding.y is None else finding.y + 1,
        column=UNSET if finding.x is None else finding.x + 1,
        params={name: value for name, value in facts.items() if name not in _PLACE},
    )
