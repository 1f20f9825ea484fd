"""The rulebooks; pure and independent of one another. Here they are all listed, version by version.

The versions of a slug stand in the order of their release. Battles that ask for none get the newest
one that is not ahead.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from service.engine.ruleset.definition import Ruleset

_HOMES: Final = MappingProxyType(
    {
        ("crossfire-d6", "1"): "crossfire_d6",
        ("crossfire-d6", "2"): "crossfire_d6.v2",
        ("melody-d6", "1"): "melody_d6",
        ("melody-d6", "2"): "melody_d6.v2",
        ("melody-d6", "3"): "melody_d6.v3",
        ("seeker-d100", "1"): "seeker_d100",
        ("seeker-d100", "2"): "seeker_d100.v2",
        ("seeker-d100", "3"): "seeker_d100.v3",
        ("squad-d100", "1"): "squad_d100",
        ("squad-d100", "2"): "squad_d100.v2",
        ("squad-d100", "3"): "squad_d100.v3",
        ("tactical-d20", "1"): "tactical_d20",
        ("tactical-d20", "2"): "tactical_d20.v2",
        ("tactical-d20", "3"): "tactical_d20.v3",
    }
)


class _Rulebooks(Mapping[tuple[str, str], Ruleset[Any]]):
    """Each is imported when it is first asked for: an audit of a file needs one of them."""

    def __getitem__(self, name: tuple[str, str]) -> Ruleset[Any]:
        ruleset: Ruleset[Any] = import_module(f"{__name__}.{_HOMES[name]}").RULESET
        return ruleset

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(_HOMES)

    def __len__(self) -> int:
        return len(_HOMES)


RULESETS: Final[Mapping[tuple[str, str], Ruleset[Any]]] = _Rulebooks()
"""Every ruleset of this build by slug and version, each slug's versions in order of release."""


def latest(slug: str) -> Ruleset[Any] | None:
    """The newest version of a ruleset that is not ahead, None if there is no such ruleset."""
    versions = [each for (name, _), each in RULESETS.items() if name == slug and not each.is_ahead]
    return versions[-1] if versions else None
