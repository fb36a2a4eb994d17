import { annotations } from '@kerf/apis'
import type { DecisionRow } from './decisions.ts'
import { at, listAt, nameOf, textAt } from './read.ts'

/** What decides here and does nothing (`docs/spec/coexistence.md#observe-mode`). */
export interface Observing {
  /** The controller that answers this page observes, and keeps so many decisions; nothing where it acts or does not answer. */
  readonly controller: { readonly decisions: number } | undefined
  /** A controller that observes beside another one has reported. */
  readonly isBeside: boolean
  /** NodePools that are only observed, by name. */
  readonly pools: readonly string[]
}

/** The source of the Events of a controller that observes. */
const OBSERVER = 'kerf-observe'

const isObserved = (pool: unknown): boolean => textAt(pool, 'metadata', 'annotations', annotations.mode) === 'observe'

/** From the answer of `/kerf/v1/observed`, what was reported, and the NodePools. */
export const observingOf = (answer: unknown, rows: readonly DecisionRow[], pools: readonly unknown[]): Observing => {
  const isWhole = at(answer, 'observe') === true
  return {
    controller: isWhole ? { decisions: listAt(answer, 'decisions').length } : undefined,
    isBeside: !isWhole && rows.some(({ from }) => from === OBSERVER),
    pools: pools.filter(isObserved).map(nameOf).sort(),
  }
}
