import type {
  CreateFleetCommandInput,
  FleetLaunchTemplateOverridesRequest,
  LaunchTemplateSpecification,
  RunInstancesCommandInput,
  Tag,
} from '@aws-sdk/client-ec2'
import { capacityTypes, karpenterKinds, labels, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { admitsValue, NodeClassNotReadyError } from '@kerf/provider-contract'
import { type TrialResult, type TypeRefusal, tryTypes, UserDataError } from '@kerf/provider-kit'
import { ec2Tags } from '../../api/aws-api.ts'
import type { AwsDeps } from '../../aws-deps.ts'
import { awsErrors } from '../../failures/aws-errors.ts'
import { classifyAwsFailure, isInstanceProfileMissing, isUserDataTooLarge } from '../../failures/aws-failure.ts'
import { classifyLaunchFailure, toCreateError } from '../../failures/launch-failure.ts'
import { type PolicyRefusal, parsePolicyRefusal } from '../../failures/policy-refusal.ts'
import { awsLabels } from '../../label-names.ts'
import { admits } from '../../launch/launch-candidates.ts'
import { templateGroups } from '../../launch/template-groups.ts'
import type { TemplateLaunch } from '../../launch/template-maker.ts'
import { type EC2NodeClass, ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import { isLinked, trialTypes } from './trial-types.ts'

const PHRASES = {
  CreateLaunchTemplateAuthCheckFailed: 'launch templates cannot be created',
  CreateFleetAuthCheckFailed: 'fleets cannot be launched',
  RunInstancesAuthCheckFailed: 'instances cannot be launched',
} as const
type TrialReason = keyof typeof PHRASES

/** Returns the trial result for a failed dry run. Rethrows an error that is not a known refusal. */
const errorResult = (error: unknown, reason: TrialReason): TrialResult => {
  const failure = classifyAwsFailure(error)
  if (failure.class === 'dry-run-succeeded') return { kind: 'passed' }
  if (failure.class === 'rate-limited' || failure.class === 'server' || failure.class === 'no-endpoint')
    return { kind: 'again' }
  if (isUserDataTooLarge(failure)) {
    const { reason: limit, message } = classifyLaunchFailure(`${failure.code}: ${failure.message}`)
    return { kind: 'refused', reason: limit, message, isKept: true }
  }
  if (failure.class === 'unauthorized') {
    const { message } = classifyLaunchFailure(`UnauthorizedOperation: ${failure.message}`)
    return { kind: 'refused', reason, message: `${PHRASES[reason]}: ${message}`, isKept: true }
  }
  throw toCreateError(error)
}

const poolTenancy = (pools: readonly NodePool[]): 'default' | 'dedicated' => {
  const asksForDedicated = pools.some(({ spec }) =>
    (spec.template.spec.requirements ?? []).some(
      (each) => each.key === awsLabels.tenancy && each.operator === 'In' && admitsValue(each, 'dedicated'),
    ),
  )
  return asksForDedicated ? 'dedicated' : 'default'
}

const trialClaim = (nodeClass: EC2NodeClass): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: '', labels: {} },
  spec: {
    nodeClassRef: {
      group: ec2NodeClassKind.group,
      kind: 'EC2NodeClass',
      name: nodeClass.metadata.name,
    },
    requirements: [],
  },
})

const deniedBy = (error: unknown): PolicyRefusal | undefined => {
  const { code, message } = classifyAwsFailure(error)
  return parsePolicyRefusal(code, message)
}

/** Returns true if the refusal affects only this instance type. */
const isOfType = (error: unknown, type: string): boolean => {
  const { message } = classifyAwsFailure(error)
  return (
    message.includes(type) || /\b(specified|requested) instance type\b/i.test(message) || deniedBy(error) !== undefined
  )
}

const allowsSpot = (pools: readonly NodePool[]): boolean =>
  pools.some(({ spec }) => admits(spec.template.spec.requirements ?? [], labels.capacityType, capacityTypes.spot))

/** Returns the network interfaces for a launch in a subnet: those of the node class, or a single interface if the class defines none. */
const interfacesIn = (subnet: string, { spec }: EC2NodeClass): RunInstancesCommandInput['NetworkInterfaces'] =>
  spec.networkInterfaces === undefined || spec.networkInterfaces.length === 0
    ? [{ DeviceIndex: 0, SubnetId: subnet }]
    : spec.networkInterfaces.map(({ networkCardIndex, deviceIndex, interfaceType }) => ({
        NetworkCardIndex: networkCardIndex,
        DeviceIndex: deviceIndex,
        InterfaceType: interfaceType,
        SubnetId: subnet,
      }))

/** The parameters of a trial, except the instance type. */
interface TrialOf {
  readonly nodeClass: EC2NodeClass
  readonly pools: readonly NodePool[]
  readonly capacityType: 'on-demand' | 'spot'
}

/** The dry runs for one instance type, on-demand or spot. They try the launch template, then CreateFleet, then RunInstances. */
class TypeTrial {
  readonly #type: InstanceType
  readonly #nodeClass: EC2NodeClass
  readonly #deps: AwsDeps
  readonly #launch: TemplateLaunch
  readonly #tags: Tag[]

  constructor(type: InstanceType, { nodeClass, pools, capacityType }: TrialOf, deps: AwsDeps) {
    this.#type = type
    this.#nodeClass = nodeClass
    this.#deps = deps
    this.#launch = {
      claim: trialClaim(nodeClass),
      nodeClass,
      capacityType,
      tenancy: poolTenancy(pools),
      partition: undefined,
    }
    this.#tags = ec2Tags(deps.maker.tags(this.#launch))
  }

  async run(signal: AbortSignal): Promise<TrialResult | TypeRefusal> {
    const { claim, capacityType } = this.#launch
    const [group] = templateGroups([this.#type], this.#nodeClass, claim, capacityType)
    if (group === undefined) return { kind: 'again' }
    let template: string
    try {
      template = (await this.#deps.maker.ensure(group, this.#launch, signal)).name
    } catch (error) {
      // If the node class itself is the problem, the caller reports it.
      if (error instanceof UserDataError || error instanceof NodeClassNotReadyError || awsErrors.NoEndpoint.is(error))
        throw error
      return errorResult(error, 'CreateLaunchTemplateAuthCheckFailed')
    }
    const LaunchTemplateSpecification = { LaunchTemplateName: template, Version: '$Latest' }
    const refused = await this.#createFleet(LaunchTemplateSpecification, group.image.id, signal)
    return refused ?? this.#runInstances(LaunchTemplateSpecification, signal)
  }

  /**
   * Makes a dry run of CreateFleet. Returns EC2's refusal, or undefined if EC2 allows the call. If a policy denies a subnet, the method
   * tries the remaining subnets, because the fleet needs only one.
   */
  async #createFleet(
    template: LaunchTemplateSpecification,
    imageId: string,
    signal: AbortSignal,
  ): Promise<TrialResult | TypeRefusal | undefined> {
    let subnets = this.#subnets
    for (;;) {
      try {
        await this.#deps.options.api.ec2.createFleet(this.#fleet(template, imageId, subnets), signal)
        return undefined
      } catch (error) {
        if (classifyAwsFailure(error).class === 'dry-run-succeeded') return undefined
        const denied = deniedBy(error)
        const left = subnets.filter(({ id }) => denied?.about !== 'subnet' || id !== denied.subnetId)
        if (left.length === 0 || left.length === subnets.length)
          return this.#refusal(error, 'CreateFleetAuthCheckFailed')
        subnets = left
      }
    }
  }

  /** Makes one dry run of RunInstances per subnet. One success is enough. */
  async #runInstances(template: LaunchTemplateSpecification, signal: AbortSignal): Promise<TrialResult | TypeRefusal> {
    const failures: unknown[] = []
    for (const { id } of this.#subnets) {
      try {
        await this.#deps.options.api.ec2.tryRunInstances(this.#instance(template, id), signal)
        return { kind: 'passed' }
      } catch (error) {
        signal.throwIfAborted()
        if (classifyAwsFailure(error).class === 'dry-run-succeeded') return { kind: 'passed' }
        failures.push(error)
      }
    }
    const [first] = failures
    if (first === undefined) return { kind: 'again' }
    if (!isInstanceProfileMissing(classifyAwsFailure(first))) return this.#refusal(first, 'RunInstancesAuthCheckFailed')
    const { instanceProfile: given } = this.#nodeClass.spec
    // After Kerf creates an instance profile, it takes some time until EC2 accepts the profile.
    if (given === undefined) return { kind: 'again' }
    const message = `the instance profile ${given} does not exist; create it, or correct spec.instanceProfile`
    return { kind: 'refused', reason: 'InstanceProfileNotFound', message, isKept: false }
  }

  get #subnets() {
    return this.#nodeClass.status?.subnets ?? []
  }

  get #isSpot(): boolean {
    return this.#launch.capacityType === capacityTypes.spot
  }

  get #instanceType() {
    return this.#type.name as NonNullable<FleetLaunchTemplateOverridesRequest['InstanceType']>
  }

  #fleet(
    template: LaunchTemplateSpecification,
    imageId: string,
    subnets: readonly { readonly id: string; readonly zone: string }[],
  ): CreateFleetCommandInput {
    return {
      DryRun: true,
      Type: 'instant',
      LaunchTemplateConfigs: [
        {
          LaunchTemplateSpecification: template,
          Overrides: subnets.map(({ id, zone }) => ({
            InstanceType: this.#instanceType,
            SubnetId: id,
            AvailabilityZone: zone,
            ImageId: imageId,
          })),
        },
      ],
      TargetCapacitySpecification: {
        TotalTargetCapacity: 1,
        DefaultTargetCapacityType: this.#isSpot ? 'spot' : 'on-demand',
      },
      TagSpecifications: (['instance', 'volume', 'fleet'] as const).map((ResourceType) => ({
        ResourceType,
        Tags: this.#tags,
      })),
      ...(this.#isSpot
        ? { SpotOptions: { AllocationStrategy: 'price-capacity-optimized' } }
        : { OnDemandOptions: { AllocationStrategy: 'lowest-price' } }),
    }
  }

  #instance(template: LaunchTemplateSpecification, subnet: string): RunInstancesCommandInput {
    return {
      MinCount: 1,
      MaxCount: 1,
      LaunchTemplate: template,
      InstanceType: this.#instanceType,
      NetworkInterfaces: interfacesIn(subnet, this.#nodeClass),
      ...(this.#isSpot ? { InstanceMarketOptions: { MarketType: 'spot' } } : {}),
      TagSpecifications: (['instance', 'volume', 'network-interface'] as const).map((ResourceType) => ({
        ResourceType,
        Tags: this.#tags,
      })),
    }
  }

  #refusal(error: unknown, reason: TrialReason): TrialResult | TypeRefusal {
    if (!isOfType(error, this.#type.name)) return errorResult(error, reason)
    const { code, message } = classifyAwsFailure(error)
    return {
      kind: 'refused-type',
      why: deniedBy(error) === undefined ? `${code}: ${message}` : classifyLaunchFailure(`${code}: ${message}`).message,
      result: (tried) => {
        const result = errorResult(error, reason)
        return result.kind === 'refused'
          ? { ...result, message: `${result.message} (tried ${tried.join(', ')})` }
          : result
      },
    }
  }
}

/** Makes the dry runs for one instance type. If on-demand is denied and a NodePool of the node class allows spot, tries spot as well. */
const tryType = async (
  type: InstanceType,
  of: Omit<TrialOf, 'capacityType'>,
  deps: AwsDeps,
  signal: AbortSignal,
): Promise<TrialResult | TypeRefusal> => {
  const outcome = await new TypeTrial(type, { ...of, capacityType: capacityTypes.onDemand }, deps).run(signal)
  if (outcome.kind !== 'refused-type' || !allowsSpot(of.pools)) return outcome
  const spot = await new TypeTrial(type, { ...of, capacityType: capacityTypes.spot }, deps).run(signal)
  return spot.kind === 'passed' ? spot : outcome
}

/**
 * Tries a launch with dry runs, to find missing permissions before pods depend on the launch
 * (`providers/aws/docs/spec/aws-controllers.md#node-class-status`). It really creates the launch template, because EC2 offers no dry run
 * that checks this permission. The template expires like every other launch template. If EC2 refuses an instance type by name, or if a
 * policy may deny it, the function adds the type to `refused`.
 * @throws Error for failures that are not about permissions.
 */
export const tryLaunch = async (
  nodeClass: EC2NodeClass,
  deps: AwsDeps,
  refused: Map<string, string>,
  signal: AbortSignal,
): Promise<TrialResult> => {
  const pools = [...deps.context.informers.of(karpenterKinds.NodePool).values()].filter(isLinked(nodeClass))
  const all = await deps.types.resolve(nodeClass, signal)
  const types = trialTypes(all, nodeClass, pools, deps.types.compatibleWith(nodeClass))
  return tryTypes(types, refused, (type) => tryType(type, { nodeClass, pools }, deps, signal))
}
