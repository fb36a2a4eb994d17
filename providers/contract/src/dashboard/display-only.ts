import type { ProviderDashboard } from './provider-dashboard.ts'

/**
 * A cloud for which Kerf has no provider, but whose node classes the dashboard shows. The module `src/display.ts` in its folder exports
 * it as `display`.
 */
export interface DisplayOnly {
  /** The name of the cloud's folder below `providers/`. */
  readonly name: string
  /** The name in texts for users. */
  readonly title: string
  readonly dashboard: ProviderDashboard & Required<Pick<ProviderDashboard, 'kinds'>>
}
