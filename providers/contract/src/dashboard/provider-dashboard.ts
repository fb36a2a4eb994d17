import type { DisplayedKind } from './displayed-kind.ts'

/** The parts of the dashboard that depend on the provider. */
export interface ProviderDashboard {
  /**
   * Node class kinds of the cloud that the dashboard shows although Kerf does not serve them. Also includes kinds of which the dashboard
   * shows more versions than Kerf serves.
   */
  readonly kinds?: readonly DisplayedKind[]
  /** The label of Nodes and NodeClaims with the hourly price in US dollars. */
  readonly priceLabel?: string
}
