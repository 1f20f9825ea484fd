#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: fzstd 0.1.1 (PyPI), zstandard 0.25.0 (PyPI)
# Expected: the reader in pure Python gives back what zstandard packed.
# Seen: of a run of one character the first comes back and the rest as zeros, without an error,
#   although the frame carries a checksum. A text without such a run comes back whole.
# Why it matters: the rows of a battle map are such runs. A bundle that was unpacked by it is read,
#   and its hashes are then wrong for a reason that is not in the bundle.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check fzstd==0.1.1 zstandard==0.25.0

cat > run.py <<'END'
import fzstd
import zstandard

packer = zstandard.ZstdCompressor(write_checksum=True)
for text in (b"Orc moves to 3, 4. Orc attacks Mara.", b"#" + b"." * 40 + b"#"):
    packed = packer.compress(text)
    assert zstandard.ZstdDecompressor().decompress(packed) == text
    print(text, "->", bytes(fzstd.decompress(packed)).replace(b"\0", b"0"))
END

seen=$(venv/bin/python run.py)
echo "$seen"
expected=$(cat <<'END'
b'Orc moves to 3, 4. Orc attacks Mara.' -> b'Orc moves to 3, 4. Orc attacks Mara.'
b'#........................................#' -> b'#.0000000000000000000000000000000000000#.#'
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other bytes are unpacked"
  exit 1
fi
