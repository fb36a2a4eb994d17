import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** No node waits longer than this for the others. */
const LONGEST_WAIT: Milliseconds = 2_000

/**
 * Lets nodes that were planned together open together, where they are nearly ready at the same time. The first open node makes
 * kube-scheduler try every pod that waits. Those of nodes that are still closed are bound to it wherever no nomination speaks for
 * the room, as none does for most pods of a hard spread; the others fail, lose their names and rest for seconds.
 */
export class OpeningGate {
  readonly #clock: Clock
  readonly #waiting = new Map<string, () => void>()
  /** Who has waited: a pass that is repeated does not wait again. */
  readonly #passed = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Waits until each of the `others` has come too, and goes on in the same moment as they do; or alone, when it takes too long. */
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

  /** The node is open, or will not be: nobody has to remember it. */
  forget(name: string): void {
    this.#passed.delete(name)
  }
}
