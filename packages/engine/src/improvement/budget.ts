/** The number of trials (of a pod set on a node) that an ordinary machine performs per millisecond. */
const TRIALS_PER_MILLISECOND = 7_000
/** The batch size for which a budget is meant. Larger batches get more. */
const USUAL_BATCH = 1_000
/** The exponent by which the budget grows with the batch: for ten times as many pods, about 1.5 times the budget. */
const GROWTH = 0.17

/**
 * Converts a budget in milliseconds to units of work. For up to a thousand pods, the work takes about that time on an
 * ordinary machine; larger batches get more work. A budget counts work instead of time, so that the same input gives the same
 * plan on every machine.
 */
export const trialsWithin = (milliseconds: number, pods: number): number =>
  Math.round(milliseconds * TRIALS_PER_MILLISECOND * Math.max(1, pods / USUAL_BATCH) ** GROWTH)

/** The default budget of the improvement pass in milliseconds. */
const DEFAULT_BUDGET = 200

/** Returns the default budget for a number of pods, in units of work. */
export const defaultBudget = (pods: number): number => trialsWithin(DEFAULT_BUDGET, pods)
