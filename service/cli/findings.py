"""What `warlog doctor` makes of what it saw: no looking here, only judging."""

from enum import StrEnum

from msgspec import Struct

from service.cli.upgrade_words import FINISH, held_words, users_of
from service.eventstore.probe import Examination
from service.exits import Exit
from service.fanout.probe import RedisExamination
from service.releases import Releases, is_before, newest_of

OLDEST_POSTGRES = 15
TOLERATED_SKEW_MS = 2_000


class Severity(StrEnum):
    """How bad it is. `away` is a part that could not be asked at all."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"
    AWAY = "away"


class Finding(Struct, frozen=True, kw_only=True):
    """One thing looked at; `says` names what was found and, if it is bad, what to do."""

    subject: str
    verdict: Severity
    says: str


def exit_code(findings: tuple[Finding, ...]) -> Exit:
    """The worst finding decides; what cannot be reached comes first, warnings do not count."""
    verdicts = {finding.verdict for finding in findings}
    if Severity.AWAY in verdicts:
        return Exit.UNAVAILABLE
    return Exit.WRONG if Severity.WRONG in verdicts else Exit.OK


def judge_server(server: Examination, build: int) -> tuple[Finding, ...]:
    """Judge what is the same for every role: version, encoding, state and clock.

    `build` is the number of this build.
    """
    return (
        _finding(
            "database",
            Severity.OK if server.version >= OLDEST_POSTGRES else Severity.WRONG,
            f"PostgreSQL {server.version_name}; {OLDEST_POSTGRES} or later is needed",
        ),
        _finding(
            "encoding",
            Severity.OK if server.encoding == "UTF8" else Severity.WRONG,
            server.encoding if server.encoding == "UTF8" else f"{server.encoding}; UTF8 is needed",
        ),
        _finding(
            "writable",
            Severity.WRONG if server.is_read_only else Severity.OK,
            "the server takes no writes (a standby?)" if server.is_read_only else "yes",
        ),
        _schema(server, build),
        _clock(server),
    )


def judge_serving(server: Examination) -> Finding:
    """Judge the role that serves: it adds to the log and cannot rewrite it."""
    if server.is_migrated and not server.may_append:
        return _finding(
            "serving role",
            Severity.WRONG,
            f"{server.role} may not use the log; run 'warlog migrate', which grants its rights",
        )
    return judge_role("serving role", server)


def judge_ends(server: Examination) -> tuple[Finding, ...]:
    """Judge whether every log ends at its head; nothing to say if they do."""
    if server.beyond_head == 0:
        return ()
    if server.beyond_head is None:
        return (
            _finding(
                "heads",
                Severity.WARNING,
                "there are too many logs to look for rows beyond their heads here; 'warlog audit"
                " --all' looks at each",
            ),
        )
    return (
        _finding(
            "heads",
            Severity.WRONG,
            f"{server.beyond_head} encounters have rows beyond their head: somebody moved it back"
            " or wrote past the service; 'warlog audit --all' names them",
        ),
    )


def judge_erasures(server: Examination) -> tuple[Finding, ...]:
    """Judge whether text that the log says is erased is gone; nothing to say if it is."""
    if not server.half_erased:
        return ()
    return (
        _finding(
            "erasures",
            Severity.WARNING,
            f"{server.half_erased} encounters hold text that was to be erased; a running service"
            " finishes that within a minute, if WARLOG_ERASE_URL is right",
        ),
    )


def judge_subscriptions(server: Examination) -> tuple[Finding, ...]:
    """Judge whether logical replication writes into the store; nothing to say if it does not."""
    if not server.subscriptions:
        return ()
    names = ", ".join(server.subscriptions)
    return (
        _finding(
            "replication",
            Severity.WARNING,
            f"the subscription {names} writes into this store; a write of the service would fork a"
            " log and stop the replication. Disable the subscription before writes come here, or"
            " set WARLOG_REFUSE_ON_SUBSCRIPTION=yes, which refuses them",
        ),
    )


def judge_upgrade(server: Examination, build: str, releases: Releases) -> tuple[Finding, ...]:
    """Judge whether an upgrade is unfinished; nothing to say if none is.

    `build` is the release of this build.
    """
    upgrade = server.upgrade
    if upgrade is None:
        return ()
    if is_before(build, upgrade.lowest):
        says = f"this build is of {build}, and none before {upgrade.lowest} starts; run a newer one"
        return (_finding("upgrade", Severity.WRONG, says),)
    late = upgrade.older_than(upgrade.lowest)
    if late.is_in_use:
        says = f"finished to {upgrade.lowest}, but older builds live: {'; '.join(users_of(late))}"
        return (_finding("upgrade", Severity.WARNING, f"{says}. Stop them"),)
    held = held_words(upgrade.lowest, releases)
    if not held:
        return ()
    newest = newest_of(upgrade.lowest, releases)
    older = upgrade.older_than(newest)
    says = (
        f"from {upgrade.lowest} to {newest} is not finished; held back until '{FINISH}':"
        f" {', '.join(held)}. "
    )
    waits = (
        f"Stop the older builds first: {'; '.join(users_of(older))}"
        if older.is_in_use
        else "No older build is seen: it can be finished"
    )
    return (_finding("upgrade", Severity.WARNING, says + waits),)


def judge_sessions(subject: str, server: Examination) -> tuple[Finding, ...]:
    """Judge what sessions of a role are set to; nothing to say if they are the server's own."""
    if server.different_settings:
        settings = ", ".join(server.different_settings)
        return (
            _finding(
                subject,
                Severity.WRONG,
                f"{settings} (a pooler in between?); 'warlog migrate' puts them on every role but"
                " the schema's owner, for sessions that the pooler makes from then on (RECONNECT)",
            ),
        )
    if not server.is_pooled:
        return ()
    return (
        _finding(
            subject,
            Severity.OK,
            "a pooler is in between; its sessions have what the service needs",
        ),
    )


def judge_redis(redis: RedisExamination) -> tuple[Finding, ...]:
    """Judge whether messages get through, server by server."""
    kind = f"a cluster of {redis.servers}" if redis.is_cluster else "one server"
    faults = [
        _finding(
            "redis",
            Severity.AWAY if fault.is_away else Severity.WRONG,
            f"{fault.server}: {fault.says}",
        )
        for fault in redis.faults
    ]
    if redis.unowned:
        faults.append(
            _finding(
                "redis",
                Severity.WARNING,
                f"{redis.unowned} slots of the cluster have no server: what is told there is"
                " noticed by looking into the log, up to a second later",
            )
        )
    clean = _finding("redis", Severity.OK, f"{redis.version_name}, {kind}; messages get through")
    return tuple(faults) or (clean,)


def judge_role(subject: str, server: Examination) -> Finding:
    """Judge what a role that is not the owner may do to the log: append through the service."""
    if server.may_rewrite:
        rights = ", ".join(server.may_rewrite)
        return _finding(
            subject,
            Severity.WRONG,
            f"{server.role} may write past the service ({rights}); give it a role of its own"
            " (deploy/roles.sql) and run 'warlog migrate'",
        )
    if server.lacks:
        rights = ", ".join(server.lacks)
        return _finding(
            subject,
            Severity.WRONG,
            f"{server.role} lacks rights ({rights}); run 'warlog migrate', which grants them",
        )
    return _finding(subject, Severity.OK, f"{server.role} cannot rewrite the log")


def _schema(server: Examination, build: int) -> Finding:
    if not server.is_migrated:
        return _finding("schema", Severity.WRONG, "missing; run 'warlog migrate'")
    if server.revision is None:
        # The role may not even read it, which is reported of the role.
        return _finding("schema", Severity.OK, "present, at unknown")
    needs = f"at {server.revision}, this build needs {build:04}"
    if server.schema is None or server.schema.number < build:
        return _finding("schema", Severity.WRONG, f"{needs}; run 'warlog migrate' of this build")
    if not server.schema.serves(build):
        oldest = f"{server.schema.oldest_build:04}"
        return _finding(
            "schema", Severity.WRONG, f"{needs}, and serves none before {oldest}; run a newer build"
        )
    newer = (
        "" if server.schema.number == build else f", newer than this build ({build:04}), serves it"
    )
    return _finding("schema", Severity.OK, f"present, at {server.revision}{newer}")


def _clock(server: Examination) -> Finding:
    apart = abs(server.ahead_ms)
    ahead = "ahead of" if server.ahead_ms >= 0 else "behind"
    return _finding(
        "clock",
        Severity.WARNING if apart - server.within_ms > TOLERATED_SKEW_MS else Severity.OK,
        f"the database is {apart} ms {ahead} this machine, give or take {server.within_ms} ms",
    )


def _finding(subject: str, verdict: Severity, says: str) -> Finding:
    return Finding(subject=subject, verdict=verdict, says=says)
