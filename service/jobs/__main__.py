"""One job in a separate process: `python -m service.jobs MODULE:FUNCTION SECONDS BYTES`.

How this works. The function is given standard input and yields lines without their newlines, which
go to standard output. Whoever is done with the job kills this process; so nothing here tidies up,
and the limits that it sets itself only matter where the parent is gone or the job is too greedy. It
imports the function after them, and nothing of the service before.
"""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, Final

NICE: Final = 10
"""Jobs take what is left of the processors."""

AUTOGROUP: Final = Path("/proc/self/autogroup")
"""Where Linux groups processes by sessions, of which a job has its own, only this weighs it against
those that serve: `nice` then counts among the processes of one session."""

OUT_OF_MEMORY: Final = 71
"""The exit code of a job that wanted more memory than it may have."""
FAULTY: Final = 70
"""The exit code of a job that raised anything else."""

TRIES: Final = 5
PAUSE_SECONDS: Final = 0.1

Work = Callable[[BinaryIO], Iterable[bytes]]


def main(arguments: Sequence[str]) -> int:
    """Run a job; its exit code."""
    name, seconds, memory_bytes = arguments
    _limit(int(seconds), int(memory_bytes))
    # Whatever else is printed is not to pass for a line of the job.
    lines = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        module, _, function = name.partition(":")
        work: Work = getattr(import_module(module), function)
        for line in work(sys.stdin.buffer):
            lines.write(line + b"\n")
            lines.flush()
    except MemoryError:
        return OUT_OF_MEMORY
    except BrokenPipeError:
        # Nobody listens any more.
        return 0
    except Exception as error:
        sys.stderr.write(_whereabouts(error) + "\n")
        return FAULTY
    return 0


def _limit(seconds: int, memory_bytes: int) -> None:
    """Give way to others, end in time whatever happens, and leave no trace on a disk."""
    os.nice(NICE)
    _give_way()
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    # The first bound asks it to stop, the second kills it.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _give_way() -> None:
    """Weigh the whole session as the process, where there are groups of sessions."""
    for _ in range(TRIES):
        try:
            AUTOGROUP.write_text(str(NICE))
        except BlockingIOError:
            # Such a change is made ten times a second at most, on the whole machine.
            time.sleep(PAUSE_SECONDS)
        except OSError:
            return
        else:
            return


def _whereabouts(error: Exception) -> str:
    """The kind of an error and where it arose; its message may hold what the job works on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f" {trace.tb_frame.f_globals['__name__']}:{trace.tb_lineno}"
    return f"job: {type(error).__name__}{where}"


if __name__ == "__main__":
    code = main(sys.argv[1:])
    # Memory is not given back piece by piece.
    sys.stderr.flush()
    os._exit(code)
