import { awsLabels, capacityTypes, type EC2NodeClass, labels, type NodeClaim } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import type { AwsParts } from '../aws-parts.ts'
import { imageFor, imagesOf } from '../discovery/images.ts'
import type { AwsInstance } from '../instances/aws-instance.ts'
import { parseProviderId } from '../instances/provider-id.ts'
import { isStaticallyDrifted } from '../node-class/static-drift.ts'

type DriftParts = Pick<AwsParts, 'types' | 'instances' | 'groups' | 'options'>

/** Whether a newer image is there for the claim's instance type. */
const hasOtherImage = async (
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
  parts: DriftParts,
  signal: AbortSignal,
): Promise<boolean> => {
  const name = claim.metadata.name ?? ''
  const typeName = claim.metadata.labels?.[labels.instanceType]
  if (typeName === undefined) throw new Error(`nodeclaim ${name} does not say its instance type`)
  const type = (await parts.types.resolve(nodeClass, signal)).find((each) => each.name === typeName)
  if (type === undefined) throw new Error(`EC2 does not offer the instance type ${typeName} of nodeclaim ${name}`)
  const images = imagesOf(nodeClass)
  if (images.length === 0) throw new Error(`EC2NodeClass ${nodeClass.metadata.name ?? ''} has no images`)
  const current = claim.status?.imageID ?? ''
  if (current === '') throw new Error(`nodeclaim ${name} does not say its image`)
  return imageFor(type, images)?.id !== current
}

const hasOtherGroups = (instance: AwsInstance, { metadata, status }: EC2NodeClass): boolean => {
  const wanted = new Set((status?.securityGroups ?? []).map(({ id }) => id))
  if (wanted.size === 0) throw new Error(`EC2NodeClass ${metadata.name ?? ''} has no security groups`)
  const actual = new Set(instance.securityGroupIds)
  return actual.size !== wanted.size || [...actual].some((id) => !wanted.has(id))
}

const isElsewhere = ({ subnetId }: AwsInstance, { metadata, status }: EC2NodeClass): boolean => {
  const subnets = status?.subnets ?? []
  if (subnets.length === 0) throw new Error(`EC2NodeClass ${metadata.name ?? ''} has no subnets`)
  return !subnets.some(({ id }) => id === subnetId)
}

/** An instance whose reservation ended runs on as on demand; that is no drift, so EC2 is asked once more. */
const isInOtherReservation = async (
  instance: AwsInstance,
  { status }: EC2NodeClass,
  { instances, options }: DriftParts,
  signal: AbortSignal,
): Promise<boolean> => {
  if (!options.reservedCapacity) return false
  const selected = new Set((status?.capacityReservations ?? []).map(({ id }) => id))
  const isOther = ({ capacityType, reservation }: AwsInstance): boolean =>
    capacityType === capacityTypes.reserved && reservation !== undefined && !selected.has(reservation.id)
  return isOther(instance) && isOther(await instances.get(instance.id, 'cloud', signal))
}

const isInOtherPlacement = (claim: NodeClaim, { spec }: EC2NodeClass, { groups }: DriftParts): boolean =>
  (claim.metadata.labels?.[awsLabels.placementGroupId] ?? '') !== (groups.known(spec.placementGroupSelector)?.id ?? '')

/**
 * In what the claim's instance differs from its class (`spec/aws.md` 1.10), or nothing.
 *
 * @throws Error when that cannot be told, NodeClaimNotFoundError when the instance is gone.
 */
export const driftReason = async (
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
  parts: DriftParts,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (isStaticallyDrifted(claim.metadata, nodeClass.metadata)) return 'NodeClassDrift'
  if (await hasOtherImage(claim, nodeClass, parts, signal)) return 'AMIDrift'
  const id = parseProviderId(claim.status?.providerID)
  if (id === undefined) throw new NodeClaimNotFoundError(`nodeclaim ${claim.metadata.name} has no instance of EC2`)
  const instance = await parts.instances.get(id.instanceId, 'memory', signal)
  const hasDrifted = {
    SecurityGroupDrift: hasOtherGroups(instance, nodeClass),
    SubnetDrift: isElsewhere(instance, nodeClass),
    CapacityReservationDrift: await isInOtherReservation(instance, nodeClass, parts, signal),
    PlacementGroupDrift: isInOtherPlacement(claim, nodeClass, parts),
  }
  return Object.entries(hasDrifted).find(([, drifted]) => drifted)?.[0]
}
