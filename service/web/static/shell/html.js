// Markup as tagged templates: `html` makes preact's elements of them.
import htm from "htm";
import { h } from "preact";

/** @typedef {import("preact").ComponentChildren} Children */

/** @type {(strings: TemplateStringsArray, ...values: unknown[]) => any} */
export const html = /** @type {any} */ (htm).bind(h);
