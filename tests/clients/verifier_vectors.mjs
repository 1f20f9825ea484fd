// What the modules of the verifier make of the published vectors, as one JSON object.

import crypto from "node:crypto";
import { readFileSync } from "node:fs";

const [library, vectors] = process.argv.slice(2);
const load = (name) => import(`${library}/source/${name}.js`);
const read = (name) => JSON.parse(readFileSync(`${vectors}/${name}`, "utf8"));
const { fromHex, hex, label, utf8 } = await load("bytes");
const { canonicalText } = await load("canonical_json");
const { OWN, platformDigests } = await load("digests");
const { Stream, commitmentTo, diceKey, firstBlock } = await load("dice");
const { partNames, viewOf, wholeOf } = await load("parts");
const { isSigned, keyId, signedBytes } = await load("receipts");
const { sha512 } = await load("sha512");
const { verifyEd25519 } = await load("ed25519");

const results = { own: under(OWN), platform: under(platformDigests()), primitives: primitives() };
process.stdout.write(JSON.stringify(results));

function under(digests) {
  return {
    name: digests.name,
    canonical: read("canonical.json").map(({ text }) => {
      const written = canonicalText(JSON.parse(text));
      return { text: written, hash: digests.sha256Hex(label("warlog/event/1"), written) };
    }),
    dice: dice(digests, read("dice.json")),
    event: event(digests, read("event.json")),
    views: read("views.json").map(views),
    receipts: receipts(digests, read("receipts.json")),
  };
}

function dice(digests, { seed, encounter, contributions, dice: throws }) {
  const key = diceKey(digests, seed, encounter, contributions);
  return {
    commitment: commitmentTo(digests, seed),
    dice_key: hex(key),
    dice_key_without_contributions: hex(diceKey(digests, seed, encounter, [])),
    first_block_of_event_3_stream_0: firstBlock(digests, key, 3, 0),
    faces: throws.map(({ seq, stream, sides }) => {
      const opened = new Stream(digests, key, seq, stream);
      return sides.map((each) => opened.face(each));
    }),
  };
}

function event(digests, { body, parts, commits }) {
  return {
    hash: digests.sha256Hex(label("warlog/event/1"), body),
    commits: parts.map((each) =>
      digests.sha256Hex(label("warlog/seal/1"), fromHex(each.salt), utf8(each.body)),
    ),
    sealed: digests.sha256Hex(...commits.map(fromHex)),
    names: partNames(["red", "blue"]),
  };
}

function views({ sides, body, parts }) {
  const opened = new Map(
    parts.map((each) => [`${each.kind}/${each.audience}`, JSON.parse(each.body)]),
  );
  const seen = new Map(
    ["everyone", ...sides].map((each) => [each, viewOf(JSON.parse(body), opened, each)]),
  );
  const texts = [...seen, ["gm", wholeOf(seen, opened)]];
  return Object.fromEntries(texts.map(([name, value]) => [name, canonicalText(value)]));
}

function receipts(digests, { public_key: publicKey, alone, together }) {
  const all = [alone.receipt, ...together.receipts];
  return {
    kid: keyId(digests, publicKey),
    signed: all.map((each) => hex(signedBytes(digests, each))),
    genuine: all.map((each) => isSigned(digests, each, publicKey)),
    forged: all.map((each) => isSigned(digests, { ...each, seq: each.seq + 1 }, publicKey)),
  };
}

// Whether our own primitives agree with those of the platform, for lengths around the blocks.
function primitives() {
  const { privateKey, publicKey } = crypto.generateKeyPairSync("ed25519");
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x, "base64url"));
  const lengths = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 1000];
  const messages = lengths.map((length) => new Uint8Array(crypto.randomBytes(length)));
  const of = (name, message) => crypto.createHash(name).update(message).digest("hex");
  return {
    sha256: messages.every((each) => OWN.sha256Hex(each) === of("sha256", each)),
    sha512: messages.every((each) => hex(sha512(each)) === of("sha512", each)),
    hmac: messages.every(
      (each) =>
        hex(OWN.hmacSha256(each, each)) ===
        crypto.createHmac("sha256", each).update(each).digest("hex"),
    ),
    ed25519: messages.slice(0, 4).map((message) => {
      const signature = new Uint8Array(crypto.sign(null, message, privateKey));
      const other = signature.map((each, at) => (at === 3 ? each ^ 1 : each));
      return [
        verifyEd25519(raw, message, signature),
        verifyEd25519(raw, message, other),
        verifyEd25519(raw, Uint8Array.of(...message, 0), signature),
        verifyEd25519(raw, message, beyondOrder(signature)),
        verifyEd25519(new Uint8Array(32).fill(255), message, signature),
        verifyEd25519(raw, message, signature.subarray(1)),
      ];
    }),
  };
}

// The same signature with S + L, which a careless verifier takes as well.
function beyondOrder(signature) {
  let s = 2n ** 252n + 27742317777372353535851937790883648493n;
  for (let at = 31; at >= 0; at--) s += BigInt(signature[32 + at]) << BigInt(8 * at);
  return signature.map((each, at) =>
    at < 32 ? each : Number((s >> BigInt(8 * (at - 32))) & 255n),
  );
}
