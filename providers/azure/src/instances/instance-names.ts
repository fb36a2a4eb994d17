import { hashText } from '@kerf/apis'

const PREFIX = 'aks-'

/** The VM name becomes the node label kubernetes.io/hostname, which allows 63 characters. Azure allows 64. */
const LONGEST_VM_NAME = 63
const LONGEST_MACHINE_NAME = 34
const HASH_LENGTH = 6
/** The length of the suffix that distinguishes NodeClaims of a NodePool: a dash and five random characters. */
const SUFFIX_LENGTH = 6

/** Returns the last digits of the text's hash, in base 36. */
export const shortHash = (text: string): string =>
  (hashText(text) % 36n ** BigInt(HASH_LENGTH)).toString(36).padStart(HASH_LENGTH, '0')

/**
 * Returns the name shortened to at most `length` characters. If the name is longer, a hash replaces the end of the NodePool's name in it.
 */
const shortened = (name: string, length: number): string => {
  if (name.length <= length) return name
  const dash = name.lastIndexOf('-')
  const end = name.length - dash <= SUFFIX_LENGTH ? dash : name.length - SUFFIX_LENGTH + 1
  const kept = length - (name.length - end) - HASH_LENGTH
  return `${name.slice(0, kept)}${shortHash(name.slice(kept, end))}${name.slice(end)}`
}

/** Returns the name of a NodeClaim's VM, network interface and disk (`providers/azure/docs/spec/azure.md#names-and-ids`). */
export const claimVmName = (claimName: string): string => shortened(`${PREFIX}${claimName}`, LONGEST_VM_NAME)

/** Returns the name of a VM's NodeClaim. Returns undefined if the VM has no NodeClaim, or if its name may have been shortened. */
export const parseClaimName = (vmName: string): string | undefined =>
  vmName.startsWith(PREFIX) && vmName.length < LONGEST_VM_NAME ? vmName.slice(PREFIX.length) : undefined

const SCHEME = 'azure://'

/** Returns the provider ID in the format of a Node's spec. In this format, the first occurrence of the resource group is in lower case. */
export const azureProviderId = (resourceId: string): string => {
  const group = /\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\//.exec(resourceId)?.[1]
  return `${SCHEME}${group === undefined ? resourceId : resourceId.replace(group, () => group.toLowerCase())}`
}

/** Returns the VM name in a provider ID, or undefined if the ID is not of an Azure VM. */
export const vmNameOfProviderId = (providerId: string): string | undefined =>
  /^azure:\/\/\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/virtualMachines\/([^/]+)$/i.exec(
    providerId,
  )?.[1]

/** Returns the name of a NodeClaim's machine in an AKS pool. */
export const nameInAksPool = (claimName: string): string => shortened(claimName, LONGEST_MACHINE_NAME)
