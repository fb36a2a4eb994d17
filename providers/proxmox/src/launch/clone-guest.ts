import { labels, type NodeClaim } from '@kerf/apis'
import { offeringCoordinates } from '@kerf/provider-contract'
import { claimUid } from '@kerf/provider-kit'
import { formatAddresses, type GuestAddresses } from '../addresses/address-pool.ts'
import type { CloneRequest } from '../api/proxmox-api.ts'
import { needsDisk } from '../cloud-init/disk-names.ts'
import { formatDescription, type GuestDescription } from '../guests/guest-description.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import type { Amount } from '../offers/free-capacity.ts'
import type { Place } from '../offers/place.ts'
import { formatCpuSet } from '../topology/cpu-set.ts'
import { formatPinnedNodes, type GuestPins } from '../topology/guest-pins.ts'
import type { PlacedOption } from './launch-order.ts'

const MIB = 1024 ** 2

/** Returns the description of the claim's instance. */
export const describeGuest = (
  claim: NodeClaim,
  nodeClass: ProxmoxNodeClass,
  { option, place }: PlacedOption,
  {
    cluster,
    amount,
    pins,
    addresses,
    createdAt,
  }: {
    readonly cluster: string
    readonly amount: Amount
    readonly pins: GuestPins | undefined
    readonly addresses: GuestAddresses
    readonly createdAt: string
  },
): GuestDescription => ({
  cluster,
  nodeClass: nodeClass.metadata.name,
  nodePool: claim.metadata.labels?.[labels.nodePool] ?? '',
  nodeClaim: claim.metadata.name,
  nodeClaimUid: claimUid(claim),
  instanceType: option.type.name,
  capacityType: offeringCoordinates(option.type, option.offering).capacityType,
  cpus: amount.cpus,
  memoryMiB: Math.floor(amount.memory / MIB),
  affinity: pins && formatCpuSet(pins.cpus),
  numa: pins && formatPinnedNodes(pins.nodes),
  imageId: place.template.imageId,
  diskStorage: needsDisk(nodeClass) ? place.isoStorage : undefined,
  addresses: addresses.size === 0 ? undefined : formatAddresses(addresses),
  createdAt,
})

/**
 * Returns the request that clones a template. A linked clone shares the disk of its template, so it must be on the same storage. If the
 * class specifies another storage, the clone is a full clone.
 */
export const cloneRequest = (
  description: GuestDescription,
  { spec }: Pick<ProxmoxNodeClass, 'spec'>,
  { storage, template }: Pick<Place, 'storage' | 'template'>,
  { vmid, prefersLinked }: { readonly vmid: number; readonly prefersLinked: boolean },
): CloneRequest => {
  const isLinked = prefersLinked && storage === template.bootDisk.storage
  return {
    newid: vmid,
    name: description.nodeClaim,
    description: formatDescription(description),
    full: !isLinked,
    storage: isLinked ? undefined : storage,
    pool: spec?.resourcePool,
  }
}
