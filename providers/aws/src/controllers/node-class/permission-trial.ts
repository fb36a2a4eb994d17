import type { FleetLaunchTemplateOverridesRequest, RunInstancesCommandInput } from '@aws-sdk/client-ec2'
import { awsLabels, capacityTypes, type EC2NodeClass, karpenterKinds, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { admitsValue, areCompatible, NodeClassNotReadyError } from '@kerf/provider-contract'
import { ec2Tags } from '../../api/aws-api.ts'
import type { AwsParts } from '../../aws-parts.ts'
import { imageFor, imagesOf } from '../../discovery/images.ts'
import { awsErrors } from '../../failures/aws-errors.ts'
import { awsFailureOf, isInstanceProfileMissing, isUserDataTooLarge } from '../../failures/aws-failure.ts'
import { launchFailureOf } from '../../failures/launch-failure.ts'
import { createErrorOf } from '../../launch/launcher.ts'
import { templateGroups } from '../../launch/template-groups.ts'
import { amiFamilyOf } from '../../node-class/ami-family.ts'
import { UserDataError } from '../../user-data/user-data-error.ts'

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

/** Types that most accounts can launch, of both architectures. */
const FALLBACK_TYPES = ['m5.large', 'm6g.large']

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

const isLinked =
  (nodeClass: EC2NodeClass) =>
  ({ spec }: NodePool): boolean => {
    const { group, kind, name } = spec.template.spec.nodeClassRef
    return group === karpenterKinds.EC2NodeClass.group && kind === 'EC2NodeClass' && name === nodeClass.metadata.name
  }

/** The types to try a launch with, the likeliest first. */
const trialTypes = (
  types: readonly InstanceType[],
  nodeClass: EC2NodeClass,
  pools: readonly NodePool[],
): readonly InstanceType[] => {
  const images = imagesOf(nodeClass)
  const started = types.filter((type) => imageFor(type, images) !== undefined)
  const wanted = started.filter((type) =>
    pools.some(({ spec }) => {
      const fixed = Object.entries(spec.template.metadata?.labels ?? {}).map(([key, value]) => ({
        key,
        operator: 'In' as const,
        values: [value],
      }))
      return areCompatible([...(spec.template.spec.requirements ?? []), ...fixed], type.requirements)
    }),
  )
  const isWindows = amiFamilyOf(nodeClass.spec).startsWith('Windows')
  const usual = started.filter(({ name }) => FALLBACK_TYPES.includes(name))
  const chosen = wanted.length > 0 && !isWindows ? wanted : usual.length > 0 ? usual : started
  const plain = chosen.filter(
    ({ requirements }) =>
      ![awsLabels.gpuCount, awsLabels.acceleratorCount].some((key) =>
        requirements.some((each) => each.key === key && each.operator === 'In'),
      ),
  )
  return plain.length > 0 ? plain : chosen
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
      name: nodeClass.metadata.name ?? '',
    },
    requirements: [],
  },
})

/**
 * Tries a launch out without launching, to find missing permissions before pods wait for them (`spec/aws.md` 3.1). The
 * launch template is made for real, because EC2 tells only so; it expires like all of them.
 *
 * @throws Error for failures that say nothing of permissions.
 */
export const tryLaunch = async (
  nodeClass: EC2NodeClass,
  parts: AwsParts,
  signal: AbortSignal,
): Promise<TrialResult> => {
  const { context, maker, options } = parts
  const { ec2 } = options.api
  const pools = [...context.informers.of(karpenterKinds.NodePool).values()].filter(isLinked(nodeClass))
  const types = await parts.types.resolve(nodeClass, signal)
  const [type] = trialTypes(types, nodeClass, pools)
  const claim = trialClaim(nodeClass)
  const launch = {
    claim,
    nodeClass,
    capacityType: capacityTypes.onDemand,
    tenancy: tenancyOf(pools),
    partition: undefined,
  } as const
  const [group] = type === undefined ? [] : templateGroups([type], nodeClass, claim, capacityTypes.onDemand)
  if (type === undefined || group === undefined) return { kind: 'again' }
  const tags = ec2Tags(maker.tags(launch))
  const subnets = nodeClass.status?.subnets ?? []

  let template: string
  try {
    template = await maker.ensure(group, launch, signal)
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
    const result = resultOf(error, 'CreateFleetAuthCheckFailed')
    if (result.kind !== 'passed') return result
  }

  const run = (subnet: string): RunInstancesCommandInput => ({
    MinCount: 1,
    MaxCount: 1,
    LaunchTemplate: LaunchTemplateSpecification,
    InstanceType: instanceType,
    NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: subnet }],
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
  return resultOf(first, 'RunInstancesAuthCheckFailed')
}
