import { ownField, type Pod, type PodStatus } from '@kerf/apis'
import type { Projection } from './projection.ts'

/** How many owners are remembered; the one that was heard of least lately goes. */
const MOST_OWNERS = 20_000

/** Whether two values out of JSON say the same. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isSame(ownField(one, key), ownField(other, key)))
}

/** The object, with those of its values that say the same as the other object's replaced by these. */
const sharing = <T extends object>(object: T, other: T): T => {
  const shared = Object.entries(object).map(([key, value]): [string, unknown] => {
    const theirs: unknown = ownField(other, key)
    return [key, isSame(value, theirs) ? theirs : value]
  })
  return Object.fromEntries(shared) as T
}

/** The status, sharing what is the same, condition by condition: pods that came together became ready together. */
const sharingStatus = (status: PodStatus, other: PodStatus): PodStatus => {
  const shared = sharing(status, other)
  const { conditions } = shared
  if (conditions === undefined || conditions === other.conditions) return shared
  return {
    ...shared,
    conditions: conditions.map((condition, place) => {
      const theirs = other.conditions?.[place]
      return theirs !== undefined && isSame(condition, theirs) ? theirs : condition
    }),
  }
}

/**
 * Lets pods of the same owner share what they have in common: they come from one template, and most of a pod is the
 * template. What is shared is frozen by the mirror, as everything in it is.
 */
export const sharedParts = (project: Projection<Pod>): Projection<Pod> => {
  const lastOf = new Map<string, Pod>()
  return (pod) => {
    const lean = project(pod)
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid
    if (owner === undefined) return lean
    const last = lastOf.get(owner)
    const shared =
      last === undefined
        ? lean
        : {
            ...lean,
            metadata: sharing(lean.metadata, last.metadata),
            spec: sharing(lean.spec, last.spec),
            ...(lean.status !== undefined && { status: sharingStatus(lean.status, last.status ?? {}) }),
          }
    lastOf.delete(owner)
    lastOf.set(owner, shared)
    if (lastOf.size > MOST_OWNERS) for (const [oldest] of lastOf.entries().take(1)) lastOf.delete(oldest)
    return shared
  }
}
