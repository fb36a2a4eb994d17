import { formatResources, formatTime, labels, ownValue } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type InstanceView, offeringAllocatable, singleValues } from '@kerf/provider-contract'
import { instanceOwner } from '@kerf/provider-kit'
import { choosePlacementScope } from '../instance-type/zones.ts'
import { azureLabels } from '../label-names.ts'
import { azureAnnotations } from '../names.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import { TAG } from '../tags/resource-tags.ts'
import type { AzureInstance } from './azure-instance.ts'
import { isMachine } from './fleet.ts'
import { azureProviderId, parseClaimName } from './instance-names.ts'

/** Data that completes a VM's view. Without this data, the view has fewer fields. */
export interface ViewContext {
  readonly nodeClass?: AKSNodeClass
  readonly type?: InstanceType
}

const hashAnnotations = (nodeClass: AKSNodeClass | undefined): Readonly<Record<string, string>> => {
  const own = nodeClass?.metadata.annotations ?? {}
  const { nodeClassHash, nodeClassHashVersion } = azureAnnotations
  return Object.fromEntries(
    [nodeClassHash, nodeClassHashVersion].flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])),
  )
}

/** Returns the core's view of a VM (`providers/azure/docs/spec/azure.md#create-a-vm`). */
export const instanceView = (instance: AzureInstance, { nodeClass, type }: ViewContext): InstanceView => {
  const { id, resourceId, size, zone, capacityType, imageId, tags, createdAt, isEnding } = instance
  const pool = ownValue(tags, TAG.nodePool)
  const priority = capacityType === 'spot' ? 'spot' : 'regular'
  return {
    providerID: azureProviderId(resourceId),
    ...instanceOwner({ claim: isMachine(instance) ? instance.machine.claimName : parseClaimName(id), pool }),
    labels: {
      ...singleValues(type?.requirements ?? []),
      [labels.instanceType]: size,
      [labels.zone]: zone,
      [labels.capacityType]: capacityType,
      [azureLabels.placementScope]: choosePlacementScope(zone),
      [azureLabels.scaleSetPriority]: priority,
      [azureLabels.priority]: priority,
      ...(pool === undefined ? {} : { [labels.nodePool]: pool }),
    },
    annotations: {
      ...hashAnnotations(nodeClass),
      ...(isMachine(instance) ? { [azureAnnotations.machineResourceId]: instance.machine.resourceId } : {}),
    },
    ...(imageId === '' ? {} : { imageID: imageId }),
    capacity: type === undefined ? {} : formatResources(type.capacity),
    allocatable: type === undefined ? {} : formatResources(offeringAllocatable(type)),
    ...(createdAt === undefined ? {} : { createdAt: formatTime(createdAt) }),
    // Azure does not return when a VM began to terminate, so this uses the creation time. Readers only check whether the field exists.
    ...(isEnding ? { deletionTimestamp: formatTime(createdAt ?? 0) } : {}),
  }
}
