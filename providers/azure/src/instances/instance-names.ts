import { hashText } from '@kerf/apis'

const PREFIX = 'aks-'

/** What the VM of a NodeClaim, its network interface and its disk are called (`docs/spec/azure.md#names-and-ids`). */
export const vmNameOf = (claimName: string): string => `${PREFIX}${claimName}`

/** The NodeClaim of a VM; undefined for a VM that no NodeClaim has. */
export const claimNameOf = (vmName: string): string | undefined =>
  vmName.startsWith(PREFIX) ? vmName.slice(PREFIX.length) : undefined

const SCHEME = 'azure://'

/** As Nodes name their VM: the name of the resource group in small letters, the first time that it is in the ID. */
export const providerIdOf = (resourceId: string): string => {
  const group = /\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\//.exec(resourceId)?.[1]
  return `${SCHEME}${group === undefined ? resourceId : resourceId.replace(group, () => group.toLowerCase())}`
}

/** The name of the VM that a provider ID is of; undefined for what is no VM of Azure. */
export const vmNameOfProviderId = (providerId: string): string | undefined =>
  /^azure:\/\/\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/virtualMachines\/([^/]+)$/i.exec(
    providerId,
  )?.[1]

const LONGEST_MACHINE_NAME = 34
const HASH_LENGTH = 6

/** The last digits of a hash, in base 36. */
export const shortHash = (text: string): string =>
  (hashText(text) % 36n ** BigInt(HASH_LENGTH)).toString(36).padStart(HASH_LENGTH, '0')

/**
 * What the machine of a NodeClaim is called in a pool of AKS. Of a long name the end of the pool's part becomes a hash.
 *
 * @throws Error for a long name without a dash.
 */
export const nameInAksPool = (claimName: string): string => {
  if (claimName.length <= LONGEST_MACHINE_NAME) return claimName
  const dash = claimName.lastIndexOf('-')
  if (dash < 0)
    throw new Error(`the name of nodeclaim ${claimName} is too long for AKS, and has no dash to cut it before`)
  const suffix = claimName.slice(dash)
  const kept = LONGEST_MACHINE_NAME - suffix.length - HASH_LENGTH
  return `${claimName.slice(0, kept)}${shortHash(claimName.slice(kept, dash))}${suffix}`
}
