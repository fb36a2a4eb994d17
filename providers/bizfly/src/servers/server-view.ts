import { capacityTypes, formatResources, labels, ownValue } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type InstanceView, offeringAllocatable, singleValues } from '@kerf/provider-contract'
import { instanceOwner } from '@kerf/provider-kit'
import type { Server } from '../api/bizfly-api.ts'
import { METADATA, providerId } from '../names.ts'

/** Returns the name of the server's flavor. The vendor's client has two fields for it. */
export const flavorName = ({ flavor_name = '', flavor }: Server): string =>
  flavor_name === '' ? (flavor?.name ?? '') : flavor_name

/** Returns the description of a server. Its capacity is empty while Kerf does not know its type. */
export const serverView = (
  server: Server,
  {
    region,
    type,
    isEnding,
  }: { readonly region: string; readonly type: InstanceType | undefined; readonly isEnding: boolean },
): InstanceView => {
  const metadata = server.metadata ?? {}
  const pool = ownValue(metadata, METADATA.nodePool)
  const image = ownValue(metadata, METADATA.image)
  // A server has the name of its claim, even if Bizfly's own provider launched it.
  const claim = ownValue(metadata, METADATA.nodeClaim) ?? server.name
  return {
    providerID: providerId(server.id),
    ...instanceOwner({ claim, uid: ownValue(metadata, METADATA.nodeClaimUid), pool }),
    labels: {
      ...(type === undefined ? {} : singleValues(type.requirements)),
      ...(pool === undefined ? {} : { [labels.nodePool]: pool }),
      [labels.instanceType]: flavorName(server),
      [labels.region]: region,
      [labels.zone]: server['OS-EXT-AZ:availability_zone'] ?? '',
      [labels.capacityType]: capacityTypes.onDemand,
    },
    annotations: {},
    ...(image === undefined ? {} : { imageID: image }),
    capacity: type === undefined ? {} : formatResources(type.capacity),
    allocatable: type === undefined ? {} : formatResources(offeringAllocatable(type)),
    ...(server.created === undefined ? {} : { createdAt: server.created }),
    ...(isEnding ? { deletionTimestamp: server.created ?? '1970-01-01T00:00:00Z' } : {}),
  }
}
