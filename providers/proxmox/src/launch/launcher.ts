import { formatTime, labels, type Milliseconds, type NodeClaim, parseTime, toNumber, zero } from '@kerf/apis'
import { CreateError, offeringCoordinates } from '@kerf/provider-contract'
import { CLOCK_SKEW, claimUid, launchOptions } from '@kerf/provider-kit'
import { type Clock, TtlCache, textOfThrown } from '@kerf/runtime'
import { AddressTakenError } from '../addresses/address-errors.ts'
import { parseAddresses } from '../addresses/address-pool.ts'
import { chooseAddresses } from '../addresses/choose-addresses.ts'
import type { GuestConfig, Upid } from '../api/proxmox-api.ts'
import { isSuccess } from '../api/upid.ts'
import type { CloudInitDisks } from '../cloud-init/cloud-init-disks.ts'
import { MetadataOptionsError } from '../cloud-init/metadata-options-error.ts'
import { FailedTaskError } from '../failures/failed-task-error.ts'
import { isGuestGone, kindOfError } from '../failures/failure-kind.ts'
import { type GuestDescription, parseDescription } from '../guests/guest-description.ts'
import type { Instances } from '../guests/instances.ts'
import type { ProxmoxInstance } from '../guests/proxmox-instance.ts'
import type { UsedAddresses } from '../guests/used-addresses.ts'
import { freeGuestId } from '../hypervisors/guest-ids.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import { type GuestId, guestKey } from '../names.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import { type ClassOffer, type ClassOffers, guestAmount, type OfferedPlace } from '../offers/class-offers.ts'
import { type Allocation, findAllocation } from '../offers/free-capacity.ts'
import { placeKey } from '../offers/place.ts'
import type { Reservations } from '../offers/reservations.ts'
import { parsePins } from '../topology/guest-pins.ts'
import { cloneRequest, describeGuest } from './clone-guest.ts'
import { canWorkElsewhere, isUnanswered, launchFailure, noPlace, UnidentifiedGuestError } from './launch-failures.ts'
import { launchOrder, type PlacedOption } from './launch-order.ts'
import { type GuestPlan, nextStep, takeStep } from './launch-step.ts'
import { promisedDemand } from './promised-demand.ts'

export interface LauncherDeps {
  readonly clock: Clock
  readonly inventory: Inventory
  readonly instances: Instances
  readonly offers: ClassOffers
  readonly reservations: Reservations
  readonly addresses: UsedAddresses
  /** Creates cloud-init disks. Absent if the settings do not allow them. */
  readonly disks?: Pick<CloudInitDisks, 'image'> | undefined
}

export interface LauncherOptions {
  /** The name of the Kubernetes cluster. */
  readonly cluster: string
  /** The first ID of new guests. */
  readonly firstId: number
  /** Whether Kerf creates linked clones if the storage allows it. A linked clone shares the disk of its template. */
  readonly prefersLinked: boolean
  /** Returns true if a NodeClaim or a Node has the guest's provider ID. In this case, Kerf does not reuse the guest's ID. */
  readonly isClaimed: (guest: string) => boolean
}

/** A launch that this process has started or found. */
interface Launch {
  readonly instance: ProxmoxInstance
  /** The running task. */
  task: { readonly upid: Upid; readonly step: string } | undefined
  /** Whether Proxmox has accepted the clone request. */
  isAccepted: boolean
  /** Whether this process has uploaded the cloud-init disk. */
  isUploaded: boolean
}

/** The offerings that one call has tried, and their problems. */
interface Attempts {
  readonly offerings: Set<string>
  readonly problems: string[]
}

const offeringKey = (
  { region, node }: Pick<ProxmoxInstance, 'region' | 'node'>,
  { instanceType = '', capacityType = '' }: Partial<Pick<GuestDescription, 'instanceType' | 'capacityType'>>,
): string => `${region}/${node}/${instanceType}/${capacityType}`

/** How long Kerf keeps data about launches. A claim that has not launched by then has been deleted. */
const KEPT_FOR: Milliseconds = 2 * 3_600_000
const MIB = 1024 ** 2
const NOTHING: ReadonlySet<string> = new Set()

/** Launches instances for NodeClaims (`providers/proxmox/docs/spec/proxmox.md#api-calls`). */
export class Launcher {
  readonly #deps: LauncherDeps
  readonly #options: LauncherOptions
  /** The launches by the uid of the claim. */
  readonly #launches: TtlCache<string, Launch>
  /** The guest IDs that Proxmox refused because other guests use them, by the uid of the claim. */
  readonly #refusedIds: TtlCache<string, ReadonlySet<string>>
  /** The time of the first launch request in this process. */
  #startedAt: Milliseconds | undefined

  constructor(deps: LauncherDeps, options: LauncherOptions) {
    this.#deps = deps
    this.#options = options
    this.#launches = new TtlCache(deps.clock, { ttl: KEPT_FOR })
    this.#refusedIds = new TtlCache(deps.clock, { ttl: KEPT_FOR })
  }

  /** Returns the instance of a claim, even if an earlier process launched it. Returns undefined if there is none. */
  async find(claim: NodeClaim, signal: AbortSignal): Promise<ProxmoxInstance | undefined> {
    return (this.#launches.get(claimUid(claim)) ?? (await this.#earlier(claim, signal)))?.instance
  }

  /** Discards the data about a claim whose instance Kerf is destroying. */
  forget(claim: NodeClaim): void {
    const uid = claimUid(claim)
    const launch = this.#launches.get(uid)
    if (launch !== undefined) this.#deps.reservations.release(launch.instance)
    this.#launches.delete(uid)
  }

  /**
   * Starts or continues the launch of a claim. Returns as soon as the launch has to wait.
   *
   * @throws InsufficientCapacityError if no hypervisor has capacity; CreateError for failures that a user must fix, and for temporary ones
   */
  async advance(
    claim: NodeClaim,
    nodeClass: ProxmoxNodeClass,
    offer: ClassOffer,
    signal: AbortSignal,
  ): Promise<{ readonly instance: ProxmoxInstance; readonly isRunning: boolean }> {
    const known = this.#launches.get(claimUid(claim)) ?? (await this.#earlier(claim, signal))
    if (known === undefined) await this.#refuseUnidentified(claim, signal)
    const attempts: Attempts = { offerings: new Set(), problems: [] }
    for (let launch = known; ; launch = undefined) {
      const current = launch ?? (await this.#begin(claim, nodeClass, offer, attempts, signal))
      this.#launches.set(claimUid(claim), current)
      const { instance } = current
      try {
        const isRunning = await this.#proceed(claim, nodeClass, offer, current, signal)
        if (isRunning) this.#deps.reservations.release(instance)
        return { instance, isRunning }
      } catch (error) {
        signal.throwIfAborted()
        const kind = error instanceof FailedTaskError ? error.kind : kindOfError(error)
        // Another process or an administrator is working on the guest. The next call checks it again.
        if (kind === 'locked' || kind === 'running') return { instance, isRunning: false }
        if (kind === 'id-taken') {
          // Another client took the ID after Proxmox's check and before the task.
          this.forget(claim)
          this.#waitForOther(claim, instance)
        }
        if (!canWorkElsewhere(error)) throw launchFailure(error)
        attempts.problems.push(textOfThrown(error))
        await this.#abandon(claim, offer, instance, error, signal)
        // The labels of this launch may already be on the claim, so the launch cannot move to another hypervisor.
        if (launch !== undefined) throw noPlace(claim.metadata.name, attempts.problems)
        attempts.offerings.add(offeringKey(instance, instance.description))
      } finally {
        this.#deps.inventory.forget(instance.region)
      }
    }
  }

  async #earlier(claim: NodeClaim, signal: AbortSignal): Promise<Launch | undefined> {
    const found = await this.#deps.instances.launchedFor(claimUid(claim), claim.metadata.name, signal)
    const instance = found.filter(({ isEnding }) => !isEnding).toSorted((a, b) => a.vmid - b.vmid)[0]
    return instance && { instance, task: undefined, isAccepted: true, isUploaded: false }
  }

  /**
   * Throws while a guest that Kerf cannot identify may belong to this claim. A guest has no description until its disk is cloned, and Kerf
   * cannot read it while the hypervisor does not respond. A claim that another process may have launched waits until Kerf has read every
   * such description. A claim that is newer than this process waits only for guests whose IDs Proxmox refused for this claim.
   *
   * @throws UnidentifiedGuestError while there is such a guest
   */
  async #refuseUnidentified(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { clock, instances } = this.#deps
    this.#startedAt ??= clock.now()
    const born = parseTime(claim.metadata.creationTimestamp)
    const isNewer = born !== undefined && born > this.#startedAt + CLOCK_SKEW
    const refused = this.#refusedIds.get(claimUid(claim))
    if (isNewer && refused === undefined) return
    const isPossible = (guest: string): boolean => !isNewer || refused?.has(guest) === true
    await this.#refuseWhile(claim, isPossible, signal)
    const guest = (await instances.unreadable(claimUid(claim), claim.metadata.name, signal)).find(isPossible)
    if (guest !== undefined) throw new UnidentifiedGuestError(`the hypervisor of guest ${guest} does not respond`)
  }

  /** @throws UnidentifiedGuestError while another process is cloning a guest that meets the condition */
  async #refuseWhile(claim: NodeClaim, applies: (guest: string) => boolean, signal: AbortSignal): Promise<void> {
    const { inventory, instances, reservations } = this.#deps
    for (const region of inventory.regions) {
      const own = new Set(reservations.inRegion(region).map(({ vmid }) => vmid))
      const guest = (await instances.unidentified(region, claimUid(claim), signal))
        .filter((vmid) => !own.has(vmid))
        .map((vmid) => guestKey({ region, vmid }))
        .find(applies)
      if (guest !== undefined) throw new UnidentifiedGuestError(`guest ${guest} is being cloned by another process`)
    }
  }

  /**
   * Called if Proxmox refuses the guest ID of a launch. Two processes of Kerf that launch the same claim choose the same ID. So this
   * process waits until the guest has its description. If the guest belongs to the claim, the process continues the other launch. Otherwise
   * it uses another ID.
   */
  #waitForOther(claim: NodeClaim, guest: GuestId): never {
    const uid = claimUid(claim)
    this.#refusedIds.set(uid, new Set([...(this.#refusedIds.get(uid) ?? []), guestKey(guest)]))
    throw new UnidentifiedGuestError(`another process has taken guest ID ${guestKey(guest)}`)
  }

  /** Clones a template on the first hypervisor that has capacity and accepts the request. */
  async #begin(
    claim: NodeClaim,
    nodeClass: ProxmoxNodeClass,
    offer: ClassOffer,
    attempts: Attempts,
    signal: AbortSignal,
  ): Promise<Launch> {
    const options = launchOptions(offer.types, promisedDemand(claim)).flatMap((option): readonly PlacedOption[] => {
      const { zone } = offeringCoordinates(option.type, option.offering)
      const region = option.offering.requirements.find(({ key }) => key === labels.region)?.values?.[0]
      const place = offer.places.get(placeKey({ region: region ?? '', zone }))
      return place === undefined ? [] : [{ option, place }]
    })
    const isBalanced = nodeClass.spec?.placementStrategy?.zoneBalance !== 'AvailabilityFirst'
    for (const placed of launchOrder(options, isBalanced)) {
      const { option, place } = placed
      const { capacityType } = offeringCoordinates(option.type, option.offering)
      const key = offeringKey(
        { region: place.region, node: place.zone },
        { instanceType: option.type.name, capacityType },
      )
      // Most templates have no pools. There must be no `await` from here to the reservation. Otherwise another launch could choose the same
      // capacity, address or ID.
      const used = place.template.addressPools.length === 0 ? NOTHING : await this.#usedAddresses(claim, place, signal)
      // Another launch may have taken the capacity in the meantime.
      const allocation = findAllocation(place.freeNow(), guestAmount(option.type))
      if (attempts.offerings.has(key) || allocation === undefined) continue
      try {
        return await this.#clone(claim, nodeClass, placed, { used, allocation }, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (isUnanswered(error) || !canWorkElsewhere(error)) throw launchFailure(error)
        this.#deps.offers.mark(option.type, capacityType, place, textOfThrown(error))
        attempts.problems.push(textOfThrown(error))
      }
    }
    // While another process clones a guest, Kerf treats its hypervisor as full. The guest may also belong to this claim.
    await this.#refuseWhile(claim, () => true, signal)
    throw noPlace(claim.metadata.name, attempts.problems)
  }

  async #clone(
    claim: NodeClaim,
    nodeClass: ProxmoxNodeClass,
    placed: PlacedOption,
    { used, allocation: { pins } }: { readonly used: ReadonlySet<string>; readonly allocation: Allocation },
    signal: AbortSignal,
  ): Promise<Launch> {
    const { clock, inventory, reservations } = this.#deps
    const { cluster, firstId, prefersLinked, isClaimed } = this.#options
    const { option, place } = placed
    const { region, zone, template, usedIds } = place
    const amount = guestAmount(option.type)
    const reserved = reservations.inRegion(region).flatMap((each) => each.addresses ?? [])
    const addresses = chooseAddresses(template.addressPools, used, reserved)
    const description = describeGuest(claim, nodeClass, placed, {
      cluster,
      amount,
      pins,
      addresses,
      createdAt: formatTime(clock.now()),
    })
    const refused = this.#refusedIds.get(claimUid(claim))
    const isUsed = (vmid: number): boolean =>
      usedIds.has(vmid) ||
      refused?.has(guestKey({ region, vmid })) === true ||
      reservations.inRegion(region).some((each) => each.vmid === vmid) ||
      isClaimed(guestKey({ region, vmid }))
    const vmid = freeGuestId(region, firstId, isUsed)
    const instance: ProxmoxInstance = {
      ...{ region, vmid, node: zone, name: description.nodeClaim, status: 'stopped', tags: [], description },
      ...{ pool: nodeClass.spec?.resourcePool, isEnding: false },
    }
    const launch: Launch = { instance, task: undefined, isAccepted: false, isUploaded: false }
    this.#deps.instances.forget(instance)
    reservations.add({ region, vmid, node: zone, ...amount, pins, addresses: [...addresses.values()] })
    this.#launches.set(claimUid(claim), launch)
    try {
      const request = cloneRequest(description, nodeClass, place, { vmid, prefersLinked })
      launch.task = { upid: await inventory.api(region).clone(template, request, signal), step: 'the clone' }
      launch.isAccepted = true
      return launch
    } catch (error) {
      // Without a response, Proxmox may have started the clone. The next attempt searches for it.
      if (isUnanswered(error)) throw error
      this.forget(claim)
      if (kindOfError(error) !== 'id-taken') throw error
      return this.#waitForOther(claim, instance)
    } finally {
      inventory.forget(region)
    }
  }

  /** Returns the addresses that the new guest must not get. */
  async #usedAddresses(claim: NodeClaim, { region }: OfferedPlace, signal: AbortSignal): Promise<ReadonlySet<string>> {
    // The description of a guest contains its address, but a guest that is being cloned has no description yet.
    await this.#refuseWhile(claim, (guest) => guest.startsWith(`${region}/`), signal)
    return this.#deps.addresses.inRegion(region, signal)
  }

  /** Executes the steps of a launch until it has to wait. Returns whether the instance is running. */
  async #proceed(
    claim: NodeClaim,
    nodeClass: ProxmoxNodeClass,
    offer: ClassOffer,
    launch: Launch,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { instance } = launch
    const { region, vmid, node, description } = instance
    const api = this.#deps.inventory.api(region)
    const { instanceType: type = '', cpus = 1, memoryMiB = 0 } = description
    const found = offer.types.find(({ name }) => name === type)
    const capacity = found?.capacity ?? {}
    const { disks } = this.#deps
    const image = async (config: GuestConfig): Promise<Buffer> => {
      if (disks === undefined || found === undefined)
        throw new MetadataOptionsError(`guest ${vmid} needs a cloud-init disk, which PROXMOX_CLOUD_INIT must allow`)
      const bridges = await api.bridges(node, signal)
      return disks.image({ claim, nodeClass, guest: { region, node, vmid }, type: found, config, bridges }, signal)
    }
    const { diskStorage: storage } = description
    const addresses = parseAddresses(description.addresses ?? '')
    const plan = (): GuestPlan => ({
      ...{ claim, nodeClass, cluster: this.#options.cluster, type, guest: { region, node, vmid } },
      amount: { cpus, memory: memoryMiB * MIB },
      pins: parsePins(description.affinity, description.numa),
      diskBytes: toNumber(capacity['ephemeral-storage'] ?? zero),
      addresses,
      bridges: () => this.#deps.addresses.bridges(region, node, signal),
      ...(storage === undefined ? {} : { cloudInit: { storage, isUploaded: launch.isUploaded, image } }),
    })
    for (;;) {
      if (launch.task !== undefined && !(await this.#isTaskDone(launch, signal))) return false
      const config = await this.#ownConfig(claim, launch, signal)
      if (config === undefined || config['lock'] !== undefined) return false
      const step = await nextStep(plan(), config, api, signal)
      if (step === undefined) return true
      // The clone has its description now, so controllers that chose the same address can detect each other.
      const isFirst = step.name === 'configure' && addresses.size > 0
      if (isFirst && (await this.#deps.addresses.isTaken(instance, addresses.values(), signal)))
        throw new AddressTakenError(`another guest has one of the addresses ${[...addresses.values()].join(', ')}`)
      const upid = await takeStep(step, instance, api, signal)
      if (upid !== undefined) launch.task = { upid, step: step.name }
    }
  }

  async #isTaskDone(launch: Launch, signal: AbortSignal): Promise<boolean> {
    if (launch.task === undefined) return true
    const { upid, step } = launch.task
    const { status, exitstatus = '' } = await this.#deps.inventory.api(launch.instance.region).task(upid, signal)
    if (status === 'running') return false
    launch.task = undefined
    if (!isSuccess(exitstatus)) throw new FailedTaskError(step, exitstatus)
    if (step === 'upload') launch.isUploaded = true
    return true
  }

  /** Returns the configuration of the claim's guest, or undefined while its clone has no description yet. */
  async #ownConfig(claim: NodeClaim, launch: Launch, signal: AbortSignal): Promise<GuestConfig | undefined> {
    const { region, vmid, node } = launch.instance
    try {
      const config = await this.#deps.inventory.api(region).config({ node, vmid }, signal)
      const uid = parseDescription(String(config['description'] ?? ''))?.nodeClaimUid
      if (uid === claimUid(claim)) return config
      if (config['lock'] !== undefined) return undefined
    } catch (error) {
      if (!isGuestGone(error) || launch.isAccepted) throw error
    }
    // Either the clone request without a response had no effect, or another controller uses the ID.
    this.forget(claim)
    throw new CreateError('LaunchFailed', `guest ${vmid} was not cloned; Kerf repeats the launch`)
  }

  /** Destroys the guest of a failed launch, and makes its offering unavailable. */
  async #abandon(
    claim: NodeClaim,
    { types }: ClassOffer,
    instance: ProxmoxInstance,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const { instances, offers } = this.#deps
    const { region, node: zone, description } = instance
    const type = types.find(({ name }) => name === description.instanceType)
    if (type !== undefined) offers.mark(type, description.capacityType ?? '', { region, zone }, textOfThrown(error))
    this.forget(claim)
    // If this fails, the deletion of the claim or garbage collection destroys the guest.
    const left = await instances.get(instance, signal).catch(() => undefined)
    if (left?.description.nodeClaimUid === claimUid(claim))
      await instances.terminate(instance, signal).catch(() => undefined)
  }
}
