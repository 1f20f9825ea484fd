"""What the README of the client shows is run as it is."""

import re
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.api.serving import START, Caller
from tests.clients.bodies import creations_shown
from tests.clients.tools import PROJECT, succeeded
from tests.encounters.random_actions import battle
from tests.patience import PATIENCE_SECONDS
from warlog import Battle, Decision, Warlog

CLIENT: Final = PROJECT / "openapi" / "clients" / "python"
PROGRAMS: Final = re.findall(
    r"^```python\n(.*?)^```$", (CLIENT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
BOT: Final = next(each for each in PROGRAMS if "lobby.join" in each)


def provoked(table: Battle) -> Decision:
    """Attack until somebody is asked, by the game master; the question."""
    chance = Random(1)
    table.act(START)
    for _ in range(40):
        nodes = table.legal_actions().actions
        attacks = [each for each in nodes if each.type == "attack"]
        answer = table.act(chance.choice(attacks or nodes).random(chance))
        if answer.decisions:
            return answer.decisions[0]
    raise AssertionError("nobody is asked")


def test_the_bot_joins_tells_and_passes(caller: Caller, tmp_path: Path) -> None:
    assert len(BOT.splitlines()) <= 30
    path = tmp_path / "bot.py"
    path.write_text(BOT, encoding="utf-8")
    with Warlog(caller.url, caller.token) as warlog:
        table = warlog.battle(warlog.create_encounter(battle("seeker-d100", "sealed")).encounter)
        asked = provoked(table)
        seat = {"red": "rita", "blue": "bob"}[asked.side or ""]
        invitation = table.invite(seat).invitation
        assert invitation is not None
        command = [sys.executable, str(path), caller.url, invitation.code]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bot:
            try:
                while bot.poll() is None and table.read().decisions:
                    time.sleep(0.05)
                table.act({"type": "end_encounter"})
                said, _ = bot.communicate(timeout=PATIENCE_SECONDS)
            finally:
                bot.kill()
        effects = [effect for event in table.log() for effect in event.effects]
    assert bot.returncode == 0
    closed = [each for each in effects if each["type"] == "decision_closed"]
    assert [(each["decision_id"], each["how"]) for each in closed] == [(asked.id, "passed")]
    assert f"I am {seat}, player" in said
    assert "The battle is over" in said


def test_every_other_program_runs(caller: Caller, tmp_path: Path) -> None:
    encounter = caller.create(creations_shown()[0])
    caller.act(encounter, START)
    assert caller.token is not None
    environment = {
        "URL": caller.url,
        "KEY": caller.token,
        "ENCOUNTER": encounter.rpartition("/")[2],
    }
    others = [each for each in PROGRAMS if each != BOT]
    assert len(others) == 5
    for number, program in enumerate(others):
        path = tmp_path / f"program{number}.py"
        path.write_text(program, encoding="utf-8")
        succeeded(sys.executable, path, cwd=tmp_path, **environment)
    assert (tmp_path / "battle.ndjson").read_bytes().startswith(b'{"')


@pytest.mark.soak
def test_the_programs_pass_the_type_checker(tmp_path: Path) -> None:
    for number, program in enumerate(PROGRAMS):
        path = tmp_path / f"program{number}.py"
        path.write_text(program, encoding="utf-8")
        succeeded(
            sys.executable, "-m", "mypy", "--strict", path, cwd=tmp_path, MYPYPATH=str(CLIENT)
        )
