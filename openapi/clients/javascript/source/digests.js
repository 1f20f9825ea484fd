/**
 * Hashes and signatures behind one interface: of the platform where it has them at once, else our
 * own. Both give the same bytes; `OWN` needs nothing but the language.
 */

import { hex, utf8 } from "./bytes.js";
import { isPublicKey, verifyEd25519 } from "./ed25519.js";
import { hmacSha256, sha256 } from "./sha256.js";

/**
 * @typedef {object} Digests
 * @property {string} name
 * @property {(...parts: (string | Uint8Array)[]) => string} sha256Hex
 *   SHA-256 over texts in UTF-8 and bytes, one behind the other, in hex
 * @property {(key: Uint8Array, message: Uint8Array) => Uint8Array} hmacSha256
 * @property {(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean} verify
 *   an Ed25519 signature
 */

/** @type {Digests} */
export const OWN = {
  name: "own",
  sha256Hex: (...parts) =>
    hex(sha256(...parts.map((each) => (typeof each === "string" ? utf8(each) : each)))),
  hmacSha256,
  verify: verifyEd25519,
};

/**
 * The digests of this platform: those of node:crypto where it can be had without waiting.
 * @returns {Digests}
 */
export function platformDigests() {
  const process = /** @type {{process?: {getBuiltinModule?: (name: string) => unknown}}} */ (
    globalThis
  ).process;
  const crypto = process?.getBuiltinModule?.("node:crypto");
  return crypto ? ofNode(/** @type {typeof import("node:crypto")} */ (crypto)) : OWN;
}

/**
 * @param {typeof import("node:crypto")} crypto
 * @returns {Digests}
 */
function ofNode(crypto) {
  /** The last key and its object: whoever checks receipts has few keys. */
  let [name, key] = ["", /** @type {import("node:crypto").KeyObject | undefined} */ (undefined)];
  return {
    name: "node:crypto",
    sha256Hex: (...parts) => {
      const hash = crypto.createHash("sha256");
      for (const each of parts) hash.update(/** @type {string} */ (each));
      return hash.digest("hex");
    },
    hmacSha256: (secret, message) => crypto.createHmac("sha256", secret).update(message).digest(),
    verify: (publicKey, message, signature) => {
      if (hex(publicKey) !== name) {
        name = hex(publicKey);
        key = isPublicKey(publicKey) ? keyOf(crypto, publicKey) : undefined;
      }
      return key !== undefined && crypto.verify(null, message, key, signature);
    },
  };
}

/**
 * @param {typeof import("node:crypto")} crypto
 * @param {Uint8Array} publicKey
 */
function keyOf(crypto, publicKey) {
  const x = Buffer.from(publicKey).toString("base64url");
  return crypto.createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}
