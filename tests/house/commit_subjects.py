"""Checks the subjects of the last commits; `make lint` runs it.

    python -m tests.house.commit_subjects

A subject is `room: imperative`, such as `forks: count ended forks against the quota`, in at most 72
letters. Merges are exempt. Without git, or without a history, nothing is checked.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from tests.house.tree import ROOT

LAST: Final = 20
SINCE: Final = "2026-12-01T01:30:00+00:00"
"""The check began then; older subjects stay as they are."""
LONGEST: Final = 72
SUBJECT: Final = re.compile(
    r"(?P<room>[a-z0-9_./-]+(?:,? [a-z0-9_./-]+)*): (?P<verb>[a-z]+)\b.*[^.]"
)
NO_VERBS: Final = frozenset({"a", "all", "an", "each", "every", "how", "no", "the", "what", "who"})
ENDING: Final = re.compile(r"(?:[^s]s|ed|ing)$")
ENDS_SO: Final = frozenset(
    {
        "bring",
        "embed",
        "feed",
        "focus",
        "need",
        "ping",
        "proceed",
        "seed",
        "shed",
        "speed",
        "string",
    }
)
"""Imperatives that end like another form of a verb."""


def faults(subject: str) -> Iterator[str]:
    """What is wrong with a subject, and how to write it."""
    if len(subject) > LONGEST:
        yield f"{len(subject)} letters; at most {LONGEST} are allowed"
    match = SUBJECT.fullmatch(subject)
    if match is None:
        yield "not of the form `room: imperative`, in lower case and without a full stop"
    elif not is_imperative(match["verb"]):
        yield f"`{match['verb']}` is no imperative; write `add`, not `adds`, `added` or `adding`"


def is_imperative(word: str) -> bool:
    """Whether a word may be an imperative, by its ending; articles and the like are none."""
    return word in ENDS_SO or (word not in NO_VERBS and ENDING.search(word) is None)


def last_subjects() -> list[tuple[str, str]]:
    """Short hash and subject of the last commits but merges; none without a history."""
    command = ["git", "log", f"-{LAST}", f"--since={SINCE}", "--no-merges", "--format=%h %s"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in listed.stdout.splitlines()]


def report(subjects: Iterable[tuple[str, str]]) -> list[str]:
    """One line for each fault."""
    return [f"{at}: {fault}: {subject}" for at, subject in subjects for fault in faults(subject)]


if __name__ == "__main__":
    found = report(last_subjects())
    sys.stdout.write("".join(f"commit {line}\n" for line in found))
    sys.exit(bool(found))
