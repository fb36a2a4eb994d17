import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDashboard, type DashboardFiles } from '@kerf/dashboard'
import { noticesOf } from '../bundle/notices.ts'
import { readPackage } from '../bundle/packages.ts'
import { root } from '../source-files.ts'
import { archiveOf } from './archive.ts'

/** The folder from which the single file serves its dashboard. Its archive on the release page has the same name. */
const FOLDER = 'dashboard'
export const DASHBOARD_ARCHIVE = `${FOLDER}.tar.gz`

const BUNDLING = join(root, 'packages', 'dashboard', 'plugin', 'bundling')
/** The package of icons. Icons are copied instead of bundled, so no list of packages contains them. */
const ICONS = 'node_modules/@iconify-json/mdi'

/**
 * Additional licenses that are accepted. Headlamp writes its license without the dash of SPDX. The layout of its map, elkjs, has the
 * license EPL-2.0, which permits this use if the notices name the location of the source. The package contains no code of Kerf, and the
 * notices contain the URL of its page.
 */
const ACCEPTED = ['Apache 2.0', 'EPL-2.0']

/** Returns the licenses of all packages in the dashboard, from the lists of packages that each part was bundled with. */
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
  return noticesOf([...packages.values()], { name: 'The dashboard', accepted: ACCEPTED })
}

/** Builds the files of the dashboard unless they exist. Throws `DashboardBuild`. */
export const builtDashboard = (): Promise<DashboardFiles> =>
  buildDashboard({ progress: (line) => process.stderr.write(`${line} …\n`) })

/** Writes the folder `dashboard` with its licenses into the directory, where `kerf.mjs` looks for it. */
export const writeDashboard = (directory: string, files: DashboardFiles): void => {
  const folder = join(directory, FOLDER)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(files.frontend, join(folder, 'frontend'), { recursive: true })
  cpSync(files.plugin, join(folder, 'plugin'), { recursive: true })
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), dashboardNotices(files))
}

/** Returns the folder as an archive, for users who have only the single file. */
export const dashboardArchive = (files: DashboardFiles): Uint8Array => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  try {
    writeDashboard(directory, files)
    return archiveOf(directory, [FOLDER])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
