#!/usr/bin/env bash
# Date: 2026-11-30
# Packages: canonicalize 5.1.0 (npm), json-canonicalize 3.0.1 (npm), @truestamp/canonify 2.1.0
#   (npm)
# Expected: three packages for RFC 8785 write the same bytes for the same value, keys sorted at
#   every depth, and refuse numbers that JSON does not have.
# Seen: json-canonicalize leaves what a `toJSON` method returns unsorted, so an object with one
#   hashes by the order in which it was built. canonify writes Infinity and NaN as null.
# Why it matters: a client that hashes its own objects, not the bytes it received, sees a broken
#   chain. The bytes of an event are hashed as they are sent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund \
  canonicalize@5.1.0 json-canonicalize@3.0.1 @truestamp/canonify@2.1.0

cat > run.mjs <<'END'
import { canonify } from "@truestamp/canonify";
import canonicalize from "canonicalize";
import { canonicalize as jsonCanonicalize } from "json-canonicalize";

const packages = { canonicalize, "json-canonicalize": jsonCanonicalize, canonify };
const values = {
  plain: { b: 1, a: 2 },
  toJSON: { place: { toJSON: () => ({ y: 1, x: 2 }) } },
  bytes: Buffer.from("a"),
  infinite: [Infinity],
};
for (const [what, value] of Object.entries(values)) {
  for (const [name, write] of Object.entries(packages)) {
    let text;
    try {
      text = write(value);
    } catch (error) {
      text = "refused";
    }
    console.log(what.padEnd(9), name.padEnd(18), text);
  }
}
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
plain     canonicalize       {"a":2,"b":1}
plain     json-canonicalize  {"a":2,"b":1}
plain     canonify           {"a":2,"b":1}
toJSON    canonicalize       {"place":{"x":2,"y":1}}
toJSON    json-canonicalize  {"place":{"y":1,"x":2}}
toJSON    canonify           {"place":{"x":2,"y":1}}
bytes     canonicalize       {"data":[97],"type":"Buffer"}
bytes     json-canonicalize  {"type":"Buffer","data":[97]}
bytes     canonify           {"data":[97],"type":"Buffer"}
infinite  canonicalize       refused
infinite  json-canonicalize  refused
infinite  canonify           [null]
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: the packages write other bytes"
  exit 1
fi
