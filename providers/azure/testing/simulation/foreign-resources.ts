import { type FakeAzure, GROUP, LOCATION, SUBSCRIPTION } from '@kerf/provider-azure/testing'
import { makeProviderId } from './names.ts'

const AN_HOUR = 3_600_000
const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers`

/** Tags of another cluster's Karpenter or Kerf that shares the resource group, in the format of the provider's own tags. */
const OF_ANOTHER = { 'karpenter.azure.com_cluster': 'other', 'karpenter.sh_nodepool': 'open' }

/** VMs of other owners: one of another cluster, one of an AKS agent pool, and one that somebody created by hand. */
const VMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'aks-other-x7k2p': OF_ANOTHER,
  'aks-system-12345678-vmss000000': { 'aks-managed-poolName': 'system' },
  jumpbox: {},
}

/** An interface and a disk without a VM. They belong to another cluster, which will delete them at some point. */
const LOOSE = [
  { type: 'microsoft.network/networkinterfaces', id: `${group}/Microsoft.Network/networkInterfaces/aks-other-b4n8q` },
  { type: 'microsoft.compute/disks', id: `${group}/Microsoft.Compute/disks/aks-other-m9w3r` },
] as const

const nameOf = (id: string): string => id.split('/').at(-1) ?? ''

/** Adds the foreign resources to the resource group. */
export const plantForeignResources = ({ vms, store }: FakeAzure) => {
  for (const [name, tags] of Object.entries(VMS))
    vms.plant(name, { tags, properties: { hardwareProfile: { vmSize: 'Standard_D2_v5' } } }, AN_HOUR)
  for (const { type, id } of LOOSE) {
    const body = { id, name: nameOf(id), location: LOCATION, tags: OF_ANOTHER, properties: {} }
    store.backdate({ type, name: nameOf(id), id, body }, store.now - AN_HOUR)
  }
  return {
    vms: new Set(Object.keys(VMS)),
    providerIds: new Set(Object.keys(VMS).map(makeProviderId)),
    loose: new Set(LOOSE.map(({ id }) => nameOf(id))),
  }
}
