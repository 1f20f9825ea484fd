#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: jsonlines 0.1.1 (npm), ndjson 2.0.0 (npm)
# Expected: a letter whose bytes come in two chunks is put together again, as ndjson does.
# Seen: jsonlines decodes each chunk by itself. Both halves become U+FFFD, and no error is raised:
#   the line is still JSON.
# Why it matters: a bundle is NDJSON and comes in chunks. In a log with Russian names about every
#   second chunk ends inside a letter; the event then has another name and another hash.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund jsonlines@0.1.1 ndjson@2.0.0

cat > run.cjs <<'END'
const bytes = Buffer.from('{"name":"Маг"}\n{"name":"Орк"}\n');
for (const name of ["ndjson", "jsonlines"]) {
  for (const size of [bytes.length, 10]) {
    const names = [];
    const parser = require(name).parse();
    parser.on("data", (event) => names.push(event.name));
    parser.on("end", () => console.log(name, "chunks of", size, names.join(" ")));
    for (let at = 0; at < bytes.length; at += size) parser.write(bytes.subarray(at, at + size));
    parser.end();
  }
}
END

seen=$(node run.cjs | LC_ALL=C sort)
echo "$seen"
expected=$(cat <<'END'
jsonlines chunks of 10 ��аг О��к
jsonlines chunks of 36 Маг Орк
ndjson chunks of 10 Маг Орк
ndjson chunks of 36 Маг Орк
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other names are read"
  exit 1
fi
