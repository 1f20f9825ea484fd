"""The newest rulesets' examples of requests, as examples of the calls that take them."""

from collections.abc import Iterator
from typing import Any, Final

from service.api.call import Example
from service.engine.examples import RequestExample
from service.engine.ruleset.definition import Ruleset
from service.rulesets import RULESETS


def _published(ruleset: Ruleset[Any], bodies: tuple[RequestExample, ...]) -> Iterator[Example]:
    """The examples of one call, each with the name of the creation whose battle it is sent in."""
    creation = ruleset.slug.replace("-", "_")
    for body in bodies:
        yield Example(name=body.name, says=body.says, value=dict(body.value), of=creation)


_NEWEST: Final = {ruleset.slug: ruleset for ruleset in RULESETS.values()}
_SHOWN: Final = tuple((ruleset, ruleset.examples) for ruleset in _NEWEST.values())

CREATE_ENCOUNTER_EXAMPLES: Final = tuple(
    example for ruleset, shown in _SHOWN for example in _published(ruleset, shown.create_encounter)
)
ACT_EXAMPLES: Final = tuple(
    example for ruleset, shown in _SHOWN for example in _published(ruleset, shown.act)
)
CHECK_MAP_EXAMPLES: Final = tuple(
    Example(name=body.name, says=body.says, value=dict(body.value))
    for _, shown in _SHOWN
    for body in shown.check_map
)
PREVIEW_EXAMPLES: Final = tuple(
    example for ruleset, shown in _SHOWN for example in _published(ruleset, shown.preview)
)
