import { type Pod, podRequests } from '@kerf/apis'
import { type PodForm, podFormOf } from './pod-form.ts'

const requestsByKind = new WeakMap<PodForm, ReadonlyMap<string, bigint>>()

/** Requests of a pod, remembered for its kind. @throws QuantityError */
export const cachedRequests = (pod: Pod): ReadonlyMap<string, bigint> => {
  const form = podFormOf(pod)
  const known = form === undefined ? undefined : requestsByKind.get(form)
  if (known !== undefined) return known
  const requests = podRequests(pod)
  if (form !== undefined) requestsByKind.set(form, requests)
  return requests
}
