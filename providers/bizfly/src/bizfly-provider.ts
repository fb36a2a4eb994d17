import { LabelVocabulary, labels, type NodeClaim, type NodePool, ownValue } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  type DeclaredPrices,
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
  readinessPolicies,
  SingleFlight,
  UnavailableOfferings,
} from '@kerf/provider-kit'
import { type Controller, textOfThrown } from '@kerf/runtime'
import type { BizflyApi, Server } from './api/bizfly-api.ts'
import { bizflyNodeClassControllers } from './controllers/node-class-status.ts'
import { classDrift } from './drift.ts'
import { toStepCause } from './failures.ts'
import { WorkerImages } from './images/worker-images.ts'
import { FlavorList } from './instance-types/flavor-list.ts'
import { capacityTypeFor, instanceTypes } from './instance-types/instance-types.ts'
import { type ClusterJoin, choiceLabels } from './launch/launch-request.ts'
import { Launcher, UNAVAILABLE_FOR } from './launch/launcher.ts'
import { bizflyLabels, bizflyVocabulary, nodeClassHashAnnotations, serverIdIn } from './names.ts'
import { type BizflyCloudNodeClass, bizflyNodeClassKind } from './node-class/bizfly-node-class.ts'
import { bizflyNodeClassHash } from './node-class/hash.ts'
import { flavorName, serverView } from './servers/server-view.ts'
import { Servers } from './servers/servers.ts'

const REPAIR_AFTER = 15 * 60_000

const naming = instanceNaming(bizflyNodeClassKind, serverIdIn)

export interface BizflyOptions {
  readonly api: BizflyApi
  readonly region: string
  readonly join: ClusterJoin
  /** The Kubernetes version in the metadata of servers. If empty, Kerf uses the version of the API server. */
  readonly kubernetesVersion: string
}

/** The last instance types of a node class, and the inputs from which they were computed. */
interface KnownTypes {
  readonly flavors: readonly unknown[]
  readonly spec: BizflyCloudNodeClass['spec']
  readonly types: readonly InstanceType[]
}

/** The cloud provider for servers of Bizfly Kubernetes Engine (`providers/bizfly/docs/spec/bizfly.md`). */
export class BizflyProvider implements CloudProvider {
  readonly name = 'bizflycloud'
  readonly nodeClasses = [bizflyNodeClassKind]
  readonly vocabulary = new LabelVocabulary(bizflyVocabulary)
  readonly repairPolicies = readinessPolicies(REPAIR_AFTER)
  readonly #context: ProviderContext
  readonly #options: BizflyOptions
  readonly #classes: NodeClasses<BizflyCloudNodeClass>
  readonly #flavors: FlavorList
  readonly #images: WorkerImages
  readonly #servers: Servers
  readonly #unavailable: UnavailableOfferings
  readonly #launcher: Launcher
  readonly #launchRecords: LaunchRecords<Server & { readonly isEnding: boolean }>
  readonly #launching = new SingleFlight<InstanceView>()
  readonly #known = new Map<string, KnownTypes>()
  readonly #declared: DeclaredPrices

  constructor(context: ProviderContext, options: BizflyOptions) {
    const { clock, informers, client, log } = context
    const { api, join, kubernetesVersion } = options
    this.#context = context
    this.#options = options
    this.#classes = new NodeClasses(context, bizflyNodeClassKind, { provider: this.name, withoutReady: 'unknown' })
    this.#flavors = new FlavorList(api, clock)
    this.#images = new WorkerImages({ api, client, clock })
    const claims = new ClaimIndex(informers, naming)
    this.#declared = declaredPrices(informers)
    const servers = new Servers({
      api,
      clock,
      log,
      clusterId: join.clusterId,
      launchTime: (id) => claims.launchTime(id),
    })
    this.#servers = servers
    this.#unavailable = new UnavailableOfferings(clock, { ttl: UNAVAILABLE_FOR })
    const [images, unavailable] = [this.#images, this.#unavailable]
    this.#launcher = new Launcher({ api, clock, log, servers, images, unavailable, join, kubernetesVersion })
    const withEnding = (server: Server) => ({ ...server, isEnding: servers.isEnding(server) })
    this.#launchRecords = new LaunchRecords(clock, claims, {
      get: async (id, signal) => withEnding(await servers.get(id, signal)),
      launchedFor: async (claim, signal) => (await this.#launcher.earlier(claim, signal)).map(withEnding),
      // The search by the claim's uid finds only servers that Kerf launched for the claim.
      couldBeFor: () => true,
    })
  }

  create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    return this.#launching.run(claimUid(claim), (inner) => this.#create(claim, inner), signal)
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { providerID = '' } = claim.status ?? {}
    const id = serverIdIn(providerID)
    if (id === undefined)
      throw new NodeClaimNotFoundError(
        providerID === '' ? 'it has no server' : `${JSON.stringify(providerID)} is not a server of Bizfly Cloud`,
      )
    await this.#servers.terminate(id, signal)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    const id = serverIdIn(providerID)
    if (id === undefined) throw providerErrors.ForeignProviderId({ providerID, provider: this.name })
    return this.#view(await this.#servers.get(id, signal))
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    return (await this.#servers.list(signal)).map((server) => this.#view(server))
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const nodeClass = await this.#classes.ofPool(pool, signal)
    return this.#types(nodeClass, capacityTypeFor(pool.spec.template.spec.requirements ?? []), signal)
  }

  async isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> {
    const nodeClass = await this.#classes.find(claim.spec.nodeClassRef, signal)
    if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined) return undefined
    const drift = classDrift(claim, nodeClass)
    const used = claim.status?.imageID ?? ''
    const os = ownValue(claim.metadata.labels ?? {}, bizflyLabels.osType) ?? ''
    if (drift !== undefined || used === '' || os === '') return drift
    const image = await this.#images.find(os, signal)
    return image === undefined || image === used ? undefined : 'ImageDrift'
  }

  controllers(): readonly Controller[] {
    const { api, region } = this.#options
    const [context, servers] = [this.#context, this.#servers]
    return [
      ...bizflyNodeClassControllers(context, { api, region, flavors: this.#flavors, images: this.#images }),
      instanceGarbageCollection({
        ...context,
        name: 'instance.garbagecollection',
        // Only the leader runs garbage collection, so the first call shows when this process became the leader.
        list: (signal) => {
          this.#launcher.lead()
          return this.list(signal)
        },
        terminate: async ({ providerID }, signal) => servers.terminate(serverIdIn(providerID) ?? '', signal),
      }),
    ]
  }

  async #create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const nodeClass = await this.#classes.toLaunch(claim, signal)
    const uid = claimUid(claim)
    try {
      const types = await this.#types(nodeClass, capacityTypeFor(claim.spec.requirements), signal)
      const earlier = await this.#launchRecords.find(claim, signal)
      if (earlier !== undefined)
        return this.#launchedView(claim, nodeClass, earlier, types, claim.metadata.labels ?? {})
      this.#launchRecords.begin(uid)
      const { server, option, choice, image } = await this.#launcher.launch(claim, nodeClass, types, signal)
      this.#launchRecords.launched(uid, server.id)
      this.#servers.remember(server)
      const own = { ...launchedLabels(claim, option), ...choiceLabels(choice) }
      return { ...this.#launchedView(claim, nodeClass, server, types, own), imageID: image }
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

  /** Returns the instance types for nodes of a node class. Returns the same list until one of its inputs changes. */
  async #types(
    nodeClass: BizflyCloudNodeClass,
    capacityType: string,
    signal: AbortSignal,
  ): Promise<readonly InstanceType[]> {
    const flavors = await this.#flavors.read(signal)
    const key = `${capacityType} ${nodeClass.metadata.name}`
    const known = this.#known.get(key)
    const isSame = known?.flavors === flavors && JSON.stringify(known.spec) === JSON.stringify(nodeClass.spec)
    const { region } = this.#options
    const types =
      known !== undefined && isSame ? known.types : instanceTypes(flavors, nodeClass, { region, capacityType })
    this.#known.set(key, { flavors, spec: nodeClass.spec, types })
    return this.#declared.apply(this.#unavailable.applyTo(types))
  }

  #launchedView(
    claim: NodeClaim,
    nodeClass: BizflyCloudNodeClass,
    server: Server,
    types: readonly InstanceType[],
    own: Readonly<Record<string, string>>,
  ): InstanceView {
    const type = types.find(({ name }) => name === flavorName(server))
    const view = serverView(server, { region: this.#options.region, type, isEnding: false })
    return {
      ...view,
      ...{ nodeClaimName: claim.metadata.name, nodeClaimUid: claimUid(claim) },
      labels: { ...own, ...view.labels, [labels.capacityType]: capacityTypeFor(claim.spec.requirements) },
      annotations: {
        [nodeClassHashAnnotations.hash]: bizflyNodeClassHash.of(nodeClass),
        [nodeClassHashAnnotations.version]: bizflyNodeClassHash.version,
      },
    }
  }

  #view(server: Server): InstanceView {
    const name = flavorName(server)
    const type = [...this.#known.values()].flatMap(({ types }) => types).find((each) => each.name === name)
    return serverView(server, { region: this.#options.region, type, isEnding: this.#servers.isEnding(server) })
  }
}
