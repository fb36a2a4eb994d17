import type { Milliseconds } from '@kerf/apis'

/** The faults that are specific to Alibaba Cloud. */
export type AlibabaFault =
  | {
      readonly kind: 'alibaba-call'
      /** The name of the action, for example `CreateAutoProvisioningGroup`. */
      readonly action: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'lost' | 'crash'
    }
  /** The keys have expired, so the API refuses every call. */
  | { readonly kind: 'keys-expired'; readonly duration: Milliseconds }
  /** The RAM policy lacks the permission to list instances, so lists are empty. */
  | { readonly kind: 'lists-empty'; readonly duration: Milliseconds }
  /** No vSwitch has a free address, but Kerf has not noticed yet. */
  | { readonly kind: 'vswitches-full'; readonly duration: Milliseconds }
  /** The account cannot use more vCPUs. */
  | { readonly kind: 'quota-zero'; readonly duration: Milliseconds }
  /** Lists omit new instances during this time. */
  | { readonly kind: 'lists-lag'; readonly duration: Milliseconds }
