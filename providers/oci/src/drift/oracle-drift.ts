import type { NodeClaim } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import type { OciInstance } from '../api/oci-shapes.ts'
import type { OciType } from '../instance-types/instance-types.ts'
import { hashAnnotations } from '../names.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import type { AttachedParts } from './attached-parts.ts'

/** The drift reasons of Oracle's provider, with its spelling. */
export type OracleDrift =
  | 'NodeClassStaticFieldDrift'
  | 'CapacityReservationMismatch'
  | 'instanceCompartmentMismatch'
  | 'ocpuMismatch'
  | 'memoryInGbsMismatch'
  | 'cpuBaselineUtilizationMismatch'
  | 'imageMismatch'
  | 'ClusterPlacementGroupMismatch'
  | 'LaunchOptionMismatch'
  | 'PvEncryptionInTransitionMismatch'
  | 'PrimaryVnicMismatch'
  | 'PrimaryVnicNsgIdsMismatch'
  | 'BootVolumeSizeMismatch'
  | 'kmsKeyMismatch'
  | 'VpusPerGbMismatch'

/** Returns whether the hash of a NodeClaim differs from the class's hash. Returns false if the versions of the hashes differ. */
const isStatic = ({ metadata }: NodeClaim, { hash, hashVersion }: ResolvedClass): boolean => {
  const own = metadata.annotations ?? {}
  const names = hashAnnotations.oracle
  const known = ownValue(own, names.hash)
  return known !== undefined && ownValue(own, names.version) === hashVersion && known !== hash
}

const sizeDrift = ({ shape, shapeConfig }: OciInstance, types: readonly OciType[]): OracleDrift | undefined => {
  // If the class no longer offers the shape, Kerf's core reports the drift.
  const sizes = types
    .filter(({ size }) => size.facts.name === shape && size.facts.flexible !== undefined)
    .map(({ size }) => size)
  if (sizes.length === 0) return undefined
  const ofOcpus = sizes.filter(({ ocpus }) => ocpus === shapeConfig.ocpus)
  if (ofOcpus.length === 0) return 'ocpuMismatch'
  const ofMemory = ofOcpus.filter(({ memoryInGBs }) => memoryInGBs === shapeConfig.memoryInGBs)
  if (ofMemory.length === 0) return 'memoryInGbsMismatch'
  const baseline = shapeConfig.baselineOcpuUtilization ?? 'BASELINE_1_1'
  return ofMemory.some((size) => (size.baseline ?? 'BASELINE_1_1') === baseline)
    ? undefined
    : 'cpuBaselineUtilizationMismatch'
}

const instanceDrift = (
  instance: OciInstance,
  nodeClass: ResolvedClass,
  types: readonly OciType[],
  compartmentId: string,
): OracleDrift | undefined => {
  const { capacityReservations, placementGroups, images, launchOptions } = nodeClass
  const { capacityReservationId: reservation, clusterPlacementGroupId: group, imageId } = instance
  if (reservation !== undefined && capacityReservations.every(({ id }) => id !== reservation))
    return 'CapacityReservationMismatch'
  if (instance.compartmentId !== (nodeClass.compartmentId ?? compartmentId)) return 'instanceCompartmentMismatch'
  const size = sizeDrift(instance, types)
  if (size !== undefined) return size
  if (imageId !== undefined && images.every(({ id }) => id !== imageId)) return 'imageMismatch'
  if (placementGroups.length > 0 && placementGroups.every(({ id }) => id !== group))
    return 'ClusterPlacementGroupMismatch'
  const isOther = Object.entries(launchOptions ?? {}).some(
    ([name, value]) => value !== undefined && (ownValue(instance.launchOptions, name) ?? false) !== value,
  )
  return isOther ? 'LaunchOptionMismatch' : undefined
}

const networkDrift = async (
  instance: OciInstance,
  { primaryVnic }: ResolvedClass,
  attached: AttachedParts,
  signal: AbortSignal,
): Promise<OracleDrift | undefined> => {
  const vnic = await attached.primaryVnic(instance, signal)
  if (vnic === undefined) return undefined
  if (primaryVnic.subnets.every(({ id }) => id !== vnic.subnetId)) return 'PrimaryVnicMismatch'
  const { nsgIds } = primaryVnic
  const isSame = nsgIds.length === vnic.nsgIds.length && nsgIds.every((id) => vnic.nsgIds.includes(id))
  // If the class has no security groups, the instance may have any.
  return nsgIds.length === 0 || isSame ? undefined : 'PrimaryVnicNsgIdsMismatch'
}

const volumeDrift = async (
  instance: OciInstance,
  { bootVolume }: ResolvedClass,
  attached: AttachedParts,
  signal: AbortSignal,
): Promise<OracleDrift | undefined> => {
  const { sizeInGBs, vpusPerGB, kmsKeyId, pvEncryptionInTransit } = bootVolume
  const wanted = [sizeInGBs, vpusPerGB, kmsKeyId, pvEncryptionInTransit]
  if (wanted.every((each) => each === undefined)) return undefined
  const attachment = await attached.bootAttachment(instance, signal)
  if (attachment === undefined) return undefined
  if (pvEncryptionInTransit === true && attachment.isPvEncryptionInTransitEnabled !== true)
    return 'PvEncryptionInTransitionMismatch'
  const volume = await attached.bootVolume(attachment, signal)
  if (sizeInGBs !== undefined && (volume.sizeInGBs ?? sizeInGBs) < sizeInGBs) return 'BootVolumeSizeMismatch'
  if (kmsKeyId !== undefined && volume.kmsKeyId !== kmsKeyId) return 'kmsKeyMismatch'
  return vpusPerGB !== undefined && (volume.vpusPerGB ?? vpusPerGB) !== vpusPerGB ? 'VpusPerGbMismatch' : undefined
}

export interface OracleDriftFacts {
  readonly types: readonly OciType[]
  readonly attached: AttachedParts
  /** The compartment of instances whose class specifies none. */
  readonly compartmentId: string
}

/**
 * Returns the reason why an instance no longer matches its OCINodeClass (`providers/oci/docs/spec/oci.md#drift`).
 *
 * @throws NotKnownYetError while the class is not resolved.
 */
export const oracleDrift = async (
  claim: NodeClaim,
  instance: OciInstance,
  nodeClass: ResolvedClass,
  { types, attached, compartmentId }: OracleDriftFacts,
  signal: AbortSignal,
): Promise<OracleDrift | undefined> => {
  if (nodeClass.images.length === 0 || nodeClass.primaryVnic.subnets.length === 0)
    throw new NotKnownYetError(`the image and the subnet of OCINodeClass ${nodeClass.name} are not known yet`)
  if (isStatic(claim, nodeClass)) return 'NodeClassStaticFieldDrift'
  return (
    instanceDrift(instance, nodeClass, types, compartmentId) ??
    (await networkDrift(instance, nodeClass, attached, signal)) ??
    (await volumeDrift(instance, nodeClass, attached, signal))
  )
}
