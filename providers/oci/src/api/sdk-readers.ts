import type { models } from 'oci-core'
import type {
  OciBootVolume,
  OciCapacityReservation,
  OciImage,
  OciInstance,
  OciShapeConfig,
  OciSubnet,
  ReservationConfig,
  Tagged,
} from './oci-shapes.ts'

/** Removes fields without a value, because the SDK leaves them in its objects. */
const present = <T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined | null> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined | null>
  }

const isoTime = (time: Date): string => new Date(time).toISOString()

const tagsIn = ({
  freeformTags,
  definedTags,
}: {
  freeformTags?: Tagged['freeformTags']
  definedTags?: Tagged['definedTags']
}): Tagged => ({
  freeformTags: freeformTags ?? {},
  definedTags: definedTags ?? {},
})

const shapeConfigIn = (config: models.InstanceShapeConfig | undefined): OciShapeConfig =>
  present({
    ocpus: config?.ocpus,
    memoryInGBs: config?.memoryInGBs,
    baselineOcpuUtilization: config?.baselineOcpuUtilization as string | undefined,
  })

/** Returns the image of an instance. An instance that was started from a boot volume has no image. */
const imageIn = ({ sourceDetails, imageId }: models.Instance): string | undefined =>
  sourceDetails !== undefined && 'imageId' in sourceDetails ? sourceDetails.imageId : imageId

export const readInstance = (instance: models.Instance): OciInstance => ({
  id: instance.id,
  displayName: instance.displayName ?? '',
  availabilityDomain: instance.availabilityDomain,
  compartmentId: instance.compartmentId,
  shape: instance.shape,
  shapeConfig: shapeConfigIn(instance.shapeConfig),
  lifecycleState: instance.lifecycleState,
  timeCreated: isoTime(instance.timeCreated),
  isPreemptible: instance.preemptibleInstanceConfig !== undefined && instance.preemptibleInstanceConfig !== null,
  launchOptions: present({ ...instance.launchOptions }),
  ...tagsIn(instance),
  ...present({
    faultDomain: instance.faultDomain,
    imageId: imageIn(instance),
    capacityReservationId: instance.capacityReservationId,
    clusterPlacementGroupId: instance.clusterPlacementGroupId,
  }),
})

export const readImage = (image: models.Image): OciImage => ({
  id: image.id,
  displayName: image.displayName ?? '',
  compartmentId: image.compartmentId ?? '',
  operatingSystem: image.operatingSystem,
  operatingSystemVersion: image.operatingSystemVersion,
  lifecycleState: image.lifecycleState,
  timeCreated: isoTime(image.timeCreated),
  ...tagsIn(image),
  ...present({ baseImageId: image.baseImageId }),
})

export const readSubnet = (subnet: models.Subnet): OciSubnet => {
  const blocks = subnet.ipv4CidrBlocks ?? []
  return {
    id: subnet.id,
    displayName: subnet.displayName ?? '',
    compartmentId: subnet.compartmentId,
    vcnId: subnet.vcnId,
    cidrBlocks: blocks.length > 0 ? blocks : [subnet.cidrBlock ?? []].flat(),
    lifecycleState: subnet.lifecycleState,
    ...tagsIn(subnet),
    ...present({ availabilityDomain: subnet.availabilityDomain }),
  }
}

export const readBootVolume = (volume: models.BootVolume): OciBootVolume => ({
  id: volume.id,
  ...present({ sizeInGBs: volume.sizeInGBs, vpusPerGB: volume.vpusPerGB, kmsKeyId: volume.kmsKeyId }),
})

const readConfig = (config: models.InstanceReservationConfig): ReservationConfig => ({
  shape: config.instanceShape,
  reserved: Number(config.reservedCount),
  used: Number(config.usedCount),
  ...present({
    faultDomain: config.faultDomain,
    ocpus: config.instanceShapeConfig?.ocpus,
    memoryInGBs: config.instanceShapeConfig?.memoryInGBs,
  }),
})

/** Converts a reservation, or an entry of a list of reservations. List entries have no configurations. */
export const readReservation = (
  reservation: models.ComputeCapacityReservation | models.ComputeCapacityReservationSummary,
): OciCapacityReservation => ({
  id: reservation.id,
  displayName: reservation.displayName ?? '',
  compartmentId: reservation.compartmentId ?? '',
  availabilityDomain: reservation.availabilityDomain ?? '',
  lifecycleState: reservation.lifecycleState ?? '',
  configs:
    'instanceReservationConfigs' in reservation ? (reservation.instanceReservationConfigs ?? []).map(readConfig) : [],
  ...tagsIn(reservation),
})

export { present, tagsIn }
