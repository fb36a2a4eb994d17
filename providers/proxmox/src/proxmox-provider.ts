import { LabelVocabulary, labels, type NodeClaim, type NodePool, ownValue } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  declaredPrices,
  type InstanceView,
  LaunchPendingError,
  NodeClaimNotFoundError,
  type ProviderContext,
  providerErrors,
} from '@kerf/provider-contract'
import {
  ClaimIndex,
  claimUid,
  createErrorFrom,
  instanceGarbageCollection,
  instanceNaming,
  NodeClasses,
  readinessPolicies,
  SingleFlight,
} from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import type { ProxmoxApi } from './api/proxmox-api.ts'
import { BootstrapTokens, bootstrapTokenId } from './cloud-init/bootstrap-tokens.ts'
import { CloudInitDisks } from './cloud-init/cloud-init-disks.ts'
import { cloudInitRemoval } from './controllers/cloud-init-removal.ts'
import { inPlaceUpdate } from './controllers/in-place-update.ts'
import { nodeClassControllers } from './controllers/node-class-status.ts'
import { managedTemplateStatus, templateStatus } from './controllers/template-status.ts'
import { hashDrift, imageDrift } from './drift/drift-reason.ts'
import { toStepCause } from './failures/step-cause.ts'
import { Instances } from './guests/instances.ts'
import { describeInstance, type ProxmoxInstance } from './guests/proxmox-instance.ts'
import { UsedAddresses } from './guests/used-addresses.ts'
import { HostTopologies } from './hypervisors/host-topologies.ts'
import { Inventory } from './hypervisors/inventory.ts'
import type { GuestType } from './instance-types/guest-type.ts'
import { instanceTypes } from './instance-types/instance-types.ts'
import { proxmoxVocabulary } from './labels.ts'
import { UnidentifiedGuestError } from './launch/launch-failures.ts'
import { Launcher } from './launch/launcher.ts'
import {
  cloudInitAnnotations,
  guestKey,
  inPlaceAnnotations,
  nodeClassHashAnnotations,
  parseProviderId,
} from './names.ts'
import { inPlaceHash, NODE_CLASS_HASH_VERSION, nodeClassHash } from './node-class/hash.ts'
import { type ProxmoxNodeClass, proxmoxNodeClassKind } from './node-class/proxmox-node-class.ts'
import { ClassOffers } from './offers/class-offers.ts'
import { Reservations } from './offers/reservations.ts'
import { type HypervisorSettingsLookup, type NodePolicy, usualHypervisors } from './settings/node-settings.ts'
import { parseZones } from './templates/selected-zone.ts'
import { TemplateBuilder } from './templates/template-builder.ts'
import { TemplateCatalog } from './templates/template-catalog.ts'
import { TemplateSearch } from './templates/template-search.ts'

const REPAIR_AFTER = 15 * 60_000
/** The maximum duration of a launch, with the clone of the template and all later steps. Copying a large disk takes minutes. */
const LAUNCH_TIMEOUT = 30 * 60_000
const PENDING_AGAIN = 2_000

const naming = instanceNaming(proxmoxNodeClassKind, (providerID) => {
  const id = parseProviderId(providerID)
  return id && guestKey(id)
})

export interface ProxmoxOptions {
  /** The client for each Proxmox cluster, by region. */
  readonly apis: ReadonlyMap<string, ProxmoxApi>
  readonly types: readonly GuestType[]
  /** The name of the Kubernetes cluster. It distinguishes this cluster's instances from those of other clusters. */
  readonly cluster: string
  /** The first ID of new guests. */
  readonly firstId: number
  /** Whether clones share the disk of their template if possible. */
  readonly prefersLinked: boolean
  /** Whether guests may get a cloud-init disk and a bootstrap token. */
  readonly allowsCloudInit: boolean
  /** The settings of hypervisors. By default, each reserves 1 GiB of memory for itself. */
  readonly hypervisors?: HypervisorSettingsLookup
  /** How CPUs are assigned. The default is `simple`. */
  readonly policy?: NodePolicy
}

/** The cloud provider for virtual machines of Proxmox VE (`providers/proxmox/docs/spec/proxmox.md`). */
export class ProxmoxProvider implements CloudProvider {
  readonly name = 'proxmox'
  readonly nodeClasses = [proxmoxNodeClassKind]
  readonly vocabulary = new LabelVocabulary(proxmoxVocabulary)
  readonly repairPolicies = readinessPolicies(REPAIR_AFTER)
  readonly launchTimeout = LAUNCH_TIMEOUT
  readonly #context: ProviderContext
  readonly #options: ProxmoxOptions
  readonly #classes: NodeClasses<ProxmoxNodeClass>
  readonly #claims: ClaimIndex
  readonly #inventory: Inventory
  readonly #instances: Instances
  readonly #catalog: TemplateCatalog
  readonly #search: TemplateSearch
  readonly #offers: ClassOffers
  readonly #launcher: Launcher
  readonly #tokens: BootstrapTokens | undefined
  readonly #disks: CloudInitDisks | undefined
  readonly #launching = new SingleFlight<InstanceView>()

  constructor(context: ProviderContext, options: ProxmoxOptions) {
    const { client, clock, informers } = context
    const { allowsCloudInit, cluster, firstId, prefersLinked, types } = options
    const { hypervisors = usualHypervisors, policy = 'simple' } = options
    this.#context = context
    this.#options = options
    this.#classes = new NodeClasses(context, proxmoxNodeClassKind, { provider: this.name, withoutReady: 'unknown' })
    this.#claims = new ClaimIndex(informers, naming)
    const isNamed = (guest: string): boolean => this.#claims.claimsOf(guest).length > 0
    const inventory = new Inventory(options.apis, clock)
    this.#inventory = inventory
    this.#instances = new Instances({ inventory, clock, cluster, firstId, isClaimed: isNamed })
    this.#catalog = new TemplateCatalog(inventory, clock)
    this.#search = new TemplateSearch(inventory, informers)
    const [instances, catalog, reservations] = [this.#instances, this.#catalog, new Reservations()]
    this.#offers = new ClassOffers({
      clock,
      inventory,
      instances,
      catalog,
      reservations,
      types,
      firstId,
      hypervisors,
      policy,
      topologies: new HostTopologies({ clock, inventory, hypervisors, policy }),
      declared: declaredPrices(informers),
    })
    const tokens = allowsCloudInit ? new BootstrapTokens({ client, clock }) : undefined
    this.#tokens = tokens
    this.#disks = tokens && new CloudInitDisks({ client, clock, tokens })
    const addresses = new UsedAddresses({ inventory, instances, informers, clock })
    this.#launcher = new Launcher(
      { addresses, clock, inventory, instances, reservations, offers: this.#offers, disks: this.#disks },
      {
        ...{ cluster, firstId, prefersLinked },
        isClaimed: (guest) => isNamed(guest) || this.#claims.nodesOf(guest).length > 0,
      },
    )
  }

  create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    return this.#launching.run(claimUid(claim), (inner) => this.#create(claim, inner), signal)
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { providerID = '' } = claim.status ?? {}
    // A claim that was deleted before its node joined still has its token.
    if (ownValue(claim.metadata.annotations, cloudInitAnnotations.status) === undefined)
      await this.#tokens?.revoke(claim, signal)
    const id = providerID === '' ? await this.#launcher.find(claim, signal) : parseProviderId(providerID)
    if (id === undefined || !this.#inventory.regions.includes(id.region)) throw this.#withoutMachine(providerID)
    await this.#instances.terminate(id, signal)
    this.#launcher.forget(claim)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    const id = parseProviderId(providerID)
    if (id === undefined) {
      // An ID with a known region but an invalid form cannot belong to a guest. Any other ID may belong to another cloud.
      if (this.#inventory.regions.some((region) => providerID.startsWith(`proxmox://${region}/`)))
        throw this.#withoutMachine(providerID)
      throw providerErrors.ForeignProviderId({ providerID, provider: this.name })
    }
    return this.#view(await this.#instances.get(id, signal), signal)
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    const views: InstanceView[] = []
    for (const instance of await this.#instances.list(signal)) views.push(await this.#view(instance, signal))
    return views
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    return (await this.#offers.resolve(await this.#classes.ofPool(pool, signal), signal)).types
  }

  async isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> {
    const nodeClass = await this.#classes.find(claim.spec.nodeClassRef, signal)
    if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined) return undefined
    const drift = hashDrift(claim, nodeClass)
    const id = parseProviderId(claim.status?.providerID ?? '')
    if (drift !== undefined || id === undefined) return drift
    const zone = claim.metadata.labels?.[labels.zone] ?? ''
    return imageDrift(claim, nodeClass, { region: id.region, zone }, this.#catalog, signal)
  }

  controllers(): readonly Controller[] {
    const { cluster } = this.#options
    const [context, inventory, instances, catalog] = [this.#context, this.#inventory, this.#instances, this.#catalog]
    return [
      ...nodeClassControllers(context, { inventory, catalog, search: this.#search, disks: this.#disks }),
      templateStatus(context, inventory),
      managedTemplateStatus(context, { inventory, builder: new TemplateBuilder(inventory, cluster) }),
      instanceGarbageCollection({
        ...context,
        name: 'instance.garbagecollection',
        list: (signal) => this.list(signal),
        terminate: async ({ providerID }, signal) => {
          const id = parseProviderId(providerID)
          if (id !== undefined) await instances.terminate(id, signal)
        },
      }),
      inPlaceUpdate({ context, inventory, instances, cluster }),
      ...(this.#tokens === undefined
        ? []
        : [cloudInitRemoval({ context, inventory, instances, tokens: this.#tokens })]),
    ]
  }

  async #create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const nodeClass = await this.#classes.toLaunch(claim, signal)
    try {
      const offer = await this.#offers.resolve(nodeClass, signal)
      const { instance, isRunning } = await this.#launcher.advance(claim, nodeClass, offer, signal)
      const view = this.#launchedView(claim, nodeClass, instance, offer.types)
      if (isRunning) return view
      const { labels: ownLabels, capacity, allocatable } = view
      throw new LaunchPendingError(`Proxmox prepares guest ${instance.vmid} on ${instance.node}`, PENDING_AGAIN, {
        coming: { labels: ownLabels, capacity, allocatable },
      })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LaunchPendingError) throw error
      if (error instanceof UnidentifiedGuestError) throw new LaunchPendingError(error.message, PENDING_AGAIN)
      throw createErrorFrom(error, () => toStepCause(error))
    }
  }

  #launchedView(
    claim: NodeClaim,
    nodeClass: ProxmoxNodeClass,
    instance: ProxmoxInstance,
    types: readonly InstanceType[],
  ): InstanceView {
    const type = types.find(({ name }) => name === instance.description.instanceType)
    const view = describeInstance(instance, type)
    return {
      ...view,
      ...{ nodeClaimName: claim.metadata.name, nodeClaimUid: claimUid(claim) },
      labels: { ...claim.metadata.labels, ...view.labels },
      annotations: {
        [nodeClassHashAnnotations.hash]: nodeClassHash(nodeClass),
        [nodeClassHashAnnotations.version]: NODE_CLASS_HASH_VERSION,
        [inPlaceAnnotations.hash]: inPlaceHash(nodeClass),
        [inPlaceAnnotations.pool]: nodeClass.spec?.resourcePool ?? '',
        ...(instance.description.diskStorage === undefined
          ? {}
          : { [cloudInitAnnotations.token]: bootstrapTokenId(claim) }),
      },
    }
  }

  /** Returns the description of an instance. Omits the capacity if Kerf does not know the type or the class. */
  async #view(instance: ProxmoxInstance, signal: AbortSignal): Promise<InstanceView> {
    const [claim] = this.#claims.claimsOf(guestKey(instance))
    const name = claim?.spec.nodeClassRef.name ?? instance.description.nodeClass ?? ''
    const nodeClass = await this.#classes.named(name, signal)
    if (nodeClass === undefined) return describeInstance(instance, undefined)
    // The capacity depends only on the class, so no API call is needed.
    const zones = parseZones(nodeClass.status?.selectedZones)
    const types = instanceTypes(this.#options.types, nodeClass, { zones, isAvailable: () => true })
    return describeInstance(
      instance,
      types.find((type) => type.name === instance.description.instanceType),
    )
  }

  #withoutMachine(providerID: string): NodeClaimNotFoundError {
    return new NodeClaimNotFoundError(
      providerID === ''
        ? 'it has no instance'
        : `${JSON.stringify(providerID)} is not an instance of these Proxmox clusters`,
    )
  }
}
