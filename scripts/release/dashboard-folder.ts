import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDashboard, type DashboardFiles } from '@kerf/dashboard'
import { noticesOf } from '../bundle/notices.ts'
import { readPackage } from '../bundle/packages.ts'
import { root } from '../source-files.ts'
import { archiveOf } from './archive.ts'

/** The folder that the single file serves its dashboard from, and its archive on the page of a release. */
const FOLDER = 'dashboard'
export const DASHBOARD_ARCHIVE = `${FOLDER}.tar.gz`

const BUNDLING = join(root, 'headlamp-plugin', 'bundling')
/** Icons are copied, not bundled, so no list of packages has them. */
const ICONS = 'node_modules/@iconify-json/mdi'

/**
 * Headlamp writes its licence without the dash of SPDX. The layout of its map, elkjs, is under EPL-2.0, which permits this when the
 * notices say where the source is: the package itself has no line of ours, and its page is in them.
 */
const ACCEPTED = ['Apache 2.0', 'EPL-2.0']

/** The licences of everything in the dashboard's parts, from the list that each was bundled with. */
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

/** Builds what the dashboard is served from, as far as it is not there already. Throws `DashboardBuild`. */
export const builtDashboard = (): Promise<DashboardFiles> =>
  buildDashboard({ progress: (line) => process.stderr.write(`${line} …\n`) })

/** Writes the folder `dashboard`, with the licences of what is in it, where `kerf.mjs` looks for it: beside itself. */
export const writeDashboard = (directory: string, files: DashboardFiles): void => {
  const folder = join(directory, FOLDER)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(files.frontend, join(folder, 'frontend'), { recursive: true })
  cpSync(files.plugin, join(folder, 'plugin'), { recursive: true })
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), dashboardNotices(files))
}

/** The folder as an archive, for those who have the single file alone. */
export const dashboardArchive = (files: DashboardFiles): Uint8Array => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  try {
    writeDashboard(directory, files)
    return archiveOf(directory, [FOLDER])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
