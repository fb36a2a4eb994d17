import { ownField, type Pod, type PodStatus } from '@kerf/apis'
import type { Projection } from './projection.ts'

/** The maximum number of owners in memory. Above it, the least recently used owner is dropped. */
const MOST_OWNERS = 20_000

/** Returns whether two JSON values are equal. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isSame(ownField(one, key), ownField(other, key)))
}

/** Returns a copy of `object`. Each field that has an equal value in `other` refers to the value there, so that both share it. */
const sharing = <T extends object>(object: T, other: T): T => {
  const shared = Object.entries(object).map(([key, value]): [string, unknown] => {
    const theirs: unknown = ownField(other, key)
    return [key, isSame(value, theirs) ? theirs : value]
  })
  return Object.fromEntries(shared) as T
}

/**
 * Returns the status with equal values shared. Conditions are compared one by one, because pods that were created together often
 * become ready together.
 */
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
 * Makes pods of the same owner share equal values in memory, because most of a pod comes from the owner's template. Sharing is
 * safe, because the informer freezes all values.
 */
export const shareEqualFields = (project: Projection<Pod>): Projection<Pod> => {
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
