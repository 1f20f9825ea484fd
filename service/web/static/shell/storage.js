// JSON in local storage. Browsers may forbid that or have no room: then it lasts as long as the page.

/** @type {Map<string, string>} */
const forNow = new Map();

/** @returns {Storage | null} */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @returns {any} what was kept; null for nothing, or for what cannot be read
 */
export function kept(key) {
  const text = forNow.get(key) ?? storage()?.getItem(key) ?? null;
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
export function keep(key, value) {
  const text = JSON.stringify(value);
  try {
    storage()?.setItem(key, text);
    forNow.delete(key);
    if (storage() === null) forNow.set(key, text);
  } catch {
    forNow.set(key, text);
  }
}

/** @param {string} prefix everything whose key begins with it is forgotten */
export function wipe(prefix) {
  for (const key of keysWith(prefix)) {
    forNow.delete(key);
    storage()?.removeItem(key);
  }
}

/**
 * @param {string} prefix
 * @returns {string[]} sorted
 */
export function keysWith(prefix) {
  const own = storage();
  const names = new Set(forNow.keys());
  for (let i = 0; own !== null && i < own.length; i += 1) names.add(own.key(i) ?? "");
  return [...names].filter((name) => name.startsWith(prefix)).sort();
}
