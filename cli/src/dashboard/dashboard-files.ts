import { type BuildOptions, buildDashboard, type DashboardFiles } from '@kerf/dashboard'
import { bundleContent } from '../bundle-content.ts'
import { CliError } from '../cli-error.ts'

/** What the dashboard's server serves, made first where it is missing. Throws where it cannot be made. */
export const dashboardFiles = async (options: BuildOptions): Promise<DashboardFiles> => {
  if (bundleContent !== undefined)
    throw new CliError(
      'the dashboard is made from its sources, which the single file does not hold; install the plugin into your Headlamp, or use a clone of the repository',
    )
  return buildDashboard(options)
}
