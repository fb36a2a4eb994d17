/** The number of trials (of a pod set on a node) that a typical machine performs per millisecond. */
const TRIALS_PER_MILLISECOND = 7_000
/** A budget in milliseconds is meant for batches of at most this many pods. Larger batches get more work. */
const USUAL_BATCH = 1_000
/** The exponent of the budget's growth: ten times as many pods get about 1.5 times the budget. */
const GROWTH = 0.17

/**
 * Converts a budget in milliseconds to units of work. For up to a thousand pods, a typical machine needs about that time for this work.
 * Larger batches get more work. A budget counts work instead of time, so that the same input gives the same plan on every machine.
 */
export const trialsWithin = (milliseconds: number, pods: number): number =>
  Math.round(milliseconds * TRIALS_PER_MILLISECOND * Math.max(1, pods / USUAL_BATCH) ** GROWTH)

/** The default budget of the improvement pass in milliseconds. */
const DEFAULT_BUDGET = 200

/** Returns the default budget for a number of pods, in units of work. */
export const defaultBudget = (pods: number): number => trialsWithin(DEFAULT_BUDGET, pods)
