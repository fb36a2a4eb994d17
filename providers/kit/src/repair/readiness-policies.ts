import type { Milliseconds } from '@kerf/apis'
import type { RepairPolicy } from '@kerf/provider-contract'

/** Nodes are replaced once their kubelet has said for this long that they are not ready, or has said nothing at all. */
export const readinessPolicies = (toleration: Milliseconds): readonly [RepairPolicy, RepairPolicy] => [
  { conditionType: 'Ready', conditionStatus: 'False', toleration },
  { conditionType: 'Ready', conditionStatus: 'Unknown', toleration },
]
