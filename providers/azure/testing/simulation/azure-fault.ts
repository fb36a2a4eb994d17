import type { Milliseconds } from '@kerf/apis'
import type { OfferingSelector } from '@kerf/sandbox'

/** The groups of Resource Manager requests that share a documented limit. */
export type AzureLimit = 'read' | 'write' | 'delete' | 'graph'

/** The faults that only Azure has. */
export type AzureFault =
  | {
      readonly kind: 'azure-call'
      /** The name of the operation in the public specification, for example `VirtualMachines_CreateOrUpdate`. */
      readonly operation: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'lost' | 'crash'
    }
  /** Azure accepts these VMs, and then fails to create them. */
  | { readonly kind: 'vm-fails-later'; readonly selector: OfferingSelector; readonly duration: Milliseconds }
  /** Azure rejects tokens that it issued earlier. */
  | { readonly kind: 'tokens-revoked' }
  /** Azure issues no token, and rejects tokens that it issued earlier. */
  | { readonly kind: 'identity-gone'; readonly duration: Milliseconds }
  /** Other users of the subscription have used up the request limit. */
  | { readonly kind: 'requests-spent'; readonly limit: AzureLimit; readonly duration: Milliseconds }
  /** The subnet has no free address. */
  | { readonly kind: 'subnet-full'; readonly duration: Milliseconds }
  /** A user deletes a VM, possibly before Azure has created it. */
  | { readonly kind: 'vm-deleted'; readonly pick: number }
