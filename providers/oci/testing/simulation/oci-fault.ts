import type { Milliseconds } from '@kerf/apis'

/** The faults that are specific to Oracle Cloud. */
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
  /** The key has expired, so Oracle Cloud refuses every call. */
  | { readonly kind: 'oci-key-expired'; readonly duration: Milliseconds }
  /** A policy is missing, so the operation returns 404 as if nothing existed. */
  | { readonly kind: 'oci-denied'; readonly operation: string; readonly duration: Milliseconds }
  /** The subnet has no free address, but Kerf has not noticed yet. */
  | { readonly kind: 'oci-subnet-full'; readonly duration: Milliseconds }
  /** The tenancy cannot use more OCPUs. */
  | { readonly kind: 'oci-limit'; readonly duration: Milliseconds }
  /** Lists omit new instances during this time. */
  | { readonly kind: 'oci-lists-lag'; readonly duration: Milliseconds }
  /** Oracle Cloud accepts launches in one availability domain. They fail after this time, because no host has capacity. */
  | {
      readonly kind: 'oci-late-shortage'
      readonly availabilityDomain: string
      readonly after: Milliseconds
      readonly duration: Milliseconds
    }
  /** Oracle Cloud accepts launches, but places no instance on a host. A launch of this time starts after `startsFor`. */
  | { readonly kind: 'oci-no-hosts'; readonly startsFor: Milliseconds; readonly duration: Milliseconds }
