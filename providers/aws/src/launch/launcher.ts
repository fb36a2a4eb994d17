import { annotations, capacityTypes, type EC2NodeClass, labels, type NodeClaim, parseResources } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import { CreateError, findError, InsufficientCapacityError, NodeClassNotReadyError } from '@kerf/provider-contract'
import { type Clock, type Logger, type Metrics, mapWhole } from '@kerf/runtime'
import type { Ec2Api } from '../api/aws-api.ts'
import type { CapacityReservations } from '../discovery/capacity-reservations.ts'
import type { PlacementGroups } from '../discovery/placement-groups.ts'
import type { Subnets } from '../discovery/subnets.ts'
import { awsFailureOf, isLaunchTemplateMissing } from '../failures/aws-failure.ts'
import { fleetErrorOf, launchFailureOf } from '../failures/launch-failure.ts'
import type { AwsInstance } from '../instances/aws-instance.ts'
import type { Instances } from '../instances/instances.ts'
import type { InsufficientCapacity } from '../offerings/insufficient-capacity.ts'
import { UserDataError } from '../user-data/user-data-error.ts'
import { type AskedOffering, offeringsOf, placeOf } from './asked-offering.ts'
import { fleetInput } from './fleet-input.ts'
import { fleetLessons } from './fleet-lessons.ts'
import { type FleetRequest, type FleetResult, Fleets } from './fleets.ts'
import { admits, launchCandidates, launchCapacityType, launchTenancy } from './launch-candidates.ts'
import type { LaunchContext } from './launch-context.ts'
import type { LaunchTemplates } from './launch-templates.ts'
import { overridesOf, partitionFor, templateGroups } from './template-groups.ts'
import type { TemplateMaker } from './template-maker.ts'

export interface LauncherParts {
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

/** A launch that went through, and the type that was bought. */
export interface Launched {
  readonly instance: AwsInstance
  readonly type: InstanceType
}

/** With fewer types to choose from, EC2 may well have none. */
const FLEXIBLE = 5
const TEMPLATES_AT_ONCE = 5

/** What the instance itself must have; what only a NodeOverlay promises comes with a device plugin. */
const requestsOf = (claim: NodeClaim, types: readonly InstanceType[]): Resources => {
  const requests = parseResources(claim.spec.resources?.requests)
  if (claim.metadata.annotations?.[annotations.capacityOverlayApplied] !== 'true') return requests
  const known = Object.entries(requests).filter(([name]) => types.some(({ capacity }) => capacity[name] !== undefined))
  return Object.fromEntries(known)
}

/** The template was deleted between our looking and the launch. */
class TemplateGoneError extends Error {
  override readonly name = 'TemplateGoneError'
  readonly templates: readonly string[]
  constructor(templates: readonly string[], options?: ErrorOptions) {
    super(`launch templates ${templates.join(', ')} are gone`, options)
    this.templates = templates
  }
}

/** Whatever a call threw, as the error that decides what becomes of the claim. */
export const createErrorOf = (error: unknown): Error => {
  for (const type of [CreateError, InsufficientCapacityError, NodeClassNotReadyError]) {
    const known = findError<Error>(error, type)
    if (known !== undefined) return known
  }
  if (error instanceof UserDataError) return new CreateError('UserDataInvalid', error.message, { cause: error })
  const { code, message } = awsFailureOf(error)
  const { reason, message: text } = launchFailureOf(`${code}: ${message}`)
  return new CreateError(reason, text, { cause: error })
}

/** Launches instances for claims (`docs/spec/aws.md#instances`). */
export class Launcher {
  readonly #parts: LauncherParts
  readonly #minValuesPolicy: 'Strict' | 'BestEffort'
  readonly #fleets: Fleets

  constructor(parts: LauncherParts, options: { readonly minValuesPolicy: 'Strict' | 'BestEffort' }) {
    this.#parts = parts
    this.#minValuesPolicy = options.minValuesPolicy
    this.#fleets = new Fleets(parts, fleetLessons(parts))
  }

  /** Whether the next `launch` for the claim continues an earlier one. */
  isOpen(uid: string): boolean {
    return this.#fleets.isOpen(uid)
  }

  /** Whether an earlier launch for the claim may have come through. */
  mayHaveLaunched(uid: string): boolean {
    return this.#fleets.mayHaveLaunched(uid)
  }

  /**
   * Launches one instance of one of the types.
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
      throw createErrorOf(error)
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
      for (const name of error.templates) this.#parts.templates.forget(name)
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
      requests: requestsOf(claim, types),
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
    const choice = this.#parts.subnets.choose(nodeClass.status?.subnets ?? [], candidates, capacityType)
    let used: string | undefined
    try {
      const groups = templateGroups(candidates, nodeClass, claim, capacityType)
        .map((group) => ({
          group,
          overrides: overridesOf(group, claim, { capacityType, choice, partition: launch.partition }),
        }))
        .filter(({ overrides }) => overrides.length > 0)
      const templates = await mapWhole(
        groups,
        TEMPLATES_AT_ONCE,
        async (each, inner) => ({ ...each, template: await this.#parts.maker.ensure(each.group, launch, inner) }),
        signal,
      )
      const [first] = templates
      if (first === undefined)
        throw new CreateError(
          'LaunchFailed',
          'none of the instance types that can be had has an image and, in one of its zones, a subnet; see the status of the EC2NodeClass',
        )
      const isRelaxed = claim.metadata.annotations?.[annotations.minValuesRelaxed] === 'true'
      const input = fleetInput({
        capacityType,
        templates: templates.map(({ template, overrides }) => ({ name: template.name, overrides })),
        tags: this.#parts.maker.tags(launch),
        byPriority: claim.metadata.annotations?.[annotations.priceOverlayApplied] === 'true',
        ...(nodeClass.spec.context === undefined || isRelaxed ? {} : { context: nodeClass.spec.context }),
        ...(first.group.reservation === undefined ? {} : { reservation: first.group.reservation }),
      })
      const context: LaunchContext = {
        capacityType,
        tenancy: launch.tenancy,
        partition: launch.partition,
        group: this.#parts.groups.known(nodeClass.spec.placementGroupSelector),
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
      const who = { uid: claim.metadata.uid ?? '', name: claim.metadata.name }
      const answer = await this.#send({ claim: who, input, context }, signal)
      if (answer.instance === undefined) throw fleetErrorOf(answer.errors)
      const launched = await this.#launched(claim, nodeClass, answer, signal)
      used = launched.instance.subnetId
      return launched
    } finally {
      this.#parts.subnets.settle(choice, new Set(used === undefined ? [] : [used]))
    }
  }

  async #send(request: FleetRequest, signal: AbortSignal): Promise<FleetResult> {
    try {
      return await this.#fleets.launch(request, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!isLaunchTemplateMissing(awsFailureOf(error))) throw error
      throw new TemplateGoneError([...new Set(request.context.asked.map(({ template }) => template.name))], {
        cause: error,
      })
    }
  }

  /**
   * The instance as the answer describes it; EC2 might not show it to us yet. Only what the answer leaves open is asked
   * for, and until it is known the answer is kept.
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
      (await this.#parts.instances.get(answer.instance?.id ?? '', 'cloud', signal))
    const type = context.candidates.find(({ name }) => name === instance.type)
    if (type === undefined)
      throw new CreateError(
        'LaunchFailed',
        `EC2 launched an instance of type ${instance.type || 'unknown'}, which was not asked for`,
      )
    this.#fleets.taken(claim.metadata.uid ?? '')
    if (instance.reservation !== undefined) this.#parts.reservations.launched(instance.reservation.id)
    return { type, instance }
  }

  /** The instance, if the answer tells of which override it is. */
  #described(claim: NodeClaim, nodeClass: EC2NodeClass, { instance, context }: FleetResult): AwsInstance | undefined {
    if (instance === undefined) return undefined
    const [made, ...others] = offeringsOf(instance, context.asked)
    if (made === undefined || others.length > 0) return undefined
    const { group, partition, tenancy, capacityType } = context
    return {
      id: instance.id,
      type: made.instanceType,
      zone: made.zone,
      imageId: placeOf(instance).imageId ?? made.imageId,
      capacityType,
      isEnding: false,
      isGone: false,
      tags: this.#parts.maker.tags({ claim, nodeClass }),
      tenancy,
      efaCount: made.efaCount,
      launchedAt: this.#parts.clock.now(),
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
    this.#parts.log.info(
      'launching on demand with few instance types to choose from; with more of them spot is likelier',
      {
        NodeClaim: { name: claim.metadata.name },
        'instance-types': candidates.map(({ name }) => name),
      },
    )
  }
}
