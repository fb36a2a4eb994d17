import type { DisplayedKind } from './displayed-kind.ts'

/** What the dashboard shows of a provider, in addition to the columns of its node classes. */
export interface ProviderDashboard {
  /** Kinds of the cloud that Kerf does not serve, or serves in fewer versions. */
  readonly kinds?: readonly DisplayedKind[]
  /** The label in which a Node and a NodeClaim have the price per hour in US dollars. */
  readonly priceLabel?: string
}
