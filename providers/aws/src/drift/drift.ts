import { capacityTypes, isConditionTrue, labels, type NodeClaim } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { isStaticallyDrifted } from '@kerf/provider-kit'
import type { AwsDeps } from '../aws-deps.ts'
import { imageFor, nodeClassImages } from '../discovery/images.ts'
import { awsErrors } from '../failures/aws-errors.ts'
import type { AwsInstance } from '../instances/aws-instance.ts'
import { claimInstanceId } from '../instances/provider-id.ts'
import { awsLabels } from '../label-names.ts'
import { nodeClassHashAnnotations } from '../labels.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'

type DriftDeps = Pick<AwsDeps, 'types' | 'instances' | 'groups' | 'options'>

/** Returns true if the node class selects a newer image for the NodeClaim's instance type. */
const hasOtherImage = async (
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
  deps: DriftDeps,
  signal: AbortSignal,
): Promise<boolean> => {
  const name = claim.metadata.name
  const typeName = claim.metadata.labels?.[labels.instanceType]
  if (typeName === undefined)
    throw awsErrors.InstanceTypeNotOffered({ problem: `nodeclaim ${name} has no instance type label` })
  const images = nodeClassImages(nodeClass)
  const className = nodeClass.metadata.name
  if (images.length === 0) throw new NotKnownYetError(`EC2NodeClass ${className} has no images yet`)
  const current = claim.status?.imageID ?? ''
  if (current === '') throw new NotKnownYetError(`nodeclaim ${name} has no image in its status yet`)
  const type = (await deps.types.resolve(nodeClass, signal)).find((each) => each.name === typeName)
  if (type === undefined) {
    const problem = `EC2 does not offer the instance type ${typeName} of nodeclaim ${name}`
    throw awsErrors.InstanceTypeNotOffered({ problem })
  }
  const image = imageFor(type, images)
  if (image === undefined)
    throw new NotKnownYetError(`EC2NodeClass ${className} has no image for the instance type ${typeName}`)
  return image.id !== current
}

/**
 * An instance with all fields that drift compares. A cached launch may lack some of them, and so may EC2's response for an instance that is
 * starting or terminating.
 */
type WholeInstance = AwsInstance & Required<Pick<AwsInstance, 'subnetId'>>

const isWhole = (instance: AwsInstance): instance is WholeInstance =>
  instance.subnetId !== undefined && instance.securityGroupIds.length > 0

/** Returns the instance with every field that drift compares. Fields that are not cached are read from EC2. */
const wholeInstance = async (id: string, { instances }: DriftDeps, signal: AbortSignal): Promise<WholeInstance> => {
  const remembered = await instances.get(id, 'memory', signal)
  if (isWhole(remembered)) return remembered
  const current = await instances.get(id, 'cloud', signal)
  if (isWhole(current)) return current
  throw new NotKnownYetError(`EC2 did not return the subnet and the security groups of instance ${id}`)
}

const hasOtherGroups = (instance: WholeInstance, { metadata, status }: EC2NodeClass): boolean => {
  const wanted = new Set((status?.securityGroups ?? []).map(({ id }) => id))
  if (wanted.size === 0) throw new NotKnownYetError(`EC2NodeClass ${metadata.name} has no security groups yet`)
  const actual = new Set(instance.securityGroupIds)
  return actual.size !== wanted.size || [...actual].some((id) => !wanted.has(id))
}

const isElsewhere = ({ subnetId }: WholeInstance, { metadata, status }: EC2NodeClass): boolean => {
  const subnets = status?.subnets ?? []
  if (subnets.length === 0) throw new NotKnownYetError(`EC2NodeClass ${metadata.name} has no subnets yet`)
  return !subnets.some(({ id }) => id === subnetId)
}

/**
 * Returns true if the instance is in a reservation that the node class does not select. An instance whose reservation has ended keeps
 * running as on-demand, which is not drift. Therefore the function reads the instance from EC2 again before it returns true.
 */
const isInOtherReservation = async (
  instance: AwsInstance,
  nodeClass: EC2NodeClass,
  { instances, options }: DriftDeps,
  signal: AbortSignal,
): Promise<boolean> => {
  if (!options.reservedCapacity || instance.capacityType !== capacityTypes.reserved) return false
  const { metadata, status } = nodeClass
  // Without this condition, an empty list of reservations may mean that the node class has not been resolved yet.
  if (!isConditionTrue(nodeClass, 'CapacityReservationsReady'))
    throw new NotKnownYetError(`the capacity reservations of EC2NodeClass ${metadata.name} are not known yet`)
  const selected = new Set((status?.capacityReservations ?? []).map(({ id }) => id))
  const isOther = ({ capacityType, reservation }: AwsInstance): boolean =>
    capacityType === capacityTypes.reserved && reservation !== undefined && !selected.has(reservation.id)
  return isOther(instance) && isOther(await instances.get(instance.id, 'cloud', signal))
}

/**
 * Returns true if the instance is not in the placement group that the node class selects. If the class's group is unknown, reads it from
 * EC2, because the class controller may not have run since the start.
 */
const isInOtherPlacement = async (
  claim: NodeClaim,
  instance: AwsInstance,
  { spec }: EC2NodeClass,
  { groups }: DriftDeps,
  signal: AbortSignal,
): Promise<boolean> => {
  const group = await groups.need(spec.placementGroupSelector, signal)
  // If the NodeClaim has no label for the group, the instance itself contains the group's id.
  const own = claim.metadata.labels?.[awsLabels.placementGroupId] ?? instance.placement?.groupId ?? ''
  return own !== (group?.id ?? '')
}

/**
 * Returns the drift reason of the claim's instance (`providers/aws/docs/spec/aws-node-class.md#drift-reasons`), or undefined. Unknown values
 * never count as drift.
 *
 * @throws NotKnownYetError while a needed value is unknown, NodeClaimNotFoundError when the instance is gone.
 */
export const driftReason = async (
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
  deps: DriftDeps,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (claim.metadata.deletionTimestamp !== undefined) return undefined
  if (isStaticallyDrifted(nodeClassHashAnnotations, claim.metadata, nodeClass.metadata)) return 'NodeClassDrift'
  if (await hasOtherImage(claim, nodeClass, deps, signal)) return 'AMIDrift'
  const instance = await wholeInstance(claimInstanceId(claim), deps, signal)
  const hasDrifted = {
    SecurityGroupDrift: hasOtherGroups(instance, nodeClass),
    SubnetDrift: isElsewhere(instance, nodeClass),
    CapacityReservationDrift: await isInOtherReservation(instance, nodeClass, deps, signal),
    PlacementGroupDrift: await isInOtherPlacement(claim, instance, nodeClass, deps, signal),
  }
  return Object.entries(hasDrifted).find(([, drifted]) => drifted)?.[0]
}
