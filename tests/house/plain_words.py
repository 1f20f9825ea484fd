"""Words of ballads in what people read, each with the word of logs and books that replaces it.

    python -m tests.house.plain_words

Counted are comments, docstrings and strings of code, and all of documents. Not counted is what is
generated, what is recorded for good (bundles, test vectors, the changelog), and data of examples.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.house.tree import ROOT, tracked_files

INSTEAD: Final = {
    "told": "sent, shown, returned, reported",
    "tells": "sends, shows, returns, reports",
    "stands": "is",
    "goes on": "continues, resumes",
    "comes to": "equals, results in",
    "to be had": "available",
    "hands on": "passes",
    "anew": "again, new",
    "mend": "fix",
    "mends": "fixes",
    "mended": "fixed",
    "mending": "fixing",
    "beside": "with, next to",
    "no more": "no longer",
    "of its own": "separate",
    "lays over": "merges",
}
"""Word -> what to write instead."""
ALL_OF_IT: Final = {".css", ".html", ".md", ".service", ".sh", ".sql", ".toml", ".yaml", ""}
PYTHON: Final = ".py"
SCRIPTS: Final = {".js", ".mjs", ".ts"}
KINDS: Final = {PYTHON, *SCRIPTS, *ALL_OF_IT}
LEFT_OUT: Final = (
    "CHANGELOG.md",
    "LICENSE",
    "service/api/docs/vectors/",
    "tests/house/plain_words.py",
    "tests/house/test_plain_words.py",
    "tests/replay/bundles/",
)
"""What is recorded, or has to name the words."""
IN_SCRIPT: Final = re.compile(
    r"(?://[^\n]*\n?\s*)+|/\*.*?\*/"
    r"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`",
    re.DOTALL,
)
IN_PYTHON: Final = re.compile(
    r"(?:#[^\n]*\n?\s*)+|\"{3}.*?\"{3}|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL
)
BETWEEN: Final = r"\s+(?:(?:#|//|\*)\s+)?"
"""Between two words of one phrase, which may continue on the next line of a comment."""
FOUND: Final = re.compile(
    rf"\b(?:{'|'.join(word.replace(' ', BETWEEN) for word in INSTEAD)})\b", re.IGNORECASE
)


class Place(NamedTuple):
    """Where a word is; lines count from 1."""

    word: str
    file: str
    line: int


def places(file: str, text: str) -> Iterator[Place]:
    """The places of all counted words in a file; its path is relative to the project."""
    if FOUND.search(text) is None:
        return
    for line, prose in prose_of(Path(file).suffix, text):
        for match in FOUND.finditer(prose):
            word = " ".join(re.sub(r"[#/*]", " ", match[0]).lower().split())
            yield Place(word, file, line + prose.count("\n", 0, match.start()))


def prose_of(suffix: str, text: str) -> Iterator[tuple[int, str]]:
    """What people read in a file: each piece with its first line."""
    if suffix == PYTHON or suffix in SCRIPTS:
        pieces = IN_PYTHON if suffix == PYTHON else IN_SCRIPT
        line, at = 1, 0
        for match in pieces.finditer(text):
            line, at = line + text.count("\n", at, match.start()), match.start()
            yield line, match[0]
    elif suffix in ALL_OF_IT:
        yield 1, text


def counted() -> list[Place]:
    """Every place in the project."""
    found: list[Place] = []
    for path in tracked_files():
        file = path.relative_to(ROOT).as_posix()
        if path.suffix in KINDS and not file.startswith(LEFT_OUT):
            found += places(file, path.read_text(encoding="utf-8"))
    return found


def report(found: list[Place]) -> str:
    """How often each word is there, and where the most frequent one is."""
    words = Counter(place.word for place in found).most_common()
    lines = [f"{many:>5}  {word}: write {INSTEAD[word]}" for word, many in words]
    for word, _ in words[:1]:
        lines += [f"{each.file}:{each.line}: {word}" for each in found if each.word == word]
    return "\n".join([f"{len(found)} places", *lines])


if __name__ == "__main__":
    sys.stdout.write(f"{report(counted())}\n")
