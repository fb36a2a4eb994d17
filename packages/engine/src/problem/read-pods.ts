import type { Pod } from '@kerf/apis'
import type { EquivalenceGroupRead } from '../model/equivalence-group.ts'
import type { NodeId } from '../model/ids.ts'
import { type PodForm, podForm, podForms } from '../pods/pod-form.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { PODS_PER_STEP, type Steps } from '../steps.ts'
import { type EquivalenceGroupContext, EquivalenceGroupReader } from './equivalence-group-reader.ts'

/** The pods of a node. */
export interface NodePods {
  readonly pods: readonly Pod[]
  /** For each pod, in order, the number of its equivalence group. */
  readonly groups: readonly number[]
}

/** The result of the first stage of reading a problem: the pods, grouped by what they request. */
export interface ReadPods {
  readonly groups: readonly EquivalenceGroupRead[]
  /** For each pod of the batch, in order, the number of its equivalence group. */
  readonly groupOfBatch: readonly number[]
  /** The pods that may leave their node, by the number of the node. */
  readonly running: ReadonlyMap<NodeId, NodePods>
}

/**
 * Groups the pods of the batch and of `mayLeave`. `nodeNumbers` contains the number of each Node object, by name. Ignores pods of
 * `mayLeave` that are on other nodes.
 */
export function* readPods(
  batch: readonly Pod[],
  mayLeave: readonly (readonly Pod[])[],
  nodeNumbers: ReadonlyMap<string, NodeId>,
  settling: (pod: Pod) => boolean,
  context: EquivalenceGroupContext,
): Steps<ReadPods> {
  const table = new EquivalenceGroupTable(settling, context)
  const groupOfBatch: number[] = []
  for (const pod of batch) {
    if (groupOfBatch.push(table.groupOf(pod, podForm(pod))) % PODS_PER_STEP === 0) yield
  }
  const running = new Map<NodeId, { readonly pods: Pod[]; readonly groups: number[] }>()
  let count = 0
  for (const list of mayLeave) {
    const forms = podForms(list)
    for (const [place, pod] of list.entries()) {
      if (++count % PODS_PER_STEP === 0) yield
      const node = nodeNumbers.get(pod.spec.nodeName ?? '')
      if (node === undefined) continue
      let entry = running.get(node)
      if (entry === undefined) {
        entry = { pods: [], groups: [] }
        running.set(node, entry)
      }
      entry.pods.push(pod)
      entry.groups.push(table.groupOf(pod, forms[place]))
    }
  }
  return { groups: table.groups, groupOfBatch, running }
}

/**
 * Returns a function that reports whether a pod must not move to a node that is within its pool's `consolidateAfter`. In consolidation,
 * this applies to pods on nodes that are not being deleted. Otherwise it applies to no pod.
 */
export const avoidsSettlingIn = ({ nodes }: ClusterSnapshot, isConsolidation: boolean): ((pod: Pod) => boolean) => {
  if (!isConsolidation) return () => false
  const deleting = new Set<string>()
  for (const { markedForDeletion, nodeName } of nodes) {
    if (markedForDeletion && nodeName !== undefined) deleting.add(nodeName)
  }
  return ({ spec, status }) =>
    status?.phase !== 'Pending' && !(deleting.size > 0 && spec?.nodeName !== undefined && deleting.has(spec.nodeName))
}

/** Finds the group of a pod by its form, and reads the group when its first pod is found. */
class EquivalenceGroupTable {
  readonly groups: EquivalenceGroupRead[] = []
  readonly #avoidsSettling: (pod: Pod) => boolean
  readonly #context: EquivalenceGroupContext
  readonly #reader: EquivalenceGroupReader
  readonly #byKey = new Map<string, number>()
  /**
   * Groups by form. There is one map for pods that avoid nodes within `consolidateAfter`, and one for other pods. Only used if the form
   * alone determines the group.
   */
  readonly #byForm = { avoiding: new Map<PodForm, number>(), others: new Map<PodForm, number>() }

  constructor(avoidsSettling: (pod: Pod) => boolean, context: EquivalenceGroupContext) {
    this.#avoidsSettling = avoidsSettling
    this.#context = context
    this.#reader = new EquivalenceGroupReader(context)
  }

  groupOf(pod: Pod, form: PodForm | undefined): number {
    const avoids = this.#avoidsSettling(pod)
    const besides = form === undefined ? 'broken' : this.#besidesForm(pod)
    if (form === undefined || besides !== '') return this.#find(pod, form, avoids, besides)
    const known = avoids ? this.#byForm.avoiding : this.#byForm.others
    let group = known.get(form)
    if (group === undefined) {
      group = this.#add(pod, form, avoids)
      known.set(form, group)
    }
    return group
  }

  /**
   * Returns a key for everything in which pods of the same form can differ: claimed devices, applicable default spread constraints, and
   * usable pools.
   */
  #besidesForm(pod: Pod): string {
    const { devices, defaultSpread, access } = this.#context
    const usable = access?.usableBy(pod) ?? ''
    return (
      (devices === undefined ? '' : ` ${devices.keyOf(pod)}`) +
      defaultSpread.keyOf(pod) +
      (usable === '' ? '' : ` usable ${usable}`)
    )
  }

  #find(pod: Pod, form: PodForm | undefined, avoids: boolean, besides: string): number {
    // An object that is not a pod gets its own group, which contains the error.
    const key = form === undefined ? `broken ${this.groups.length}` : `${form.id} ${avoids}${besides}`
    let group = this.#byKey.get(key)
    if (group === undefined) {
      group = this.#add(pod, form, avoids)
      this.#byKey.set(key, group)
    }
    return group
  }

  #add(pod: Pod, form: PodForm | undefined, avoids: boolean): number {
    return this.groups.push(this.#reader.read(this.groups.length, pod, form, avoids)) - 1
  }
}
