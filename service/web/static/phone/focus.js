// Where the focus goes when what had it is done with: to the next question or to the outcome, never
// nowhere, where keyboard and screen reader would begin again.
import { useEffect } from "preact/hooks";

/** @type {Element | null} */
let last = null;
addEventListener("focusin", (event) => {
  last = /** @type {Element} */ (event.target);
});

/** Whether what had the focus is to be seen no more. */
const isLost = () => last !== null && document.activeElement === document.body && last.getClientRects().length === 0;

const QUESTION = ".question h2";
const OUTCOME = "#happened";

export function focusNext() {
  const place = document.querySelector(QUESTION) ?? document.querySelector(OUTCOME) ?? document.querySelector("main");
  /** @type {HTMLElement | null} */ (place)?.focus();
}

/** Behind each drawing: catch a focus that was lost, and lead from the outcome to a question that it brought. */
export function useFocus() {
  useEffect(() => {
    const isAtOutcome = document.activeElement?.matches(OUTCOME) ?? false;
    if (isLost() || (isAtOutcome && document.querySelector(QUESTION))) focusNext();
  });
}
