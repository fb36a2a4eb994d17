import { defineMetrics } from '@kerf/runtime'

export const refusedPodMetrics = defineMetrics({
  paused: {
    name: 'kerf_pods_refused_by_scheduler',
    type: 'gauge',
    help: 'Pending pods that kube-scheduler refused several times on a ready node that has room for them by Kerf’s rules. Kerf launches nothing for them for a while.',
  },
})
