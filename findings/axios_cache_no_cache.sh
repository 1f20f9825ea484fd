#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: axios 1.21.1 (npm), axios-cache-interceptor 1.12.3 (npm)
# Expected: an answer with `no-cache` and a tag is kept and asked for again with `If-None-Match`,
#   as one with `max-age=0, must-revalidate` is.
# Seen: `no-cache` counts as `no-store`: nothing is kept and no tag is ever sent. In Node `private`
#   counts the same, unless `location` of the instance is set to "client"; as an option it is
#   ignored.
# Why it matters: the service sends `private, no-cache` and a tag with each state. With this client
#   each poll brings the whole state; a client that sends `If-None-Match` itself gets a 304.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund axios@1.21.1 axios-cache-interceptor@1.12.3

cat > run.mjs <<'END'
import http from "node:http";
import axios from "axios";
import { setupCache } from "axios-cache-interceptor";

let policy = "";
let asked = [];
const server = http.createServer((request, response) => {
  const known = request.headers["if-none-match"];
  asked.push(known ? "with tag" : "without");
  response.writeHead(known ? 304 : 200, { "Cache-Control": policy, ETag: '"7-abc"' });
  response.end(known ? undefined : "{}");
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const url = `http://127.0.0.1:${server.address().port}/`;
for (const place of ["unset", "option", "instance"]) {
  for (policy of ["max-age=0, must-revalidate", "private, max-age=0", "no-cache"]) {
    asked = [];
    const client = setupCache(axios.create(), place === "option" ? { location: "client" } : {});
    if (place === "instance") client.location = "client";
    await client.get(url);
    await client.get(url);
    console.log(`location ${place}, ${policy}: second request ${asked[1] ?? "not sent"}`);
  }
}
server.closeAllConnections();
server.close();
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
location unset, max-age=0, must-revalidate: second request with tag
location unset, private, max-age=0: second request without
location unset, no-cache: second request without
location option, max-age=0, must-revalidate: second request with tag
location option, private, max-age=0: second request without
location option, no-cache: second request without
location instance, max-age=0, must-revalidate: second request with tag
location instance, private, max-age=0: second request with tag
location instance, no-cache: second request without
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other requests carry a tag"
  exit 1
fi
