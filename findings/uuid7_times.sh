#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: uuid6 2025.0.1 (PyPI), edwh-uuid7 0.2.3 (PyPI), uuid7-standard 1.1.2 (PyPI)
# Expected: the time in a UUID of version 7 is the time at which it was made, or the time that it
#   was made for, to the millisecond.
# Seen: uuid6 gives each id another millisecond, so 10,000 ids in a row end almost ten seconds
#   in the future. edwh-uuid7 loses one millisecond for 375 of the 1,000 milliseconds of a second.
#   uuid7-standard is right for all of them.
# Why it matters: who sorts events or idempotency keys of several clients by such ids sorts a burst
#   after what came later. The service orders by `seq` alone and reads no time from an id.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check \
  uuid6==2025.0.1 edwh-uuid7==0.2.3 uuid7-standard==1.1.2

cat > run.py <<'END'
import datetime
import time

import edwh_uuid7
import uuid6
import uuid7


def milliseconds(identifier):
    return identifier.int >> 80


start = time.time_ns() // 1_000_000
ids = [uuid6.uuid7() for _ in range(10_000)]
took = time.time_ns() // 1_000_000 - start
ahead = milliseconds(ids[-1]) - start - took
print("uuid6: the last id is", "seconds ahead" if ahead > 5_000 else "on time")

second = datetime.datetime(2026, 12, 1, 12, tzinfo=datetime.timezone.utc)
for name, make in (("edwh-uuid7", edwh_uuid7.datetime_to_uuid7), ("uuid7-standard", uuid7.create)):
    lost = [
        at for at in range(1_000)
        if milliseconds(make(second + datetime.timedelta(milliseconds=at)))
        != int(second.timestamp()) * 1_000 + at
    ]
    print(f"{name}: {len(lost)} of 1000 have another time, first {lost[:3]}")
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
uuid6: the last id is seconds ahead
edwh-uuid7: 375 of 1000 have another time, first [1, 9, 10]
uuid7-standard: 0 of 1000 have another time, first []
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: the ids have other times"
  exit 1
fi
