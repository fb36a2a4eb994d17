import { defineMetrics } from '@kerf/runtime'

export const refusedPodMetrics = defineMetrics({
  paused: {
    name: 'kerf_pods_refused_by_scheduler',
    type: 'gauge',
    help: 'Pending pods that kube-scheduler rejected several times on a ready node that has room for them by the rules of Kerf. Kerf launches no nodes for them for some time.',
  },
})
