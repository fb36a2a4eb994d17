import type { FleetLaunchTemplateOverridesRequest, RunInstancesCommandInput } from '@aws-sdk/client-ec2'
import { awsLabels, capacityTypes, type EC2NodeClass, karpenterKinds, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { admitsValue, NodeClassNotReadyError } from '@kerf/provider-contract'
import { ec2Tags } from '../../api/aws-api.ts'
import type { AwsParts } from '../../aws-parts.ts'
import { awsErrors } from '../../failures/aws-errors.ts'
import { awsFailureOf, isInstanceProfileMissing, isUserDataTooLarge } from '../../failures/aws-failure.ts'
import { launchFailureOf } from '../../failures/launch-failure.ts'
import { createErrorOf } from '../../launch/launcher.ts'
import { templateGroups } from '../../launch/template-groups.ts'
import { UserDataError } from '../../user-data/user-data-error.ts'
import { isLinked, trialTypes } from './trial-types.ts'

/** What trying a launch out came to. */
export type TrialResult =
  | { readonly kind: 'passed' }
  /** Something is wrong that stays wrong until somebody mends it. */
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string; readonly isKept: boolean }
  /** It cannot be told now. */
  | { readonly kind: 'again' }

const PHRASES = {
  CreateLaunchTemplateAuthCheckFailed: 'launch templates cannot be made',
  CreateFleetAuthCheckFailed: 'fleets cannot be launched',
  RunInstancesAuthCheckFailed: 'instances cannot be launched',
} as const
type TrialReason = keyof typeof PHRASES

/** Types that are tried in one go. Each costs a launch template, and their calls share EC2's buckets with launches. */
const MOST_TYPES = 5

/** A failed probe as its result; what is none of the known refusals is thrown. */
const resultOf = (error: unknown, reason: TrialReason): TrialResult => {
  const failure = awsFailureOf(error)
  if (failure.class === 'dry-run-succeeded') return { kind: 'passed' }
  if (failure.class === 'rate-limited' || failure.class === 'server' || failure.class === 'no-endpoint')
    return { kind: 'again' }
  if (isUserDataTooLarge(failure)) {
    const { reason: limit, message } = launchFailureOf(`${failure.code}: ${failure.message}`)
    return { kind: 'refused', reason: limit, message, isKept: true }
  }
  if (failure.class === 'unauthorized') {
    const { message } = launchFailureOf(`UnauthorizedOperation: ${failure.message}`)
    return { kind: 'refused', reason, message: `${PHRASES[reason]}: ${message}`, isKept: true }
  }
  throw createErrorOf(error)
}

const tenancyOf = (pools: readonly NodePool[]): 'default' | 'dedicated' => {
  const asksForDedicated = pools.some(({ spec }) =>
    (spec.template.spec.requirements ?? []).some(
      (each) => each.key === awsLabels.tenancy && each.operator === 'In' && admitsValue(each, 'dedicated'),
    ),
  )
  return asksForDedicated ? 'dedicated' : 'default'
}

/** A claim as a launch for the class would have it, of no pool. */
const trialClaim = (nodeClass: EC2NodeClass): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: '', labels: {} },
  spec: {
    nodeClassRef: {
      group: karpenterKinds.EC2NodeClass.group,
      kind: 'EC2NodeClass',
      name: nodeClass.metadata.name,
    },
    requirements: [],
  },
})

/** Whether the refusal is of the type that was tried, and says nothing of any other. */
const isOfType = (error: unknown, type: string): boolean => {
  const { message } = awsFailureOf(error)
  return message.includes(type) || /\b(specified|requested) instance type\b/i.test(message)
}

/** The network interfaces in a subnet: those of the class, else one. */
const interfacesIn = (subnet: string, { spec }: EC2NodeClass): RunInstancesCommandInput['NetworkInterfaces'] =>
  spec.networkInterfaces === undefined || spec.networkInterfaces.length === 0
    ? [{ DeviceIndex: 0, SubnetId: subnet }]
    : spec.networkInterfaces.map(({ networkCardIndex, deviceIndex, interfaceType }) => ({
        NetworkCardIndex: networkCardIndex,
        DeviceIndex: deviceIndex,
        InterfaceType: interfaceType,
        SubnetId: subnet,
      }))

/** A trial that EC2 refused for the type it was made with; `result` is what to tell when no other is left. */
interface TypeRefusal {
  readonly result: () => TrialResult
}

const tryType = async (
  type: InstanceType,
  nodeClass: EC2NodeClass,
  pools: readonly NodePool[],
  parts: AwsParts,
  signal: AbortSignal,
): Promise<TrialResult | TypeRefusal> => {
  const { maker, options } = parts
  const { ec2 } = options.api
  const claim = trialClaim(nodeClass)
  const launch = {
    claim,
    nodeClass,
    capacityType: capacityTypes.onDemand,
    tenancy: tenancyOf(pools),
    partition: undefined,
  } as const
  const [group] = templateGroups([type], nodeClass, claim, capacityTypes.onDemand)
  if (group === undefined) return { kind: 'again' }
  const tags = ec2Tags(maker.tags(launch))
  const subnets = nodeClass.status?.subnets ?? []
  const refusal = (error: unknown, reason: TrialReason): TrialResult | TypeRefusal => {
    const result = () => resultOf(error, reason)
    return isOfType(error, type.name) ? { result } : result()
  }

  let template: string
  try {
    template = (await maker.ensure(group, launch, signal)).name
  } catch (error) {
    // What is wrong with the class itself is for the caller to word.
    if (error instanceof UserDataError || error instanceof NodeClassNotReadyError || awsErrors.NoEndpoint.is(error))
      throw error
    return resultOf(error, 'CreateLaunchTemplateAuthCheckFailed')
  }

  const instanceType = type.name as NonNullable<FleetLaunchTemplateOverridesRequest['InstanceType']>
  const LaunchTemplateSpecification = { LaunchTemplateName: template, Version: '$Latest' }
  try {
    await ec2.createFleet(
      {
        DryRun: true,
        Type: 'instant',
        LaunchTemplateConfigs: [
          {
            LaunchTemplateSpecification,
            Overrides: subnets.map(({ id, zone }) => ({
              InstanceType: instanceType,
              SubnetId: id,
              AvailabilityZone: zone,
              ImageId: group.image.id,
            })),
          },
        ],
        TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'on-demand' },
        TagSpecifications: (['instance', 'volume', 'fleet'] as const).map((ResourceType) => ({
          ResourceType,
          Tags: tags,
        })),
        OnDemandOptions: { AllocationStrategy: 'lowest-price' },
      },
      signal,
    )
  } catch (error) {
    if (awsFailureOf(error).class !== 'dry-run-succeeded') return refusal(error, 'CreateFleetAuthCheckFailed')
  }

  const run = (subnet: string): RunInstancesCommandInput => ({
    MinCount: 1,
    MaxCount: 1,
    LaunchTemplate: LaunchTemplateSpecification,
    InstanceType: instanceType,
    NetworkInterfaces: interfacesIn(subnet, nodeClass),
    TagSpecifications: (['instance', 'volume', 'network-interface'] as const).map((ResourceType) => ({
      ResourceType,
      Tags: tags,
    })),
  })
  const failures: unknown[] = []
  for (const { id } of subnets) {
    try {
      await ec2.tryRunInstances(run(id), signal)
      return { kind: 'passed' }
    } catch (error) {
      signal.throwIfAborted()
      if (awsFailureOf(error).class === 'dry-run-succeeded') return { kind: 'passed' }
      failures.push(error)
    }
  }
  const [first] = failures
  if (first === undefined) return { kind: 'again' }
  if (isInstanceProfileMissing(awsFailureOf(first))) {
    const { instanceProfile: given } = nodeClass.spec
    // A profile that was just made takes a moment until EC2 knows it.
    if (given === undefined) return { kind: 'again' }
    const message = `EC2 does not know the instance profile ${given}; create it, or correct spec.instanceProfile`
    return { kind: 'refused', reason: 'InstanceProfileNotFound', message, isKept: false }
  }
  return refusal(first, 'RunInstancesAuthCheckFailed')
}

/**
 * Tries a launch out without launching, to find missing permissions before pods wait for them
 * (`docs/spec/aws-controllers.md#node-class-status`). The launch template is made for real, because EC2 tells only so;
 * it expires like all of them. A type that EC2 refuses by its name is put into `refused`, and another one is tried;
 * when all are in there, they are all tried again.
 *
 * @throws Error for failures that say nothing of permissions.
 */
export const tryLaunch = async (
  nodeClass: EC2NodeClass,
  parts: AwsParts,
  refused: Set<string>,
  signal: AbortSignal,
): Promise<TrialResult> => {
  const pools = [...parts.context.informers.of(karpenterKinds.NodePool).values()].filter(isLinked(nodeClass))
  const all = await parts.types.resolve(nodeClass, signal)
  const types = trialTypes(all, nodeClass, pools, parts.types.compatibleWith(nodeClass))
  if (types.every(({ name }) => refused.has(name))) refused.clear()
  let last: TypeRefusal | undefined
  for (const type of types.filter(({ name }) => !refused.has(name)).slice(0, MOST_TYPES)) {
    const outcome = await tryType(type, nodeClass, pools, parts, signal)
    if ('kind' in outcome) return outcome
    last = outcome
    refused.add(type.name)
  }
  return last?.result() ?? { kind: 'again' }
}
