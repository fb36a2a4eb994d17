import type { Pod, Taint } from '@kerf/apis'
import type { Labels } from './label-sets.ts'

/** A node after the plan, with the pods that run there and those that the plan adds. */
export interface Place {
  readonly name: string
  readonly labels: Labels
  readonly taints: readonly Taint[]
  readonly running: readonly Pod[]
  readonly coming: readonly Pod[]
}
