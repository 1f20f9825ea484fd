#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: numpy 2.4.6 (PyPI)
# Expected: `SeedSequence([1, 0])` and `SeedSequence(1)` are two seeds; an empty list is a third.
# Seen: zeros at the end do not count: `[1]`, `[1, 0]`, `[1, 0, 0]` are one seed, `[]`, `[0]`,
#   `[0, 0]` another. A number above 32 bits is the same as the list of its words.
# Why it matters: a script that seeds by (encounter, event) rolls the same dice for encounter 1
#   and for its event 0. The service puts lengths and labels into what it hashes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check numpy==2.4.6

cat > run.py <<'END'
import numpy


def dice(seed: object) -> str:
    """Six d20 of a generator seeded by a number or a list of numbers."""
    return " ".join(map(str, numpy.random.default_rng(seed).integers(1, 21, 6)))


for seed in (1, [1], [1, 0], [1, 0, 0], [0, 1], [1, 2], 1 + 2 * 2**32, 0, [], [0, 0]):
    print(str(seed).ljust(12), dice(seed))
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
1            10 11 16 20 1 3
[1]          10 11 16 20 1 3
[1, 0]       10 11 16 20 1 3
[1, 0, 0]    10 11 16 20 1 3
[0, 1]       11 18 20 12 7 17
[1, 2]       13 9 19 9 2 9
8589934593   13 9 19 9 2 9
0            18 13 11 6 7 1
[]           18 13 11 6 7 1
[0, 0]       18 13 11 6 7 1
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other seeds are one and the same"
  exit 1
fi
