import { karpenterKinds, kinds, type NodePool, type Pod } from '@kerf/apis'
import type { CoreEvent } from '../core-event.ts'
import { eventObject } from '../event-object.ts'

/** The common rate limit for the Nominated Events of all pods (`docs/spec/events.md#publishing`). */
const NOMINATED_RATE = { bucket: 'Nominated', qps: 5, burst: 10 } as const

/** Returns the Event about the planned place of a pod: a Node, or the node of a NodeClaim. */
export const podPlaced = (pod: Pod, target: { readonly node?: string; readonly nodeClaim?: string }): CoreEvent => {
  const where = [
    ...(target.nodeClaim === undefined ? [] : [`nodeclaim/${target.nodeClaim}`]),
    ...(target.node === undefined ? [] : [`node/${target.node}`]),
  ]
  return {
    object: eventObject(kinds.Pod, pod),
    type: 'Normal',
    reason: 'Nominated',
    message: `Pod should schedule on: ${where.join(', ')}`,
    dedupeValues: [pod.metadata.uid ?? ''],
    rateLimit: NOMINATED_RATE,
  }
}

export const failedScheduling = (pod: Pod, why: string): CoreEvent => ({
  object: eventObject(kinds.Pod, pod),
  type: 'Warning',
  reason: 'FailedScheduling',
  message: `Failed to schedule pod, ${why}`,
  dedupeValues: [pod.metadata.uid ?? ''],
  dedupeFor: 300_000,
})

export const noCompatibleInstanceTypes = (pool: NodePool, minValues: boolean): CoreEvent => ({
  object: eventObject(karpenterKinds.NodePool, pool),
  type: 'Warning',
  reason: 'NoCompatibleInstanceTypes',
  message: minValues
    ? 'NodePool requirements filtered out all compatible available instance types due to minValues incompatibility'
    : 'NodePool requirements filtered out all compatible available instance types',
  dedupeValues: [pool.metadata.uid ?? ''],
  dedupeFor: 60_000,
})
