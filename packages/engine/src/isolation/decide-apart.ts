import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot, NodeState } from '../snapshot.ts'
import { atOnce, type Steps } from '../steps.ts'
import { type Culprits, catchError, findCulprits } from './find-culprits.ts'
import { noteFault } from './noted-faults.ts'
import { type DecidedApart, listKinds, type SetAside, type SnapshotList } from './set-aside.ts'

type Decide<Result> = (snapshot: ClusterSnapshot, pods: readonly Pod[]) => Result

/**
 * The order in which lists are checked: first the lists that every decision reads, then lists whose reading depends on them. For example,
 * if a DaemonSet makes reading any pool fail, the DaemonSet is blamed and not the pools.
 */
const ORDER: readonly SnapshotList[] = [
  'pools',
  'nodes',
  'daemonPods',
  'csiNodes',
  'persistentVolumeClaims',
  'persistentVolumes',
  'storageClasses',
  'resourceSlices',
  'resourceClaims',
  'resourceClaimTemplates',
  'deviceClasses',
  'services',
  'podOwners',
  'daemonSets',
  'namespaces',
]

/**
 * Lists of objects that several pods use. If one of these objects makes reading a pod throw, this object is blamed instead of the pod. For
 * volumes and devices, the pod is blamed, because it must not be planned without them.
 */
const SHARED: readonly SnapshotList[] = [
  'namespaces',
  'services',
  'podOwners',
  'daemonSets',
  'daemonPods',
  'csiNodes',
  'nodes',
  'pools',
]

/**
 * The maximum number of pods for which the search looks for a shared object that causes the error. After that, each pod that throws is
 * blamed.
 */
const MOST_ASKED = 10

/**
 * Makes a decision. If it throws, finds the objects that cause the error and decides without them (`docs/spec/isolation.md`). If nothing
 * throws, this costs nothing. A node that is set aside takes no new pods, but pods that are already planned for it stay planned for it.
 *
 * @throws the error of `decide` for an empty snapshot without pods, because no object can be the cause in that case
 */
export const decideApart = <Result>(
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  decide: Decide<Steps<Result>>,
): DecidedApart<Result> => atOnce(decideApartInSteps(snapshot, pods, decide))

/** Does the same as `decideApart` in steps. The search for the objects at fault is one step. */
export function* decideApartInSteps<Result>(
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  decide: Decide<Steps<Result>>,
): Steps<DecidedApart<Result>> {
  try {
    return { result: yield* decide(snapshot, pods), setAside: [], snapshot, pods, kept: new Map() }
  } catch {
    const search = new Search(snapshot, pods, (reduced, batch) => void atOnce(decide(reduced, batch)))
    search.run()
    return { ...search.found, result: yield* decide(search.found.snapshot, search.found.pods) }
  }
}

class Search {
  readonly #attempt: (snapshot: ClusterSnapshot, batch: readonly Pod[]) => void
  readonly #given: ClusterSnapshot
  readonly #setAside: SetAside[] = []
  #snapshot: ClusterSnapshot
  #pods: readonly Pod[]
  #kept: ReadonlyMap<Pod, string> = new Map()

  constructor(
    snapshot: ClusterSnapshot,
    pods: readonly Pod[],
    attempt: (snapshot: ClusterSnapshot, batch: readonly Pod[]) => void,
  ) {
    this.#given = snapshot
    this.#pods = pods
    this.#attempt = attempt
    this.#snapshot = ORDER.reduce((reduced, list) => withList(reduced, list, []), snapshot)
  }

  get found() {
    return { setAside: this.#setAside, snapshot: this.#snapshot, pods: this.#pods, kept: this.#kept }
  }

  run(): void {
    for (const list of ORDER) this.#add(list)
    this.#keepPlanned()
    const culprits = this.#culpritsAmongPods()
    this.#blame('Pod', culprits)
    this.#pods = this.#pods.filter((pod) => !culprits.errors.has(pod))
  }

  /** Adds the objects of a list. Leaves out objects that cannot be read even if there are no pods. */
  #add(list: SnapshotList): void {
    const items: readonly object[] = this.#given[list] ?? []
    const culprits = findCulprits(items, (part) => this.#attempt(withList(this.#snapshot, list, part), []))
    this.#remove(list, items, culprits)
  }

  #remove(list: SnapshotList, items: readonly object[], culprits: Culprits<object>): void {
    const { errors } = culprits
    this.#blame(listKinds[list], culprits)
    const sound = errors.size === 0 ? items : items.filter((item) => !errors.has(item))
    this.#snapshot = withList(this.#snapshot, list, sound)
    if (list === 'nodes') this.#closeNodes([...errors.keys()])
  }

  /** Adds stand-ins for nodes that cannot be read. They represent the nodes but take no pods. */
  #closeNodes(nodes: readonly object[]): void {
    for (const node of nodes) {
      const closed = closedNode(node as NodeState)
      const snapshot = { ...this.#snapshot, nodes: [...this.#snapshot.nodes, closed] }
      if (catchError(() => this.#attempt(snapshot, [])) === undefined) this.#snapshot = snapshot
    }
  }

  /** Keeps pods on a node that is set aside if they were planned for it. */
  #keepPlanned(): void {
    const { plannedFor } = this.#given
    const closed = new Map<string, string>()
    for (const { kind, object } of this.#setAside) {
      if (kind !== 'Node') continue
      const { name, nodeClaim } = closedNode(object as NodeState)
      closed.set(nodeClaim ?? name, name)
    }
    if (plannedFor === undefined || closed.size === 0) return
    const kept = new Map<Pod, string>()
    for (const pod of this.#pods) {
      const node = closed.get(plannedFor.get(safely(() => pod.metadata.uid) ?? '') ?? '')
      if (node !== undefined) kept.set(pod, node)
    }
    this.#kept = kept
    this.#pods = this.#pods.filter((pod) => !kept.has(pod))
  }

  #culpritsAmongPods(): Culprits<Pod> {
    for (;;) {
      const culprits = findCulprits(this.#pods, (part) => this.#attempt(this.#snapshot, part))
      if (![...culprits.errors.keys()].slice(0, MOST_ASKED).some((pod) => this.#hasSharedCause(pod))) return culprits
      this.#keepPlanned()
    }
  }

  /** Sets aside the shared objects that make reading a pod throw. Returns false if there are none. */
  #hasSharedCause(pod: Pod): boolean {
    for (const list of SHARED) {
      const items: readonly object[] = this.#snapshot[list] ?? []
      if (items.length < 2) continue
      const culprits = findCulprits(items, (part) => this.#attempt(withList(this.#snapshot, list, part), [pod]))
      if (culprits.errors.size === 0 || culprits.errors.size * 2 > items.length) continue
      this.#remove(list, items, culprits)
      return true
    }
    return false
  }

  #blame(kind: SetAside['kind'], { errors, unsure }: Culprits<object>): void {
    for (const [object, error] of errors) {
      noteFault(error)
      this.#setAside.push({ kind, object, error, isSure: !unsure.has(object) })
    }
  }
}

const withList = (snapshot: ClusterSnapshot, list: SnapshotList, items: readonly object[]): ClusterSnapshot =>
  snapshot[list] === undefined && items.length === 0 ? snapshot : { ...snapshot, [list]: items }

const safely = <Value>(read: () => Value): Value | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Returns a stand-in for a node that cannot be read. It takes no pods. The part of its capacity that can be read counts against limits. */
const closedNode = (node: NodeState): NodeState => {
  const name = safely(() => node.name) ?? ''
  const nodePool = safely(() => node.nodePool)
  const nodeClaim = safely(() => node.nodeClaim)
  return {
    name,
    hostName: name,
    labels: {},
    taints: [],
    capacity: safely(() => ({ ...node.capacity })) ?? {},
    allocatable: {},
    initialized: false,
    managed: safely(() => node.managed) ?? true,
    hasNode: safely(() => node.hasNode) ?? true,
    ...(nodePool === undefined ? {} : { nodePool }),
    ...(nodeClaim === undefined ? {} : { nodeClaim }),
    markedForDeletion: safely(() => node.markedForDeletion) ?? false,
    takesNoPods: true,
    pods: [],
  }
}
