import { capacityTypes, formatTime, type Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import type { CloudCallName, FailureKind } from '@kerf/provider-contract/conformance'
import { isMeantBy } from '@kerf/provider-kit'
import { type Ending, Inventory } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'
import { NoSuchServerError, OutOfStockError, type Server, type ServerApi, type ServerRequest } from '../server-api.ts'

interface Kept extends Server, Ending {
  readonly token: string
}

/** The example cloud in memory. Servers take time to stop. Tests can remove stock and make calls fail. */
export class FakeServers implements ServerApi {
  readonly #clock: Clock
  readonly #stopDelay: Milliseconds
  readonly #servers: Inventory<Kept>
  readonly #failing = new Map<CloudCallName, { readonly kind: FailureKind; readonly isAfterwards: boolean }>()
  readonly calls: CloudCallName[] = []
  outOfStock: OfferingPattern[] = []

  constructor(clock: Clock, stopDelay: Milliseconds) {
    this.#clock = clock
    this.#stopDelay = stopDelay
    // Servers stay in the inventory after they stop, because ids are numbered by all servers ever created.
    this.#servers = new Inventory(clock, { visibleFor: Number.POSITIVE_INFINITY })
  }

  async create(request: ServerRequest, signal: AbortSignal): Promise<Server> {
    return this.#call('launch', signal, () => {
      const { token, type, zone, isSpot, tags } = request
      const earlier = this.all().find((server) => server.token === token)
      if (earlier !== undefined) return earlier
      const capacityType = isSpot ? capacityTypes.spot : capacityTypes.onDemand
      const isOut = this.outOfStock.some((pattern) => isMeantBy(pattern, { capacityType, instanceType: type, zone }))
      if (isOut) throw new OutOfStockError(`${type} is out of stock in ${zone}`)
      return this.put({ token, type, zone, isSpot, tags }, 0)
    })
  }

  async describe(id: string, signal: AbortSignal): Promise<Server> {
    return this.#call('describe', signal, () => this.#known(id))
  }

  async list([key, value]: readonly [string, string], signal: AbortSignal): Promise<readonly Server[]> {
    return this.#call('list', signal, () => this.all().filter(({ tags }) => tags[key] === value))
  }

  async stop(id: string, signal: AbortSignal): Promise<void> {
    const endsAt = this.#clock.monotonic() + this.#stopDelay
    this.#call('terminate', signal, () => this.#servers.set(id, { ...this.#known(id), state: 'stopping', endsAt }))
  }

  /** Adds a server that already exists. It may have any owner. */
  put(server: Omit<Kept, 'id' | 'state' | 'createdAt'>, age: Milliseconds): Server {
    const kept: Kept = {
      ...server,
      id: `srv-${this.#servers.size + 1}`,
      state: 'running',
      createdAt: formatTime(this.#clock.now() - age),
    }
    this.#servers.set(kept.id, kept)
    return kept
  }

  remove(id: string): void {
    this.#servers.set(id, { ...this.#known(id), state: 'stopping', endsAt: this.#clock.monotonic() })
  }

  /** Makes every call of this kind fail until `recover`, before or after it takes effect. */
  fail(call: CloudCallName, kind: FailureKind, isAfterwards = false): void {
    this.#failing.set(call, { kind, isAfterwards })
  }

  recover(): void {
    this.#failing.clear()
  }

  /** Returns the servers that exist. A stopped server does not. */
  all(): readonly Kept[] {
    return this.#servers.living()
  }

  #known(id: string): Kept {
    const server = this.#servers.get(id)
    if (server === undefined || this.#servers.stateOf(server) === 'gone')
      throw new NoSuchServerError(`there is no server ${id}`)
    return server
  }

  #call<T>(call: CloudCallName, signal: AbortSignal, work: () => T): T {
    signal.throwIfAborted()
    this.calls.push(call)
    const { kind, isAfterwards = false } = this.#failing.get(call) ?? {}
    const failure = (): Error => new Error(`the cloud failed to ${call}: ${kind}`)
    if (kind !== undefined && !isAfterwards) throw failure()
    const result = work()
    if (kind !== undefined) throw failure()
    return result
  }
}
