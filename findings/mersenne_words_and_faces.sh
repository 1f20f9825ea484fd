#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: random-js 2.1.0 (npm), numpy 2.4.6 (PyPI)
# Expected: NumPy and random-js, both Mersenne Twister with seed 1, give the same words and so
#   the same d6.
# Seen: the words agree, the faces do not: each takes other bits of a word and rejects others.
# Why it matters: the name of a generator and a seed do not fix the dice. The service publishes
#   how bytes become faces, with rejection and order.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund random-js@2.1.0
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check numpy==2.4.6

cat > words.cjs <<'END'
const { MersenneTwister19937, integer } = require("random-js");
const words = MersenneTwister19937.seed(1);
console.log("random-js words", words.next() >>> 0, words.next() >>> 0);
const faces = MersenneTwister19937.seed(1);
console.log("random-js faces", Array.from({ length: 10 }, () => integer(1, 6)(faces)).join(" "));
END

cat > words.py <<'END'
import numpy

words = numpy.random.RandomState(1).randint(0, 2**32, 2, dtype=numpy.uint32)
print("numpy words    ", *words)
print("numpy faces    ", *numpy.random.RandomState(1).randint(1, 7, 10))
END

seen=$(node words.cjs && venv/bin/python words.py)
echo "$seen"
expected=$(cat <<'END'
random-js words 1791095845 4282876139
random-js faces 2 6 1 3 2 2 6 6 6 1
numpy words     1791095845 4282876139
numpy faces     6 4 5 1 2 4 6 1 1 2
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: words or faces of seed 1 differ from those seen"
  exit 1
fi
