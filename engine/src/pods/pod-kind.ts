import type { Pod } from '@kerf/apis'
import { classKey } from './class-key.ts'

/** Pods that ask for the same, whatever snapshot they are in: one object for all of them. */
export interface PodKind {
  /** Text of everything that a decision can depend on, besides the pod's place in the queue. */
  readonly key: string
}

/** Pods with claims of their own are each a kind. With so many of them the table is begun anew. */
const MOST_KINDS = 50_000

const byPod = new WeakMap<Pod, PodKind>()
const byKey = new Map<string, PodKind>()

/**
 * The kind of a pod; nothing for what is no pod at all. Objects are not changed once they are read, so it is worked out
 * once for each, not anew with every look at the cluster. Equal kinds have equal keys, and are nearly always one object.
 */
export const podKindOf = (pod: Pod): PodKind | undefined => {
  const known = byPod.get(pod)
  if (known !== undefined) return known
  const key = safeKey(pod)
  if (key === undefined) return undefined
  let kind = byKey.get(key)
  if (kind === undefined) {
    if (byKey.size >= MOST_KINDS) byKey.clear()
    kind = { key }
    byKey.set(key, kind)
  }
  byPod.set(pod, kind)
  return kind
}

const safeKey = (pod: Pod): string | undefined => {
  try {
    return classKey(pod)
  } catch {
    return undefined
  }
}
