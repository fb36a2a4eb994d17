import { kinds } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

export const wl002: Check = {
  id: 'WL-002',
  group: 'workloads',
  severity: 'information',
  title: 'Deployments with one replica',
  why: 'An eviction stops the only pod before another one runs, so each consolidation is an outage of the workload. A second replica or do-not-disrupt prevents this.',
  reads: ['Deployment'],
  examine({ objects }) {
    const single = objects
      .of(kinds.Deployment)
      .filter(
        ({ spec, metadata }) =>
          (spec.replicas ?? 1) === 1 &&
          metadata.namespace !== 'kube-system' &&
          spec.template?.metadata?.annotations?.['karpenter.sh/do-not-disrupt'] === undefined,
      )
    return foundAny(
      single.map(objectName),
      { seen: 'one replica each', remedy: 'kubectl -n NAMESPACE scale deployment NAME --replicas 2' },
      'each Deployment has several replicas or do-not-disrupt',
    )
  },
}
