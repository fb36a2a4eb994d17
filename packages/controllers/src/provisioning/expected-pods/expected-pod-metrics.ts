import { defineMetrics } from '@kerf/runtime'

export const expectedPodMetrics = defineMetrics({
  expected: {
    name: 'kerf_expected_pods',
    type: 'gauge',
    help: 'Pods that owners still have to create and that plans include. Only with PLAN_EXPECTED_PODS=on.',
  },
  unused: {
    name: 'kerf_expected_pods_missing_total',
    type: 'counter',
    help: 'Expected pods that did not appear within 60 seconds. The capacity planned for them is free again.',
  },
  removed: {
    name: 'kerf_expected_pods_claims_deleted_total',
    type: 'counter',
    help: 'NodeClaims that were launched for expected pods and deleted because no pod was bound to their nodes.',
    labels: ['nodepool'],
  },
})
