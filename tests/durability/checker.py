"""Holds a log of calls against the logs of encounters that the calls left behind.

How this works. `judge` is given everything as values and touches nothing, so that it can be shown
forged histories. A *stored command* is an idempotency key with the events it made; an event
without one was asked for behind a head alone (`If-Match`). What a call claims must be there, what
is there must have been asked for, and whatever ended before something else began comes first.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from tests.durability.history import LOST, NEVER, Call

CLOCK_SLACK = 5_000_000
"""How far the database's clock may be from that of the calls, in nanoseconds."""


class StoredCommand(Struct, frozen=True, kw_only=True):
    """A used key and the events it made; `recorded` is when, by the clock of the calls."""

    principal: str
    key: str
    first_seq: int
    last_seq: int
    recorded: int


class StoredLog(Struct, frozen=True, kw_only=True):
    """One encounter as the database has it: events as (seq, hash, prev), in the order of seq."""

    encounter: str
    head: tuple[int, str]
    events: tuple[tuple[int, str, str], ...]
    commands: tuple[StoredCommand, ...]


class Restore(Struct, frozen=True, kw_only=True):
    """A backup that was put back: the heads it had, as (seq, hash), and when it answered again."""

    heads: Mapping[str, tuple[int, str]]
    ended: int


class Finding(Struct, frozen=True, kw_only=True):
    """Something that must not be: `code` says what, `detail` where."""

    code: str
    encounter: str
    detail: str


def judge(
    calls: Sequence[Call], logs: Iterable[StoredLog], restore: Restore | None = None
) -> tuple[Finding, ...]:
    """Everything that is wrong, of each encounter in turn."""
    by_encounter: dict[str, list[Call]] = defaultdict(list)
    for call in calls if restore is None else map(partial(_undone, restore), calls):
        by_encounter[call.asked.encounter].append(call)
    found: list[Finding] = []
    known = set()
    for log in logs:
        known.add(log.encounter)
        found += _Case(log, by_encounter[log.encounter], restore).findings()
    found += [
        Finding(code="encounter_lost", encounter=encounter, detail=f"{len(lost)} calls")
        for encounter, lost in by_encounter.items()
        if encounter not in known and any(call.told.outcome == "ok" for call in lost)
    ]
    return tuple(found)


def _undone(restore: Restore, call: Call) -> Call:
    """A call as it is after the restore: nobody knows of what only the lost log had."""
    head, _ = restore.heads[call.asked.encounter]
    told = call.told
    if told.outcome != "ok" or call.invoked > restore.ended:
        return call
    if min(told.seqs, default=0) > head:
        return replace(call, told=LOST)
    if told.receipt is not None and told.receipt.seq > head:
        return replace(call, told=replace(told, receipt=None))
    return call


class _Case:
    """One encounter and the calls that concern it."""

    def __init__(self, log: StoredLog, calls: Sequence[Call], restore: Restore | None) -> None:
        self._log = log
        self._restore = restore
        self._hashes = {seq: hash_ for seq, hash_, _ in log.events}
        self._commands = {(one.principal, one.key): one for one in log.commands}
        self._ok = [call for call in calls if call.told.outcome == "ok"]
        self._calls = calls
        self._found: list[Finding] = []
        self._by_key: dict[tuple[str, str], list[Call]] = defaultdict(list)
        self._keyless: list[Call] = []
        for call in calls:
            if call.asked.key is None:
                self._keyless.append(call)
            else:
                self._by_key[(call.asked.principal, call.asked.key)].append(call)

    def findings(self) -> list[Finding]:
        """Everything that is wrong with this encounter."""
        self._chain()
        self._acknowledged()
        self._answers_of_a_key()
        self._commands_are_disjoint()
        self._asked_for()
        self._one_behind_a_head()
        self._real_time()
        self._told_no_at_last()
        self._restored()
        self._no_faults_of_ours()
        return self._found

    def _add(self, code: str, detail: object) -> None:
        self._found.append(Finding(code=code, encounter=self._log.encounter, detail=str(detail)))

    def _chain(self) -> None:
        """Seqs are dense, each event names the one before it, the head is the last."""
        before = "0" * 64
        for index, (seq, hash_, prev) in enumerate(self._log.events, start=1):
            if seq != index:
                self._add("gap", f"event {seq} where {index} should be")
                return
            if prev != before:
                self._add("chain_broken", f"event {seq}")
            before = hash_
        if self._log.head != (len(self._log.events), before):
            self._add("head_differs", f"{self._log.head} at {len(self._log.events)} events")

    def _acknowledged(self) -> None:
        """What was acknowledged is there, once, at its seq, with its hash."""
        for call in self._ok:
            told = call.told
            stated = dict(zip(told.seqs, told.hashes, strict=True))
            if len(stated) < len(told.seqs) or not stated or told.version != max(stated):
                self._add("answer_odd", f"call {call.id}: {told.seqs}, version {told.version}")
            for seq, hash_ in stated.items():
                if self._hashes.get(seq) != hash_:
                    self._add("acknowledged_lost", f"event {seq} of call {call.id}")
            if told.receipt is not None:
                seq = told.receipt.seq
                if self._hashes.get(seq) != told.receipt.hash or seq < max(stated, default=0):
                    self._add("receipt_differs", f"head {seq} of call {call.id}")

    def _answers_of_a_key(self) -> None:
        """A key has one command; all answers under it tell the same events, those it made."""
        if len(self._commands) < len(self._log.commands):
            self._add("key_used_twice", f"{len(self._log.commands)} commands")
        for name, calls in self._by_key.items():
            answers = {
                (call.told.version, call.told.digest, call.told.hashes)
                for call in calls
                if call.told.outcome == "ok"
            }
            if len(answers) > 1:
                self._add("answers_differ", f"key {name[1]}")
            command = self._commands.get(name)
            for call in calls:
                if call.told.outcome != "ok":
                    continue
                seqs = () if command is None else range(command.first_seq, command.last_seq + 1)
                if tuple(seqs) != call.told.seqs:
                    self._add("command_differs", f"key {name[1]}: {call.told.seqs}, {command}")

    def _commands_are_disjoint(self) -> None:
        """No event is of two requests, and no answer without a key shows another's event."""
        owners: dict[int, str] = {}
        claims = [
            (f"key {one.key} of {one.principal}", range(one.first_seq, one.last_seq + 1))
            for one in self._log.commands
        ] + [(f"call {call.id}", call.told.seqs) for call in self._ok if call.asked.key is None]
        for owner, seqs in claims:
            for seq in seqs:
                if seq in owners:
                    self._add("event_doubled", f"event {seq} of {owners[seq]} and of {owner}")
                owners[seq] = owner

    def _asked_for(self) -> None:
        """Every event but the first stems from a call that succeeded or that nobody knows of.

        Under a key that call began before: a later one that learns what is stored already does
        not make up for an earlier one that learned that nothing is.
        """
        covered = {1} | {
            seq for call in self._ok if call.asked.key is None for seq in call.told.seqs
        }
        for name, command in self._commands.items():
            latest = command.recorded + CLOCK_SLACK
            calls = [call for call in self._by_key[name] if call.invoked <= latest]
            if any(call.told.outcome != "refused" for call in calls):
                covered |= set(range(command.first_seq, command.last_seq + 1))
        for call in self._keyless:
            if call.told.outcome == "unknown" and call.asked.if_match is not None:
                start = self._seq_of(call.asked.if_match)
                covered |= set(range(start + 1, start + 1 + call.asked.actions))
        for seq in self._hashes:
            if seq not in covered:
                self._add("nobody_asked", f"event {seq}")

    def _seq_of(self, tag: str) -> int:
        """The seq that a tag names; 0 if it is not of this history."""
        seq, _, digits = tag.partition("-")
        return int(seq) if self._hashes.get(int(seq), "").startswith(digits) else 0

    def _one_behind_a_head(self) -> None:
        """Of the appends behind one head at most one succeeded, and it follows that head."""
        followers: dict[str, set[tuple[int, ...]]] = defaultdict(set)
        for call in self._ok:
            tag = call.asked.if_match
            if tag is None:
                continue
            followers[tag].add(call.told.seqs)
            if min(call.told.seqs, default=0) != self._seq_of(tag) + 1:
                self._add("head_ignored", f"call {call.id} behind {tag}: {call.told.seqs}")
        for tag, appended in followers.items():
            if len(appended) > 1:
                self._add("two_behind_a_head", f"{tag}: {sorted(appended)}")

    def _real_time(self) -> None:
        """What began after something else was acknowledged is behind it."""
        spans = [
            (min(call.told.seqs), call.invoked, call.ended)
            for call in self._ok
            if call.asked.key is None and call.told.seqs
        ]
        for name, command in self._commands.items():
            calls = self._by_key[name]
            acknowledged = [call.ended for call in calls if call.told.outcome == "ok"]
            if calls:
                began = min(call.invoked for call in calls)
                spans.append((command.first_seq, began, min([*acknowledged, NEVER])))
        first_answer = NEVER
        for seq, began, answered in sorted(spans, reverse=True):
            if first_answer < began:
                self._add("order_swapped", f"event {seq} began after a later one was acknowledged")
            first_answer = min(first_answer, answered)

    def _told_no_at_last(self) -> None:
        """Who was refused after all else under a key had ended finds nothing under it later."""
        for name, command in self._commands.items():
            calls = self._by_key[name]
            if any(call.told.outcome == "ok" for call in calls):
                continue
            last = calls[-1] if calls else None
            if last is None or not is_final_no(last):
                continue
            others = [call.ended for call in calls if call is not last]
            if all(ended < last.invoked for ended in others):
                self._add("no_taken_back", f"key {name[1]}, events from {command.first_seq}")

    def _restored(self) -> None:
        """What the backup had is there; who is ahead of the log learns so, and nobody else is."""
        restored = NEVER
        if self._restore is not None:
            restored = self._restore.ended
            seq, hash_ = self._restore.heads[self._log.encounter]
            if self._hashes.get(seq) != hash_:
                self._add("backup_lost", f"event {seq}")
        for call in self._calls:
            tag = call.asked.if_match
            is_known = tag is None or self._seq_of(tag) > 0
            if call.told.code == "history_diverged" and is_known:
                self._add("divergence_invented", f"call {call.id} behind {tag}")
            is_told_otherwise = call.told.code == "precondition_failed" and not is_known
            if is_told_otherwise and call.invoked > restored:
                self._add("divergence_hidden", f"call {call.id} behind {tag}")

    def _no_faults_of_ours(self) -> None:
        """The service never stumbles, nor does it punish one for another's bad value."""
        for call in self._calls:
            told = call.told
            if told.status is not None and told.status in (500, 502, 504):
                self._add("fault", f"call {call.id}: {told.status} {told.code}")
            if told.code == "unstorable" and call.asked.poison is None:
                self._add("punished", f"call {call.id}")
            if call.asked.poison is not None and len(told.seqs) > call.asked.poison:
                self._add("poison_stored", f"call {call.id}")


def is_final_no(call: Call) -> bool:
    """Whether an answer says that nothing happened because nothing may happen."""
    told = call.told
    is_no = told.status is not None and 400 <= told.status < 500
    return told.outcome == "refused" and is_no and told.code != "in_progress"


def tally(calls: Sequence[Call]) -> Mapping[str, int]:
    """How many calls there were, and of which outcome."""
    counts: dict[str, int] = {"calls": len(calls), "ok": 0, "refused": 0, "unknown": 0}
    for call in calls:
        counts[call.told.outcome] += 1
        if call.told.is_replay:
            counts["replayed"] = counts.get("replayed", 0) + 1
        if call.told.code is not None:
            counts[call.told.code] = counts.get(call.told.code, 0) + 1
    return counts
