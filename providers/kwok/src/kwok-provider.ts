import {
  formatTime,
  karpenterKinds,
  kinds,
  LabelVocabulary,
  type Node,
  type NodeClaim,
  type NodePool,
  type ProviderVocabulary,
  type ResourceKind,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  type DeclaredPrices,
  declaredPrices,
  type InstanceView,
  InsufficientCapacityError,
  NodeClaimNotFoundError,
  offeringCoordinates,
  type ProviderContext,
  providerErrors,
} from '@kerf/provider-contract'
import { claimUid, type LaunchOption, readinessPolicies, UnavailableOfferings, unlessGone } from '@kerf/provider-kit'
import { type Controller, type Informer, isConflict, isNotFound, retrying } from '@kerf/runtime'
import { devicesByType } from './device-drivers.ts'
import { GoneInstances } from './gone-instances.ts'
import { instanceNodeName, isOwnNode, isProviderID, terminatingSince } from './instance-node.ts'
import { isBooting } from './instance-state.ts'
import { bootingView, launchedView, nodeView } from './instance-view.ts'
import { kwokControllers } from './kwok-controllers.ts'
import {
  kwokVocabulary,
  NODE_CLAIM_UID_ANNOTATION,
  PROVIDER_ID_PREFIX,
  TERMINATING_SINCE_ANNOTATION,
} from './labels.ts'
import { launchOptions, nodeNameFor } from './launch-choice.ts'
import { NodeViews } from './node-views.ts'
import { ServedClasses, type StandIn } from './served-classes.ts'
import { defaultKwokSettings, type KwokSettings } from './settings.ts'
import { SimulatedOutages } from './simulated-outages.ts'
import { standInReadiness } from './stand-in-readiness.ts'
import { wellKnownLabelKeys } from './well-known-labels.ts'

const REPAIR_TOLERATION = 10 * 60_000

export interface KwokProviderOptions {
  readonly settings?: Partial<KwokSettings>
  /** The instance types that can be launched, from `loadInstanceTypes`. */
  readonly instanceTypes: readonly InstanceType[]
  /** The provider's labels: the aliases of every cloud that the provider may simulate, and the labels of the providers in `standIns`. */
  readonly labels: ProviderVocabulary
  /** Injects failures. Default: none. */
  readonly outages?: SimulatedOutages
  /** Node classes of other providers whose instances this provider simulates. Default: none. */
  readonly standIns?: readonly StandIn[]
}

/**
 * A cloud without machines, in which each instance is a Node object (`providers/kwok/docs/spec/kwok.md`). All state is in the API server.
 * An instance starts when the status of its NodeClaim contains it. After the registration delay of the node class, a controller of this
 * provider creates the Node, even if the process has restarted in the meantime. The instance ends when its Node is marked as terminated or
 * is gone. Therefore a failed launch leaves nothing behind. Repeated launches of a claim, even concurrent ones or those after a crash,
 * result in the same Node, because the Node's name is derived from the claim's uid.
 */
export class KwokProvider implements CloudProvider {
  readonly name = 'kwok'
  readonly nodeClasses: readonly ResourceKind[]
  readonly vocabulary: LabelVocabulary
  readonly repairPolicies = readinessPolicies(REPAIR_TOLERATION)
  readonly settings: KwokSettings
  /** Offerings that recently could not be launched. */
  readonly unavailable: UnavailableOfferings
  readonly #context: ProviderContext
  readonly #claims: Informer<NodeClaim>
  readonly #nodes: Informer<Node>
  readonly #instanceTypes: readonly InstanceType[]
  readonly #outages: SimulatedOutages
  readonly #standIns: readonly StandIn[]
  readonly #classes: ServedClasses
  readonly #gone: GoneInstances
  readonly #declared: DeclaredPrices
  readonly #views: NodeViews

  constructor(context: ProviderContext, options: KwokProviderOptions) {
    this.#context = context
    this.#claims = context.informers.of(karpenterKinds.NodeClaim)
    this.#nodes = context.informers.of(kinds.Node)
    this.#gone = new GoneInstances(context)
    this.#declared = declaredPrices(context.informers)
    this.#views = new NodeViews(context.clock)
    this.settings = { ...defaultKwokSettings, ...options.settings }
    this.#instanceTypes = options.instanceTypes
    this.#outages = options.outages ?? new SimulatedOutages()
    this.#standIns = options.standIns ?? []
    this.#classes = new ServedClasses(context, this.name, { types: options.instanceTypes, standIns: this.#standIns })
    this.nodeClasses = this.#classes.kinds
    this.unavailable = new UnavailableOfferings(context.clock, { ttl: this.settings.unavailableOfferingsTtl })
    const { labels } = options
    this.vocabulary = new LabelVocabulary({
      ...labels,
      wellKnown: [...wellKnownLabelKeys(options.instanceTypes), ...labels.wellKnown],
      restrictedDomains: [...kwokVocabulary.restrictedDomains, ...labels.restrictedDomains],
      unrestricted: [...kwokVocabulary.unrestricted, ...labels.unrestricted],
    })
  }

  async create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    signal.throwIfAborted()
    claimUid(claim)
    const existing = await this.#nodeOf(claim, `${PROVIDER_ID_PREFIX}${nodeNameFor(claim)}`, signal)
    if (existing !== undefined) return nodeView(existing)
    const types = await this.#classes.toLaunch(claim, signal)
    return this.#launch(claim, launchOptions(claim, this.#declared.apply(this.unavailable.applyTo(types))))
  }

  /** Tries the options in order. If an option has no capacity, marks it as unavailable and tries the next one. */
  #launch(claim: NodeClaim, options: readonly LaunchOption[]): InstanceView {
    for (const option of options) {
      const offering = offeringCoordinates(option.type, option.offering)
      this.#outages.before('launch')
      if (this.#outages.hasCapacity(offering)) return launchedView(claim, option, this.#context.clock.now())
      this.unavailable.mark(offering, 'InsufficientInstanceCapacity')
    }
    throw new InsufficientCapacityError(
      options.length === 0
        ? `no instance type meets the requirements and requests of nodeclaim ${claim.metadata.name}`
        : `none of the ${options.length} offerings that fit nodeclaim ${claim.metadata.name} has capacity`,
    )
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const providerID = claim.status?.providerID
    if (!isProviderID(providerID)) {
      throw new NodeClaimNotFoundError(`nodeclaim ${claim.metadata.name} has no instance of this provider`)
    }
    const node = await this.#nodeOf(claim, providerID, signal)
    if (node === undefined) throw new NodeClaimNotFoundError(`instance ${providerID} is gone`)
    await this.#terminate(node, signal)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    if (!isProviderID(providerID)) throw providerErrors.ForeignProviderId({ providerID, provider: 'kwok' })
    this.#outages.before('describe')
    const node = await this.#getNode(instanceNodeName(providerID), signal)
    if (node !== undefined && isOwnNode(node) && !this.#isTerminated(node)) return nodeView(node)
    if (node === undefined && !this.#gone.has(providerID)) {
      const { items } = await this.#context.client.list(karpenterKinds.NodeClaim, { signal })
      const booting = items.find((claim) => claim.status?.providerID === providerID && isBooting(claim))
      if (booting !== undefined) return bootingView(booting)
    }
    throw new NodeClaimNotFoundError(`instance ${providerID} is gone`)
  }

  /**
   * Lists the instances: Nodes, and launched NodeClaims without a Node. Both come from informers, because reading a large cluster from the
   * API server takes too long. The informers may lag differently, so an instance that has just got its Node may be missing for a moment.
   * This is safe, because nothing is deleted because of this list alone, and `get` and `delete` read from the API server.
   */
  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    this.#outages.before('list')
    await Promise.all([this.#claims.synced(signal), this.#nodes.synced(signal)])
    const nodes = [...this.#nodes.values()]
    // The NodeClaims must be read at the same time as the Nodes. Otherwise, an instance whose Node is created in between would be missing
    // in both lists.
    const booting = [...this.#claims.values()].filter(isBooting)
    const own = await this.#views.of(nodes, signal)
    const withNode = new Set(own.map(({ providerID }) => providerID))
    const terminated = new Set(nodes.filter((node) => this.#isTerminated(node)).map(({ spec }) => spec.providerID))
    return [
      ...own.filter(({ providerID }) => !terminated.has(providerID)),
      ...booting
        .filter(({ status }) => !withNode.has(status?.providerID ?? '') && !this.#gone.has(status?.providerID ?? ''))
        .map(bootingView),
    ]
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    // Offerings without capacity are marked as unavailable. The same array is returned until something changes.
    return this.unavailable.applyTo(await this.#classes.ofPool(pool, signal))
  }

  /** Simulated instances never drift from their node class. */
  async isDrifted(): Promise<string | undefined> {
    return undefined
  }

  controllers(): readonly Controller[] {
    const own = kwokControllers(this.#context, this.settings, devicesByType(this.#instanceTypes), {
      list: (signal) => this.list(signal),
      gone: this.#gone,
      terminate: async (instance, signal) => {
        const node = await this.#getNode(instanceNodeName(instance.providerID), signal)
        if (node !== undefined && isOwnNode(node)) await this.#terminate(node, signal)
      },
    })
    return [...own, ...this.#standIns.map((standIn) => standInReadiness(this.#context, standIn))]
  }

  /** Starts the termination of the instance and deletes its Node, unless this has been done. Throws not-found if the instance is gone. */
  async #terminate(node: Node, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#context
    const name = node.metadata.name
    if (terminatingSince(node) === undefined) {
      this.#outages.before('terminate')
      const annotations = { [TERMINATING_SINCE_ANNOTATION]: formatTime(clock.now()) }
      const body = { metadata: { uid: node.metadata.uid, annotations } }
      await this.#unlessGone(name, () => client.patch(kinds.Node, { name }, { type: 'merge', body }, { signal }))
    }
    if (node.metadata.deletionTimestamp === undefined) {
      const uid = node.metadata.uid
      await this.#unlessGone(name, () =>
        client.delete(kinds.Node, { name }, { signal, ...(uid === undefined ? {} : { preconditions: { uid } }) }),
      )
    }
    const since = terminatingSince(node) ?? clock.now()
    if (clock.now() >= since + this.settings.instanceTerminationDelay)
      throw new NodeClaimNotFoundError(terminated(name))
  }

  async #unlessGone(name: string, call: () => Promise<unknown>): Promise<void> {
    const { clock, random } = this.#context
    const attempts = { attempts: 3, base: 10, max: 100, when: isConflict }
    await unlessGone(() => retrying({ clock, random }, attempts, call), isNotFound, terminated(name))
  }

  #isTerminated(node: Node): boolean {
    const since = terminatingSince(node)
    return since !== undefined && this.#context.clock.now() >= since + this.settings.instanceTerminationDelay
  }

  /** Returns the NodeClaim's Node from the API server. Returns undefined if the Node belongs to another claim. */
  async #nodeOf(claim: NodeClaim, providerID: string, signal: AbortSignal): Promise<Node | undefined> {
    const node = await this.#getNode(instanceNodeName(providerID), signal)
    if (node === undefined || !isOwnNode(node)) return undefined
    const owner = node.metadata.annotations?.[NODE_CLAIM_UID_ANNOTATION]
    return owner === undefined || owner === claim.metadata.uid ? node : undefined
  }

  async #getNode(name: string, signal: AbortSignal): Promise<Node | undefined> {
    try {
      return await this.#context.client.get(kinds.Node, { name }, { signal })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
}

const terminated = (name: string): string => `instance ${PROVIDER_ID_PREFIX}${name} is terminated`
