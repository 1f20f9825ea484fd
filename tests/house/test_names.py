"""One type name, one meaning: outside the rulebooks no two public types share a name."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import ROOT

RULEBOOKS = ROOT / "service" / "rulesets"


def public_types(path: Path) -> Iterator[str]:
    """Names of the classes and type aliases that a module defines for others."""
    for node in ast.parse(path.read_text()).body:
        match node:
            case ast.ClassDef(name=name):
                names = [name]
            case ast.Assign(targets=targets):
                names = [each.id for each in targets if isinstance(each, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                names = []
        yield from (each for each in names if is_type_name(each))


def is_type_name(name: str) -> bool:
    """Whether a name is written as those of types are: `CamelCase`, public."""
    return name[:1].isupper() and (len(name) > 1) and not name.isupper() and "_" not in name


def test_public_type_names_are_unique_outside_the_rulebooks() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "service").rglob("*.py")):
        if not path.is_relative_to(RULEBOOKS):
            for name in public_types(path):
                homes[name].append(str(path.relative_to(ROOT)))
    shared = {name: paths for name, paths in homes.items() if len(paths) > 1}
    assert shared == {}
