"""A battle played in memory on any ruleset, sealed exactly as the service seals it.

Seed, seal key, salts, clock and ids are fixed, so that the same actions give the same bytes. An
action is a value (`act`) or what a client writes (`ask`); an event of the latter is read back from
its sealed form and must be the same.
"""

from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from service.encounters.viewed_texts import ViewedTexts
from service.engine import hashing
from service.engine.battle import decide, fold
from service.engine.battle.actors import Actor
from service.engine.battle.continuation import standing_of
from service.engine.battle.creation import continued_by, created_by
from service.engine.battle.linear import Linear, Seat, seat_of
from service.engine.battle.permission import require_askable
from service.engine.battle.roster import combatant_of
from service.engine.battle.setup import Header
from service.engine.battle.state import RuleState, State, known_sides, scope_of, viewer_of
from service.engine.dice.dice import Dice, SealedDice, SuppliedDice
from service.engine.kit.legal_actions import legal_for, legal_of
from service.engine.kit.samples import sample_actions as samples_of
from service.engine.log import canonical
from service.engine.log import event as events
from service.engine.log.event import Event, SealedEvent, SealedPart, Sealer
from service.engine.log.parts import EMPTY_PART, TEXT, part_names
from service.engine.ruleset.definition import LegalActions, Preview, Ruleset
from service.engine.ruleset.legal_nodes import LegalNode
from service.engine.visibility.projection import view
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import Action, Configure, CreateEncounter, Erase
from service.engine.vocabulary.effects import EncounterCreated
from service.engine.vocabulary.values import By, DiceMode, ForkOf, Role, Side

SEED = bytes(range(32))
SEAL_KEY = bytes(range(32, 64))
ENCOUNTER = "01900000-0000-7000-8000-000000000001"
FORKS = ("01900000-0000-7000-8000-000000000002", "01900000-0000-7000-8000-000000000003")
"""A fork, and a fork of that."""
GM = By(kind="key", id="01900000-0000-7000-8000-0000000000aa", role="gm")


def seat_by(seat: str, role: Role = "player") -> By:
    """A seat for which a key acts."""
    return By(kind="seat", id=seat, role=role, seat=seat, via=GM.id)


SIDES: Final = tuple(Side(id=side) for side in ("red", "blue", "green"))
SIDE_IDS: Final = tuple(side.id for side in SIDES)
SEATS: Final = (
    Seat(id="ann", role="player", sides=("red",)),
    Seat(id="bob", role="player", sides=("blue",)),
    Seat(id="eve", role="observer"),
)
"""Ann plays the red side, Bob the blue one, Eve looks on; the green side is the game master's."""
PEOPLE: Final = {"gm": GM} | {seat.id: seat_by(seat.id, seat.role) for seat in SEATS}


class Table:
    """One battle: `sealed` is its log, `state` where it is, `rules` the rule half by seq."""

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
        blobs = {hashing.blob_digest(canonical.encode(blob)): blob for blob in ruleset.blobs(setup)}
        header = Header(
            dice=dice,
            commitment=hashing.commitment(seed),
            seed="os",
            sides=sides,
            seats=seats,
            reveal_by_days=180,
            digests=tuple(blobs),
            title=UNSET if title is None else title,
        )
        action = _with_knowledge(ruleset.create(setup, header))
        self._begin(ruleset, action, blobs, seed, encounter)

    @classmethod
    def continuing(
        cls,
        parent: "Table",
        seq: int,
        *,
        seats: tuple[Seat, ...] = (),
        seed: bytes = SEAL_KEY,
        dice: DiceMode | None = None,
    ) -> "Table":
        """A fork of a battle as it stood after event `seq`."""
        rule = parent.rules[seq]
        header = Header(
            dice=dice or rule.dice,
            commitment=hashing.commitment(seed),
            seed="os",
            sides=(),
            seats=seats,
            reveal_by_days=180,
        )
        there = State(rule=rule, linear=parent.state.linear, terms=parent.terms)
        fork_of = ForkOf(
            encounter=parent.encounter,
            seq=seq,
            hash=parent.sealed[seq - 1].hash,
            status=standing_of(there),
        )
        action = continued_by(parent.ruleset, there, fork_of, header, GM)
        fork = cls.__new__(cls)
        name = next(each for each in FORKS if each != parent.encounter)
        fork._begin(parent.ruleset, action, parent.blobs, seed, name)
        return fork

    def _begin(
        self,
        ruleset: Ruleset[Any],
        action: CreateEncounter,
        blobs: dict[str, Struct],
        seed: bytes,
        encounter: str,
    ) -> None:
        """Event 1."""
        self.ruleset = ruleset
        self.seed = seed
        self.encounter = encounter
        self.side_ids = tuple(side.id for side in action.sides)
        self._roles = {seat.id: seat.role for seat in action.seats}
        self.sealed: list[SealedEvent] = []
        self.events: list[Event] = []
        self.rules: dict[int, RuleState] = {}
        self.blobs = blobs
        self.terms = ruleset.terms(blobs)
        blank = fold.blank(ruleset, created_by(EncounterCreated, action, GM))
        self.state: State[Any] = State(rule=blank, linear=Linear(), terms=self.terms)
        self._store(action, GM, 0, self.state, ())

    def act(self, action: Action, by: By = GM, faces: tuple[int, ...] = ()) -> Event:
        """Decide and store one action. Raises Refused, Forbidden."""
        seq = len(self.sealed) + 1
        base = decide.base_of(action, seq)
        before = State(rule=self.rules[base], linear=self.state.linear, terms=self.terms)
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
            draws=tuple(dice.draws),
            effects=effects,
        )
        after, scopes = fold.unfold(self.ruleset, before if seq > 1 else None, event)
        salts = b"".join(sha256(f"{seq}/{n}".encode()).digest()[:16] for n in range(18))
        sealer = Sealer(seal_key=SEAL_KEY, text_salts=salts)
        self.sealed.append(events.seal(events.lay_out(event, scopes), self.head, sealer))
        self.events.append(event)
        self.rules[seq] = after.rule
        self.state = State(rule=after.rule, linear=after.linear, terms=self.terms)
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
                if part.kind == TEXT
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

    # --- as clients ask and see -------------------------------------------------------------------

    def read(self, action: Mapping[str, object]) -> Action:
        """An action as a client writes it."""
        value: Action = msgspec.convert(action, self.ruleset.action)
        return value

    def ask(
        self, action: Mapping[str, object], by: str = "gm", dice: tuple[int, ...] = ()
    ) -> Event:
        """Take an action as a client writes it. Raises what the rules raise."""
        value = self.read(action)
        event = self.act(value, self.who(by), dice)
        brought = self.ruleset.blobs(value)
        assert isinstance(value, Configure) or not brought
        for blob in brought:
            self.blobs[hashing.blob_digest(canonical.encode(blob))] = blob
        assert canonical.encode(self.stored(event.seq)) == canonical.encode(event)
        return event

    @cached_property
    def _event_decoder(self) -> msgspec.json.Decoder[Event]:
        return msgspec.json.Decoder(self.ruleset.event)

    def stored(self, seq: int) -> Event:
        """An event read back from its body and parts."""
        sealed = self.sealed[seq - 1]
        return events.decode(self._event_decoder, sealed.body, bodies(sealed), self.side_ids)

    def shown(self, seq: int, by: str) -> object:
        """An event as somebody sees it, without the hashes that bind what is hidden."""
        sealed = self.sealed[seq - 1]
        view = events.view_of_event(sealed.body, bodies(sealed), self.side_ids, self.viewer(by))
        event = msgspec.json.decode(view, type=dict[str, object])
        return {name: value for name, value in event.items() if name not in ("sealed", "prev")}

    def behind(self, seq: int) -> State[Any]:
        """The state behind an event, with what was stated of the table since."""
        return State(rule=self.rules[seq], linear=self.state.linear, terms=self.state.terms)

    def before(self, seq: int) -> State[Any] | None:
        """The state in front of an event; None in front of the first."""
        return self.behind(seq - 1) if seq > 1 else None

    def who(self, by: str) -> By:
        """The game master (`gm`), or a seat in the role it has; a removed seat has its first."""
        if by == "gm":
            return GM
        seat = seat_of(self.state.linear, by)
        return seat_by(by, self._roles[by] if seat is None else seat.role)

    def viewer(self, by: str) -> Viewer:
        """What somebody may know."""
        return viewer_of(self.who(by), self.state.rule, self.state.linear)

    def view(self, by: str = "gm") -> Any:
        """The state as somebody sees it, as JSON values."""
        rule = self.state.rule
        return tree_of(view(rule, scope_of(rule), self.viewer(by)))

    def told(self, by: str = "gm") -> bytes:
        """The state as somebody who follows the battle is shown it."""
        return self.told_to(self.viewer(by))

    def told_to(self, viewer: Viewer) -> bytes:
        """The same for whoever may know as much."""
        rule = self.state.rule
        return canonical.encode(self._texts.view(rule, scope_of(rule), viewer))

    @cached_property
    def _texts(self) -> ViewedTexts:
        """What is kept of the states for those who follow."""
        return ViewedTexts()

    def seating(self, by: str = "gm") -> Any:
        """Who takes part, and whatever else no rewind changes, as somebody sees it."""
        return tree_of(view(self.state.linear, scope_of(self.state.rule), self.viewer(by)))

    def preview(self, action: Mapping[str, object], by: str = "gm") -> Preview:
        """What an action would do."""
        value = self.read(action)
        require_askable(self.state, value, self.who(by), len(self.events) + 1)
        return self.ruleset.preview(self.state, value, self.who(by))

    def legal(self, combatant: str, by: str = "gm") -> tuple[LegalNode, ...]:
        """What a combatant may do now."""
        return self.legal_of(Actor(combatant=combatant), by)

    def legal_of(self, actor: Actor, by: str = "gm") -> tuple[LegalNode, ...]:
        """What a combatant, a unit or a side may do now."""
        return legal_of(self.ruleset, self.state, actor, self.who(by))

    def legal_for(self, by: str = "gm") -> tuple[LegalActions, ...]:
        """All that somebody may do now."""
        return legal_for(self.ruleset, self.state, self.who(by))

    def samples(self, whose: str | Actor, count: int, by: str = "gm") -> list[dict[str, Any]]:
        """So many of somebody's legal actions, as a client would send them."""
        return samples(self.ruleset, self.state, whose, self.who(by), count)

    def combatant(self, combatant: str) -> Any:
        """A combatant as the battle has it."""
        member = combatant_of(self.state.rule, combatant)
        assert member is not None
        return member

    @property
    def turn(self) -> str | None:
        """Whose turn it is; of a side's turn the first who may act in it."""
        turn = self.ruleset.turn(self.state.rule)
        return None if turn is None else next(iter(turn.combatants), None)

    @property
    def questions(self) -> list[tuple[str, Any]]:
        """The open decisions of the top group: id and combatant."""
        pending = self.state.rule.pending
        return [(each.id, each.combatant) for each in pending[-1].decisions] if pending else []

    def speakers(self, by: str = "gm") -> tuple[Actor, ...]:
        """Who may answer or, without a question, act: in the turn of a combatant this one alone."""
        pending, turn = self.state.rule.pending, self.ruleset.turn(self.state.rule)
        if pending:
            return tuple(map(asked, pending[-1].decisions))
        if turn is None or turn.combatant is not UNSET:
            return () if turn is None else (Actor(combatant=turn.combatant),)
        return tuple(
            Actor(combatant=each.combatant, unit=each.unit, side=each.side)
            for each in self.legal_for(by)
        )


def asked(decision: Any) -> Actor:
    """Who is asked: a combatant, or a side."""
    if decision.combatant is not UNSET:
        return Actor(combatant=decision.combatant)
    return Actor(side=decision.side)


def seated(
    ruleset: Ruleset[Any],
    setup: Mapping[str, Any],
    *,
    dice: DiceMode = "sealed",
    seats: tuple[Seat, ...] = SEATS,
    encounter: str = ENCOUNTER,
) -> Table:
    """A battle in which Ann, Bob and Eve take part, as a client states it.

    Its sides are those that the setup states something of, else three.
    """
    stated = msgspec.convert(setup, ruleset.setup)
    named = tuple(Side(id=each["id"]) for each in setup.get("sides", ()))
    sides = named or SIDES
    return Table(ruleset, stated, sides=sides, seats=seats, dice=dice, encounter=encounter)


def samples(
    ruleset: Ruleset[Any], state: State[Any], whose: str | Actor, by: By, count: int
) -> list[dict[str, Any]]:
    """So many of somebody's legal actions, as a client would send them; an id is a combatant's."""
    actor = Actor(combatant=whose) if isinstance(whose, str) else whose
    nodes = legal_of(ruleset, state, actor, by)
    viewer = viewer_of(by, state.rule, state.linear)
    return [dict(each) for each in samples_of(state, nodes, viewer, count)]


def all_parts(sealed: SealedEvent, sides: tuple[str, ...]) -> tuple[SealedPart, ...]:
    """All parts of an event in their order, those that say nothing with the salt derived again."""
    encounter = msgspec.json.decode(sealed.body)["encounter"]
    filled = {(part.kind, part.audience): part for part in sealed.parts}
    salts = events.derived_salts(SEAL_KEY, encounter, sealed.seq, sides)
    return tuple(
        filled.get((kind, audience), SealedPart(kind, audience, salt, EMPTY_PART))
        for (kind, audience), salt in zip(part_names(sides), salts, strict=True)
    )


def bodies(sealed: SealedEvent) -> dict[tuple[str, str], bytes]:
    """The parts of an event that say something, by kind and audience."""
    return {(part.kind, part.audience): part.body for part in sealed.parts}


def tree_of(value: object) -> Any:
    """A value as JSON values, as a client reads it."""
    return msgspec.json.decode(canonical.encode(value))


def effects_of(event: Event) -> list[dict[str, Any]]:
    """The effects of an event as JSON values."""
    effects: list[dict[str, Any]] = tree_of(event.effects)
    return effects


def _with_knowledge(action: CreateEncounter) -> CreateEncounter:
    seats = tuple(
        replace(seat, knows=known_sides(seat.sides, seat.combatants, action.combatants))
        for seat in action.seats
    )
    return replace(action, seats=seats)
