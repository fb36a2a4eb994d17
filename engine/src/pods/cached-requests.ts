import { type Pod, podRequests } from '@kerf/apis'
import { type PodKind, podKindOf } from './pod-kind.ts'

const requestsByKind = new WeakMap<PodKind, ReadonlyMap<string, bigint>>()

/** Requests of a pod, remembered for its kind. @throws QuantityError */
export const cachedRequests = (pod: Pod): ReadonlyMap<string, bigint> => {
  const kind = podKindOf(pod)
  const known = kind === undefined ? undefined : requestsByKind.get(kind)
  if (known !== undefined) return known
  const requests = podRequests(pod)
  if (kind !== undefined) requestsByKind.set(kind, requests)
  return requests
}
