"""What this process may not write yet: versions, actions, changes and options of later releases.

How this works. Until the operator finishes an upgrade, the release before may serve any battle at
any moment. So creations get the newest version that it knows, and what it does not know is refused.
A battle whose creation named a later version is no battle of that release: nothing is held back in
it. The answer is in memory; it is made again when the lowest release changes.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import UNSET, Struct

from service.engine.battle.state import RuleState, TableOptions
from service.engine.ruleset.definition import Ruleset, Rulesets, refusing
from service.engine.ruleset.legal_nodes import LegalNode
from service.engine.vocabulary.actions import Action, Adjust, Configure
from service.errors import UpgradeUnfinished
from service.releases import Releases, beyond


class HeldBack(Struct, frozen=True, kw_only=True):
    """What the releases up to `release` brought beyond the lowest one.

    Words are as in the table of releases: `roll`, or `slug/ready` for one rulebook.
    """

    release: str = ""
    versions: frozenset[tuple[str, str]] = frozenset()
    actions: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()

    @property
    def is_anything(self) -> bool:
        """Whether anything is held back."""
        return self.release != ""

    def require_known(self, ruleset: Ruleset[RuleState], actions: Iterable[Action]) -> None:
        """Raises UpgradeUnfinished if an action, a change or an option in them is held back."""
        if not self._concerns(ruleset):
            return
        tags: list[str] = []
        changes: list[str] = []
        options: list[str] = []
        for action in actions:
            tags += _among(self.actions, ruleset.slug, [_tag(action)])
            if isinstance(action, Adjust):
                stated = [_tag(change) for change in getattr(action, "changes", ())]
                changes += _among(self.changes, ruleset.slug, stated)
            elif isinstance(action, Configure):
                options += self._options(ruleset.slug, getattr(action, "options", UNSET))
        self._refuse(ruleset, actions=tags, changes=changes, options=options)

    def known_nodes(
        self, ruleset: Ruleset[RuleState], nodes: tuple[LegalNode, ...]
    ) -> tuple[LegalNode, ...]:
        """The legal actions that are not held back."""
        if not self._concerns(ruleset):
            return nodes
        types = [node.type for node in nodes]
        held = _among(self.actions, ruleset.slug, types)
        return tuple(node for node in nodes if node.type not in held)

    def require_options_known(self, ruleset: Ruleset[RuleState], options: TableOptions) -> None:
        """Raises UpgradeUnfinished if an option of a new battle is held back."""
        if self._concerns(ruleset):
            self._refuse(ruleset, options=self._options(ruleset.slug, options))

    def _concerns(self, ruleset: Ruleset[RuleState]) -> bool:
        """Whether anything is held back in battles of this version."""
        return self.is_anything and (ruleset.slug, ruleset.version) not in self.versions

    def _options(self, slug: str, options: TableOptions | object) -> list[str]:
        if not isinstance(options, TableOptions):
            return []
        stated = [name for name in options.__struct_fields__ if getattr(options, name) is not UNSET]
        return _among(self.options, slug, stated)

    def _refuse(self, ruleset: Ruleset[RuleState], **held: list[str]) -> None:
        named = {kind: list(dict.fromkeys(words)) for kind, words in held.items() if words}
        if named:
            with refusing(ruleset):
                raise UpgradeUnfinished(release=self.release, **named)


NOTHING_HELD: Final = HeldBack()

HeldNow = Callable[[], HeldBack]
"""What is held back at this moment."""


def nothing_held() -> HeldBack:
    """Where no upgrade is under way."""
    return NOTHING_HELD


def held_beyond(lowest: str, releases: Releases) -> HeldBack:
    """What is held back while `lowest` is the lowest release."""
    later = beyond(lowest, releases)
    if not later:
        return NOTHING_HELD
    return HeldBack(
        release=later[-1].number,
        versions=frozenset(name for each in later for name in each.versions.items()),
        actions=frozenset(word for each in later for word in each.actions),
        changes=frozenset(word for each in later for word in each.changes),
        options=frozenset(word for each in later for word in each.options),
    )


def default_version(slug: str, rulesets: Rulesets, held: HeldBack) -> str | None:
    """The version of new encounters that name none: the newest that is neither ahead nor held back.

    None where there is no such version.
    """
    known = [
        version
        for name, version in rulesets
        if name == slug and (name, version) not in held.versions
    ]
    released = [version for version in known if not rulesets[slug, version].is_ahead]
    return released[-1] if released else None


def _among(held: frozenset[str], slug: str, words: Sequence[str]) -> list[str]:
    """Those of the words that are held back for this rulebook."""
    return [word for word in words if word in held or f"{slug}/{word}" in held]


def _tag(value: Struct) -> str:
    return str(value.__struct_config__.tag)
