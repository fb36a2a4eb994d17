import { defineMetrics } from '@kerf/runtime'

/** Counters of the NodeClaims that Kerf deletes, including those that a provider deletes itself. */
export const claimDeletionMetrics = defineMetrics({
  disrupted: {
    name: 'karpenter_nodeclaims_disrupted_total',
    type: 'counter',
    help: 'NodeClaims disrupted, by reason, NodePool and termination mode.',
    labels: ['reason', 'nodepool', 'capacity_type', 'consolidation_policy', 'termination_mode'],
  },
})
