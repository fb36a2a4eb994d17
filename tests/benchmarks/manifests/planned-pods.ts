import type { DaemonSet, KubeObject, Pod } from '@kerf/apis'
import { daemonSetPod } from '@kerf/controllers'
import type { Manifest } from '../../../packages/cli/src/manifests/manifest.ts'
import { morePods } from '../../../packages/cli/src/workloads/pods-of-workload.ts'
import { PresentPods } from '../../../packages/cli/src/workloads/present-pods.ts'
import { isPod, isWorkload } from '../../../packages/cli/src/workloads/workload.ts'

const isDaemonSet = (object: KubeObject): object is DaemonSet =>
  object.kind === 'DaemonSet' && object.apiVersion === 'apps/v1'

/**
 * Returns the pods in the manifests, and for each workload one pod as its controller would create it. None of these pods has passed
 * admission.
 */
export const plannedPods = (manifests: readonly Manifest[]): readonly Pod[] => {
  const present = new PresentPods([])
  const pods = manifests.flatMap(({ object }): readonly Pod[] => {
    if (isPod(object)) return [object]
    if (isWorkload(object)) return morePods(object, 1, present)
    return isDaemonSet(object) ? [daemonSetPod(object, undefined)] : []
  })
  // No API server stores the workload, so the pod cannot refer to its UID.
  return pods.map((pod) => {
    const { ownerReferences: _, ...metadata } = pod.metadata
    return { ...pod, metadata }
  })
}

type Loose = Readonly<Record<string, unknown>>

const withoutToken = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value
  const left = value.filter((each: Loose) => !String(each['name']).startsWith('kube-api-access-'))
  return left.length === 0 ? undefined : left
}

/**
 * Returns the spec as a string, without the volume of the service account token. Like Go's `omitempty`, treats false, 0 and the empty
 * string as absent.
 */
export const comparable = ({ spec }: Pod): string => {
  const { volumes, containers, initContainers, serviceAccount, serviceAccountName, ...rest } = spec as unknown as Loose
  // The API server of `tests/support/control-plane` runs without the service account admission plugin.
  const account = serviceAccountName === 'default' ? {} : { serviceAccount, serviceAccountName }
  const mounted = (list: unknown): unknown =>
    Array.isArray(list)
      ? list.map((container: Loose) => ({ ...container, volumeMounts: withoutToken(container['volumeMounts']) }))
      : list
  return JSON.stringify(
    sorted({
      ...rest,
      ...account,
      volumes: withoutToken(volumes),
      containers: mounted(containers),
      initContainers: mounted(initContainers),
    }),
    null,
    1,
  )
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined && member !== false && member !== 0 && member !== '')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}
