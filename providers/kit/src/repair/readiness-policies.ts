import type { Milliseconds } from '@kerf/apis'
import type { RepairPolicy } from '@kerf/provider-contract'

/** Returns policies that repair a Node after its Ready condition has been False or Unknown for this long. */
export const readinessPolicies = (toleration: Milliseconds): readonly [RepairPolicy, RepairPolicy] => [
  { conditionType: 'Ready', conditionStatus: 'False', toleration },
  { conditionType: 'Ready', conditionStatus: 'Unknown', toleration },
]
