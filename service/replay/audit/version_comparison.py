"""Decides a log again under another version of its ruleset, and counts what comes out otherwise.

How this works. Every event is decided on the state that the stored log led to, as the other version
folds it, so that one difference does not make all that follows differ. Requests, times and seats
are taken as they are; dice are those of the seed as far as it is known, else the recorded ones. The
log itself is not judged: hashes, commitments and the end are what an audit looks at. An event that
the other version cannot read, or whose stored outcome it cannot apply, is a difference, and
nothing is said of the events behind it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from service.engine.battle.decide import base_of
from service.engine.battle.state import State
from service.engine.dice.dice import Draw
from service.engine.log import canonical
from service.engine.log.event import Event
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.effects import Effect, EncounterCreated, OptionsSet
from service.engine.vocabulary.values import DiceMode
from service.errors import Refused
from service.replay.audit.audit_dice import dice_for
from service.replay.audit.redecide import (
    Comparison,
    Unreadable,
    compare,
    confirm,
    decode_event,
    decode_request,
)
from service.replay.audit.state_history import StateHistory
from service.replay.log.log_header import LogHeader, says_of_log
from service.replay.log.sealed_event import Evidence, is_complete
from service.replay.report.comparison import (
    DrawChange,
    EventChange,
    ThrownDie,
)
from service.replay.report.differences import UNREADABLE, Difference

ORDER = "order"
"""Stands for effects that are the same in another order."""


Obstacle = Literal["parts_withheld", "log_damaged", "blob_missing"]


@dataclass(frozen=True, slots=True)
class ComparedLog:
    """Whose log is decided again, and what is known of it: the seed if at all, the blobs by digest,
    the seqs that events go back to (None if unknown), the ruleset that made it if it is known.
    """

    encounter: str
    seed: bytes | None
    blobs: Mapping[str, bytes]
    bases: Collection[int] | None = None
    own: Ruleset[Any] | None = None


class VersionComparer:
    """Takes a log event by event; `ruleset` is the other version.

    `obstacle` says why nothing can be decided from some event on, though not for want of the other
    version: a part that rules read is withheld, or the log is damaged.
    """

    def __init__(self, ruleset: Ruleset[Any], log: ComparedLog) -> None:
        self.decided = 0
        self.differing = 0
        self.undecided = 0
        self.obstacle: Obstacle | None = None
        self.first: EventChange | None = None
        self.first_draw: DrawChange | None = None
        self.draws = 0
        self.effects: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self._ruleset = ruleset
        self._log = log
        self._header = LogHeader()
        self._history = StateHistory(ruleset, log.blobs, log.bases)
        self._seq = 0
        self._prev = ""
        self._is_lost = False
        self._is_text_whole = True
        self._seed: bytes | None = None
        self._dice_key: bytes | None = None

    def compare(self, evidence: Evidence) -> None:
        """Decide the next event again."""
        self._seq += 1
        self._is_text_whole &= not evidence.erased
        if self._is_lost or self.obstacle is not None:
            self.undecided += 1
        elif not self._is_confirmed(evidence):
            self._examine(evidence)
        self._prev = evidence.hash

    def _is_confirmed(self, evidence: Evidence) -> bool:
        """Whether the other version gives the event byte for byte."""
        if self._history.is_empty or not self._is_text_whole:
            return False
        try:
            request = decode_request(self._ruleset, evidence, self._header.sides)
            before = self._history.before(base_of(request.action, self._seq))
        except (Unreadable, Refused, KeyError):
            return False
        dice = dice_for(self._mode, self._dice_key, self._seed, self._seq, request.draws)
        confirmed = confirm(self._ruleset, before, request, dice, evidence, self._prev)
        if confirmed is None:
            return False
        event, after = confirmed
        if says_of_log(event) or self._history.missing_blobs(after):
            return False
        self.decided += 1
        self._history.keep(after, self._seq)
        return True

    @property
    def _mode(self) -> DiceMode:
        opening = self._header.opening
        return "sealed" if opening is None else opening.mode

    def _examine(self, evidence: Evidence) -> None:
        """Decide any event again, and tell apart what is another."""
        key = self._dice_key
        self._collect(evidence.body)
        self.obstacle = self._obstacle(evidence)
        if self.obstacle is not None:
            self.undecided += 1
            return
        self.decided += 1
        try:
            stored = decode_event(self._ruleset, evidence, self._header.sides)
            before = None if self._seq == 1 else self._history.before(stored.base)
        except (Unreadable, KeyError):
            self._is_lost = True
            self._note(EventChange(seq=self._seq, kind="unreadable"))
            return
        dice = dice_for(self._mode, key, self._seed, self._seq, stored.draws)
        comparison = compare(
            self._ruleset,
            before,
            stored,
            dice,
            evidence,
            self._history.terms,
            text_is_whole=self._is_text_whole,
        )
        self._compared(stored, comparison)
        self._continue(stored, comparison.after)

    def _obstacle(self, evidence: Evidence) -> Obstacle | None:
        """Why the event can be decided under no version."""
        if not is_complete(evidence, self._header.sides):
            return "parts_withheld"
        own = self._log.own or self._ruleset
        try:
            stored = decode_event(own, evidence, self._header.sides)
        except Unreadable:
            return "log_damaged" if self._log.own is not None else None
        if stored.seq != self._seq or not 0 <= stored.base < stored.seq:
            return "log_damaged"
        named = {digest for effect in stored.effects for digest in _blobs_named(effect)}
        return None if named <= self._log.blobs.keys() else "blob_missing"

    def _collect(self, body: bytes) -> None:
        """What an event says of the log as a whole, for the dice of those behind it."""
        try:
            tree = msgspec.json.decode(body)
        except UNREADABLE:
            return
        if not isinstance(tree, dict):
            return
        self._header.collect(tree, self._seq)
        self._seed = self._header.committed_seed(self._log.seed)
        if self._seed is not None:
            self._dice_key = self._header.dice_key(self._seed, self._log.encounter)

    def _continue(self, stored: Event, after: State[Any] | None) -> None:
        """Go on from the stored outcome, if the other version can apply it."""
        if after is not None and not self._history.missing_blobs(after):
            self._history.keep(after, self._seq)
            return
        self._is_lost = True
        if self.first is None or self.first.seq != self._seq:
            self._note(
                EventChange(seq=self._seq, action=_type_of(stored.action), kind="unreadable")
            )

    def _compared(self, stored: Event, comparison: Comparison) -> None:
        action = _type_of(stored.action)
        refusal, recomputed = comparison.refusal, comparison.recomputed
        if refusal is not None:
            self.refusals[refusal.code] += 1
            rule = UNSET if refusal.rule is None else refusal.rule
            self.rules.update([refusal.rule] if refusal.rule else [])
            self._note(
                EventChange(
                    seq=self._seq,
                    action=action,
                    kind="refused",
                    code=refusal.code,
                    rule=rule,
                    params=refusal.params,
                )
            )
        elif comparison.differs is not None:
            where = comparison.differs
            self._note_draws(stored, recomputed, where)
            if recomputed is not None:
                self._note_effects(stored, recomputed)
            self._note(
                EventChange(
                    seq=self._seq,
                    action=action,
                    kind="differs",
                    path=where.path,
                    stored=where.stored,
                    recomputed=where.recomputed,
                )
            )

    def _note(self, change: EventChange) -> None:
        self.differing += 1
        self.first = self.first or change

    def _note_effects(self, stored: Event, recomputed: Event) -> None:
        ours, theirs = _in_json(stored.effects), _in_json(recomputed.effects)
        changed = list(_apart(ours, theirs))
        types = {str(effect.get("type")) for effect in changed}
        if not types and ours != theirs:
            types = {ORDER}
        self.effects.update(types)
        lines = (list(_rule_lines(effects)) for effects in (ours, theirs))
        self.rules.update({str(line["rule"]) for line in _apart(*lines)})

    def _note_draws(self, stored: Event, recomputed: Event | None, where: Difference) -> None:
        change = draw_change(self._seq, stored.draws, recomputed, where)
        if change is None:
            return
        self.draws += 1
        self.first_draw = self.first_draw or change


def draw_change(
    seq: int, stored: tuple[Draw, ...], recomputed: Event | None, where: Difference
) -> DrawChange | None:
    """The first draw that is another; None if all are the same.

    Where the rules want a die that nobody has thrown, `where` says which.
    """
    if recomputed is None:
        return _wanted_draw(seq, len(stored), where)
    ours, theirs = stored, recomputed.draws
    for place in range(max(len(ours), len(theirs))):
        one = ours[place] if place < len(ours) else None
        other = theirs[place] if place < len(theirs) else None
        if one != other:
            return DrawChange(
                seq=seq, place=place + 1, stored=_thrown(one), recomputed=_thrown(other)
            )
    return None


def _wanted_draw(seq: int, count: int, where: Difference) -> DrawChange | None:
    if where.recomputed is UNSET:
        return None
    wanted = msgspec.json.decode(where.recomputed)
    die = ThrownDie(purpose=str(wanted["purpose"]), sides=int(wanted["sides"]))
    return DrawChange(seq=seq, place=count + 1, recomputed=die)


def _thrown(draw: Draw | None) -> ThrownDie | UnsetType:
    if draw is None:
        return UNSET
    return ThrownDie(purpose=draw.purpose, sides=draw.sides, face=draw.face)


def _type_of(action: Action) -> str:
    return str(type(action).__struct_config__.tag)


def _blobs_named(effect: Effect) -> Iterator[str]:
    """The digests of a map and of content that an effect brings into the battle."""
    if isinstance(effect, EncounterCreated | OptionsSet):
        yield from (each for each in (effect.map, effect.content) if each is not UNSET)


def _in_json(effects: tuple[Effect, ...]) -> list[dict[str, Any]]:
    decoded: list[dict[str, Any]] = msgspec.json.decode(canonical.encode(effects))
    return decoded


def _apart(
    ours: Iterable[dict[str, Any]], theirs: Iterable[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The objects that stand in one of the lists more often than in the other."""
    counted = (Counter(map(canonical.encode, each)) for each in (ours, theirs))
    one, other = counted
    for encoded in (one - other) + (other - one):
        yield msgspec.json.decode(encoded)


def _rule_lines(effects: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What stands within effects beside the name of a rule, once for each rule that is named."""
    waiting: list[object] = [*effects]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            beside = {name: part for name, part in value.items() if _is_plain(part)}
            for rule in _rules_of(value):
                yield {**beside, "rule": rule}
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def _rules_of(value: dict[str, Any]) -> Iterator[str]:
    """The rules that an object names itself, not those of objects within it."""
    yield from (rule for rule in (value.get("rule"),) if isinstance(rule, str))
    yield from (rule for rule in value.get("rules") or () if isinstance(rule, str))


def _is_plain(part: object) -> bool:
    """Whether a value is a scalar, or an object of scalars such as the facts of a line."""
    values = part.values() if isinstance(part, dict) else (part,)
    return not any(isinstance(value, dict | list) for value in values)
