import { capacityTypes, formatResources, labels, ownValue } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type InstanceView, offeringAllocatable, singleValues } from '@kerf/provider-contract'
import { instanceOwner } from '@kerf/provider-kit'
import { alibabaLabels } from '../label-names.ts'
import { providerId, TAG } from '../names.ts'
import type { EcsInstance } from './ecs-instance.ts'

/** Returns the description of an instance. Its capacity is empty while Kerf does not know its instance type. */
export const instanceView = (
  { id, type, zone, isSpot, status, image, tags, createdAt }: EcsInstance,
  region: string,
  known: InstanceType | undefined,
): InstanceView => {
  const pool = ownValue(tags, TAG.nodePool)
  const owner = { claim: ownValue(tags, TAG.nodeClaim), uid: ownValue(tags, TAG.nodeClaimUid), pool }
  const isEnding = status === 'Stopping' || status === 'Stopped'
  return {
    providerID: providerId(region, id),
    ...instanceOwner(owner),
    labels: {
      ...(known === undefined ? {} : singleValues(known.requirements)),
      ...(pool === undefined ? {} : { [labels.nodePool]: pool }),
      [labels.instanceType]: type,
      [labels.region]: region,
      [labels.zone]: zone,
      [alibabaLabels.zoneId]: zone,
      [labels.capacityType]: isSpot ? capacityTypes.spot : capacityTypes.onDemand,
    },
    annotations: {},
    ...(image === undefined ? {} : { imageID: image }),
    capacity: known === undefined ? {} : formatResources(known.capacity),
    allocatable: known === undefined ? {} : formatResources(offeringAllocatable(known)),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(isEnding ? { deletionTimestamp: createdAt ?? '1970-01-01T00:00:00Z' } : {}),
  }
}
