"""Builds the guides of the documentation: `python guides.py FOLDER` writes their pages.

How this works. `contents.toml` lists the guides in the order in which they are read. Each is one
Markdown file per language, and one file of examples for all languages:

| in a source | means |
|---|---|
| `# Title` and the paragraph below it | the guide's title, and who needs it: both are listed, too |
| `## Title {#anchor}` | a section; its anchor is the same in every language |
| `{{ name }}`, a line alone | the example below the heading `## name` in the file of examples |
| `[text](undo.md#limits)` | a link to a section of another guide; on a forge, to its source |

The blocks of an example have the kind of a step as their language. HTML in a source is shown, not
used. What cannot be built, or is never shown, is a fault: an example that no guide names, too.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

SOURCES: Final = Path(__file__).resolve().parents[1] / "api/docs/guides"
STEPS: Final = frozenset({"asked", "answered", "later", "typed", "printed"})
"""What a block of an example is; `tests/api/guide_steps.py` does what they show."""

_ADDRESS: Final = "/docs/guides"
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_ANCHORED: Final = re.compile(r"(?P<title>.+) \{#(?P<anchor>[a-z][a-z0-9-]*)\}")
_NAMED: Final = re.compile(r"\{\{ ([a-z][a-z0-9-]*) \}\}")
_SOURCE: Final = re.compile(r"(?P<name>[a-z][a-z-]*)\.md(?P<anchor>#[a-z0-9-]+)?")


class GuideFault(Exception):
    """A source that no page can be made of: a sentence without its end."""


class Guide(NamedTuple):
    """A guide: its name in addresses, and its anchor in the list: where the page that once held all
    guides had it, or its name.
    """

    name: str
    anchor: str


class GuideWords(NamedTuple):
    """What every page says in a language."""

    contents: str
    guides: str
    all_guides: str
    top: str


class GuideSection(NamedTuple):
    """A section of a page: its anchor, and its title as HTML."""

    anchor: str
    title: str


class GuideText(NamedTuple):
    """A Markdown file, read: everything as HTML."""

    title: str
    summary: str
    body: str
    sections: tuple[GuideSection, ...]
    examples: tuple[str, ...]
    """The names of its examples, in order."""


WORDS: Final = {
    "en": GuideWords("On this page", "Guides", "All guides", "Back to top"),
    "ru": GuideWords("На этой странице", "Руководства", "Все руководства", "Наверх"),
}
"""Language -> its words."""
_PAGE: Final = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/search.js"></script>
<title>{plain_title} – Warlog</title>
<main id="top">
<h1>{title}</h1>
<p>{summary}</p>
{body}</main>
</html>
"""


def pages(sources: Path) -> Iterator[tuple[str, str]]:
    """The name and the content of every file. Raises GuideFault."""
    guides = guides_in(sources)
    examples = {each.name: examples_in(sources / f"examples/{each.name}.md") for each in guides}
    for language, words in WORDS.items():
        texts = {
            each.name: text_of(sources / f"{language}/{each.name}.md", examples[each.name])
            for each in guides
        }
        for name, text in texts.items():
            if unused := examples[name].keys() - set(text.examples):
                raise GuideFault(f"{language}/{name}.md leaves out the example {min(unused)}")
            steps = _steps(name, tuple(texts.items()), words)
            body = f"{_contents(text.sections, words)}{text.body}{steps}"
            yield f"guide-{name}.{language}.html", _page(language, text, body)
        index = text_of(sources / f"{language}/index.md", {})
        items = "".join(_item(each, texts[each.name]) for each in guides)
        body = f'{index.body}<ol class="guides">\n{items}</ol>\n'
        yield f"guides.{language}.html", _page(language, index, body)


def guides_in(sources: Path) -> tuple[Guide, ...]:
    """All guides, in order. Raises GuideFault."""
    listed = tomllib.loads(_content(sources / "contents.toml")).get("guide", [])
    return tuple(Guide(each["name"], each.get("anchor", each["name"])) for each in listed)


def examples_in(path: Path) -> dict[str, str]:
    """Name of an example -> its blocks as HTML. Raises GuideFault."""
    examples: dict[str, str] = {}
    name = ""
    for token in _MARKDOWN.parse(_content(path)):
        if token.type == "inline":
            name = token.content
            if name in examples:
                raise GuideFault(f"{_place(path, token)}: there are two examples {name}")
            examples[name] = ""
        elif token.type == "fence" and name and token.info in STEPS:
            shown = escape(token.content.removesuffix("\n"), quote=False)
            examples[name] += f'<pre class="{token.info}">{shown}</pre>\n'
        elif token.tag != "h2":
            kinds = ", ".join(sorted(STEPS))
            raise GuideFault(
                f"{_place(path, token)}: allowed are headings (##) and below them code blocks of"
                f" the languages {kinds}"
            )
    return examples


def text_of(path: Path, examples: dict[str, str]) -> GuideText:
    """A Markdown file with its examples. Raises GuideFault."""
    tokens = _MARKDOWN.parse(_content(path))
    beginning = [token.tag for token in tokens[:6] if token.nesting == 1]
    if beginning != ["h1", "p"]:
        raise GuideFault(f"{path.name} in {path.parent.name} begins without a title and a summary")
    for token in tokens:
        _lead_links(token)
    title, summary = (_inline(token) for token in (tokens[1], tokens[4]))
    reader = _Reader(path, examples)
    for token in tokens[6:]:
        reader.take(token)
    body = reader.finished()
    return GuideText(title, summary, body, tuple(reader.sections), tuple(reader.used))


class _Reader:
    """Reads the tokens behind the beginning of a file."""

    def __init__(self, path: Path, examples: dict[str, str]) -> None:
        self.sections: list[GuideSection] = []
        self.used: list[str] = []
        self._path = path
        self._examples = examples
        self._html: list[str] = []
        self._block: list[Token] = []

    def take(self, token: Token) -> None:
        """Take the next token; a block is written when its last one is here."""
        self._block.append(token)
        if token.level == 0 and token.nesting <= 0:
            block, self._block = self._block, []
            self._html.append(self._written(block))

    def finished(self) -> str:
        """All blocks as HTML."""
        return "".join(self._html) + self._end_of_section()

    def _written(self, block: list[Token]) -> str:
        first = block[0]
        if first.type == "fence":
            raise GuideFault(f"{_place(self._path, first)}: code belongs to the examples")
        if first.tag == "h2":
            return self._section(block[1])
        if first.type == "paragraph_open" and block[1].content.startswith("{{"):
            return "".join(self._example(line, block[1]) for line in block[1].content.splitlines())
        return _rendered(block)

    def _section(self, heading: Token) -> str:
        match = _ANCHORED.fullmatch(heading.content)
        if match is None:
            raise GuideFault(f"{_place(self._path, heading)}: a heading ends with its {{#anchor}}")
        before = self._end_of_section()
        title = _MARKDOWN.renderInline(match["title"])
        self.sections.append(GuideSection(match["anchor"], title))
        return f'{before}<section id="{match["anchor"]}">\n<h2>{title}</h2>\n'

    def _end_of_section(self) -> str:
        return "</section>\n" if self.sections else ""

    def _example(self, line: str, token: Token) -> str:
        match = _NAMED.fullmatch(line)
        if match is None or match[1] not in self._examples:
            raise GuideFault(f"{_place(self._path, token)}: there is no example {line}")
        if match[1] in self.used:
            raise GuideFault(f"{_place(self._path, token)}: {line} is shown before")
        self.used.append(match[1])
        return self._examples[match[1]]


def _lead_links(token: Token) -> None:
    """Lets links to sources lead to their pages."""
    for child in token.children or ():
        match = _SOURCE.fullmatch(str(child.attrGet("href") or ""))
        if match is not None:
            page = _ADDRESS if match["name"] == "index" else f"{_ADDRESS}/{match['name']}"
            child.attrSet("href", f"{page}{match['anchor'] or ''}")


def _page(language: str, text: GuideText, body: str) -> str:
    return _PAGE.format(
        language=language,
        plain_title=re.sub(r"<[^>]+>", "", text.title),
        title=text.title,
        summary=text.summary,
        body=body,
    )


def _contents(sections: tuple[GuideSection, ...], words: GuideWords) -> str:
    if len(sections) < 2:
        return ""
    links = "".join(f'<li><a href="#{each.anchor}">{each.title}</a></li>\n' for each in sections)
    return f'<nav class="contents" aria-label="{words.contents}">\n<ul>\n{links}</ul>\n</nav>\n'


def _item(guide: Guide, text: GuideText) -> str:
    link = f'<a href="{_ADDRESS}/{guide.name}">{text.title}</a>'
    return f'<li id="{guide.anchor}">{link}<br>{text.summary}</li>\n'


def _steps(name: str, texts: tuple[tuple[str, GuideText], ...], words: GuideWords) -> str:
    """Links to the guides before and behind one, to all, and to its top."""
    at = [each for each, _ in texts].index(name)
    links = [
        f'<a rel="prev" href="{_ADDRESS}/{other}">← {text.title}</a>'
        for other, text in texts[max(at - 1, 0) : at]
    ]
    links += [
        f'<a rel="next" href="{_ADDRESS}/{other}">{text.title} →</a>'
        for other, text in texts[at + 1 : at + 2]
    ]
    links += [f'<a href="{_ADDRESS}">{words.all_guides}</a>', f'<a href="#top">{words.top}</a>']
    listed = "".join(f"<li>{link}</li>\n" for link in links)
    return f'<nav class="steps" aria-label="{words.guides}">\n<ul>\n{listed}</ul>\n</nav>\n'


def _rendered(tokens: list[Token]) -> str:
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def _inline(token: Token) -> str:
    return _rendered([token])


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as failure:
        raise GuideFault(f"{path.parent.name}/{path.name} cannot be read") from failure


def _place(path: Path, token: Token) -> str:
    line = (token.map or [0])[0] + 1
    return f"{path.parent.name}/{path.name}:{line}"


def main() -> int:
    """Writes all pages into a folder; the exit code."""
    folder = Path(sys.argv[1])
    try:
        for name, page in pages(SOURCES):
            (folder / name).write_text(page, encoding="utf-8")
    except GuideFault as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
