import type { Pod, Taint } from '@kerf/apis'
import type { Labels } from './label-sets.ts'

/** A node after the plan: the pods that already run there and the pods that the plan adds. */
export interface Place {
  readonly name: string
  readonly labels: Labels
  readonly taints: readonly Taint[]
  readonly running: readonly Pod[]
  readonly coming: readonly Pod[]
}
