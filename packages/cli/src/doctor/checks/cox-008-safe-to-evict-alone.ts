import { annotations } from '@kerf/apis'
import { foundAny } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'
import { SAFE_TO_EVICT } from '../cluster-autoscaler-annotations.ts'
import { nameOfWorkload } from '../workload.ts'

export const cox008: Check = {
  id: 'COX-008',
  group: 'coexistence',
  severity: 'critical',
  title: 'safe-to-evict without do-not-disrupt',
  why: 'Karpenter does not read the annotations of Cluster Autoscaler. Pods with safe-to-evict: "false" can be evicted from nodes of NodePools unless they also have karpenter.sh/do-not-disrupt.',
  reads: ['NodePool'],
  examine({ workloads, serving }) {
    const exposed = workloads.filter((workload) => {
      const given = workload.pod.metadata.annotations ?? {}
      const isProtected = given[SAFE_TO_EVICT] === 'false' || given[SAFE_TO_EVICT] === 'on-completion'
      return isProtected && given[annotations.doNotDisrupt] === undefined && serving.poolsFor(workload).length > 0
    })
    return foundAny(
      exposed.map(nameOfWorkload),
      {
        seen: `they have ${SAFE_TO_EVICT}, a NodePool can run them, and ${annotations.doNotDisrupt} is missing`,
        remedy: `add ${annotations.doNotDisrupt}: "true" to the annotations of the pod template, and set terminationGracePeriod on the NodePool`,
      },
      `each pod with ${SAFE_TO_EVICT} that a NodePool can run has ${annotations.doNotDisrupt} too`,
    )
  },
}
