import {
  karpenterKinds,
  type LabelAlias,
  LabelVocabulary,
  labels,
  type Milliseconds,
  type NodeClaim,
  type NodePool,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  CreateError,
  type DeclaredPrices,
  DeleteError,
  declaredPrices,
  type InstanceView,
  InsufficientCapacityError,
  LaunchPendingError,
  NodeClaimNotFoundError,
  type ProviderContext,
  providerErrors,
} from '@kerf/provider-contract'
import { claimUid, launchDemand, NodeClasses, readinessPolicies } from '@kerf/provider-kit'
import { type Controller, isNotFound, type Metrics } from '@kerf/runtime'
import { bindingRepair } from './controllers/binding-repair.ts'
import { surplus } from './controllers/surplus.ts'
import { ClassTypes } from './instance-type/class-types.ts'
import { type LaunchChoice, launchChoices } from './instance-type/launch-sources.ts'
import type { MachineFacts } from './instance-type/machine-facts.ts'
import { chosenDeployment, claimMachineName } from './machines/claim-annotations.ts'
import { isHeldBy, isTaken, machineHeldBy, rememberedMachine } from './machines/claim-machines.ts'
import { comingInstance, toInstanceView } from './machines/instance-view.ts'
import type { ManagementCluster, NamespacedName } from './management/management-cluster.ts'
import { textOfName } from './management/namespaced-name.ts'
import type { Membership } from './members/member.ts'
import { clusterApiAnnotations, clusterApiVocabulary } from './names.ts'
import { type ClusterAPINodeClass, clusterApiNodeClassKind } from './node-class/cluster-api-node-class.ts'
import type { Machine } from './objects/machine.ts'
import type { MachineDeployment } from './objects/machine-deployment.ts'
import { DeploymentScaler } from './replicas/deployment-scaler.ts'

export interface ClusterApiProviderOptions {
  readonly management: ManagementCluster
  readonly metrics: Metrics
  /**
   * The labels that volume drivers use instead of the well-known ones. Includes the labels of every cloud, because the machines may be in
   * any cloud.
   */
  readonly aliases: readonly LabelAlias[]
  /** Returns the MachineDeployments that a node class selects. @throws NotKnownYetError */
  readonly membership: (nodeClass: ClusterAPINodeClass) => Membership
  /** Returns the facts about a MachineDeployment's machines that Nodes and machine templates show. By default, nothing is known. */
  readonly factsOf?: (deployment: MachineDeployment) => MachineFacts
  /**
   * Returns the reason why a Machine differs from its MachineDeployment's template, or undefined if it does not differ.
   * @throws NotKnownYetError
   */
  readonly driftOf: (machine: Machine) => string | undefined
  /** The provider's controllers, in addition to those that handle Machines. */
  readonly controllers?: readonly Controller[]
}

/** The maximum time for an infrastructure to create a machine. */
const LAUNCH_TIMEOUT: Milliseconds = 30 * 60_000
/** If a Machine without a providerID is deleted after this time, its MachineDeployment counts as out of capacity. */
const HOPELESS_AFTER: Milliseconds = 10 * 60_000
/** How long to wait before a retry while a MachineSet is creating a Machine. */
const RETRY_UNBOUND: Milliseconds = 1_000
/** How long to wait before a retry while a Machine has no providerID, which may take minutes. */
const RETRY_BOUND: Milliseconds = 5_000
const TOLERATION: Milliseconds = 30 * 60_000

/** The cloud provider for Cluster API, whose instances are Machines (`providers/cluster-api/docs/spec/cluster-api.md`). */
export class ClusterApiProvider implements CloudProvider {
  /** Upstream's name. */
  readonly name = 'clusterapi'
  readonly nodeClasses = [clusterApiNodeClassKind]
  readonly vocabulary: LabelVocabulary
  readonly launchTimeout = LAUNCH_TIMEOUT
  readonly repairPolicies = readinessPolicies(TOLERATION)
  readonly #context: ProviderContext
  readonly #options: ClusterApiProviderOptions
  readonly #management: ManagementCluster
  readonly #classes: NodeClasses<ClusterAPINodeClass>
  readonly #types: ClassTypes
  readonly #scaler: DeploymentScaler
  readonly #declared: DeclaredPrices

  constructor(context: ProviderContext, options: ClusterApiProviderOptions) {
    this.#declared = declaredPrices(context.informers)
    const { clock, client: workload } = context
    const { management, metrics, membership, factsOf } = options
    this.#context = context
    this.#options = options
    this.vocabulary = new LabelVocabulary({ ...clusterApiVocabulary, aliases: options.aliases })
    this.#management = management
    this.#classes = new NodeClasses(context, clusterApiNodeClassKind, {
      provider: this.name,
      withoutReady: 'unknown',
    })
    this.#types = new ClassTypes(clock, membership, factsOf)
    this.#scaler = new DeploymentScaler({ clock, metrics, management, workload })
  }

  async create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    signal.throwIfAborted()
    const uid = claimUid(claim)
    const known = rememberedMachine(this.#management, claim)
    // Both writes of the binding are done, so the NodeClaim waits only for its instance.
    if (known !== undefined && isBound(known, claim)) return await this.#launched(known, claim, signal)
    const chosen = await this.#chosen(claim, signal)
    if (chosen !== undefined) return await this.#bind(chosen, claim, signal)
    for (const { source } of await this.#choices(claim, signal)) {
      const text = textOfName(source.deployment)
      await this.#scaler.writes.annotateClaim(claim, { [clusterApiAnnotations.machineDeployment]: text }, signal)
      const outcome = await this.#scaler.ask(source.deployment, { kind: 'create', uid }, signal)
      // The NodeClaim is not bound yet, so Kerf may still use another MachineDeployment.
      if (outcome.kind !== 'full') return await this.#bind(source.deployment, claim, signal, outcome)
      this.#types.exhausted(source.deployment, 'its maximum size is reached')
    }
    throw new InsufficientCapacityError(
      `no MachineDeployment that fits nodeclaim ${claim.metadata.name} can get another Machine`,
    )
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const { name, uid = '' } = claim.metadata
    const machine = await machineHeldBy(this.#management, await this.#asStored(claim, signal), signal)
    if (machine === undefined) throw new NodeClaimNotFoundError(`nodeclaim ${name} has no Machine`)
    const { namespace, deploymentName } = machine
    this.#noteHopeless(machine)
    if (deploymentName === undefined) return await this.#deleteAlone(machine, signal)
    const end = { kind: 'end', uid, machine: machine.name } as const
    const outcome = await this.#scaler.ask({ namespace, name: deploymentName }, end, signal)
    if (outcome.kind === 'without-deployment') return await this.#deleteAlone(machine, signal)
    if (outcome.kind === 'gone') throw new NodeClaimNotFoundError(`Machine ${textOfName(machine)} is gone`)
    if (outcome.kind === 'refused') throw new DeleteError('MachineChoiceUncertain', outcome.reason)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    if (providerID === '') throw providerErrors.ForeignProviderId({ providerID, provider: 'a Machine' })
    const machine = this.#management.machinesWith(providerID).find((each) => this.#isOurs(each))
    if (machine === undefined) throw new NodeClaimNotFoundError(`no Machine has the provider ID ${providerID}`)
    return await this.#view(machine, this.#claimOf(machine), signal)
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    const machines = this.#management.machines().filter((machine) => this.#isOurs(machine))
    const named = machines.filter(({ providerId }) => providerId !== undefined)
    return await Promise.all(named.map((machine) => this.#view(machine, this.#claimOf(machine), signal)))
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    return this.#types.of(await this.#classes.ofPool(pool, signal)).types
  }

  async isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> {
    const nodeClass = await this.#classes.find(claim.spec.nodeClassRef, signal)
    if (nodeClass === undefined) return undefined
    const machine = rememberedMachine(this.#management, claim)
    if (machine === undefined) throw new NodeClaimNotFoundError(`nodeclaim ${claim.metadata.name} has no Machine`)
    return this.#options.driftOf(machine)
  }

  controllers(): readonly Controller[] {
    const { informers, clock, log } = this.#context
    const care = { management: this.#management, scaler: this.#scaler, informers, clock, log }
    return [surplus(care), bindingRepair(care), ...(this.#options.controllers ?? [])]
  }

  /** Returns the MachineDeployment that an earlier call chose for the NodeClaim. Upstream's provider may have made that call. */
  async #chosen(claim: NodeClaim, signal: AbortSignal): Promise<NamespacedName | undefined> {
    const stored = chosenDeployment(claim) === undefined ? await this.#asStored(claim, signal) : claim
    const chosen = chosenDeployment(stored)
    const named = claimMachineName(stored)
    if (chosen !== undefined || named === undefined) return chosen
    const machine = await machineHeldBy(this.#management, stored, signal)
    if (machine?.deploymentName === undefined)
      throw new InsufficientCapacityError(`Machine ${textOfName(named)} of nodeclaim ${claim.metadata.name} is gone`)
    const deployment = { namespace: machine.namespace, name: machine.deploymentName }
    const annotations = { [clusterApiAnnotations.machineDeployment]: textOfName(deployment) }
    await this.#scaler.writes.annotateClaim(claim, annotations, signal)
    return deployment
  }

  async #choices(claim: NodeClaim, signal: AbortSignal): Promise<readonly LaunchChoice[]> {
    const nodeClass = await this.#classes.toLaunch(claim, signal)
    const { requirements, requests } = launchDemand(claim)
    return launchChoices(this.#types.of(nodeClass), requirements, requests, this.#declared)
  }

  async #bind(
    deployment: NamespacedName,
    claim: NodeClaim,
    signal: AbortSignal,
    answered?: Awaited<ReturnType<DeploymentScaler['ask']>>,
  ): Promise<InstanceView> {
    const { name, uid = '' } = claim.metadata
    const outcome = answered ?? (await this.#scaler.ask(deployment, { kind: 'create', uid }, signal))
    const text = textOfName(deployment)
    switch (outcome.kind) {
      case 'bound': {
        const bound = { namespace: deployment.namespace, name: outcome.machine }
        const machine = this.#management.machine(bound)
        if (machine !== undefined) return await this.#launched(machine, claim, signal)
        throw await this.#pending(
          deployment,
          claim,
          `Machine ${textOfName(bound)} is being created`,
          RETRY_UNBOUND,
          signal,
        )
      }
      case 'full':
        this.#types.exhausted(deployment, 'its maximum size is reached')
        throw new InsufficientCapacityError(
          `MachineDeployment ${text} cannot get another Machine for nodeclaim ${name}`,
        )
      case 'lost':
        throw new InsufficientCapacityError(
          `Machine ${deployment.namespace}/${outcome.machine} of nodeclaim ${name} is gone`,
        )
      case 'no-claim':
        throw new CreateError('LaunchFailed', `nodeclaim ${name} is being deleted, or another nodeclaim has its name`)
      default:
        throw await this.#pending(
          deployment,
          claim,
          `requested a Machine of MachineDeployment ${text}`,
          RETRY_UNBOUND,
          signal,
        )
    }
  }

  async #launched(machine: Machine, claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const { namespace, deploymentName: name = '', phase = 'not begun' } = machine
    const deployment = { namespace, name }
    if (phase === 'Failed') {
      this.#types.exhausted(deployment, `Machine ${machine.name} failed`)
      throw new InsufficientCapacityError(`Machine ${textOfName(machine)} failed; its conditions say why`)
    }
    if (machine.providerId !== undefined) return await this.#view(machine, claim, signal)
    const message = `Machine ${textOfName(machine)} is being created (${phase})`
    throw await this.#pending(deployment, claim, message, RETRY_BOUND, signal)
  }

  async #pending(
    deployment: NamespacedName,
    claim: NodeClaim,
    message: string,
    retryAfter: Milliseconds,
    signal: AbortSignal,
  ): Promise<LaunchPendingError> {
    const choice = await this.#choiceFor(deployment, claim, signal)
    if (choice === undefined) return new LaunchPendingError(message, retryAfter)
    const coming = comingInstance(choice, claim.metadata.labels?.[labels.nodePool])
    return new LaunchPendingError(message, retryAfter, { coming })
  }

  async #view(machine: Machine, claim: NodeClaim | undefined, signal: AbortSignal): Promise<InstanceView> {
    const { namespace, deploymentName: name, providerId = '' } = machine
    const choice = name === undefined ? undefined : await this.#choiceFor({ namespace, name }, claim, signal)
    return toInstanceView({ ...machine, providerId }, choice, claim)
  }

  async #choiceFor(
    name: NamespacedName,
    claim: NodeClaim | undefined,
    signal: AbortSignal,
  ): Promise<LaunchChoice | undefined> {
    const deployment = this.#management.deployment(name)
    if (deployment === undefined) return undefined
    const nodeClass = claim === undefined ? undefined : await this.#classes.find(claim.spec.nodeClassRef, signal)
    return this.#types.choiceFor({ deployment, mayLaunch: true, mayDrift: true }, nodeClass, claim)
  }

  /** Returns true if a NodeClaim holds or held the Machine. */
  #isOurs(machine: Machine): boolean {
    return isTaken(machine, this.#management) || this.#claimOf(machine) !== undefined
  }

  #claimOf(machine: Machine): NodeClaim | undefined {
    for (const claim of this.#context.informers.of(karpenterKinds.NodeClaim).values()) {
      if (isHeldBy(machine, claim)) return claim
    }
    return undefined
  }

  /**
   * Returns the NodeClaim with its latest annotations, read from the API server. If the claim is gone, or another claim now has its name,
   * returns it unchanged.
   */
  async #asStored(claim: NodeClaim, signal: AbortSignal): Promise<NodeClaim> {
    const { name, uid } = claim.metadata
    try {
      const stored = await this.#context.client.get(karpenterKinds.NodeClaim, { name }, { signal })
      if (stored.metadata.uid !== uid) return claim
      return { ...stored, ...(claim.status === undefined ? {} : { status: claim.status }) }
    } catch (error) {
      if (isNotFound(error)) return claim
      throw error
    }
  }

  /**
   * If a Machine of this MachineDeployment has had no instance for a long time, marks the deployment as out of capacity, because its next
   * Machine would probably get no instance either.
   */
  #noteHopeless({ namespace, name, deploymentName, providerId, createdAt }: Machine): void {
    const isOld = createdAt !== undefined && createdAt <= this.#context.clock.now() - HOPELESS_AFTER
    if (deploymentName === undefined || providerId !== undefined || !isOld) return
    this.#types.exhausted({ namespace, name: deploymentName }, `Machine ${name} never got a provider ID`)
  }

  /** Deletes a Machine that does not count towards the replicas of any MachineDeployment. */
  async #deleteAlone(machine: Machine, signal: AbortSignal): Promise<void> {
    if (!machine.isDeleting) await this.#scaler.writes.delete(machine, signal)
  }
}

const isBound = (machine: Machine, claim: NodeClaim): boolean => {
  const named = claimMachineName(claim)
  return (
    !machine.isDeleting &&
    machine.isMember &&
    machine.annotations[clusterApiAnnotations.nodeClaimUid] === claim.metadata.uid &&
    named?.name === machine.name &&
    named.namespace === machine.namespace
  )
}
