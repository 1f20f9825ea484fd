"""`serve`, watched: a process that tells how many tasks and handles it holds when it is asked.

    python -m tests.durability.process FILE

On SIGUSR1 it writes {"tasks", "handles"} to FILE. Handles leave out those to the database, whose
number is the pools' business.
"""

import asyncio
import json
import os
import signal
import socket
import sys
from pathlib import Path

from service.app import build, configure_logging
from service.cli.serve import Server
from service.settings import from_environment


class Watched(Server):
    """The server with an ear for SIGUSR1."""

    gauges: Path

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, self._tell)

    def _tell(self) -> None:
        tasks = [task for task in asyncio.all_tasks() if not task.done()]
        held = {"tasks": len(tasks), "handles": handles(self.config.port)}
        scratch = self.gauges.with_suffix(".new")
        scratch.write_text(json.dumps(held))
        scratch.replace(self.gauges)


def handles(port: int) -> int:
    """Open files of this process, but for connections that it made itself."""
    made = set()
    for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]:
        columns = line.split()
        if int(columns[1].split(":")[1], 16) != port:
            made.add(f"socket:[{columns[9]}]")
    count = 0
    for entry in os.scandir("/proc/self/fd"):
        try:
            count += os.readlink(entry.path) not in made
        except OSError:
            continue
    return count


def main(gauges: Path) -> None:
    """Serve until told to stop."""
    settings = from_environment(os.environ)
    configure_logging(settings.log_level)
    server = Watched(build(settings), settings)
    server.gauges = gauges
    server.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
