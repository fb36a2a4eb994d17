import type { ProviderDashboard } from './provider-dashboard.ts'

/**
 * A cloud that Kerf has no provider for, but whose node classes the dashboard shows. The module `src/display.ts` in the cloud's folder
 * exports it as `display`.
 */
export interface DisplayOnly {
  /** The name of the cloud's folder below `providers/`. */
  readonly name: string
  /** The name in texts for users. */
  readonly title: string
  readonly dashboard: ProviderDashboard & Required<Pick<ProviderDashboard, 'kinds'>>
}
