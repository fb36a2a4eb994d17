import type { FleetLaunchTemplateOverridesRequest } from '@aws-sdk/client-ec2'
import { type CapacityType, capacityTypes, labels, type NodeClaim, ownValue } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'
import { singleValue, usableOfferings } from '@kerf/provider-contract'
import { type FoundImage, imageFor, nodeClassImages } from '../discovery/images.ts'
import type { SubnetChoice } from '../discovery/subnets.ts'
import { awsLabels } from '../label-names.ts'
import { awsResources } from '../labels.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { admits, offeringCapacityType } from './launch-candidates.ts'
import type { LaunchReservation } from './template-data.ts'

/** Instance types that share a launch template. */
export interface TemplateGroup {
  readonly image: FoundImage
  /** The maximum number of pods on a node. */
  readonly pods: number
  readonly efaCount: number
  readonly reservation: LaunchReservation | undefined
  readonly types: readonly InstanceType[]
}

const instanceTypeAmount = ({ capacity }: InstanceType, resource: string): number =>
  Number((ownValue(capacity, resource) ?? 0n) / 1_000_000_000n)

const offeringReservation = ({ requirements }: Offering): LaunchReservation | undefined => {
  const id = singleValue(requirements, awsLabels.capacityReservationId)
  if (id === undefined) return undefined
  return {
    id,
    type:
      singleValue(requirements, awsLabels.capacityReservationType) === 'capacity-block' ? 'capacity-block' : 'default',
    interruptible: singleValue(requirements, awsLabels.capacityReservationInterruptible) === 'true',
  }
}

/** Returns the reservations that the instance type may use. For a launch without reservations, the list has a single entry, `undefined`. */
const typeReservations = (
  type: InstanceType,
  claim: NodeClaim,
  capacityType: CapacityType,
): readonly (LaunchReservation | undefined)[] => {
  if (capacityType !== capacityTypes.reserved) return [undefined]
  const found = usableOfferings(type, claim.spec.requirements).flatMap(
    (offering) => offeringReservation(offering) ?? [],
  )
  return [...new Map(found.map((reservation) => [reservation.id, reservation])).values()]
}

/** Returns the number of EFA interfaces. It is zero unless the NodeClaim requests them or the node class lists its interfaces. */
const typeEfaCount = (type: InstanceType, claim: NodeClaim, { spec }: EC2NodeClass): number => {
  const isAsked = claim.spec.resources?.requests?.[awsResources.efa] !== undefined
  const isConfigured = (spec.networkInterfaces ?? []).length > 0
  return isAsked || isConfigured ? instanceTypeAmount(type, awsResources.efa) : 0
}

/**
 * Groups instance types by the properties in which their templates differ (`providers/aws/docs/spec/aws.md#launch-templates`). Types
 * without an image are left out.
 */
export const templateGroups = (
  types: readonly InstanceType[],
  nodeClass: EC2NodeClass,
  claim: NodeClaim,
  capacityType: CapacityType,
): readonly TemplateGroup[] => {
  const images = nodeClassImages(nodeClass)
  const members = types.flatMap((type) => {
    const image = imageFor(type, images)
    if (image === undefined) return []
    const common = {
      image,
      pods: instanceTypeAmount(type, 'pods'),
      efaCount: typeEfaCount(type, claim, nodeClass),
      type,
    }
    return typeReservations(type, claim, capacityType).map((reservation) => ({ ...common, reservation }))
  })
  const groups = Map.groupBy(members, ({ image, pods, efaCount, reservation }) =>
    JSON.stringify([image.id, pods, efaCount, reservation]),
  )
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { type: _, ...common } = first
    return [{ ...common, types: group.map(({ type }) => type) }]
  })
}

/** Returns the partition for the launch: the first one, in string order, that the NodeClaim allows. Undefined without partitions. */
export const partitionFor = (claim: NodeClaim, types: readonly InstanceType[]): string | undefined => {
  const key = awsLabels.placementGroupPartition
  const values = types.flatMap(({ requirements }) => requirements.find((each) => each.key === key)?.values ?? [])
  return [...new Set(values)].sort().find((value) => admits(claim.spec.requirements, key, value))
}

/** Returns an override for each type of the group in each zone where it is available and has a subnet. */
export const fleetOverrides = (
  { types, image, reservation }: TemplateGroup,
  claim: NodeClaim,
  launch: {
    readonly capacityType: CapacityType
    readonly choice: SubnetChoice
    readonly partition: string | undefined
  },
): readonly FleetLaunchTemplateOverridesRequest[] =>
  types.flatMap((type) => {
    const seen = new Set<string>()
    return usableOfferings(type, claim.spec.requirements).flatMap((offering) => {
      const zone = singleValue(offering.requirements, labels.zone) ?? ''
      const subnet = launch.choice.byZone.get(zone)
      const partition = singleValue(offering.requirements, awsLabels.placementGroupPartition)
      if (subnet === undefined || seen.has(zone) || offeringCapacityType(offering) !== launch.capacityType) return []
      if (offeringReservation(offering)?.id !== reservation?.id || partition !== launch.partition) return []
      seen.add(zone)
      return [
        {
          // The SDK's type lists only the instance types that existed when it was released. EC2 offers newer ones.
          InstanceType: type.name as NonNullable<FleetLaunchTemplateOverridesRequest['InstanceType']>,
          SubnetId: subnet.id,
          ImageId: image.id,
          AvailabilityZone: zone,
          Priority: offering.price,
        },
      ]
    })
  })
