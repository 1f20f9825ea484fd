#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: patchdiff 1.0.0 (PyPI), json-merge-patch 0.3.0 (PyPI), deepdiff 9.1.0 (PyPI),
#   jsonpatch 1.48 (PyPI)
# Expected: a change from 0 to false or from 1 to true is a change to every library that compares
#   JSON in Python.
# Seen: patchdiff and json-merge-patch see none, DeepDiff sees it in an object and not in a list,
#   jsonpatch sees it everywhere.
# Why it matters: a field that turns from a count into a flag stays behind at a client that makes
#   patches of its own. The service compares the texts of values, so it sees the change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check \
  patchdiff==1.0.0 json-merge-patch==0.3.0 deepdiff==9.1.0 jsonpatch==1.48

cat > run.py <<'END'
import deepdiff
import json_merge_patch
import jsonpatch
import patchdiff

LIBRARIES = {
    "patchdiff": lambda before, after: patchdiff.diff(before, after)[0],
    "json-merge-patch": json_merge_patch.create_patch,
    "deepdiff": deepdiff.DeepDiff,
    "jsonpatch": lambda before, after: jsonpatch.make_patch(before, after).patch,
}
PAIRS = (
    ({"ammo": 0}, {"ammo": False}),
    ({"ammo": 1}, {"ammo": True}),
    ({"ammo": [0]}, {"ammo": [False]}),
)
for before, after in PAIRS:
    blind = [name for name, differ in LIBRARIES.items() if not differ(before, after)]
    print(before["ammo"], after["ammo"], "unseen by", *blind)
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
0 False unseen by patchdiff json-merge-patch
1 True unseen by patchdiff json-merge-patch
[0] [False] unseen by patchdiff json-merge-patch deepdiff
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other changes are seen"
  exit 1
fi
