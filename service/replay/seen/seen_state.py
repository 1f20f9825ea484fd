"""The state of a battle as one viewer saw it, event by event, from what that viewer was told.

How this works. The reducer of the ruleset runs over the effects that the viewer was told, on a
state that holds nothing else; gaps stand for the rest (`gaps.py`), and one combatant for all who
are not known. The state is then redacted for the viewer like any other: what its marks hide is gone
from it with its gaps, and a gap that is left is unknown, named by its path. Events continue the
state of their `base`. An event of which it is not known in which order two sides saw it is applied
either way, and what comes of both is known. Where an effect cannot be followed nothing is told from
there on.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, get_type_hints

from msgspec.structs import replace

from service.engine.battle import fold
from service.engine.battle.linear import Linear
from service.engine.battle.linear_steps import evolve_linear
from service.engine.battle.roster import combatant_of
from service.engine.battle.state import Combatant, RuleState, UnitMember, scope_of
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.audience import GM_WORD
from service.engine.visibility.audience_plan import plan_of
from service.engine.visibility.scope import Scope, Viewer
from service.engine.vocabulary import effects as fx
from service.replay.seen.gaps import (
    NOBODY,
    UNKNOWN,
    UNSEEN,
    Gap,
    HiddenId,
    Unfollowable,
    blank,
    kinds_in,
    merged,
    outcomes,
)
from service.replay.seen.order import NO_PATHS, Paths, agreed, still_open
from service.replay.seen.scope_change import is_shade, let_go, resealed, widened
from service.replay.seen.seen_effects import EffectReader, effect_kinds, read_effect

_UNREADABLE: Final = (LookupError, TypeError, ValueError, ArithmeticError, RecursionError)
"""What forged events raise where they are read or applied."""


class SeenRule(NamedTuple):
    """The rule half behind an event, for `viewer` then.

    `unordered`: arrays whose order is not known, that of the combatants once somebody came to
    light. `may_lack`: there may be combatants of whom the viewer may know and was never told.
    `has_doubt`: there may be questions of which the viewer was not told, or not told that they are
    closed. `may_ask`: one that is open may be the viewer's to know by now.
    """

    rule: RuleState
    viewer: Viewer
    unordered: Paths = NO_PATHS
    may_lack: bool = False
    has_doubt: bool = False
    may_ask: bool = False


class SeenState:
    """The states of one viewer; `since` is the seq from which on they are not known.

    `unordered` are the arrays of the linear half whose order is not known.
    """

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self.since: int | None = None
        self.linear = Linear()
        self.unordered: Paths = NO_PATHS
        self._ruleset = ruleset
        self._rules: dict[int, SeenRule] = {}
        self._last: int = 0

    def at(self, seq: int) -> SeenRule | None:
        """The rule half behind the last event, if that is `seq` and the state is known."""
        return self._rules.get(seq) if self.since is None and seq == self._last else None

    def forked(self) -> "SeenState":
        """The same up to now, for somebody who sees what is to come otherwise."""
        fork = SeenState(self._ruleset)
        fork.since, fork.linear, fork.unordered = self.since, self.linear, self.unordered
        fork.keep(self._rules, self._last)
        return fork

    def keep(self, rules: Mapping[int, SeenRule], last: int) -> None:
        """The rule halves behind the events up to now."""
        self._rules, self._last = dict(rules), last

    def before(self, base: int) -> SeenRule | None:
        """The rule half that an event which continues `base` is decided on, if it is known."""
        return self._rules.get(base)

    def take(self, seq: int, ways: Sequence[Mapping[str, object]], viewer: Viewer) -> None:
        """Take in event `seq` as the viewer sees it, in whichever of these ways it happened."""
        if self.since is not None:
            return
        try:
            self._rules[seq] = self._after(seq, ways, viewer)
            self._last = seq
        except _UNREADABLE:
            self.lose(seq)

    def lose(self, seq: int) -> None:
        """From this event on nothing is known."""
        self.since = seq if self.since is None else self.since
        self._rules.clear()

    def _after(self, seq: int, ways: Sequence[Mapping[str, object]], viewer: Viewer) -> SeenRule:
        first, *others = [self._step(seq, event, viewer) for event in ways]
        after, linear = first.after(), first.linear
        for other in others:
            after = either(after, other.after())
            linear, unordered = agreed(linear, other.linear)
            self.unordered |= unordered
        self.linear = linear
        return after._replace(unordered=still_open(after.rule, after.unordered))

    def _step(self, seq: int, event: Mapping[str, object], viewer: Viewer) -> "_Step":
        """The event as it happened if it happened so."""
        effects = event.get("effects")
        if not isinstance(effects, list):
            raise Unfollowable
        step = _Step(self._ruleset, self.linear, seq, viewer)
        if seq == 1:
            step.begin(effects[0])
        else:
            base = int(str(event["base"]))
            step.go_on(self._rules[base], is_rewind=base != self._last)
            step.settle(event)
        for effect in effects:
            step.apply(effect)
        return step


def either(first: SeenRule, second: SeenRule) -> SeenRule:
    """What is known where one of two ways is the right one."""
    rule, unordered = agreed(first.rule, second.rule)
    return SeenRule(
        rule=rule,
        viewer=first.viewer,
        unordered=unordered | first.unordered | second.unordered,
        may_lack=first.may_lack or second.may_lack,
        has_doubt=first.has_doubt or second.has_doubt,
        may_ask=first.may_ask or second.may_ask,
    )


class _Step:
    """One event under way."""

    def __init__(self, ruleset: Ruleset[Any], linear: Linear, seq: int, viewer: Viewer) -> None:
        self.linear = linear
        self._ruleset = ruleset
        self._seq = seq
        self._viewer = viewer
        self._kinds = effect_kinds(ruleset)
        self._asks_unseen = bool(plan_of(self._kinds["decision_opened"]).bearer)
        self._has_units = issubclass(_kind_of_combatants(ruleset.state), UnitMember)
        self._rule: Any = None
        self._unordered = NO_PATHS
        self._may_lack = False
        self._has_doubt = False
        self._may_ask = False
        self._has_asked = False

    def begin(self, tree: Mapping[str, Any]) -> None:
        """The blank state that event 1 fills: of a fork, what it takes up."""
        options = tree["options"]
        scope = Scope(
            sides=tuple(side["id"] for side in tree["sides"]),
            numbers=options["enemy_numbers"],
            health=options["enemy_health"],
            breakdowns=options["breakdowns"],
        )
        created = EffectReader(scope, self._viewer).read(self._kinds["encounter_created"], tree)
        rule = fold.blank(self._ruleset, created)
        self._rule = replace(rule, combatants=(_shade_of(self._ruleset.state), *rule.combatants))

    def go_on(self, before: SeenRule, *, is_rewind: bool) -> None:
        """What the viewer knew of the state that is continued, and may know of it now.

        A rewind may bring somebody back to light whom the other half named unseen. Raises
        Unfollowable where the viewer lost the sight of somebody of whom he was never told, and
        where units may be his to know of which he was never told.
        """
        if is_rewind:
            self.linear = widened(self.linear)
        self._rule, _, self._unordered, self._may_lack, self._has_doubt, self._may_ask = before
        lost = set(before.viewer.sides) - set(self._viewer.sides)
        gained = set(self._viewer.sides) - set(before.viewer.sides)
        if (lost and self._may_lack) or (gained and self._has_units):
            raise Unfollowable
        if lost:
            self._let_go_of(lambda each: each.hidden is True and each.side in lost)
            self._rule = self._resealed()
        if gained:
            self._widen()
            self._unordered |= COMBATANTS
            self._may_lack = True

    def settle(self, event: Mapping[str, Any]) -> None:
        """A player's action is taken only where no question is open."""
        action = event.get("action")
        if not isinstance(action, dict):
            return
        if event.get("by", {}).get("role") == "player" and action.get("type") not in _MEANWHILE:
            self._rule = replace(self._rule, pending=())
            self._has_doubt = self._may_ask = False

    def apply(self, tree: Mapping[str, Any]) -> None:
        """One effect, as it was told."""
        kind = self._kinds[tree["type"]]
        self._name_all_in(tree)
        rule = self._rule
        reader = EffectReader(seen_scope(rule), self._viewer)
        effect = read_effect(kind, tree, reader, joins=self._has_asked)
        self._has_asked |= isinstance(effect, fx.DecisionOpened)
        self.linear = evolve_linear(self.linear, effect, self._seq)
        match effect:
            case fx.EncounterCreated():
                return
            case fx.Revealed():
                self._reveal(effect.combatant)
                return
            case _:
                pass
        ids = {each.id for each in rule.combatants} | {*seen_scope(rule).units}
        ways = outcomes(partial(self._ruleset.evolve, rule, effect), ids)
        after = ways[0]
        for other in ways[1:]:
            after = merged(after, other)
        self._rule = after
        if isinstance(effect, fx.DecisionOpened):
            self._has_doubt |= isinstance(effect.decision.id, Gap)
        if isinstance(effect, fx.Hidden):
            self._hide(effect.combatant)
        if isinstance(effect, fx.OptionsSet):
            self._rule = self._resealed()

    def after(self) -> SeenRule:
        """The rule half behind the event."""
        rule = self._rule
        pristine = tuple(
            _shade_like(each) if isinstance(each.id, HiddenId) else each for each in rule.combatants
        )
        return SeenRule(
            rule=replace(rule, combatants=pristine),
            viewer=self._viewer,
            unordered=self._unordered,
            may_lack=self._may_lack,
            has_doubt=self._has_doubt or self._asks_unseen,
            may_ask=self._may_ask,
        )

    def _name_all_in(self, tree: Mapping[str, Any]) -> None:
        """Stand-ins for combatants that are named and were never told of."""
        if not self._may_lack:
            return
        known = {str(each.id) for each in self._rule.combatants}
        new = [name for name in _named_in(tree) if name not in known]
        shade = self._rule.combatants[0]
        shades = tuple(_shade_named(type(shade), name) for name in dict.fromkeys(new))
        self._rule = replace(self._rule, combatants=(*self._rule.combatants, *shades))

    def _reveal(self, sheet: Combatant) -> None:
        present = combatant_of(self._rule, sheet.id)
        is_known = present is not None and not is_shade(present)
        if not self._knows(present):
            self._widen()
        others = tuple(
            (sheet if each.id == sheet.id else each)
            for each in self._rule.combatants
            if is_known or each.id != sheet.id
        )
        if not is_known:
            others = (*others, sheet)
            self._unordered |= COMBATANTS
        self._rule = replace(self._rule, combatants=others)

    def _knows(self, combatant: Combatant | None) -> bool:
        """Whether the viewer was told of a combatant, and knew of it up to now."""
        if combatant is None or is_shade(combatant):
            return False
        return not combatant.hidden or combatant.side in self._viewer.sides

    def _hide(self, name: str) -> None:
        self._let_go_of(lambda each: each.id == name and each.side not in self._viewer.sides)

    def _let_go_of(self, is_gone: Any) -> None:
        self._rule = replace(
            self._rule,
            combatants=tuple(let_go(c) if is_gone(c) else c for c in self._rule.combatants),
        )

    def _resealed(self) -> RuleState:
        rule: RuleState = self._rule
        return resealed(rule, seen_scope(rule), self._viewer, GM_WORD)

    def _widen(self) -> None:
        self._rule = widened(self._rule)
        self._may_ask = True
        self.linear = widened(self.linear)


NOBODY_ID: Final = HiddenId(NOBODY)

COMBATANTS: Final = frozenset({"combatants"})

_MEANWHILE: Final = frozenset(
    {
        "answer",
        "note",
        "rewind",
        "contribute",
        "assign_control",
        "add_seat",
        "change_seat",
        "remove_seat",
    }
)
"""What players and others may do while questions are open."""


def _shade_of(state: type[RuleState]) -> Combatant:
    """The one who stands for all who are not known."""
    return _shade_named(_kind_of_combatants(state), NOBODY_ID)


def _kind_of_combatants(state: type[RuleState]) -> type[Combatant]:
    kinds = kinds_in(get_type_hints(state, include_extras=True)["combatants"])
    return next(each for each in kinds if issubclass(each, Combatant))


def _shade_like(combatant: Combatant) -> Combatant:
    return _shade_named(type(combatant), combatant.id)


def _shade_named(kind: type[Combatant], name: str) -> Combatant:
    """Somebody of whom nothing is known but the id, or who stands for all who are not known."""
    more = {"unit": NOBODY} if hasattr(kind, "unit") else {}
    unseen: Combatant = blank(kind, UNSEEN)
    return replace(unseen, id=name, side=NOBODY, hidden=True, **more)


def _named_in(tree: object) -> list[str]:
    """Ids that an effect may name combatants by."""
    found: list[str] = []
    if isinstance(tree, dict):
        for name, value in tree.items():
            if isinstance(value, str) and name in NAMING:
                found.append(value)
            else:
                found += _named_in(value)
    elif isinstance(tree, list):
        for each in tree:
            found += [each] if isinstance(each, str) else _named_in(each)
    return found


NAMING: Final = frozenset({"combatant", "target", "attacker", "other", "by", "versus", "holder"})


def seen_scope(rule: RuleState) -> Scope:
    """Who may know what in such a state: an unknown id may be anybody's."""
    scope = scope_of(rule)
    if UNKNOWN in scope.subjects:
        return scope
    subjects: dict[Any, tuple[str, bool]] = {
        each.id: (each.side, each.hidden is True and not _is_named_shade(each))
        for each in rule.combatants
    }
    known = {UNKNOWN: ("", False), UNKNOWN.word: ("", False)}
    everywhere = {UNKNOWN: "everyone", UNKNOWN.word: "everyone"}
    scope = replace(
        scope,
        subjects={**subjects, **known},
        units={**scope.units, **everywhere},
        decisions={**scope.decisions, **everywhere},
    )
    rule.__dict__["scope"] = scope
    return scope


def _is_named_shade(combatant: Combatant) -> bool:
    return is_shade(combatant) and not isinstance(combatant.id, HiddenId)
