import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDashboard, type DashboardFiles } from '@kerf/dashboard'
import { licenseNotices } from '../bundle/notices.ts'
import { readPackage } from '../bundle/packages.ts'
import { root } from '../source-files.ts'
import { makeArchive } from './archive.ts'

/** The folder from which the single file serves its dashboard. The archive on the release page has the same name. */
const FOLDER = 'dashboard'
export const DASHBOARD_ARCHIVE = `${FOLDER}.tar.gz`

const BUNDLING = join(root, 'packages', 'dashboard', 'plugin', 'bundling')
/** The package of icons. Icons are copied instead of bundled, so the lists of bundled packages do not contain it. */
const ICONS = 'node_modules/@iconify-json/mdi'

/**
 * Additional accepted licenses. Headlamp writes its license without the hyphen of the SPDX name. The layout engine of its map, elkjs, has
 * the license EPL-2.0. That license permits this use if the notices say where the source code is available. The package contains no code of
 * Kerf, and the notices contain the URL of its page.
 */
const ACCEPTED = ['Apache 2.0', 'EPL-2.0']

/** Returns the licenses of all packages in the dashboard, based on the lists of packages in the frontend's and the plugin's bundles. */
const dashboardNotices = ({ frontend, plugin }: DashboardFiles): string => {
  const listed = [frontend, plugin].flatMap(
    (part) => JSON.parse(readFileSync(join(part, 'packages.json'), 'utf8')) as readonly string[],
  )
  const directories = [...new Set([...listed, ICONS])].sort()
  const packages = new Map(
    directories.map((directory) => {
      const found = readPackage(BUNDLING, directory, 0)
      return [`${found.name}@${found.version}`, found]
    }),
  )
  return licenseNotices([...packages.values()], { name: 'The dashboard', accepted: ACCEPTED })
}

/** Builds the files of the dashboard unless they already exist. Throws `DashboardBuild` if that fails. */
export const builtDashboard = (): Promise<DashboardFiles> =>
  buildDashboard({ progress: (line) => process.stderr.write(`${line} …\n`) })

/** Writes the folder `dashboard` with its licenses into the directory. `kerf.mjs` looks for it next to itself. */
export const writeDashboard = (directory: string, files: DashboardFiles): void => {
  const folder = join(directory, FOLDER)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(files.frontend, join(folder, 'frontend'), { recursive: true })
  cpSync(files.plugin, join(folder, 'plugin'), { recursive: true })
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), dashboardNotices(files))
}

/** Returns the folder as an archive, for users who downloaded only the single file. */
export const dashboardArchive = (files: DashboardFiles): Uint8Array => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  try {
    writeDashboard(directory, files)
    return makeArchive(directory, [FOLDER])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
