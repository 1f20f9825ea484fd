"""The sources of the guides become pages; what cannot become one is a fault with its place."""

from pathlib import Path
from typing import Final

import pytest

from service.web import guides
from service.web.guides import GuideFault

SOURCES: Final = {
    "contents.toml": """
        [[guide]]
        name = "first-shot"

        [[guide]]
        name = "undo"
        anchor = "rewinding"
    """,
    "en/index.md": "# Guides\n\nAll of *them*.\n",
    "ru/index.md": "# Руководства\n\nВсе.\n",
    "en/first-shot.md": (
        "# First `shot`\n\nFor **all**.\n\nBefore <b>that</b>.\n\n"
        "## Aim & fire {#fire}\n\n{{ ask }}\n{{ print }}\n\n"
        "| a | b |\n|---|---|\n| 1 | [back](undo.md#far) |\n\n"
        "## Behind {#behind}\n\n- [all](index.md)\n- [calls](/docs)\n"
    ),
    "ru/first-shot.md": "# Выстрел\n\nДля всех.\n\n{{ ask }}\n{{ print }}\n",
    "en/undo.md": "# Undo\n\nFor game masters.\n\n## Far {#far}\n\nText.\n",
    "ru/undo.md": "# Отмена\n\nДля ведущих.\n\n## Далеко {#far}\n\nТекст.\n",
    "examples/first-shot.md": (
        "## ask\n\n```asked\nGET /?a=1&b=<2>\n```\n\n```answered\n200\n\n{}\n```\n\n"
        "## print\n\n```printed\nclean\n```\n"
    ),
    "examples/undo.md": "",
}
"""Path of a source -> its content."""
FIRST_SHOT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/search.js"></script>
<title>First shot – Warlog</title>
<main id="top">
<h1>First <code>shot</code></h1>
<p>For <strong>all</strong>.</p>
<nav class="contents" aria-label="On this page">
<ul>
<li><a href="#fire">Aim &amp; fire</a></li>
<li><a href="#behind">Behind</a></li>
</ul>
</nav>
<p>Before &lt;b&gt;that&lt;/b&gt;.</p>
<section id="fire">
<h2>Aim &amp; fire</h2>
<pre class="asked">GET /?a=1&amp;b=&lt;2&gt;</pre>
<pre class="answered">200

{}</pre>
<pre class="printed">clean</pre>
<table>
<thead>
<tr>
<th>a</th>
<th>b</th>
</tr>
</thead>
<tbody>
<tr>
<td>1</td>
<td><a href="/docs/guides/undo#far">back</a></td>
</tr>
</tbody>
</table>
</section>
<section id="behind">
<h2>Behind</h2>
<ul>
<li><a href="/docs/guides">all</a></li>
<li><a href="/docs">calls</a></li>
</ul>
</section>
<nav class="steps" aria-label="Guides">
<ul>
<li><a rel="next" href="/docs/guides/undo">Undo →</a></li>
<li><a href="/docs/guides">All guides</a></li>
<li><a href="#top">Back to top</a></li>
</ul>
</nav>
</main>
</html>
"""
LIST: Final = """<main id="top">
<h1>Guides</h1>
<p>All of <em>them</em>.</p>
<ol class="guides">
<li id="first-shot"><a href="/docs/guides/first-shot">First <code>shot</code></a><br>For <strong>all</strong>.</li>
<li id="rewinding"><a href="/docs/guides/undo">Undo</a><br>For game masters.</li>
</ol>
</main>
"""  # noqa: E501


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for name, content in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    return tmp_path


def test_each_guide_becomes_a_page_in_each_language_and_the_list_has_all(sources: Path) -> None:
    pages = dict(guides.pages(sources))
    assert list(pages) == [
        "guide-first-shot.en.html",
        "guide-undo.en.html",
        "guides.en.html",
        "guide-first-shot.ru.html",
        "guide-undo.ru.html",
        "guides.ru.html",
    ]
    assert pages["guide-first-shot.en.html"] == FIRST_SHOT
    assert LIST in pages["guides.en.html"]
    assert (
        '<nav class="steps" aria-label="Руководства">\n<ul>\n'
        '<li><a rel="prev" href="/docs/guides/first-shot">← Выстрел</a></li>\n'
        '<li><a href="/docs/guides">Все руководства</a></li>\n'
    ) in pages["guide-undo.ru.html"]


@pytest.mark.parametrize(
    ("source", "content", "fault"),
    [
        (
            "en/first-shot.md",
            "# A\n\nFor all.\n\n{{ ask }}\n",
            "en/first-shot.md leaves out the example print",
        ),
        ("en/undo.md", "# A\n\nFor.\n\n{{ ask }}\n", "en/undo.md:5: there is no example {{ ask }}"),
        ("en/undo.md", "# A\n\nFor.\n\n{{ask}}\n", "en/undo.md:5: there is no example {{ask}}"),
        (
            "ru/first-shot.md",
            "# A\n\nFor.\n\n{{ ask }}\n\n{{ print }}\n{{ ask }}\n",
            "ru/first-shot.md:7: {{ ask }} is shown before",
        ),
        ("ru/undo.md", "# A\n\nFor.\n\n## B\n", "ru/undo.md:5: a heading ends with its {#anchor}"),
        ("ru/undo.md", "For.\n", "undo.md in ru begins without a title and a summary"),
        ("ru/undo.md", "# A\n\n- For.\n", "undo.md in ru begins without a title and a summary"),
        (
            "en/undo.md",
            "# A\n\nFor.\n\n```asked\nGET /\n```\n",
            "en/undo.md:5: code belongs to the examples",
        ),
        ("examples/undo.md", "## a\n\n## a\n", "examples/undo.md:3: there are two examples a"),
        (
            "examples/undo.md",
            "## a\n\n```http\nGET /\n```\n",
            "examples/undo.md:3: allowed are headings (##) and below them code blocks of the"
            " languages answered, asked, later, printed, typed",
        ),
    ],
)
def test_a_fault_in_a_source_is_named_with_its_place(
    sources: Path, source: str, content: str, fault: str
) -> None:
    (sources / source).write_text(content)
    with pytest.raises(GuideFault) as raised:
        list(guides.pages(sources))
    assert str(raised.value) == fault


def test_a_guide_that_lacks_a_language_is_a_fault(sources: Path) -> None:
    (sources / "ru/undo.md").unlink()
    with pytest.raises(GuideFault, match=r"^ru/undo\.md cannot be read$"):
        list(guides.pages(sources))
