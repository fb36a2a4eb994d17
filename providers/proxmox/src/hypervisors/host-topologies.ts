import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { isGuestGone, kindOfError } from '../failures/failure-kind.ts'
import { KARPENTER_TAG } from '../names.ts'
import type { HypervisorSettingsLookup, NodePolicy } from '../settings/node-settings.ts'
import {
  capacityGuestLayout,
  guessLayout,
  type HostLayout,
  type HostTopology,
  hostTopology,
} from '../topology/host-topology.ts'
import type { Inventory } from './inventory.ts'
import type { Hypervisor, RegionState } from './region-state.ts'

const KEPT_FOR: Milliseconds = 15 * 60_000
/** The name of the stopped guest whose options describe its hypervisor. Upstream's proxmox-scheduler creates it. */
const CAPACITY_GUEST = 'node-capacity'

export interface HostTopologiesDeps {
  readonly clock: Clock
  readonly inventory: Pick<Inventory, 'api'>
  readonly hypervisors: HypervisorSettingsLookup
  readonly policy: NodePolicy
}

/**
 * Reads the topologies of hypervisors (`providers/proxmox/docs/spec/proxmox.md#the-policy-static`). NODE_SETTING_FILE has precedence over
 * the guest `node-capacity`, and the guest has precedence over the CPU model. Kerf reads the CPU model only for the policy `static`.
 */
export class HostTopologies {
  readonly #deps: HostTopologiesDeps
  readonly #layouts: ReadCache<HostLayout>

  constructor(deps: HostTopologiesDeps) {
    this.#deps = deps
    this.#layouts = new ReadCache(deps.clock, { ttl: KEPT_FOR })
  }

  /** Returns the known topologies by hypervisor. Hypervisors that do not respond are missing. */
  async inRegion(region: string, state: RegionState, signal: AbortSignal): Promise<ReadonlyMap<string, HostTopology>> {
    const found = await Promise.all(
      state.hypervisors
        .filter(({ isOnline }) => isOnline)
        .map(async (hypervisor): Promise<readonly (readonly [string, HostTopology])[]> => {
          const topology = await this.#read(region, hypervisor, state, signal)
          return topology === undefined ? [] : [[hypervisor.name, topology]]
        }),
    )
    return new Map(found.flat())
  }

  async #read(
    region: string,
    { name, memory }: Hypervisor,
    { guests }: RegionState,
    signal: AbortSignal,
  ): Promise<HostTopology | undefined> {
    const { inventory, hypervisors, policy } = this.#deps
    const api = inventory.api(region)
    const guest = guests.find(
      (each) => each.node === name && each.name === CAPACITY_GUEST && each.tags.includes(KARPENTER_TAG),
    )
    const ask = async (inner: AbortSignal): Promise<HostLayout> => ({
      ...(policy === 'static' ? guessLayout(await api.nodeStatus(name, inner)) : {}),
      ...(guest === undefined ? {} : capacityGuestLayout(await api.config(guest, inner))),
    })
    const { layout } = hypervisors(region, name)
    try {
      const isRead = policy === 'static' || guest !== undefined
      const read = isRead ? await this.#layouts.read(`${region}/${name}/${guest?.vmid ?? ''}`, ask, signal) : {}
      const known = Object.entries(layout).filter(([, value]) => value !== undefined)
      return hostTopology({ ...read, ...Object.fromEntries(known) }, memory)
    } catch (error) {
      signal.throwIfAborted()
      if (isGuestGone(error) || kindOfError(error) === 'unreachable') return undefined
      throw error
    }
  }
}
