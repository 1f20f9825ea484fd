/** The constants of SHA-2 (FIPS 180-4): computed, so that no digit can be mistyped. */

/**
 * The first bits of the fractional parts of the square or cube roots of the first primes.
 * @param {number} count
 * @param {2n | 3n} root
 * @param {32n | 64n} bits
 * @returns {bigint[]}
 */
export function rootFractions(count, root, bits) {
  const words = [];
  for (let candidate = 2n; words.length < count; candidate++) {
    if (isPrime(candidate)) {
      words.push(wholeRoot(candidate << (bits * root), root, bits + 8n) & ((1n << bits) - 1n));
    }
  }
  return words;
}

/** @param {bigint} candidate */
function isPrime(candidate) {
  for (let each = 2n; each * each <= candidate; each++) if (candidate % each === 0n) return false;
  return true;
}

/**
 * The greatest integer of so many bits whose power is not above a value.
 * @param {bigint} value
 * @param {bigint} root
 * @param {bigint} bits
 */
function wholeRoot(value, root, bits) {
  let whole = 0n;
  for (let bit = 1n << bits; bit > 0n; bit >>= 1n) {
    if ((whole | bit) ** root <= value) whole |= bit;
  }
  return whole;
}
