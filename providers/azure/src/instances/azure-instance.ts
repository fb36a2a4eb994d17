import { capacityTypes, type Milliseconds, timeOf } from '@kerf/apis'
import type { Vm } from '../api/compute-shapes.ts'
import { REGIONAL, zoneLabel } from '../instance-type/zones.ts'
import type { Tags } from '../tags/resource-tags.ts'

/** A VM of the node resource group, Kerf's own or a machine's, as far as nodes need it. */
export interface AzureInstance {
  /** The name of the VM, in small letters. */
  readonly id: string
  readonly resourceId: string
  readonly size: string
  /** As the label of its node says it. */
  readonly zone: string
  readonly capacityType: 'on-demand' | 'spot'
  readonly imageId: string
  readonly tags: Tags
  readonly identities: readonly string[]
  readonly isEnding: boolean
  /** Azure accepted it and could not make it. */
  readonly hasFailed: boolean
  readonly createdAt?: Milliseconds
}

/** Names of VMs are of Kubernetes, in small letters; Resource Graph writes the last segment of an ID in any case. */
const lowerLast = (id: string): string => {
  const at = id.lastIndexOf('/') + 1
  return `${id.slice(0, at)}${id.slice(at).toLowerCase()}`
}

/** Reads a VM, or a row of Resource Graph, which has the same form. */
export const azureInstanceOf = (vm: Vm, location: string): AzureInstance => {
  const { id = '', name = '', zones = [], tags = {}, identity, properties = {} } = vm
  const [zone] = zones
  const { imageReference } = properties.storageProfile ?? {}
  const createdAt = timeOf(properties.timeCreated)
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
