import type { CreateFleetCommandInput, FleetLaunchTemplateOverridesRequest } from '@aws-sdk/client-ec2'
import { annotations, capacityTypes, labels, type NodeClaim, ownValue, parseResources } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import { CreateError, InsufficientCapacityError } from '@kerf/provider-contract'
import { type InsufficientCapacity, nodeClassKey } from '@kerf/provider-kit'
import { type Clock, type Logger, type Metrics, mapWhole } from '@kerf/runtime'
import type { Ec2Api } from '../api/aws-api.ts'
import type { CapacityReservations } from '../discovery/capacity-reservations.ts'
import type { PlacementGroups } from '../discovery/placement-groups.ts'
import type { SubnetChoice, Subnets } from '../discovery/subnets.ts'
import { classifyAwsFailure, isLaunchTemplateMissing } from '../failures/aws-failure.ts'
import { refusedLaunchText, toCreateError, toFleetError } from '../failures/launch-failure.ts'
import type { AwsInstance } from '../instances/aws-instance.ts'
import type { Instances } from '../instances/instances.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { classScope } from '../offerings/insufficient-capacity.ts'
import { type AskedOffering, entryOfferings, fleetPlaceFields } from './asked-offering.ts'
import { fleetInput } from './fleet-input.ts'
import { FleetOutcomes } from './fleet-outcomes.ts'
import { type FleetRequest, type FleetResult, Fleets } from './fleets.ts'
import { admits, launchCandidates, launchCapacityType, launchTenancy } from './launch-candidates.ts'
import type { LaunchContext } from './launch-context.ts'
import type { LaunchTemplateRef, LaunchTemplates } from './launch-templates.ts'
import { fleetOverrides, partitionFor, type TemplateGroup, templateGroups } from './template-groups.ts'
import type { TemplateLaunch, TemplateMaker } from './template-maker.ts'

export interface LauncherDeps {
  readonly ec2: Ec2Api
  readonly clock: Clock
  readonly batchClock: Clock
  readonly metrics: Metrics
  readonly log: Logger
  readonly subnets: Subnets
  readonly templates: LaunchTemplates
  readonly maker: TemplateMaker
  readonly groups: PlacementGroups
  readonly reservations: CapacityReservations
  readonly insufficient: InsufficientCapacity
  readonly instances: Pick<Instances, 'get'>
  readonly onSpotRoleMissing: () => void
}

/** A launched instance and its instance type. */
export interface Launched {
  readonly instance: AwsInstance
  readonly type: InstanceType
}

/** A launch template, and its overrides for CreateFleet. */
interface PreparedTemplate {
  readonly group: TemplateGroup
  readonly template: LaunchTemplateRef
  readonly overrides: readonly FleetLaunchTemplateOverridesRequest[]
}

/** With fewer instance types than this, a launch risks that EC2 has no capacity for any of them. */
const FLEXIBLE = 5
const TEMPLATES_AT_ONCE = 5

/**
 * Returns the requests that the instance itself must satisfy. Excludes resources that only a NodeOverlay adds, because a device plugin will
 * provide them later.
 */
const claimRequests = (claim: NodeClaim, types: readonly InstanceType[]): Resources => {
  const requests = parseResources(claim.spec.resources?.requests)
  if (claim.metadata.annotations?.[annotations.capacityOverlayApplied] !== 'true') return requests
  const known = Object.entries(requests).filter(([name]) =>
    types.some(({ capacity }) => ownValue(capacity, name) !== undefined),
  )
  return Object.fromEntries(known)
}

/** Thrown when EC2 reports that a template does not exist, although Kerf looked it up before the launch. */
class TemplateGoneError extends Error {
  override readonly name = 'TemplateGoneError'
  readonly templates: readonly string[]
  constructor(templates: readonly string[], options?: ErrorOptions) {
    super(`launch templates ${templates.join(', ')} were deleted`, options)
    this.templates = templates
  }
}

/** Launches instances for claims (`providers/aws/docs/spec/aws.md#instances`). */
export class Launcher {
  readonly #deps: LauncherDeps
  readonly #minValuesPolicy: 'Strict' | 'BestEffort'
  readonly #outcomes: FleetOutcomes
  readonly #fleets: Fleets

  constructor(deps: LauncherDeps, options: { readonly minValuesPolicy: 'Strict' | 'BestEffort' }) {
    this.#deps = deps
    this.#minValuesPolicy = options.minValuesPolicy
    this.#outcomes = new FleetOutcomes(deps)
    this.#fleets = new Fleets(deps, (outcome) => this.#outcomes.learn(outcome))
  }

  /** Returns true if the next `launch` for the NodeClaim continues an earlier launch. */
  isOpen(uid: string): boolean {
    return this.#fleets.isOpen(uid)
  }

  /** Returns true if an earlier launch for the NodeClaim may have succeeded. */
  mayHaveLaunched(uid: string): boolean {
    return this.#fleets.mayHaveLaunched(uid)
  }

  /**
   * Launches one instance of one of the instance types.
   *
   * @throws InsufficientCapacityError, CreateError, NodeClassNotReadyError
   */
  async launch(
    claim: NodeClaim,
    nodeClass: EC2NodeClass,
    types: readonly InstanceType[],
    signal: AbortSignal,
  ): Promise<Launched> {
    try {
      const earlier = await this.#fleets.settle(claim.metadata.uid ?? '', signal)
      if (earlier?.instance !== undefined) return await this.#launched(claim, nodeClass, earlier, signal)
      return await this.#tryTwice(claim, nodeClass, types, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw toCreateError(error)
    }
  }

  async #tryTwice(
    claim: NodeClaim,
    nodeClass: EC2NodeClass,
    types: readonly InstanceType[],
    signal: AbortSignal,
  ): Promise<Launched> {
    try {
      return await this.#launch(claim, nodeClass, types, signal)
    } catch (error) {
      if (!(error instanceof TemplateGoneError)) throw error
      for (const name of error.templates) this.#deps.templates.forget(name)
      return this.#launch(claim, nodeClass, types, signal)
    }
  }

  async #launch(
    claim: NodeClaim,
    nodeClass: EC2NodeClass,
    types: readonly InstanceType[],
    signal: AbortSignal,
  ): Promise<Launched> {
    const { requirements } = claim.spec
    const candidates = launchCandidates(types, {
      requirements,
      requests: claimRequests(claim, types),
      minValuesPolicy: this.#minValuesPolicy,
    })
    const capacityType = launchCapacityType(candidates, requirements)
    this.#noteFewTypes(claim, candidates, capacityType)
    const launch = {
      claim,
      nodeClass,
      capacityType,
      tenancy: launchTenancy(requirements),
      partition: partitionFor(claim, candidates),
    } as const
    const { subnets, insufficient } = this.#deps
    const usable = (nodeClass.status?.subnets ?? []).filter(({ id }) => !insufficient.isSubnetOut(id))
    const choice = subnets.choose(usable, candidates, capacityType)
    let used: string | undefined
    try {
      const templates = await this.#templates(launch, candidates, choice, signal)
      const request = {
        claim: { uid: claim.metadata.uid ?? '', name: claim.metadata.name },
        input: this.#input(launch, templates),
        context: this.#context(launch, candidates, templates),
      }
      const answer = await this.#send(request, signal)
      if (answer.instance === undefined) throw toFleetError(answer.errors)
      const launched = await this.#launched(claim, nodeClass, answer, signal)
      used = launched.instance.subnetId
      return launched
    } finally {
      subnets.settle(choice, new Set(used === undefined ? [] : [used]))
    }
  }

  /** Returns at least one launch template for the candidates, each with its overrides. */
  async #templates(
    launch: TemplateLaunch,
    candidates: readonly InstanceType[],
    choice: SubnetChoice,
    signal: AbortSignal,
  ): Promise<readonly [PreparedTemplate, ...PreparedTemplate[]]> {
    const { claim, nodeClass, capacityType, partition } = launch
    const groups = templateGroups(candidates, nodeClass, claim, capacityType)
      .map((group) => ({ group, overrides: fleetOverrides(group, claim, { capacityType, choice, partition }) }))
      .filter(({ overrides }) => overrides.length > 0)
    const [first, ...others] = await mapWhole(
      groups,
      TEMPLATES_AT_ONCE,
      async (each, inner) => ({ ...each, template: await this.#deps.maker.ensure(each.group, launch, inner) }),
      signal,
    )
    if (first === undefined)
      throw new CreateError(
        'LaunchFailed',
        'no available instance type has both an image and a subnet in one of its zones; see the status of the EC2NodeClass',
      )
    return [first, ...others]
  }

  #input(
    launch: TemplateLaunch,
    templates: readonly [PreparedTemplate, ...PreparedTemplate[]],
  ): CreateFleetCommandInput {
    const { claim, nodeClass, capacityType } = launch
    const { annotations: given } = claim.metadata
    const isRelaxed = given?.[annotations.minValuesRelaxed] === 'true'
    const { reservation } = templates[0].group
    return fleetInput({
      capacityType,
      templates: templates.map(({ template, overrides }) => ({ name: template.name, overrides })),
      tags: this.#deps.maker.tags(launch),
      byPriority: given?.[annotations.priceOverlayApplied] === 'true',
      ...(nodeClass.spec.context === undefined || isRelaxed ? {} : { context: nodeClass.spec.context }),
      ...(reservation === undefined ? {} : { reservation }),
    })
  }

  #context(
    { nodeClass, capacityType, tenancy, partition }: TemplateLaunch,
    candidates: readonly InstanceType[],
    templates: readonly PreparedTemplate[],
  ): LaunchContext {
    return {
      capacityType,
      tenancy,
      partition,
      classScope: classScope(nodeClassKey(nodeClass)),
      group: this.#deps.groups.known(nodeClass.spec.placementGroupSelector),
      candidates,
      subnets: nodeClass.status?.subnets ?? [],
      asked: templates.flatMap(({ group: { efaCount, reservation }, template, overrides }) =>
        overrides.map(
          ({ InstanceType, AvailabilityZone, SubnetId, ImageId }): AskedOffering => ({
            instanceType: InstanceType ?? '',
            zone: AvailabilityZone ?? '',
            subnetId: SubnetId ?? '',
            imageId: ImageId ?? '',
            template,
            efaCount,
            reservation,
          }),
        ),
      ),
    }
  }

  async #send(request: FleetRequest, signal: AbortSignal): Promise<FleetResult> {
    try {
      return await this.#fleets.launch(request, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (this.#outcomes.learnRefusal(error, request.context))
        throw new InsufficientCapacityError(refusedLaunchText(error), { cause: error })
      if (!isLaunchTemplateMissing(classifyAwsFailure(error))) throw error
      throw new TemplateGoneError([...new Set(request.context.asked.map(({ template }) => template.name))], {
        cause: error,
      })
    }
  }

  /**
   * Returns the instance as the response describes it, because EC2 may not list it yet. If the response is incomplete, reads the
   * instance from EC2, and keeps the response until that read succeeds.
   */
  async #launched(
    claim: NodeClaim,
    nodeClass: EC2NodeClass,
    answer: FleetResult,
    signal: AbortSignal,
  ): Promise<Launched> {
    const { context } = answer
    const instance =
      this.#described(claim, nodeClass, answer) ??
      (await this.#deps.instances.get(answer.instance?.id ?? '', 'cloud', signal))
    const type = context.candidates.find(({ name }) => name === instance.type)
    if (type === undefined)
      throw new CreateError(
        'LaunchFailed',
        `EC2 launched an instance of type ${instance.type || 'unknown'}, which was not requested`,
      )
    this.#fleets.taken(claim.metadata.uid ?? '')
    if (instance.reservation !== undefined) this.#deps.reservations.launched(instance.reservation.id)
    return { type, instance }
  }

  /** Returns the instance, or undefined if the response does not identify its override. */
  #described(claim: NodeClaim, nodeClass: EC2NodeClass, { instance, context }: FleetResult): AwsInstance | undefined {
    if (instance === undefined) return undefined
    const [made, ...others] = entryOfferings(instance, context.asked)
    if (made === undefined || others.length > 0) return undefined
    const { group, partition, tenancy, capacityType } = context
    return {
      id: instance.id,
      type: made.instanceType,
      zone: made.zone,
      imageId: fleetPlaceFields(instance).imageId ?? made.imageId,
      capacityType,
      isEnding: false,
      isGone: false,
      tags: this.#deps.maker.tags({ claim, nodeClass }),
      tenancy,
      efaCount: made.efaCount,
      launchedAt: this.#deps.clock.now(),
      subnetId: made.subnetId,
      securityGroupIds: (nodeClass.status?.securityGroups ?? []).map(({ id }) => id),
      ...(made.reservation === undefined ? {} : { reservation: made.reservation }),
      ...(group === undefined
        ? {}
        : { placement: { groupId: group.id, ...(partition === undefined ? {} : { partition }) } }),
    }
  }

  #noteFewTypes(claim: NodeClaim, candidates: readonly InstanceType[], capacityType: string): void {
    if (capacityType !== capacityTypes.onDemand || candidates.length >= FLEXIBLE) return
    const isFlexible = [capacityTypes.spot, capacityTypes.onDemand].every((each) =>
      admits(claim.spec.requirements, labels.capacityType, each),
    )
    if (!isFlexible) return
    this.#deps.log.info('launching on-demand with few instance types; more types make spot more likely', {
      NodeClaim: { name: claim.metadata.name },
      'instance-types': candidates.map(({ name }) => name),
    })
  }
}
