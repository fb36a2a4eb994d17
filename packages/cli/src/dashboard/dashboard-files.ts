import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, buildDashboard, type DashboardFiles } from '@kerf/dashboard'
import { CliError } from '@kerf/provider-kit/command-line'
import { bundleContent } from '../bundle-content.ts'

/** Returns what `npm run bundle -- --dashboard` writes next to the bundle, or undefined if it is incomplete. */
export const builtIn = (folder: string): DashboardFiles | undefined => {
  const frontend = join(folder, 'frontend')
  const plugin = join(folder, 'plugin')
  const icons = join(frontend, 'icons')
  const needed = [join(frontend, 'index.html'), join(plugin, 'main.js'), join(icons, 'icons.json')]
  return needed.every((file) => existsSync(file)) ? { frontend, plugin, icons } : undefined
}

/**
 * Returns the files for the dashboard's server: from the folder of the bundle, or from a clone, which builds them first. Throws if they
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
