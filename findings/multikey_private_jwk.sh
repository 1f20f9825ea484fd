#!/usr/bin/env bash
# Date: 2026-12-01
# Packages: @digitalbazaar/ed25519-multikey 1.3.1 (npm), jose 6.2.18 (npm), Node 20
# Expected: a private Ed25519 key that one library exports as a JWK is read by the others: `d` is
#   the 32 bytes of the private key (RFC 8037).
# Seen: `toJwk` writes 64 bytes, the private key followed by the public one, and Node and jose
#   refuse the key. `fromJwk` reads the 32 bytes that Node writes, and Node verifies what it signs,
#   so only one direction works. Public keys work both ways.
# Why it matters: receipts and bundles are signed with Ed25519, and keys move between tools as JWK.
#   The first 32 bytes of such a `d` are the key.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund @digitalbazaar/ed25519-multikey@1.3.1 jose@6.2.18

cat > run.mjs <<'END'
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import * as multikey from "@digitalbazaar/ed25519-multikey";
import { importJWK } from "jose";

const keyPair = await multikey.generate({});
const jwk = await multikey.toJwk({ keyPair, secretKey: true });
const bytes = Buffer.from(jwk.d, "base64url");
const short = { ...jwk, d: bytes.subarray(0, 32).toString("base64url") };
const { d, ...open } = jwk;

async function outcome(read) {
  try {
    await read();
    return "read";
  } catch (error) {
    return "refused";
  }
}

console.log("d of multikey has", bytes.length, "bytes");
console.log("node, public key:", await outcome(() => createPublicKey({ key: open, format: "jwk" })));
for (const [name, key] of [["64 bytes", jwk], ["32 bytes", short]]) {
  console.log(`node, ${name}:`, await outcome(() => createPrivateKey({ key, format: "jwk" })));
  console.log(`jose, ${name}:`, await outcome(() => importJWK(key, "EdDSA")));
}

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const read = await multikey.fromJwk({ jwk: privateKey.export({ format: "jwk" }), secretKey: true });
const data = Buffer.from("receipt");
const signature = await read.signer().sign({ data });
console.log("key of node in multikey signs:", verify(null, data, publicKey, Buffer.from(signature)));
END

seen=$(node run.mjs)
echo "$seen"
expected=$(cat <<'END'
d of multikey has 64 bytes
node, public key: read
node, 64 bytes: refused
jose, 64 bytes: refused
node, 32 bytes: read
jose, 32 bytes: read
key of node in multikey signs: true
END
)
if [ "$seen" != "$expected" ]; then
  echo "changed: other keys are read"
  exit 1
fi
