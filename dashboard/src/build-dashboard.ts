import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type RunTool, runTool } from './build-tool.ts'
import type { DashboardFiles } from './dashboard-server.ts'

export interface BuildOptions {
  /** One line about what takes long. */
  progress(line: string): void
  readonly signal?: AbortSignal
  /** The plugin's folder, beside the packages that it is made from; this repository's unless given. */
  readonly plugin?: string
  /** A process of its own unless given. */
  readonly run?: RunTool
}

const ownPlugin = fileURLToPath(new URL('../../headlamp-plugin', import.meta.url))

/** The sources of each part, in the plugin's folder. When they have changed, the part is built again. */
const PARTS = {
  toolchain: ['package-lock.json', 'package.json'],
  frontend: ['package-lock.json', 'shell'],
  plugin: ['package-lock.json', 'package.json', 'src', '../apis/src', '../engine/src'],
} as const

/**
 * Makes what the server serves, as far as it is missing or older than its sources: installs the plugin's toolchain by its
 * lock file (about two minutes, once), bundles Headlamp's frontend (about a minute, once) and the plugin (seconds).
 * Throws `DashboardBuild` with the end of the tool's output.
 */
export const buildDashboard = async (options: BuildOptions): Promise<DashboardFiles> => {
  const { plugin = ownPlugin, run = runTool, progress, signal } = options
  const release = await lock(plugin, options)
  try {
    return await build(plugin, progress, (command, args) => run(plugin, command, args, signal))
  } finally {
    release()
  }
}

/**
 * Installs the plugin's toolchain by its lock file unless it is there, for who needs its tools but not what they build.
 * Throws `DashboardBuild` with the end of npm's output.
 */
export const installToolchain = async (options: BuildOptions): Promise<void> => {
  const { plugin = ownPlugin, run = runTool, progress, signal } = options
  const release = await lock(plugin, options)
  try {
    await install(plugin, progress, (command, args) => run(plugin, command, args, signal))
  } finally {
    release()
  }
}

/** One build at a time on this machine: a second `kerf` waits and finds everything made. */
const lock = async (plugin: string, { progress, signal }: BuildOptions): Promise<() => void> => {
  const file = join(plugin, '.build.lock')
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (isAbandoned(file)) rmSync(file, { force: true })
    else {
      if (!waited) progress('waiting for another kerf that builds the dashboard')
      await setTimeout(200, undefined, signal === undefined ? {} : { signal })
    }
  }
}

/** Whether the process that holds a lock is gone. */
const isAbandoned = (file: string): boolean => {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Runs a command in the plugin's folder. */
type RunHere = (command: string, args: readonly string[]) => Promise<void>

const install = async (plugin: string, progress: BuildOptions['progress'], run: RunHere): Promise<void> => {
  const modules = join(plugin, 'node_modules')
  const toolchain = fingerprintFor(plugin, PARTS.toolchain)
  if (isFresh(modules, toolchain)) return
  progress('installing the dashboard’s toolchain, once: about two minutes')
  // Not `npm ci`: it wants optional packages of every platform in the lock file, and some registries lack some of them.
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'])
  writeFingerprint(modules, toolchain)
}

const build = async (plugin: string, progress: BuildOptions['progress'], run: RunHere): Promise<DashboardFiles> => {
  await install(plugin, progress, run)
  const modules = join(plugin, 'node_modules')
  const vite = join(modules, 'vite', 'bin', 'vite.js')
  const frontend = join(plugin, 'dist-shell')
  const shell = fingerprintFor(plugin, PARTS.frontend)
  if (!isFresh(frontend, shell)) {
    progress('bundling Headlamp’s frontend, once: about a minute')
    await run(process.execPath, [vite, 'build', '--config', 'shell/vite.config.ts'])
    writeFingerprint(frontend, shell)
  }
  const built = join(plugin, 'dist')
  const sources = fingerprintFor(plugin, PARTS.plugin)
  if (!isFresh(built, sources)) {
    progress('bundling the dashboard’s plugin')
    const tool = join(modules, '@kinvolk', 'headlamp-plugin', 'bin', 'headlamp-plugin.js')
    await run(process.execPath, [tool, 'build'])
    writeFileSync(join(built, 'package.json'), readFileSync(join(plugin, 'package.json')))
    writeFingerprint(built, sources)
  }
  return { frontend, plugin: built, icons: join(modules, '@iconify-json', 'mdi') }
}

/** Beside what they speak of, so that nothing of ours gets into a package. */
const fingerprintFileOf = (directory: string): string =>
  join(dirname(directory), '.kerf', `${basename(directory)}.stamp`)

const isFresh = (directory: string, expected: string): boolean => {
  const file = fingerprintFileOf(directory)
  return existsSync(directory) && existsSync(file) && readFileSync(file, 'utf8') === expected
}

const writeFingerprint = (directory: string, text: string): void => {
  const file = fingerprintFileOf(directory)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const fingerprintFor = (plugin: string, parts: readonly string[]): string => {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    const full = join(plugin, path)
    let names: readonly string[]
    try {
      names = readdirSync(full).sort()
    } catch {
      hash.update(`${path}\0`).update(readFileSync(full))
      return
    }
    for (const name of names) if (!name.endsWith('.test.ts') && !name.endsWith('.vectors.tsv')) add(join(path, name))
  }
  for (const part of parts) add(part)
  return hash.digest('hex')
}
