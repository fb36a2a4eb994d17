import { hashText } from '@kerf/apis'

const PREFIX = 'aks-'

/** A VM gives its Node the label kubernetes.io/hostname, and Azure takes 64 characters. */
const LONGEST_VM_NAME = 63
const LONGEST_MACHINE_NAME = 34
const HASH_LENGTH = 6
/** The end of a NodeClaim's name that tells it from others of its pool: a dash and five random characters. */
const SUFFIX_LENGTH = 6

/** The last digits of a hash, in base 36. */
export const shortHash = (text: string): string =>
  (hashText(text) % 36n ** BigInt(HASH_LENGTH)).toString(36).padStart(HASH_LENGTH, '0')

/** The name in at most `length` characters. Of a longer one the end of the pool's part becomes a hash. */
const shortened = (name: string, length: number): string => {
  if (name.length <= length) return name
  const dash = name.lastIndexOf('-')
  const end = name.length - dash <= SUFFIX_LENGTH ? dash : name.length - SUFFIX_LENGTH + 1
  const kept = length - (name.length - end) - HASH_LENGTH
  return `${name.slice(0, kept)}${shortHash(name.slice(kept, end))}${name.slice(end)}`
}

/** What the VM of a NodeClaim, its network interface and its disk are called (`docs/spec/azure.md#names-and-ids`). */
export const vmNameOf = (claimName: string): string => shortened(`${PREFIX}${claimName}`, LONGEST_VM_NAME)

/** The NodeClaim of a VM; undefined for a VM that no NodeClaim has, and for a name that may have been shortened. */
export const claimNameOf = (vmName: string): string | undefined =>
  vmName.startsWith(PREFIX) && vmName.length < LONGEST_VM_NAME ? vmName.slice(PREFIX.length) : undefined

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

/** What the machine of a NodeClaim is called in a pool of AKS. */
export const nameInAksPool = (claimName: string): string => shortened(claimName, LONGEST_MACHINE_NAME)
