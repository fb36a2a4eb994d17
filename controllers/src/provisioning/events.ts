import { type KubeObject, karpenterKinds, kinds, type NodePool, type Pod } from '@kerf/apis'
import type { RecordedEvent } from '@kerf/runtime'

/** All Nominated events of the process share one bucket (`spec/core-api.md` 4.7). */
const NOMINATED_RATE = { bucket: 'Nominated', qps: 5, burst: 10 } as const

/** Informers may leave kind and version out of list items; events need them. */
const withKind = <T extends KubeObject>(object: T, kind: { group: string; version: string; kind: string }): T => ({
  ...object,
  apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
  kind: kind.kind,
})

/** The pod is expected on this node, this claim, or this claim's node. */
export const nominated = (pod: Pod, target: { readonly node?: string; readonly nodeClaim?: string }): RecordedEvent => {
  const where = [
    ...(target.nodeClaim === undefined ? [] : [`nodeclaim/${target.nodeClaim}`]),
    ...(target.node === undefined ? [] : [`node/${target.node}`]),
  ]
  return {
    object: withKind(pod, kinds.Pod),
    type: 'Normal',
    reason: 'Nominated',
    message: `Pod should schedule on: ${where.join(', ')}`,
    dedupeValues: [pod.metadata.uid ?? ''],
    rateLimit: NOMINATED_RATE,
  }
}

export const failedScheduling = (pod: Pod, why: string): RecordedEvent => ({
  object: withKind(pod, kinds.Pod),
  type: 'Warning',
  reason: 'FailedScheduling',
  message: `Failed to schedule pod, ${why}`,
  dedupeValues: [pod.metadata.uid ?? ''],
  dedupeFor: 300_000,
})

export const noCompatibleInstanceTypes = (pool: NodePool, minValues: boolean): RecordedEvent => ({
  object: withKind(pool, karpenterKinds.NodePool),
  type: 'Warning',
  reason: 'NoCompatibleInstanceTypes',
  message: minValues
    ? 'NodePool requirements filtered out all compatible available instance types due to minValues incompatibility'
    : 'NodePool requirements filtered out all compatible available instance types',
  dedupeValues: [pool.metadata.uid ?? ''],
  dedupeFor: 60_000,
})
