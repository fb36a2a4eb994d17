import type { Pod } from '@kerf/apis'
import type { PlannedClaim } from '@kerf/engine'
import { podFamily } from '../../pod/placement/pod-family.ts'
import { isExpectedPod } from './expected-pod.ts'

interface Slot {
  /** The pods of a planned claim. */
  readonly pods: Pod[]
  readonly index: number
}

/**
 * Swaps pods of the same family between the claims, so that as few claims as possible have existing pods. Returns the claims with their new
 * pods. Each claim still fits, because pods of a family are interchangeable.
 */
export const existingPodsFirst = (claims: readonly PlannedClaim[]): readonly PlannedClaim[] => {
  const all = claims.map((claim) => ({ claim, pods: [...claim.pods] }))
  const families = new Map<string, Slot[]>()
  for (const { pods } of all) {
    pods.forEach((pod, index) => {
      const family = podFamily(pod)
      if (family === undefined) return
      const slots = families.get(family)
      if (slots === undefined) families.set(family, [{ pods, index }])
      else slots.push({ pods, index })
    })
  }
  for (const slots of families.values()) exchange(slots)
  return all.map(({ claim, pods }) => ({ ...claim, pods }))
}

/**
 * Redistributes the pods of one family. Existing pods go first to the claims that other existing pods need, then to the claims with the
 * most slots.
 */
const exchange = (slots: readonly Slot[]): void => {
  const members = slots.flatMap(({ pods, index }) => pods[index] ?? [])
  const existing = members.filter((pod) => !isExpectedPod(pod))
  if (existing.length === 0 || existing.length === members.length) return
  const byClaim = Map.groupBy(slots, ({ pods }) => pods)
  const order = Array.from(byClaim, ([pods, own]) => {
    const indexes = new Set(own.map(({ index }) => index))
    return { own, isNeeded: pods.some((pod, index) => !indexes.has(index) && !isExpectedPod(pod)) }
  }).sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded) || b.own.length - a.own.length)
  const next = [...existing, ...members.filter(isExpectedPod)].values()
  for (const { pods, index } of order.flatMap(({ own }) => own)) {
    const { value } = next.next()
    if (value !== undefined) pods[index] = value
  }
}
