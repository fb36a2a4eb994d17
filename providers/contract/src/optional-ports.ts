import type { ClusterPolicySpec, Milliseconds } from '@kerf/apis'

/** The source and age of the prices of one capacity type. */
export interface PriceSourceStatus {
  /** The most trusted source with prices: the cloud's name, `last-seen`, `file` or `estimate`. */
  readonly source: string
  /** When the cloud returned the prices. Absent if this is unknown. */
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
  /** The number of free addresses at the last reading, minus the number that later launches are expected to use. Never negative. */
  readonly free: number
}

/**
 * Prepaid capacity of the account, in the form of `spec.commitments[].prepaid` of the ClusterPolicy, but without the share of the cluster.
 */
export type AccountCommitment = { readonly name: string } & Omit<
  NonNullable<NonNullable<ClusterPolicySpec['commitments']>[number]['prepaid']>,
  'share'
>
