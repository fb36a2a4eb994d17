import type { Pod } from '@kerf/apis'
import type { PodGroup } from './pod-group.ts'

/** A pod of the batch: its class and its place in the queue. */
export interface BatchPod {
  readonly pod: Pod
  readonly podGroup: PodGroup
}
