"""The golden battles as each viewer sees them, and the words that people are shown of them in."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from service.engine.log.event import view_of_event
from service.engine.narration import words
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import shared_terms
from service.rulesets import RULESETS

BUNDLES = Path(__file__).parent.parent / "replay" / "bundles"
SLUGS = sorted({slug for slug, _ in RULESETS})


@cache
def views(bundle: str, viewer: Viewer) -> tuple[dict[str, Any], ...]:
    """The events of a golden bundle as a viewer sees them."""
    lines = [json.loads(line) for line in (BUNDLES / bundle).read_text().splitlines()]
    events = [line for line in lines if "event" in line]
    sides = tuple(side["id"] for side in events[0]["event"]["effects"][0]["sides"])
    return tuple(
        json.loads(
            view_of_event(
                msgspec.json.encode(line["event"]),
                {
                    (part["kind"], part["audience"]): msgspec.json.encode(part["body"])
                    for part in line["parts"]
                    if part.get("body") is not None
                },
                sides,
                viewer,
            )
        )
        for line in events
    )


def known_words(ruleset: Ruleset[Any]) -> set[str]:
    """Every word of a ruleset that has a name in both languages."""
    terms = (*shared_terms.TERMS, *words.TERMS, *ruleset.catalogue.terms)
    known = {term.id for term in terms}
    return known | {one.removeprefix("position_") for one in known}
