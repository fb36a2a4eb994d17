import { isScheduled, isTerminal, type Pod } from '@kerf/apis'
import { isOwnedByDaemonSet, isProvisionable, isUntried, podKey } from '../pod/pod-predicates.ts'
import { SchedulingQueue } from './scheduling-queue.ts'

const NO_PODS: readonly Pod[] = Object.freeze([])

/** How a change of a pod affects nodes. */
export interface PodIndexChange {
  /** The nodes whose list of pods changed. */
  readonly nodes: readonly string[]
  /** Whether this change bound the pod. */
  readonly bound: boolean
}

/**
 * Indexes the pods of each node, and the pending pods. Every change of a pod updates the index, so that no pass has to iterate over all
 * pods. Watches may arrive in any order: the index may contain the pods of a node before the Node is known.
 */
export class PodIndex {
  readonly queue = new SchedulingQueue()
  readonly #byNode = new Map<string, Map<string, Pod>>()
  readonly #lists = new Map<string, readonly Pod[]>()
  readonly #nodeOf = new Map<string, string>()
  readonly #provisionable = new Map<string, Pod>()
  readonly #untried = new Map<string, Pod>()
  /** The number of scheduled pods, keyed by priority. */
  readonly #priorities = new Map<number, number>()
  readonly #newestDaemonPod = new Map<string, Pod>()
  /** DaemonSets whose newest pod was deleted. `daemonPod` searches for the newest pod again. */
  readonly #orphaned = new Set<string>()

  /** Returns the unfinished pods that are bound to or nominated for a node. Returns the same array until one of them changes. */
  on(nodeName: string): readonly Pod[] {
    const known = this.#lists.get(nodeName)
    if (known !== undefined) return known
    const pods = this.#byNode.get(nodeName)
    if (pods === undefined) return NO_PODS
    const list = Object.freeze([...pods.values()])
    this.#lists.set(nodeName, list)
    return list
  }

  /**
   * Pods that kube-scheduler found no node for and for which Kerf may launch a node. The pods whose last change is the oldest come first.
   */
  get provisionable(): Iterable<Pod> {
    return this.#provisionable.values()
  }

  /** Pods that kube-scheduler has not tried yet. The pods whose last change is the oldest come first. */
  get untried(): Iterable<Pod> {
    return this.#untried.values()
  }

  /** The lowest priority of a scheduled pod. Infinity if there is none. */
  get lowestPriority(): number {
    return Math.min(...this.#priorities.keys())
  }

  put(pod: Pod): PodIndexChange {
    const key = podKey(pod)
    this.queue.put(pod)
    if (isUntried(pod)) this.#untried.set(key, pod)
    else this.#untried.delete(key)
    if (isProvisionable(pod)) this.#provisionable.set(key, pod)
    else this.#provisionable.delete(key)
    if (isOwnedByDaemonSet(pod)) this.#rememberDaemonPod(pod)
    const before = this.#nodeOf.get(key)
    const after = isTerminal(pod) ? undefined : podHome(pod)
    if (after === undefined) return { nodes: this.#leave(key), bound: false }
    const left = before === after ? [] : this.#leave(key)
    let pods = this.#byNode.get(after)
    if (pods === undefined) {
      pods = new Map()
      this.#byNode.set(after, pods)
    }
    this.#count(pods.get(key), -1)
    this.#count(pod, 1)
    pods.set(key, pod)
    this.#nodeOf.set(key, after)
    this.#lists.delete(after)
    return { nodes: [...left, after], bound: before !== after }
  }

  remove(pod: Pod): PodIndexChange {
    const key = podKey(pod)
    this.#provisionable.delete(key)
    this.#untried.delete(key)
    this.#forgetDaemonPod(pod)
    return { nodes: this.#leave(key), bound: false }
  }

  /** Returns the newest active pod of the DaemonSet with this UID. It shows what the DaemonSet's pods look like after admission. */
  daemonPod(daemonSetUid: string): Pod | undefined {
    if (this.#orphaned.delete(daemonSetUid)) {
      for (const pods of this.#byNode.values()) {
        for (const pod of pods.values()) if (podDaemonSet(pod) === daemonSetUid) this.#rememberDaemonPod(pod)
      }
    }
    return this.#newestDaemonPod.get(daemonSetUid)
  }

  #leave(key: string): string[] {
    const nodeName = this.#nodeOf.get(key)
    if (nodeName === undefined) return []
    this.#nodeOf.delete(key)
    this.#lists.delete(nodeName)
    const pods = this.#byNode.get(nodeName)
    this.#count(pods?.get(key), -1)
    pods?.delete(key)
    if (pods?.size === 0) this.#byNode.delete(nodeName)
    return [nodeName]
  }

  #count(pod: Pod | undefined, change: 1 | -1): void {
    if (pod === undefined) return
    const priority = pod.spec.priority ?? 0
    const pods = (this.#priorities.get(priority) ?? 0) + change
    if (pods === 0) this.#priorities.delete(priority)
    else this.#priorities.set(priority, pods)
  }

  #rememberDaemonPod(pod: Pod): void {
    const owner = podDaemonSet(pod)
    if (owner === undefined) return
    const known = this.#newestDaemonPod.get(owner)
    const isNewer = (pod.metadata.creationTimestamp ?? '') > (known?.metadata.creationTimestamp ?? '')
    const isSame = known?.metadata.uid === pod.metadata.uid
    if (known === undefined || isNewer || isSame) this.#newestDaemonPod.set(owner, pod)
  }

  #forgetDaemonPod(pod: Pod): void {
    const owner = podDaemonSet(pod)
    if (owner === undefined || this.#newestDaemonPod.get(owner)?.metadata.uid !== pod.metadata.uid) return
    this.#newestDaemonPod.delete(owner)
    this.#orphaned.add(owner)
  }
}

/** Returns the node that the pod is bound to. If the pod is not bound, returns the node that it is nominated for. */
const podHome = (pod: Pod): string | undefined => {
  if (isScheduled(pod)) return pod.spec.nodeName
  const nominated = pod.status?.nominatedNodeName ?? ''
  return nominated === '' ? undefined : nominated
}

/**
 * Returns the UID of the DaemonSet that created the pod. A DaemonSet also adopts matching pods that it did not create. Such pods have a
 * different spec and lack the revision label.
 */
const podDaemonSet = ({ metadata: { ownerReferences, labels = {} } }: Pod): string | undefined =>
  Object.hasOwn(labels, 'controller-revision-hash')
    ? ownerReferences?.find((owner) => owner.apiVersion === 'apps/v1' && owner.kind === 'DaemonSet')?.uid
    : undefined
