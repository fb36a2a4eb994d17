import type { KubeObject } from '@kerf/apis'
import { ownValue, plainText } from '@kerf/apis'
import type { Manifest } from '../manifests/manifest.ts'
import { desiredPods, isAutoscaler } from '../workloads/desired-pods.ts'
import { PresentPods } from '../workloads/present-pods.ts'
import { isWorkload, podTemplate, type Workload } from '../workloads/workload.ts'

/**
 * Fields of a pod spec that restrict on which nodes the pod can run. If a change adds one of these fields to a pod template, or removes it
 * from there, the change replaces the pods.
 */
const DECIDING = ['affinity', 'nodeSelector', 'tolerations', 'topologySpreadConstraints', 'runtimeClassName'] as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns whether the stored value contains everything in the written value. The API server may have added defaults. */
const isPartOf = (written: unknown, stored: unknown): boolean => {
  if (Array.isArray(written))
    return (
      Array.isArray(stored) &&
      written.length === stored.length &&
      written.every((each, index) => isPartOf(each, stored[index]))
    )
  if (isRecord(written))
    return isRecord(stored) && Object.entries(written).every(([key, value]) => isPartOf(value, ownValue(stored, key)))
  return written === stored || plainText(written) === plainText(stored)
}

/**
 * Returns whether a changed workload keeps its pods. It keeps them if every field in the new pod template has the same value as in the old
 * one, and if the new template removes neither requests nor a field of `DECIDING`.
 */
const keepsPods = (before: Workload, after: Workload): boolean => {
  const [stored, written] = [podTemplate(before), podTemplate(after)]
  if (!isPartOf(written, stored)) return false
  const hasSame = (key: (typeof DECIDING)[number]): boolean =>
    (stored.spec[key] === undefined) === (written.spec[key] === undefined)
  const requestsSame = stored.spec.containers.every(
    ({ resources }, index) =>
      (resources?.requests === undefined) === (written.spec.containers[index]?.resources?.requests === undefined),
  )
  return DECIDING.every(hasSame) && requestsSame
}

const objectKey = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace ?? 'default'}/${metadata.name}`

/**
 * Returns the manifests without the pods that changed workloads would replace, and without surplus pods. The files do not show which
 * surplus pods a controller would delete, so the last ones by name are removed.
 */
export const withoutReplacedPods = (
  manifests: readonly Manifest[],
  before: readonly Manifest[],
  change: readonly Manifest[],
): readonly Manifest[] => {
  const old = new Map(before.map(({ object }) => [objectKey(object), object]))
  const workloads = change.map(({ object }) => object).filter(isWorkload)
  if (workloads.length === 0) return manifests
  const objects = manifests.map(({ object }) => object)
  const present = new PresentPods(objects)
  const autoscalers = objects.filter(isAutoscaler)
  const gone = new Set<KubeObject>()
  for (const workload of workloads) {
    const was = old.get(objectKey(workload))
    const pods = present.of(workload)
    const keeps = was !== undefined && isWorkload(was) && keepsPods(was, workload)
    const wanted = keeps ? desiredPods(workload, 'current', autoscalers).count : 0
    const byName = pods.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    for (const pod of byName.slice(wanted)) gone.add(pod)
  }
  return manifests.filter(({ object }) => !gone.has(object))
}
