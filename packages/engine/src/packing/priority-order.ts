import { parseTime } from '@kerf/apis'
import type { BatchPod } from '../model/equivalence-group.ts'

/**
 * Returns the pods in the order in which they may use the remaining capacity of a ceiling (`docs/spec/policies.md#who-goes-first`): higher
 * priority first, then older pods. Pods that are equal in both keep their order.
 */
export const inPriorityOrder = (queue: readonly BatchPod[]): readonly BatchPod[] =>
  queue
    .map((pod) => ({
      pod,
      priority: pod.pod.spec.priority ?? 0,
      created: parseTime(pod.pod.metadata.creationTimestamp) ?? 0,
    }))
    .sort((a, b) => b.priority - a.priority || a.created - b.created)
    .map(({ pod }) => pod)
