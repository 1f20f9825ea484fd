"""Looks at a map for no encounter: what is wrong with it, and how it would be taken."""

from typing import NamedTuple

from msgspec import UNSET

from service.encounters.creation import ruleset_of
from service.encounters.requests import CheckMapRequest, convert
from service.engine.battle.state import RuleState
from service.engine.map_check import MapReport
from service.engine.ruleset import Ruleset, Rulesets, options_of


class CheckedMap(NamedTuple):
    """A report, and the ruleset by which the map was read."""

    ruleset: Ruleset[RuleState]
    report: MapReport


def check_map(tree: object, rulesets: Rulesets) -> CheckedMap:
    """The report on a map of a request body.

    Raises Malformed for what is no map of the ruleset at all; Refused("unknown_ruleset") or
    ("unknown_version").
    """
    request = convert(tree, CheckMapRequest)
    ruleset = ruleset_of(request.ruleset, request.version, rulesets)
    kind = options_of(ruleset)
    stated = {} if request.options is UNSET else request.options
    options = convert(stated, kind, "$.options")
    report = ruleset.check_map(convert(request.map, ruleset.map, "$.map"), options)
    for finding in (*report.problems, *report.warnings):
        finding.error.ruleset = (ruleset.slug, ruleset.version)
    return CheckedMap(ruleset, report)
