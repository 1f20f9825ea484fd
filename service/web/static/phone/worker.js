// Shows the page again when its notice is tapped. Nothing is kept or fetched here.
/** @typedef {{url: string, focus: () => Promise<unknown>}} OpenPage */

const worker = /** @type {any} */ (self);

/** @param {string} address */
async function showAgain(address) {
  /** @type {OpenPage[]} */
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((each) => each.url === address) ?? pages[0];
  await (page ? page.focus() : worker.clients.openWindow(address));
}

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(showAgain(event.notification.data));
});
