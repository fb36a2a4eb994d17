import { LabelVocabulary, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  declaredPrices,
  type InstanceView,
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
  LaunchRecords,
  launchedLabels,
  NodeClasses,
  PriceBook,
  PriceMemory,
  PriceRefresh,
  type PriceTable,
  readinessPolicies,
  SingleFlight,
  UnavailableOfferings,
} from '@kerf/provider-kit'
import { type Controller, type Metrics, textOfThrown } from '@kerf/runtime'
import type { AlibabaApi } from './api/actions.ts'
import { interruption } from './controllers/interruption.ts'
import { ecsNodeClassControllers } from './controllers/node-class/ecs-node-class-status.ts'
import { tagging } from './controllers/tagging.ts'
import { unregisteredTaint } from './controllers/unregistered-taint.ts'
import { ClusterFacts } from './discovery/cluster-facts.ts'
import { hashDrift, instanceDrift } from './drift/drift-reason.ts'
import { kindOfError } from './failures/failure-kind.ts'
import { toStepCause } from './failures/step-cause.ts'
import type { EcsInstance } from './instances/ecs-instance.ts'
import { instanceView } from './instances/instance-view.ts'
import { Instances } from './instances/instances.ts'
import { alibabaVocabulary } from './labels.ts'
import { Launcher } from './launch/launcher.ts'
import { RefusedOfferings, UNAVAILABLE_FOR } from './launch/refused-offerings.ts'
import { VSwitchAddresses } from './launch/vswitch-addresses.ts'
import { instanceIdIn, nodeClassHashAnnotations, PRICE_CONFIG_MAP, parseProviderId } from './names.ts'
import { type ECSNodeClass, ecsNodeClassKind } from './node-class/ecs-node-class.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from './node-class/hash.ts'
import { DiskRefusals } from './offers/disk-refusals.ts'
import { OfferedTypes } from './offers/offered-types.ts'
import { PriceReader } from './offers/price-reader.ts'
import { TypeResolver } from './offers/type-resolver.ts'

const REPAIR_AFTER = 30 * 60_000

/** All provider objects with the same informers share this object. This is safe, because instance IDs are unique across regions. */
const naming = instanceNaming(ecsNodeClassKind, (providerID) => parseProviderId(providerID)?.instanceId)

export interface AlibabaOptions {
  readonly api: AlibabaApi
  readonly metrics: Metrics
  readonly region: string
  readonly clusterId: string
  /** Whether ACK manages the cluster. */
  readonly isManaged: boolean
  readonly vmMemoryOverheadPercent: number
  readonly cnyPerUsd: number
  /** On-demand prices in dollars, used until the API returns current ones. */
  readonly firstPrices: PriceTable['onDemand']
  /** The namespace of the ConfigMap that preserves prices across restarts. */
  readonly namespace: string
  /** Whether Kerf replaces spot instances that ECS is about to reclaim. */
  readonly watchesInterruptions: boolean
}

/** The cloud provider for ECS instances of ACK clusters (`providers/alibaba/docs/spec/alibaba.md`). */
export class AlibabaProvider implements CloudProvider {
  readonly name = 'alibabacloud'
  readonly nodeClasses = [ecsNodeClassKind]
  readonly vocabulary = new LabelVocabulary(alibabaVocabulary)
  readonly repairPolicies = readinessPolicies(REPAIR_AFTER)
  readonly #context: ProviderContext
  readonly #options: AlibabaOptions
  readonly #classes: NodeClasses<ECSNodeClass>
  readonly #claims: ClaimIndex
  readonly #cluster: ClusterFacts
  readonly #instances: Instances
  readonly #addresses: VSwitchAddresses
  readonly #unavailable: UnavailableOfferings
  readonly #launcher: Launcher
  readonly #launchRecords: LaunchRecords<EcsInstance & { readonly isEnding: boolean }>
  readonly #launching = new SingleFlight<InstanceView>()
  readonly #types: TypeResolver
  readonly #prices: PriceRefresh
  readonly #book: PriceBook<'alibabacloud'>
  readonly #memory: PriceMemory

  constructor(context: ProviderContext, options: AlibabaOptions) {
    const { clock, informers, client, log } = context
    const { api, region, clusterId, isManaged, vmMemoryOverheadPercent, cnyPerUsd, namespace } = options
    this.#context = context
    this.#options = options
    this.#classes = new NodeClasses(context, ecsNodeClassKind, { provider: this.name, withoutReady: 'unknown' })
    this.#claims = new ClaimIndex(informers, naming)
    this.#cluster = new ClusterFacts({ api, client, clock }, { id: clusterId, region, isManaged })
    const launchTime = (id: string) => this.#claims.launchTime(id)
    this.#instances = new Instances({ api, clock, region, clusterId, launchTime })
    this.#addresses = new VSwitchAddresses(clock)
    const unavailable = new UnavailableOfferings(clock, { ttl: UNAVAILABLE_FOR })
    this.#unavailable = unavailable
    const [addresses, cluster] = [this.#addresses, this.#cluster]
    const disks = new DiskRefusals(clock)
    const refused = new RefusedOfferings({ unavailable, disks, addresses })
    this.#launcher = new Launcher({ api, clock, cluster, region, clusterId, refused, addresses })
    const offered = new OfferedTypes(api, clock, region)
    const book = new PriceBook<'alibabacloud'>(clock, { cloud: 'alibabacloud', estimate: options.firstPrices })
    const reader = new PriceReader({ api, clock, offered, book }, { region, cnyPerUsd })
    const memory = new PriceMemory(client, { namespace, name: PRICE_CONFIG_MAP, key: `${region}.json` })
    this.#book = book
    this.#memory = memory
    this.#prices = new PriceRefresh({
      ...{ log, book, memory },
      reads: { spot: (signal) => reader.read(signal) },
      failureOf: (error) => ({ code: kindOfError(error), message: textOfThrown(error) }),
    })
    this.#types = new TypeResolver({
      ...{ region, vmMemoryOverheadPercent, offered, cluster, prices: book, unavailable, disks },
      declared: declaredPrices(informers),
    })
    const withEnding = (instance: EcsInstance) => ({ ...instance, isEnding: instance.status === 'Stopping' })
    this.#launchRecords = new LaunchRecords(clock, this.#claims, {
      get: async (id, signal) => withEnding(await this.#instances.get(id, signal)),
      launchedFor: async (claim, signal) =>
        (await this.#instances.launchedFor(claimUid(claim), signal)).map(withEnding),
      // The search by the NodeClaim's uid finds only instances that Kerf launched for the claim.
      couldBeFor: () => true,
    })
  }

  /** Loads the prices of the previous process, so that the first plan after a restart has them. Logs failures instead of throwing. */
  async warmUp(signal: AbortSignal): Promise<void> {
    try {
      const table = await this.#memory.load(signal)
      if (table !== undefined) this.#book.remember(table)
    } catch (error) {
      signal.throwIfAborted()
      this.#context.log.warn('cannot read the prices that were last seen', { error: textOfThrown(error) })
    }
  }

  create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    return this.#launching.run(claimUid(claim), (inner) => this.#create(claim, inner), signal)
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { providerID = '' } = claim.status ?? {}
    const id = this.#instanceId(providerID)
    if (id === undefined)
      throw new NodeClaimNotFoundError(
        providerID === ''
          ? 'it has no instance'
          : `${JSON.stringify(providerID)} is not an instance in ${this.#options.region}`,
      )
    await this.#instances.terminate(id, signal)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    const id = this.#instanceId(providerID)
    if (id === undefined) throw providerErrors.ForeignProviderId({ providerID, provider: this.name })
    return this.#view(await this.#instances.get(id, signal), signal)
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    const views: InstanceView[] = []
    for (const instance of await this.#instances.list(signal)) views.push(await this.#view(instance, signal))
    return views
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    return this.#types.resolve(await this.#classes.ofPool(pool, signal), signal)
  }

  async isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> {
    const nodeClass = await this.#classes.find(claim.spec.nodeClassRef, signal)
    if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined) return undefined
    const drift = hashDrift(claim, nodeClass)
    if (drift !== undefined) return drift
    const id = this.#instanceId(claim.status?.providerID ?? '')
    return id === undefined ? undefined : instanceDrift(await this.#instances.seen(id, signal), nodeClass)
  }

  controllers(): readonly Controller[] {
    const { api, metrics, region, clusterId, watchesInterruptions } = this.#options
    const [context, claims, instances] = [this.#context, this.#claims, this.#instances]
    const instanceId = (providerID: string) => instanceIdIn(providerID, region)
    return [
      ...ecsNodeClassControllers({
        ...{ context, api, region, cluster: this.#cluster },
        addresses: this.#addresses,
        types: this.#types,
      }),
      instanceGarbageCollection({
        ...context,
        name: 'instance.garbagecollection',
        list: (signal) => this.list(signal),
        terminate: async ({ providerID }, signal) => instances.terminate(instanceId(providerID) ?? '', signal),
      }),
      ...(watchesInterruptions ? [interruption({ context, metrics, claims, instanceId }, this.#unavailable)] : []),
      tagging({ context, instances, claims, clusterId, instanceId }),
      unregisteredTaint(context),
      this.#prices.controller('pricing'),
    ]
  }

  async #create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const nodeClass = await this.#classes.toLaunch(claim, signal)
    const uid = claimUid(claim)
    try {
      const types = await this.#types.resolve(nodeClass, signal)
      const earlier = await this.#launchRecords.find(claim, signal)
      if (earlier !== undefined) {
        const type = types.find(({ name }) => name === earlier.type)
        return this.#launchedView(claim, nodeClass, earlier, type, claim.metadata.labels ?? {})
      }
      this.#launchRecords.begin(uid)
      const { instance, option } = await this.#launcher.launch(claim, nodeClass, types, signal)
      this.#launchRecords.launched(uid, instance.id)
      this.#instances.remember(instance)
      return this.#launchedView(claim, nodeClass, instance, option.type, launchedLabels(claim, option))
    } catch (error) {
      signal.throwIfAborted()
      throw createErrorFrom(error, () => {
        const cause = toStepCause(error)
        // An unknown error counts as a brief API failure, so the message contains the error's own text.
        return cause === undefined || cause.isBrief === true
          ? { reason: 'LaunchFailed', message: `the launch failed: ${textOfThrown(error)}` }
          : cause
      })
    }
  }

  #launchedView(
    claim: NodeClaim,
    nodeClass: ECSNodeClass,
    instance: EcsInstance,
    type: InstanceType | undefined,
    labels: Readonly<Record<string, string>>,
  ): InstanceView {
    const view = instanceView(instance, this.#options.region, type)
    return {
      ...view,
      ...{ nodeClaimName: claim.metadata.name, nodeClaimUid: claimUid(claim) },
      labels: { ...labels, ...view.labels },
      annotations: {
        [nodeClassHashAnnotations.hash]: nodeClassHash(nodeClass),
        [nodeClassHashAnnotations.version]: NODE_CLASS_HASH_VERSION,
      },
    }
  }

  /** Returns the description of an instance. Omits the capacity if Kerf does not know its instance type or its node class. */
  async #view(instance: EcsInstance, signal: AbortSignal): Promise<InstanceView> {
    const [claim] = this.#claims.claimsOf(instance.id)
    const nodeClass = claim === undefined ? undefined : await this.#classes.find(claim.spec.nodeClassRef, signal)
    let type: InstanceType | undefined
    if (nodeClass !== undefined) {
      try {
        type = (await this.#types.resolve(nodeClass, signal)).find(({ name }) => name === instance.type)
      } catch {
        signal.throwIfAborted()
      }
    }
    return instanceView(instance, this.#options.region, type)
  }

  #instanceId(providerID: string): string | undefined {
    return instanceIdIn(providerID, this.#options.region)
  }
}
