import {
  formatResources,
  formatTime,
  karpenterKinds,
  labels as labelKeys,
  type NodeClaim,
  parseResources,
  taints,
} from '@kerf/apis'
import { type InstanceType, type Offering, oncePerObject } from '@kerf/engine'
import {
  allocatableOf,
  areCompatible,
  type CloudProvider,
  CreateError,
  capacityOf,
  coordinatesOf,
  fits,
  type InstanceView,
  InsufficientCapacityError,
  instanceGarbageCollection,
  NodeClaimNotFoundError,
  type ProviderContext,
  singleValues,
  UnavailableOfferings,
  usableOfferings,
} from '@kerf/provider-contract'
import type { Controller } from '@kerf/runtime'
import {
  CloudError,
  type CloudInstance,
  type CloudOffering,
  type NodeTemplate,
  type OfferingName,
  type SimulatedCloud,
} from '@kerf/sandbox'
import { spotInterruptions } from './spot-interruptions.ts'

const TAG = { owner: 'kerf', claim: 'nodeclaim', uid: 'nodeclaim-uid', pool: 'nodepool' } as const
const OWNED = { [TAG.owner]: 'simulated' }
/** A launch names the cheapest ways to get a machine; more would say nothing new to the cloud. */
const MOST_OFFERINGS = 60
const UNAVAILABLE_FOR = 180_000
const TOLERATION = 30 * 60_000

/** What the catalogue's types are sold as. */
export const offeringsOf = (types: readonly InstanceType[]): readonly CloudOffering[] =>
  types.flatMap((type) =>
    type.offerings.map((offering) => ({ ...coordinatesOf(type, offering), price: offering.price })),
  )

interface LaunchOption {
  readonly type: InstanceType
  readonly offering: Offering
}

/**
 * A provider whose instances are machines of a simulated cloud: they exist apart from the API server, take time to boot
 * and to end, run out, change their price and are taken back. KWOKNodeClass stands for every node class.
 */
export class MachineProvider implements CloudProvider {
  readonly name = 'simulated'
  readonly nodeClasses = [karpenterKinds.KWOKNodeClass]
  readonly wellKnownLabels: readonly string[]
  readonly repairPolicies = [
    { conditionType: 'Ready', conditionStatus: 'False', toleration: TOLERATION },
    { conditionType: 'Ready', conditionStatus: 'Unknown', toleration: TOLERATION },
  ] as const
  readonly #context: ProviderContext
  readonly #cloud: SimulatedCloud
  readonly #catalogue: readonly InstanceType[]
  readonly #unavailable: UnavailableOfferings
  #priced: readonly InstanceType[]
  #pricesChanged = true
  #offered: {
    readonly from: readonly InstanceType[]
    readonly sequence: number
    readonly types: readonly InstanceType[]
  }

  constructor(
    context: ProviderContext,
    options: {
      readonly cloud: SimulatedCloud
      readonly catalogue: readonly InstanceType[]
      readonly wellKnownLabels: readonly string[]
    },
  ) {
    this.#context = context
    this.#cloud = options.cloud
    this.#catalogue = options.catalogue
    this.#priced = options.catalogue
    this.wellKnownLabels = options.wellKnownLabels
    this.#unavailable = new UnavailableOfferings(context.clock, { ttl: UNAVAILABLE_FOR })
    this.#offered = { from: [], sequence: -1, types: [] }
    this.#cloud.onEvent(({ kind }) => {
      if (kind === 'price') this.#pricesChanged = true
    })
  }

  async create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const { name = '', uid = '' } = claim.metadata
    if (uid === '') throw new CreateError('LaunchFailed', `nodeclaim ${name} has no uid yet`)
    const options = this.#launchOptions(claim).slice(0, MOST_OFFERINGS)
    const wanted = options.map(({ type, offering }) => coordinatesOf(type, offering))
    if (wanted.length === 0) {
      const earlier = await this.#instanceOf(uid, signal)
      if (earlier !== undefined) return view(earlier)
      throw new InsufficientCapacityError(`no offering that nodeclaim ${name} admits is available`)
    }
    const pool = claim.metadata.labels?.[labelKeys.nodePool]
    try {
      const instance = await this.#cloud.run(
        {
          token: uid,
          offerings: wanted,
          tags: { ...OWNED, [TAG.claim]: name, [TAG.uid]: uid, ...(pool === undefined ? {} : { [TAG.pool]: pool }) },
          node: (taken, id) => nodeTemplate(claim, optionOf(options, taken), id),
        },
        signal,
      )
      return view(instance)
    } catch (error) {
      if (!(error instanceof CloudError)) throw error
      // The offerings differ from those of an earlier attempt, which had gone through.
      if (error.code === 'TokenMismatch') {
        const earlier = await this.#instanceOf(uid, signal)
        if (earlier !== undefined) return view(earlier)
      }
      if (error.code !== 'InsufficientCapacity') throw error
      for (const offering of error.offerings) this.#unavailable.mark(offering, 'InsufficientInstanceCapacity')
      throw new InsufficientCapacityError(error.message, { cause: error })
    }
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const id = idOf(claim.status?.providerID)
    const instance = await this.#known(() => this.#cloud.describe(id, signal), id)
    if (instance.state === 'terminated') throw new NodeClaimNotFoundError(`instance ${id} is terminated`)
    if (instance.state !== 'terminating') await this.#known(() => this.#cloud.terminate(id, signal), id)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    const id = idOf(providerID)
    const instance = await this.#known(() => this.#cloud.describe(id, signal), id)
    if (instance.state === 'terminated') throw new NodeClaimNotFoundError(`instance ${id} is terminated`)
    return view(instance)
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    return (await this.#cloud.list(OWNED, signal)).map(view)
  }

  async instanceTypes(): Promise<readonly InstanceType[]> {
    return this.#types()
  }

  /** A simulated machine never differs from its class. */
  async isDrifted(): Promise<string | undefined> {
    return undefined
  }

  controllers(): readonly Controller[] {
    return [
      instanceGarbageCollection({
        name: 'instance.garbagecollection',
        client: this.#context.client,
        informers: this.#context.informers,
        clock: this.#context.clock,
        log: this.#context.log,
        list: (signal) => this.list(signal),
        terminate: async ({ providerID }, signal) => {
          const id = idOf(providerID)
          await this.#known(() => this.#cloud.terminate(id, signal), id)
        },
      }),
      spotInterruptions(this.#context, this.#cloud, TAG.claim),
    ]
  }

  #launchOptions(claim: NodeClaim): readonly LaunchOption[] {
    const { requirements, resources } = claim.spec
    const requests = parseResources(resources?.requests)
    return this.#types()
      .filter((type) => areCompatible(requirements, type.requirements))
      .flatMap((type) =>
        usableOfferings(type, requirements)
          .filter((offering) => fits(requests, allocatableOf(type, offering)))
          .map((offering) => ({ type, offering })),
      )
      .sort((a, b) => a.offering.price - b.offering.price)
  }

  #types(): readonly InstanceType[] {
    if (this.#pricesChanged) {
      this.#pricesChanged = false
      this.#priced = atPrices(this.#catalogue, this.#cloud)
    }
    const { sequence } = this.#unavailable
    if (this.#offered.from !== this.#priced || this.#offered.sequence !== sequence) {
      this.#offered = { from: this.#priced, sequence, types: this.#unavailable.applyTo(this.#priced) }
    }
    return this.#offered.types
  }

  async #instanceOf(uid: string, signal: AbortSignal): Promise<CloudInstance | undefined> {
    const [instance] = await this.#cloud.list({ ...OWNED, [TAG.uid]: uid }, signal)
    return instance
  }

  async #known<T>(call: () => Promise<T>, id: string): Promise<T> {
    try {
      return await call()
    } catch (error) {
      if (error instanceof CloudError && error.code === 'InstanceNotFound') {
        throw new NodeClaimNotFoundError(`instance ${id} is gone`, { cause: error })
      }
      throw error
    }
  }
}

/** The uid of the NodeClaim that an instance was launched for. */
export const claimUidOf = (instance: CloudInstance): string | undefined => instance.tags[TAG.uid]

const idOf = (providerID: string | undefined): string =>
  (providerID ?? '').slice((providerID ?? '').lastIndexOf('/') + 1)

const atPrices = (catalogue: readonly InstanceType[], cloud: SimulatedCloud): readonly InstanceType[] =>
  catalogue.map((type) => {
    const offerings = type.offerings.map((offering) => {
      const price = cloud.market.priceOf(coordinatesOf(type, offering))
      return price === undefined || price === offering.price ? offering : { ...offering, price }
    })
    return offerings.every((offering, index) => offering === type.offerings[index]) ? type : { ...type, offerings }
  })

const optionOf = (options: readonly LaunchOption[], taken: OfferingName): LaunchOption => {
  const found = options.find(({ type, offering }) => {
    const { instanceType, zone, capacityType } = coordinatesOf(type, offering)
    return instanceType === taken.instanceType && zone === taken.zone && capacityType === taken.capacityType
  })
  if (found === undefined) throw new Error(`the cloud took ${taken.instanceType}, which was not asked for`)
  return found
}

const nodeTemplate = (claim: NodeClaim, { type, offering }: LaunchOption, id: string): NodeTemplate => ({
  name: id.replace(/^i-/, 'machine-'),
  labels: {
    ...claim.metadata.labels,
    ...singleValues(claim.spec.requirements),
    ...singleValues(type.requirements),
    ...singleValues(offering.requirements),
    [labelKeys.instanceType]: type.name,
    [labelKeys.hostname]: id.replace(/^i-/, 'machine-'),
  },
  taints: [taints.unregistered],
  capacity: formatResources(capacityOf(type, offering)),
  allocatable: formatResources(allocatableOf(type, offering)),
})

/** The cloud gives an instance that changes a new object, and lists hundreds again and again. */
const view = oncePerObject(({ providerID, tags, node, state, launchedAt }: CloudInstance): InstanceView => {
  const [name, uid, pool] = [tags[TAG.claim], tags[TAG.uid], tags[TAG.pool]]
  return {
    providerID,
    ...(name === undefined ? {} : { nodeClaimName: name }),
    ...(uid === undefined ? {} : { nodeClaimUid: uid }),
    ...(pool === undefined ? {} : { nodePool: pool }),
    labels: node.labels,
    annotations: {},
    capacity: texts(node.capacity),
    allocatable: texts(node.allocatable),
    createdAt: formatTime(launchedAt),
    ...(state === 'terminating' ? { deletionTimestamp: formatTime(launchedAt) } : {}),
  }
})

const texts = (list: Readonly<Record<string, string | number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, String(amount)]))
