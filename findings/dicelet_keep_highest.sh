#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: dicelet 0.3.2 (PyPI)
# Expected: `2d20kh1` keeps the higher of two dice, as `2d20kl1` keeps the lower one, or is refused.
#   A die with one side is 1.
# Seen: `kl1` keeps the lower die. Of `2d20kh1` only `2d20k` is read, and a `k` without a number
#   keeps all: both dice are added up. The rest is in `tail`. A die with one side is refused with
#   the sentence that sides must be a positive integer.
# Why it matters: advantage in the spelling of Roll20 and Foundry rolls up to 40. A client that
#   takes notation from players checks that `tail` is empty.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check dicelet==0.3.2

cat > run.py <<'END'
import dicelet

for text in ("2d20", "2d20k1", "2d20kl1", "2d20kh1", "2d1"):
    try:
        roll = dicelet.roll(text, seed=1)
        print(text, "is", int(roll.values[0]), "tail", repr(roll.tail))
    except ValueError as error:
        print(text, "raises:", error)
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
2d20 is 31 tail ''
2d20k1 is 18 tail ''
2d20kl1 is 13 tail ''
2d20kh1 is 31 tail 'h1'
2d1 raises: dice count, face, or repeat must be a positive integer
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other dice are kept"
  exit 1
fi
