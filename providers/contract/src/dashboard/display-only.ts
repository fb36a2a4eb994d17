import type { ProviderDashboard } from './provider-dashboard.ts'

/** A cloud without a provider: the dashboard shows its node classes. `src/display.ts` of the folder exports it as `display`. */
export interface DisplayOnly {
  /** The name of its folder below `providers/`. */
  readonly name: string
  /** The name in texts for users. */
  readonly title: string
  readonly dashboard: ProviderDashboard & Required<Pick<ProviderDashboard, 'kinds'>>
}
