import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { buildDashboard, buildPlugin, installToolchain } from './build-dashboard.ts'
import type { RunTool } from './build-tool.ts'

const FETCHED = 'downloading the bundler packages from npm (once, 140 MB)'
const TOOLCHAIN = 'installing the toolchain of the dashboard plugin (once, about two minutes)'
const FRONTEND = 'bundling the frontend of Headlamp (once, under a minute)'
const PLUGIN = 'bundling the dashboard’s plugin'
const WAITING = 'waiting for another kerf process that builds the dashboard'

const ci = 'bundling: npm ci --no-audit --no-fund --ignore-scripts'
const npm = '.: npm install --no-save --no-audit --no-fund --ignore-scripts'
const frontend =
  '.: bundling/node_modules/vite/bin/vite.js build --config bundling/frontend.vite.config.ts --outDir OUT'
const plugged = '.: bundling/node_modules/vite/bin/vite.js build --config bundling/plugin.vite.config.ts --outDir OUT'
const headlamp = '.: node_modules/@kinvolk/headlamp-plugin/bin/headlamp-plugin.js build'

let plugin = ''
let said: string[] = []
let failing: string | undefined

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(plugin, path)), { recursive: true })
  writeFileSync(join(plugin, path), text)
}

/** Imitates the build tools: it accepts their command lines and creates their output files. */
const run: RunTool = (folder, command, args, signal) => {
  const out = args.includes('--outDir') ? args.at(-1) : undefined
  const where = folder === plugin ? '.' : folder.slice(plugin.length + 1)
  const line = `${where}: ${[command, ...args].join(' ')}`
    .replace(`${process.execPath} ${plugin}/`, '')
    .replace(String(out), 'OUT')
  expect(readFileSync(join(plugin, '.build.lock'), 'utf8')).toBe(String(process.pid))
  const make = (path: string): void => void mkdirSync(path, { recursive: true })
  switch (line) {
    case ci:
      write('bundling/node_modules/@iconify-json/mdi/icons.json', '{}')
      break
    case npm:
      make(join(plugin, 'node_modules'))
      break
    case frontend:
    case plugged:
      make(out ?? '')
      break
    default:
      return Promise.reject(new Error(`no such tool: ${line}`))
  }
  return line === failing || signal?.aborted === true ? Promise.reject(new Error(`${line} failed`)) : Promise.resolve()
}

const progress = (line: string): void => {
  said.push(line)
}

/** Runs one build and returns its progress messages. */
const built = async (): Promise<readonly string[]> => {
  said = []
  await buildDashboard({ plugin, run, progress })
  return said
}

beforeEach(() => {
  const repository = mkdtempSync(join(tmpdir(), 'kerf-build-dashboard-'))
  onTestFinished(() => rmSync(repository, { recursive: true, force: true }))
  plugin = join(repository, 'dashboard', 'plugin')
  said = []
  failing = undefined
  for (const path of [
    'package.json',
    'package-lock.json',
    'bundling/package.json',
    'bundling/package-lock.json',
    'bundling/bundled-packages.ts',
    'bundling/bundling-modules.ts',
    'bundling/frontend.vite.config.ts',
    'bundling/plugin.vite.config.ts',
    'shell/main.tsx',
    'src/deep/index.ts',
    '../../apis/src/a.ts',
    '../../engine/src/b.ts',
    '../../controllers/src/state/c.ts',
  ])
    write(path, `first ${path}`)
})

test('one build creates every part once', async () => {
  const files = await buildDashboard({ plugin, run, progress })
  expect(said).toEqual([FETCHED, FRONTEND, PLUGIN])
  expect(readFileSync(join(files.icons, 'icons.json'), 'utf8')).toBe('{}')
  // The server reads the plugin's name and version from this file.
  expect(readFileSync(join(files.plugin, 'package.json'), 'utf8')).toBe('first package.json')
  expect(await built()).toEqual([])
  // The output must not depend on the packages for bundling, so remove them.
  rmSync(join(plugin, 'bundling/node_modules'), { recursive: true })
  expect(await buildDashboard({ plugin, run, progress })).toEqual(files)
  expect(said).toEqual([])
  // If the files already exist, no lock is needed, so a read-only installation works.
  write('.build.lock', String(process.pid))
  expect(await buildDashboard({ plugin, run, progress })).toEqual(files)
})

test('a part is rebuilt if its own sources changed or its output is missing', async () => {
  await built()
  for (const [path, parts] of [
    ['package.json', [PLUGIN]],
    ['package-lock.json', []],
    ['bundling/package-lock.json', [FETCHED, FRONTEND, PLUGIN]],
    ['bundling/bundled-packages.ts', [FRONTEND, PLUGIN]],
    ['bundling/bundling-modules.ts', [FRONTEND, PLUGIN]],
    ['bundling/frontend.vite.config.ts', [FRONTEND]],
    ['bundling/plugin.vite.config.ts', [PLUGIN]],
    ['shell/main.tsx', [FRONTEND]],
    ['src/deep/index.ts', [PLUGIN]],
    ['src/new.ts', [PLUGIN]],
    ['../../apis/src/a.ts', [PLUGIN]],
    ['../../engine/src/b.ts', [PLUGIN]],
    ['../../controllers/src/state/c.ts', [PLUGIN]],
    ['src/index.test.ts', []],
    ['../../engine/src/b.vectors.tsv', []],
    ['README.md', []],
  ] as const) {
    write(path, 'second')
    expect([path, await built()]).toEqual([path, parts])
    expect([path, await built()]).toEqual([path, []])
  }
  rmSync(join(plugin, '.kerf'), { recursive: true })
  expect(await built()).toEqual([FETCHED, FRONTEND, PLUGIN])
})

test('a build of earlier sources is reused, and only the last four builds are kept', async () => {
  await built()
  for (const text of ['second', 'first src/deep/index.ts', 'third', 'fourth', 'fifth']) {
    write('src/deep/index.ts', text)
    expect([text, await built()]).toEqual([text, text.startsWith('first') ? [] : [PLUGIN]])
  }
  const kept = readdirSync(join(plugin, '.kerf/built'))
  // Names are short, because some systems limit the length of a path.
  expect(kept.filter((name) => /^plugin-[0-9a-f]{16}$/.test(name))).toHaveLength(4)
  expect(kept.filter((name) => /^frontend-[0-9a-f]{16}$/.test(name))).toHaveLength(1)
  expect(kept).toHaveLength(5)
})

test('the whole toolchain is installed separately, and only once', async () => {
  await installToolchain({ plugin, run, progress })
  await installToolchain({ plugin, run, progress })
  expect(said).toEqual([TOOLCHAIN])
  expect(existsSync(join(plugin, '.build.lock'))).toBe(false)
  expect(await built()).toEqual([FETCHED, FRONTEND, PLUGIN])
  failing = npm
  write('package-lock.json', 'second')
  await expect(installToolchain({ plugin, run, progress })).rejects.toThrow(`${npm} failed`)
})

test('Headlamp’s own tool from the whole toolchain bundles the plugin for packaging', async () => {
  const lines: string[] = []
  await buildPlugin({
    plugin,
    progress,
    run: async (folder, command, args) => {
      lines.push(
        `${folder === plugin ? '.' : folder}: ${[command, ...args].join(' ').replace(`${process.execPath} ${plugin}/`, '')}`,
      )
    },
  })
  expect(lines).toEqual([npm, headlamp])
})

test('renaming a source file causes a new build', async () => {
  await built()
  rmSync(join(plugin, 'src/deep/index.ts'))
  write('src/deep/other.ts', 'first src/deep/index.ts')
  expect(await built()).toEqual([PLUGIN])
})

test.each([
  [ci, [FETCHED, FRONTEND, PLUGIN]],
  [frontend, [FRONTEND, PLUGIN]],
  [plugged, [PLUGIN]],
])('if %s fails after writing output, the next build repeats that step', async (tool, left) => {
  failing = tool
  await expect(built()).rejects.toThrow(`${tool} failed`)
  failing = undefined
  expect(await built()).toEqual(left)
})

test('a build waits for another build on the same machine, and stops waiting if its caller aborts', async () => {
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
  expect(said).toEqual([WAITING, FETCHED, FRONTEND, PLUGIN])
  expect(existsSync(lock)).toBe(false)
  // The only signal was 0, which tests whether the process exists.
  expect(signals).toBe(0)
})

test('the tools end when the caller aborts', async () => {
  await expect(buildDashboard({ plugin, run, progress, signal: AbortSignal.abort() })).rejects.toThrow(`${ci} failed`)
})

test('the lock of a killed build does not block other builds, and a lock that cannot be created is an error', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  write('.build.lock', String(pid))
  expect(await built()).toEqual([FETCHED, FRONTEND, PLUGIN])
  rmSync(plugin, { recursive: true })
  await expect(built()).rejects.toMatchObject({ code: 'ENOENT' })
})
