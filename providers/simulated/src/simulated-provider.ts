import { type LabelVocabulary, labels, type NodeClaim, type ResourceKind } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  type InstanceView,
  InsufficientCapacityError,
  NodeClaimNotFoundError,
  offeringCoordinates,
  type ProviderContext,
} from '@kerf/provider-contract'
import {
  claimUid,
  instanceGarbageCollection,
  launchDemand,
  launchOptions,
  readinessPolicies,
  UnavailableOfferings,
  unlessGone,
} from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import { CloudError, type CloudInstance, type SimulatedCloud } from '@kerf/sandbox'
import { atPrices } from './cloud-offerings.ts'
import { instanceView, OWNED, parseInstanceId, TAG } from './instance-view.ts'
import { findOption, nodeTemplate } from './launch-option.ts'
import { spotInterruptions } from './spot-interruptions.ts'

/** The maximum number of offerings in a launch, the cheapest first. */
const MOST_OFFERINGS = 60
const UNAVAILABLE_FOR = 180_000
const TOLERATION = 30 * 60_000

export interface SimulatedProviderOptions {
  readonly cloud: SimulatedCloud
  /** The instance types that can be launched, with the prices at the start of the simulation. */
  readonly instanceTypes: readonly InstanceType[]
  readonly vocabulary: LabelVocabulary
  /** The kinds of node classes that NodePools may refer to. */
  readonly nodeClasses: readonly ResourceKind[]
}

/**
 * A provider for the simulated cloud of the sandbox. Its instances exist independently of the API server: they take time to boot
 * and to terminate, capacity runs out, prices change, and spot instances are interrupted. It accepts node classes of every given kind.
 */
export class SimulatedProvider implements CloudProvider {
  readonly name = 'simulated'
  readonly nodeClasses: readonly ResourceKind[]
  readonly vocabulary: LabelVocabulary
  readonly repairPolicies = readinessPolicies(TOLERATION)
  readonly #context: ProviderContext
  readonly #cloud: SimulatedCloud
  readonly #instanceTypes: readonly InstanceType[]
  readonly #unavailable: UnavailableOfferings
  #priced: readonly InstanceType[]
  #pricesChanged = true

  constructor(context: ProviderContext, options: SimulatedProviderOptions) {
    this.#context = context
    this.nodeClasses = options.nodeClasses
    this.#cloud = options.cloud
    this.#instanceTypes = options.instanceTypes
    this.#priced = options.instanceTypes
    this.vocabulary = options.vocabulary
    this.#unavailable = new UnavailableOfferings(context.clock, { ttl: UNAVAILABLE_FOR })
    this.#cloud.onEvent(({ kind }) => {
      if (kind === 'price') this.#pricesChanged = true
    })
  }

  async create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const { name } = claim.metadata
    const uid = claimUid(claim)
    const options = launchOptions(this.#types(), launchDemand(claim)).slice(0, MOST_OFFERINGS)
    const wanted = options.map(({ type, offering }) => offeringCoordinates(type, offering))
    if (wanted.length === 0) {
      const earlier = await this.#instanceOf(uid, signal)
      if (earlier !== undefined) return instanceView(earlier)
      throw new InsufficientCapacityError(`no offering that nodeclaim ${name} admits is available`)
    }
    const pool = claim.metadata.labels?.[labels.nodePool]
    try {
      const instance = await this.#cloud.run(
        {
          token: uid,
          offerings: wanted,
          tags: { ...OWNED, [TAG.claim]: name, [TAG.uid]: uid, ...(pool === undefined ? {} : { [TAG.pool]: pool }) },
          node: (taken, id) => nodeTemplate(claim, findOption(options, taken), id),
        },
        signal,
      )
      return instanceView(instance)
    } catch (error) {
      if (!(error instanceof CloudError)) throw error
      // The offerings differ from those of an earlier attempt, which succeeded.
      if (error.code === 'TokenMismatch') {
        const earlier = await this.#instanceOf(uid, signal)
        if (earlier !== undefined) return instanceView(earlier)
      }
      if (error.code !== 'InsufficientCapacity') throw error
      for (const offering of error.offerings) this.#unavailable.mark(offering, 'InsufficientInstanceCapacity')
      throw new InsufficientCapacityError(error.message, { cause: error })
    }
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const id = parseInstanceId(claim.status?.providerID)
    const instance = await this.#known(() => this.#cloud.describe(id, signal), id)
    if (instance.state === 'terminated') throw new NodeClaimNotFoundError(`instance ${id} is terminated`)
    if (instance.state !== 'terminating') await this.#known(() => this.#cloud.terminate(id, signal), id)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    const id = parseInstanceId(providerID)
    const instance = await this.#known(() => this.#cloud.describe(id, signal), id)
    if (instance.state === 'terminated') throw new NodeClaimNotFoundError(`instance ${id} is terminated`)
    return instanceView(instance)
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    return (await this.#cloud.list(OWNED, signal)).map(instanceView)
  }

  async instanceTypes(): Promise<readonly InstanceType[]> {
    return this.#types()
  }

  /** A simulated instance never differs from its node class. */
  async isDrifted(): Promise<string | undefined> {
    return undefined
  }

  controllers(): readonly Controller[] {
    return [
      instanceGarbageCollection({
        ...this.#context,
        name: 'instance.garbagecollection',
        list: (signal) => this.list(signal),
        terminate: async ({ providerID }, signal) => {
          const id = parseInstanceId(providerID)
          await this.#known(() => this.#cloud.terminate(id, signal), id)
        },
      }),
      spotInterruptions(this.#context, this.#cloud, TAG.claim),
    ]
  }

  #types(): readonly InstanceType[] {
    if (this.#pricesChanged) {
      this.#pricesChanged = false
      this.#priced = atPrices(this.#instanceTypes, this.#cloud)
    }
    return this.#unavailable.applyTo(this.#priced)
  }

  async #instanceOf(uid: string, signal: AbortSignal): Promise<CloudInstance | undefined> {
    const [instance] = await this.#cloud.list({ ...OWNED, [TAG.uid]: uid }, signal)
    return instance
  }

  #known<T>(call: () => Promise<T>, id: string): Promise<T> {
    return unlessGone(call, isNotThere, `instance ${id} is gone`)
  }
}

const isNotThere = (error: unknown): boolean => error instanceof CloudError && error.code === 'InstanceNotFound'
