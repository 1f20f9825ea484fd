"""What released versions of the rulebooks understand: action types, changes of `adjust`, options.

    python -m tests.house.released_words

writes the list of this build. It is called when a release is made, and never between two of them:
the list shows which words the release before the next one does not know.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

from service import __version__
from service.engine.ruleset.definition import Ruleset, options_of
from service.engine.vocabulary.actions import Adjust
from service.rulesets import RULESETS

LIST: Final = Path(__file__).with_name("released_words.json")
KINDS: Final = ("actions", "changes", "options")

Words = Mapping[str, frozenset[str]]
"""The words of one version of a rulebook, by kind."""


def words_of(ruleset: Ruleset[Any]) -> Words:
    """What a version of a rulebook understands."""
    kinds = get_args(ruleset.action)
    [adjust] = [kind for kind in kinds if issubclass(kind, Adjust)]
    [changes, *_] = get_args(get_type_hints(adjust)["changes"])
    return {
        "actions": _tags(kinds),
        "changes": _tags(get_args(changes)),
        "options": frozenset(options_of(ruleset).__struct_fields__),
    }


def _tags(kinds: tuple[Any, ...]) -> frozenset[str]:
    return frozenset(str(kind.__struct_config__.tag) for kind in kinds)


def released() -> tuple[str, dict[tuple[str, str], Words]]:
    """The last release, and the words of each version of a rulebook in it."""
    listed = json.loads(LIST.read_text(encoding="utf-8"))
    versions: dict[tuple[str, str], Words] = {
        (slug, version): {kind: frozenset(words[kind].split()) for kind in KINDS}
        for slug, by_version in listed["rulesets"].items()
        for version, words in by_version.items()
    }
    return listed["release"], versions


def main() -> None:
    """Write the list of this build."""
    rulesets: dict[str, dict[str, dict[str, str]]] = {}
    for (slug, version), ruleset in RULESETS.items():
        words = {kind: " ".join(sorted(each)) for kind, each in words_of(ruleset).items()}
        rulesets.setdefault(slug, {})[version] = words
    listed = {"release": __version__, "rulesets": rulesets}
    LIST.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
