import type { Milliseconds } from '@kerf/apis'
import { type Clock, type Controller, retryAfter } from '@kerf/runtime'

/** A resource of the cloud: the name that Kerf gave it, and the id that the cloud did. */
export interface NamedResource {
  readonly name: string
  readonly id: string
}

export interface ShortLivedOptions {
  readonly clock: Clock
  /** What they are called in messages, e.g. `launch templates`. */
  readonly title: string
  /** How long one is kept after its last use. */
  readonly ttl: Milliseconds
  /** Every resource of the kind that was made for this cluster. */
  readonly list: (signal: AbortSignal) => Promise<readonly NamedResource[]>
  /** Deletes one; one that is not there is fine. */
  readonly delete: (resource: NamedResource, signal: AbortSignal) => Promise<void>
}

interface Held {
  readonly id: string
  readonly expires: Milliseconds
}

/**
 * Resources that launches need and that are deleted a while after their last use, those of earlier runs too. Operations on
 * one resource run one at a time, so one that is about to be used is never deleted.
 */
export class ShortLivedResources {
  readonly #options: ShortLivedOptions
  readonly #held = new Map<string, Held>()
  readonly #turns = new Map<string, Promise<unknown>>()
  #hasAdopted = false

  constructor(options: ShortLivedOptions) {
    this.#options = options
  }

  /** The id of the resource, which exists from now on for its time at least. `make` is called when it is not known. */
  use(name: string, make: () => Promise<string>): Promise<string> {
    return this.#inTurn(name, async () => {
      const id = this.#held.get(name)?.id ?? (await make())
      this.#held.set(name, { id, expires: this.#expiry() })
      return id
    })
  }

  /** The cloud does not know the resource any more: its next use makes it anew. */
  forget(name: string): void {
    this.#held.delete(name)
  }

  /** Deletes those whose time is over. */
  collection(controller: { readonly name: string; readonly interval: Milliseconds }): Controller {
    return {
      ...{ name: controller.name, sources: [], concurrency: 1, singleton: true },
      backoff: { base: 1_000, max: 60_000 },
      reconcile: async (_key, signal) => {
        if (!this.#hasAdopted) await this.#adopt(signal)
        await this.#sweep(signal)
        return retryAfter(controller.interval)
      },
    }
  }

  /** Takes those of an earlier run over, so that they expire too. */
  async #adopt(signal: AbortSignal): Promise<void> {
    const left = await this.#options.list(signal)
    const expires = this.#expiry()
    for (const { name, id } of left) if (!this.#held.has(name)) this.#held.set(name, { id, expires })
    this.#hasAdopted = true
  }

  /** One that cannot be deleted is tried again in the next round; its error is thrown. */
  async #sweep(signal: AbortSignal): Promise<void> {
    const { clock, title } = this.#options
    const failures: unknown[] = []
    for (const name of [...this.#held.keys()]) {
      await this.#inTurn(name, async () => {
        const held = this.#held.get(name)
        if (held === undefined || held.expires > clock.monotonic()) return
        try {
          await this.#options.delete({ name, id: held.id }, signal)
          this.#held.delete(name)
        } catch (error) {
          failures.push(error)
        }
      })
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} ${title} could not be deleted`)
  }

  #expiry(): Milliseconds {
    return this.#options.clock.monotonic() + this.#options.ttl
  }

  #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(work)
    const ended = turn.then(
      () => {},
      () => {},
    )
    this.#turns.set(name, ended)
    void ended.then(() => {
      if (this.#turns.get(name) === ended) this.#turns.delete(name)
    })
    return turn
  }
}
