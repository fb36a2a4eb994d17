import { capacityTypes, type Milliseconds, parseTime } from '@kerf/apis'
import type { Vm } from '../api/compute-shapes.ts'
import { REGIONAL, zoneLabel } from '../instance-type/zones.ts'
import type { Tags } from '../tags/resource-tags.ts'

/** A VM in the node resource group that Kerf created directly or as an AKS machine, with the fields that Kerf needs. */
export interface AzureInstance {
  /** The name of the VM in lower case. */
  readonly id: string
  readonly resourceId: string
  readonly size: string
  /** The zone label of the VM's node. */
  readonly zone: string
  readonly capacityType: 'on-demand' | 'spot'
  readonly imageId: string
  readonly tags: Tags
  readonly identities: readonly string[]
  readonly isEnding: boolean
  /** Whether Azure accepted the request for the VM but then failed to create it. */
  readonly hasFailed: boolean
  readonly createdAt?: Milliseconds
}

/**
 * Returns the ID with a lower-case last segment. VM names are Kubernetes names in lower case, but Resource Graph changes the case
 * of the last segment.
 */
const lowerLast = (id: string): string => {
  const at = id.lastIndexOf('/') + 1
  return `${id.slice(0, at)}${id.slice(at).toLowerCase()}`
}

/** Converts a VM, or a row of Resource Graph, which has the same format. */
export const toAzureInstance = (vm: Vm, location: string): AzureInstance => {
  const { id = '', name = '', zones = [], tags = {}, identity, properties = {} } = vm
  const [zone] = zones
  const { imageReference } = properties.storageProfile ?? {}
  const createdAt = parseTime(properties.timeCreated)
  return {
    id: name.toLowerCase(),
    resourceId: lowerLast(id),
    size: properties.hardwareProfile?.vmSize ?? '',
    zone: zone === undefined ? REGIONAL : zoneLabel(location, zone),
    capacityType: properties.priority === 'Spot' ? capacityTypes.spot : capacityTypes.onDemand,
    imageId: imageReference?.communityGalleryImageId ?? imageReference?.id ?? '',
    tags,
    identities: Object.keys(identity?.userAssignedIdentities ?? {}),
    isEnding: properties.provisioningState === 'Deleting',
    hasFailed: properties.provisioningState === 'Failed',
    ...(createdAt === undefined ? {} : { createdAt }),
  }
}
