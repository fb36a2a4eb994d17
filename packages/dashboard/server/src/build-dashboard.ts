import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLock } from './build-lock.ts'
import { type RunTool, runTool } from './build-tool.ts'
import type { DashboardFiles } from './dashboard-server.ts'
import { computeFingerprint } from './fingerprint.ts'

export interface BuildOptions {
  /** Receives a line before each slow step. */
  progress(line: string): void
  readonly signal?: AbortSignal
  /**
   * The plugin's folder. Its sibling folders contain the packages that the plugin is built from. The default is the
   * folder in this repository.
   */
  readonly plugin?: string
  /** The default runs the tool in a separate process. */
  readonly run?: RunTool
}

const ownPlugin = fileURLToPath(new URL('../../plugin', import.meta.url))

const BUNDLING = ['bundling/package-lock.json', 'bundling/package.json'] as const
const BUNDLING_CODE = ['bundling/bundled-packages.ts', 'bundling/bundling-modules.ts'] as const
/**
 * The sources of each output, relative to the plugin's folder. An output that was built from the same sources is
 * reused.
 */
const SOURCES = {
  toolchain: ['package-lock.json', 'package.json'],
  bundling: BUNDLING,
  frontend: [...BUNDLING, ...BUNDLING_CODE, 'bundling/frontend.vite.config.ts', 'shell'],
  plugin: [
    ...BUNDLING,
    ...BUNDLING_CODE,
    'bundling/plugin.vite.config.ts',
    'package.json',
    'src',
    '../../apis/src',
    '../../engine/src',
    '../../controllers/src/state',
  ],
} as const

/** How many builds of each output are kept. With several, switching between branches does not build again. */
const KEPT = 4

/**
 * Builds the files that the server serves, unless they were already built from the same sources. First installs the
 * packages for bundling (140 MB, once), then bundles Headlamp's frontend (under a minute, once) and the plugin
 * (seconds). Throws `DashboardBuild` with the end of the tool's output.
 */
export const buildDashboard = async (options: BuildOptions): Promise<DashboardFiles> => {
  const { plugin = ownPlugin } = options
  const frontend = builtOf(plugin, 'frontend')
  const built = builtOf(plugin, 'plugin')
  const files = { frontend, plugin: built, icons: join(frontend, 'icons') }
  if (existsSync(frontend) && existsSync(built)) return files
  const release = await buildLock(plugin, options)
  try {
    await makeMissing(plugin, { frontend, built }, options)
    return files
  } finally {
    release()
  }
}

/**
 * Installs the plugin's whole toolchain from its lock file, unless it is installed. It is needed for type checks,
 * lint and Headlamp's own packaging. Throws `DashboardBuild` with the end of npm's output.
 */
export const installToolchain = async (options: BuildOptions): Promise<void> => {
  const { plugin = ownPlugin } = options
  const release = await buildLock(plugin, options)
  try {
    // `npm ci` is not used, because it requires the optional packages of every platform in the lock file, and some
    // registries lack some of them.
    await install(plugin, 'toolchain', ['install', '--no-save'], options)
  } finally {
    release()
  }
}

/**
 * Bundles the plugin with Headlamp's own tool into the folder `dist`, where `headlamp-plugin package` expects it.
 * Throws `DashboardBuild` with the end of the tool's output.
 */
export const buildPlugin = async (options: BuildOptions): Promise<void> => {
  const { plugin = ownPlugin, run = runTool, signal, progress } = options
  await installToolchain(options)
  progress('bundling the plugin')
  const tool = join(plugin, 'node_modules', '@kinvolk', 'headlamp-plugin', 'bin', 'headlamp-plugin.js')
  await run(plugin, process.execPath, [tool, 'build'], signal)
}

const INSTALLING = {
  toolchain: 'installing the toolchain of the dashboard plugin (once, about two minutes)',
  bundling: 'downloading the bundler packages from npm (once, 140 MB)',
} as const

const install = async (
  plugin: string,
  part: keyof typeof INSTALLING,
  npm: readonly string[],
  { progress, run = runTool, signal }: BuildOptions,
): Promise<void> => {
  const folder = part === 'toolchain' ? plugin : join(plugin, 'bundling')
  const stamp = join(plugin, '.kerf', `${part}.stamp`)
  const wanted = computeFingerprint(plugin, SOURCES[part])
  const isThere =
    existsSync(join(folder, 'node_modules')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isThere) return
  progress(INSTALLING[part])
  await run(folder, 'npm', [...npm, '--no-audit', '--no-fund', '--ignore-scripts'], signal)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

type BuiltPart = 'frontend' | 'plugin'

const builtOf = (plugin: string, part: BuiltPart): string =>
  join(plugin, '.kerf', 'built', `${part}-${computeFingerprint(plugin, SOURCES[part]).slice(0, 16)}`)

const makeMissing = async (
  plugin: string,
  { frontend, built }: { readonly frontend: string; readonly built: string },
  options: BuildOptions,
): Promise<void> => {
  // Another process may have built the outputs while this process waited for the lock.
  if (existsSync(frontend) && existsSync(built)) return
  await install(plugin, 'bundling', ['ci'], options)
  if (!existsSync(frontend)) {
    options.progress('bundling the frontend of Headlamp (once, under a minute)')
    await bundle(plugin, 'frontend', frontend, options, (made) => {
      mkdirSync(join(made, 'icons'), { recursive: true })
      const icons = join(plugin, 'bundling', 'node_modules', '@iconify-json', 'mdi', 'icons.json')
      copyFileSync(icons, join(made, 'icons', 'icons.json'))
    })
  }
  if (!existsSync(built)) {
    options.progress('bundling the dashboard’s plugin')
    // The server reads the plugin's name and version from this file.
    const about = join(plugin, 'package.json')
    await bundle(plugin, 'plugin', built, options, (made) => copyFileSync(about, join(made, 'package.json')))
  }
}

/** Bundles one output into a temporary folder, and moves it to its final path when it is complete. */
const bundle = async (
  plugin: string,
  part: BuiltPart,
  place: string,
  { run = runTool, signal }: BuildOptions,
  finish: (made: string) => void,
): Promise<void> => {
  const making = `${place}.making`
  rmSync(making, { recursive: true, force: true })
  const vite = join(plugin, 'bundling', 'node_modules', 'vite', 'bin', 'vite.js')
  const config = `bundling/${part}.vite.config.ts`
  await run(plugin, process.execPath, [vite, 'build', '--config', config, '--outDir', making], signal)
  finish(making)
  renameSync(making, place)
  const older = readdirSync(dirname(place))
    .filter((name) => name.startsWith(`${part}-`))
    .map((name) => ({ name, madeAt: statSync(join(dirname(place), name)).mtimeMs }))
    .sort((a, b) => b.madeAt - a.madeAt)
    .slice(KEPT)
  for (const { name } of older) rmSync(join(dirname(place), name), { recursive: true, force: true })
}
