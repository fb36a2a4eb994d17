import { findCondition, LabelVocabulary, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type AccountCommitment,
  type CloudProvider,
  CreateError,
  findError,
  type InstanceView,
  isInsufficientCapacity,
  isNodeClaimNotFound,
  NodeClassNotReadyError,
  type NodeLifecycleHook,
  type PriceSources,
  type ProviderContext,
  providerErrors,
  type SubnetAddresses,
} from '@kerf/provider-contract'
import { claimUid, type NodeClasses, readinessPolicies } from '@kerf/provider-kit'
import { type Controller, textOfThrown } from '@kerf/runtime'
import type { AwsDeps } from './aws-deps.ts'
import { awsControllers } from './controllers/aws-controllers.ts'
import { driftReason } from './drift/drift.ts'
import { awsErrors } from './failures/aws-errors.ts'
import { classifyAwsFailure } from './failures/aws-failure.ts'
import { toCreateError } from './failures/launch-failure.ts'
import type { AwsInstance } from './instances/aws-instance.ts'
import { instanceView } from './instances/instance-view.ts'
import { claimInstanceId, parseProviderId } from './instances/provider-id.ts'
import { awsLabels } from './label-names.ts'
import { awsTags, awsVocabulary } from './labels.ts'
import { NothingToLaunchError } from './launch/launch-candidates.ts'
import { createLaunchRecords } from './launch/launch-records.ts'
import type { Launched } from './launch/launcher.ts'
import { type EC2NodeClass, ec2NodeClassKind } from './node-class/ec2-node-class.ts'
import { reservedTags } from './node-class/reserved-tags.ts'
import { partitionHook } from './partition-hook.ts'

const minutes = (count: number): number => count * 60_000
/** One attempt per capacity type: reserved, spot, on-demand. */
const MOST_ATTEMPTS = 3
const PROBE_TIMEOUT = 5_000

/** The fields of a node class that an instance view needs. */
interface ClassView {
  readonly nodeClass?: EC2NodeClass
  readonly types: ReadonlyMap<string, InstanceType>
}

const describeInstance = (instance: AwsInstance, { nodeClass, types }: ClassView): InstanceView => {
  const type = types.get(instance.type)
  return instanceView(instance, {
    ...(nodeClass === undefined ? {} : { nodeClass }),
    ...(type === undefined ? {} : { type }),
  })
}

/** The cloud provider for EC2 (`providers/aws/docs/spec/aws.md#the-contract-on-aws`). */
export class AwsProvider implements CloudProvider {
  readonly name = 'aws'
  readonly nodeClasses = [ec2NodeClassKind]
  readonly vocabulary = new LabelVocabulary(awsVocabulary)
  readonly reservationIdLabel = 'karpenter.k8s.aws/capacity-reservation-id'
  readonly repairPolicies = [
    ...readinessPolicies(minutes(30)),
    { conditionType: 'AcceleratedHardwareReady', conditionStatus: 'False', toleration: minutes(10) },
    { conditionType: 'StorageReady', conditionStatus: 'False', toleration: minutes(30) },
    { conditionType: 'NetworkingReady', conditionStatus: 'False', toleration: minutes(30) },
    { conditionType: 'KernelReady', conditionStatus: 'False', toleration: minutes(30) },
    { conditionType: 'ContainerRuntimeReady', conditionStatus: 'False', toleration: minutes(30) },
  ] as const
  readonly hooks: readonly NodeLifecycleHook[]
  readonly deps: AwsDeps
  readonly #context: ProviderContext
  readonly #classes: NodeClasses<EC2NodeClass>
  readonly #launchRecords
  #hasAccess = false
  readonly #launching = new Map<string, Promise<InstanceView>>()

  constructor(deps: AwsDeps) {
    this.deps = deps
    this.#context = deps.context
    this.#classes = deps.classes
    this.#launchRecords = createLaunchRecords(deps.context.clock, deps)
    this.hooks = [partitionHook(deps)]
  }

  /**
   * Reads the data that the first plan needs: instance types and prices. First loads the saved prices, then reads the current ones. If a
   * read fails, logs the error and retries later. Until then, the provider uses the data that it already has.
   */
  async warmUp(signal: AbortSignal): Promise<void> {
    const { regionTypes, prices, priceReader, priceMemory, cluster, zonalShifts, options } = this.deps
    const attempt = async (what: string, read: () => Promise<unknown>): Promise<void> => {
      try {
        await read()
      } catch (error) {
        signal.throwIfAborted()
        const { code, message } = classifyAwsFailure(error)
        this.#context.log.warn(`cannot read ${what} yet`, { code, error: message })
      }
    }
    await attempt('the prices that were last seen', async () => {
      const table = await priceMemory?.load(signal)
      if (table !== undefined) prices.remember(table)
    })
    const problem = await this.access()
    if (problem !== undefined) this.#context.log.error(problem)
    await Promise.all([
      attempt('the cluster', () => cluster.view(signal)),
      attempt('instance types', () => regionTypes.ensure(signal)),
      attempt('spot prices', () => priceReader.readSpot(signal)),
      ...(options.settings.enableZonalShift ? [attempt('zonal shifts', () => zonalShifts.read(signal))] : []),
      ...(priceReader.canReadOnDemand(options.settings.isolatedVpc)
        ? [attempt('on-demand prices', () => priceReader.readOnDemand(signal))]
        : []),
    ])
  }

  /** Returns the reason why EC2 cannot be used, or undefined if it can. After the check has succeeded once, it is not repeated. */
  async access(): Promise<string | undefined> {
    if (this.#hasAccess) return undefined
    const { api, region } = this.deps.options
    try {
      await api.ec2.probe(AbortSignal.timeout(PROBE_TIMEOUT))
      this.#hasAccess = true
      return undefined
    } catch (error) {
      const { code, message } = classifyAwsFailure(error)
      return awsErrors.NoAccess({ region, cause: `${code}: ${message}` }).message
    }
  }

  async create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    signal.throwIfAborted()
    const uid = claimUid(claim)
    let launching = this.#launching.get(uid)
    if (launching === undefined) {
      launching = this.#create(claim, signal).finally(() => this.#launching.delete(uid))
      this.#launching.set(uid, launching)
    }
    return launching
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const id = claimInstanceId(claim)
    try {
      await this.deps.instances.terminate(id, signal)
    } catch (error) {
      const reservation = claim.metadata.labels?.[awsLabels.capacityReservationId]
      if (isNodeClaimNotFound(error) && reservation !== undefined) this.deps.reservations.terminated(reservation)
      throw error
    }
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    const id = parseProviderId(providerID)
    if (id === undefined) throw providerErrors.ForeignProviderId({ providerID, provider: 'AWS' })
    const instance = await this.deps.instances.get(id.instanceId, 'memory', signal)
    return describeInstance(instance, await this.#classView(instance.tags[awsTags.nodeClass] ?? '', signal))
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    const instances = await this.deps.instances.list(signal)
    const byClass = new Map<string, ClassView>()
    const views: InstanceView[] = []
    for (const instance of instances) {
      const name = instance.tags[awsTags.nodeClass] ?? ''
      const known = byClass.get(name) ?? (await this.#classView(name, signal))
      byClass.set(name, known)
      views.push(describeInstance(instance, known))
    }
    return views
  }

  async freeAddresses(pool: NodePool, signal: AbortSignal): Promise<readonly SubnetAddresses[]> {
    const { status } = await this.#classes.ofPool(pool, signal)
    return this.deps.subnets.freeAddresses(status?.subnets ?? [])
  }

  priceSources(): PriceSources {
    return this.deps.prices.standing
  }

  async commitments(signal: AbortSignal): Promise<readonly AccountCommitment[]> {
    const { options, regionTypes } = this.deps
    const { readCommitments } = await import('./commitments/read-commitments.ts')
    return readCommitments(
      {
        api: options.api,
        region: options.region,
        clusterName: options.settings.clusterName,
        typeNamed: (name) => regionTypes.get(name),
      },
      signal,
    )
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const nodeClass = await this.#classes.ofPool(pool, signal)
    return this.deps.types.resolve(nodeClass, signal)
  }

  async isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> {
    const ref = claim.spec.nodeClassRef
    const nodeClass = await this.#classes.find(ref, signal)
    if (nodeClass === undefined) return undefined
    if (nodeClass.metadata.deletionTimestamp !== undefined) {
      this.#classes.report(claim, `EC2NodeClass ${ref.name} is being deleted`)
      return undefined
    }
    return driftReason(claim, nodeClass, this.deps, signal)
  }

  controllers(): readonly Controller[] {
    return awsControllers(this.deps, { list: (signal) => this.list(signal) })
  }

  async #create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const nodeClass = await this.#readyClass(claim, signal)
    const uid = claim.metadata.uid ?? ''
    const earlier = this.deps.launcher.isOpen(uid) ? undefined : await this.#earlier(claim, signal)
    const types = await this.#types(claim, nodeClass, signal)
    if (earlier !== undefined) {
      const type = types.find(({ name }) => name === earlier.type)
      return this.#createdView(claim, earlier, nodeClass, type)
    }
    this.#launchRecords.begin(uid)
    try {
      const { instance, type } = await this.#launch(claim, nodeClass, types, signal)
      this.#launchRecords.launched(uid, instance.id)
      this.deps.instances.remember(instance)
      return this.#createdView(claim, instance, nodeClass, type)
    } catch (error) {
      // If the launch was interrupted or EC2 failed, the NodeClaim stays marked as attempted, so the next attempt first searches for an
      // existing instance.
      if (!signal.aborted && !this.deps.launcher.mayHaveLaunched(uid)) this.#launchRecords.failed(uid)
      throw error
    }
  }

  /**
   * Launches an instance. If the offerings that it tries lack capacity, it tries the remaining ones. So it can fall back from spot to
   * on-demand without a new plan.
   */
  async #launch(
    claim: NodeClaim,
    nodeClass: EC2NodeClass,
    types: readonly InstanceType[],
    signal: AbortSignal,
  ): Promise<Launched> {
    const { launcher, insufficient, reservations } = this.deps
    let left = types
    let answer: unknown
    for (let attempt = 1; ; attempt++) {
      const [marks, reserved] = [insufficient.sequence, reservations.sequence]
      try {
        return await launcher.launch(claim, nodeClass, left, signal)
      } catch (error) {
        const hasLearnt = insufficient.sequence !== marks || reservations.sequence !== reserved
        // If no offering is left to try, throw the error of the previous attempt, which contains the reason.
        if (answer !== undefined && findError(error, NothingToLaunchError) !== undefined) throw answer
        if (!isInsufficientCapacity(error) || !hasLearnt || attempt === MOST_ATTEMPTS) throw error
        answer = error
        left = await this.#types(claim, nodeClass, signal)
      }
    }
  }

  /**
   * Returns the instance that an earlier attempt launched for the NodeClaim, if any. Throws if the search fails, because another launch
   * could create a second instance.
   */
  async #earlier(claim: NodeClaim, signal: AbortSignal): Promise<AwsInstance | undefined> {
    try {
      return await this.#launchRecords.find(claim, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (isNodeClaimNotFound(error)) return undefined
      throw toCreateError(error)
    }
  }

  async #types(claim: NodeClaim, nodeClass: EC2NodeClass, signal: AbortSignal): Promise<readonly InstanceType[]> {
    try {
      return await this.deps.types.resolve(nodeClass, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw new CreateError(
        'InstanceTypeResolutionFailed',
        `the instance types for nodeclaim ${claim.metadata.name} are unknown: ${textOfThrown(error)}`,
        { cause: error },
      )
    }
  }

  #createdView(
    claim: NodeClaim,
    instance: AwsInstance,
    nodeClass: EC2NodeClass,
    type: InstanceType | undefined,
  ): InstanceView {
    const view = instanceView(instance, { nodeClass, ...(type === undefined ? {} : { type }) })
    return {
      ...view,
      nodeClaimName: claim.metadata.name,
      nodeClaimUid: claim.metadata.uid ?? '',
      labels: { ...claim.metadata.labels, ...view.labels },
    }
  }

  /** Returns the fields of a node class that an instance view needs. If the class is missing or not resolved, returns fewer fields. */
  async #classView(name: string, signal: AbortSignal): Promise<ClassView> {
    const nodeClass = await this.#classes.named(name, signal)
    if (nodeClass === undefined) return { types: new Map() }
    try {
      const types = await this.deps.types.resolve(nodeClass, signal)
      return { nodeClass, types: new Map(types.map((type) => [type.name, type])) }
    } catch {
      signal.throwIfAborted()
      return { nodeClass, types: new Map() }
    }
  }

  /**
   * Returns the class to launch with.
   * @throws NodeClassNotReadyError if the controllers have not resolved the current generation yet, or if the class sets reserved tags.
   */
  async #readyClass(claim: NodeClaim, signal: AbortSignal): Promise<EC2NodeClass> {
    const nodeClass = await this.#classes.toLaunch(claim, signal)
    const { name } = claim.spec.nodeClassRef
    if (findCondition(nodeClass, 'Ready')?.observedGeneration !== nodeClass.metadata.generation)
      throw new NodeClassNotReadyError(`EC2NodeClass ${name} has changed and was not reconciled yet`)
    const reserved = reservedTags(nodeClass.spec.tags)
    if (reserved.length > 0)
      throw new NodeClassNotReadyError(
        `EC2NodeClass ${name} sets tags that are reserved for the controller: ${reserved.join(', ')}`,
      )
    return nodeClass
  }
}
