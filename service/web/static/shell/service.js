// A client of the service that this page came from.
import { Warlog } from "warlog";
import { SERVICE } from "./address.js";
import { settings } from "./settings.js";

/**
 * @param {string} [token]
 */
export function client(token) {
  const language = settings.value.language;
  return new Warlog({ url: SERVICE, language, ...(token === undefined ? {} : { token }) });
}
