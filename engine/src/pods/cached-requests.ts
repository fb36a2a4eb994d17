import { type Pod, podRequests } from '@kerf/apis'
import type { Amounts } from '../resources/amounts.ts'
import { type PodForm, podFormOf } from './pod-form.ts'

const requestsByKind = new WeakMap<PodForm, Amounts>()

/** Requests of a pod, remembered for its kind. @throws QuantityError */
export const cachedRequests = (pod: Pod): Amounts => {
  const form = podFormOf(pod)
  const known = form === undefined ? undefined : requestsByKind.get(form)
  if (known !== undefined) return known
  const requests = podRequests(pod)
  if (form !== undefined) requestsByKind.set(form, requests)
  return requests
}
