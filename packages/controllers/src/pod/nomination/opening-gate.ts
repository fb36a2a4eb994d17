import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** The maximum time that a node waits for the other nodes of its plan before it accepts pods. */
const LONGEST_WAIT: Milliseconds = 2_000

/**
 * Opens the nodes of one plan at the same time if they become ready at nearly the same time. When the first node opens, kube-scheduler
 * tries all pending pods. Without the gate, it would bind pods to that node that are planned for nodes that are still closed. Nominations
 * reserve the capacity and would prevent this, but most pods with a hard spread constraint have no nomination. All other pods would fail,
 * lose their nominations, and wait for seconds in back-off.
 */
export class OpeningGate {
  readonly #clock: Clock
  readonly #waiting = new Map<string, () => void>()
  /** Nodes that have already waited. They do not wait again if the pass is repeated. */
  readonly #passed = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Waits until all `others` have reached the gate, so that all nodes continue at the same time. Stops waiting after the maximum wait. */
  async pass(name: string, others: () => readonly string[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#passed.has(name)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.set(name, resolve)
    const timer = this.#clock.timer(LONGEST_WAIT, resolve)
    const abort = (): void => resolve()
    signal.addEventListener('abort', abort, { once: true })
    const together = [name, ...others()]
    if (together.every((one) => this.#waiting.has(one) || this.#passed.has(one))) {
      for (const one of together) this.#waiting.get(one)?.()
    }
    await promise
    timer.cancel()
    signal.removeEventListener('abort', abort)
    this.#waiting.delete(name)
    this.#passed.add(name)
    signal.throwIfAborted()
  }

  /** Removes a node that already accepts pods or never will accept any. */
  forget(name: string): void {
    this.#passed.delete(name)
  }
}
