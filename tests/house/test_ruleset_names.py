"""A new rulebook edits its own folders and the few files that list all of them, and no other.

In the service a rulebook is named only in the files listed here; in the tests, a file that names
all of them would have to name the next one, too, unless its reason is here.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from service.rulesets import RULESETS
from tests.house.tree import ROOT, tracked_files

SLUGS: Final = tuple(sorted({slug for slug, _ in RULESETS}))

GROWS: Final = {
    "service/rulesets/__init__.py": "the table of rulesets",
    "service/releases.py": "the release it comes with",
    "service/cli/demo.py": "the table of demonstrations",
    "service/demo/": "a demonstration of each",
    "service/api/docs/scene_effects.py": "what its effects change of a scene",
    "service/engine/VOCABULARY.md": "the words that each adds",
    "tests/bench/": "rows of figures",
    "tests/web/battles.py": "the demonstrations as battles that pages play",
}
"""What a new rulebook adds to, besides its folders, its bundles and what is generated."""

NAMES_ONE: Final = {
    "service/rulesets/README.md": "the commit that brought one, as an example",
    "service/api/openapi/rulesets.py": "how a slug becomes the name of a type",
    "service/api/docs/guides/": "requests to try",
    "service/api/docs/scenes.html": "pictures of some battles",
    "service/api/docs/scenes.ru.html": "pictures of some battles",
    "service/api/docs/specification.html": "which battles the vectors are of",
    "service/api/docs/specification.ru.html": "which battles the vectors are of",
    "service/api/docs/vectors/": "a battle and forgeries of it",
    "tests/api/published-1.0.0.txt": "names that were published once",
    "tests/api/test_bad_input.py": "one ruleset's action for a battle of the other",
    "tests/api/test_encounter_list.py": "lists of battles by ruleset",
    "tests/api/test_openapi.py": "how the types of one are named and told apart",
    "tests/api/test_problem_paths.py": "places in a request, by what only one of them has",
    "tests/api/test_scene.py": "a whole scene of each of two",
    "tests/api/test_problem_words.py": "words of messages that only one of them has",
    "tests/clients/battle.py": "battles of two, with the types of a generated client",
    "tests/clients/battle.ts": "battles of two, with the types of a generated client",
    "tests/clients/misuse.ts": "actions of one under the name of the other",
    "tests/encounters/test_mixed_case_ids.py": "ids that clash in one of them",
    "tests/encounters/test_simulations.py": "what policies do in battles of some of them",
    "tests/engine/test_client_ids.py": "types of ids that only one of them has",
    "tests/forgeries/forked_battles.py": "forks that verifiers are tried on",
    "tests/house/released_words.json": "what the last release knows",
    "tests/live/test_database_outage.py": "different battles for different outages",
    "tests/live/test_outages.py": "different battles for different outages",
    "tests/replay/test_roll_check.py": "rolls that only one of them has",
}
"""Examples: a new rulebook changes none of these."""


def forms(slug: str) -> re.Pattern[str]:
    """A slug as it is, as a folder and as the beginning of a type's name."""
    camel = "".join(word.capitalize() for word in slug.split("-"))
    return re.compile("|".join((slug, slug.replace("-", "_"), camel)))


def naming(path: Path) -> frozenset[str]:
    """The rulesets that a file names."""
    text = path.read_bytes().decode(errors="ignore")
    return frozenset(slug for slug in SLUGS if forms(slug).search(text))


@cache
def others() -> dict[str, frozenset[str]]:
    """The rulesets that are named outside the folders of rulesets and bundles, by file."""
    homes = {slug.replace("-", "_") for slug in SLUGS} | {"bundles"}
    return {
        str(path.relative_to(ROOT)): naming(path)
        for path in tracked_files()
        if path.relative_to(ROOT).parts[0] in ("service", "tests")
        and homes.isdisjoint(path.relative_to(ROOT).parts)
    }


def is_listed(path: str) -> bool:
    return any(path.startswith(each) for each in (*GROWS, *NAMES_ONE))


def test_nobody_in_the_service_names_a_ruleset_but_those_listed() -> None:
    strays = [path for path, slugs in others().items() if slugs and path.startswith("service/")]
    assert [path for path in strays if not is_listed(path)] == []


def test_no_test_names_all_rulesets_but_those_listed() -> None:
    everyone = [path for path, slugs in others().items() if len(slugs) == len(SLUGS)]
    assert [path for path in everyone if not is_listed(path)] == []


@pytest.mark.parametrize("listed", [*GROWS, *NAMES_ONE])
def test_what_is_listed_is_there_and_names_one(listed: str) -> None:
    assert any(slugs and path.startswith(listed) for path, slugs in others().items())


@pytest.mark.parametrize("listed", GROWS)
def test_the_readme_says_what_a_new_rulebook_adds_to(listed: str) -> None:
    assert f"`{listed}`" in (ROOT / "service/rulesets/README.md").read_text()
