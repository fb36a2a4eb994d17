import { type Pod, podRequests } from '@kerf/apis'
import { oncePerObject } from '../once-per-object.ts'
import type { Amounts } from '../resources/amounts.ts'
import { addDemand, addRequests } from './form-tokens.ts'
import { TokenTrie } from './token-trie.ts'
import { requestComplaints } from './validation.ts'

/** What pods ask for in amounts: one object for all pods that write it alike. */
export interface RequestsForm {
  /** Amounts that do not parse or make no sense. */
  readonly complaints: readonly string[]
  /** @throws QuantityError */
  amounts(): Amounts
}

/** What pods ask for besides amounts: one object for all pods that ask alike. */
export interface DemandForm {
  readonly byRequests: Map<RequestsForm, PodForm>
}

/** Pods that ask for the same, whatever snapshot they are in: one object for all of them, until forms are forgotten. */
export interface PodForm {
  readonly id: number
  readonly demand: DemandForm
  readonly requests: RequestsForm
}

/** Pods with claims of their own are each a kind. With so many of them the tables are begun anew. */
const MOST_FORMS = 50_000

let byPod = new WeakMap<Pod, PodForm>()
let demands = new TokenTrie<DemandForm>()
let requests = new TokenTrie<RequestsForm>()
let count = 0
/** Never used again, not even once forms are forgotten: a decision may be left off meanwhile. */
let nextId = 0
/** How often forms were forgotten. */
let forgotten = 0

/**
 * Lets go of forms when there are many. To be called before a decision reads its pods: within a decision pods that ask for
 * the same must have one form.
 */
export const forgetManyForms = (): void => {
  if (count < MOST_FORMS) return
  byPod = new WeakMap()
  demands = new TokenTrie()
  requests = new TokenTrie()
  count = 0
  forgotten++
}

/** As `oncePerObject`, for what is made of forms: it is forgotten when they are. */
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
 * The form of a pod; nothing for what is no pod at all. Objects are not changed once they are read, so it is worked out
 * once for each, not anew with every look at the cluster.
 */
export const podFormOf = (pod: Pod): PodForm | undefined => {
  const known = byPod.get(pod)
  if (known !== undefined) return known
  const form = readForm(pod)
  if (form !== undefined) byPod.set(pod, form)
  return form
}

/** The forms of a list, by place. A node has the same list of pods for as long as none of them changes. */
export const formsOf = oncePerForms((pods: readonly Pod[]): readonly (PodForm | undefined)[] => pods.map(podFormOf))

const readForm = (pod: Pod): PodForm | undefined => {
  try {
    demands.begin()
    addDemand(demands, pod)
    const demand = demands.end(newDemand)
    requests.begin()
    addRequests(requests, pod)
    const own = requests.end(() => requestsOf(pod))
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

/** Read at once, so that the form does not hold the pod. */
const requestsOf = (pod: Pod): RequestsForm => {
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

/** Requests of a pod, worked out once for all that write them alike. @throws QuantityError */
export const cachedRequests = (pod: Pod): Amounts => podFormOf(pod)?.requests.amounts() ?? podRequests(pod)
