/** Trials of a pod set on a node that are done in a millisecond on an ordinary machine. */
const TRIALS_PER_MILLISECOND = 7_000
/** Pods of a batch that the whole of a budget is meant for; larger ones get more, ten times the pods half as much again. */
const USUAL_BATCH = 1_000
const GROWTH = 0.17

/**
 * The work that a budget stands for: about that many milliseconds on an ordinary machine for a batch of up to a thousand
 * pods, more for a larger one. Counted in work, so that the same input gives the same plan on every machine.
 */
export const workOf = (milliseconds: number, pods: number): number =>
  Math.round(milliseconds * TRIALS_PER_MILLISECOND * Math.max(1, pods / USUAL_BATCH) ** GROWTH)

/** What a plan may take to become cheaper when nobody says otherwise. */
const DEFAULT_BUDGET = 200

/** Work that is worth its time, by the number of pods. */
export const defaultBudget = (pods: number): number => workOf(DEFAULT_BUDGET, pods)
