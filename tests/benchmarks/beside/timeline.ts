import {
  isConditionTrue,
  isEphemeralTaint,
  isScheduled,
  karpenterKinds,
  kinds,
  type Milliseconds,
  type Node,
  type NodeClaim,
  type Pod,
} from '@kerf/apis'
import type { Clock, InformerFactory } from '@kerf/runtime'
import { MEASURED } from './workload.ts'

/** The times that determine how long pods waited. Times are in milliseconds since `mark`. */
export interface Course {
  /** The number of measured pods that are bound to a node, over time. At most ten points per second. */
  readonly bound: readonly (readonly [at: Milliseconds, pods: number])[]
  /** The time at which the last pod was bound. */
  readonly lastBound: Milliseconds
  /**
   * The time at which the last planned node began to accept pods. No run can be faster, because pods of that node cannot be bound earlier.
   */
  readonly lastOpen: Milliseconds
  /**
   * The number of NodeClaims that were created after all pods existed and the first pod was bound. Such NodeClaims exist because pods did
   * not get the nodes that were planned for them.
   */
  readonly boughtLate: number
}

const CURVE_STEP: Milliseconds = 100

/** Returns whether the node has finished its start, so that kube-scheduler may bind pods to it. */
const isOpen = (node: Node): boolean =>
  isConditionTrue(node, 'Ready') && !(node.spec.taints ?? []).some(isEphemeralTaint)

const providerIDOf = ({ status }: NodeClaim): string => status?.providerID ?? ''

/** Records the times of pods, nodes and NodeClaims since `mark`. It only reads API objects. */
export class Timeline {
  readonly #clock: Clock
  readonly #claims
  /**
   * When each pod, each NodeClaim, and each node that accepts pods was first seen. The keys are the pod's UID, the claim's name and the
   * node's provider ID.
   */
  readonly #pods = new Map<string, Milliseconds>()
  readonly #made = new Map<string, Milliseconds>()
  readonly #opened = new Map<string, Milliseconds>()
  readonly #bound = new Set<string>()
  #began: Milliseconds = 0
  #firstBound: Milliseconds | undefined
  #lastBound: Milliseconds | undefined
  #curve: (readonly [Milliseconds, number])[] = []

  constructor(informers: InformerFactory, clock: Clock) {
    this.#clock = clock
    this.#claims = informers.of(karpenterKinds.NodeClaim)
    informers.of(kinds.Pod).onChange(({ before, after }) => this.#onPod(before, after))
    informers.of(kinds.Node).onChange(({ after }) => this.#onNode(after))
    this.#claims.onChange(({ after }) => this.#see(this.#made, after?.metadata.name))
    this.mark()
  }

  mark(): void {
    this.#began = this.#clock.monotonic()
    this.#firstBound = undefined
    this.#lastBound = undefined
    this.#curve = [[0, this.#bound.size]]
  }

  course(): Course {
    const lastPod = Math.max(0, ...this.#pods.values())
    const planned = Math.max(lastPod, this.#firstBound ?? Number.POSITIVE_INFINITY)
    let boughtLate = 0
    let lastOpen = this.#began
    for (const claim of this.#claims.values()) {
      const made = this.#made.get(claim.metadata.name) ?? 0
      if (made < this.#began) continue
      if (made > planned) boughtLate++
      else lastOpen = Math.max(lastOpen, this.#opened.get(providerIDOf(claim)) ?? 0)
    }
    return {
      bound: this.#curve,
      lastBound: (this.#lastBound ?? this.#began) - this.#began,
      lastOpen: lastOpen - this.#began,
      boughtLate,
    }
  }

  #see(times: Map<string, Milliseconds>, what: string | undefined): void {
    if (what !== undefined && !times.has(what)) times.set(what, this.#clock.monotonic())
  }

  #onPod(before: Pod | undefined, after: Pod | undefined): void {
    const uid = (after ?? before)?.metadata.uid ?? ''
    if ((after ?? before)?.metadata.labels?.[MEASURED] === undefined) return
    const had = this.#bound.size
    if (after === undefined || after.metadata.deletionTimestamp !== undefined) {
      this.#pods.delete(uid)
      this.#bound.delete(uid)
    } else {
      this.#see(this.#pods, uid)
      if (isScheduled(after)) this.#bound.add(uid)
    }
    if (this.#bound.size === had) return
    const now = this.#clock.monotonic()
    if (this.#bound.size > had) {
      this.#firstBound ??= now
      this.#lastBound = now
    }
    const [last = 0] = this.#curve.at(-1) ?? []
    const point = [now - this.#began, this.#bound.size] as const
    // Keeps only the last point of each interval.
    if (this.#curve.length > 1 && Math.floor(last / CURVE_STEP) === Math.floor(point[0] / CURVE_STEP)) this.#curve.pop()
    this.#curve.push(point)
  }

  #onNode(node: Node | undefined): void {
    if (node !== undefined && isOpen(node)) this.#see(this.#opened, node.spec.providerID)
  }
}
