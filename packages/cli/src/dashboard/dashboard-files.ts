import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, buildDashboard, type DashboardFiles } from '@kerf/dashboard'
import { CliError } from '@kerf/provider-kit/command-line'
import { bundleContent } from '../bundle-content.ts'

/** Returns the files that `npm run bundle -- --dashboard` writes next to the bundle, or undefined if some are missing. */
export const builtIn = (folder: string): DashboardFiles | undefined => {
  const frontend = join(folder, 'frontend')
  const plugin = join(folder, 'plugin')
  const icons = join(frontend, 'icons')
  const needed = [join(frontend, 'index.html'), join(plugin, 'main.js'), join(icons, 'icons.json')]
  return needed.every((file) => existsSync(file)) ? { frontend, plugin, icons } : undefined
}

/**
 * Returns the files that the dashboard's server serves. A bundle has them in its folder; a clone builds them first. Throws if they
 * cannot be built.
 */
export const dashboardFiles = async (options: BuildOptions): Promise<DashboardFiles> => {
  if (bundleContent === undefined) return buildDashboard(options)
  const built = builtIn(fileURLToPath(new URL('dashboard', import.meta.url)))
  if (built !== undefined) return built
  throw new CliError(
    'the folder dashboard of the release is not next to this file; unpack it there, install the plugin into your Headlamp, or use a clone of the repository',
  )
}
