import type { Milliseconds } from '@kerf/apis'
import { type Clock, type Controller, retryAfter } from '@kerf/runtime'

/** A cloud resource, with the name that Kerf assigned and the id that the cloud assigned. */
export interface NamedResource {
  readonly name: string
  readonly id: string
}

export interface ShortLivedOptions {
  readonly clock: Clock
  /** The title of the kind in messages, for example `launch templates`. */
  readonly title: string
  /** How long a resource is kept after it was last used. */
  readonly ttl: Milliseconds
  /** Lists all resources of the kind that were created for this cluster. */
  readonly list: (signal: AbortSignal) => Promise<readonly NamedResource[]>
  /** Deletes one resource. A missing resource is not an error. */
  readonly delete: (resource: NamedResource, signal: AbortSignal) => Promise<void>
}

interface Held {
  readonly id: string
  readonly expires: Milliseconds
}

/**
 * Manages resources that launches need. Deletes them some time after their last use, including resources that earlier processes created.
 * Operations on the same resource run one at a time, so that a resource which is about to be used is never deleted.
 */
export class ShortLivedResources {
  readonly #options: ShortLivedOptions
  readonly #held = new Map<string, Held>()
  readonly #turns = new Map<string, Promise<unknown>>()
  #hasAdopted = false

  constructor(options: ShortLivedOptions) {
    this.#options = options
  }

  /** Returns the id of the resource, and keeps the resource for at least its TTL. Calls `make` if the resource is unknown. */
  use(name: string, make: () => Promise<string>): Promise<string> {
    return this.#inTurn(name, async () => {
      const id = this.#held.get(name)?.id ?? (await make())
      this.#held.set(name, { id, expires: this.#expiry() })
      return id
    })
  }

  /** Removes a resource that does not exist in the cloud. The next use creates it again. */
  forget(name: string): void {
    this.#held.delete(name)
  }

  /** Returns a controller that deletes expired resources. */
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

  /** Records the resources of earlier processes, so that they also expire. */
  async #adopt(signal: AbortSignal): Promise<void> {
    const left = await this.#options.list(signal)
    const expires = this.#expiry()
    for (const { name, id } of left) if (!this.#held.has(name)) this.#held.set(name, { id, expires })
    this.#hasAdopted = true
  }

  /** Deletes expired resources. If a deletion fails, its error is thrown, and the next round retries it. */
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
