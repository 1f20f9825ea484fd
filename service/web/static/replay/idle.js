// Work that nobody asked for: begun once a page is shown and at rest, and not where bytes are dear.

/** So long nothing has been shown again. */
const REST_MS = 1500;

/**
 * @param {() => void} work begun once at most
 * @returns {() => void} to be called when it is no longer wanted
 */
export function whenIdle(work) {
  let timer = 0;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", wait);
  };
  const begin = () => {
    if (isStopped) return;
    stop();
    work();
  };
  const rested = () => {
    if ("requestIdleCallback" in window) requestIdleCallback(begin);
    else begin();
  };
  function wait() {
    clearTimeout(timer);
    if (document.visibilityState === "visible") timer = setTimeout(rested, REST_MS);
  }
  if (!isDear()) {
    document.addEventListener("visibilitychange", wait);
    wait();
  }
  return stop;
}

/** Whether somebody pays for what is loaded, or waits long for it. */
function isDear() {
  /** @type {{saveData?: boolean, type?: string, effectiveType?: string} | undefined} */
  const connection = Reflect.get(navigator, "connection");
  return connection?.saveData === true || connection?.type === "cellular" || /2g$/.test(connection?.effectiveType ?? "");
}
