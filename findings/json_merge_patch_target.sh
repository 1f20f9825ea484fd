#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: json-merge-patch 0.3.0 (PyPI)
# Expected: `merge(document, patch)` returns the new document and leaves the old one as it was.
# Seen: the old document itself is changed and returned; the patch stays as it was.
# Why it matters: a client that keeps the last document to return to after a refused action has
#   lost it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check json-merge-patch==0.3.0

cat > run.py <<'END'
import json_merge_patch

before = {"unit": {"hp": 7}}
patch = {"unit": {"place": {"x": 1}}}
after = json_merge_patch.merge(before, patch)
print("returned", after)
print("old     ", before)
print("one object:", after is before)
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
returned {'unit': {'hp': 7, 'place': {'x': 1}}}
old      {'unit': {'hp': 7, 'place': {'x': 1}}}
one object: True
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: the target is treated otherwise"
  exit 1
fi
