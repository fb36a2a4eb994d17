import type { DisplayedKind } from './displayed-kind.ts'

/** What the dashboard shows about a provider, in addition to the columns of its node classes. */
export interface ProviderDashboard {
  /**
   * The cloud's node class kinds that the dashboard shows although Kerf does not serve them. Also kinds for which the dashboard shows more
   * versions than Kerf serves.
   */
  readonly kinds?: readonly DisplayedKind[]
  /** The label of Nodes and NodeClaims that contains the price per hour in US dollars. */
  readonly priceLabel?: string
}
