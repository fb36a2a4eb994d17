import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot } from '../snapshot.ts'
import { NODES_PER_STEP, type Steps } from '../steps.ts'

/**
 * Returns the pods of the snapshot's nodes that are also in the batch, matched by UID, or by object identity if they have no UID. These
 * pods are treated as if they had left their node.
 */
export function* leavingPods(snapshot: ClusterSnapshot, batch: readonly Pod[]): Steps<ReadonlySet<Pod>> {
  const leaving = new Set<Pod>()
  if (batch.length === 0 || snapshot.nodes.every(({ pods }) => pods.length === 0)) return leaving
  const uids = new Set<string>()
  const nameless = new Set<Pod>()
  for (const pod of batch) {
    const uid = pod.metadata?.uid
    if (uid === undefined) nameless.add(pod)
    else uids.add(uid)
  }
  for (const [number, { pods }] of snapshot.nodes.entries()) {
    if (number % NODES_PER_STEP === NODES_PER_STEP - 1) yield
    for (const pod of pods) {
      const { uid } = pod.metadata
      if (uid === undefined ? nameless.has(pod) : uids.has(uid)) leaving.add(pod)
    }
  }
  return leaving
}
