import { capacityTypes, formatResources, labels } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type InstanceView, offeringAllocatable, singleValues } from '@kerf/provider-contract'
import { instanceOwner } from '@kerf/provider-kit'
import { typeFamily } from '../instance-types/type-name.ts'
import { proxmoxLabels } from '../label-names.ts'
import { type GuestId, providerId } from '../names.ts'
import type { GuestDescription } from './guest-description.ts'

/** A virtual machine of this Kubernetes cluster. */
export interface ProxmoxInstance extends GuestId {
  /** The hypervisor. */
  readonly node: string
  readonly name: string | undefined
  readonly status: string
  readonly tags: readonly string[]
  readonly pool: string | undefined
  /** Kerf's data from the description of the guest. Empty while the hypervisor does not respond. */
  readonly description: Partial<GuestDescription>
  /** Whether Kerf is destroying the instance. */
  readonly isEnding: boolean
}

/** Returns the description of an instance. Its capacity is empty while Kerf does not know its type. */
export const describeInstance = (instance: ProxmoxInstance, known: InstanceType | undefined): InstanceView => {
  const { region, node, name, description, isEnding } = instance
  const { nodeClaim = name, nodeClaimUid, nodePool, instanceType, imageId, createdAt } = description
  return {
    providerID: providerId(instance),
    ...instanceOwner({ claim: nodeClaim, uid: nodeClaimUid, pool: nodePool }),
    labels: {
      ...(known === undefined ? {} : singleValues(known.requirements)),
      ...(nodePool === undefined ? {} : { [labels.nodePool]: nodePool }),
      ...(instanceType === undefined
        ? {}
        : { [labels.instanceType]: instanceType, [proxmoxLabels.family]: typeFamily(instanceType) }),
      [labels.region]: region,
      [labels.zone]: node,
      [labels.capacityType]: description.capacityType ?? capacityTypes.onDemand,
      ...(imageId === undefined ? {} : { [proxmoxLabels.imageId]: imageId }),
    },
    annotations: {},
    ...(imageId === undefined ? {} : { imageID: imageId }),
    capacity: known === undefined ? {} : formatResources(known.capacity),
    allocatable: known === undefined ? {} : formatResources(offeringAllocatable(known)),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(isEnding ? { deletionTimestamp: createdAt ?? '1970-01-01T00:00:00Z' } : {}),
  }
}
