// Where the service is that this page came from, and the addresses of pages.

/** The address of the service, without a slash at its end; it may lie behind a path. Bundled, this
 * module is a part of `web/RELEASE/FILE`. */
export const SERVICE = new URL("../..", import.meta.url).href.replace(/\/$/, "");

/**
 * The address of a page.
 *
 * @param {string} path such as `play` or `replay/ID`
 * @param {Record<string, string | undefined>} [fragment]
 */
export function pageAddress(path, fragment = {}) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(fragment)) if (value) parts.set(name, value);
  const text = parts.toString();
  return `${SERVICE}/${path}${text ? `#${text}` : ""}`;
}

/** @returns {URLSearchParams} what is behind `#` in this page's address */
export function fragment() {
  return new URLSearchParams(location.hash.slice(1));
}
