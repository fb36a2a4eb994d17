import type { NodeClaim } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import type { KerfProcess } from '../environment/kerf-process.ts'
import { isOfDaemonSet } from './daemon-pods.ts'

/** The annotation that lists the owners for whose expected pods a NodeClaim was launched. */
export const LAUNCHED_FOR = 'kerf.sh/launched-for'

/** How long a process may take to record a pod: its watch may lag, and its call may be slow. */
const RECORDED_AFTER = 60_000

/** The first time that a pod was seen on a node, and the process that was leading at that time. */
interface Sight {
  readonly process: KerfProcess
  readonly since: number
}

/** Records which nodes ever had a pod that does not belong to a DaemonSet. */
export class NodesWithPods {
  readonly #environment: Environment
  readonly #used = new Set<string>()
  /** The nodes that currently have a pod. */
  #busy: ReadonlySet<string> = new Set()
  /** The nodes with a pod that existed long enough for one process to record it. */
  readonly #recorded = new Set<string>()
  readonly #sights = new Map<string, Sight>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Records the current state. Must be called whenever an object has changed. */
  note(): void {
    const bound = this.#environment
      .pods()
      .flatMap((pod) => (pod.spec.nodeName === undefined || isOfDaemonSet(pod) ? [] : [pod.spec.nodeName]))
    this.#busy = new Set(bound)
    for (const node of this.#busy) this.#used.add(node)
    this.#noteSights()
  }

  /** Reports whether a pod was ever bound to the node of the NodeClaim. */
  hasHadPods({ status }: NodeClaim): boolean {
    return status?.nodeName !== undefined && this.#used.has(status.nodeName)
  }

  /**
   * Reports whether Kerf must know that the node of the NodeClaim has or had a pod. If a process crashes before it records a short-lived
   * pod, no later process can know about the pod.
   */
  isKnownToHaveHadPods({ status }: NodeClaim): boolean {
    const { nodeName } = status ?? {}
    return nodeName !== undefined && (this.#busy.has(nodeName) || this.#recorded.has(nodeName))
  }

  #noteSights(): void {
    const now = this.#environment.clock.monotonic()
    const { leader } = this.#environment.processes
    for (const [node, { process, since }] of this.#sights) {
      if (process.isDead || !process.leads) this.#sights.delete(node)
      else if (now - since >= RECORDED_AFTER) this.#recorded.add(node)
    }
    if (!leader.leads) return
    for (const node of this.#busy) if (!this.#sights.has(node)) this.#sights.set(node, { process: leader, since: now })
  }
}
