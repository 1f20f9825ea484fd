/** The library: `import { verify } from "warlog"`. */

export { verify } from "./verify.js";
export { keptReceipts } from "./receipts.js";
