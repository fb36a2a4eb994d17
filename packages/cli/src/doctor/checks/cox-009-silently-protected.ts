import { annotations, controllerOwner, kinds, matchesLabelSelector, ownValue, type Pod } from '@kerf/apis'
import { foundAny, inOrder } from '@kerf/provider-kit/doctor'
import type { Audit } from '../audit.ts'
import type { Check } from '../check.ts'
import { SAFE_TO_EVICT, SAFE_VOLUMES } from '../cluster-autoscaler-annotations.ts'
import { nameOfWorkload, type Workload } from '../workload.ts'

const hasLocalStorage = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some((volume) => {
    const { hostPath, emptyDir } = volume as {
      readonly hostPath?: unknown
      readonly emptyDir?: { readonly medium?: string } | null
    }
    return hostPath !== undefined || (emptyDir !== undefined && emptyDir?.medium !== 'Memory')
  })

/** Returns why Cluster Autoscaler keeps a pod's node although no annotation of the pod prevents its removal. */
const silentReason = (audit: Audit, { pod, pods, kind, namespace }: Workload): string | undefined => {
  const flags = audit.clusterAutoscaler?.flags
  if (flags?.get('skip-nodes-with-local-storage') !== 'false' && hasLocalStorage(pod)) return 'local storage'
  if (kind === 'Pod' && pods.length > 0 && controllerOwner(pod) === undefined) return 'no owner'
  if (namespace !== 'kube-system' || flags?.get('skip-nodes-with-system-pods') === 'false') return undefined
  const hasBudget = audit.objects
    .of(kinds.PodDisruptionBudget)
    .some(
      (budget) =>
        budget.metadata.namespace === namespace && matchesLabelSelector(budget.spec.selector, pod.metadata.labels),
    )
  return hasBudget ? undefined : 'kube-system without a PodDisruptionBudget'
}

export const cox009: Check = {
  id: 'COX-009',
  group: 'coexistence',
  severity: 'warning',
  title: 'Workloads that Cluster Autoscaler protects implicitly',
  why: 'Cluster Autoscaler keeps nodes with pods that have local storage, have no owner, or run in kube-system without a PodDisruptionBudget. Karpenter has no such rules and can evict these pods from its nodes.',
  reads: ['Deployment', 'NodePool', 'PodDisruptionBudget'],
  examine(audit) {
    const { clusterAutoscaler, workloads, serving } = audit
    if (clusterAutoscaler === undefined) return inOrder('there is no Cluster Autoscaler')
    const exposed = workloads.flatMap((workload) => {
      const given = workload.pod.metadata.annotations ?? {}
      const isDecided = [SAFE_TO_EVICT, SAFE_VOLUMES, annotations.doNotDisrupt].some(
        (key) => ownValue(given, key) !== undefined,
      )
      const reason = isDecided || serving.poolsFor(workload).length === 0 ? undefined : silentReason(audit, workload)
      return reason === undefined ? [] : [{ workload, reason }]
    })
    return foundAny(
      exposed.map(({ workload }) => nameOfWorkload(workload)),
      {
        seen: `a NodePool can run them, and only Cluster Autoscaler protects them: ${[...new Set(exposed.map(({ reason }) => reason))].join('; ')}`,
        remedy: `decide for each: ${annotations.doNotDisrupt}: "true", or ${SAFE_TO_EVICT}: "true" when it may be evicted`,
      },
      'no workload is protected by Cluster Autoscaler alone',
    )
  },
}
