import type { ClusterPolicySpec, Milliseconds } from '@kerf/apis'

/** Where the prices of one kind come from, and how old they are. */
export interface PriceSourceStatus {
  /** The most trusted source that has prices: the cloud's name, `last-seen`, `file` or `estimate`. */
  readonly source: string
  /** When the cloud returned the prices, if that is known. */
  readonly readAt?: Milliseconds
  /** The number of instance types that have a price. */
  readonly types: number
}

/** The sources of on-demand and spot prices. */
export type PriceSources = Readonly<Record<'onDemand' | 'spot', PriceSourceStatus>>

/** The free addresses of one subnet. */
export interface SubnetAddresses {
  readonly subnet: string
  readonly zone: string
  /**
   * The number of free addresses in the last reading, minus the addresses that later launches are expected to use. The number is never
   * negative.
   */
  readonly free: number
}

/**
 * Prepaid capacity of the account, in the form of `spec.commitments[].prepaid` of the ClusterPolicy. The share of the cluster is not part of
 * it.
 */
export type AccountCommitment = { readonly name: string } & Omit<
  NonNullable<NonNullable<ClusterPolicySpec['commitments']>[number]['prepaid']>,
  'share'
>
