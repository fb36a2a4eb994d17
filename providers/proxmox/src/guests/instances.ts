import type { Milliseconds } from '@kerf/apis'
import { DeleteError, NodeClaimNotFoundError } from '@kerf/provider-contract'
import { type Clock, mapLimit, sleep, textOfThrown } from '@kerf/runtime'
import { fixedAddresses, parseAddresses } from '../addresses/address-pool.ts'
import type { GuestConfig, Upid } from '../api/proxmox-api.ts'
import { ProxmoxApiError } from '../api/proxmox-api-error.ts'
import { isSuccess } from '../api/upid.ts'
import { deleteDisk } from '../cloud-init/delete-disk.ts'
import { FailedTaskError } from '../failures/failed-task-error.ts'
import { isGuestGone, kindOfError } from '../failures/failure-kind.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import type { Guest, RegionState } from '../hypervisors/region-state.ts'
import { clusterTag, type GuestId, guestKey, KARPENTER_TAG } from '../names.ts'
import { configPins, type GuestPins, parsePins } from '../topology/guest-pins.ts'
import { Destructions } from './destructions.ts'
import { type GuestDescription, parseDescription } from './guest-description.ts'
import type { ProxmoxInstance } from './proxmox-instance.ts'

/** The number of guest configurations that Kerf reads concurrently. */
const PARALLEL = 8
/** How long Kerf caches the facts of guests that neither Kerf nor Karpenter launched. Users may change these guests. */
const FOREIGN_FOR: Milliseconds = 15 * 60_000
/** The waits between checks of a task. If the task is still running after the last wait, the next call continues. */
const TASK_WAITS = [200, 500, 1_000, 2_000, 4_000] as const

export interface InstancesOptions {
  readonly inventory: Inventory
  readonly clock: Clock
  /** The name of the Kubernetes cluster. */
  readonly cluster: string
  /** The first ID of new guests. */
  readonly firstId: number
  /** Returns true if a NodeClaim of this cluster has the guest's provider ID. */
  readonly isClaimed: (guest: string) => boolean
}

/** The data from the configuration of a guest. */
interface Facts {
  /** False if the hypervisor does not respond. */
  readonly isRead: boolean
  /** Undefined for a guest that neither Kerf nor Karpenter launched. */
  readonly description: Partial<GuestDescription> | undefined
  /** The guest's fixed IPv4 addresses, and its addresses from Kerf. */
  readonly addresses: readonly string[]
  /** The CPUs and NUMA nodes to which the guest is pinned, if any. */
  readonly pins: GuestPins | undefined
}

interface Known extends Facts {
  readonly name: string
  readonly readAt: Milliseconds
}

/** The virtual machines of this Kubernetes cluster (`providers/proxmox/docs/spec/proxmox.md#labels-identity`). */
export class Instances {
  readonly #options: InstancesOptions
  /**
   * Cached facts from the configurations of guests. Kerf never changes the description, addresses and pins of its guests, so it reads them
   * only once.
   */
  readonly #known = new Map<string, Known>()
  readonly #ending = new Destructions()

  constructor(options: InstancesOptions) {
    this.#options = options
  }

  /** Lists all instances of this cluster. Throws if any Proxmox cluster does not respond. */
  async list(signal: AbortSignal): Promise<readonly ProxmoxInstance[]> {
    const { inventory } = this.#options
    const lists = await Promise.all(
      inventory.regions.map(async (region) => {
        const state = await this.#current(region, signal)
        this.#forgetOthers(region, state)
        return this.inRegion(region, state, signal)
      }),
    )
    return lists.flat()
  }

  /** Returns the instances among the guests of a Proxmox cluster. */
  async inRegion(region: string, state: RegionState, signal: AbortSignal): Promise<readonly ProxmoxInstance[]> {
    const { firstId, cluster, isClaimed } = this.#options
    const candidates = state.guests.filter(
      (guest) =>
        guest.isVirtualMachine &&
        !guest.isTemplate &&
        (guest.vmid >= firstId ||
          guest.tags.includes(clusterTag(cluster)) ||
          isClaimed(guestKey({ region, vmid: guest.vmid }))),
    )
    const found = await mapLimit(candidates, PARALLEL, (guest, inner) => this.#instance(region, guest, inner), signal)
    return found.flatMap((instance) => instance ?? [])
  }

  /** Returns the instances that Kerf launched for a NodeClaim. */
  async launchedFor(uid: string, name: string, signal: AbortSignal): Promise<readonly ProxmoxInstance[]> {
    const { inventory } = this.#options
    const found = await Promise.all(
      inventory.regions.map(async (region) => {
        const state = await inventory.read(region, signal)
        // An instance has the name of its NodeClaim. In the list, a new guest has no name for some seconds.
        const guests = state.guests.filter((guest) => (guest.name ?? name) === name)
        return this.inRegion(region, { ...state, guests }, signal)
      }),
    )
    return found.flat().filter(({ description }) => description.nodeClaimUid === uid)
  }

  /**
   * Returns the IDs of guests that are being cloned and have no description yet. Kerf does not know their owners. Includes a guest that got
   * its description only now and belongs to the NodeClaim with this UID, because an earlier call of `launchedFor` has missed it.
   */
  async unidentified(region: string, uid: string, signal: AbortSignal): Promise<readonly number[]> {
    const { inventory, firstId } = this.#options
    const { guests } = await inventory.read(region, signal)
    const cloned = guests.filter(({ vmid, lock, name }) => vmid >= firstId && lock === 'clone' && name === undefined)
    const descriptions = await mapLimit(
      cloned,
      PARALLEL,
      (guest, inner) => this.#description(region, guest, inner),
      signal,
    )
    return cloned.flatMap(({ vmid }, index) => {
      const description = descriptions[index]
      return description === undefined || description.nodeClaimUid === uid ? [vmid] : []
    })
  }

  /**
   * Returns the keys of guests that may be the instance of a NodeClaim, but whose hypervisors do not respond. Kerf does not know their
   * owners, and no NodeClaim has their provider IDs. Includes the instance of the NodeClaim if its hypervisor responds again only now.
   */
  async unreadable(uid: string, name: string, signal: AbortSignal): Promise<readonly string[]> {
    const { inventory, firstId, cluster, isClaimed } = this.#options
    const inRegion = async (region: string): Promise<readonly string[]> => {
      const { guests } = await inventory.read(region, signal)
      const candidates = guests.filter(
        (guest) =>
          guest.isVirtualMachine &&
          !guest.isTemplate &&
          guest.vmid >= firstId &&
          guest.status === 'unknown' &&
          (guest.name ?? name) === name &&
          (!guest.tags.includes(KARPENTER_TAG) || guest.tags.includes(clusterTag(cluster))) &&
          !isClaimed(guestKey({ region, vmid: guest.vmid })),
      )
      const facts = await mapLimit(candidates, PARALLEL, (guest, inner) => this.#facts(region, guest, inner), signal)
      return candidates.flatMap(({ vmid }, index) =>
        facts[index]?.isRead === false || facts[index]?.description?.nodeClaimUid === uid
          ? [guestKey({ region, vmid })]
          : [],
      )
    }
    return (await Promise.all(inventory.regions.map(inRegion))).flat()
  }

  /**
   * Returns the addresses of all virtual machines in a Proxmox cluster, by guest ID and regardless of the owner. Guests on hypervisors that
   * do not respond are missing, unless their addresses are cached.
   */
  async addressesIn(region: string, signal: AbortSignal): Promise<ReadonlyMap<number, readonly string[]>> {
    const { guests } = await this.#options.inventory.read(region, signal)
    const machines = guests.filter(({ isVirtualMachine, isTemplate }) => isVirtualMachine && !isTemplate)
    const found = await mapLimit(
      machines,
      PARALLEL,
      async (guest, inner) => (await this.#facts(region, guest, inner)).addresses,
      signal,
    )
    return new Map(machines.map(({ vmid }, index) => [vmid, found[index] ?? []]))
  }

  /** Returns the pins of running virtual machines, by guest ID and regardless of the owner. Guests without pins are missing. */
  async pinsIn(region: string, { guests }: RegionState, signal: AbortSignal): Promise<ReadonlyMap<number, GuestPins>> {
    const machines = guests.filter(
      ({ isVirtualMachine, isTemplate, status }) => isVirtualMachine && !isTemplate && status === 'running',
    )
    const found = await mapLimit(
      machines,
      PARALLEL,
      async (guest, inner) => (await this.#facts(region, guest, inner)).pins,
      signal,
    )
    return new Map(
      machines.flatMap(({ vmid }, index) => {
        const pins = found[index]
        return pins === undefined ? [] : [[vmid, pins] as const]
      }),
    )
  }

  /** @throws NodeClaimNotFoundError if the instance does not exist, or belongs to another cluster. */
  async get(id: GuestId, signal: AbortSignal): Promise<ProxmoxInstance> {
    const state = await this.#current(id.region, signal)
    const guest = state.guests.find(({ vmid, isVirtualMachine }) => vmid === id.vmid && isVirtualMachine)
    if (guest === undefined) throw this.#gone(id)
    const instance = await this.#instance(id.region, guest, signal)
    if (instance === undefined)
      throw new NodeClaimNotFoundError(`guest ${guestKey(id)} does not belong to this cluster`)
    return instance
  }

  /**
   * Stops an instance and starts to destroy it. If another task has locked the instance, or it is slow to stop, the next call continues.
   *
   * @throws NodeClaimNotFoundError if it is gone; DeleteError if a user must intervene; FailedTaskError if Proxmox could not destroy it
   * (the next call tries again)
   */
  async terminate(id: GuestId, signal: AbortSignal): Promise<void> {
    const instance = await this.get(id, signal)
    const { node } = instance
    const { inventory } = this.#options
    const api = inventory.api(id.region)
    const guest = { node, vmid: id.vmid }
    try {
      const task = this.#ending.taskFor(instance)
      if (task !== undefined) {
        const { status: progress, exitstatus = '' } = await api.task(task, signal)
        if (progress === 'running' || isSuccess(exitstatus)) return
        this.#ending.delete(guestKey(id))
        throw new FailedTaskError('the destruction', exitstatus)
      }
      const { status } = await api.status(guest, signal)
      if (status !== 'stopped') {
        const upid = await api.stop(guest, signal)
        inventory.forget(id.region)
        if (!(await this.#isDone(id.region, upid, signal))) return
      }
      await this.#removeDisk(instance, signal)
      this.#ending.begin(instance, await api.destroy(guest, signal))
    } catch (error) {
      signal.throwIfAborted()
      const kind = error instanceof FailedTaskError ? error.kind : kindOfError(error)
      if (kind !== 'locked') throw this.#refusal(id, node, error)
    } finally {
      inventory.forget(id.region)
    }
  }

  /** Deletes the cloud-init disk of a stopped instance. Proxmox does not delete it together with the guest. */
  async #removeDisk({ region, node, vmid, description }: ProxmoxInstance, signal: AbortSignal): Promise<void> {
    const { diskStorage } = description
    if (diskStorage === undefined) return
    await deleteDisk(this.#options.inventory.api(region), { node, vmid }, diskStorage, signal)
  }

  /** Discards the cached data of a guest, because a new guest gets its ID. */
  forget(id: GuestId): void {
    this.#ending.delete(guestKey(id))
    this.#known.delete(guestKey(id))
  }

  /**
   * Returns the state of a Proxmox cluster. While Kerf destroys instances there, each call reads the state again, because instances may
   * disappear.
   */
  #current(region: string, signal: AbortSignal): Promise<RegionState> {
    const { inventory } = this.#options
    if (this.#ending.isBusyIn(region)) inventory.forget(region)
    return inventory.read(region, signal)
  }

  async #isDone(region: string, upid: Upid, signal: AbortSignal): Promise<boolean> {
    const { inventory, clock } = this.#options
    for (const wait of [0, ...TASK_WAITS]) {
      if (wait > 0) await sleep(clock, wait, signal)
      if ((await inventory.api(region).task(upid, signal)).status === 'stopped') return true
    }
    return false
  }

  #refusal(id: GuestId, node: string, error: unknown): unknown {
    if (isGuestGone(error)) return this.#gone(id, error)
    if (kindOfError(error) === 'unreachable')
      return new DeleteError(
        'HypervisorUnreachable',
        `hypervisor ${node} does not answer, so guest ${id.vmid} cannot be destroyed; repair the hypervisor, or remove it from the Proxmox cluster together with its guests`,
        { cause: error },
      )
    if (error instanceof ProxmoxApiError && /protection mode/.test(error.detail))
      return new DeleteError(
        'DeletionProtected',
        `guest ${id.vmid} is protected; turn its option "protection" off (${textOfThrown(error)})`,
        { cause: error },
      )
    return error
  }

  #gone(id: GuestId, cause?: unknown): NodeClaimNotFoundError {
    this.forget(id)
    return new NodeClaimNotFoundError(`guest ${guestKey(id)} is gone`, cause === undefined ? {} : { cause })
  }

  /** Discards the cached data of guests that no longer exist in a Proxmox cluster, because Proxmox may reuse their IDs. */
  #forgetOthers(region: string, { guests }: RegionState): void {
    if (guests.length === 0) return
    for (const keys of [this.#known, this.#ending])
      for (const key of keys.keys())
        if (key.startsWith(`${region}/`) && !guests.some(({ vmid }) => guestKey({ region, vmid }) === key))
          keys.delete(key)
  }

  /** Returns the guest as an instance. Returns undefined if the guest is gone or does not belong to this cluster. */
  async #instance(region: string, guest: Guest, signal: AbortSignal): Promise<ProxmoxInstance | undefined> {
    const { cluster, isClaimed } = this.#options
    const { vmid, node, name, status, tags, pool } = guest
    const key = guestKey({ region, vmid })
    const description = await this.#description(region, guest, signal)
    // Karpenter's provider does not write the cluster into the description. Its instances belong to this cluster if a NodeClaim has their
    // provider ID.
    const isOwn =
      description !== undefined &&
      (description.cluster === undefined ? isClaimed(key) : description.cluster === cluster)
    return isOwn
      ? {
          ...{ region, vmid, node, name, status, tags, pool, description },
          isEnding: this.#ending.taskFor({ region, vmid, name, description }) !== undefined,
        }
      : undefined
  }

  async #description(
    region: string,
    guest: Guest,
    signal: AbortSignal,
  ): Promise<Partial<GuestDescription> | undefined> {
    return (await this.#facts(region, guest, signal)).description
  }

  async #facts(region: string, guest: Guest, signal: AbortSignal): Promise<Facts> {
    const { inventory, cluster, clock } = this.#options
    const { vmid, node, name, tags } = guest
    const key = guestKey({ region, vmid })
    const known = this.#known.get(key)
    const now = clock.monotonic()
    const isCurrent = known?.description !== undefined || now - (known?.readAt ?? now) < FOREIGN_FOR
    if (known !== undefined && known.name === name && isCurrent) return known
    try {
      const config = await inventory.api(region).config({ node, vmid }, signal)
      const description = parseDescription(String(config['description'] ?? ''))
      const pins = parsePins(description?.affinity, description?.numa) ?? configPins(config)
      const facts = { isRead: true, description, addresses: guestAddresses(config, description), pins }
      // A guest has no description while Proxmox clones it.
      if (name !== undefined && (description !== undefined || guest.lock === undefined))
        this.#known.set(key, { name, readAt: now, ...facts })
      return facts
    } catch (error) {
      signal.throwIfAborted()
      if (isGuestGone(error)) return { isRead: true, description: undefined, addresses: [], pins: undefined }
      if (kindOfError(error) !== 'unreachable') throw error
      // Kerf treats an instance that is missing from the list as gone. So instances stay in the list while their hypervisor does not
      // respond.
      const description = tags.includes(clusterTag(cluster)) ? { cluster } : {}
      return { isRead: false, description, addresses: [], pins: undefined }
    }
  }
}

const guestAddresses = (config: GuestConfig, description: Partial<GuestDescription> | undefined): readonly string[] => [
  ...fixedAddresses(config),
  ...parseAddresses(description?.addresses ?? '').values(),
]
