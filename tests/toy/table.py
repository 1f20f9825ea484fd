"""A battle played in memory on any ruleset, sealed exactly as the service seals it.

Seed, seal key, salts, clock and ids are fixed, so that the same actions give the same bytes.
"""

from hashlib import sha256
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from service.engine.battle import decide, fold
from service.engine.battle.setup import Header
from service.engine.battle.state import Linear, RuleState, Seat, State, known_sides
from service.engine.dice.dice import Dice, SealedDice, SuppliedDice
from service.engine.kit.creation import created_by
from service.engine.log import canonical, hashing
from service.engine.log import event as events
from service.engine.log.event import Event, SealedEvent, SealedPart, Sealer
from service.engine.log.parts import TEXT
from service.engine.ruleset import Ruleset
from service.engine.vocabulary.actions import Action, CreateEncounter, Erase
from service.engine.vocabulary.effects import EncounterCreated
from service.engine.vocabulary.values import By, DiceMode, Role, Side

SEED = bytes(range(32))
SEAL_KEY = bytes(range(32, 64))
ENCOUNTER = "01900000-0000-7000-8000-000000000001"
GM = By(kind="key", id="01900000-0000-7000-8000-0000000000aa", role="gm")


def seat_by(seat: str, role: Role = "player") -> By:
    """A seat for which a key acts."""
    return By(kind="seat", id=seat, role=role, seat=seat, via=GM.id)


class Table:
    """One battle: `sealed` is its log, `state` where it stands, `rules` the rule half by seq."""

    def __init__(
        self,
        ruleset: Ruleset[Any],
        setup: Struct,
        *,
        sides: tuple[Side, ...],
        seats: tuple[Seat, ...] = (),
        dice: DiceMode = "sealed",
        title: str | None = None,
        seed: bytes = SEED,
        encounter: str = ENCOUNTER,
    ) -> None:
        self.ruleset = ruleset
        self.seed = seed
        self.encounter = encounter
        self.sealed: list[SealedEvent] = []
        self.events: list[Event] = []
        self.rules: dict[int, RuleState] = {}
        self.blobs = {
            hashing.blob_digest(canonical.encode(blob)): blob for blob in ruleset.blobs(setup)
        }
        header = Header(
            dice=dice,
            commitment=hashing.commitment(seed),
            seed="os",
            sides=sides,
            seats=seats,
            reveal_by_days=180,
            digests=tuple(self.blobs),
            title=UNSET if title is None else title,
        )
        action = _with_knowledge(ruleset.create(setup, header))
        blank = ruleset.initial(created_by(EncounterCreated, action, GM))
        self.state: State[Any] = State(rule=blank, linear=Linear(), blobs=self.blobs)
        self._store(action, GM, 0, self.state, ())

    def act(self, action: Action, by: By = GM, faces: tuple[int, ...] = ()) -> Event:
        """Decide and store one action. Raises Refused, Forbidden."""
        seq = len(self.sealed) + 1
        base = decide.base_of(action, seq)
        before = State(rule=self.rules[base], linear=self.state.linear, blobs=self.blobs)
        event = self._store(action, by, base, before, faces)
        if isinstance(action, Erase):
            self._empty_text(action.seqs)
        return event

    def _store(
        self, action: Action, by: By, base: int, before: State[Any], faces: tuple[int, ...]
    ) -> Event:
        seq = len(self.sealed) + 1
        dice = self._dice(before, seq, faces)
        effects = decide.decide(self.ruleset, before, action, by, seq, dice)
        event = self.ruleset.event(
            seq=seq,
            base=base,
            encounter=self.encounter,
            at=f"2026-11-21T20:{seq // 60:02}:{seq % 60:02}.000Z",
            by=by,
            action=action,
            draws=dice.draws,
            effects=effects,
        )
        after, scopes = fold.unfold(self.ruleset, before if seq > 1 else None, event)
        salts = tuple(sha256(f"{seq}/{n}".encode()).digest()[:16] for n in range(18))
        sealer = Sealer(seal_key=SEAL_KEY, text_salts=salts)
        self.sealed.append(events.seal(event, scopes, self.head, sealer))
        self.events.append(event)
        self.rules[seq] = after.rule
        self.state = State(rule=after.rule, linear=after.linear, blobs=self.blobs)
        return event

    def _dice(self, before: State[Any], seq: int, faces: tuple[int, ...]) -> Dice:
        if before.rule.dice == "supplied":
            return SuppliedDice(faces, seq, seed=self.seed)
        given = tuple(bytes.fromhex(each.value) for each in before.linear.contributions)
        key = hashing.dice_key(self.seed, self.encounter, hashing.entropy(given))
        return SealedDice(key, seq, seed=self.seed)

    @property
    def head(self) -> str:
        """Hash of the last event."""
        return self.sealed[-1].hash if self.sealed else hashing.NO_HASH

    def _empty_text(self, seqs: tuple[int, ...]) -> None:
        """What erasing does to the rows: text parts that said something are emptied."""
        for seq in seqs:
            kept = tuple(
                SealedPart(kind=part.kind, audience=part.audience, salt=b"", body=b"")
                if part.kind == TEXT and not part.is_empty
                else part
                for part in self.sealed[seq - 1].parts
            )
            old = self.sealed[seq - 1]
            self.sealed[seq - 1] = SealedEvent(
                seq=old.seq,
                base=old.base,
                hash=old.hash,
                body=old.body,
                commits=old.commits,
                parts=kept,
            )


def _with_knowledge(action: CreateEncounter) -> CreateEncounter:
    seats = tuple(
        replace(seat, knows=known_sides(seat.sides, seat.combatants, action.combatants))
        for seat in action.seats
    )
    return replace(action, seats=seats)
