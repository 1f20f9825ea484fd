"""What the guides of the documentation show, and a reader who does all of it in order.

A guide is a row of steps, each a `pre` whose class says what it is:

| class | shows |
|---|---|
| `asked` | a request; without `answered` behind it, it stays under way |
| `answered` | the status of its answer, headers, and the body or the records of a stream |
| `later` | what the request that is under way is answered, or what comes on the open stream |
| `typed` | commands for a shell, in a folder of the guide's own; they have to succeed |
| `printed` | what they print |

What is shown is a part. Objects hold at least the members shown, lists just so many elements, or at
least so many where the last one shown is `…`; of what is printed, a line `…` represents any others.
Of a stream the records shown are the next of their type. A name that begins with `$` represents
what the first answer with it had there; to the commands it is a variable of their environment.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import httpx

from tests.api.streaming import Event, Reader
from tests.patience import PATIENCE_SECONDS

STEP: Final = re.compile(r'<pre class="(\w+)">(.*?)</pre>', re.DOTALL)
NAME: Final = re.compile(r"\$[A-Z]+")
NAME_OR_TEXT: Final = re.compile(r"\$[A-Z]+|[^$]+|\$")
REST: Final = "…"
GOES_ON: Final = " …"
Names = dict[str, str]


class Step(NamedTuple):
    """One `pre` of a guide: its class and its text."""

    kind: str
    text: str


def steps_on(page: str) -> list[Step]:
    """The steps of the guide that a page has."""
    return [Step(kind, unescape(shown)) for kind, shown in STEP.findall(page)]


class GuideReader:
    """Somebody who does what a guide shows, and has what it says; fails where that is otherwise."""

    def __init__(self, url: str, folder: Path, names: Names) -> None:
        self.names = {"$URL": url, **names}
        self._folder = folder
        self._stack = ExitStack()
        self._http = self._stack.enter_context(httpx.Client(base_url=url, timeout=PATIENCE_SECONDS))
        self._pool = self._stack.enter_context(ThreadPoolExecutor(1))
        self._open: ExitStack | None = None
        self._stream: Reader | None = None
        self._waiting: Future[httpx.Response] | None = None
        self._printed = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self._stack.close()

    def follow(self, steps: list[Step]) -> None:
        """Do every step, one behind the other."""
        rest = iter(zip(steps, [*steps[1:], None], strict=True))
        for step, behind in rest:
            text = step.text
            match step.kind:
                case "asked" if behind is not None and behind.kind == "answered":
                    next(rest)
                    self._ask(text, behind.text)
                case "asked":
                    self._waiting = self._pool.submit(self._http.send, self._request(text))
                case "later" if self._waiting is not None:
                    compare(self._waiting.result(), text, self.names)
                    self._waiting = None
                case "later":
                    self._compare_records(text)
                case "typed":
                    self._printed = self._run(text)
                case "printed":
                    compare_lines(self._printed, text, self.names)
                case other:
                    raise AssertionError(f"{other} is no kind of step here: {text}")
        assert self._waiting is None, "a request was left under way"

    def _ask(self, asked: str, answered: str) -> None:
        request = self._request(asked)
        if not request.url.path.endswith("/stream"):
            compare(self._http.send(request), answered, self.names)
            return
        self._close()
        answer = self._http.send(request, stream=True)
        self._open = ExitStack()
        self._open.callback(answer.close)
        head, _, records = answered.partition("\n\n")
        if answer.status_code != 200:
            answer.read()
            compare(answer, answered, self.names)
            return
        compare(answer, head, self.names)
        self._stream = Reader(answer)
        self._compare_records(records)

    def _compare_records(self, shown: str) -> None:
        """The next records of the open stream, each the next of its type."""
        assert self._stream is not None
        for text in shown.split("\n\n"):
            wanted = record_of(text)
            record = self._stream.until(wanted.kind)
            if wanted.id:
                learn(record.id, wanted.id, self.names)
            differences = list(unlike(record.data, wanted.data, self.names))
            assert differences == [], (differences, record.data)

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = self._stream = None

    def _request(self, asked: str) -> httpx.Request:
        head, _, body = NAME.sub(self._value, asked).partition("\n\n")
        line, *fields = head.splitlines()
        method, path = line.split()
        headers = dict(field.split(": ", 1) for field in fields)
        if body:
            headers.setdefault("Content-Type", "application/json")
        return self._http.build_request(method, path, headers=headers, content=body or None)

    def _run(self, commands: str) -> str:
        binaries = Path(sys.executable).parent
        names = {name.removeprefix("$"): value for name, value in self.names.items()}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=self._folder,
            env={
                **os.environ,
                **names,
                "PATH": f"{binaries}:{os.environ['PATH']}",
                "XDG_CONFIG_HOME": str(self._folder),
                "LC_ALL": "C.UTF-8",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (commands, done.stdout, done.stderr)
        return done.stdout

    def _value(self, name: re.Match[str]) -> str:
        return self.names.get(name[0], name[0])


def record_of(text: str) -> Event:
    """A record as a guide shows it: `data` may take several lines."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        name, _, value = line.partition(": ")
        fields[name] = f"{fields.get(name, '')}\n{value}" if name == "data" else value
    return Event(fields.get("id", ""), fields["event"], json.loads(fields["data"]))


def compare(answer: httpx.Response, answered: str, names: Names) -> None:
    """Learns the names in the answer. Fails where the guide says otherwise."""
    head, _, body = answered.partition("\n\n")
    status, *fields = head.splitlines()
    if answer.status_code != int(status):
        answer.read()
        raise AssertionError(answer.text)
    for field in fields:
        name, shown = field.split(": ", 1)
        learn(answer.headers[name], shown, names)
    if not body:
        return
    if answer.headers["Content-Type"].endswith("json"):
        differences = list(unlike(answer.json(), json.loads(body), names))
        assert differences == [], (differences, answer.text)
    else:
        compare_lines(answer.text, body, names)


def compare_lines(text: str, shown: str, names: Names) -> None:
    """Lines, of which one of JSON may be shown on several. Fails where they are otherwise."""
    lines = text.splitlines()
    may_skip = False
    for wanted in shown_lines(shown):
        if wanted == REST:
            may_skip = True
            continue
        tried = lines[:] if may_skip else lines[:1]
        at = next((at for at, line in enumerate(tried) if is_like(line, wanted, names)), None)
        assert at is not None, (wanted, text)
        lines = lines[at + 1 :]
        may_skip = False
    assert may_skip or not lines, text


def shown_lines(shown: str) -> Iterator[str]:
    """The lines that are meant: JSON up to its end, everything else as it is."""
    begun = ""
    for line in shown.splitlines():
        begun = f"{begun}\n{line}" if begun else line
        if not begun.startswith("{") or is_json(begun):
            yield begun
            begun = ""
    assert not begun, begun


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def is_like(line: str, wanted: str, names: Names) -> bool:
    if wanted.startswith("{"):
        return is_json(line) and not list(unlike(json.loads(line), json.loads(wanted), names))
    shown = wanted.removesuffix(GOES_ON)
    return is_learned(
        line[: len(shown)] if shown != wanted else line.rstrip(), shown.rstrip(), names
    )


def unlike(value: Any, shown: Any, names: Names, path: str = "$") -> Iterator[str]:
    """Where an answer is other than shown."""
    match shown:
        case dict():
            for name, member in shown.items():
                if not isinstance(value, dict) or name not in value:
                    yield f"{path}.{name}"
                else:
                    yield from unlike(value[name], member, names, f"{path}.{name}")
        case list():
            yield from unlike_list(value, shown, names, path)
        case str() if NAME.search(shown) and isinstance(value, str | int):
            if not is_learned(str(value), shown, names):
                yield path
        case _:
            if value != shown:
                yield path


def unlike_list(value: Any, shown: list[Any], names: Names, path: str) -> Iterator[str]:
    elements = shown[:-1] if shown and shown[-1] == REST else shown
    few = not isinstance(value, list) or len(value) < len(elements)
    if few or (elements is shown and len(value) != len(shown)):
        yield path
        return
    for at, wanted in enumerate(elements):
        yield from unlike(value[at], wanted, names, f"{path}[{at}]")


def learn(value: str, shown: str, names: Names) -> None:
    """What the name in a shown text represents, by the text that was had."""
    assert is_learned(value, shown, names), (value, shown)


def is_learned(value: str, shown: str, names: Names) -> bool:
    """Whether the text that was had is the shown one, with what its names stand for."""
    form = "".join(
        (re.escape(names[part]) if part in names else f"(?P<{part[1:]}>.+)")
        if NAME.fullmatch(part)
        else re.escape(part)
        for part in NAME_OR_TEXT.findall(shown)
    )
    match = re.fullmatch(form, value)
    if match is not None:
        names.update({f"${name}": each for name, each in match.groupdict().items()})
    return match is not None
