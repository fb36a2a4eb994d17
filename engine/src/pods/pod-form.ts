import type { Pod } from '@kerf/apis'
import { formKey } from './form-key.ts'

/** Pods that ask for the same, whatever snapshot they are in: one object for all of them. */
export interface PodForm {
  /** Text of everything that a decision can depend on, besides the pod's place in the queue. */
  readonly key: string
}

/** Pods with claims of their own are each a kind. With so many of them the table is begun anew. */
const MOST_FORMS = 50_000

const byPod = new WeakMap<Pod, PodForm>()
const byKey = new Map<string, PodForm>()

/**
 * The kind of a pod; nothing for what is no pod at all. Objects are not changed once they are read, so it is worked out
 * once for each, not anew with every look at the cluster. Equal kinds have equal keys, and are nearly always one object.
 */
export const podFormOf = (pod: Pod): PodForm | undefined => {
  const known = byPod.get(pod)
  if (known !== undefined) return known
  const key = safeKey(pod)
  if (key === undefined) return undefined
  let form = byKey.get(key)
  if (form === undefined) {
    if (byKey.size >= MOST_FORMS) byKey.clear()
    form = { key }
    byKey.set(key, form)
  }
  byPod.set(pod, form)
  return form
}

const safeKey = (pod: Pod): string | undefined => {
  try {
    return formKey(pod)
  } catch {
    return undefined
  }
}
