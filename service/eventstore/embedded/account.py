"""Who the server runs as, and starting a program as that account.

PostgreSQL refuses to run as root. Started by root, it runs as an unprivileged account instead;
started by anybody else, as that user. No folder's rights are ever changed for this: the server
is started *inside* its data folder and addresses it as the folder it is in, so the folders
above may be closed to it.
"""

import os
import pwd
import subprocess
from pathlib import Path
from typing import IO

from msgspec import Struct

from service.eventstore.embedded.errors import EmbeddedError

# A link to the folder a process is in: resolved without walking the folders above.
HERE = Path("/proc/self/cwd")

Stream = int | IO[bytes] | None


class Account(Struct, frozen=True, kw_only=True):
    """The user PostgreSQL runs as; `switch` is true when we have to become it first."""

    uid: int
    gid: int
    switch: bool

    def own(self, path: Path) -> None:
        """Hand a folder we made to the account."""
        if self.switch:
            os.chown(path, self.uid, self.gid)


def account_for(cluster: Path, unprivileged: str) -> Account:
    """Pick the owner of an existing cluster, else ourselves, else (as root) `unprivileged`.

    Raises EmbeddedError if that user does not exist, is root, or is not ours to become.
    """
    me = os.geteuid()
    owner = cluster.stat() if cluster.exists() else None
    if me != 0:
        if owner is not None and owner.st_uid != me:
            raise EmbeddedError(f"{cluster} belongs to another user; start as that user or root")
        return Account(uid=me, gid=os.getegid(), switch=False)
    if owner is None:
        account = _account_named(unprivileged)
    elif owner.st_uid == 0:
        raise EmbeddedError(
            f"{cluster} belongs to root, and PostgreSQL refuses to run as root;"
            " give the folder and all in it back to the user it belonged to (chown -R)"
        )
    else:
        account = Account(uid=owner.st_uid, gid=owner.st_gid, switch=True)
    _try_to_become(account)
    return account


def _account_named(name: str) -> Account:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise EmbeddedError(
            f"PostgreSQL refuses to run as root and there is no user {name!r} to run it as;"
            " name one in WARLOG_EMBEDDED_USER"
        ) from None
    if entry.pw_uid == 0:
        raise EmbeddedError("PostgreSQL refuses to run as root; name another WARLOG_EMBEDDED_USER")
    return Account(uid=entry.pw_uid, gid=entry.pw_gid, switch=True)


def _try_to_become(account: Account) -> None:
    """A root without its usual powers, as in some containers, can be nobody else."""
    try:
        spawn(["/bin/sh", "-c", ":"], account, folder=Path("/"), output=None).wait()
    except OSError as error:
        raise EmbeddedError(
            f"PostgreSQL refuses to run as root, and this root may not become user {account.uid}"
            f" ({error.strerror}); start as an ordinary user, or set WARLOG_DATABASE_URL"
        ) from None


def spawn(
    command: list[str],
    account: Account,
    *,
    folder: Path,
    stdin: Stream = subprocess.DEVNULL,
    output: Stream,
) -> subprocess.Popen[bytes]:
    """Start a program as the account, standing in `folder`, in a separate session.

    The own session keeps a Ctrl-C at the terminal from reaching the server before we have
    finished our own work. The environment is empty but for the locale: PG* variables and
    library paths of the caller are none of the server's business.
    Raises OSError as subprocess does: PermissionError if the account may not run the program.
    """
    return subprocess.Popen(
        command,
        cwd=folder,
        env={"LC_ALL": "C", "PATH": os.defpath},
        stdin=stdin,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        user=account.uid if account.switch else None,
        group=account.gid if account.switch else None,
        extra_groups=[] if account.switch else None,
    )


def address_of(cluster: Path, account: Account) -> str:
    """Name the cluster for a program that `spawn` starts inside it."""
    if account.switch and HERE.exists():
        return str(HERE)
    return str(cluster)
