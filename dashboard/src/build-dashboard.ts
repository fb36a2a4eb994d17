import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { dashboardErrors } from './dashboard-errors.ts'
import type { DashboardFiles } from './dashboard-server.ts'

export interface BuildOptions {
  /** One line about what takes long. */
  progress(line: string): void
  readonly signal?: AbortSignal
}

const repository = fileURLToPath(new URL('../../', import.meta.url))
const plugin = join(repository, 'headlamp-plugin')

/** What goes into each part; when its content changed, the part is made again. */
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
  const release = await lock(options)
  try {
    return await build(options)
  } finally {
    release()
  }
}

/** One build at a time on this machine: a second `kerf` waits and finds everything made. */
const lock = async ({ progress, signal }: BuildOptions): Promise<() => void> => {
  const file = join(plugin, '.build.lock')
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
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
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

const build = async (options: BuildOptions): Promise<DashboardFiles> => {
  const { progress } = options
  const modules = join(plugin, 'node_modules')
  const toolchain = stamp(PARTS.toolchain)
  if (!isFresh(modules, toolchain)) {
    progress('installing the dashboard’s toolchain, once: about two minutes')
    // Not `npm ci`: it wants optional packages of every platform in the lock file, and some registries lack some of them.
    await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'], options)
    mark(modules, toolchain)
  }
  const vite = join(modules, 'vite', 'bin', 'vite.js')
  const frontend = join(plugin, 'dist-shell')
  const shell = stamp(PARTS.frontend)
  if (!isFresh(frontend, shell)) {
    progress('bundling Headlamp’s frontend, once: about a minute')
    await run(process.execPath, [vite, 'build', '--config', 'shell/vite.config.ts'], options)
    mark(frontend, shell)
  }
  const built = join(plugin, 'dist')
  const sources = stamp(PARTS.plugin)
  if (!isFresh(built, sources)) {
    progress('bundling the dashboard’s plugin')
    const tool = join(modules, '@kinvolk', 'headlamp-plugin', 'bin', 'headlamp-plugin.js')
    await run(process.execPath, [tool, 'build'], options)
    writeFileSync(join(built, 'package.json'), readFileSync(join(plugin, 'package.json')))
    mark(built, sources)
  }
  return { frontend, plugin: built, icons: join(modules, '@iconify-json', 'mdi') }
}

/** Beside what they speak of, so that nothing of ours gets into a package. */
const stampOf = (directory: string): string => join(plugin, '.kerf', `${basename(directory)}.stamp`)

const isFresh = (directory: string, expected: string): boolean => {
  const file = stampOf(directory)
  return existsSync(directory) && existsSync(file) && readFileSync(file, 'utf8') === expected
}

const mark = (directory: string, text: string): void => {
  mkdirSync(join(plugin, '.kerf'), { recursive: true })
  writeFileSync(stampOf(directory), text)
}

const stamp = (parts: readonly string[]): string => {
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

const run = async (command: string, args: readonly string[], { signal }: BuildOptions): Promise<void> => {
  const child = spawn(command, args, {
    cwd: plugin,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // Node's folder first: npm and its scripts then run on the pinned Node.
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
      NODE_ENV: '',
    },
    shell: process.platform === 'win32' && command === 'npm',
    ...(signal !== undefined && { signal }),
  })
  let output = ''
  const note = (text: string): void => {
    output = (output + text).slice(-20_000)
  }
  child.stdout.setEncoding('utf8').on('data', note)
  child.stderr.setEncoding('utf8').on('data', note)
  const code = await new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (status, killedBy) => resolve(status ?? killedBy ?? 1))
  })
  if (code !== 0) {
    const step = [command === process.execPath ? 'node' : command, ...args].join(' ').replaceAll(repository, '')
    throw dashboardErrors.DashboardBuild({ step, cause: lastLines(output) || String(code) })
  }
}

const lastLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-5)
    .join(' | ')
