import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { buildDashboard, installToolchain } from './build-dashboard.ts'
import type { RunTool } from './build-tool.ts'

const INSTALLED = 'installing the dashboard’s toolchain, once: about two minutes'
const FRONTEND = 'bundling Headlamp’s frontend, once: about a minute'
const PLUGIN = 'bundling the dashboard’s plugin'
const WAITING = 'waiting for another kerf that builds the dashboard'

const npm = 'npm install --no-save --no-audit --no-fund --ignore-scripts'
const vite = 'node_modules/vite/bin/vite.js build --config shell/vite.config.ts'
const headlamp = 'node_modules/@kinvolk/headlamp-plugin/bin/headlamp-plugin.js build'
/** The folder that each tool makes, as they do by `headlamp-plugin/.gitignore`. */
const MADE: Readonly<Record<string, string>> = { [npm]: 'node_modules', [vite]: 'dist-shell', [headlamp]: 'dist' }

let plugin = ''
let said: string[] = []
let failing: string | undefined

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(plugin, path)), { recursive: true })
  writeFileSync(join(plugin, path), text)
}

/** Knows the command lines of the three tools, and nothing else. */
const run: RunTool = (folder, command, args, signal) => {
  const line = [command, ...args].join(' ').replace(`${process.execPath} ${folder}/`, '')
  expect(readFileSync(join(folder, '.build.lock'), 'utf8')).toBe(String(process.pid))
  if (line === failing || signal?.aborted === true) return Promise.reject(new Error(`${line} failed`))
  const made = MADE[line]
  if (made === undefined) return Promise.reject(new Error(`no such tool: ${line}`))
  mkdirSync(join(folder, made), { recursive: true })
  return Promise.resolve()
}

const progress = (line: string): void => {
  said.push(line)
}

/** What was said on the way of one build. */
const built = async (): Promise<readonly string[]> => {
  said = []
  await buildDashboard({ plugin, run, progress })
  return said
}

beforeEach(() => {
  const repository = mkdtempSync(join(tmpdir(), 'kerf-build-dashboard-'))
  onTestFinished(() => rmSync(repository, { recursive: true, force: true }))
  plugin = join(repository, 'headlamp-plugin')
  said = []
  failing = undefined
  for (const path of [
    'package.json',
    'package-lock.json',
    'shell/vite.config.ts',
    'src/deep/index.ts',
    '../apis/src/a.ts',
    '../engine/src/b.ts',
  ])
    write(path, `first ${path}`)
})

test('everything is made once', async () => {
  expect(await buildDashboard({ plugin, run, progress })).toEqual({
    frontend: join(plugin, 'dist-shell'),
    plugin: join(plugin, 'dist'),
    icons: join(plugin, 'node_modules/@iconify-json/mdi'),
  })
  expect(said).toEqual([INSTALLED, FRONTEND, PLUGIN])
  // The server tells the frontend the plugin's name and version by it.
  expect(readFileSync(join(plugin, 'dist/package.json'), 'utf8')).toBe('first package.json')
  expect(await built()).toEqual([])
})

test('a part is made again when its own sources changed, and when it is gone', async () => {
  await built()
  for (const [path, parts] of [
    ['package.json', [INSTALLED, PLUGIN]],
    ['package-lock.json', [INSTALLED, FRONTEND, PLUGIN]],
    ['shell/vite.config.ts', [FRONTEND]],
    ['src/deep/index.ts', [PLUGIN]],
    ['src/new.ts', [PLUGIN]],
    ['../apis/src/a.ts', [PLUGIN]],
    ['../engine/src/b.ts', [PLUGIN]],
    ['src/index.test.ts', []],
    ['../engine/src/b.vectors.tsv', []],
    ['README.md', []],
  ] as const) {
    write(path, 'second')
    expect([path, await built()]).toEqual([path, parts])
    expect([path, await built()]).toEqual([path, []])
  }
  for (const [path, parts] of [
    ['node_modules', [INSTALLED]],
    ['dist-shell', [FRONTEND]],
    ['dist', [PLUGIN]],
    // As it is in a clone whose folders were copied from elsewhere.
    ['.kerf', [INSTALLED, FRONTEND, PLUGIN]],
  ] as const) {
    rmSync(join(plugin, path), { recursive: true })
    expect([path, await built()]).toEqual([path, parts])
  }
})

test('the toolchain alone can be installed, once, and a build goes on from there', async () => {
  await installToolchain({ plugin, run, progress })
  await installToolchain({ plugin, run, progress })
  expect(said).toEqual([INSTALLED])
  expect(existsSync(join(plugin, '.build.lock'))).toBe(false)
  said = []
  expect(await built()).toEqual([FRONTEND, PLUGIN])
  failing = npm
  write('package-lock.json', 'second')
  await expect(installToolchain({ plugin, run, progress })).rejects.toThrow(`${npm} failed`)
})

test('a file that is called another way is another source', async () => {
  await built()
  rmSync(join(plugin, 'src/deep/index.ts'))
  write('src/deep/other.ts', 'first src/deep/index.ts')
  expect(await built()).toEqual([PLUGIN])
})

test.each([
  [npm, [INSTALLED, FRONTEND, PLUGIN]],
  [vite, [FRONTEND, PLUGIN]],
  [headlamp, [PLUGIN]],
])('when %s fails, the next build goes on there', async (tool, left) => {
  failing = tool
  await expect(built()).rejects.toThrow(`${tool} failed`)
  failing = undefined
  expect(await built()).toEqual(left)
})

test('a build waits for another one of this machine, and is over when its caller ends it', async () => {
  const lock = join(plugin, '.build.lock')
  writeFileSync(lock, String(process.pid))
  let signals = 0
  const onSignal = (): void => {
    signals += 1
  }
  process.on('SIGHUP', onSignal)
  onTestFinished(() => void process.off('SIGHUP', onSignal))
  const caller = new AbortController()
  const options = { plugin, run, signal: caller.signal }
  const given = buildDashboard({
    ...options,
    progress: (line) => {
      progress(line)
      caller.abort()
    },
  })
  await expect(given).rejects.toMatchObject({ name: 'AbortError' })
  expect(said).toEqual([WAITING])
  expect(readFileSync(lock, 'utf8')).toBe(String(process.pid))
  said = []
  const held = buildDashboard({
    plugin,
    run,
    progress: (line) => {
      progress(line)
      if (line === WAITING) rmSync(lock)
    },
  })
  await held
  expect(said).toEqual([WAITING, INSTALLED, FRONTEND, PLUGIN])
  expect(existsSync(lock)).toBe(false)
  // It was asked whether it is there, and got no signal.
  expect(signals).toBe(0)
})

test('the tools end with the caller', async () => {
  await expect(buildDashboard({ plugin, run, progress, signal: AbortSignal.abort() })).rejects.toThrow(`${npm} failed`)
})

test('a build that was killed holds nobody up; a lock that cannot be made is an error', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  write('.build.lock', String(pid))
  expect(await built()).toEqual([INSTALLED, FRONTEND, PLUGIN])
  rmSync(plugin, { recursive: true })
  await expect(built()).rejects.toMatchObject({ code: 'ENOENT' })
})
