#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: etag_generator 0.9.1 (PyPI)
# Expected: two JSON values that differ have different tags.
# Seen: one tag for 1 and "1", for [] and {}, for ["a:b"] and ["a", "b"], and for one field that
#   holds "1|y:2" and two fields x and y.
# Why it matters: such a tag does not notice that a list of conditions was emptied and rewritten
#   or that a name took in another, so `If-Match` lets an outdated change through. The tags of the
#   service hold the number and the hash of the last event.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check etag_generator==0.9.1

cat > run.py <<'END'
from etag_generator import generate_etag

PAIRS = (
    ({"hp": 1}, {"hp": 2}),
    ({"hp": 1}, {"hp": "1"}),
    ({"held": []}, {"held": {}}),
    (["a:b"], ["a", "b"]),
    ({"x": "1|y:2"}, {"x": 1, "y": 2}),
)
for one, other in PAIRS:
    print("same" if generate_etag(one) == generate_etag(other) else "other", one, other)
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
other {'hp': 1} {'hp': 2}
same {'hp': 1} {'hp': '1'}
same {'held': []} {'held': {}}
same ['a:b'] ['a', 'b']
same {'x': '1|y:2'} {'x': 1, 'y': 2}
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other values share a tag"
  exit 1
fi
