#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: jsoncanon 0.2.4 (PyPI), rfc8785 0.1.4 (PyPI)
# Expected: jsoncanon writes numbers as RFC 8785 asks: `1e-7`, `0.000001`, and an integer above
#   2^53 is refused or rounded.
# Seen: small numbers keep the spelling of Python (`1e-07`, `1e-06`), 2^53 + 1 keeps a digit that
#   no reader of doubles has, and 2^63 becomes a text in quotes. rfc8785 writes the first two
#   right and refuses the others.
# Why it matters: a canonical form that differs in one byte makes a true receipt look forged. The
#   service keeps floats and integers from 2^53 on out of what it signs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check jsoncanon==0.2.4 rfc8785==0.1.4

cat > run.py <<'END'
import jsoncanon
import rfc8785

for value in (1e-7, 1e-6, 1e21, 2**53 - 1, 2**53 + 1, 2**63):
    try:
        other = rfc8785.dumps(value).decode()
    except rfc8785.CanonicalizationError:
        other = "refused"
    written = jsoncanon.canonicalize(value).decode()
    print(repr(value).ljust(20), "jsoncanon", written.ljust(22), "rfc8785", other)
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
1e-07                jsoncanon 1e-07                  rfc8785 1e-7
1e-06                jsoncanon 1e-06                  rfc8785 0.000001
1e+21                jsoncanon 1e+21                  rfc8785 1e+21
9007199254740991     jsoncanon 9007199254740991       rfc8785 9007199254740991
9007199254740993     jsoncanon 9007199254740993       rfc8785 refused
9223372036854775808  jsoncanon "9223372036854775808"  rfc8785 refused
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: numbers are written otherwise"
  exit 1
fi
