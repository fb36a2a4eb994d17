import type { Milliseconds } from '@kerf/apis'
import type { OfferingSelector } from '@kerf/sandbox'

/** The faults that are specific to Google Cloud. */
export type GcpFault =
  | {
      readonly kind: 'gcp-call'
      /** The id of the method, for example `compute.instances.insert`. */
      readonly method: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'lost' | 'crash'
    }
  /** The service accepts the inserts, but their operations fail. */
  | {
      readonly kind: 'insert-fails-later'
      readonly code:
        | 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS'
        | 'QUOTA_EXCEEDED'
        | 'IP_SPACE_EXHAUSTED'
        | 'INTERNAL_ERROR'
      readonly selector: OfferingSelector
      readonly duration: Milliseconds
    }
  /** The service rejects tokens that it issued earlier. */
  | { readonly kind: 'tokens-revoked' }
  /** Kerf cannot get a valid token. */
  | { readonly kind: 'identity-gone'; readonly duration: Milliseconds }
  /** Instances take a long time to start, and appear in lists late. */
  | { readonly kind: 'slow'; readonly duration: Milliseconds }
  /** Someone deletes an instance that may not be running yet. */
  | { readonly kind: 'instance-deleted'; readonly pick: number }
