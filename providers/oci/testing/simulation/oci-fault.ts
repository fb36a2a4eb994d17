import type { Milliseconds } from '@kerf/apis'

/** The faults that only Oracle Cloud has. */
export type OciFault =
  | {
      readonly kind: 'oci-call'
      /** The name of the operation, for example `LaunchInstance`. */
      readonly operation: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'lost' | 'crash'
    }
  /** The key has expired: every call is refused. */
  | { readonly kind: 'oci-key-expired'; readonly duration: Milliseconds }
  /** A policy is missing: the operation answers 404, as if nothing existed. */
  | { readonly kind: 'oci-denied'; readonly operation: string; readonly duration: Milliseconds }
  /** The subnet has no free address, and Kerf has not read that yet. */
  | { readonly kind: 'oci-subnet-full'; readonly duration: Milliseconds }
  /** The tenancy may not use more OCPUs. */
  | { readonly kind: 'oci-limit'; readonly duration: Milliseconds }
  /** Lists omit new instances for this long. */
  | { readonly kind: 'oci-lists-lag'; readonly duration: Milliseconds }
  /** Oracle Cloud accepts launches in one availability domain, which fail after this long because no host has room. */
  | {
      readonly kind: 'oci-late-shortage'
      readonly availabilityDomain: string
      readonly after: Milliseconds
      readonly duration: Milliseconds
    }
