import { conditionEventReason, LabelVocabulary, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  CreateError,
  type InstanceView,
  isNodeClaimNotFound,
  LaunchPendingError,
  NodeClaimNotFoundError,
  type PriceSources,
  type ProviderContext,
  type ProviderEventReason,
  providerErrors,
} from '@kerf/provider-contract'
import { claimUid, createErrorFrom, NodeClasses, SingleFlight } from '@kerf/provider-kit'
import { type Controller, textOfThrown } from '@kerf/runtime'
import type { GceInstance } from './api/compute-shapes.ts'
import { gcpControllers } from './controllers/gcp-controllers.ts'
import { driftReason } from './drift/drift-reason.ts'
import { callCause } from './failures/call-cause.ts'
import { type GcpDeps, type GcpOptions, makeDeps } from './gcp-deps.ts'
import { gcpEvents } from './gcp-events.ts'
import { placeInProviderId } from './instances/instance-names.ts'
import { instanceView, isStarting } from './instances/instance-view.ts'
import { gcpVocabulary } from './labels.ts'
import type { Launched } from './launch/launcher.ts'
import { nodeClassHashAnnotations } from './names.ts'
import { type GCENodeClass, gceNodeClassKind } from './node-class/gce-node-class.ts'
import { NODE_CLASS_HASH_VERSION, nodeClassHash } from './node-class/hash.ts'
import { repairPolicies } from './repair-policies.ts'

/** The maximum time that Compute Engine may take to create an instance. */
const LAUNCH_TIMEOUT = 5 * 60_000
/** The interval at which Kerf checks whether an instance from an earlier process has started. */
const LOOK_AGAIN = 5_000

/** The cloud provider for GKE. It launches Compute Engine instances (`providers/gcp/docs/spec/gcp.md`). */
export class GcpProvider implements CloudProvider {
  readonly name = 'gcp'
  readonly nodeClasses = [gceNodeClassKind]
  readonly vocabulary = new LabelVocabulary(gcpVocabulary)
  readonly repairPolicies = repairPolicies
  readonly launchTimeout = LAUNCH_TIMEOUT
  readonly #context: ProviderContext
  readonly #options: GcpOptions
  readonly #deps: GcpDeps
  readonly #classes: NodeClasses<GCENodeClass>
  readonly #launching = new SingleFlight<InstanceView>()

  constructor(context: ProviderContext, options: GcpOptions) {
    this.#context = context
    this.#options = options
    this.#deps = makeDeps(context, options)
    this.#classes = new NodeClasses(context, gceNodeClassKind, { provider: this.name, withoutReady: 'unknown' })
  }

  create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    return this.#launching.run(claimUid(claim), (inner) => this.#create(claim, inner), signal)
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { instances, launcher } = this.#deps
    const { name } = claim.metadata
    const { providerID = '' } = claim.status ?? {}
    const place = this.#place(providerID)
    if (place !== undefined) return await instances.terminate(place, signal)
    if (providerID !== '')
      throw new NodeClaimNotFoundError(
        `${JSON.stringify(providerID)} is not an instance of project ${this.#options.project}`,
      )
    const late = launcher.giveUp(claim)
    if (late !== undefined) this.#publish(claim, gcpEvents.reason('InstanceCreationTimeout'), late)
    // The service may have accepted an insert although the NodeClaim has no provider ID yet.
    const found = await instances.launchedFor(name, signal)
    if (found.length === 0) throw new NodeClaimNotFoundError(`nodeclaim ${name} has no instance`)
    for (const instance of found) await instances.terminate(instance, signal)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    const place = this.#place(providerID)
    if (place === undefined) throw providerErrors.ForeignProviderId({ providerID, provider: this.name })
    return this.#view(await this.#deps.instances.get(place, signal), signal)
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    const views: InstanceView[] = []
    for (const instance of await this.#deps.instances.list(signal)) views.push(await this.#view(instance, signal))
    return views
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    return this.#deps.types.resolve(await this.#classes.ofPool(pool, signal), signal)
  }

  async isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> {
    const nodeClass = await this.#classes.find(claim.spec.nodeClassRef, signal)
    return nodeClass === undefined ? undefined : driftReason(claim, nodeClass)
  }

  priceSources(): PriceSources {
    return this.#options.prices.sources
  }

  controllers(): readonly Controller[] {
    return gcpControllers(this.#context, this.#options, this.#deps, (instance, signal) => this.#view(instance, signal))
  }

  async #create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const { launcher, records } = this.#deps
    const uid = claimUid(claim)
    try {
      if (launcher.isAccepted(uid)) return this.#launchedView(claim, await launcher.finish(claim, signal))
      const nodeClass = await this.#classes.toLaunch(claim, signal)
      const earlier = await this.#earlier(claim, signal)
      if (earlier !== undefined) return await this.#adopted(claim, earlier, nodeClass, signal)
      records.begin(uid)
      return this.#launchedView(claim, await launcher.launch(claim, nodeClass, signal))
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LaunchPendingError) throw error
      const known = createErrorFrom(error, () => {
        const { reason, message } = callCause(error) ?? { reason: 'LaunchFailed', message: textOfThrown(error) }
        return { reason, message }
      })
      if (known instanceof CreateError) this.#report(claim, known)
      throw known
    }
  }

  /**
   * Returns the instance that an earlier attempt launched, in this process or an earlier one. Throws if the search fails, because a new
   * launch could then create a second instance.
   */
  async #earlier(claim: NodeClaim, signal: AbortSignal): Promise<GceInstance | undefined> {
    try {
      return await this.#deps.records.find(claim, signal)
    } catch (error) {
      if (isNodeClaimNotFound(error)) return undefined
      throw error
    }
  }

  /**
   * Returns the description of an instance that was launched earlier. @throws LaunchPendingError while the instance is starting and may
   * still disappear
   */
  async #adopted(
    claim: NodeClaim,
    instance: GceInstance,
    nodeClass: GCENodeClass,
    signal: AbortSignal,
  ): Promise<InstanceView> {
    const view = await this.#view(instance, signal, nodeClass)
    const labels = { ...claim.metadata.labels, ...view.labels }
    const { capacity, allocatable } = view
    if (isStarting(instance))
      throw new LaunchPendingError(`instance ${instance.name} starts`, LOOK_AGAIN, {
        coming: { labels, capacity, allocatable },
      })
    const image = await this.#deps.imageOf(claimUid(claim), instance, signal)
    return {
      ...view,
      labels,
      ...this.#ownerAndHash(claim, nodeClassHash(nodeClass)),
      ...(image === undefined ? {} : { imageID: image }),
    }
  }

  #launchedView(claim: NodeClaim, { instance, option, image, classHash, labels }: Launched): InstanceView {
    const uid = claimUid(claim)
    this.#deps.records.launched(uid, this.#deps.instanceId(instance))
    this.#deps.images.set(uid, image)
    const view = instanceView(instance, this.#viewContext(option.type))
    return { ...view, labels: { ...labels, ...view.labels }, ...this.#ownerAndHash(claim, classHash), imageID: image }
  }

  #ownerAndHash(
    claim: NodeClaim,
    classHash: string,
  ): Pick<InstanceView, 'nodeClaimName' | 'nodeClaimUid' | 'annotations'> {
    return {
      ...{ nodeClaimName: claim.metadata.name, nodeClaimUid: claimUid(claim) },
      annotations: {
        [nodeClassHashAnnotations.hash]: classHash,
        [nodeClassHashAnnotations.version]: NODE_CLASS_HASH_VERSION,
      },
    }
  }

  /** Returns the description of an instance. Omits the capacity if Kerf does not know the instance type or the node class. */
  async #view(instance: GceInstance, signal: AbortSignal, known?: GCENodeClass): Promise<InstanceView> {
    const { claims, types, instanceId } = this.#deps
    const [claim] = claims.claimsOf(instanceId(instance))
    const nodeClass =
      known ?? (claim === undefined ? undefined : await this.#classes.find(claim.spec.nodeClassRef, signal))
    let type: InstanceType | undefined
    if (nodeClass !== undefined) {
      try {
        type = (await types.resolve(nodeClass, signal)).find(({ name }) => name === instance.type)
      } catch {
        signal.throwIfAborted()
      }
    }
    return instanceView(instance, this.#viewContext(type))
  }

  #viewContext(type: InstanceType | undefined) {
    const { project, region } = this.#options
    return { project, region, type, now: this.#context.clock.now() }
  }

  /** Returns the location in a provider ID, or undefined if the instance is not in this project and region. */
  #place(providerID: string) {
    const place = placeInProviderId(providerID)
    const { project, region } = this.#options
    return place?.project === project && place.zone.startsWith(`${region}-`) ? place : undefined
  }

  /** Publishes the failure as an event, in addition to the condition, because a user may have to act. */
  #report(claim: NodeClaim, { reason, conditionMessage }: CreateError): void {
    this.#publish(claim, conditionEventReason(reason), conditionMessage)
  }

  #publish(claim: NodeClaim, reason: ProviderEventReason, message: string): void {
    this.#context.events.publish({
      ...{ object: claim, type: 'Warning', reason, message },
      dedupeValues: [claimUid(claim), reason],
    })
  }
}
