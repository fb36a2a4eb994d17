import { annotations } from '@kerf/apis'
import type { DecisionRow } from './decisions.ts'
import { at, listAt, objectName, textAt } from './read.ts'

/**
 * Which controllers and NodePools decide in this cluster without acting (`docs/spec/coexistence.md#observe-mode`).
 */
export interface Observing {
  /**
   * Set if the controller that the page can reach only observes. `decisions` is the number of decisions that it stores.
   */
  readonly controller: { readonly decisions: number } | undefined
  /** Whether a second controller has published Events and only observes. */
  readonly isBeside: boolean
  /** The names of NodePools that are only observed. */
  readonly pools: readonly string[]
}

/** The source of Events from a controller that only observes. */
const OBSERVER = 'kerf-observe'

const isObserved = (pool: unknown): boolean => textAt(pool, 'metadata', 'annotations', annotations.mode) === 'observe'

/** Returns which controllers and NodePools only observe, from the response of `/kerf/v1/observed`, the decisions, and the NodePools. */
export const observingState = (answer: unknown, rows: readonly DecisionRow[], pools: readonly unknown[]): Observing => {
  const isWhole = at(answer, 'observe') === true
  return {
    controller: isWhole ? { decisions: listAt(answer, 'decisions').length } : undefined,
    isBeside: !isWhole && rows.some(({ from }) => from === OBSERVER),
    pools: pools.filter(isObserved).map(objectName).sort(),
  }
}
