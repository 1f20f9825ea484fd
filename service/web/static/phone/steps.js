// The choices of a person on the way through an action, and the same way on what is legal now.

/** @typedef {import("warlog").LegalAction} LegalAction */
/** @typedef {import("warlog").LegalParameter} LegalParameter */
/** @typedef {import("warlog").LegalWalk} LegalWalk */
/** @typedef {{name: string, value?: any, at?: {x: number, y: number}, isLeft?: boolean}} Step without a value: opened or left out */

/**
 * What is kept of a choice.
 *
 * @param {LegalParameter} parameter
 * @param {any} choice an option of the parameter, a value, or nothing
 * @returns {Step}
 */
export function stepOf({ name, options }, choice) {
  if (choice === undefined) return { name };
  const option = options?.find((each) => each === choice);
  return option ? { name, value: option.value, ...(option.at && { at: option.at }) } : { name, value: choice };
}

/**
 * What a kept choice is now: an option of the parameter, or the value where none are listed.
 *
 * @param {LegalParameter} parameter
 * @param {Step | undefined} step
 * @returns {any} undefined where it may be chosen no more
 */
export function choiceOf(parameter, step) {
  if (step?.name !== parameter.name) return undefined;
  const { options, form } = parameter;
  if (!options || form === "some_of") return step.value;
  const wanted = JSON.stringify(step);
  const { at } = step;
  return (
    options.find((each) => JSON.stringify(stepOf(parameter, each)) === wanted) ??
    // The same place by another way.
    (at && options.find((each) => each.at?.x === at.x && each.at.y === at.y))
  );
}

/**
 * The walk that steps lead to, as far as they can still be gone.
 *
 * @param {LegalAction} action
 * @param {readonly Step[]} steps
 * @returns {{walk: LegalWalk, lost?: Step, gone: number}} `lost`: the first that is no longer possible
 */
export function retraced(action, steps) {
  let walk = action.start().forced();
  for (const [gone, step] of steps.entries()) {
    const next = stepped(walk, step);
    if (!next) return { walk, lost: step, gone };
    walk = next.forced();
  }
  return { walk, gone: steps.length };
}

/**
 * @param {LegalWalk} walk
 * @param {Step} step
 * @returns {LegalWalk | null}
 */
function stepped(walk, step) {
  const parameter = walk.open.find((each) => each.name === step.name);
  if (!parameter) return null;
  const choice = choiceOf(parameter, step);
  if ("value" in step && choice === undefined) return null;
  try {
    return step.isLeft ? walk.leave(parameter) : walk.choose(parameter, choice);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
