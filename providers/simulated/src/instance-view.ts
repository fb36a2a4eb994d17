import { formatTime } from '@kerf/apis'
import { oncePerObject } from '@kerf/engine'
import type { InstanceView } from '@kerf/provider-contract'
import { instanceOwner, textAmounts } from '@kerf/provider-kit'
import type { CloudInstance } from '@kerf/sandbox'

/** The tags of an instance. */
export const TAG = { owner: 'kerf', claim: 'nodeclaim', uid: 'nodeclaim-uid', pool: 'nodepool' } as const
/** The tags of every instance of this provider. */
export const OWNED = { [TAG.owner]: 'simulated' }

/** Returns the uid of the NodeClaim that an instance was launched for. */
export const instanceClaimUid = (instance: CloudInstance): string | undefined => instance.tags[TAG.uid]

/** Returns the instance id at the end of a provider ID. */
export const parseInstanceId = (providerID: string | undefined): string =>
  (providerID ?? '').slice((providerID ?? '').lastIndexOf('/') + 1)

/**
 * Returns the core's view of an instance. The view is cached per object, because the cloud lists hundreds of instances repeatedly, and
 * replaces the object of an instance that changes.
 */
export const instanceView = oncePerObject(
  ({ providerID, tags, node, state, launchedAt }: CloudInstance): InstanceView => ({
    providerID,
    ...instanceOwner({ claim: tags[TAG.claim], uid: tags[TAG.uid], pool: tags[TAG.pool] }),
    labels: node.labels,
    annotations: {},
    capacity: textAmounts(node.capacity),
    allocatable: textAmounts(node.allocatable),
    createdAt: formatTime(launchedAt),
    ...(state === 'terminating' ? { deletionTimestamp: formatTime(launchedAt) } : {}),
  }),
)
