import { capacityTypes, formatResources, formatTime, labels } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import { type InstanceView, offeringAllocatable, singleValues } from '@kerf/provider-contract'
import { instanceOwner } from '@kerf/provider-kit'
import { awsLabels, ZONE_ID_LABEL } from '../label-names.ts'
import { awsAnnotations, awsResources, awsTags } from '../labels.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import type { AwsInstance } from './aws-instance.ts'
import { awsProviderId } from './provider-id.ts'

const RESERVATION_LABELS: ReadonlySet<string> = new Set([
  awsLabels.capacityReservationId,
  awsLabels.capacityReservationType,
  awsLabels.capacityReservationInterruptible,
])

/** Removes EFA amounts if the instance has no EFA interfaces. */
const withoutEfa = (amounts: Resources, { efaCount }: AwsInstance): Resources =>
  efaCount > 0 ? amounts : Object.fromEntries(Object.entries(amounts).filter(([name]) => name !== awsResources.efa))

const reservationLabels = ({ reservation }: AwsInstance): Readonly<Record<string, string>> =>
  reservation === undefined
    ? {}
    : {
        [awsLabels.capacityReservationId]: reservation.id,
        [awsLabels.capacityReservationType]: reservation.type,
        [awsLabels.capacityReservationInterruptible]: `${reservation.interruptible}`,
      }

/** Returns the labels that every node of the instance type has. */
const typeLabels = (type: InstanceType | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(singleValues(type?.requirements ?? [])).filter(([key]) => !RESERVATION_LABELS.has(key)),
  )

/** Additional data about the instance. Without it, the view has fewer fields. */
export interface ViewContext {
  readonly nodeClass?: EC2NodeClass
  readonly type?: InstanceType
}

/**
 * Returns the core's view of an instance (`providers/aws/docs/spec/aws.md#labels-of-instance-types`, `providers/aws/docs/spec/aws.md#the-contract-on-aws`).
 */
export const instanceView = (instance: AwsInstance, { nodeClass, type }: ViewContext): InstanceView => {
  const { tags, zone, placement, launchedAt } = instance
  const nodePool = tags[awsTags.nodePool]
  const nodeClassName = tags[awsTags.nodeClass]
  const zoneId = (nodeClass?.status?.subnets ?? []).find((subnet) => subnet.zone === zone)?.zoneID
  return {
    providerID: awsProviderId(zone, instance.id),
    ...instanceOwner({ claim: tags[awsTags.nodeClaim], pool: nodePool }),
    labels: {
      ...typeLabels(type),
      [labels.instanceType]: instance.type,
      [labels.zone]: zone,
      ...(zoneId === undefined ? {} : { [ZONE_ID_LABEL]: zoneId }),
      [labels.capacityType]: instance.capacityType,
      ...(instance.capacityType === capacityTypes.reserved ? reservationLabels(instance) : {}),
      [awsLabels.tenancy]: instance.tenancy,
      ...(placement === undefined ? {} : { [awsLabels.placementGroupId]: placement.groupId }),
      ...(placement?.partition === undefined ? {} : { [awsLabels.placementGroupPartition]: placement.partition }),
      ...(nodePool === undefined || nodePool === '' ? {} : { [labels.nodePool]: nodePool }),
      ...(nodeClassName === undefined ? {} : { [awsLabels.nodeClass]: nodeClassName }),
    },
    annotations: nodeClassAnnotations(nodeClass),
    imageID: instance.imageId,
    capacity: type === undefined ? {} : formatResources(withoutEfa(type.capacity, instance)),
    allocatable: type === undefined ? {} : formatResources(withoutEfa(offeringAllocatable(type), instance)),
    ...(launchedAt === undefined ? {} : { createdAt: formatTime(launchedAt) }),
    // EC2 does not return when an instance began to terminate, so this uses the launch time. Readers only check whether the field exists.
    ...(instance.isEnding ? { deletionTimestamp: formatTime(launchedAt ?? 0) } : {}),
  }
}

const nodeClassAnnotations = (nodeClass: EC2NodeClass | undefined): Readonly<Record<string, string>> => {
  const { nodeClassHash, nodeClassHashVersion, instanceProfileName } = awsAnnotations
  const own = nodeClass?.metadata.annotations ?? {}
  const profile = nodeClass?.status?.instanceProfile ?? ''
  return {
    ...Object.fromEntries(
      [nodeClassHash, nodeClassHashVersion].flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])),
    ),
    ...(profile === '' ? {} : { [instanceProfileName]: profile }),
  }
}
