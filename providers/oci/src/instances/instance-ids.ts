const INSTANCE = /^ocid1\.instance\.[a-z0-9.-]+$/

/**
 * Returns the OCID of the instance in a provider ID, or undefined for any other text. The cloud controller writes the OCID without a
 * scheme.
 */
export const instanceIdIn = (providerID: string): string | undefined => {
  const id = providerID.startsWith('oci://') ? providerID.slice('oci://'.length) : providerID
  return INSTANCE.test(id) ? id : undefined
}

/** Returns whether an instance is terminating or terminated. */
export const isEnding = (lifecycleState: string): boolean =>
  lifecycleState === 'TERMINATING' || lifecycleState === 'TERMINATED'
