import type { Milliseconds } from '@kerf/apis'
import { SingleFlight } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { ProxmoxApi } from '../api/proxmox-api.ts'
import { proxmoxErrors } from '../proxmox-errors.ts'
import { type RegionState, regionState } from './region-state.ts'

/** How long Kerf caches the state of a Proxmox cluster. Every change by Kerf invalidates the cache. */
const KEPT_FOR: Milliseconds = 5_000
const PRIVILEGES_FOR: Milliseconds = 300_000

/** The privileges without which Proxmox omits objects from its list instead of refusing the call. */
const NEEDED = [
  ['/vms', 'VM.Audit'],
  ['/nodes', 'Sys.Audit'],
  ['/storage', 'Datastore.Audit'],
] as const

interface Read {
  readonly state: RegionState
  readonly at: Milliseconds
}

/**
 * Reads the guests, hypervisors and storages of the Proxmox clusters (`providers/proxmox/docs/spec/proxmox.md#instance-types`). One
 * response contains the whole state of a cluster.
 */
export class Inventory {
  readonly #apis: ReadonlyMap<string, ProxmoxApi>
  readonly #clock: Clock
  readonly #known = new Map<string, Read>()
  readonly #generations = new Map<string, number>()
  readonly #privilegesAt = new Map<string, Milliseconds>()
  readonly #reading = new SingleFlight<RegionState>()

  constructor(apis: ReadonlyMap<string, ProxmoxApi>, clock: Clock) {
    this.#apis = apis
    this.#clock = clock
  }

  get regions(): readonly string[] {
    return [...this.#apis.keys()]
  }

  /** @throws KerfError `UnknownProxmoxRegion` if the region is not configured */
  api(region: string): ProxmoxApi {
    const api = this.#apis.get(region)
    if (api === undefined) throw proxmoxErrors.UnknownProxmoxRegion({ region })
    return api
  }

  /**
   * Returns the state of a Proxmox cluster. Returns the same object for some seconds, unless Kerf changes something.
   *
   * @throws KerfError `PrivilegeMissing` if the list may be incomplete
   */
  async read(region: string, signal: AbortSignal): Promise<RegionState> {
    const known = this.#known.get(region)
    if (known !== undefined && this.#clock.monotonic() - known.at < KEPT_FOR) return known.state
    const generation = this.#generation(region)
    return this.#reading.run(`${region} ${generation}`, (inner) => this.#read(region, generation, inner), signal)
  }

  /** Invalidates the cached state, so that the next `read` asks Proxmox. Must be called after each change. */
  forget(region: string): void {
    this.#known.delete(region)
    this.#generations.set(region, this.#generation(region) + 1)
  }

  #generation(region: string): number {
    return this.#generations.get(region) ?? 0
  }

  async #read(region: string, generation: number, signal: AbortSignal): Promise<RegionState> {
    const api = this.api(region)
    await this.#checkPrivileges(region, api, signal)
    const at = this.#clock.monotonic()
    const [resources, ha] = await Promise.all([api.resources(signal), api.haStatus(signal)])
    const state = regionState(resources, ha)
    // If Kerf changes something during the read, the response may not contain the change.
    if (this.#generation(region) === generation) this.#known.set(region, { state, at })
    return state
  }

  async #checkPrivileges(region: string, api: ProxmoxApi, signal: AbortSignal): Promise<void> {
    const checkedAt = this.#privilegesAt.get(region)
    if (checkedAt !== undefined && this.#clock.monotonic() - checkedAt < PRIVILEGES_FOR) return
    const privileges = await api.permissions(signal)
    for (const [path, privilege] of NEEDED)
      if ((privileges[path] ?? privileges['/'])?.[privilege] === undefined)
        throw proxmoxErrors.PrivilegeMissing({ region, privilege, path })
    this.#privilegesAt.set(region, this.#clock.monotonic())
  }
}
