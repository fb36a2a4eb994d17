import { type Pod, podRequests } from '@kerf/apis'
import { oncePerObject } from '../once-per-object.ts'
import type { Amounts } from '../resources/amounts.ts'
import { addDemand, addRequests } from './form-tokens.ts'
import { TokenTrie } from './token-trie.ts'
import { requestComplaints } from './validation.ts'

/** The requests of pods. All pods whose requests are written in the same way share one object. */
export interface RequestsForm {
  /** The errors in the requested amounts. */
  readonly complaints: readonly string[]
  /** Returns the requests. @throws QuantityError if an amount is invalid */
  amounts(): Amounts
}

/** Everything that pods demand except amounts of resources. All pods with the same demand share one object. */
export interface DemandForm {
  readonly byRequests: Map<RequestsForm, PodForm>
}

/**
 * The demand and the requests of pods. Pods in all snapshots with the same demand and requests share one object, until `forgetManyForms`
 * clears the forms.
 */
export interface PodForm {
  readonly id: number
  readonly demand: DemandForm
  readonly requests: RequestsForm
}

/** If there are more forms than this, all forms are cleared. Each pod with separate volume claims needs a separate form. */
const MOST_FORMS = 50_000

let byPod = new WeakMap<Pod, PodForm>()
let demands = new TokenTrie<DemandForm>()
let requests = new TokenTrie<RequestsForm>()
let count = 0
/** Ids are never reused, even after the forms are cleared. A paused decision may still use an old form. */
let nextId = 0
/** How often the forms have been cleared. */
let forgotten = 0

/**
 * Clears the forms if there are too many. Call it before a decision reads its pods: within a decision, equal pods must have
 * the same form.
 */
export const forgetManyForms = (): void => {
  if (count < MOST_FORMS) return
  byPod = new WeakMap()
  demands = new TokenTrie()
  requests = new TokenTrie()
  count = 0
  forgotten++
}

/** Does the same as `oncePerObject` for values that are derived from forms: the cache is cleared when the forms are. */
export const oncePerForms = <Key extends object, Value>(read: (object: Key) => Value): ((object: Key) => Value) => {
  let since = forgotten
  let known = oncePerObject(read)
  return (object) => {
    if (since !== forgotten) {
      since = forgotten
      known = oncePerObject(read)
    }
    return known(object)
  }
}

/**
 * Returns the form of a pod; `undefined` if the object is not a pod. Pods never change after they are read, so the form is
 * cached per object.
 */
export const podForm = (pod: Pod): PodForm | undefined => {
  const known = byPod.get(pod)
  if (known !== undefined) return known
  const form = readForm(pod)
  if (form !== undefined) byPod.set(pod, form)
  return form
}

/**
 * Returns the forms of a list of pods, in the same order. As long as the pods of a node do not change, its list of pods is the same object,
 * so the forms are cached.
 */
export const podForms = oncePerForms((pods: readonly Pod[]): readonly (PodForm | undefined)[] => pods.map(podForm))

const readForm = (pod: Pod): PodForm | undefined => {
  try {
    demands.begin()
    addDemand(demands, pod)
    const demand = demands.end(newDemand)
    requests.begin()
    addRequests(requests, pod)
    const own = requests.end(() => readRequests(pod))
    let form = demand.byRequests.get(own)
    if (form === undefined) {
      form = { id: nextId++, demand, requests: own }
      count++
      demand.byRequests.set(own, form)
    }
    return form
  } catch {
    return undefined
  }
}

const newDemand = (): DemandForm => ({ byRequests: new Map() })

/** The requests are read immediately, so that the form does not keep the pod in memory. */
const readRequests = (pod: Pod): RequestsForm => {
  const complaints = requestComplaints(pod)
  try {
    const amounts = podRequests(pod)
    return { complaints, amounts: () => amounts }
  } catch (error) {
    return {
      complaints,
      amounts: () => {
        throw error
      },
    }
  }
}

/**
 * Returns the requests of a pod, cached for all pods whose requests are written in the same way. @throws QuantityError if an amount is
 * invalid
 */
export const cachedRequests = (pod: Pod): Amounts => podForm(pod)?.requests.amounts() ?? podRequests(pod)
