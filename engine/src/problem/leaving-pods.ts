import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot } from '../snapshot.ts'

/** Pods on nodes that are pods of the batch, by uid or else by identity: they have left their node. */
export const leavingPods = (snapshot: ClusterSnapshot, batch: readonly Pod[]): ReadonlySet<Pod> => {
  const leaving = new Set<Pod>()
  if (batch.length === 0 || snapshot.nodes.every(({ pods }) => pods.length === 0)) return leaving
  const uids = new Set<string>()
  const nameless = new Set<Pod>()
  for (const pod of batch) {
    const uid = pod.metadata?.uid
    if (uid === undefined) nameless.add(pod)
    else uids.add(uid)
  }
  for (const { pods } of snapshot.nodes) {
    for (const pod of pods) {
      const { uid } = pod.metadata
      if (uid === undefined ? nameless.has(pod) : uids.has(uid)) leaving.add(pod)
    }
  }
  return leaving
}
