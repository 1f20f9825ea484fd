"""Random battles of all rulebooks, and a digest of all that each writes and answers.

    .venv/bin/python -m tests.replay.transcripts            freezes the digests that are missing
    .venv/bin/python -m tests.replay.transcripts NAME       prints a battle, a line for each fact

How this works. Setup, actions, seed, salts and clock of a battle follow from its number, so that
every build must write it to the same bytes, refuse the same for the same reasons and tell everybody
the same. The digests in `bundles/transcripts.sha256` are frozen: where one differs, what two builds
print shows the first line at which they part. A test that plays otherwise takes the line out of
that file and freezes it again with the build before.
"""

import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

from service.engine.battle.actors import Actor
from service.engine.log.canonical import encode
from service.engine.log.event import SealedEvent
from service.errors import Forbidden, Malformed, Refused, WarlogError
from tests.kit.random_battles import BY_PLAYER, Overruled, ask, next_action, play
from tests.kit.rig import Rig
from tests.kit.rigs import EVERY_RIG, rig_named
from tests.kit.seat_changes import SeatChanges
from tests.kit.table import Table, all_parts, seated, tree_of

FROZEN: Final = Path(__file__).with_name("bundles") / "transcripts.sha256"
NUMBERS: Final = range(4)
"""The table rolls the dice of odd ones."""
PLAYED: Final = 40
"""Actions of a battle that is played."""
TRIED: Final = 90
"""Actions of a battle in which anything is asked for."""
LOOK_EVERY: Final = 16
"""Events between two looks at what everybody is shown."""
PEOPLE: Final = ("gm", "ann", "bob", "eve")
Action = Mapping[str, Any]


class Transcript:
    """What a battle wrote and answered so far, line by line."""

    def __init__(self, rig: Rig, number: int) -> None:
        setup = rig.battles.setup(number, with_secrets=True)
        self.table = seated(rig.ruleset, setup, dice="supplied" if number % 2 else "sealed")
        self.lines: list[bytes] = []
        self._written = 0
        self._looked = 0

    def write(self) -> None:
        """Add what was sealed since, and now and then what everybody is shown."""
        for sealed in self.table.sealed[self._written :]:
            self.lines += _sealed_lines(sealed, self.table.side_ids)
            self.lines += [
                b"seen by %s %s" % (by.encode(), encode(self.table.shown(sealed.seq, by)))
                for by in PEOPLE
            ]
        self._written = len(self.table.sealed)
        if self._written >= self._looked + LOOK_EVERY:
            self._looked = self._written
            self.look()

    def attempt(self, action: Action, by: str) -> None:
        """Foresee an action and ask for it; refusals are lines, too."""
        self.foresee(action, by)
        try:
            self.table.ask(action, by)
        except (Refused, Forbidden, Malformed) as error:
            self._refused(action, by, error)
        self.write()

    def foresee(self, action: Action, by: str) -> None:
        """Add the preview of an action, or why there is none."""
        try:
            preview = tree_of(self.table.preview(action, by))
            # The digests are older than this field, which is no outcome.
            del preview["follows"]
            self.lines.append(b"preview " + encode(preview))
        except (Refused, Forbidden, Malformed) as error:
            self._refused(action, by, error)

    def look(self) -> None:
        """Add the state as everybody is shown it, what each may do and what some of it would do."""
        for by in PEOPLE:
            table = {name: it for name, it in self.table.seating(by).items() if name != "notes"}
            self.lines.append(b"state of %s %s" % (by.encode(), encode(self.table.view(by))))
            self.lines.append(b"table of %s %s" % (by.encode(), encode(table)))
        for by in ("gm", "ann", "bob"):
            legal = self.table.legal_for(by)
            self.lines.append(b"legal for %s %s" % (by.encode(), encode(legal)))
            for each in legal[:2]:
                actor = Actor(combatant=each.combatant, unit=each.unit, side=each.side)
                for action in self.table.samples(actor, 3, by):
                    self.lines.append(b"sample " + encode(action))
                    self.foresee(action, by)

    def _refused(self, action: Action, by: str, error: WarlogError) -> None:
        rule = getattr(error, "rule", None)
        self.lines.append(b"refused " + encode([by, action, error.code, rule, error.params]))


def _sealed_lines(sealed: SealedEvent, sides: tuple[str, ...]) -> Iterator[bytes]:
    yield b"event %d %d %s %s" % (sealed.seq, sealed.base, sealed.hash.encode(), sealed.body)
    for at, part in enumerate(all_parts(sealed, sides)):
        commit = sealed.commits[32 * at : 32 * at + 32]
        told = encode([commit.hex(), part.kind, part.audience, part.salt.hex()])
        yield b"part %s %s" % (told, part.body)


def played(rig: Rig, number: int) -> list[bytes]:
    """A battle whose players do what they may; rulings, rewinds, seats, notes, and its end."""
    transcript = Transcript(rig, number)
    deed = Overruled(rig.battles, number, SeatChanges(number))

    def written(table: Table, action: Action, by: str) -> None:
        deed(table, action, by)
        transcript.write()

    play(transcript.table, number, PLAYED, by=BY_PLAYER, deed=written)
    noted = len(transcript.table.events) + 1
    for action in (
        {"type": "note", "text": "Ein Wort für alle", "gm_text": "слово"},
        {"type": "erase", "seqs": [noted]},
        {"type": "reveal"},
        {"type": "end_encounter", "winner": "red", "open": "sides", "reason": "It is late."},
        {"type": "reveal", "open": "all"},
        {"type": "reveal"},
    ):
        transcript.attempt(action, "gm")
    transcript.look()
    return transcript.lines


def tried(rig: Rig, number: int) -> list[bytes]:
    """A battle in which anybody asks for anything, now and then for something sensible."""
    transcript = Transcript(rig, number)
    dice = Random(number)
    for by in ("ann", "bob", "ann"):
        transcript.attempt({"type": "contribute", "value": "ab" * 32}, by)
    ask(transcript.table, {"type": "start_encounter"})
    for _ in range(TRIED):
        sensible = next_action(transcript.table, dice) if dice.random() < 0.3 else None
        if sensible is not None:
            ask(transcript.table, *sensible)
            transcript.write()
            continue
        by = dice.choice(["gm"] * 4 + ["ann", "bob"] * 2 + ["eve"])
        transcript.attempt(rig.battles.nonsense(transcript.table, dice), by)
    transcript.look()
    return transcript.lines


WAYS: Final = {"played": played, "tried": tried}
NAMES: Final = tuple(
    f"{rig.name}-{way}-{number}" for rig, way, number in product(EVERY_RIG, WAYS, NUMBERS)
)
"""The battles: rulebook at a version, way and number."""


def lines_of(name: str) -> list[bytes]:
    """A battle of one of these names, played again."""
    rulebook, way, number = name.rsplit("-", 2)
    return WAYS[way](rig_named(rulebook), int(number))


def digest_of(lines: list[bytes]) -> str:
    """SHA-256 over all lines, each with its length."""
    return sha256(b"".join(b"%d %s\n" % (len(line), line) for line in lines)).hexdigest()


def digests() -> dict[str, str]:
    """The frozen digest of each battle."""
    lines = (line.split() for line in FROZEN.read_text().splitlines())
    return {name: digest for digest, name in lines}


def main(names: list[str]) -> None:
    """Print the battles of these names, or freeze those that are not yet."""
    for name in names:
        sys.stdout.buffer.writelines(line + b"\n" for line in lines_of(name))
    if not names:
        frozen = digests()
        frozen |= {name: digest_of(lines_of(name)) for name in NAMES if name not in frozen}
        FROZEN.write_text("".join(f"{it}  {name}\n" for name, it in sorted(frozen.items())))


if __name__ == "__main__":
    main(sys.argv[1:])
