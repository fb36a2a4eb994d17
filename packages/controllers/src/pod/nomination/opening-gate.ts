import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** The maximum time that a node waits for the other nodes of its plan. */
const LONGEST_WAIT: Milliseconds = 2_000

/**
 * Opens nodes of one plan at the same moment if they become ready at nearly the same time. The first open node makes
 * kube-scheduler try every waiting pod. Pods planned for nodes that are still closed would be bound to it wherever no
 * nomination reserves the capacity, for example most pods with a hard spread constraint. The others would fail, lose their
 * nominations and back off for seconds.
 */
export class OpeningGate {
  readonly #clock: Clock
  readonly #waiting = new Map<string, () => void>()
  /** Nodes that have waited. A repeated pass does not wait again. */
  readonly #passed = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Waits until all `others` have arrived too, and then continues at the same moment as they do. Continues alone after the
   * maximum wait.
   */
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

  /** Forgets a node that is open or will not open. */
  forget(name: string): void {
    this.#passed.delete(name)
  }
}
