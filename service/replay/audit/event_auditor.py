"""The auditor: takes a log event by event and gives a verdict on each.

How this works. The same `Auditor` serves the service's own audit (every part and the seed at hand)
and bundles (what they contain). As long as all parts are at hand every event is decided again; from
the first event with a withheld part on, only the visible draws and effects are checked. Events
continue the state of their `base`, so the rule state of every seq is kept, or where the charge says
which ones the log goes back to, of those; frozen structs share what is the same. Most events fit
byte for byte, which is confirmed without decoding them into trees; only the others are examined.
After an event that differs the audit goes on from its stored outcome, unless its hash is broken
too: then the recomputed outcome is closer to the truth.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from service.engine import hashing
from service.engine.battle.decide import base_of
from service.engine.battle.state import State
from service.engine.battle.terms import Terms
from service.engine.dice.dice import Dice, Draw
from service.engine.dice.draw_names import names_all
from service.engine.log.event import Event
from service.engine.log.parts import PartName
from service.engine.ruleset.definition import Ruleset, Rulesets
from service.engine.ruleset.roll_places import roll_places
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.visibility.text_places import text_places
from service.engine.vocabulary.values import By, ForkOf
from service.errors import Refused
from service.replay.audit.asked_effects import asker_difference
from service.replay.audit.audit_counts import AuditCounts, asker_of
from service.replay.audit.audit_dice import (
    ListedDraws,
    dice_for,
    listed_draws,
    visible_draws,
)
from service.replay.audit.effect_check import EffectCheck
from service.replay.audit.event_verdicts import broken, differing, lost
from service.replay.audit.luck_tally import LuckTally
from service.replay.audit.part_check import part_difference_in
from service.replay.audit.redecide import (
    Comparison,
    Unreadable,
    compare,
    confirm,
    decode_event,
    decode_request,
    outcome,
)
from service.replay.audit.retold_check import RetoldCheck
from service.replay.audit.roll_check import retold_difference, roll_difference, view_difference
from service.replay.audit.sheet_check import SheetCheck
from service.replay.audit.state_history import StateHistory
from service.replay.audit.type_check import unknown_type
from service.replay.log.log_header import LogHeader, says_of_log
from service.replay.log.log_rules import LogRules
from service.replay.log.overrides import OVERRIDE
from service.replay.log.partial_fold import PartialFold
from service.replay.log.rewind_history import RewindHistory
from service.replay.log.sealed_event import (
    Chain,
    Evidence,
    SealCheck,
    SealFault,
    commitment_faults,
    form_faults,
    in_order,
    is_complete,
    is_whole,
    where_of,
)
from service.replay.report.differences import Difference, difference
from service.replay.report.statistics import seen_draws
from service.replay.report.verdicts import FAULTS, EventVerdict


@dataclass(frozen=True, slots=True)
class Charge:
    """What an audit is given besides the log: whose it should be, the seed, what may be counted.

    `seed` is known once revealed, or to the service itself. `viewer_of_seq` says whose draws the
    report may count. `parts_of_seq` says which parts a bundle must hold, given the sides. The
    hashes of the events of `witnessed` seqs are remembered: receipts are held against them.
    `bases` are the seqs that events go back to, None if that is not known. `is_brief`: neither the
    single verdicts nor whose events were undone are remembered, however long the log is. `reader`
    is whose luck is told, None for nobody's. `is_own`: the log is of the service's own database, so
    that no newer service made it.
    """

    encounter: str
    ruleset: str
    version: str
    seed: bytes | None = None
    viewer_of_seq: Callable[[int], Viewer] = lambda seq: GAME_MASTER
    parts_of_seq: Callable[[int, tuple[str, ...]], tuple[PartName, ...]] | None = None
    witnessed: frozenset[int] = frozenset()
    bases: Collection[int] | None = None
    is_brief: bool = False
    reader: By | None = None
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event with what was found without its rules; `ruled` is what no log has there."""

    evidence: Evidence
    seq: int
    faults: tuple[SealFault, ...]
    listed: ListedDraws
    ruled: Difference | None = None


class Auditor:
    """Judges one log.

    `seed` is the known one, if it is the one that was committed to. `counted` is what the report
    shows.
    """

    def __init__(self, rulesets: Rulesets, charge: Charge, blobs: Mapping[str, bytes]) -> None:
        self.charge = charge
        self.header = LogHeader()
        self.chain = Chain(charge.encounter)
        self.erased: set[int] = set()
        self.has_whole_evidence = True
        self.hashes: dict[int, str] = {}
        self._ruleset = rulesets.get((charge.ruleset, charge.version))
        luck = None
        if charge.reader is not None and self._ruleset is not None:
            luck = LuckTally(self._ruleset, charge.reader)
        has_seed = charge.seed is not None
        self.counted = AuditCounts(luck, is_brief=charge.is_brief, has_seed=has_seed)
        self._history = StateHistory(self._ruleset, blobs, charge.bases)
        self._places = None if self._ruleset is None else text_places(self._ruleset.event)
        self._rolls = None
        if self._ruleset is not None:
            self._rolls = roll_places(self._ruleset.event, self._ruleset.retelling)
        self._partial_fold = PartialFold(
            SheetCheck(EffectCheck(self._ruleset)), self._places, self._rolls
        )
        self._log_rules = LogRules(blobs)
        self.rewinds = RewindHistory()
        self._is_lost = False
        self.seed: bytes | None = None
        self._dice_key: bytes | None = None

    @property
    def state(self) -> State[Any] | None:
        """The state after the last event, None if it is unknown."""
        return None if self._is_lost else self._history.at(self.chain.seq)

    @property
    def dice_key(self) -> bytes | None:
        """The key of all dice, None as long as the seed is sealed."""
        return self._dice_key

    @property
    def taken_up(self) -> int:
        """How many dice were told of the log that a fork continues: no seed here gives them."""
        return len(self.counted.taken_up | self._partial_fold.taken_up)

    @property
    def unseen_waits(self) -> Mapping[int, int]:
        """How many dice were told again by what is not seen to have waited, by their event."""
        return self._partial_fold.unseen_waits

    @property
    def terms(self) -> Terms:
        """Maps and content at hand, as the rules read them."""
        return self._history.terms

    def judge(
        self, evidence: Evidence, require_form: Callable[[], None] = lambda: None
    ) -> EventVerdict:
        """The verdict on the next event of the log.

        `require_form` is called before an event is examined that is not byte for byte what the
        rules give; what it raises ends the audit.
        """
        verdict = self._confirm(evidence)
        if verdict is None:
            require_form()
            verdict = self._examine(evidence)
        self.counted.add_verdict(verdict)
        if self.chain.seq in self.charge.witnessed:
            self.hashes[self.chain.seq] = hashing.event_hash(evidence.body)
        return verdict

    def _confirm(self, evidence: Evidence) -> EventVerdict | None:
        """The verdict on an event that fits byte for byte, found without decoding it into a tree.

        None for any other event, and for events that concern the log as a whole.
        """
        sides, seq = self.header.sides, self.chain.seq + 1
        if self._ruleset is None or self._is_lost or self._history.is_empty:
            return None
        if not self.has_whole_evidence or not is_whole(evidence, sides):
            return None
        if self._entitlement_faults(evidence, seq, sides):
            return None
        try:
            stored = decode_request(self._ruleset, evidence, sides)
            base = base_of(stored.action, seq)
            before = self._before(base, seq)
        except (Unreadable, Refused, KeyError):
            return None
        if before is None or not self.chain.is_next(evidence, stored, base):
            return None
        dice = self._dice(seq, stored.draws, self._dice_key)
        confirmed = confirm(self._ruleset, before, stored, dice, evidence, self.chain.prev)
        if confirmed is None:
            return None
        event, after = confirmed
        if (
            says_of_log(event)
            or asker_difference(event.by) is not None
            or self._history.missing_blobs(after)
            or not names_all(event.effects, event.draws)
        ):
            return None
        self.chain.advance(evidence, stored.at)
        self.header.head = seq
        viewer = self.charge.viewer_of_seq(seq)
        if not self.charge.is_brief:
            self.rewinds.note_sound(event, evidence, sides, viewer)
        seen = seen_draws(event.draws, viewer, sides)
        # With a key the rules drew these faces from the seed.
        is_drawn_again = self._sealed_key(self._dice_key) is not None
        self.counted.add_dice(event.by.seat, seq, seen, len(seen) if is_drawn_again else 0)
        self._add_taken_up(event, evidence, viewer)
        self.counted.add_luck(event, before, evidence, viewer, sides)
        self._history.keep(after, seq)
        is_override = event.action.__struct_config__.tag == OVERRIDE
        if is_override:
            self.counted.add_override(evidence, seq, viewer, sides)
        return EventVerdict(seq=seq, verdict="override" if is_override else "match")

    def _examine(self, evidence: Evidence) -> EventVerdict:
        """The verdict on any event, with everything that is wrong with it."""
        examined = self.chain.examine(evidence)
        key = self._dice_key
        if examined.shown is not None:
            self.header.collect(examined.shown, examined.seq)
            self._know_ruleset()
            self._know_seed()
        sides = self.header.sides
        faults = in_order(
            *examined.faults,
            *form_faults(evidence),
            *commitment_faults(evidence, sides),
            *self._entitlement_faults(evidence, examined.seq, sides),
        )
        self.has_whole_evidence &= is_complete(evidence, sides)
        if evidence.erased:
            self.erased.add(examined.seq)
        viewer = self.charge.viewer_of_seq(examined.seq)
        self.counted.add_parts(evidence, viewer, sides)
        verdict = self._judge_examined(evidence, examined, faults, key)
        if self.charge.is_brief:
            return verdict
        self.counted.add_override(evidence, verdict.seq, viewer, sides)
        undoing = self.rewinds.note(evidence, verdict.seq, sides, viewer)
        return verdict if undoing is UNSET else replace(verdict, undoing=undoing)

    def _sealed_key(self, key: bytes | None) -> bytes | None:
        """The key if dice come from the seed, None where the table rolls."""
        opening = self.header.opening
        return key if opening is not None and opening.mode == "sealed" else None

    def _add_taken_up(self, event: Event, evidence: Evidence, viewer: Viewer) -> None:
        """Count the dice of the log before, as far as the reader may see them."""
        if self._is_fork:
            self.counted.add_taken_up(event, evidence, viewer, self.header.sides)

    @property
    def _is_fork(self) -> bool:
        opening = self.header.opening
        return opening is not None and opening.fork_of is not UNSET

    @property
    def _is_fork_of_itself(self) -> bool:
        opening = self.header.opening
        if opening is None or not isinstance(opening.fork_of, ForkOf):
            return False
        return opening.fork_of.encounter == self.charge.encounter

    @property
    def _is_of_bundle(self) -> bool:
        return self.charge.parts_of_seq is not None

    def _broken(
        self,
        seq: int,
        faults: tuple[SealFault, ...],
        content: Difference | None,
        ruled: Difference | None,
    ) -> EventVerdict:
        return broken(seq, faults, content, ruled=ruled, is_of_bundle=self._is_of_bundle)

    def _entitlement_faults(
        self, evidence: Evidence, seq: int, sides: tuple[str, ...]
    ) -> tuple[SealFault, ...]:
        """A bundle holds the parts its viewer may read, no fewer and no more."""
        if self.charge.parts_of_seq is None:
            return ()
        entitled = {*self.charge.parts_of_seq(seq, sides)}
        at_hand = evidence.opened.keys() | evidence.erased
        if at_hand == entitled:
            return ()
        expected, stored = sorted(map(where_of, entitled)), sorted(map(where_of, at_hand))
        return (SealFault("entitlement", difference("parts", stored, expected)),)

    def _know_ruleset(self) -> None:
        """No rules are those of a log that names others than it should be judged by."""
        opening = self.header.opening
        named = None if opening is None else (opening.ruleset, opening.version)
        is_due = named in (None, (self.charge.ruleset, self.charge.version))
        if is_due or self._ruleset is None:
            return
        self._ruleset = self._places = self._rolls = None
        self._partial_fold = PartialFold(SheetCheck(EffectCheck(None)))

    def _know_seed(self) -> None:
        """The seed, and the key of the next event's dice, from what the log said so far."""
        self.seed = self.header.committed_seed(self.charge.seed)
        if self.seed is not None:
            self._dice_key = self.header.dice_key(self.seed, self.charge.encounter)
        else:
            self._dice_key = None

    def _judge_examined(
        self,
        evidence: Evidence,
        examined: SealCheck,
        faults: tuple[SealFault, ...],
        key: bytes | None,
    ) -> EventVerdict:
        tree, seq, sides = examined.tree, examined.seq, self.header.sides
        shown = examined.shown or {}
        lists, viewer = visible_draws(shown, evidence), self.charge.viewer_of_seq(seq)
        listed = listed_draws(lists, self._sealed_key(key), seq, sides, viewer)
        self.counted.add_dice(asker_of(shown), seq, listed.seen, listed.drawn_again)
        if tree is None:
            self._is_lost = True
            return broken(seq, faults, None)
        if self._ruleset is None or not self.has_whole_evidence:
            return self._verdict_on_visible(evidence, tree, seq, faults, listed)
        if self._is_lost:
            return lost(seq, faults)
        ruled = None
        if seq == 1 and faults:
            # Without its sides nobody can say which parts there are.
            ruled = LogRules(self.terms.blobs).judge(tree, lists, seq)
        told = ToldEvent(evidence, seq, faults, listed, ruled)
        return self._redecide(self._ruleset, told, key)

    # --- what is visible ------------------------------------------------------------------------

    def _verdict_on_visible(
        self,
        evidence: Evidence,
        tree: dict[str, object],
        seq: int,
        faults: tuple[SealFault, ...],
        listed: ListedDraws,
    ) -> EventVerdict:
        """The verdict where parts are withheld: draws by their streams, effects by one another."""
        self._is_lost = True
        ruled = self._log_rules.judge(tree, listed.lists, seq)
        wrong = ruled or listed.wrong
        if listed.seen:
            self.counted.add_unknown_luck(asker_of(tree))
        unfitting = self._partial_fold.fold(tree, evidence, self.header.sides, seq)
        wrong = wrong or unfitting
        if faults:
            return self._broken(seq, faults, wrong, ruled)
        if wrong is not None:
            return differing(seq, wrong, is_sealed=not wrong.path.startswith("$"))
        unknown = None if self._places is None else unknown_type(tree, evidence, self._places)
        if unknown is not None and self.charge.is_own:
            return differing(seq, unknown, is_sealed=not unknown.path.startswith("$"))
        if unknown is not None or self._ruleset is None:
            return lost(seq, (), code="version_unknown")
        return EventVerdict(seq=seq, verdict="sealed")

    # --- the rules ------------------------------------------------------------------------------

    def _redecide(
        self,
        ruleset: Ruleset[Any],
        told: ToldEvent,
        key: bytes | None,
    ) -> EventVerdict:
        """The event decided again on the state it continues."""
        evidence, seq, faults = told.evidence, told.seq, told.faults
        try:
            stored = decode_event(ruleset, evidence, self.header.sides)
            before = self._before(stored.base, seq)
        except Unreadable as unreadable:
            return self._verdict_on_unreadable(ruleset, told, unreadable)
        except KeyError:
            self._is_lost = True
            return lost(seq, faults)
        viewer = self.charge.viewer_of_seq(seq)
        comparison = compare(
            ruleset,
            before,
            stored,
            self._dice(seq, stored.draws, key),
            evidence,
            self._history.terms,
            text_is_whole=not self.erased,
        )
        unlaid = None
        if comparison.differs or comparison.refusal:
            unlaid = self._unfit(told) or self._retold_difference(evidence, stored, before)
        elif self.erased:
            # Other parts are byte for byte those of the rules, and so they fit.
            unlaid = part_difference_in(evidence, self.header.sides, self._places)
        is_rewritten = unlaid is not None or any(fault.broken == "hash" for fault in faults)
        after = (is_rewritten and comparison.expected) or comparison.after
        gone = self._continue(after, seq)
        verdict = self._verdict_on(comparison, told, unlaid)
        if verdict.verdict not in FAULTS:
            # The rules read the seat and the role alone.
            unfitting = roll_difference(stored) or asker_difference(stored.by)
            if seq == 1 and self._is_fork_of_itself:
                unfitting = difference("$.effects[0]", UNSET, UNSET)
            if gone is not None:
                unfitting = difference(f"blobs.{gone}", UNSET, UNSET)
            if unfitting is not None:
                verdict = differing(seq, unfitting, is_sealed=False)
            else:
                self._add_taken_up(stored, evidence, viewer)
        holds = verdict.verdict not in FAULTS
        self.counted.add_luck(stored, before, evidence, viewer, self.header.sides, holds=holds)
        return verdict

    def _verdict_on_unreadable(
        self,
        ruleset: Ruleset[Any],
        told: ToldEvent,
        unreadable: Unreadable,
    ) -> EventVerdict:
        """The verdict on an event that is none of its ruleset; what the rules give follows it."""
        evidence, seq, faults = told.evidence, told.seq, told.faults
        unlaid = self._unfit(told)
        if faults:
            self._is_lost = True
            return self._broken(seq, faults, unlaid, told.ruled)
        if unlaid is None and unreadable.is_of_unknown_type and not self.charge.is_own:
            self._is_lost = True
            return lost(seq, faults, code="version_unknown")
        self._continue(self._outcome(ruleset, evidence, seq), seq)
        wrong = unlaid or unreadable.where
        return differing(seq, wrong, is_sealed=not wrong.path.startswith("$"))

    def _unfit(self, told: ToldEvent) -> Difference | None:
        """The first entry of a part that does not fit; in a bundle draws and rolls as well.

        So every verifier of a bundle names the same place, whether it knows the rules or not.
        """
        sides = self.header.sides
        if not self._is_of_bundle:
            return part_difference_in(told.evidence, sides, self._places)
        wrong = told.listed.wrong
        return wrong or view_difference(told.evidence, told.seq, sides, self._places)

    def _retold_difference(
        self, evidence: Evidence, stored: Event, before: State[Any] | None
    ) -> Difference | None:
        """The first roll of an event that the rules do not give which tells faces that are not its
        own: dice come before rules.
        """
        opening = self.header.opening
        if self._rolls is None or opening is None or before is None:
            return None
        is_supplied = opening.mode == "supplied"
        check = RetoldCheck(self._rolls, is_supplied=is_supplied, is_fork=self._is_fork)
        return retold_difference(stored, evidence, self.header.sides, check, before.rule)

    def _outcome(self, ruleset: Ruleset[Any], evidence: Evidence, seq: int) -> State[Any] | None:
        """The state that the rules lead to from what was asked for, None if that is unknown."""
        try:
            asked = decode_request(ruleset, evidence, self.header.sides)
            before = self._before(base_of(asked.action, seq), seq)
        except (Unreadable, Refused, KeyError):
            return None
        dice = self._dice(seq, asked.draws, self._dice_key)
        return outcome(ruleset, before, asked, dice, self._history.terms)

    def _dice(self, seq: int, stored: tuple[Draw, ...], key: bytes | None) -> Dice:
        """The dice to decide the event with: the seed's, or the recorded ones."""
        opening = self.header.opening
        mode = "sealed" if opening is None else opening.mode
        return dice_for(mode, key, self.seed, seq, stored)

    def _before(self, base: int, seq: int) -> State[Any] | None:
        """The state an event continues. Raises KeyError if it was never reached."""
        if seq == 1 and not self.counted.by_ruling:
            return None
        return self._history.before(base)

    def _continue(self, state: State[Any] | None, seq: int) -> str | None:
        """Keep the state; the digest of a map or content that it names and is not at hand."""
        gone = [] if state is None else self._history.missing_blobs(state)
        if state is None or gone:
            self._is_lost = True
            return gone[0] if gone else None
        self._history.keep(state, seq)
        return None

    def _verdict_on(
        self,
        comparison: Comparison,
        told: ToldEvent,
        unlaid: Difference | None,
    ) -> EventVerdict:
        evidence, seq = told.evidence, told.seq
        if told.faults:
            return self._broken(seq, told.faults, unlaid or comparison.differs, told.ruled)
        if unlaid is not None:
            return differing(seq, unlaid, is_sealed=unlaid.path.startswith("parts."))
        if comparison.refusal is not None:
            return EventVerdict(
                seq=seq,
                verdict="refused",
                code=comparison.refusal.code,
                rule=UNSET if comparison.refusal.rule is None else comparison.refusal.rule,
                params=comparison.refusal.params,
            )
        if comparison.differs is not None:
            return differing(seq, comparison.differs, is_sealed=comparison.is_sealed)
        if comparison.event.action.__struct_config__.tag == OVERRIDE:
            return EventVerdict(seq=seq, verdict="override")
        return EventVerdict(seq=seq, verdict="erased" if evidence.erased else "match")
