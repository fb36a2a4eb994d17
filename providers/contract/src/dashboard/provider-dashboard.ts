import type { DisplayedKind } from './displayed-kind.ts'

/** What the dashboard shows about a provider, in addition to the columns of its node classes. */
export interface ProviderDashboard {
  /** Node class kinds of the cloud that Kerf does not serve, or of which it serves fewer versions. */
  readonly kinds?: readonly DisplayedKind[]
  /** The label of Nodes and NodeClaims that contains the price per hour in US dollars. */
  readonly priceLabel?: string
}
