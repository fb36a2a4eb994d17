import type { Pod } from '@kerf/apis'
import type { ClassPlacement } from './class-placement.ts'
import type { PodClass } from './pod-class.ts'

export interface PendingPod {
  readonly uid: string
  readonly order: number
  pod: Pod
  /** The last message written to the pod, its time, and the state of the cluster at that time. */
  announced: { readonly message: string; readonly at: number; readonly state: number } | undefined
}

/** The waiting pods of one pod class, in order of arrival. */
export interface ClassQueue {
  readonly podClass: PodClass
  readonly priority: number
  readonly pods: Map<string, PendingPod>
  placement: ClassPlacement | undefined
  /**
   * Set if every pod of the class has been reported and no pod has been added or removed since. Contains the time of the first report and
   * the version of the cluster state at that time.
   */
  reported: { readonly since: number; readonly state: number } | undefined
}

/** The pods that wait for a node, grouped by pod class. Ordered by priority, then by arrival. */
export class PendingQueue {
  readonly #queues = new Map<string, ClassQueue>()
  readonly #queueOf = new Map<string, ClassQueue>()
  #next = 0

  get size(): number {
    return this.#queueOf.size
  }

  get queues(): Iterable<ClassQueue> {
    return this.#queues.values()
  }

  /** Adds a pod. A pod that is already in the queue is replaced and keeps its position. */
  put(uid: string, pod: Pod, podClass: PodClass): void {
    const present = this.#queueOf.get(uid)
    const known = present?.pods.get(uid)
    if (known !== undefined && present?.podClass.key === podClass.key) {
      known.pod = pod
      return
    }
    this.remove(uid)
    let queue = this.#queues.get(podClass.key)
    if (queue === undefined) {
      queue = {
        podClass,
        priority: podClass.sample.spec.priority ?? 0,
        pods: new Map(),
        placement: undefined,
        reported: undefined,
      }
      this.#queues.set(podClass.key, queue)
    }
    queue.reported = undefined
    queue.pods.set(uid, { uid, order: known?.order ?? this.#next++, pod, announced: known?.announced })
    this.#queueOf.set(uid, queue)
  }

  get(uid: string): PendingPod | undefined {
    return this.#queueOf.get(uid)?.pods.get(uid)
  }

  remove(uid: string): void {
    const queue = this.#queueOf.get(uid)
    if (queue === undefined) return
    queue.reported = undefined
    queue.pods.delete(uid)
    this.#queueOf.delete(uid)
    if (queue.pods.size === 0) this.#queues.delete(queue.podClass.key)
  }

  /** Removes all waiting pods and returns them in order of arrival, so that they can be assigned to pod classes again. */
  drain(): PendingPod[] {
    const pods = [...this.#queues.values()].flatMap((queue) => [...queue.pods.values()])
    this.#queues.clear()
    this.#queueOf.clear()
    return pods.sort((a, b) => a.order - b.order)
  }
}

/**
 * The queues that one scheduling cycle has not finished yet, in a binary heap ordered by priority and arrival. `pop` returns the queue that
 * contains the next pod.
 */
export class SchedulingCycle {
  readonly #heap: ClassQueue[] = []

  constructor(queues: Iterable<ClassQueue>) {
    for (const queue of queues) this.push(queue)
  }

  push(queue: ClassQueue): void {
    if (queue.pods.size === 0) return
    const heap = this.#heap
    let at = heap.push(queue) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (above === undefined || !comesBefore(queue, above)) break
      heap[at] = above
      at = parent
    }
    heap[at] = queue
  }

  pop(): ClassQueue | undefined {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      const [left, right] = [heap[child], heap[child + 1]]
      if (left === undefined) break
      if (right !== undefined && comesBefore(right, left)) child++
      const lower = heap[child]
      if (lower === undefined || !comesBefore(lower, last)) break
      heap[at] = lower
      at = child
    }
    heap[at] = last
    return top
  }
}

export const firstPod = (queue: ClassQueue): PendingPod | undefined => queue.pods.values().next().value

const comesBefore = (a: ClassQueue, b: ClassQueue): boolean =>
  a.priority !== b.priority
    ? a.priority > b.priority
    : (firstPod(a)?.order ?? Number.POSITIVE_INFINITY) < (firstPod(b)?.order ?? Number.POSITIVE_INFINITY)
