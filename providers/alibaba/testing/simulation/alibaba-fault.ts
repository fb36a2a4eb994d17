import type { Milliseconds } from '@kerf/apis'

/** The faults that only Alibaba Cloud has. */
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
  /** The keys have expired: every call is refused. */
  | { readonly kind: 'keys-expired'; readonly duration: Milliseconds }
  /** The RAM policy lacks the permission to list instances: lists are empty. */
  | { readonly kind: 'lists-empty'; readonly duration: Milliseconds }
  /** No vSwitch has a free address, and Kerf has not read that yet. */
  | { readonly kind: 'vswitches-full'; readonly duration: Milliseconds }
  /** The account may not use more vCPUs. */
  | { readonly kind: 'quota-zero'; readonly duration: Milliseconds }
  /** Lists omit new instances for this long. */
  | { readonly kind: 'lists-lag'; readonly duration: Milliseconds }
