import type { Milliseconds } from '@kerf/apis'
import { ApiError, type Clock, sleep } from '@kerf/runtime'
import type { ApiCall } from '@kerf/sandbox'
import type { FaultInjector } from '../environment/environment.ts'
import type { Counts, Point } from './point.ts'

const WRITES: ReadonlySet<ApiCall['verb']> = new Set(['create', 'update', 'patch', 'delete', 'evict', 'bind'])

/** If no write follows, a delayed event arrives after this time. The invariants tolerate a watch that lags this much. */
const LONGEST_DELAY: Milliseconds = 30_000
/** How long a watch delivers no events before it ends. This is most of the time that an instance takes to become a node. */
const SILENCE: Milliseconds = 20_000

/** Counts Kerf's writes, events and responses, and injects a failure at one point. Without a point, it only counts. */
export class PointInjector implements FaultInjector {
  readonly #point: Point | undefined
  #writes = 0
  #effects = 0
  #events = 0
  #answers = 0
  #waiting: (() => void) | undefined
  /** Whether the point was reached. */
  isReached = false

  constructor(point?: Point) {
    this.#point = point
  }

  get counts(): Counts {
    return { writes: this.#writes, effects: this.#effects, events: this.#events, answers: this.#answers }
  }

  inject({ verb, kind }: ApiCall, when: 'before' | 'after'): 'crash' | undefined {
    if (!WRITES.has(verb) || kind?.kind === 'Event') return undefined
    if (when === 'before') return this.#isAt('crash-before', ++this.#writes) ? 'crash' : undefined
    this.#releaseWaiting()
    return this.#isAt('crash-after', ++this.#effects) ? 'crash' : undefined
  }

  injectIntoCloud({ isWrite }: { readonly isWrite: boolean }): 'crash-before' | 'crash-after' | 'lost' | undefined {
    const isLost = this.#isAt('answer-lost', ++this.#answers)
    if (isWrite) {
      if (this.#isAt('crash-before', ++this.#writes)) return 'crash-before'
      this.#releaseWaiting()
      if (this.#isAt('crash-after', ++this.#effects)) return 'crash-after'
    }
    return isLost ? 'lost' : undefined
  }

  gate(clock: Clock, signal: AbortSignal | undefined): Promise<void> | undefined {
    const index = ++this.#events
    if (this.#isAt('event-delayed', index)) return this.#nextWrite(clock, signal)
    if (this.#isAt('event-missed', index)) return this.#silence(clock, signal)
    return undefined
  }

  #isAt(kind: Point['kind'], index: number): boolean {
    const isHere = this.#point?.kind === kind && this.#point.index === index
    if (isHere) this.isReached = true
    return isHere
  }

  #releaseWaiting(): void {
    this.#waiting?.()
    this.#waiting = undefined
  }

  async #nextWrite(clock: Clock, signal: AbortSignal | undefined): Promise<void> {
    const written = new Promise<void>((resolve) => {
      this.#waiting = resolve
    })
    await Promise.race([written, sleep(clock, LONGEST_DELAY, signal)])
  }

  async #silence(clock: Clock, signal: AbortSignal | undefined): Promise<never> {
    await sleep(clock, SILENCE, signal)
    throw new ApiError({ code: 410, reason: 'Expired', message: 'too old resource version' })
  }
}
