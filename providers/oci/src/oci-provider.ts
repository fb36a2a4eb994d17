import { LabelVocabulary, type NodeClaim, type NodePool, type Taint, toWhole, zero } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  type InstanceView,
  NodeClaimNotFoundError,
  type PriceSources,
  type ProviderContext,
  providerErrors,
  type RepairPolicy,
} from '@kerf/provider-contract'
import { claimUid, createErrorFrom, instanceGarbageCollection, launchedLabels, SingleFlight } from '@kerf/provider-kit'
import { type Controller, textOfThrown } from '@kerf/runtime'
import type { OciInstance } from './api/oci-shapes.ts'
import { ociNodeClassControllers } from './controllers/node-class-controllers.ts'
import { communityDrift } from './drift/community-drift.ts'
import { oracleDrift } from './drift/oracle-drift.ts'
import { causeOf } from './failures/cause-of.ts'
import type { OciType } from './instance-types/instance-types.ts'
import { instanceIdIn } from './instances/instance-ids.ts'
import { instanceTypeOf, instanceView } from './instances/instance-view.ts'
import { ociVocabulary } from './labels.ts'
import { ensureNativePodNetwork } from './launch/native-pod-network.ts'
import { hashAnnotations, oracleLabels } from './names.ts'
import { communityNodeClassKind } from './node-class/community-node-class.ts'
import { oracleNodeClassKind } from './node-class/oracle-node-class.ts'
import type { ResolvedClass } from './node-class/resolved-class.ts'
import { makeDeps, type OciDeps, type OciOptions } from './oci-deps.ts'
import { priceRefresh } from './prices/price-refresh.ts'

/** Returns all taints with which a node of the claim or pool starts. */
const startTaints = (spec: { readonly taints?: readonly Taint[]; readonly startupTaints?: readonly Taint[] }) => [
  ...(spec.taints ?? []),
  ...(spec.startupTaints ?? []),
]

/** The cloud provider for Oracle Cloud. It supports the node class kinds of both public providers (`providers/oci/docs/spec/oci.md`). */
export class OciProvider implements CloudProvider {
  readonly name = 'oci'
  readonly nodeClasses = [oracleNodeClassKind, communityNodeClassKind]
  readonly vocabulary = new LabelVocabulary(ociVocabulary)
  readonly reservationIdLabel = oracleLabels.reservationId
  readonly repairPolicies: readonly RepairPolicy[]
  readonly #context: ProviderContext
  readonly #options: OciOptions
  readonly #deps: OciDeps
  readonly #launching = new SingleFlight<InstanceView>()
  readonly #offered = new WeakMap<readonly OciType[], readonly InstanceType[]>()

  constructor(context: ProviderContext, options: OciOptions) {
    this.#context = context
    this.#options = options
    this.repairPolicies = options.repairPolicies
    this.#deps = makeDeps(context, options)
  }

  create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    return this.#launching.run(claimUid(claim), (inner) => this.#create(claim, inner), signal)
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { providerID = '' } = claim.status ?? {}
    const id = instanceIdIn(providerID)
    if (id === undefined)
      throw new NodeClaimNotFoundError(
        providerID === '' ? 'it has no instance' : `${JSON.stringify(providerID)} is not an instance of Oracle Cloud`,
      )
    await this.#deps.instances.terminate(id, signal)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    const id = instanceIdIn(providerID)
    if (id === undefined) throw providerErrors.ForeignProviderId({ providerID, provider: this.name })
    return this.#view(await this.#deps.instances.get(id, signal), signal)
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    const views: InstanceView[] = []
    for (const instance of await this.#deps.instances.list(signal)) views.push(await this.#view(instance, signal))
    return views
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const nodeClass = await this.#deps.classes.ofPool(pool, signal)
    const types = await this.#deps.types.resolve(nodeClass, startTaints(pool.spec.template.spec), signal)
    const known = this.#offered.get(types)
    if (known !== undefined) return known
    const offered = types.map(({ type }) => type)
    this.#offered.set(types, offered)
    return offered
  }

  async isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> {
    const { classes, instances, types: resolver, attached } = this.#deps
    const nodeClass = await classes.find(claim.spec.nodeClassRef, signal)
    const id = instanceIdIn(claim.status?.providerID ?? '')
    if (nodeClass === undefined || nodeClass.isDeleting || id === undefined) return undefined
    const instance = await instances.seen(id, signal)
    if (nodeClass.upstream === 'community') return communityDrift(instance, nodeClass, attached, signal)
    const types = await resolver.resolve(nodeClass, startTaints(claim.spec), signal)
    const compartmentId = this.#options.compartments.nodes
    return oracleDrift(claim, instance, nodeClass, { types, attached, compartmentId }, signal)
  }

  priceSources(): PriceSources {
    return this.#options.prices.sources
  }

  controllers(): readonly Controller[] {
    const { instances, watch } = this.#deps
    const { api, compartments, ownership, types } = this.#options
    return [
      ...ociNodeClassControllers({
        ...{ context: this.#context, api, compartments, tagNamespace: ownership.tagNamespace },
        defaultIpCount: types.defaultIpCount,
      }),
      instanceGarbageCollection({
        ...this.#context,
        name: 'instance.garbagecollection',
        list: (signal) => this.list(signal),
        mayBeFor: ({ nodeClaimName }, { metadata }) => nodeClaimName === metadata.name,
        terminate: async ({ providerID }, signal) => instances.terminate(instanceIdIn(providerID) ?? '', signal),
      }),
      watch.controller(),
      priceRefresh(this.#options.prices, this.#context.log, this.#options.pricesEvery),
    ]
  }

  async #create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const { classes, types: resolver, records, launcher, instances } = this.#deps
    const nodeClass = await classes.toLaunch(claim, signal)
    const uid = claimUid(claim)
    try {
      const types = await resolver.resolve(nodeClass, startTaints(claim.spec), signal)
      const earlier = await records.find(claim, signal)
      if (earlier !== undefined)
        return await this.#launchedView(claim, nodeClass, earlier, instanceTypeOf(earlier, types), undefined, signal)
      records.begin(uid)
      const { instance, option } = await launcher.launch(claim, nodeClass, types, signal)
      records.launched(uid, instance.id)
      instances.remember(instance)
      const type = types.find((each) => each.type === option.type)
      return await this.#launchedView(claim, nodeClass, instance, type, launchedLabels(claim, option), signal)
    } catch (error) {
      signal.throwIfAborted()
      throw createErrorFrom(error, () => {
        const cause = causeOf(error)
        // An unknown error counts as a brief API failure, so the message contains the error's own text.
        return cause === undefined || cause.isBrief === true
          ? { reason: 'LaunchFailed', message: `the launch failed: ${textOfThrown(error)}` }
          : cause
      })
    }
  }

  async #launchedView(
    claim: NodeClaim,
    nodeClass: ResolvedClass,
    instance: OciInstance,
    type: OciType | undefined,
    labels: Readonly<Record<string, string>> = claim.metadata.labels ?? {},
    signal: AbortSignal,
  ): Promise<InstanceView> {
    const { client } = this.#context
    const pods = {
      maxPods: toWhole(type?.type.capacity['pods'] ?? zero),
      defaultIpCount: this.#options.types.defaultIpCount,
    }
    await ensureNativePodNetwork(client, claim, nodeClass, { id: instance.id, ...pods }, signal)
    const view = this.#instanceView(instance, nodeClass, type)
    const { hash, version } = hashAnnotations[nodeClass.upstream]
    return {
      ...view,
      ...{ nodeClaimName: claim.metadata.name, nodeClaimUid: claimUid(claim) },
      labels: { ...labels, ...view.labels },
      annotations: { [hash]: nodeClass.hash, [version]: nodeClass.hashVersion },
    }
  }

  /** Returns the description of an instance. Omits the capacity if Kerf does not know its instance type or its node class. */
  async #view(instance: OciInstance, signal: AbortSignal): Promise<InstanceView> {
    const { claims, classes, types } = this.#deps
    const [claim] = claims.claimsOf(instance.id)
    if (claim === undefined) return this.#instanceView(instance, undefined, undefined)
    try {
      const nodeClass = await classes.find(claim.spec.nodeClassRef, signal)
      const known = nodeClass === undefined ? [] : await types.resolve(nodeClass, startTaints(claim.spec), signal)
      return this.#instanceView(instance, nodeClass, instanceTypeOf(instance, known))
    } catch {
      signal.throwIfAborted()
      return this.#instanceView(instance, undefined, undefined)
    }
  }

  #instanceView(instance: OciInstance, nodeClass: ResolvedClass | undefined, type: OciType | undefined): InstanceView {
    const untagged = {
      cluster: undefined,
      nodePool: undefined,
      nodeClass: undefined,
      nodeClaim: undefined,
      nodeClaimUid: undefined,
    }
    const owner = this.#deps.instances.owner(instance) ?? { ...untagged, upstream: nodeClass?.upstream ?? 'oracle' }
    return instanceView(instance, { region: this.#options.region, owner, type })
  }
}
