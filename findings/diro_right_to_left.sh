#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: diro-py 0.1.1 (PyPI)
# Expected: terms of one rank are taken from left to right: `10-3-2` is 5, `8/2/2` is 2.
# Seen: they are taken from right to left: `10-3-2` is 9, `8/2/2` is 8, `10-1d1-1d1` is 10.
# Why it matters: two penalties on one roll cancel each other. A formula of a character sheet is
#   no shared format between tools.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check diro-py==0.1.1

cat > run.py <<'END'
import diro

for text in ("10-3-2", "10-1d1-1d1", "8/2/2", "100/10*2", "2-3*2+1"):
    formula = diro.parse(text)
    formula.roll()
    print(text, "=", formula.calc())
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
10-3-2 = 9
10-1d1-1d1 = 10
8/2/2 = 8
100/10*2 = 5
2-3*2+1 = -5
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: terms of one rank are grouped otherwise"
  exit 1
fi
