"""What the processes of an audit of all battles run where the battles are of the toy ruleset."""

import os
import signal
from collections.abc import Iterator
from typing import BinaryIO
from unittest.mock import patch

from service.cli.all_audits import worker
from service.cli.all_audits.job import JudgedLine
from service.cli.all_audits.worker import AuditWorker
from service.eventstore.records import EncounterRow
from tests.toy.rules import RULESETS
from tests.toy.versions import HARDER

BOTH = {**RULESETS, ("toy", "2"): HARDER}
DEADLY = 13
"""Events of a battle that some processes do not survive."""


def work(requests: BinaryIO) -> Iterator[bytes]:
    """The work, with two versions of the toy ruleset."""
    return worker.work(requests, BOTH)


class _Mortal(AuditWorker):
    """Killed in the middle of some battles; of others it says what no audit says."""

    async def _found(self, listed: EncounterRow) -> JudgedLine:
        if listed.head_seq == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        if listed.head_seq == DEADLY + 1:
            raise LookupError("nothing that anybody expects")
        return await super()._found(listed)


def mortal(requests: BinaryIO) -> Iterator[bytes]:
    """The work of a process that does not survive every battle."""
    with patch.object(worker, "AuditWorker", _Mortal):
        yield from worker.work(requests, BOTH)


def stillborn(requests: BinaryIO) -> Iterator[bytes]:
    """Ends before it is asked anything."""
    requests.readline()
    yield from ()
