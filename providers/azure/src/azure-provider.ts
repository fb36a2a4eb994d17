import {
  conditionEventReason,
  findCondition,
  LabelVocabulary,
  type NodeClaim,
  type NodePool,
  ownValue,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  CreateError,
  type InstanceView,
  isNodeClaimNotFound,
  NodeClaimNotFoundError,
  NodeClassNotReadyError,
  type PriceSources,
  type ProviderContext,
  providerErrors,
} from '@kerf/provider-contract'
import { claimUid, LaunchRecords, launchedLabels, type NodeClasses, type PriceTable } from '@kerf/provider-kit'
import { type Controller, textOfThrown } from '@kerf/runtime'
import type { AzureDeps } from './azure-deps.ts'
import { azureControllers } from './controllers/azure-controllers.ts'
import { driftReason, type MachineState } from './drift/drift-reason.ts'
import { classifyAzureFailure } from './failures/azure-failure.ts'
import { toLaunchError } from './failures/launch-error.ts'
import { inPlaceUpdateHash } from './in-place/in-place-update-hash.ts'
import type { AzureInstance } from './instances/azure-instance.ts'
import { isMachine } from './instances/fleet.ts'
import { claimVmName, nameInAksPool, vmNameOfProviderId } from './instances/instance-names.ts'
import { instanceView } from './instances/instance-view.ts'
import { azureVocabulary } from './labels.ts'
import { azureAnnotations } from './names.ts'
import type { AKSNodeClass } from './node-class/aks-node-class.ts'
import { aksNodeClassKind } from './node-class/aks-node-class.ts'
import { resourceTags, TAG } from './tags/resource-tags.ts'

const MINUTE = 60_000
const PROBE_TIMEOUT = 5_000

/** The cloud provider for AKS: VMs in the node resource group, or machines of an AKS pool (`providers/azure/docs/spec/azure.md#launches`). */
export class AzureProvider implements CloudProvider {
  readonly name = 'azure'
  readonly nodeClasses = [aksNodeClassKind]
  readonly vocabulary = new LabelVocabulary(azureVocabulary)
  readonly repairPolicies = [
    { conditionType: 'Ready', conditionStatus: 'False', toleration: 10 * MINUTE },
    { conditionType: 'Ready', conditionStatus: 'Unknown', toleration: 10 * MINUTE },
    { conditionType: 'kubernetes.azure.com/NodeHealthy', conditionStatus: 'False', toleration: 0 },
    { conditionType: 'PreemptionScheduled', conditionStatus: 'True', toleration: 0 },
  ] as const
  readonly deps: AzureDeps
  readonly #context: ProviderContext
  readonly #classes: NodeClasses<AKSNodeClass>
  readonly #launchRecords: LaunchRecords<AzureInstance & { readonly isEnding: boolean }>
  readonly #launching = new Map<string, Promise<InstanceView>>()
  #hasAccess = false

  constructor(deps: AzureDeps) {
    const { context, fleet, claims } = deps
    this.deps = deps
    this.#context = context
    this.#classes = deps.classes
    this.#launchRecords = new LaunchRecords(context.clock, claims, {
      get: (id, signal) => fleet.get(id, signal),
      launchedFor: async ({ metadata }, signal) => {
        try {
          return [await this.#launchedFor(metadata.name, signal)]
        } catch (error) {
          if (isNodeClaimNotFound(error)) return []
          throw error
        }
      },
      // A VM has the name of its NodeClaim. A VM that belongs to an AKS machine may have a shortened name.
      couldBeFor: ({ tags }, { metadata }) =>
        ownValue(tags, TAG.nodePool) === metadata.labels?.['karpenter.sh/nodepool'] &&
        (ownValue(tags, TAG.machineClaim) ?? metadata.name) === metadata.name,
    })
  }

  /** Reads the data that the first plan needs. If a read fails, logs the failure and retries later. */
  async warmUp(signal: AbortSignal): Promise<void> {
    const { sizes, prices } = this.deps
    const attempt = async (what: string, read: () => Promise<unknown>): Promise<void> => {
      try {
        await read()
      } catch (error) {
        signal.throwIfAborted()
        const { code, message } = classifyAzureFailure(error)
        this.#context.log.warn(`cannot read ${what} yet`, { code, error: message })
      }
    }
    await attempt('the prices that were last seen', async () => {
      const table: PriceTable | undefined = await prices.memory?.load(signal)
      if (table !== undefined) prices.book.remember(table)
    })
    const problem = await this.access()
    if (problem !== undefined) this.#context.log.error(problem)
    await Promise.all([
      attempt('VM sizes', () => sizes.ensure(signal)),
      ...(prices.isReadable
        ? [
            attempt('prices', async () => {
              await Promise.all([prices.readOnDemand(signal), prices.readSpot(signal)])
            }),
          ]
        : []),
    ])
  }

  /** Returns the reason why Azure cannot be used, or undefined if it can. After the check has succeeded once, it is not repeated. */
  async access(): Promise<string | undefined> {
    if (this.#hasAccess) return undefined
    const { api, settings } = this.deps.options
    try {
      await api.compute.usages(AbortSignal.timeout(PROBE_TIMEOUT))
      this.#hasAccess = true
      return undefined
    } catch (error) {
      const { code, message } = classifyAzureFailure(error)
      return `Azure cannot be used in subscription ${settings.azureSubscriptionID}: ${code}: ${message}`
    }
  }

  async create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    signal.throwIfAborted()
    const uid = claimUid(claim)
    let launching = this.#launching.get(uid)
    if (launching === undefined) {
      launching = this.#create(claim, signal)
        .catch((error: unknown) => {
          if (error instanceof CreateError) this.#tell(claim, error)
          throw error
        })
        .finally(() => this.#launching.delete(uid))
      this.#launching.set(uid, launching)
    }
    return launching
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { name, providerID } = this.#vmOf(claim)
    if (name === undefined)
      throw new NodeClaimNotFoundError(
        providerID === '' ? 'it has no instance' : `${JSON.stringify(providerID)} is not a VM of this cluster`,
      )
    await this.deps.fleet.terminate(name, signal)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    const name = this.#nameOf(providerID)
    if (name === undefined) throw providerErrors.ForeignProviderId({ providerID, provider: 'this cluster in Azure' })
    const instance = await this.deps.fleet.own(name, signal)
    return instanceView(instance, await this.#viewContext(instance, signal))
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    const instances = await this.deps.fleet.list(signal)
    const views: InstanceView[] = []
    for (const instance of instances) views.push(instanceView(instance, await this.#viewContext(instance, signal)))
    return views
  }

  priceSources(): PriceSources {
    return this.deps.prices.book.standing
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const nodeClass = await this.#classes.ofPool(pool, signal)
    return this.deps.types.resolve(nodeClass, signal)
  }

  async isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> {
    const nodeClass = await this.#classes.find(claim.spec.nodeClassRef, signal)
    if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined) return undefined
    const { name = '' } = this.#vmOf(claim)
    const [node] = this.deps.claims.nodesOf(name)
    const { kubeletIdentityClientID } = this.deps.options.settings
    const machine = await this.#machineState(name, signal)
    return driftReason(claim, nodeClass, {
      ...{ node, kubeletIdentityClientID },
      ...(machine === undefined ? {} : { machine }),
    })
  }

  controllers(): readonly Controller[] {
    return azureControllers(this.deps, { list: (signal) => this.list(signal) })
  }

  /** Publishes the failure as an event, in addition to the condition, because a user may have to act. */
  #tell(claim: NodeClaim, error: CreateError): void {
    this.#context.events.publish({
      ...{
        object: claim,
        type: 'Warning',
        reason: conditionEventReason(error.reason),
        message: error.conditionMessage,
      },
      dedupeValues: [claimUid(claim), error.reason],
    })
  }

  /** Returns the state of a machine in AKS, or undefined for a VM. */
  async #machineState(vm: string, signal: AbortSignal): Promise<MachineState | undefined> {
    const instance = await this.deps.fleet.recentMachine(vm, signal)
    if (instance === undefined) return undefined
    const { imageId, machine } = instance
    return { driftAction: machine.driftAction, ...(imageId === '' ? {} : { nodeImageVersion: imageId }) }
  }

  /** Finds the instance that an earlier run created for the NodeClaim, by its name. */
  async #launchedFor(claim: string, signal: AbortSignal): Promise<AzureInstance> {
    const { instances, fleet, machineLauncher } = this.deps
    if (machineLauncher === undefined || fleet.machines === undefined) return instances.own(claimVmName(claim), signal)
    const found = await fleet.machines.own(nameInAksPool(claim), signal)
    if (found.machine.claimName !== claim)
      throw providerErrors.ForeignInstance({
        instance: `machine ${found.machine.name} of the AKS pool`,
        problem: `belongs to nodeclaim ${found.machine.claimName}, so nodeclaim ${claim} gets no machine`,
        remedy: 'it is deleted',
      })
    return found
  }

  async #create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const nodeClass = await this.#readyClass(claim, signal)
    const uid = claimUid(claim)
    const { fleet, watch } = this.deps
    const launcher = this.deps.machineLauncher ?? this.deps.launcher
    const types = await this.#types(claim, nodeClass, signal)
    const earlier = await this.#earlier(claim, signal)
    if (earlier?.hasFailed === true) {
      // The instance comes from an earlier run, so no process noticed that its creation failed.
      await fleet.terminate(earlier.id, signal)
      throw new CreateError('CreateInstanceFailed', `Azure could not create VM ${earlier.id}; deleting it first`)
    }
    if (earlier !== undefined) {
      const type = types.find(({ name }) => name === earlier.size)
      return this.#createdView(claim, earlier, nodeClass, type, {})
    }
    this.#launchRecords.begin(uid)
    try {
      const accepted = await launcher.launch(claim, nodeClass, signal)
      this.#launchRecords.launched(uid, accepted.instance.id)
      void watch.follow(claim, accepted)
      const { instance, option } = accepted
      return this.#createdView(claim, instance, nodeClass, option.type, launchedLabels(claim, option))
    } catch (error) {
      signal.throwIfAborted()
      throw toLaunchError(error)
    }
  }

  /**
   * Returns the instance of an earlier attempt, if any. Throws if the search fails, because another launch could create a second instance.
   */
  async #earlier(claim: NodeClaim, signal: AbortSignal): Promise<AzureInstance | undefined> {
    try {
      return await this.#launchRecords.find(claim, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (isNodeClaimNotFound(error)) return undefined
      throw toLaunchError(error)
    }
  }

  async #types(claim: NodeClaim, nodeClass: AKSNodeClass, signal: AbortSignal): Promise<readonly InstanceType[]> {
    try {
      return await this.deps.types.resolve(nodeClass, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw new CreateError(
        'InstanceTypeResolutionFailed',
        `the sizes for nodeclaim ${claim.metadata.name} are unknown: ${textOfThrown(error)}`,
        { cause: error },
      )
    }
  }

  #createdView(
    claim: NodeClaim,
    instance: AzureInstance,
    nodeClass: AKSNodeClass,
    type: InstanceType | undefined,
    launched: Readonly<Record<string, string>>,
  ): InstanceView {
    const { settings } = this.deps.options
    const view = instanceView(instance, { nodeClass, ...(type === undefined ? {} : { type }) })
    const tags = resourceTags(settings, nodeClass, claim)
    return {
      ...view,
      nodeClaimName: claim.metadata.name,
      nodeClaimUid: claim.metadata.uid ?? '',
      labels: { ...claim.metadata.labels, ...launched, ...view.labels },
      annotations: {
        ...view.annotations,
        // AKS assigns the identities of a machine.
        [azureAnnotations.inPlaceUpdateHash]: inPlaceUpdateHash({
          identities: isMachine(instance) ? [] : settings.nodeIdentities,
          tags,
        }),
      },
    }
  }

  /**
   * Returns the facts that complete the core's view of a VM. If the NodePool or the node class is missing, omits the facts that come from
   * it.
   */
  async #viewContext(
    { id, size }: AzureInstance,
    signal: AbortSignal,
  ): Promise<{ readonly nodeClass?: AKSNodeClass; readonly type?: InstanceType }> {
    const [claim] = this.deps.claims.claimsOf(id)
    const nodeClass = claim === undefined ? undefined : await this.#classes.find(claim.spec.nodeClassRef, signal)
    if (nodeClass === undefined) return {}
    try {
      const type = (await this.deps.types.resolve(nodeClass, signal)).find(({ name }) => name === size)
      return { nodeClass, ...(type === undefined ? {} : { type }) }
    } catch {
      signal.throwIfAborted()
      return { nodeClass }
    }
  }

  /** Returns the node class to launch with. Its controllers must have resolved the current generation. */
  async #readyClass(claim: NodeClaim, signal: AbortSignal): Promise<AKSNodeClass> {
    const nodeClass = await this.#classes.toLaunch(claim, signal)
    if (findCondition(nodeClass, 'Ready')?.observedGeneration !== nodeClass.metadata.generation)
      throw new NodeClassNotReadyError(`AKSNodeClass ${nodeClass.metadata.name} has changed and was not reconciled yet`)
    return nodeClass
  }

  #vmOf({ status }: NodeClaim): { readonly name: string | undefined; readonly providerID: string } {
    const providerID = status?.providerID ?? ''
    return { name: this.#nameOf(providerID), providerID }
  }

  /** Returns the name of a VM in this cluster's node resource group. Compares IDs case-insensitively, because Azure changes their case. */
  #nameOf(providerID: string): string | undefined {
    const { azureSubscriptionID, azureNodeResourceGroup } = this.deps.options.settings
    const own = `azure:///subscriptions/${azureSubscriptionID}/resourceGroups/${azureNodeResourceGroup}/`
    return providerID.toLowerCase().startsWith(own.toLowerCase())
      ? vmNameOfProviderId(providerID)?.toLowerCase()
      : undefined
  }
}
