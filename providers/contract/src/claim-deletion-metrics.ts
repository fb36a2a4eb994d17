import { defineMetrics } from '@kerf/runtime'

/** Counts NodeClaims that Kerf deletes: for the controllers, and for what a provider deletes by itself. */
export const claimDeletionMetrics = defineMetrics({
  disrupted: {
    name: 'karpenter_nodeclaims_disrupted_total',
    type: 'counter',
    help: 'NodeClaims disrupted, by reason, NodePool and termination mode.',
    labels: ['reason', 'nodepool', 'capacity_type', 'consolidation_policy', 'termination_mode'],
  },
})
