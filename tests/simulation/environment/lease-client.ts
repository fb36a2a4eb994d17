import type { Milliseconds } from '@kerf/apis'
import { ApiError, type Clock, type KubeClient } from '@kerf/runtime'

type Calls = Pick<KubeClient, 'get' | 'create' | 'update'>

/** The client for a Lease. Its connection can be interrupted for a while without affecting other calls. */
export class LeaseClient implements Calls {
  readonly #client: Calls
  readonly #clock: Clock
  #unreachableUntil: Milliseconds = Number.NEGATIVE_INFINITY

  constructor(client: Calls, clock: Clock) {
    this.#client = client
    this.#clock = clock
  }

  disconnect(duration: Milliseconds): void {
    this.#unreachableUntil = this.#clock.monotonic() + duration
  }

  readonly get: Calls['get'] = (kind, ref, options) => this.#call(() => this.#client.get(kind, ref, options))

  readonly create: Calls['create'] = (kind, object, options) =>
    this.#call(() => this.#client.create(kind, object, options))

  readonly update: Calls['update'] = (kind, object, options) =>
    this.#call(() => this.#client.update(kind, object, options))

  async #call<T>(call: () => Promise<T>): Promise<T> {
    if (this.#clock.monotonic() < this.#unreachableUntil)
      throw new ApiError({ code: 0, reason: 'Unreachable', message: 'connection reset' })
    return await call()
  }
}
