"""What the tests of clients say where there is no registry to install from."""

import shutil
from pathlib import Path

import pytest

from tests.clients import tools


def test_without_a_registry_there_is_one_sentence_and_nothing_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "PROJECT", tmp_path)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(tools.HERE / name, tmp_path)
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:1/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_fetch_retry_mintimeout", "1")
    monkeypatch.setenv("npm_config_fetch_retry_maxtimeout", "1")
    with pytest.raises(pytest.fail.Exception) as failed:
        tools.node_modules(tmp_path)
    told = str(failed.value)
    assert told.startswith(
        "npm cannot install what package-lock.json names: is there a registry? ("
    )
    assert "ECONNREFUSED" in told
    assert "\n" not in told
    assert failed.value.pytrace is False
    left = [each for each in (tmp_path / ".npm").iterdir() if each.suffix == ""]
    assert left == []
