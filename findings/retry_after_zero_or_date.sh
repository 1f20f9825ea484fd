#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: axios 1.21.1 (npm), axios-retry 4.5.0 (npm), retry-axios 4.0.3 (npm),
#   @vercel/fetch-retry 5.1.3 (npm)
# Expected: `Retry-After: 0` means "at once", a date means "not before it".
# Seen: axios-retry does both. retry-axios gives up for good on 0 and on a date that passed a minute
#   ago. fetch-retry does not read a date and comes back at once.
# Why it matters: a relay in front of the service may answer 503 with either form. The service
#   itself sends whole seconds, at least 1, which all three honour.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund \
  axios@1.21.1 axios-retry@4.5.0 retry-axios@4.0.3 @vercel/fetch-retry@5.1.3

cat > run.mjs <<'END'
import http from "node:http";
import axios from "axios";
import axiosRetry from "axios-retry";
import * as retryAxios from "retry-axios";
import fetchRetry from "@vercel/fetch-retry";

const forms = {
  "1": () => "1",
  "0": () => "0",
  "a date to come": () => new Date(Date.now() + 3000).toUTCString(),
  "a date that passed": () => new Date(Date.now() - 60000).toUTCString(),
};
const clients = {
  "axios-retry": (url) => {
    const client = axios.create();
    axiosRetry(client, { retries: 2 });
    return client.get(url);
  },
  "retry-axios": (url) => {
    const client = axios.create();
    retryAxios.attach(client);
    return client.get(url, { raxConfig: { retry: 2 } });
  },
  "fetch-retry": (url) => fetchRetry(fetch)(url),
};

let times = [];
let form = "1";
const server = http.createServer((_, response) => {
  times.push(Date.now());
  response.writeHead(times.length === 1 ? 503 : 200, { "Retry-After": forms[form]() });
  response.end();
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const url = `http://127.0.0.1:${server.address().port}/`;
for (form of ["1", "0", "a date to come", "a date that passed"]) {
  for (const [name, get] of Object.entries(clients)) {
    times = [];
    await get(url).catch(() => {});
    const waited = times[1] - times[0];
    const outcome = times.length === 1 ? "gives up" : waited < 900 ? "at once" : "waits";
    console.log(form.padEnd(18), name, outcome);
  }
}
server.closeAllConnections();
server.close();
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
1                  axios-retry waits
1                  retry-axios waits
1                  fetch-retry waits
0                  axios-retry at once
0                  retry-axios gives up
0                  fetch-retry at once
a date to come     axios-retry waits
a date to come     retry-axios waits
a date to come     fetch-retry at once
a date that passed axios-retry at once
a date that passed retry-axios gives up
a date that passed fetch-retry at once
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: the clients wait otherwise"
  exit 1
fi
